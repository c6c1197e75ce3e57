/*
 * PNG files, the background writer and legends, without a device.  Files are read back with
 * stb_image, which shares no code with the encoder; chunk checksums are recomputed here.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>
#pragma GCC diagnostic pop

#include "file_queue.h"
#include "image.h"
#include "legend.h"
#include "message.h"
#include "temporary.h"

static char folder[TEMPORARY_PATH];
static char text[4096];
static int messages;

static void keep_message(enum message_level level, const char *line, void *user)
{
	(void)level;
	(void)user;
	messages++;
	snprintf(text, sizeof(text), "%s", line);
}

static const char *path_of(const char *name)
{
	static char path[TEMPORARY_PATH + 64];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static bool exists(const char *name)
{
	return access(path_of(name), F_OK) == 0;
}

static struct image noise(int width, int height, uint32_t seed)
{
	struct image image = {0};
	assert_true(image_init(&image, width, height));
	for (size_t n = 0; n < (size_t)width * (size_t)height * 3; n++) {
		seed = seed * 1664525u + 1013904223u;
		image.rgb[n] = (uint8_t)(seed >> 24);
	}
	return image;
}

static void assert_file_holds(const char *name, const struct image *expected)
{
	int width, height, channels;
	stbi_uc *rgb = stbi_load(path_of(name), &width, &height, &channels, 0);
	assert_non_null(rgb);
	assert_int_equal(width, expected->width);
	assert_int_equal(height, expected->height);
	assert_int_equal(channels, 3);
	assert_memory_equal(rgb, expected->rgb, (size_t)width * (size_t)height * 3);
	stbi_image_free(rgb);
}

/* CRC-32 of PNG chunks (ISO 3309), bit by bit. */
static uint32_t crc(const unsigned char *data, size_t length)
{
	uint32_t value = 0xffffffffu;
	for (size_t n = 0; n < length; n++) {
		value ^= data[n];
		for (int bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
	}
	return ~value;
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void round_trip(void **state)
{
	(void)state;
	const int sizes[][2] = {{1, 1}, {37, 23}, {256, 1}, {1, 300}};
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		struct image image = noise(sizes[s][0], sizes[s][1], (uint32_t)s);
		assert_true(image_write_png(path_of("a.png"), &image));
		assert_file_holds("a.png", &image);
		image_finish(&image);
	}
}

static void chunk_checksums(void **state)
{
	(void)state;
	static unsigned char data[65536];
	struct image image = noise(64, 48, 7);
	assert_true(image_write_png(path_of("crc.png"), &image));
	FILE *file = fopen(path_of("crc.png"), "rb");
	assert_non_null(file);
	size_t length = fread(data, 1, sizeof(data), file), at = 8;
	fclose(file);
	assert_true(length < sizeof(data));
	int chunks = 0;
	while (at + 12 <= length) {
		uint32_t size = big_endian(data + at);
		assert_true(size <= length - at - 12);
		assert_int_equal(big_endian(data + at + 8 + size), crc(data + at + 4, size + 4));
		at += size + 12;
		chunks++;
	}
	assert_int_equal(at, length);
	assert_true(chunks >= 3);
	image_finish(&image);
}

static void replaces_and_leaves_nothing(void **state)
{
	(void)state;
	struct image old = noise(20, 10, 1), new = noise(11, 30, 2);
	assert_true(image_write_png(path_of("r.png"), &old));
	assert_true(image_write_png(path_of("r.png"), &new));
	assert_file_holds("r.png", &new);
	assert_false(exists("r.png.tmp"));
	image_finish(&old);
	image_finish(&new);
}

static void failures_name_the_path(void **state)
{
	(void)state;
	struct image image = noise(4, 4, 3);
	messages = 0;
	assert_false(image_write_png(path_of("missing/x.png"), &image));
	assert_int_equal(messages, 1);
	assert_non_null(strstr(text, path_of("missing/x.png")));
	assert_non_null(strstr(text, strerror(ENOENT)));

	/* A folder of that name cannot be replaced by a file, and stays. */
	assert_int_equal(mkdir(path_of("taken.png"), 0777), 0);
	assert_false(image_write_png(path_of("taken.png"), &image));
	assert_non_null(strstr(text, path_of("taken.png")));
	assert_true(exists("taken.png"));
	assert_false(exists("taken.png.tmp"));
	assert_int_equal(rmdir(path_of("taken.png")), 0);
	image_finish(&image);
}

static void sizes_are_checked(void **state)
{
	(void)state;
	struct image image = {0};
	assert_false(image_init(&image, 0, 5));
	assert_null(image.rgb);
	assert_true(image_init(&image, 5, 4));
	uint8_t *kept = image.rgb;
	assert_true(image_init(&image, 5, 4));
	assert_ptr_equal(image.rgb, kept);
	assert_false(image_init(&image, -1, 4));
	assert_int_equal(image.width, 5);
	image_finish(&image);
	assert_null(image.rgb);
	image_finish(&image);
}

static void writes_in_background(void **state)
{
	(void)state;
	char name[32];
	struct file_queue *writer = file_queue_create();
	assert_non_null(writer);
	for (int n = 0; n < 7; n++) {
		struct image image = noise(50 + n, 40, (uint32_t)n);
		snprintf(name, sizeof(name), "w%d.png", n);
		assert_true(image_queue_png(writer, path_of(name), &image));
		assert_null(image.rgb);
	}
	assert_true(file_queue_finish(writer));
	for (int n = 0; n < 7; n++) {
		struct image expected = noise(50 + n, 40, (uint32_t)n);
		snprintf(name, sizeof(name), "w%d.png", n);
		assert_file_holds(name, &expected);
		image_finish(&expected);
	}
	assert_true(file_queue_finish(NULL));
}

static void background_failures_come_back_once(void **state)
{
	(void)state;
	struct image image = noise(4, 4, 1);
	struct file_queue *writer = file_queue_create();
	messages = 0;
	assert_true(image_queue_png(writer, path_of("missing/a.png"), &image));
	assert_false(file_queue_finish(writer));
	assert_int_equal(messages, 1);
	assert_non_null(strstr(text, path_of("missing/a.png")));

	/* Four more: with two queued at most, the first failure is known by the fourth. */
	writer = file_queue_create();
	messages = 0;
	int refused = 0;
	for (int n = 0; n < 4; n++) {
		image = noise(4, 4, 1);
		const char *path = path_of(n == 0 ? "missing/b.png" : "good.png");
		refused += !image_queue_png(writer, path, &image);
	}
	assert_int_equal(refused, 1);
	assert_true(file_queue_finish(writer));
	assert_int_equal(messages, 1);
	assert_non_null(strstr(text, path_of("missing/b.png")));
	assert_true(exists("good.png"));
}

/* ---- legends ------------------------------------------------------------------------------ */

static size_t changed_pixels(const struct image *image)
{
	size_t count = 0, pixels = (size_t)image->width * (size_t)image->height;
	for (size_t p = 0; p < pixels; p++)
		count += image->rgb[3 * p] || image->rgb[3 * p + 1] || image->rgb[3 * p + 2];
	return count;
}

static void glyphs_exist_and_differ(void **state)
{
	(void)state;
	const char *needed = "0123456789.-+/ACDEILNOPQRSTUaems";
	const uint8_t white[3] = {255, 255, 255};
	struct image seen[64] = {{0}};
	size_t count = strlen(needed);
	for (size_t n = 0; n < count; n++) {
		const char one[2] = {needed[n], 0};
		assert_true(image_init(&seen[n], 5, 7));
		legend_draw_text(&seen[n], 0, 0, 1, white, one);
		assert_true(changed_pixels(&seen[n]) > 0);
		for (size_t m = 0; m < n; m++)
			assert_memory_not_equal(seen[n].rgb, seen[m].rgb, 5 * 7 * 3);
	}
	for (size_t n = 0; n < count; n++)
		image_finish(&seen[n]);
	assert_int_equal(legend_text_width("", 2), 0);
	assert_int_equal(legend_text_width("12", 2), 2 * (5 + 1 + 5));
}

static void text_scales_and_clips(void **state)
{
	(void)state;
	const uint8_t white[3] = {255, 255, 255};
	struct image one = {0}, three = {0};
	assert_true(image_init(&one, 40, 9));
	assert_true(image_init(&three, 120, 27));
	legend_draw_text(&one, 1, 1, 1, white, "5e-03 m/s");
	legend_draw_text(&three, 3, 3, 3, white, "5e-03 m/s");
	assert_int_equal(changed_pixels(&three), 9 * changed_pixels(&one));
	legend_draw_text(&one, -100, -100, 20, white, "88888888888888888888");
	image_finish(&one);
	image_finish(&three);
}

static void legends_appear_where_they_fit(void **state)
{
	(void)state;
	static const enum render_field fields[] = {RENDER_SPEED, RENDER_PRESSURE, RENDER_LEVELSET,
						   RENDER_CELLS};
	struct image image = {0};
	for (size_t f = 0; f < 4; f++) {
		image_finish(&image);
		assert_true(image_init(&image, 640, 480));
		legend_draw(&image, fields[f], -0.5, 2);
		assert_true(changed_pixels(&image) > 1000);
		image_finish(&image);
		assert_true(image_init(&image, 16, 16));
		legend_draw(&image, fields[f], -0.5, 2);
		assert_int_equal(changed_pixels(&image), 0);
	}
	/* Never more than a sixth of a picture; where it is seen at all, from 160 x 90 for scales.
	 */
	for (size_t f = 0; f < 4; f++)
		for (int width = 32; width <= 1280; width += 16) {
			const int height = width * 9 / 16;
			image_finish(&image);
			assert_true(image_init(&image, width, height));
			legend_draw(&image, fields[f], -0.5, 2);
			const int changed = (int)changed_pixels(&image);
			assert_true(6 * changed <= width * height);
			if (width >= 160 && fields[f] != RENDER_CELLS)
				assert_true(changed > 100);
		}
	image_finish(&image);
	assert_true(image_init(&image, 640, 480));
	legend_draw(&image, RENDER_PARTICLES, 0, 1);
	assert_int_equal(changed_pixels(&image), 0);
	image_finish(&image);
}

/* ---- the maths that legends and kernels share ----------------------------------------------- */

static void color_map_is_even(void **state)
{
	(void)state;
	/* Lightness of Oklab from linear sRGB (Ottosson 2020): must be linear in t. */
	for (int n = 0; n <= 100; n++) {
		float rgb[3], t = (float)n / 100.0f;
		render_color_map(t, rgb);
		double c[3];
		for (int k = 0; k < 3; k++) {
			c[k] = (double)rgb[k];
			assert_true(c[k] > -0.01 && c[k] < 1.01);
		}
		double l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
		double m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
		double s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
		double light = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
		assert_true(fabs(light - (0.30 + 0.60 * (double)t)) < 1e-3);
	}
}

static void encoding_follows_srgb(void **state)
{
	(void)state;
	assert_true(render_encode(0) == 0 && render_encode(-1) == 0);
	assert_true(fabs((double)render_encode(1) - 1) < 1e-4);
	for (int n = 0; n <= 1000; n++) {
		double x = n / 1000.0;
		double exact = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
		assert_true(fabs((double)render_encode((float)x) - exact) < 0.02);
	}
}

static void ranges_round_up(void **state)
{
	(void)state;
	static const float pairs[][2] = {{0, 0},	   {-3, 0},   {1, 1},	    {1.01f, 2},
					 {2, 2},	   {2.5f, 5}, {7, 10},	    {10, 10},
					 {49, 50},	   {51, 100}, {9810, 1e4f}, {0.03f, 0.05f},
					 {0.0011f, 0.002f}};
	for (size_t n = 0; n < sizeof(pairs) / sizeof(pairs[0]); n++) {
		double got = (double)render_round_up(pairs[n][0]), want = (double)pairs[n][1];
		assert_true(fabs(got - want) <= 1e-6 * want);
		assert_true(got >= (double)pairs[n][0]);
	}
	assert_true(render_round_up(NAN) == 0);
	assert_true(render_round_up(3e37f) >= 3e37f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(chunk_checksums),
		cmocka_unit_test(replaces_and_leaves_nothing),
		cmocka_unit_test(failures_name_the_path),
		cmocka_unit_test(sizes_are_checked),
		cmocka_unit_test(writes_in_background),
		cmocka_unit_test(background_failures_come_back_once),
		cmocka_unit_test(glyphs_exist_and_differ),
		cmocka_unit_test(text_scales_and_clips),
		cmocka_unit_test(legends_appear_where_they_fit),
		cmocka_unit_test(color_map_is_even),
		cmocka_unit_test(encoding_follows_srgb),
		cmocka_unit_test(ranges_round_up),
	};
	if (!temporary_folder(folder, "image"))
		return 1;
	message_set_sink(keep_message, NULL);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	static const char *const names[] = {"a.png",  "crc.png", "r.png",  "good.png",
					    "w0.png", "w1.png",	 "w2.png", "w3.png",
					    "w4.png", "w5.png",	 "w6.png"};
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		unlink(path_of(names[n]));
	if (rmdir(folder) != 0) { /* something was left behind */
		perror(folder);
		failed++;
	}
	return failed;
}
