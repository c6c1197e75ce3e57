#include "stamp.h"

#include <math.h>
#include <stdio.h>

#include "legend.h"
#include "plot.h"

#define BAR_PARTS 10	/* of the width: 1-2-5 steps end at two and a half times one */
#define MOST_DECIMALS 9 /* of times */

/* A panel of that content in a left corner, of which (*x, *y) becomes the upper left corner.  False
 * where it would be too much of the picture. */
static bool place_panel(struct image *image, int width, int height, bool top, int *x, int *y)
{
	const int scale = legend_scale(image), pad = 5 * scale, margin = 4 * scale;
	if (2 * (width + 2 * pad + margin) > image->width ||
	    3 * (height + 2 * pad + margin) > image->height)
		return false;
	*x = pad + margin;
	*y = top ? pad + margin : image->height - height - pad - margin;
	legend_draw_panel(image, *x - pad, *y - pad, *x + width + pad, *y + height + pad);
	return true;
}

/* Of times that are `step` apart. */
static int decimals_of(double step)
{
	int apart = 0; /* tell them apart */
	for (double scaled = step; scaled < 1 - 1e-9 && apart < MOST_DECIMALS; scaled *= 10)
		apart++;
	const double scale = pow(10, apart);
	for (int more = 0; more <= 2; more++) {
		const double scaled = step * scale * pow(10, more);
		if (fabs(scaled - nearbyint(scaled)) <= 1e-9 * scaled)
			return apart + more;
	}
	return apart + 1;
}

void stamp_draw_time(struct image *image, double time, double step)
{
	const int scale = legend_scale(image);
	char text[64];
	int x, y;
	snprintf(text, sizeof(text), "t = %.*f s", decimals_of(step), time);
	legend_use_points(text);
	if (place_panel(image, legend_text_width(text, scale), LEGEND_GLYPH_HEIGHT * scale, true,
			&x, &y))
		legend_draw_text(image, x, y, scale, legend_ink, text);
}

double stamp_bar_length(double width)
{
	return plot_step(width, BAR_PARTS);
}

/* In mm, m or km, whichever keeps it short. */
static void length_text(double length, char text[32])
{
	if (length < 0.0999)
		snprintf(text, 32, "%.6g mm", length * 1e3);
	else if (length < 999)
		snprintf(text, 32, "%.6g m", length);
	else
		snprintf(text, 32, "%.6g km", length * 1e-3);
	legend_use_points(text);
}

void stamp_draw_bar(struct image *image, double pixels_per_metre)
{
	const int scale = legend_scale(image);
	const double length = stamp_bar_length(image->width / pixels_per_metre);
	const int across = (int)lround(length * pixels_per_metre);
	const int text_height = LEGEND_GLYPH_HEIGHT * scale, thick = 3 * scale;
	char text[32];
	int x, y;
	length_text(length, text);
	const int text_width = legend_text_width(text, scale);
	if (!place_panel(image, across > text_width ? across : text_width,
			 text_height + 3 * scale + thick, false, &x, &y))
		return;
	legend_draw_text(image, x, y, scale, legend_ink, text);
	y += text_height + 3 * scale;
	image_fill(image, x, y, x + across, y + thick, legend_ink);
}
