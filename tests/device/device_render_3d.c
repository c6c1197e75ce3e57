/*
 * 3D pictures of simulations made by hand: places, sizes and order in depth; then what holds for
 * pictures of both dimensions.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render_fake.h"

/* Looks along -z at the middle of a unit box from z = 3.5, field of view 40 degrees. */
static struct fake *front_view(int n)
{
	struct fake *f = fake_create(n, n, n, 1.0 / n);
	f->scene.camera.given = true;
	const double eye[3] = {0.5, 0.5, 3.5}, target[3] = {0.5, 0.5, 0.5}, up[3] = {0, 1, 0};
	memcpy(f->scene.camera.eye, eye, sizeof(eye));
	memcpy(f->scene.camera.target, target, sizeof(target));
	memcpy(f->scene.camera.up, up, sizeof(up));
	f->scene.camera.fov = 40;
	return f;
}

static int differing(const struct image *a, const struct image *b, int x0, int y0, int size,
		     int least)
{
	int count = 0;
	for (int y = y0; y < y0 + size; y++)
		for (int x = x0; x < x0 + size; x++)
			count += distance(pixel(a, x, y), pixel(b, x, y)) >= least;
	return count;
}

static void sphere_is_where_perspective_puts_it(void **state)
{
	(void)state;
	struct fake *f = front_view(4);
	struct image empty = fake_draw(f, 512, 512, VIEW_SPEED);
	fake_add(f, 0.7, 0.6, 0.5);
	struct image image = fake_draw(f, 512, 512, VIEW_SPEED);
	/* Radius 0.45 h at depth 3. */
	double focal = 256 / tan(20 * 3.14159265358979 / 180), zoom = focal / 3;
	double area = 3.14159265 * pow(0.45 / 4 * zoom, 2);
	int x = (int)(256 + 0.2 * zoom), y = (int)(256 - 0.1 * zoom), window = 60;
	double got = differing(&image, &empty, x - window, y - window, 2 * window, 20);
	assert_true(fabs(got - area) < 0.05 * area);
	image_finish(&empty);
	image_finish(&image);
	fake_destroy(f);
}

static void nearer_particle_wins(void **state)
{
	(void)state;
	/* Two liquids on one line of sight; whichever is nearer gives the colour. */
	struct fake *f = front_view(4);
	f->scene.liquid_count = 2;
	fake_add(f, 0.5, 0.5, 0.8);
	fake_add(f, 0.5, 0.5, 0.2);
	for (u32 nearest = 0; nearest < 2; nearest++) {
		f->position[2 * CAPACITY] = nearest == 0 ? 0.8f : 0.2f;
		f->position[2 * CAPACITY + 1] = nearest == 0 ? 0.2f : 0.8f;
		fake_split(f, 1);
		struct image image = fake_draw(f, 256, 256, VIEW_PARTICLES);
		const uint8_t *p = pixel(&image, 128, 128);
		assert_true(nearest == 0 ? p[2] > p[0] + 30 : p[0] > p[2] + 30);
		image_finish(&image);
	}
	fake_destroy(f);
}

static void solids_hide_what_is_behind(void **state)
{
	(void)state;
	struct fake *f = front_view(16);
	fake_set_ball(f, 0.5, 0.5, 0.5, 0.2);
	struct image empty = fake_draw(f, 256, 256, VIEW_PARTICLES);
	fake_add(f, 0.5, 0.5, 0.1);
	struct image behind = fake_draw(f, 256, 256, VIEW_PARTICLES);
	assert_int_equal(differing(&empty, &behind, 108, 108, 40, 1), 0);
	f->position[2 * CAPACITY] = 0.9f;
	struct image before = fake_draw(f, 256, 256, VIEW_PARTICLES);
	assert_true(differing(&empty, &before, 108, 108, 40, 20) > 20);
	image_finish(&empty);
	image_finish(&behind);
	image_finish(&before);
	fake_destroy(f);
}

/* A ball narrower than a cell, between nodes, is drawn as the ball it is: every pixel that its
 * perspective image covers, and no other. */
static void solids_have_their_shape(void **state)
{
	(void)state;
	const double radius = 0.1, focal = 256 / tan(20 * 3.14159265358979 / 180);
	struct fake *f = front_view(4);
	struct image empty = fake_draw(f, 512, 512, VIEW_PARTICLES);
	fake_set_ball(f, 0.62, 0.62, 0.62, radius);
	struct image image = fake_draw(f, 512, 512, VIEW_PARTICLES);
	int wrong = 0, covered = 0;
	for (int y = 0; y < 512; y++)
		for (int x = 0; x < 512; x++) {
			/* Distance of the centre from the ray through the pixel. */
			const double u = (x + 0.5 - 256) / focal, v = (256 - y - 0.5) / focal;
			const double c[3] = {0.12, 0.12, -2.88}, d[3] = {u, v, -1};
			const double dd = u * u + v * v + 1;
			const double along = (c[0] * d[0] + c[1] * d[1] + c[2] * d[2]) / dd;
			double off = 0;
			for (int a = 0; a < 3; a++)
				off += pow(c[a] - along * d[a], 2);
			off = sqrt(off) - radius;
			const bool drawn = distance(pixel(&image, x, y), pixel(&empty, x, y)) > 24;
			covered += drawn;
			/* A pixel is 4 mm wide there; the edge is smooth over two.  Shadows lie
			 * below. */
			if (fabs(off) > 0.008 && v > -0.08)
				wrong += drawn != (off < 0);
		}
	assert_true(covered > 1000);
	assert_int_equal(wrong, 0);
	image_finish(&empty);
	image_finish(&image);
	fake_destroy(f);
}

/* Spheres of particles at a wall end there. */
static void nothing_sticks_out_of_the_box(void **state)
{
	(void)state;
	struct fake *f = front_view(4);
	struct image empty = fake_draw(f, 512, 512, VIEW_SPEED);
	/* The near face is seen at depth 2.5, the far one at 3.5, each half a metre to both sides.
	 */
	const double focal = 256 / tan(20 * 3.14159265358979 / 180), half = 0.5 * focal / 2.5;
	for (int n = 0; n < 4; n++)
		fake_add(f, n & 1 ? 0.999 : 0.001, n & 2 ? 0.999 : 0.001, 0.999);
	struct image image = fake_draw(f, 512, 512, VIEW_SPEED);
	int outside = 0, inside = 0;
	/* Shadows lie in the lower half. */
	for (int y = 0; y < 256; y++)
		for (int x = 0; x < 512; x++) {
			const double off = fmax(fabs(x + 0.5 - 256), fabs(y + 0.5 - 256)) - half;
			const bool drawn = distance(pixel(&image, x, y), pixel(&empty, x, y)) > 20;
			outside += drawn && off > 1;
			inside += drawn && off < 0;
		}
	assert_int_equal(outside, 0);
	assert_true(inside > 1000);
	image_finish(&empty);
	image_finish(&image);
	fake_destroy(f);
}

static void default_view_shows_the_box(void **state)
{
	(void)state;
	/* Particles in all corners of boxes of many shapes are inside the picture.  Half a cell
	 * from the walls, since spheres are cut there: at the corner itself an eighth is left. */
	const int boxes[][3] = {{16, 16, 16}, {64, 8, 8}, {4, 40, 4}, {8, 8, 40}};
	for (int b = 0; b < 4; b++) {
		const int *n = boxes[b];
		struct fake *f = fake_create(n[0], n[1], n[2], 0.1);
		struct image empty = fake_draw(f, 300, 200, VIEW_SPEED);
		int marked = 0;
		for (int corner = 0; corner < 8; corner++) {
			f->sim.particles.count = 0;
			fake_add(f, corner & 1 ? 0.1 * n[0] - 0.05 : 0.05,
				 corner & 2 ? 0.1 * n[1] - 0.05 : 0.05,
				 corner & 4 ? 0.1 * n[2] - 0.05 : 0.05);
			struct image image = fake_draw(f, 300, 200, VIEW_SPEED);
			int any = 0;
			for (int y = 2; y < 198; y++)
				for (int x = 2; x < 298; x++)
					any |= distance(pixel(&image, x, y), pixel(&empty, x, y)) >
					       20;
			marked += any;
			image_finish(&image);
		}
		assert_int_equal(marked, 8);
		image_finish(&empty);
		fake_destroy(f);
	}
}

/* ---- both --------------------------------------------------------------------------------- */

static void odd_sizes_work(void **state)
{
	(void)state;
	const int sizes[][2] = {{1, 1}, {16, 16}, {8192, 16}, {3, 700}};
	for (int nz = 0; nz < 2; nz++)
		for (int s = 0; s < 4; s++) {
			struct fake *f = fake_create(1, 1, nz, 1);
			for (int n = 0; n < 2; n++) {
				static const enum scene_view views[] = {VIEW_PARTICLES, VIEW_SPEED,
									VIEW_PRESSURE,
									VIEW_LEVELSET, VIEW_CELLS};
				for (int v = 0; v < 5; v++) {
					struct image image =
						fake_draw(f, sizes[s][0], sizes[s][1], views[v]);
					image_finish(&image);
				}
				fake_add(f, 0.5, 0.5, 0.5);
			}
			fake_destroy(f);
		}
}

static void same_state_same_bytes(void **state)
{
	(void)state;
	for (int nz = 0; nz <= 8; nz += 8) {
		struct fake *f = fake_create(8, 8, nz, 0.125);
		for (int n = 0; n < 200; n++)
			fake_add(f, n % 7 / 7.0, n % 11 / 11.0, n % 13 / 13.0);
		struct image a = fake_draw(f, 160, 120, VIEW_PARTICLES);
		struct image b = fake_draw(f, 160, 120, VIEW_PARTICLES);
		assert_memory_equal(a.rgb, b.rgb, 3 * 160 * 120);
		image_finish(&a);
		image_finish(&b);
		fake_destroy(f);
	}
}

/* Puts the particles in the opposite order, ids and all, and one that has left before each third of
 * them. */
static void shuffle(struct fake *f)
{
	static float position[3 * CAPACITY], velocity[3 * CAPACITY];
	static u32 id[CAPACITY];
	const u32 before = f->sim.particles.count;
	u32 count = 0;
	memcpy(position, f->position, sizeof(position));
	memcpy(velocity, f->velocity, sizeof(velocity));
	memcpy(id, f->id, sizeof(id));
	for (u32 n = before; n-- > 0;)
		for (u32 living = n % 3 != 0; living < 2; living++, count++) {
			for (u32 a = 0; a < 3; a++) {
				f->position[a * CAPACITY + count] = position[a * CAPACITY + n];
				f->velocity[a * CAPACITY + count] =
					velocity[a * CAPACITY + n] * (living ? 1.0f : 9.0f);
			}
			f->id[count] = living ? id[n] : ID_REMOVED;
		}
	f->sim.particles.count = count;
}

/* Neither the order of the particles counts, nor those that have left through an open wall and are
 * still in the arrays.  Many are cut by the box's near side, and so equally near. */
static void order_does_not_matter(void **state)
{
	(void)state;
	static const enum scene_view views[] = {VIEW_PARTICLES, VIEW_SPEED};
	for (int nz = 0; nz <= 8; nz += 8)
		for (int v = 0; v < 2; v++) {
			struct fake *f = nz ? front_view(nz) : fake_create(8, 8, 0, 0.125);
			f->scene.liquid_count = 2;
			for (u32 n = 0; n < 300; n++) {
				fake_add(f, n % 7 / 7.0, n % 11 / 11.0, 1.0 - n % 2 * 0.01);
				f->velocity[n] = (float)(n % 17);
			}
			fake_split(f, 150);
			struct image a = fake_draw(f, 160, 120, views[v]);
			shuffle(f);
			assert_int_equal(f->sim.particles.count, 400);
			struct image b = fake_draw(f, 160, 120, views[v]);
			assert_memory_equal(a.rgb, b.rgb, 3 * 160 * 120);
			image_finish(&a);
			image_finish(&b);
			fake_destroy(f);
		}
}

static void refusals_say_why(void **state)
{
	(void)state;
	struct fake *f = front_view(2);
	assert_null(
		render_create(subject_of(&f->sim), (const int[2]){0, 64}, VIEW_PARTICLES, NULL));
	assert_non_null(strstr(fake_last_message(), "0 x 64"));
	assert_null(render_create(subject_of(&f->sim), (const int[2]){100000, 100000},
				  VIEW_PARTICLES, NULL));
	assert_non_null(strstr(fake_last_message(), "100000 x 100000"));
	memcpy(f->scene.camera.target, f->scene.camera.eye, sizeof(f->scene.camera.eye));
	assert_null(
		render_create(subject_of(&f->sim), (const int[2]){64, 64}, VIEW_PARTICLES, NULL));
	assert_non_null(strstr(fake_last_message(), "camera"));
	f->scene.camera.target[1] -= 1;
	assert_null(
		render_create(subject_of(&f->sim), (const int[2]){64, 64}, VIEW_PARTICLES, NULL));
	assert_non_null(strstr(fake_last_message(), "up"));
	assert_int_equal(clx_memory_in_use(f->sim.cl), 0);
	render_destroy(NULL);
	fake_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sphere_is_where_perspective_puts_it),
		cmocka_unit_test(nearer_particle_wins),
		cmocka_unit_test(solids_hide_what_is_behind),
		cmocka_unit_test(solids_have_their_shape),
		cmocka_unit_test(nothing_sticks_out_of_the_box),
		cmocka_unit_test(default_view_shows_the_box),
		cmocka_unit_test(odd_sizes_work),
		cmocka_unit_test(same_state_same_bytes),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(refusals_say_why),
	};
	if (!fake_open_devices())
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	fake_close_devices();
	return failed;
}
