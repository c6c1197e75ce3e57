/* Where solids that move are: against rotation matrices in closed form, and by what a motion must
 * be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_fixture.h"
#include "shape.h"

#define PI 3.14159265358979323846
#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static struct scene *read_solid(const char *solid)
{
	char text[1024];
	snprintf(
		text, sizeof(text),
		"domain: {size: [2, 2, 2], cells: 8}\nliquids: [{box: {min: [0, 0, 0], max: [1, 1, "
		"1]}}]\nsolids: [%s]\n",
		solid);
	struct scene *scene = scene_read_text(text, strlen(text), "motion");
	assert_non_null(scene);
	return scene;
}

/* A quarter turn about z through (1,1,1), then shifted: x goes to y. */
static void test_pose(void **state)
{
	(void)state;
	struct scene *scene =
		read_solid("{sphere: {center: [1.5, 1, 1], radius: 0.2}, center: [1, 1, "
			   "1], motion: [{time: 1}, {time: 3, translate: [0, 0, 2], "
			   "rotate: 3.14159265358979323846}]}");
	const struct solid_motion *m = &scene->solids[0].motion;
	struct solid_pose pose;
	solid_motion_at(m, 2.0, &pose);
	NEAR(pose.at[2], 2.0);
	NEAR(pose.turn[0][0], 0.0);
	NEAR(pose.turn[1][0], 1.0);
	NEAR(pose.turn[0][1], -1.0);
	NEAR(pose.turn[2][2], 1.0);
	/* At rest outside. */
	solid_motion_at(m, 0.0, &pose);
	NEAR(pose.turn[0][0], 1.0);
	NEAR(pose.at[2], 1.0);
	solid_motion_at(m, 9.0, &pose);
	NEAR(pose.turn[0][0], -1.0);
	NEAR(pose.at[2], 3.0);
	scene_free(scene);
}

/* Turns are orthogonal, and what lies between two poses takes one to the other. */
static void test_between(void **state)
{
	(void)state;
	struct scene *scene = read_solid(
		"{sphere: {center: [1, 1, 1], radius: 0.2}, interpolation: spline, motion: "
		"[{time: 0, rotate: [0.1, 0.2, 0.3]}, {time: 1, translate: [1, 0, 0], rotate: "
		"[2, -1, 0.5]}, {time: 2, rotate: [-1, 3, 0]}]}");
	const struct solid_motion *m = &scene->solids[0].motion;
	for (int n = 0; n < 200; n++) {
		const double t = 0.01 * n, dt = 1e-3;
		struct solid_pose from, to;
		double velocity[3], spin[3];
		solid_motion_at(m, t, &from);
		solid_motion_at(m, t + dt, &to);
		solid_motion_between(&from, &to, dt, velocity, spin);
		for (int a = 0; a < 3; a++) {
			NEAR(from.at[a] + velocity[a] * dt, to.at[a]);
			for (int b = 0; b < 3; b++) {
				double product = 0.0, turned;
				for (int c = 0; c < 3; c++)
					product += from.turn[a][c] * from.turn[b][c];
				NEAR(product, a == b ? 1.0 : 0.0);
				/* dR/dt = spin x R, to first order in dt. */
				const int p = (a + 1) % 3, q = (a + 2) % 3;
				turned = from.turn[a][b] + dt * (spin[p] * from.turn[q][b] -
								 spin[q] * from.turn[p][b]);
				const double rate =
					dt * (fabs(spin[0]) + fabs(spin[1]) + fabs(spin[2]));
				assert_true(fabs(turned - to.turn[a][b]) <= rate * rate);
			}
		}
	}
	scene_free(scene);
}

/* A spline through three places on a line at equal times, at rest at both ends: in closed form 0.5
 * (1 + c) at the middle of the first part, c = 3/4 of the slope there over 2. */
static void test_spline(void **state)
{
	(void)state;
	struct scene *scene = read_solid(
		"{sphere: {center: [1, 1, 1], radius: 0.2}, interpolation: spline, motion: "
		"[{time: 0}, {time: 1, translate: [1, 0, 0]}, {time: 2, translate: [2, 0, "
		"0]}]}");
	const struct solid_motion *m = &scene->solids[0].motion;
	struct solid_pose pose;
	/* Slopes 0, s, 0: s = 3 (2 - 0) / 4; Hermite's cubic at 1/2: 1/2 - s/8. */
	solid_motion_at(m, 0.5, &pose);
	NEAR(pose.at[0] - 1.0, 0.5 - 1.5 / 8.0);
	solid_motion_at(m, 1e-4, &pose);
	assert_true(fabs(pose.at[0] - 1.0) < 1e-7);
	scene_free(scene);
}

/* The program that moves is the shape at the place that is moved back, gradient and all. */
static void test_program(void **state)
{
	(void)state;
	struct scene *moving =
		read_solid("{box: {min: [0.5, 0.8, 0.9], max: [1.5, 1.2, 1.1]}, motion: "
			   "[{time: 0, translate: [0.1, 0.2, 0], rotate: [0.3, 0.2, "
			   "0.1]}]}");
	struct scene *resting = read_solid("{box: {min: [0.5, 0.8, 0.9], max: [1.5, 1.2, 1.1]}}");
	const struct shape_program *p = &moving->solids[0].shape, *q = &resting->solids[0].shape;
	const struct solid_motion *m = &moving->solids[0].motion;
	struct solid_pose pose;
	solid_motion_at(m, 0.0, &pose);
	assert_int_equal(p->op_count, q->op_count + 2);
	for (int n = 0; n < 1000; n++) {
		double x[3], own[3];
		for (int a = 0; a < 3; a++)
			x[a] = 2.0 * ((n * (a + 3) * 7919) % 1000) / 1000.0;
		for (int a = 0; a < 3; a++) {
			own[a] = m->center[a];
			for (int b = 0; b < 3; b++)
				own[a] += pose.turn[b][a] * (x[b] - pose.at[b]);
		}
		const struct shape_sample s = shape_evaluate(3, p->ops, (int)p->op_count, p->points,
							     (f32)x[0], (f32)x[1], (f32)x[2]);
		const struct shape_sample r = shape_evaluate(3, q->ops, (int)q->op_count, q->points,
							     (f32)own[0], (f32)own[1], (f32)own[2]);
		assert_true(fabsf(s.distance - r.distance) < 1e-5f);
		if (r.distance > 0.05f)
			for (int a = 0; a < 3; a++) {
				double turned = 0.0;
				for (int b = 0; b < 3; b++)
					turned += pose.turn[a][b] * (double)r.gradient[b];
				assert_true(fabs(turned - (double)s.gradient[a]) < 1e-3);
			}
	}
	scene_free(moving);
	scene_free(resting);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pose),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_spline),
		cmocka_unit_test(test_program),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
