/*
 * 3D pictures of a run one after the other: what is left as it was in the picture before, or passed
 * by without looking, is what it would be if all were drawn anew.
 */
#include "stage_fixture.h"

#include <stdio.h>
#include <string.h>

#include "render_internal.h"
#include "sim_copies.h"

#define PICTURES 5
#define SUBSTEPS 6 /* from one to the next */

/* Two liquids, one of which leaves through an open wall, over a ball, beside a plate; `more`: keys
 * of the camera. */
static struct fixture splash(const char *more)
{
	return fixture_make(
		"domain: {size: [1.2, 0.8, 0.6], cells: [24, 16, 12], walls: {x+: open}}\n"
		"liquids:\n"
		"  - {box: {min: [0, 0, 0], max: [0.35, 0.5, 0.6]}, velocity: [2, 0, 0]}\n"
		"  - {sphere: {center: [1, 0.6, 0.3], radius: 0.12}, color: '#e0662f',\n"
		"     velocity: [3, 1, 0]}\n"
		"solids:\n"
		"  - {sphere: {center: [0.7, 0.1, 0.3], radius: 0.13}}\n"
		"  - {box: {min: [0.9, 0, 0], max: [0.95, 0.3, 0.3]}}\n"
		"%s",
		more);
}

static struct image drawn(struct render *render)
{
	struct image image = {0};
	assert_true(render_frame(render, &image));
	return image;
}

static void assert_same(const struct image *a, const struct image *b)
{
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->height, b->height);
	assert_memory_equal(a->rgb, b->rgb, 3 * (size_t)a->width * (size_t)a->height);
}

static size_t differing(const struct image *a, const struct image *b)
{
	size_t count = 0;
	for (size_t p = 0; p < (size_t)a->width * (size_t)a->height; p++)
		count += memcmp(a->rgb + 3 * p, b->rgb + 3 * p, 3) != 0;
	return count;
}

/* Every picture of a run, by a renderer that has drawn those before, is the one that draws all; so
 * is one in which rays look at every step and lists of spheres are gone through in parts. */
static void check_run(const char *more, enum scene_view view, const int size[2])
{
	struct fixture f = splash(more);
	const struct subject subject = subject_of(f.sim);
	struct render *lasting = render_create(subject, size, view, NULL);
	struct render *anew = render_create(subject, size, view, NULL);
	struct image before = {0};
	assert_true(lasting && anew);
	anew->every_step = true;
	for (int n = 0; n < PICTURES; n++) {
		struct image one = drawn(lasting), other;
		assert_true(render_invalidate(anew));
		anew->loops_cut = true; /* and lists of spheres are gone through in parts */
		other = drawn(anew);
		assert_same(&one, &other);
		/* Something moves, and not everywhere. */
		if (n > 0) {
			const size_t count = differing(&one, &before);
			assert_true(count > 100);
			assert_true(more[0] || count < (size_t)size[0] * (size_t)size[1] / 2);
		}
		image_finish(&before);
		image_finish(&other);
		before = one;
		for (int s = 0; s < SUBSTEPS; s++)
			assert_true(sim_substep(f.sim));
	}
	image_finish(&before);
	render_destroy(lasting);
	render_destroy(anew);
	fixture_free(&f);
}

static const enum scene_view views[] = {VIEW_PARTICLES, VIEW_SPEED, VIEW_SURFACE};

static void outside(void **state)
{
	(void)state;
	for (size_t v = 0; v < 3; v++) /* odd: tiles and vectors end early */
		check_run("", views[v], (const int[2]){203, 117});
}

/* The eye between the liquids, near enough for spheres to fill the picture. */
static void inside(void **state)
{
	(void)state;
	for (size_t v = 0; v < 3; v++)
		check_run("camera: {eye: [0.6, 0.4, 0.3], target: [0.1, 0.1, 0.25], fov: 70}\n",
			  views[v], (const int[2]){150, 101});
}

/* One working pixel per pixel. */
static void large(void **state)
{
	(void)state;
	for (size_t v = 0; v < 3; v += 2)
		check_run("", views[v], (const int[2]){1213, 827});
}

/* Room for spheres by tiles grows with what the camera sees of them, and bits stay. */
static void spheres_grow(void **state)
{
	(void)state;
	struct fixture f =
		splash("camera: {eye: [0.2, 0.2, 1.1], target: [0.2, 0.2, 0], fov: 60}\n");
	struct render *render =
		render_create(subject_of(f.sim), (const int[2]){400, 300}, VIEW_PARTICLES, NULL);
	assert_non_null(render);
	const size_t before = render->spheres.bytes;
	struct image one = drawn(render), two;
	assert_true(render->spheres.bytes > before);
	two = drawn(render);
	assert_same(&one, &two);
	image_finish(&one);
	image_finish(&two);
	render_destroy(render);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outside),
		cmocka_unit_test(inside),
		cmocka_unit_test(large),
		cmocka_unit_test(spheres_grow),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
