/*
 * kernels/solids/solids_recess.h as plain C, 2D and 3D: where particles stand on the grid beside
 * plates, and that the volumes of the cells count the same room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "native_field.h"

/* Beside two plates that cross, places on the grid are on the same side of both as the particles,
 * and clear of them. */
static void test_places_keep_clear(void **state)
{
	(void)state;
	const struct grid g = make_grid(8, 0x3f);
	const double skin = 0.9 * (double)(COLLIDE_SKIN * g.h);
	unsigned random = 23;
	int moved = 0;
	for (int c = 0; c < 40; ++c) {
		struct shape_op ops[7] = {0};
		double n[2][3], offset[2];
		for (int p = 0; p < 2; ++p) {
			random_normal(n[p], &random);
			offset[p] = 0.5 * (n[p][0] + n[p][1] + (DIM == 3 ? n[p][2] : 0.0)) +
				    (random_unit(&random) - 0.5) * (double)g.h;
			make_slab(ops + 3 * p, n[p], offset[p], 0.0);
		}
		ops[6].kind = SHAPE_UNION;
		struct native_field f = make_field(g, ops, 7, NULL);
		const struct solids_shape shape = {ops, 7, NULL, f.references};
		for (int t = 0; t < 400; ++t) {
			float x[3] = {0.0f, 0.0f, 0.0f}, to[3];
			for (int axis = 0; axis < DIM; ++axis)
				x[axis] = 0.5f + 3.0f * g.h * (float)(random_unit(&random) - 0.5);
			if (solids_evaluate(&shape, x).distance < COLLIDE_SKIN * g.h ||
			    !solids_stretch(g, &shape, f.phi, x, to))
				continue;
			++moved;
			for (int p = 0; p < 2; ++p) {
				double from = -offset[p], side = -offset[p];
				for (int axis = 0; axis < DIM; ++axis) {
					from += n[p][axis] * (double)x[axis];
					side += n[p][axis] * (double)to[axis];
				}
				if (from * side < 0.0 || absolute(side) < skin)
					fail_msg("%d: plate %d: %g h from it stands at %g h", c, p,
						 from / (double)g.h, side / (double)g.h);
			}
		}
		free_field(&f);
	}
	assert_true(moved > 1000);
}

/* A plate of no thickness that splits cells, and a thick slab that is nowhere near it: cells that
 * the slab cuts hold what they hold without the plate, to a few roundings; make_cells() looks at
 * samples. */
static void test_thick_beside_thin(void **state)
{
	(void)state;
	const struct grid g = make_grid(12, 0);
	const double slope[3] = {0.28, 0.96, 0.0}, up[3] = {0.0, 1.0, 0.0}, h = (double)g.h;
	struct native_field f[2];
	struct shape_op ops[7];
	make_slab(ops, slope, 2.3 * h, 3.0 * h);
	make_slab(ops + 3, up, 9.4 * h, 0.0);
	ops[6] = (struct shape_op){.kind = SHAPE_UNION};
	for (int n = 0; n < 2; ++n) {
		f[n] = make_field(g, ops, n ? 7 : 3, NULL);
		make_cells(&f[n], ops, n ? 7 : 3, NULL);
	}
	for (int at = 0; at < g.lattice; ++at) {
		const int j = at / g.px % g.py;
		if (j < 6 && absolute((double)f[0].volume[at] - (double)f[1].volume[at]) > 8.0)
			fail_msg("volume at %d: %d and %d", at, f[0].volume[at], f[1].volume[at]);
	}
	free_field(&f[0]);
	free_field(&f[1]);
}

/* A flat plate 0.3 h over the floor that ends inside the box, and its mirror image: what is below
 * it leads to neither side, so that it is counted to no cell but, next to its end, to that which a
 * particle there stands in, and nothing is stretched into it. */
static void test_room_over_the_floor(void **state)
{
	(void)state;
	const int n = 8, full = 5, count = DIM == 2 ? n * n : n * n * n;
	const struct grid g = make_grid(n, 0);
	const float end = ((float)full + 0.1f) * g.h;
	struct native_field f[2];
	struct shape_op ops[2] = {{.kind = SHAPE_BOX}, {.kind = SHAPE_BOX}};
	for (int m = 0; m < 2; ++m) {
		const float lower[3] = {m ? 1.0f - end : -1.0f, 0.3f * g.h, -1.0f};
		const float upper[3] = {m ? 2.0f : end, 0.3f * g.h, 2.0f};
		for (int axis = 0; axis < 3; ++axis) {
			ops[m].a[axis] = lower[axis];
			ops[m].a[axis + 3] = upper[axis];
		}
		f[m] = make_field(g, &ops[m], 1, NULL);
		make_cells(&f[m], &ops[m], 1, NULL);
		double sum = 0.0;
		for (int at = 0; at < g.lattice; ++at)
			sum += f[m].volume[at] / 32768.0;
		assert_true(absolute(sum - count + 0.3 * (full - 1) * (DIM == 3 ? n : 1)) < 0.01);
	}
	for (int at = 0; at < g.lattice; ++at) {
		const int i = at % g.px, j = at / g.px % g.py, k = at / (g.px * g.py);
		if (!cell_exists(g, i, j, k))
			continue;
		const int off = f[0].volume[at] - f[1].volume[lattice_index(g, n - 1 - i, j, k)];
		if (absolute(off) > 4.0)
			fail_msg("volume of %d %d %d: off by %d", i, j, k, off);
	}
	for (int t = 0; t < 40 * 10; ++t) {
		float to[2][3];
		int moved[2];
		for (int m = 0; m < 2; ++m) {
			const struct solids_shape shape = {&ops[m], 1, NULL, f[m].references};
			float x[3] = {((float)(t % 40) + 0.5f) * 0.2f * g.h,
				      ((float)(t / 40) + 0.5f) * 0.1f * g.h,
				      DIM == 3 ? 3.3f * g.h : 0.0f};
			x[0] = m ? 1.0f - x[0] : x[0];
			moved[m] = solids_stretch(g, &shape, f[m].phi, x, to[m]);
			/* Of the cells that lie beyond the plate, or that it ends in, none. */
			assert_true(!moved[m] || t % 40 < 5 * full);
			assert_true(moved[m] || to[m][0] == x[0]);
		}
		assert_int_equal(moved[0], moved[1]);
		assert_true(absolute((double)(to[0][0] + to[1][0]) - 1.0) < 1e-5);
		assert_true(absolute((double)(to[0][1] - to[1][1])) < 1e-5);
	}
	free_field(&f[0]);
	free_field(&f[1]);
}

/* Points at equal distances along an axis, over a recess and the cell it is counted to, stand at
 * equal distances in that cell: from `start` to `end`, in cells, x the place across the axis. */
static void check_even(const struct native_field *f, const struct solids_shape *shape, int axis,
		       double start, double end, double across, const double into[2])
{
	const double h = (double)f->g.h;
	for (int t = 1; t < 40; ++t) {
		const double share = t / 40.0;
		float x[3] = {0.0f, 0.0f, DIM == 3 ? 4.4f * f->g.h : 0.0f}, to[3];
		x[axis] = (float)((start + share * (end - start)) * h);
		x[!axis] = (float)(across * h);
		assert_true(solids_stretch(f->g, shape, f->phi, x, to));
		const double place = into[0] + share * (into[1] - into[0]);
		if (absolute((double)to[axis] / h - place) > 0.01 || to[!axis] != x[!axis])
			fail_msg("%g %g stands at %g h, not %g", (double)x[0] / h, (double)x[1] / h,
				 (double)to[axis] / h, place);
	}
}

/* Where the way along the normal is blocked, by a wall of the box below a tilted plate, and where
 * another solid than the plate is nearer. */
static void test_places_are_even(void **state)
{
	(void)state;
	const struct grid g = make_grid(8, 0);
	const double h = (double)g.h, low = 0.3, slope = 0.28 / 0.96;
	struct shape_op ops[5];
	struct solids_shape shape = {ops, 3, NULL, NULL};
	for (int mirrored = 0; mirrored < 2; ++mirrored) {
		/* Below 0.3 h at x = 4 h, and rising: the next cell is on its lower side. */
		const double normal[3] = {mirrored ? 0.28 : -0.28, 0.96, 0.0};
		make_slab(ops, normal, (0.96 * low + (mirrored ? 4.0 : -4.0) * 0.28) * h, 0.0);
		struct native_field f = make_field(g, ops, 3, NULL);
		shape.references = f.references;
		make_cells(&f, ops, 3, NULL);
		const double capped = slope * (double)SOLIDS_DEEPEST, top = low + slope;
		const double volume = low + 1.5 * slope + (top - capped) * (double)SOLIDS_DEEPEST +
				      0.5 * capped * (double)SOLIDS_DEEPEST;
		const int at = lattice_index(g, mirrored ? 2 : 5, 0, DIM == 3 ? 4 : 0);
		assert_true(absolute(f.volume[at] / 32768.0 - volume) < 0.02);
		for (double y = 0.05; y < 0.5; y += 0.1) {
			const double deep = (top - y) / slope;
			const double start =
				5.0 -
				(deep < (double)SOLIDS_DEEPEST ? deep : (double)SOLIDS_DEEPEST);
			if (mirrored)
				check_even(&f, &shape, 0, 8.0 - start, 2.0, y,
					   (const double[]){3.0, 2.0});
			else
				check_even(&f, &shape, 0, start, 6.0, y,
					   (const double[]){5.0, 6.0});
		}
		free_field(&f);
	}
	/* Between a floor and a plate above it, which cuts the row above that one's. */
	const double up[3] = {0.0, 1.0, 0.0};
	make_slab(ops, up, 2.4 * h, 0.0);
	ops[3] = (struct shape_op){.kind = SHAPE_HALF_SPACE, .a = {0.0f, g.h, 0.0f, 0.0f, 1.0f}};
	ops[4].kind = SHAPE_UNION;
	shape.op_count = 5;
	struct native_field f = make_field(g, ops, 5, NULL);
	shape.references = f.references;
	check_even(&f, &shape, 1, 1.0, 2.4, 3.5, (const double[]){1.0, 2.0});
	free_field(&f);
}

/* Kernels whose loops were cut off say so, others do not. */
static void test_loops(void **state)
{
	(void)state;
	uint cut = 0;
	loops_check(0, &cut);
	loops_check(1000, &cut);
	assert_int_equal(cut, 0);
	/* begins elsewhere: another number of turns */
	loops_check(-1, &cut);
	assert_int_equal(cut, 1);
	loops_check(0, &cut);
	assert_int_equal(cut, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places_keep_clear),
		cmocka_unit_test(test_thick_beside_thin),
		cmocka_unit_test(test_room_over_the_floor),
		cmocka_unit_test(test_places_are_even),
		cmocka_unit_test(test_loops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
