/* Time stamps and scale bars: texts, lengths, and where there is no room, without a device. */
#include <math.h>

#include "legend.h"
#include "output_support.h"
#include "stamp.h"

/* A white picture, in which panels do not show. */
static void start_white(struct image *image, int width, int height)
{
	static const uint8_t white[3] = {255, 255, 255};
	CHECK(image_init(image, width, height));
	image_fill(image, 0, 0, width, height, white);
}

static bool is_ink(const struct image *image, int x, int y)
{
	return memcmp(image->rgb + 3 * (y * image->width + x), legend_ink, 3) == 0;
}

/* Left, top, right, bottom of the ink in rows from `from` to before `to`; false without any. */
static bool find_ink(const struct image *image, int from, int to, int bounds[4])
{
	bounds[0] = bounds[1] = 1 << 20;
	bounds[2] = bounds[3] = -1;
	for (int y = from; y < to; y++)
		for (int x = 0; x < image->width; x++) {
			if (!is_ink(image, x, y))
				continue;
			bounds[0] = x < bounds[0] ? x : bounds[0];
			bounds[1] = y < bounds[1] ? y : bounds[1];
			bounds[2] = x > bounds[2] ? x : bounds[2];
			bounds[3] = y > bounds[3] ? y : bounds[3];
		}
	return bounds[2] >= 0;
}

/* Does the ink in rows from `from` to before `to` read like the text? */
static bool reads(const struct image *image, int from, int to, const char *text)
{
	struct image alone = {0};
	int seen[4], wanted[4];
	start_white(&alone, image->width, image->height);
	legend_draw_text(&alone, 0, 0, legend_scale(image), legend_ink, text);
	bool same = find_ink(image, from, to, seen) && find_ink(&alone, 0, image->height, wanted) &&
		    seen[2] - seen[0] == wanted[2] - wanted[0] &&
		    seen[3] - seen[1] == wanted[3] - wanted[1];
	for (int y = seen[1]; same && y <= seen[3]; y++)
		for (int x = seen[0]; same && x <= seen[2]; x++)
			same = is_ink(image, x, y) ==
			       is_ink(&alone, x - seen[0] + wanted[0], y - seen[1] + wanted[1]);
	image_finish(&alone);
	return same;
}

/* As many decimals as the times of all pictures have, or one more than tells them apart. */
static void test_times(void)
{
	static const struct {
		double time, step;
		const char *text;
	} cases[] = {
		{0, 1.0 / 24, "t = 0.000 s"},
		{1.25, 1.0 / 24, "t = 1.250 s"},
		{5, 1, "t = 5 s"},
		{12, 2, "t = 12 s"},
		{1.5, 1.5, "t = 1.5 s"},
		{7 / 25.0, 1.0 / 25, "t = 0.28 s"},
		{1.0 / 30, 1.0 / 30, "t = 0.033 s"},
		{1.0 / 8, 1.0 / 8, "t = 0.125 s"},
		{1.0 / 240, 1.0 / 240, "t = 0.0042 s"},
		{100, 0.1, "t = 100.0 s"},
		{3e-5, 1e-5, "t = 0.00003 s"},
		{99990 / 24.0, 10, "t = 4166 s"},
	};
	for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
		struct image image = {0};
		start_white(&image, 640, 360);
		stamp_draw_time(&image, cases[n].time, cases[n].step);
		CHECK(reads(&image, 0, 180, cases[n].text));
		if (!reads(&image, 0, 180, cases[n].text))
			fprintf(stderr, "not read: %s\n", cases[n].text);
		int bounds[4];
		CHECK(!find_ink(&image, 180, 360, bounds)); /* it is at the top */
		image_finish(&image);
	}
}

/* 1, 2 or 5 times a power of ten, a tenth to a quarter of the width, over twelve powers of ten. */
static void test_lengths(void)
{
	CHECK(fabs(stamp_bar_length(2.0) - 0.2) < 1e-12);
	CHECK(fabs(stamp_bar_length(2.1) - 0.5) < 1e-12);
	CHECK(fabs(stamp_bar_length(0.061) - 0.01) < 1e-12);
	CHECK(fabs(stamp_bar_length(9.0) - 1.0) < 1e-12);
	for (double width = 1e-6; width < 1e6; width *= 1.037) {
		const double length = stamp_bar_length(width);
		const double power = pow(10.0, floor(log10(length) + 1e-9));
		const double digit = length / power;
		CHECK(fabs(digit - 1) < 1e-9 || fabs(digit - 2) < 1e-9 || fabs(digit - 5) < 1e-9);
		CHECK(length >= width / 10 * (1 - 1e-9) && length <= width / 4 * (1 + 1e-9));
	}
}

/* The bar is as many pixels as its text says. */
static void test_bars(void)
{
	static const struct {
		double pixels_per_metre;
		int pixels;
		const char *text;
	} cases[] = {
		{640, 128, "0.2 m"},	   {128, 128, "1 m"},	      {300, 150, "0.5 m"},
		{6400, 128, "20 mm"},	   {13000, 130, "10 mm"},     {1280, 128, "0.1 m"},
		{1.28e6, 128, "0.1 mm"},   {0.128, 128, "1 km"},      {0.256, 128, "500 m"},
		{1.28e-4, 128, "1000 km"}, {2.56e7, 128, "0.005 mm"},
	};
	for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
		struct image image = {0};
		int all[4], bar[4];
		start_white(&image, 1280, 720);
		stamp_draw_bar(&image, cases[n].pixels_per_metre);
		CHECK(find_ink(&image, 360, 720, all) && !find_ink(&image, 0, 360, bar));
		CHECK(find_ink(&image, 720 - 20, 720, all));
		CHECK(find_ink(&image, all[3], all[3] + 1, bar));
		CHECK(abs(bar[2] + 1 - bar[0] - cases[n].pixels) <= 1);
		int top = all[3];
		while (top > 0 && is_ink(&image, bar[0], top))
			top--;
		CHECK(reads(&image, 360, top + 1, cases[n].text));
		if (!reads(&image, 360, top + 1, cases[n].text))
			fprintf(stderr, "not read: %s\n", cases[n].text);
		image_finish(&image);
	}
}

/* Neither takes half the width or a third of the height; from 320 x 180 on both are there. */
static void test_room(void)
{
	for (int width = 8; width <= 1280; width += 8) {
		struct image image = {0};
		const int height = width * 9 / 16;
		int time[4], bar[4];
		start_white(&image, width, height);
		stamp_draw_time(&image, 0.5, 1.0 / 24);
		const bool has_time = find_ink(&image, 0, height, time);
		CHECK(!has_time || (2 * time[2] < width && 3 * time[3] < height));
		start_white(&image, width, height);
		stamp_draw_bar(&image, width / 2.0);
		const bool has_bar = find_ink(&image, 0, height, bar);
		CHECK(!has_bar || (2 * bar[2] < width && 3 * (height - bar[1]) < height));
		CHECK(width < 320 || (has_time && has_bar));
		CHECK(width > 40 || (!has_time && !has_bar));
		image_finish(&image);
	}
	/* Flat and tall ones. */
	static const int sizes[][2] = {{1280, 30}, {30, 1280}, {1, 1}};
	for (int n = 0; n < 3; n++) {
		struct image image = {0};
		int bounds[4];
		start_white(&image, sizes[n][0], sizes[n][1]);
		stamp_draw_time(&image, 0.5, 1.0 / 24);
		stamp_draw_bar(&image, 100);
		CHECK(!find_ink(&image, 0, sizes[n][1], bounds));
		image_finish(&image);
	}
}

int main(void)
{
	if (!start_scratch())
		return 1;
	test_times();
	test_lengths();
	test_bars();
	test_room();
	return end_tests();
}
