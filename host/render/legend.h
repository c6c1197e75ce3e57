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

/* Draws the legend of a field in the upper right corner: title with unit, colour bar and the
 * values at its ends; named colours for cells; nothing for particles and surfaces.  In pictures of
 * which it would take half the width or a third of the height the scale is narrow and without
 * title; left out where that is too much as well. */
void legend_draw(struct image *image, enum render_field field, double low, double high);

#endif
