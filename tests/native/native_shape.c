/*
 * include/shape.h as C, 2D and 3D: distances against brute force in double, gradients against
 * differences, combinations, sets of no thickness, tracing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cl_native.h"

#include "common.h"
#include "shape.h"

#include "native_support.h"

static const float no_points[2];

static double root(double x)
{
	return (sqrt)(x);
}

/* Distance to the segment a-b by sampling it; within 1e-7 for the lengths here. */
static double segment_by_samples(const double p[3], const double a[3], const double b[3])
{
	double least = 1e30;
	for (int n = 0; n <= 20000; ++n) {
		double t = n / 20000.0, square = 0.0;
		for (int axis = 0; axis < 3; ++axis) {
			double d = p[axis] - (a[axis] + t * (b[axis] - a[axis]));
			square += d * d;
		}
		least = square < least ? square : least;
	}
	return root(least);
}

static double box_exact(const double p[3], const float a[7])
{
	double square = 0.0, depth = 1e30;
	for (int axis = 0; axis < DIM; ++axis) {
		double low = (double)a[axis], high = (double)a[axis + 3];
		double nearest = p[axis] < low ? low : p[axis] > high ? high : p[axis];
		square += (p[axis] - nearest) * (p[axis] - nearest);
		depth = p[axis] - low < depth ? p[axis] - low : depth;
		depth = high - p[axis] < depth ? high - p[axis] : depth;
	}
	return square > 0.0 ? root(square) : -depth;
}

/* Solid of all points within radius of the axis and between the caps. */
static double cylinder_exact(const double p[3], const double a[3], const double b[3], double radius)
{
	double axis[3], offset[3];
	for (int i = 0; i < 3; ++i) {
		axis[i] = b[i] - a[i];
		offset[i] = p[i] - a[i];
	}
	double length = root(dot(axis, axis)), along = dot(offset, axis) / length;
	double square = dot(offset, offset) - along * along;
	double radial = root(square > 0.0 ? square : 0.0);
	double over = along < 0.0 ? -along : along > length ? along - length : 0.0;
	double beside = radial > radius ? radial - radius : 0.0;
	if (over > 0.0 || beside > 0.0)
		return root(over * over + beside * beside);
	double depth = radius - radial;
	depth = along < depth ? along : depth;
	return -(length - along < depth ? length - along : depth);
}

/* Value at p; checks the gradient against differences of f, along axes with no crease nearby. */
static float check_gradient(const struct shape_op *ops, int count, const float *points,
			    const double p[3])
{
	const double step = 1e-3;
	struct shape_sample s =
		shape_evaluate(DIM, ops, count, points, (float)p[0], (float)p[1], (float)p[2]);
	for (int axis = 0; axis < DIM; ++axis) {
		double f[2];
		for (int side = 0; side < 2; ++side) {
			double q[3] = {p[0], p[1], p[2]};
			q[axis] += side ? step : -step;
			f[side] = (double)shape_distance(DIM, ops, count, points, (float)q[0],
							 (float)q[1], (float)q[2]);
		}
		double slope = (f[1] - f[0]) / (2.0 * step);
		if (absolute(f[1] + f[0] - 2.0 * (double)s.distance) < 0.02 * step)
			assert_true(absolute(slope - (double)s.gradient[axis]) < 0.02);
	}
	return s.distance;
}

/* Each kind alone at random, against a reference of another form. */
static void test_primitives(void **state)
{
	(void)state;
	unsigned random = 1;
	for (int n = 0; n < 300; ++n) {
		struct shape_op op = {0};
		double p[3] = {0.0, 0.0, 0.0}, a[3] = {0.0, 0.0, 0.0}, b[3] = {0.0, 0.0, 0.0};
		double radius = 0.05 + 0.4 * random_unit(&random), offset[3], normal[3];
		random_normal(normal, &random);
		for (int axis = 0; axis < DIM; ++axis) {
			p[axis] = (double)(float)(2.0 * random_unit(&random) - 0.5);
			a[axis] = (double)(float)random_unit(&random);
			b[axis] = (double)(float)(a[axis] + 0.05 + random_unit(&random));
			op.a[axis] = (float)a[axis];
			op.a[axis + 3] = (float)b[axis];
		}
		for (int axis = 0; axis < 3; ++axis)
			offset[axis] = p[axis] - a[axis];
		op.a[6] = (float)radius;

		op.kind = SHAPE_BOX;
		double got = (double)check_gradient(&op, 1, no_points, p);
		assert_true(absolute(got - box_exact(p, op.a)) < 1e-6);

		op.kind = SHAPE_CAPSULE;
		got = (double)check_gradient(&op, 1, no_points, p);
		assert_true(absolute(got - (segment_by_samples(p, a, b) - radius)) < 2e-6);

		op.kind = SHAPE_CYLINDER;
		got = (double)check_gradient(&op, 1, no_points, p);
		assert_true(absolute(got - cylinder_exact(p, a, b, radius)) < 2e-6);

		op.kind = SHAPE_SPHERE;
		op.a[3] = (float)radius;
		got = (double)check_gradient(&op, 1, no_points, p);
		assert_true(absolute(got - (root(dot(offset, offset)) - radius)) < 1e-6);

		op.kind = SHAPE_HALF_SPACE;
		for (int axis = 0; axis < 3; ++axis)
			op.a[axis + 3] = (float)normal[axis];
		got = (double)check_gradient(&op, 1, no_points, p);
		assert_true(absolute(got - dot(offset, normal)) < 1e-6);
	}
}

#if DIM == 2
/* A star with reflex corners: the nearest edge by samples, inside by the radius at the angle. */
static void test_polygon(void **state)
{
	(void)state;
	enum { TIPS = 5 };
	float points[4 * TIPS + 2] = {9.0f, 9.0f}; /* a vertex of another polygon first */
	struct shape_op op = {.kind = SHAPE_POLYGON, .first = 1, .count = 2 * TIPS};
	double corners[2 * TIPS][3] = {{0.0}};
	for (int n = 0; n < 2 * TIPS; ++n) {
		double angle = 3.14159265358979 * n / TIPS, radius = n % 2 ? 0.15 : 0.45;
		points[2 * n + 2] = 0.5f + (float)radius * cosf((float)angle);
		points[2 * n + 3] = 0.5f + (float)radius * sinf((float)angle);
		corners[n][0] = (double)points[2 * n + 2];
		corners[n][1] = (double)points[2 * n + 3];
	}
	unsigned random = 2;
	for (int n = 0; n < 150; ++n) {
		double p[3] = {random_unit(&random), random_unit(&random), 0.0}, least = 1e30;
		bool inside = false;
		for (int e = 0; e < 2 * TIPS; ++e) {
			const double *a = corners[e], *b = corners[(e + 1) % (2 * TIPS)];
			double d = segment_by_samples(p, a, b), s[3];
			least = d < least ? d : least;
			/* in the triangle from the middle to this edge? */
			for (int side = 0; side < 3; ++side) {
				const double middle[3] = {0.5, 0.5, 0.0};
				const double *from = side == 0 ? middle : side == 1 ? a : b;
				const double *to = side == 0 ? a : side == 1 ? b : middle;
				s[side] = (to[0] - from[0]) * (p[1] - from[1]) -
					  (to[1] - from[1]) * (p[0] - from[0]);
			}
			inside |= s[0] >= 0.0 && s[1] >= 0.0 && s[2] >= 0.0;
		}
		double got = (double)check_gradient(&op, 1, points, p);
		assert_true(absolute(got - (inside ? -least : least)) < 2e-6);
	}
}

#endif

/* Operators on two spheres: membership is set algebra, and no value overstates the distance: it
 * changes by no more than the way between two points. */
static void test_combinations(void **state)
{
	(void)state;
	static const int kinds[] = {SHAPE_UNION, SHAPE_INTERSECTION, SHAPE_DIFFERENCE};
	unsigned random = 3;
	for (int n = 0; n < 2000; ++n) {
		struct shape_op ops[4] = {0};
		double p[2][3] = {{0.0}};
		for (int s = 0; s < 2; ++s) {
			ops[s].kind = SHAPE_SPHERE;
			ops[s].a[3] = (float)(0.1 + 0.3 * random_unit(&random));
			for (int axis = 0; axis < DIM; ++axis) {
				ops[s].a[axis] = (float)random_unit(&random);
				p[s][axis] = random_unit(&random);
			}
		}
		bool in_first = shape_distance(DIM, ops, 1, no_points, (float)p[0][0],
					       (float)p[0][1], (float)p[0][2]) < 0.0f;
		bool in_second = shape_distance(DIM, ops + 1, 1, no_points, (float)p[0][0],
						(float)p[0][1], (float)p[0][2]) < 0.0f;
		const bool wanted[3] = {in_first || in_second, in_first && in_second,
					in_first && !in_second};
		for (int k = 0; k < 3; ++k) {
			ops[2].kind = kinds[k];
			ops[3].kind = SHAPE_INVERT;
			double f = (double)check_gradient(ops, 3, no_points, p[0]);
			double other =
				(double)shape_distance(DIM, ops, 3, no_points, (float)p[1][0],
						       (float)p[1][1], (float)p[1][2]);
			double way[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
			assert_int_equal(f < 0.0, wanted[k]);
			assert_true(absolute(f - other) <= root(dot(way, way)) + 1e-6);
			assert_true((double)check_gradient(ops, 4, no_points, p[0]) == -f);
		}
	}
	assert_true(shape_distance(DIM, NULL, 0, NULL, 0.0f, 0.0f, 0.0f) == SHAPE_FAR);
}

/* Plates of no thickness are 0 on, and the distance on both sides; lines across do not pass. */
static void test_plates(void **state)
{
	(void)state;
	const struct shape_op plate = {
		.kind = SHAPE_BOX,
		.a = {0.5f, 0.2f, DIM == 3 ? 0.2f : 0.0f, 0.5f, 0.8f, DIM == 3 ? 0.8f : 0.0f}};
	const float z = DIM == 3 ? 0.5f : 0.0f;
	struct shape_sample left = shape_evaluate(DIM, &plate, 1, no_points, 0.25f, 0.5f, z);
	struct shape_sample right = shape_evaluate(DIM, &plate, 1, no_points, 0.75f, 0.5f, z);
	assert_true(left.distance == 0.25f && left.gradient[0] == -1.0f);
	assert_true(right.distance == 0.25f && right.gradient[0] == 1.0f);
	assert_true(shape_distance(DIM, &plate, 1, no_points, 0.5f, 0.5f, z) == 0.0f);
	unsigned random = 4;
	int stopped = 0;
	for (int n = 0; n < 5000; ++n) {
		float a[3] = {0.0f}, b[3] = {0.0f}, last[3];
		double y[3] = {0.0, 0.5, 0.5};
		for (int axis = 0; axis < DIM; ++axis) {
			a[axis] = (float)random_unit(&random);
			b[axis] = (float)random_unit(&random);
		}
		a[0] = 0.49f * a[0];
		b[0] = 0.51f + 0.49f * b[0];
		double t = (0.5 - (double)a[0]) / ((double)b[0] - (double)a[0]), out = -1.0;
		for (int axis = 1; axis < DIM; ++axis) {
			y[axis] = (double)a[axis] + t * ((double)b[axis] - (double)a[axis]);
			out = absolute(y[axis] - 0.5) - 0.3 > out ? absolute(y[axis] - 0.5) - 0.3
								  : out;
		}
		int free = shape_trace(DIM, &plate, 1, no_points, a, b, 1e-3f, 0, 200, last, &left);
		if (out < 0.0) {
			assert_false(free);
			assert_true(last[0] < 0.5f && left.distance > 0.0f);
			++stopped;
		} else if (out > 0.05) {
			assert_true(free);
			assert_true(last[0] == b[0] && last[1] == b[1]);
		}
	}
	assert_true(stopped > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_primitives),
#if DIM == 2
		cmocka_unit_test(test_polygon),
#endif
		cmocka_unit_test(test_combinations),
		cmocka_unit_test(test_plates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
