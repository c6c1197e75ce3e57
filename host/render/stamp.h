/* What a scene may want written onto finished pictures: the time of the frame and a scale bar. */
#ifndef FRESHET_STAMP_H
#define FRESHET_STAMP_H

#include "image.h"

/*
 * Draws "t = 1.25 s" onto a panel in the upper left corner.  `step` is the time between two
 * pictures, s: there are as many decimals as tell their times, or one more than tell them apart
 * where no number does (1/24 s: three).  Like the bar it is left out of pictures of which it would
 * take half the width or a third of the height.
 */
void stamp_draw_time(struct image *image, double time, double step);

/* Draws a bar with its length above onto a panel in the lower left corner: 1, 2 or 5 times a power
 * of ten of metres, a tenth to a quarter of the picture's width.  Ends are rounded to whole pixels.
 */
void stamp_draw_bar(struct image *image, double pixels_per_metre);

/* The length of that bar, m, for a picture that is so many metres wide. */
double stamp_bar_length(double width);

#endif
