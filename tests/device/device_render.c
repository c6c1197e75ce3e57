/*
 * Flat pictures of simulations made by hand: areas, places and colours against geometry.  No
 * stored images.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "legend.h"
#include "render_fake.h"

/* Pixels whose green is less than halfway from `from` to `to`; water is darker than the page. */
static int covered(const struct image *image, const uint8_t *from, const uint8_t *to)
{
	int count = 0;
	for (int y = 4; y < image->height - 4; y++)
		for (int x = 4; x < image->width - 4; x++)
			count += 2 * pixel(image, x, y)[1] < from[1] + to[1];
	return count;
}

static void empty_scene_is_page(void **state)
{
	(void)state;
	struct fake *f = fake_create(16, 8, 0, 0.1);
	struct image image = fake_draw(f, 320, 160, VIEW_PARTICLES);
	for (int y = 2; y < 158; y++)
		for (int x = 2; x < 318; x++)
			assert_int_equal(distance(pixel(&image, x, y), pixel(&image, 2, 2)), 0);
	for (int c = 0; c < 3; c++)
		assert_true(pixel(&image, 2, 2)[c] > 230);
	image_finish(&image);
	fake_destroy(f);
}

static void box_keeps_its_shape(void **state)
{
	(void)state;
	/* 2:1 box in a square picture: bars of a quarter above and below, one colour. */
	struct fake *f = fake_create(16, 8, 0, 0.1);
	f->sim.lattice.grid.open_walls = 0;
	struct image image = fake_draw(f, 400, 400, VIEW_PARTICLES);
	const uint8_t *bar = pixel(&image, 0, 0), *page = pixel(&image, 200, 200);
	assert_true(distance(bar, page) > 10);
	for (int x = 0; x < 400; x++) {
		assert_int_equal(distance(pixel(&image, x, 99), bar), 0);
		assert_int_equal(distance(pixel(&image, x, 300), bar), 0);
		assert_true(luminance(pixel(&image, x, 100)) < 110); /* closed walls are dark */
		assert_true(luminance(pixel(&image, x, 299)) < 110);
	}
	image_finish(&image);
	fake_destroy(f);
}

static void one_particle_is_a_disc(void **state)
{
	(void)state;
	/* Cells of 64 pixels; radius 0.35 h. */
	struct fake *f = fake_create(8, 8, 0, 0.125);
	fake_add(f, 0.47, 0.52, 0);
	struct image image = fake_draw(f, 512, 512, VIEW_PARTICLES);
	const uint8_t *page = pixel(&image, 10, 10);
	const uint8_t *disc = pixel(&image, (int)(0.47 * 512), (int)(0.48 * 512));
	double expected = 3.14159265 * pow(0.35 * 64, 2);
	assert_true(distance(page, disc) > 60);
	assert_true(fabs(covered(&image, page, disc) - expected) < 0.02 * expected);
	image_finish(&image);
	fake_destroy(f);
}

static void disc_of_liquid_covers_its_area(void **state)
{
	(void)state;
	struct fake *f = fake_create(64, 64, 0, 1.0 / 64);
	for (int j = 0; j < 128; j++)
		for (int i = 0; i < 128; i++) {
			double x = (i + 0.5) / 128, y = (j + 0.5) / 128;
			if (hypot(x - 0.5, y - 0.5) < 0.3)
				fake_add(f, x, y, 0);
		}
	struct image image = fake_draw(f, 512, 512, VIEW_PARTICLES);
	/* The union of the particles' discs, sampled at the middle of 4 x 4 parts of each pixel. */
	double expected = 0, radius = 0.35 / 64;
	for (int y = 0; y < 2048; y++)
		for (int x = 0; x < 2048; x++) {
			double px = (x + 0.5) / 2048, py = (y + 0.5) / 2048;
			int i = (int)(px * 128), j = (int)(py * 128), hit = 0;
			for (int b = j - 1; b <= j + 1; b++)
				for (int a = i - 1; a <= i + 1; a++) {
					double cx = (a + 0.5) / 128, cy = (b + 0.5) / 128;
					hit |= hypot(cx - 0.5, cy - 0.5) < 0.3 &&
					       hypot(px - cx, py - cy) < radius;
				}
			expected += hit / 16.0;
		}
	double got = covered(&image, pixel(&image, 10, 10), pixel(&image, 256, 256));
	assert_true(fabs(got - expected) < 0.02 * expected);
	image_finish(&image);
	fake_destroy(f);
}

static void liquids_keep_their_colors(void **state)
{
	(void)state;
	struct fake *f = fake_create(32, 16, 0, 1.0 / 16);
	for (int half = 0; half < 2; half++) { /* right half first: its ids are liquid 0 */
		for (int j = 0; j < 16; j++)
			for (int i = 0; i < 32; i++)
				fake_add(f, (half ? 0 : 1) + (i + 0.5) / 32, (j + 0.5) / 32, 0);
	}
	fake_split(f, f->sim.particles.count / 2);
	f->scene.liquid_count = 2;
	struct image image = fake_draw(f, 640, 320, VIEW_PARTICLES);
	for (int y = 200; y < 310; y += 5)
		for (int x = 10; x < 310; x += 5) {
			const uint8_t *left = pixel(&image, x, y),
				      *right = pixel(&image, x + 320, y);
			assert_true(left[0] > left[2] + 80);   /* orange */
			assert_true(right[2] > right[0] + 80); /* blue */
		}
	for (int y = 10; y < 140; y += 5)
		assert_true(luminance(pixel(&image, 320, y)) > 230);
	image_finish(&image);
	fake_destroy(f);
}

static void order_does_not_matter(void **state)
{
	(void)state;
	struct fake *f = fake_create(16, 16, 0, 1.0 / 16);
	u32 seed = 1;
	for (int n = 0; n < 600; n++) {
		double at[2];
		for (int a = 0; a < 2; a++) {
			seed = seed * 1664525u + 1013904223u;
			at[a] = seed / 4294967296.0;
		}
		fake_add(f, at[0], at[1], 0);
		f->velocity[n] = (float)(3 * at[1]);
	}
	f->scene.liquid_count = 2;
	fake_split(f, 300);
	struct image a = fake_draw(f, 200, 200, VIEW_PARTICLES);
	for (u32 n = 0; n < 300; n++) {
		u32 m = 599 - n, id = f->id[n];
		f->id[n] = f->id[m];
		f->id[m] = id;
		for (u32 c = 0; c < 2; c++) {
			float x = f->position[c * CAPACITY + n], v = f->velocity[c * CAPACITY + n];
			f->position[c * CAPACITY + n] = f->position[c * CAPACITY + m];
			f->velocity[c * CAPACITY + n] = f->velocity[c * CAPACITY + m];
			f->position[c * CAPACITY + m] = x;
			f->velocity[c * CAPACITY + m] = v;
		}
	}
	struct image b = fake_draw(f, 200, 200, VIEW_PARTICLES);
	assert_memory_equal(a.rgb, b.rgb, 3 * 200 * 200);
	image_finish(&a);
	image_finish(&b);
	fake_destroy(f);
}

static void solids_are_grey_where_they_are(void **state)
{
	(void)state;
	/* Four cells only: the outline must not follow the cells. */
	struct fake *f = fake_create(4, 4, 0, 0.25);
	fake_set_ball(f, 0.6, 0.3, 0, 0.2);
	struct image image = fake_draw(f, 320, 320, VIEW_PARTICLES);
	const uint8_t *page = pixel(&image, 20, 20);
	for (int y = 5; y < 315; y++)
		for (int x = 5; x < 315; x++) {
			double off = hypot(x + 0.5 - 0.6 * 320, y + 0.5 - 0.7 * 320) - 0.2 * 320;
			const uint8_t *p = pixel(&image, x, y);
			if (off > 2)
				assert_int_equal(distance(p, page), 0);
			if (off < -3) {
				assert_true(luminance(p) > 120 && luminance(p) < 200);
				assert_true(abs(p[0] - p[2]) < 20);
			}
		}
	image_finish(&image);
	fake_destroy(f);
}

/* A plate without thickness, between two rows of pixels, is a line from end to end. */
static void plates_are_lines(void **state)
{
	(void)state;
	struct fake *f = fake_create(4, 4, 0, 0.25);
	f->shape = (struct shape_op){.kind = SHAPE_BOX, .a = {0.2f, 0.3f, 0, 0.7f, 0.3f, 0}};
	f->sim.solids.op_count = 1;
	f->scene.solid_count = 1;
	for (int j = 0; j <= 4; j++)
		for (int i = 0; i <= 4; i++) {
			const double x = i * 0.25, y = j * 0.25;
			const double beyond = fmax(fmax(0.2 - x, x - 0.7), 0);
			f->solid_phi[j * 5 + i] = (float)hypot(beyond, y - 0.3);
		}
	struct image image = fake_draw(f, 320, 320, VIEW_PARTICLES);
	const uint8_t *page = pixel(&image, 20, 20);
	for (int x = 5; x < 315; x++) {
		const double at = (x + 0.5) / 320;
		int darkest = 255;
		for (int y = 222; y < 226; y++)
			darkest = luminance(pixel(&image, x, y)) < darkest
					  ? luminance(pixel(&image, x, y))
					  : darkest;
		if (at > 0.2 && at < 0.7)
			assert_true(darkest < luminance(page) - 50);
		if (at < 0.19 || at > 0.71)
			assert_int_equal(darkest, luminance(page));
	}
	image_finish(&image);
	fake_destroy(f);
}

/* Every ink pixel of the legend, drawn by itself, must be ink in the picture. */
static void assert_legend(const struct image *image, enum render_field field, double low,
			  double high)
{
	struct image alone = {0};
	int ink = 0;
	assert_true(image_init(&alone, image->width, image->height));
	memset(alone.rgb, 255, 3 * (size_t)image->width * (size_t)image->height);
	legend_draw(&alone, field, low, high);
	for (int y = 0; y < image->height; y++)
		for (int x = 0; x < image->width; x++)
			if (luminance(pixel(&alone, x, y)) == (28 + 34 + 40) / 3) {
				ink++;
				assert_int_equal(distance(pixel(&alone, x, y), pixel(image, x, y)),
						 0);
			}
	assert_true(ink > 100);
	image_finish(&alone);
}

static void pressure_follows_the_color_map(void **state)
{
	(void)state;
	/* p = 1000 (2 - y) Pa below y = 1, 32 cells per 2 m: at most 1969; the map ends at 2000.
	 */
	struct fake *f = fake_create(32, 32, 0, 1.0 / 16);
	for (int j = 0; j < 32; j++)
		for (int i = 0; i < 32; i++) {
			double y = (j + 0.5) / 16;
			f->phi[j * 33 + i] = (float)(y - 1);
			f->cell_type[j * 33 + i] = y < 1 ? CELL_LIQUID : CELL_AIR;
			f->pressure[j * 33 + i] = (float)(y < 1 ? 1000 * (2 - y) : 77777);
		}
	struct image image = fake_draw(f, 320, 320, VIEW_PRESSURE);
	for (int row = 170; row < 310; row += 7) {
		float rgb[3];
		uint8_t expected[3];
		double y = 2 - (row + 0.5) / 160;
		render_color_map((float)((2 - y) / 2), rgb);
		encode(rgb, expected);
		for (int x = 20; x < 300; x += 13)
			assert_true(distance(pixel(&image, x, row), expected) <= 2);
	}
	for (int x = 20; x < 300; x += 13)
		assert_true(luminance(pixel(&image, x, 150)) > 230);
	assert_legend(&image, RENDER_PRESSURE, 0, 2000);
	image_finish(&image);
	fake_destroy(f);
}

static void speed_follows_the_color_map(void **state)
{
	(void)state;
	/* Left half at 1 m/s, right half at 4. */
	struct fake *f = fake_create(32, 16, 0, 1.0 / 16);
	for (int j = 0; j < 32; j++)
		for (int i = 0; i < 64; i++) {
			f->velocity[CAPACITY + f->sim.particles.count] = i < 32 ? -1.0f : 4.0f;
			fake_add(f, (i + 0.5) / 32, (j + 0.5) / 32, 0);
		}
	/* The colours are those of the scene's range, whatever the speeds. */
	const double ranges[2][2] = {{0, 5}, {0.5, 8.5}};
	const float shares[2][2] = {{0.2f, 0.8f}, {0.0625f, 0.4375f}};
	for (int r = 0; r < 2; r++) {
		memcpy(f->scene.output.png_range[VIEW_SPEED], ranges[r], sizeof(ranges[r]));
		struct image image = fake_draw(f, 640, 320, VIEW_SPEED);
		for (int half = 0; half < 2; half++) {
			float rgb[3];
			uint8_t expected[3];
			render_color_map(shares[r][half], rgb);
			encode(rgb, expected);
			for (int y = 100; y < 310; y += 9)
				for (int x = 10; x < 270; x += 9)
					assert_true(distance(pixel(&image, x + half * 360, y),
							     expected) <= 3);
		}
		assert_legend(&image, RENDER_SPEED, ranges[r][0], ranges[r][1]);
		image_finish(&image);
	}
	fake_destroy(f);
}

static void levelset_marks_the_surface(void **state)
{
	(void)state;
	/* Distance to y = 0.53, away from cell centres and faces; the map spans +-1. */
	struct fake *f = fake_create(32, 32, 0, 1.0 / 32);
	for (int j = 0; j < 32; j++)
		for (int i = 0; i < 32; i++)
			f->phi[j * 33 + i] = (float)((j + 0.5) / 32 - 0.53);
	struct image image = fake_draw(f, 512, 512, VIEW_LEVELSET);
	int row = (int)(0.47 * 512);
	for (int x = 10; x < 500; x += 10) {
		assert_true(luminance(pixel(&image, x, row)) < 60);
		assert_true(pixel(&image, x, row - 5)[0] >
			    pixel(&image, x, row - 5)[2]); /* outside */
		assert_true(pixel(&image, x, row + 5)[2] >
			    pixel(&image, x, row + 5)[0]); /* inside */
	}
	/* Contour lines every h (16 pixels) below the surface: darker than between them. */
	for (int n = 2; n < 12; n++)
		assert_true(luminance(pixel(&image, 100, row + 16 * n)) + 8 <
			    luminance(pixel(&image, 100, row + 16 * n + 6)));
	assert_legend(&image, RENDER_LEVELSET, -1, 1);
	image_finish(&image);
	fake_destroy(f);
}

static void cells_have_their_colors(void **state)
{
	(void)state;
	/* Cells of 20 pixels in three columns of types; grid lines between them. */
	struct fake *f = fake_create(24, 24, 0, 1.0 / 24);
	for (int j = 0; j < 24; j++)
		for (int i = 0; i < 24; i++)
			f->cell_type[j * 25 + i] = (uint8_t)(i % 3);
	struct image image = fake_draw(f, 480, 480, VIEW_CELLS);
	for (int j = 4; j < 24; j++)
		for (int i = 0; i < 12; i++) {
			float rgb[3];
			uint8_t expected[3];
			render_cell_color(i % 3, rgb);
			encode(rgb, expected);
			assert_true(distance(pixel(&image, 20 * i + 10, 20 * j + 10), expected) <=
				    1);
			assert_true(luminance(pixel(&image, 20 * i + 10, 20 * j)) <
				    luminance(expected) - 8);
		}
	assert_legend(&image, RENDER_CELLS, 0, 1);
	image_finish(&image);
	fake_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_scene_is_page),
		cmocka_unit_test(box_keeps_its_shape),
		cmocka_unit_test(one_particle_is_a_disc),
		cmocka_unit_test(disc_of_liquid_covers_its_area),
		cmocka_unit_test(liquids_keep_their_colors),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(solids_are_grey_where_they_are),
		cmocka_unit_test(plates_are_lines),
		cmocka_unit_test(pressure_follows_the_color_map),
		cmocka_unit_test(speed_follows_the_color_map),
		cmocka_unit_test(levelset_marks_the_surface),
		cmocka_unit_test(cells_have_their_colors),
	};
	if (!fake_open_devices())
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	fake_close_devices();
	return failed;
}
