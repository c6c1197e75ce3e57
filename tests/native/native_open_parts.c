/*
 * kernels/solids/solids.cl and solids_samples.cl as plain C, 2D and 3D: open parts of faces, cells
 * and density kernels against exact values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "native_field.h"

#define CELLS (DIM == 2 ? 32 : 12)

/* Open part of a face by brute force: the share of a fine grid of points outside the shape. */
static double face_by_samples(const struct native_field *f, const struct shape_op *ops, int count,
			      int c, int i, int j, int k)
{
	const int samples = DIM == 2 ? 4000 : 30;
	const int u = c == 0 ? 1 : 0, v = c == 2 ? 1 : 2;
	const float h = f->g.h;
	int outside = 0, total = 0;
	for (int b = 0; b < (DIM == 3 ? samples : 1); ++b)
		for (int a = 0; a < samples; ++a) {
			float x[3] = {(float)i * h, (float)j * h, (float)k * h};
			x[u] += ((float)a + 0.5f) / (float)samples * h;
			if (DIM == 3)
				x[v] += ((float)b + 0.5f) / (float)samples * h;
			outside += shape_distance(DIM, ops, count, NULL, x[0], x[1], x[2]) > 0.0f;
			++total;
		}
	return outside / (double)total;
}

/* The same from the distances alone, without the rule for thin solids. */
static double face_by_distance(const struct native_field *f, const struct shape_op *ops, int count,
			       int c, int i, int j, int k)
{
	const int u = c == 0 ? 1 : 0, v = c == 2 ? 1 : 2;
	float p[9];
	for (int n = 0; n < (DIM == 2 ? 3 : 9); ++n) {
		float x[3] = {(float)i * f->g.h, (float)j * f->g.h, (float)k * f->g.h};
		x[u] += 0.5f * (float)(n % 3) * f->g.h;
		if (DIM == 3)
			x[v] += 0.5f * (float)(n / 3) * f->g.h;
		p[n] = shape_distance(DIM, ops, count, NULL, x[0], x[1], x[2]);
	}
	const float halves[2] = {0.5f, 0.5f};
	return (double)solids_fraction(p, halves);
}

/* Around thick solids the rule for thin ones changes nothing, but for points within the clearance
 * of 1e-3 h. */
static void test_thick_solids_keep_fractions(void **state)
{
	(void)state;
	const struct grid g = make_grid(CELLS, 0x3f);
	for (int n = 0; n < 24; ++n) {
		struct shape_op ops[4] = {0};
		int count = 1;
		ops[0].kind = SHAPE_SPHERE;
		for (int axis = 0; axis < DIM; ++axis)
			ops[0].a[axis] = 0.5f + (float)((n * (axis + 3)) % 11) / 11.0f * g.h;
		ops[0].a[3] = (2.0f + (float)n / 16.0f) * g.h;
		if (n % 3 == 1) /* the container: liquid inside the sphere */
			ops[count++].kind = SHAPE_INVERT;
		if (n % 3 == 2) {
			ops[0].kind = SHAPE_BOX;
			for (int axis = 0; axis < 3; ++axis) {
				ops[0].a[axis + 3] =
					ops[0].a[axis] + (2.0f + (float)n / 16.0f) * g.h;
				ops[0].a[axis] -= 0.1f * g.h * (float)axis;
			}
		}
		struct native_field f = make_field(g, ops, count, NULL);
		for (int c = 0; c < DIM; ++c)
			for (int at = 0; at < g.lattice; ++at) {
				int i = at % g.px, j = at / g.px % g.py, k = at / (g.px * g.py);
				if (!face_exists(g, c, i, j, k))
					continue;
				double plain = face_by_distance(&f, ops, count, c, i, j, k);
				double stored = f.faces[c * g.lattice + at] / 32768.0;
				if (plain - stored > 3e-3 || stored - plain > 3e-3)
					fail_msg("case %d face %d at %d %d %d: %g, not %g", n, c, i,
						 j, k, stored, plain);
			}
		free_field(&f);
	}
}

/* Chords instead of arcs: an area error of second order, so a mean error of the fractions of cut
 * faces that halves with h (their own unit is h). */
static void test_fractions_converge(void **state)
{
	(void)state;
	double error[3] = {0.0};
	for (int level = 0; level < 3; ++level) {
		const struct grid g = make_grid((DIM == 2 ? 16 : 8) << level, 0x3f);
		struct shape_op ball = {.kind = SHAPE_SPHERE,
					.a = {0.51f, 0.47f, DIM == 3 ? 0.53f : 0.0f, 0.31f}};
		struct native_field f = make_field(g, &ball, 1, NULL);
		int cut = 0;
		for (int c = 0; c < DIM; ++c)
			for (int at = 0; at < g.lattice; ++at) {
				int i = at % g.px, j = at / g.px % g.py, k = at / (g.px * g.py);
				unsigned stored = f.faces[c * g.lattice + at];
				if (!face_exists(g, c, i, j, k) || stored == 0 || stored == 32768)
					continue;
				double exact = face_by_samples(&f, &ball, 1, c, i, j, k);
				double off = stored / 32768.0 - exact;
				error[level] += off > 0.0 ? off : -off;
				++cut;
			}
		error[level] /= cut;
		free_field(&f);
	}
	print_message("mean error of cut faces %g %g %g\n", error[0], error[1], error[2]);
	assert_true(error[2] < 0.005);
	assert_true(error[0] / error[2] > 3.3 && error[0] / error[2] < 5.0);
}

/* k integrated over the half-space y > -d, R = 2h: by the trapezoidal rule in the cosine of the
 * angle from the normal, in double. */
static double kernel_beyond(double d)
{
	const int slices = 20000;
	double part = 0.0, whole = 0.0;
	for (int n = 0; n < slices; ++n) {
		/* the plane at distance y carries int (1-y^2-r^2)^3 over its disc or segment */
		double y = ((n + 0.5) / slices) * 2.0 - 1.0, rest = 1.0 - y * y;
		double plane =
			DIM == 2 ? rest * rest * rest * (sqrt)(rest) : rest * rest * rest * rest;
		whole += plane;
		part += y > -0.5 * d ? plane : 0.0;
	}
	return part / whole;
}

static void check_kernel(const struct native_field *f, int at, double exact, double bar, int where)
{
	double off = f->density[at] / 32768.0 - (exact < 0.0625 ? 0.0625 : exact);
	if (off > bar || off < -bar)
		fail_msg("%d: kernel %g, off by %g", where, f->density[at] / 32768.0, off);
}

/* Closed walls close no part of a kernel and mirror the solids before them: a layer of solid on a
 * closed floor closes a strip, what lies beyond the image of its upper side is open again; on an
 * open floor the solid goes on. */
static void test_images(void **state)
{
	(void)state;
	const int n = 8;
	unsigned random = 5;
	for (int c = 0; c < 24; ++c) {
		const bool closed = c % 2 == 0;
		struct grid g = make_grid(n, closed ? 0 : 1 << WALL_Y_LOW);
		const double normal[3] = {0.0, 1.0, 0.0};
		const double offset = 2.5 * random_unit(&random) * (double)g.h;
		struct shape_op ops[3];
		make_slab(ops, normal, offset, 0.0);
		struct native_field f = make_field(g, ops, c ? 1 : 0, NULL);
		make_cells(&f, ops, c ? 1 : 0, NULL);
		for (int j = 0; j < n; ++j) {
			double above = j + 0.5 - offset / (double)g.h;
			double below = -(j + 0.5) - offset / (double)g.h;
			double exact = kernel_beyond(above) + (closed ? kernel_beyond(below) : 0.0);
			for (int i = 0; i < n; i += n - 1)
				check_kernel(&f, lattice_index(g, i, j, DIM == 3 ? n - 1 : 0),
					     c ? exact : 1.0, 0.005, c);
		}
		free_field(&f);
	}
}

/*
 * What a cell d rows (signed) from a plate along the axis y, which is `at` rows up, gets of the
 * kernel: the part on its own side.  The row that the plate cuts belongs to the side of its centre;
 * what it has on the other is a recess, and counted to the next row there as if that were denser.
 */
static double kernel_beside_plate(double d, double at)
{
	const double cut = at - (floor)(at), away = d < 0.0 ? -d : d;
	const double recess = d > 0.0 ? (cut > 0.5 ? 1.0 - cut : 0.0) : (cut < 0.5 ? cut : 0.0);
	const double face = away - recess; /* of that next row */
	return kernel_beyond(face) + recess * (kernel_beyond(face) - kernel_beyond(face - 1.0));
}

/* Half-spaces of any tilt and offset: the density kernel within 0.5 %, the volume of a cell within
 * 1.5 %; walls close nothing; thin plates take up no room, and along an axis cut the kernel as they
 * should, within 1 %. */
static void test_open_parts(void **state)
{
	(void)state;
	const int n = 8;
	struct grid g = make_grid(n, 1 << WALL_X_HIGH);
	const double h = (double)g.h;
	struct native_field f = make_field(g, NULL, 0, NULL);
	make_cells(&f, NULL, 0, NULL);
	for (int i = 0; i < n; ++i) {
		int at = lattice_index(g, i, n / 2, DIM == 3 ? n / 2 : 0);
		assert_int_equal(f.volume[at], 32768);
		assert_true(f.phi[at] == SHAPE_FAR);
		assert_int_equal(f.density[at], 32768);
	}
	assert_int_equal(f.volume[lattice_index(g, n, 0, 0)], 0);
	assert_int_equal(f.density[lattice_index(g, 0, n, 0)], 0);
	free_field(&f);

	g.open_walls = 0x3f;
	unsigned random = 11;
	for (int c = 0; c < (DIM == 2 ? 60 : 15); ++c) {
		struct shape_op ops[3];
		double normal[3] = {0.0, 1.0, 0.0}, offset = 0.0;
		if (c % 2)
			random_normal(normal, &random);
		for (int axis = 0; axis < DIM; ++axis)
			offset += 0.5 * normal[axis];
		offset += 4.0 * (random_unit(&random) - 0.5) * h;
		bool plate = c % 3 == 0;
		make_slab(ops, normal, offset, 0.0);
		f = make_field(g, ops, plate ? 3 : 1, NULL);
		make_cells(&f, ops, plate ? 3 : 1, NULL);
		for (int at = 0; at < g.lattice; ++at) {
			int i = at % g.px, j = at / g.px % g.py, k = at / (g.px * g.py);
			if (!cell_exists(g, i, j, k))
				continue;
			double d = cell_side(g, i, j, k, normal, offset) / h;
			/* Beyond open walls nothing is cut off. */
			if (plate && (c % 2 == 1 || i < 2 || i >= n - 2 ||
				      (DIM == 3 && (k < 2 || k >= n - 2))))
				continue;
			double exact =
				plate ? kernel_beside_plate(d, offset / h) : kernel_beyond(d);
			check_kernel(&f, at, exact, plate ? 0.01 : 0.005, c);
		}
		/* the cells' volumes add up to the part of the box on the open side */
		double sum = 0.0;
		for (int at = 0; at < g.lattice; ++at)
			sum += f.volume[at] / 32768.0;
		double whole = DIM == 2 ? n * n : n * n * n, area = DIM == 2 ? n : n * n;
		if (plate)
			assert_true(absolute(sum - whole) < 0.01 * area);
		else if (c % 2 == 0)
			assert_true(absolute(sum - area * (n - offset / h)) <= 0.001 * area);
		free_field(&f);
	}
}

/* Open volume of the lowest row over a floor `closed` of a cell high, from the linear weights of
 * what is in it (all of one below its centre, as that would fall into the floor), and the eighth
 * that the row above gives it. */
static double lowest_row(double closed)
{
	const double upper = closed > 0.5 ? closed : 0.5;
	return (upper - closed) + 1.5 * (1.0 - upper) - 0.5 * (1.0 - upper * upper) + 0.125;
}

/* Floors at any height within a cell, on any axis: volumes are those of the linear weights, so that
 * even liquid is as dense in cut cells as elsewhere; they add up to the room. */
static void test_shares_over_floors(void **state)
{
	(void)state;
	const int n = 8;
	const struct grid g = make_grid(n, 0);
	for (int c = 0; c < 10 * DIM; ++c) {
		const int axis = c % DIM;
		const double closed = 0.05 + 0.1 * (c / DIM), first = lowest_row(closed);
		struct shape_op floor = {.kind = SHAPE_HALF_SPACE};
		floor.a[axis] = (float)(2.0 + closed) * g.h;
		floor.a[3 + axis] = 1.0f;
		struct native_field f = make_field(g, &floor, 1, NULL);
		make_cells(&f, &floor, 1, NULL);
		for (int at = 0; at < g.lattice; ++at) {
			const int place[3] = {at % g.px, at / g.px % g.py, at / (g.px * g.py)};
			if (!cell_exists(g, place[0], place[1], place[2]))
				continue;
			const int row = place[axis] - 2;
			const double exact = row < 0	? 0.0
					     : row == 0 ? first
					     : row == 1 ? 2.0 - closed - first
							: 1.0;
			if (absolute(f.volume[at] / 32768.0 - exact) > 0.002)
				fail_msg("floor %g, row %d: %g, not %g", closed, row,
					 f.volume[at] / 32768.0, exact);
		}
		free_field(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thick_solids_keep_fractions),
		cmocka_unit_test(test_fractions_converge),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_open_parts),
		cmocka_unit_test(test_shares_over_floors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
