/* Line plots as images: axes with round numbers, curves, a key. */
#ifndef FRESHET_PLOT_H
#define FRESHET_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "image.h"

#define PLOT_MAX_CURVES 8

enum plot_style { PLOT_LINE, PLOT_MARKERS };

/* Values that are not finite are left out.  Nothing is owned. */
struct plot_curve {
	const char *name;
	const double *x, *y;
	size_t count;
	enum plot_style style;
};

struct plot {
	const char *title, *x_label, *y_label;
	struct plot_curve curves[PLOT_MAX_CURVES];
	size_t curve_count;
	bool y_from_zero; /* the y axis includes 0 */
};

/* Appends a curve; beyond PLOT_MAX_CURVES nothing happens. */
void plot_add(struct plot *plot, const char *name, enum plot_style style, const double *x,
	      const double *y, size_t count);

/* A round step that divides `span` into about `parts` parts. */
double plot_step(double span, int parts);

/* Draws into a new image of that size.  False after reporting. */
bool plot_draw(const struct plot *plot, int width, int height, struct image *image);

#endif
