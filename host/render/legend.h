/* Legends: what the colours of a picture mean, drawn onto the finished image. */
#ifndef FRESHET_LEGEND_H
#define FRESHET_LEGEND_H

#include "image.h"
#include "render_params.h"

/* Size of a glyph in dots.  One dot is `scale` x `scale` pixels; lines of text advance by
 * LEGEND_GLYPH_WIDTH + 1 dots per character. */
#define LEGEND_GLYPH_WIDTH 5
#define LEGEND_GLYPH_HEIGHT 7

/* Draws text with its top left corner at (x, y); what falls outside the image is cut off.
 * Characters without a glyph are left blank. */
void legend_draw_text(struct image *image, int x, int y, int scale, const uint8_t color[3],
		      const char *text);
int legend_text_width(const char *text, int scale); /* pixels */

extern const uint8_t legend_ink[3]; /* of texts and frames */

/* Pixels of a dot: a third of the short side for a legend at most, never less than one. */
int legend_scale(const struct image *image);
/* A pale panel that lets the picture shine through. */
void legend_draw_panel(struct image *image, int x0, int y0, int x1, int y1);
/* Makes the commas of numbers points, in any locale. */
void legend_use_points(char *text);

/* Draws the legend of a field in the upper right corner: title with unit, colour bar and the
 * values at its ends; named colours for cells; nothing for particles and surfaces.  In pictures of
 * which it would take half the width or a third of the height the scale is narrow and without
 * title; left out where that is too much as well. */
void legend_draw(struct image *image, enum render_field field, double low, double high);

#endif
