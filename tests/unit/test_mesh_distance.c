/* Meshes as shapes: distances, sides of dirty meshes, sets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh_scene.h"

/* ---- distances ---------------------------------------------------------------------------- */

static void test_box_distances(void **state)
{
	(void)state;
	uint32_t random = 1;
	struct made box = made_box(0.5, 0.375, 0.25);
	made_write_obj(&box, "box.obj");
	struct scene *mesh = read_mesh("box.obj", ", translate: [0.25, 0.25, 0.375]");
	struct scene *exact =
		read_good("domain: {size: [1, 1, 1], cells: 16}\nsolids: [{box: {min: [0.25, 0.25, "
			  "0.375], max: [0.75, 0.625, 0.625]}}]\n");
	const double reach = 3.0 / 16.0;
	for (int n = 0; n < 200000; n++) {
		double x[3];
		for (int axis = 0; axis < 3; axis++)
			x[axis] = 1.2 * made_random(&random) - 0.1;
		/* Points of the grid and of the faces, too. */
		for (int axis = 0; axis < 3 && n % 4 == 0; axis++)
			x[axis] = round(x[axis] * 32.0) / 32.0;
		const struct shape_sample a = sample_of(mesh, x), b = sample_of(exact, x);
		const double f = (double)a.distance, g = (double)b.distance;
		/* On faces either side is right. */
		assert_true(fabs(g) < 1e-6 || f * g > 0.0);
		assert_true(fabs(f) <= fabs(g) + 1e-6);
		if (fabs(g) < 0.99 * reach)
			assert_true(fabs(fabs(f) - fabs(g)) < 1e-6);
		if (fabs(g) >= 0.99 * reach)
			assert_true(fabs(f) > 0.5 * reach);
		double along = 0.0, square = 0.0;
		for (int axis = 0; axis < 3; axis++) {
			along += (double)a.gradient[axis] * (double)b.gradient[axis];
			square += (double)a.gradient[axis] * (double)a.gradient[axis];
		}
		assert_true(square > 0.999 && square < 1.001);
		/* Inside, where two faces are equally near either will do. */
		if (g > 1e-4 && g < 0.99 * reach)
			assert_true(along > 0.999);
	}
	scene_free(exact);
	scene_free(mesh);
	remove("box.obj");
	made_free(&box);
}

/* Values bound distances everywhere: by all triangles, one by one, in double. */
static double brute_force(const struct made *m, const double p[3])
{
	double least = HUGE_VAL;
	for (size_t t = 0; t < m->triangle_count; t++) {
		const double *a = m->vertices[m->triangles[t][0]],
			     *b = m->vertices[m->triangles[t][1]],
			     *c = m->vertices[m->triangles[t][2]];
		double n[3], square = 0.0, side = 0.0, inside = 1.0;
		for (int i = 0; i < 3; i++) {
			const int j = (i + 1) % 3, k = (i + 2) % 3;
			n[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
			square += n[i] * n[i];
			side += n[i] * (p[i] - a[i]);
		}
		for (int e = 0; e < 3; e++) {
			const double *from = m->vertices[m->triangles[t][e]],
				     *to = m->vertices[m->triangles[t][(e + 1) % 3]];
			double along = 0.0, length = 0.0, apart = 0.0, turn = 0.0;
			for (int i = 0; i < 3; i++) {
				const int j = (i + 1) % 3, k = (i + 2) % 3;
				along += (p[i] - from[i]) * (to[i] - from[i]);
				length += (to[i] - from[i]) * (to[i] - from[i]);
				turn += n[i] * ((to[j] - from[j]) * (p[k] - from[k]) -
						(to[k] - from[k]) * (p[j] - from[j]));
			}
			along = fmin(fmax(along / length, 0.0), 1.0);
			for (int i = 0; i < 3; i++) {
				const double d = p[i] - from[i] - along * (to[i] - from[i]);
				apart += d * d;
			}
			least = fmin(least, apart);
			inside = turn < 0.0 ? 0.0 : inside;
		}
		if (inside > 0.0)
			least = fmin(least, side * side / square);
	}
	return sqrt(least);
}

static void test_ball_distances(void **state)
{
	(void)state;
	uint32_t random = 7;
	struct made ball = made_icosphere(3);
	made_place(&ball, 0.3, 0.5, 0.47, 0.52);
	for (size_t v = 0; v < ball.vertex_count; v++)
		for (int axis = 0; axis < 3; axis++)
			ball.vertices[v][axis] = (double)(float)ball.vertices[v][axis];
	made_write_stl(&ball, "ball.stl");
	struct scene *scene = read_mesh("ball.stl", "");
	assert_int_equal(shape_of(scene)->health.open.count, 0);
	assert_int_equal(shape_of(scene)->health.vertices, 642); /* 10 4^3 + 2 */
	const double reach = 3.0 / 16.0;
	for (int n = 0; n < 20000; n++) {
		double x[3];
		for (int axis = 0; axis < 3; axis++)
			x[axis] = (double)(float)made_random(&random);
		const double f = value_of(scene, x), d = brute_force(&ball, x);
		const double radius =
			sqrt((x[0] - 0.5) * (x[0] - 0.5) + (x[1] - 0.47) * (x[1] - 0.47) +
			     (x[2] - 0.52) * (x[2] - 0.52));
		assert_true(fabs(f) <= d + 1e-6);
		if (d < 0.99 * reach)
			assert_true(fabs(fabs(f) - d) < 1e-6);
		if (radius > 0.3001 || radius < 0.29)
			assert_true((f < 0.0) == (radius < 0.295));
	}
	scene_free(scene);
	remove("ball.stl");
	made_free(&ball);
}

/* ---- sides of dirty meshes ----------------------------------------------------------------- */

/* How far the bumpy ball reaches in that direction, in radii. */
static double bump(const double v[3])
{
	return 1.0 + 0.08 * sin(7.0 * v[0]) * sin(9.0 * v[1]) * sin(8.0 * v[2]);
}

/* Shares of the triangles that are left out, turned, doubled. */
static struct made spoil(const struct made *ball, double missing, double flipped, double doubled)
{
	struct made m = made_empty();
	uint32_t random = 99;
	memcpy(m.vertices, ball->vertices, ball->vertex_count * sizeof(*m.vertices));
	m.vertex_count = ball->vertex_count;
	for (size_t t = 0; t < ball->triangle_count; t++) {
		const uint32_t *c = ball->triangles[t];
		const double what = made_random(&random);
		if (what < missing)
			continue;
		if (what < missing + flipped)
			made_triangle(&m, c[0], c[2], c[1]);
		else
			made_triangle(&m, c[0], c[1], c[2]);
		if (what > 1.0 - doubled)
			made_triangle(&m, c[1], c[2], c[0]);
	}
	return m;
}

/* The share of points near the surface, but 0.3 h away, on the wrong side. */
static double wrong_sides(const struct scene *scene)
{
	uint32_t random = 5;
	int wrong = 0, count = 0;
	const double h = scene->h;
	while (count < 100000) {
		double x[3], v[3], radius = 0.0;
		for (int axis = 0; axis < 3; axis++) {
			x[axis] = made_random(&random);
			v[axis] = (x[axis] - 0.5) / 0.35;
			radius += v[axis] * v[axis];
		}
		radius = sqrt(radius);
		for (int axis = 0; axis < 3; axis++)
			v[axis] /= radius;
		const double f = value_of(scene, x);
		if (fabs(f) < 0.3 * h || fabs(f) > 3.0 * h)
			continue;
		count++;
		wrong += (f < 0.0) != (radius < bump(v));
	}
	return (double)wrong / (double)count;
}

/* Bars: a study with a program of its own (docs/decisions/0090). */
static void test_dirty(void **state)
{
	(void)state;
	static const struct {
		double missing, flipped, doubled, most;
	} cases[] = {
		{0, 0, 0, 3e-5},   {0.001, 0.001, 0.001, 3e-5}, {0.02, 0, 0, 5e-5},
		{0, 0.1, 0, 3e-5}, {0, 0, 0.05, 1.2e-4},	{0.02, 0.05, 0.05, 3.7e-4},
	};
	struct made ball = made_icosphere(6);
	for (size_t v = 0; v < ball.vertex_count; v++) {
		const double r = 0.35 * bump(ball.vertices[v]);
		for (int axis = 0; axis < 3; axis++)
			ball.vertices[v][axis] = 0.5 + r * ball.vertices[v][axis];
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct made m = spoil(&ball, cases[i].missing, cases[i].flipped, cases[i].doubled);
		made_write_stl(&m, "ball.stl");
		struct scene *scene =
			read_good("domain: {size: [1, 1, 1], cells: 48}\nsolids: [{mesh: {file: "
				  "ball.stl}}]\n");
		const struct mesh_health *h = &shape_of(scene)->health;
		const double wrong = wrong_sides(scene);
		print_message("%g missing, %g flipped, %g doubled: %.4f %% wrong, doubt %.3f\n",
			      cases[i].missing, cases[i].flipped, cases[i].doubled, 100.0 * wrong,
			      shape_of(scene)->doubt_share);
		assert_false(shape_of(scene)->sheet);
		assert_true(wrong <= cases[i].most);
		assert_int_equal(h->open.count > 0, cases[i].missing > 0);
		assert_int_equal(h->flipped.count > 0, cases[i].flipped > 0);
		assert_int_equal(h->doubled.count > 0, cases[i].doubled > 0);
		scene_free(scene);
		made_free(&m);
	}
	remove("ball.stl");
	made_free(&ball);
}

/* ---- sets ---------------------------------------------------------------------------------- */

static void test_sets(void **state)
{
	(void)state;
	uint32_t random = 11;
	struct made box = made_box(0.5, 0.5, 0.5);
	made_write_obj(&box, "box.obj");
	struct scene *scene =
		read_good("domain: {size: [1, 1, 1], cells: 16}\nsolids:\n"
			  "  - difference: [{mesh: {file: box.obj, translate: [0.25, 0.25, "
			  "0.25]}}, {sphere: {center: [0.5, 0.75, 0.5], radius: 0.2}}]\n"
			  "    invert: true\n");
	struct scene *exact =
		read_good("domain: {size: [1, 1, 1], cells: 16}\nsolids:\n"
			  "  - difference: [{box: {min: [0.25, 0.25, 0.25], max: [0.75, 0.75, "
			  "0.75]}}, {sphere: {center: [0.5, 0.75, 0.5], radius: 0.2}}]\n"
			  "    invert: true\n");
	for (int n = 0; n < 50000; n++) {
		const double x[3] = {made_random(&random), made_random(&random),
				     made_random(&random)};
		const double f = value_of(scene, x), g = value_of(exact, x);
		assert_true(fabs(g) < 1e-6 || f * g > 0.0);
		if (fabs(g) < 2.9 / 16.0 && fabs(f) < 2.9 / 16.0)
			assert_true(fabs(f - g) < 1e-5);
	}
	scene_free(exact);
	scene_free(scene);
	remove("box.obj");
	made_free(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_box_distances),
		cmocka_unit_test(test_ball_distances),
		cmocka_unit_test(test_dirty),
		cmocka_unit_test(test_sets),
	};
	return cmocka_run_group_tests_name("mesh_distance", tests, fixture_enter, fixture_leave);
}
