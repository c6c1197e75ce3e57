/* Plots: round steps, and where points end up, without a device. */
#include <math.h>

#include "legend.h"
#include "output_support.h"
#include "plot.h"

static void test_steps(void)
{
	CHECK(fabs(plot_step(6.0, 6) - 1.0) < 1e-12);
	CHECK(fabs(plot_step(7.0, 6) - 2.0) < 1e-12);
	CHECK(fabs(plot_step(0.03, 6) - 0.005) < 1e-12);
	CHECK(fabs(plot_step(31000.0, 6) - 10000.0) < 1e-6);
	CHECK(fabs(plot_step(0.0, 6) - 1.0) < 1e-12);
}

static bool is_color(const struct image *image, int x, int y, int r, int g, int b)
{
	const uint8_t *p = image->rgb + 3 * (y * image->width + x);
	return abs(p[0] - r) < 30 && abs(p[1] - g) < 30 && abs(p[2] - b) < 30;
}

/* Bounds of the pixels in the first curve's colour, below the key. */
static void find_curve(const struct image *image, int from_y, int bounds[4])
{
	bounds[0] = bounds[1] = 1 << 20;
	bounds[2] = bounds[3] = -1;
	for (int y = from_y; y < image->height; y++)
		for (int x = 0; x < image->width; x++) {
			if (!is_color(image, x, y, 0, 114, 178))
				continue;
			bounds[0] = x < bounds[0] ? x : bounds[0];
			bounds[1] = y < bounds[1] ? y : bounds[1];
			bounds[2] = x > bounds[2] ? x : bounds[2];
			bounds[3] = y > bounds[3] ? y : bounds[3];
		}
}

/* The diagonal of a plot from 0 to 6 by 0 to 12 crosses the frame from corner to corner; the middle
 * of the frame is on it, and a line of half the height is where it should be. */
static void test_diagonal(void)
{
	const double x[3] = {0.0, (double)NAN, 6.0}, y[3] = {0.0, 3.0, 12.0};
	const double flat_x[2] = {0.0, 6.0}, flat_y[2] = {6.0, 6.0};
	struct plot plot = {.title = "TITLE", .x_label = "t (s)", .y_label = "m"};
	struct image image = {0};
	int b[4], f[4];
	plot_add(&plot, "corner", PLOT_MARKERS, x, y, 3);
	CHECK(plot_draw(&plot, 800, 500, &image));
	find_curve(&image, 100, b);
	/* Two markers, 8 pixels wide: the NAN between them is left out. */
	CHECK(b[2] > b[0] + 300 && b[3] > b[1] + 200);
	plot.curve_count = 0;
	plot_add(&plot, "flat", PLOT_LINE, flat_x, flat_y, 2);
	plot_add(&plot, "corner", PLOT_MARKERS, x, y, 3);
	CHECK(plot_draw(&plot, 800, 500, &image));
	find_curve(&image, 100, f);
	CHECK(abs(f[1] + f[3] - b[1] - b[3]) <= 2); /* half-way up */
	CHECK(abs(f[0] - b[0] - 3) <= 2 && abs(f[2] - b[2] + 3) <= 2);
	CHECK(f[3] - f[1] <= 3);
	image_finish(&image);
}

/* No points at all, or one: still a picture. */
static void test_little(void)
{
	const double one[1] = {3.0};
	struct plot plot = {.title = "NOTHING", .x_label = "x", .y_label = "y"};
	struct image image = {0};
	CHECK(plot_draw(&plot, 400, 300, &image));
	plot_add(&plot, "one", PLOT_LINE, one, one, 1);
	plot_add(&plot, "none", PLOT_LINE, one, one, 0);
	CHECK(plot_draw(&plot, 400, 300, &image));
	image_finish(&image);
}

/* Every letter and sign that labels use has a glyph, and no two look the same. */
static void test_letters(void)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
		".,:-+/=()|%^";
	static const uint8_t white[3] = {255, 255, 255};
	struct image images[sizeof(letters)] = {{0}};
	for (size_t n = 0; letters[n]; n++) {
		CHECK(image_init(&images[n], LEGEND_GLYPH_WIDTH, LEGEND_GLYPH_HEIGHT));
		legend_draw_text(&images[n], 0, 0, 1, white, (const char[]){letters[n], '\0'});
	}
	const size_t bytes = 3 * LEGEND_GLYPH_WIDTH * LEGEND_GLYPH_HEIGHT;
	static const uint8_t blank[3 * LEGEND_GLYPH_WIDTH * LEGEND_GLYPH_HEIGHT];
	for (size_t n = 0; letters[n]; n++) {
		CHECK(memcmp(images[n].rgb, blank, bytes) != 0);
		for (size_t m = 0; m < n; m++)
			CHECK(memcmp(images[n].rgb, images[m].rgb, bytes) != 0);
	}
	for (size_t n = 0; letters[n]; n++)
		image_finish(&images[n]);
}

int main(void)
{
	if (!start_scratch())
		return 1;
	test_steps();
	test_diagonal();
	test_little();
	test_letters();
	return end_tests();
}
