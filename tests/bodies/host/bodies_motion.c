/* Bodies without forces: against exact solutions of Euler's equations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "body.h"

#define PI 3.14159265358979323846

/* Principal moments, along the axes as it is told. */
static struct scene_body body_with(double a, double b, double c)
{
	struct scene_body body = {.given = true};
	body.of.mass = 2.0;
	body.of.radius = 1.0;
	body.of.inertia[0][0] = a;
	body.of.inertia[1][1] = b;
	body.of.inertia[2][2] = c;
	return body;
}

static struct body spinning(double x, double y, double z)
{
	return (struct body){.q = {1.0, 0.0, 0.0, 0.0}, .spin = {x, y, z}};
}

static double length(const double v[3])
{
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* How much a tumbling body's energy is off at most in 10 s, as a share; its momentum must stay. */
static double tumble(double dt)
{
	const struct scene_body of = body_with(1.0, 2.0, 3.0);
	struct body body = spinning(0.7, 1.1, -0.4);
	double start[3], now[3], worst = 0.0;
	const double energy = body_kinetic(&of, &body);
	body_angular_momentum(&of, &body, start);
	for (int n = 0; n < (int)(10.0 / dt + 0.5); n++) {
		body_advance(&of, 3, dt, &body);
		body_angular_momentum(&of, &body, now);
		for (int a = 0; a < 3; a++)
			assert_true(fabs(now[a] - start[a]) < 1e-11);
		worst = fmax(worst, fabs(body_kinetic(&of, &body) / energy - 1.0));
	}
	return worst;
}

static void test_tumbling(void **state)
{
	(void)state;
	const double coarse = tumble(0.04), fine = tumble(0.02);
	print_message("energy off by %.2g at 0.04 s, %.2g at 0.02 s\n", coarse, fine);
	assert_true(fine < 1e-4);
	assert_true(coarse / fine > 3.5); /* second order */
}

/* A symmetric top's axis goes around the momentum at L / A, A the moment across the axis. */
static double precession_error(double dt)
{
	const double across = 1.0, along = 1.7;
	const struct scene_body of = body_with(across, across, along);
	struct body body = spinning(0.5, 0.0, 1.2);
	double momentum[3];
	body_angular_momentum(&of, &body, momentum);
	const double rate = length(momentum) / across, period = 2.0 * PI / rate;
	const int steps = (int)(period / dt + 0.5);
	for (int n = 0; n < steps; n++)
		body_advance(&of, 3, period / steps, &body);
	struct solid_pose pose;
	body_pose(&body, &pose);
	const double away[3] = {pose.turn[0][2], pose.turn[1][2], pose.turn[2][2] - 1.0};
	return length(away);
}

static void test_top(void **state)
{
	(void)state;
	const double coarse = precession_error(0.05), fine = precession_error(0.025);
	print_message("a top's axis is off by %.2g, %.2g after a period\n", coarse, fine);
	assert_true(fine < 1e-3);
	assert_true(coarse / fine > 3.5);
}

/*
 * About the axis of the middle moment (Dzhanibekov): the angle from it grows as exp(k t) while it
 * is small, k = w sqrt((B-A)(C-B)/(AC)), and the body turns over.
 */
static void test_middle_axis(void **state)
{
	(void)state;
	const double a = 1.0, b = 2.0, c = 3.0, w = 2.0, dt = 0.002;
	const struct scene_body of = body_with(a, b, c);
	const double rate = w * sqrt((b - a) * (c - b) / (a * c));
	/* Along the growing direction: w_z' = (A-B) w w_x / C, w_x' = (B-C) w w_z / A. */
	const double small = 1e-6, other = -(b - a) * w / (c * rate) * small;
	struct body body = spinning(small, w, other);
	double least = 1.0, grown = 0.0;
	for (int n = 0; n < 10000; n++) {
		struct solid_pose pose;
		double spin[3] = {0.0};
		body_advance(&of, 3, dt, &body);
		body_pose(&body, &pose);
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 3; j++)
				spin[i] += pose.turn[j][i] * body.spin[j];
		if (n == 1999)
			grown = fabs(spin[0]) / small;
		least = fmin(least, spin[1] / w);
	}
	print_message("grown %.6g, exp %.6g; turned over to %.4f\n", grown, exp(rate * 4.0), least);
	assert_true(fabs(grown / exp(rate * 4.0) - 1.0) < 1e-3);
	assert_true(least < -0.999);
	/* About the others it stays. */
	for (int axis = 0; axis < 3; axis += 2) {
		struct body steady = spinning(axis == 0 ? w : 1e-3, 1e-3, axis == 2 ? w : 1e-3);
		for (int n = 0; n < 10000; n++) {
			struct solid_pose pose;
			body_advance(&of, 3, dt, &steady);
			body_pose(&steady, &pose);
			double along = 0.0;
			for (int j = 0; j < 3; j++)
				along += pose.turn[j][axis] * steady.spin[j];
			assert_true(along > 0.99 * w);
		}
	}
}

static void test_plane_and_locks(void **state)
{
	(void)state;
	struct scene_body of = body_with(1.0, 2.0, 3.0);
	struct body body = spinning(0.0, 0.0, 0.7);
	struct body_inverse inverse;
	body.velocity[0] = 2.0;
	for (int n = 0; n < 100; n++)
		body_advance(&of, 2, 0.01, &body);
	/* A way is rounded to 2^-40 of its radius. */
	assert_true(fabs(body.x[0] - 2.0) < 100 * 0x1p-41);
	assert_true(fabs(2.0 * atan2(body.q[3], body.q[0]) - 0.7) < 1e-13);
	body_inverse_mass(&of, 2, &body, &inverse);
	assert_true(inverse.linear[2] == 0.0 && inverse.angular[0][0] == 0.0);
	assert_true(inverse.linear[0] == 0.5 && fabs(inverse.angular[2][2] - 1.0 / 3.0) < 1e-15);
	/* About y and z alone: torque about y gives a spin about z, too, but none about x. */
	of.lock = 1u << LOCK_X | 1u << LOCK_TURN_X;
	const double turned[4] = {cos(0.3), sin(0.3), 0.0, 0.0};
	memcpy(body.q, turned, sizeof(turned));
	body_inverse_mass(&of, 3, &body, &inverse);
	double inertia[3][3];
	body_inertia(&of, &body, inertia);
	assert_true(inverse.linear[0] == 0.0 && inverse.linear[1] == 0.5);
	for (int a = 0; a < 3; a++)
		assert_true(inverse.angular[0][a] == 0.0 && inverse.angular[a][0] == 0.0);
	for (int a = 1; a < 3; a++)
		for (int b = 1; b < 3; b++) {
			double product = 0.0;
			for (int i = 1; i < 3; i++)
				product += inverse.angular[a][i] * inertia[i][b];
			assert_true(fabs(product - (a == b)) < 1e-14);
		}
	/* With one axis free the spin stays as it is. */
	of.lock = 1u << LOCK_TURN_X | 1u << LOCK_TURN_Y;
	body = spinning(0.0, 0.0, 1.3);
	for (int n = 0; n < 1000; n++)
		body_advance(&of, 3, 0.01, &body);
	assert_true(fabs(body.spin[2] - 1.3) < 1e-12);
	assert_true(fabs(body.spin[0]) + fabs(body.spin[1]) < 1e-15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tumbling),
		cmocka_unit_test(test_top),
		cmocka_unit_test(test_middle_axis),
		cmocka_unit_test(test_plane_and_locks),
	};
	return cmocka_run_group_tests_name("bodies motion", tests, NULL, NULL);
}
