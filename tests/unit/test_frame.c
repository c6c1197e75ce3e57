/* The motion of the box: sine and cosine, keys, harmonic motion, mean gravity.  Host only. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame_support.h"
#include "scene_fixture.h"
#include "sin_cos.h"

#define PI 3.14159265358979323846

static void assert_near(const char *what, double got, double expected, double bar)
{
	if (!(fabs(got - expected) <= bar))
		fail_msg("%s: %.17g, expected %.17g within %g", what, got, expected, bar);
}

static void test_sin_cos(void **state)
{
	(void)state;
	double sine, cosine;
	for (int n = -200000; n <= 200000; n++) {
		const double x = n * 0.0371;
		exact_sin_cos(x, &sine, &cosine);
		assert_near("sine", sine, sin(x), 4e-16);
		assert_near("cosine", cosine, cos(x), 4e-16);
	}
	exact_sin_cos(0.0, &sine, &cosine);
	assert_true(sine == 0.0 && cosine == 1.0);
	/* Where a multiple of pi/2 is nearest. */
	for (int n = -64; n <= 64; n++)
		for (int bits = 0; bits <= 20; bits++) {
			const double x = n * 0.5 * PI * (1 << bits);
			exact_sin_cos(x, &sine, &cosine);
			if (fabs(x) > 1e6)
				continue;
			assert_near("sine", sine, sin(x), 4e-16);
			assert_near("cosine", cosine, cos(x), 4e-16);
		}
}

/* First and second derivatives against central differences of what they derive from. */
static void check_derivatives(const struct scene_motion *f, double from, double to)
{
	const double e = 1e-5;
	for (double t = from; t < to; t += 0.0137) {
		struct box_motion low, m, high;
		box_motion_at(f, t - e, &low);
		box_motion_at(f, t, &m);
		box_motion_at(f, t + e, &high);
		assert_near("angular velocity", m.angular_velocity,
			    (high.angle - low.angle) / (2 * e), 1e-7);
		assert_near("angular acceleration", m.angular_acceleration,
			    (high.angular_velocity - low.angular_velocity) / (2 * e), 1e-6);
		for (int a = 0; a < 3; a++) {
			assert_near("velocity", m.velocity[a],
				    (high.position[a] - low.position[a]) / (2 * e), 1e-7);
			assert_near("acceleration", m.acceleration[a],
				    (high.velocity[a] - low.velocity[a]) / (2 * e), 1e-6);
		}
	}
}

static void test_harmonic(void **state)
{
	(void)state;
	struct box_motion m;
	struct scene *s =
		read_good(HEAD_2D "frame: {roll: {amplitude: 0.1, frequency: 0.5, phase: 0.25},\n"
				  "  sway: {amplitude: [0.2, -0.3], frequency: 1.25, ramp: 2}}\n");
	/* sin() of an argument of 40 rad, which is rounded to 4e-15. */
	for (double t = 2; t < 5; t += 0.11) {
		box_motion_at(&s->motion, t, &m);
		assert_near("roll", m.angle, 0.1 * sin(PI * t + 0.25), 1e-14);
		assert_near("sway", m.position[0], 0.2 * sin(2.5 * PI * t), 1e-14);
		assert_near("sway", m.position[1], -0.3 * sin(2.5 * PI * t), 1e-14);
		assert_near("sway", m.acceleration[0], -0.2 * 6.25 * PI * PI * sin(2.5 * PI * t),
			    1e-13);
	}
	/* The ramp starts from rest and grows to the whole. */
	box_motion_at(&s->motion, 0, &m);
	assert_true(m.position[0] == 0 && m.velocity[0] == 0 && m.acceleration[0] == 0);
	box_motion_at(&s->motion, 1, &m);
	assert_near("half way", m.position[0], 0.5 * 0.2 * sin(2.5 * PI), 1e-15);
	check_derivatives(&s->motion, 0.001, 3);
	scene_free(s);
}

static void test_place_keys(void **state)
{
	(void)state;
	static const double times[] = {0.5, 0.75, 1.5, 1.75}, angles[] = {0.1, 0.4, -0.2, 0.3};
	struct box_motion m;
	struct scene *s =
		read_good(HEAD_3D "frame: {motion: [{time: 0.5, angle: 0.1, position: [1, 2, 3]},\n"
				  "  {time: 0.75, angle: 0.4, position: [1, 2, 3]},\n"
				  "  {time: 1.5, angle: -0.2, position: [1, 3, 3]},\n"
				  "  {time: 1.75, angle: 0.3, position: [2, 3, 3]}]}\n");
	for (int n = 0; n < 4; n++) {
		box_motion_at(&s->motion, times[n], &m);
		assert_near("angle at a key", m.angle, angles[n], 1e-15);
		/* Smooth: acceleration is the same on both sides of keys within. */
		struct box_motion low, high;
		box_motion_at(&s->motion, times[n] - 1e-9, &low);
		box_motion_at(&s->motion, times[n] + 1e-9, &high);
		assert_near("angular velocity", low.angular_velocity, high.angular_velocity, 1e-6);
		if (n == 1 || n == 2)
			assert_near("angular acceleration", low.angular_acceleration,
				    high.angular_acceleration, 1e-5);
	}
	check_derivatives(&s->motion, 0.501, 0.749);
	check_derivatives(&s->motion, 0.751, 1.499);
	/* At rest outside. */
	box_motion_at(&s->motion, 0, &m);
	assert_true(m.angle == 0.1 && m.angular_velocity == 0 && m.velocity[0] == 0);
	box_motion_at(&s->motion, 9, &m);
	assert_true(m.angle == 0.3 && m.position[0] == 2 && m.angular_acceleration == 0);
	scene_free(s);
	/* A cubic with slope 0 at both ends is its own spline. */
	s = read_good(HEAD_2D
		      "frame: {motion: [{time: 0, angle: 0}, {time: 0.25, angle: 0.15625},\n"
		      "  {time: 0.5, angle: 0.5}, {time: 1, angle: 1}]}\n");
	for (double t = 0; t < 1; t += 0.07) {
		box_motion_at(&s->motion, t, &m);
		assert_near("cubic", m.angle, t * t * (3 - 2 * t), 1e-15);
		assert_near("its bend", m.angular_acceleration, 6 - 12 * t, 1e-13);
	}
	scene_free(s);
}

static void test_rate_keys(void **state)
{
	(void)state;
	struct box_motion m;
	struct scene *s = read_good(
		HEAD_2D "frame: {motion: [{time: 1, angular_velocity: 2, velocity: [0, 1]},\n"
			"  {time: 3, angular_velocity: -2, velocity: [4, 1]},\n"
			"  {time: 4, angular_velocity: 1, velocity: [4, 1]}]}\n");
	/* Areas under straight lines. */
	static const double table[][4] = {
		/* time, angular velocity, angle, x */
		{0, 2, 0, 0},  {0.5, 2, 1, 0},	      {1, 2, 2, 0},   {2, 0, 3, 1},
		{3, -2, 2, 4}, {3.5, -0.5, 1.375, 6}, {4, 1, 1.5, 8}, {6, 1, 3.5, 16},
	};
	for (size_t n = 0; n < sizeof(table) / sizeof(*table); n++) {
		box_motion_at(&s->motion, table[n][0], &m);
		assert_near("angular velocity", m.angular_velocity, table[n][1], 1e-14);
		assert_near("angle", m.angle, table[n][2], 1e-14);
		assert_near("x", m.position[0], table[n][3], 1e-14);
		assert_near("y", m.position[1], table[n][0], 1e-14);
	}
	scene_free(s);
}

/* Rigid: turning keeps lengths, a quarter turn about an axis takes what it should where. */
static void test_turn(void **state)
{
	(void)state;
	const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, x[3] = {0.3, 0.4, -1.2};
	double out[3], back[3];
	for (double angle = -7; angle < 7; angle += 0.3) {
		box_motion_turn(axis, angle, x, out);
		assert_near("length", out[0] * out[0] + out[1] * out[1] + out[2] * out[2], 1.69,
			    1e-14);
		box_motion_turn(axis, -angle, out, back);
		for (int a = 0; a < 3; a++)
			assert_near("there and back", back[a], x[a], 1e-14);
	}
	const double z[3] = {0, 0, 1}, e[3] = {1, 0, 0};
	box_motion_turn(z, PI / 2, e, out);
	assert_near("x to y", out[1], 1, 1e-15);
	/* The point about which the box turns moves with `position` alone. */
	struct scene *s = read_good(HEAD_2D "frame: {center: [0.2, 0.1], motion: [{time: 0, "
					    "angle: 1, position: [3, 4]}]}\n");
	place(&s->motion, 5, s->motion.center, out);
	assert_near("centre x", out[0], 3.2, 1e-15);
	assert_near("centre y", out[1], 4.1, 1e-15);
	scene_free(s);
}

static void test_gravity_mean(void **state)
{
	(void)state;
	struct scene *s = read_good(HEAD_2D "gravity: [{time: 1, g: [0, -10]}, {time: 1.5, g: [4, "
					    "-10]}, {time: 1.6, g: [0, 0]}]\n");
	for (double t = 0.5; t < 2; t += 0.093)
		for (double dt = 0.004; dt < 2; dt *= 3) {
			const int parts = 4000;
			double sum[2] = {0}, g[3], mean[3];
			for (int n = 0; n < parts; n++) {
				scene_gravity(s, t + dt * (n + 0.5) / parts, g);
				sum[0] += g[0] / parts;
				sum[1] += g[1] / parts;
			}
			scene_gravity_mean(s, t, dt, mean);
			/* The midpoint rule errs by the jumps of slope at keys. */
			const double bar = 1e-12 + 200.0 * (dt / parts) * (dt / parts) / dt;
			assert_near("mean x", mean[0], sum[0], bar);
			assert_near("mean y", mean[1], sum[1], bar);
		}
	scene_free(s);
	s = read_good(HEAD_2D "gravity: [0.1, -9.81]\n");
	double g[3];
	scene_gravity_mean(s, 0.3, 0.017, g);
	assert_true(g[0] == 0.1 && g[1] == -9.81 && g[2] == 0);
	scene_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sin_cos),	   cmocka_unit_test(test_harmonic),
		cmocka_unit_test(test_place_keys), cmocka_unit_test(test_rate_keys),
		cmocka_unit_test(test_turn),	   cmocka_unit_test(test_gravity_mean),
	};
	return cmocka_run_group_tests_name("frame", tests, fixture_enter, fixture_leave);
}
