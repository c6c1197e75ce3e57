/* Curves that grow, and tables and scenes that the program holds. */
#ifndef FRESHET_CURVES_H
#define FRESHET_CURVES_H

#include "plot.h"
#include "series.h"

struct embedded_text;

/* A file of scenes/validation/ or validation/data; NULL after reporting. */
const struct embedded_text *validate_find_file(const char *name);

/* A series that grows.  Zeroed = empty. */
struct curve {
	double *t, *y;
	size_t count, room;
};
bool curve_add(struct curve *curve, double t, double y);
void curve_free(struct curve *curve);
struct series curve_series(const struct curve *curve);
/* The curve must outlive the plot. */
void curve_draw(const struct curve *curve, struct plot *plot, const char *name,
		enum plot_style style);

/* The one that is further from 0. */
double worse_of(double a, double b);

/* Two columns of a file of validation/data as a curve; rows whose first column is outside
 * [from, to] are left out.  False after reporting. */
bool curve_read(const char *file, const char *t, const char *y, double from, double to,
		struct curve *curve);

/* Mean of y behind time t; NaN, which meets no criterion, if there is nothing behind it. */
double curve_mean(const struct curve *curve, double t);

#endif
