/*
 * kernels/solids/solids.cl as plain C, 2D and 3D: thin solids separate what lies on their two
 * sides, narrow gaps stay open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "native_field.h"

#define CELLS (DIM == 2 ? 32 : 12)

/* Cells that open faces join to a cell, marked 1. */
static char *flood(const struct native_field *f, int start)
{
	const struct grid g = f->g;
	char *mark = test_calloc((size_t)g.lattice, 1);
	int *stack = test_malloc((size_t)g.lattice * sizeof(*stack)), top = 0;
	mark[start] = 1;
	stack[top++] = start;
	while (top > 0) {
		int cell = stack[--top];
		for (int c = 0; c < DIM; ++c) {
			int stride = lattice_stride(g, c);
			const int faces[2] = {cell, cell + stride};
			const int next[2] = {cell - stride, cell + stride};
			for (int side = 0; side < 2; ++side) {
				/* closed walls: no open face leads outside */
				if (!f->faces[c * g.lattice + faces[side]] || mark[next[side]])
					continue;
				mark[next[side]] = 1;
				stack[top++] = next[side];
			}
		}
	}
	test_free(stack);
	return mark;
}

/* No open face may join cells whose centres lie on the two sides. */
static void check_separates(const struct native_field *f, const double n[3], double offset,
			    double thickness)
{
	const struct grid g = f->g;
	char *reached = NULL;
	int low = -1, leaks = 0, lost = 0, seeds = 0;
	for (int k = 0; k < g.nz; ++k)
		for (int j = 0; j < g.ny; ++j)
			for (int i = 0; i < g.nx; ++i)
				if (cell_side(g, i, j, k, n, offset) <
				    -0.5 * thickness - 3 * (double)g.h)
					low = lattice_index(g, i, j, k), ++seeds;
	if (low < 0)
		return;
	reached = flood(f, low);
	for (int k = 0; k < g.nz; ++k)
		for (int j = 0; j < g.ny; ++j)
			for (int i = 0; i < g.nx; ++i) {
				double side = cell_side(g, i, j, k, n, offset);
				int at = lattice_index(g, i, j, k);
				leaks += reached[at] && side > 0.5 * thickness + 0.1 * (double)g.h;
				lost += !reached[at] && side < -0.5 * thickness - 1.5 * (double)g.h;
			}
	test_free(reached);
	if (leaks || lost)
		fail_msg("normal %g %g %g offset %g thickness %g cells: %d leaks, %d lost of %d",
			 n[0], n[1], n[2], offset, thickness / (double)g.h, leaks, lost, seeds);
}

static void test_plates_separate(void **state)
{
	(void)state;
	static const double thickness[] = {0.0, 0.25, 0.5, 1.0, 2.0};
	const struct grid g = make_grid(CELLS, 0);
	unsigned random = 7;
	for (int n = 0; n < (DIM == 2 ? 400 : 60); ++n) {
		double normal[3], offset;
		random_normal(normal, &random);
		if (n % 4 == 0) { /* along an axis, at eighths of a cell */
			for (int axis = 0; axis < 3; ++axis)
				normal[axis] = axis == (n / 4) % DIM;
			offset = (CELLS / 2 + (n / (4 * DIM)) % 9 / 8.0) * (double)g.h;
		} else if (n % 4 == 1) { /* diagonal, through nodes or centres or between */
			for (int axis = 0; axis < 3; ++axis)
				normal[axis] = axis < 2 ? (axis == 1 && n % 8 == 1 ? -1.0 : 1.0) *
								  0.70710678118654752
							: 0.0;
			offset = ((n % 8 == 1 ? 0 : CELLS) + (n / 4) % 9 / 8.0) *
				 0.70710678118654752 * (double)g.h;
		} else {
			offset = (normal[0] + normal[1] + normal[2]) * 0.5 +
				 (random_unit(&random) - 0.5) * 4.0 * (double)g.h;
		}
		for (int t = 0; t < 5; ++t) {
			struct shape_op ops[3];
			make_slab(ops, normal, offset, thickness[t] * (double)g.h);
			struct native_field f = make_field(g, ops, 3, NULL);
			check_separates(&f, normal, offset, thickness[t] * (double)g.h);
			free_field(&f);
		}
	}
}

/* A closed shell keeps in what is in it: walls of 0 to 0.6 cells, each its own, at any angle.
 * Edges are where a line of sight enters by one wall and leaves by another. */
static void test_shells_hold(void **state)
{
	(void)state;
	const struct grid g = make_grid(CELLS, 0);
	const double h = (double)g.h;
	unsigned random = 3;
	for (int n = 0; n < (DIM == 2 ? 300 : 60); ++n) {
		struct shape_op ops[SHELL_OPS];
		double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, outer[6], inner[6];
		if (n % 3)
			random_axes(axes, &random);
		for (int face = 0; face < 6; ++face) {
			inner[face] = (n % 3 ? 0.25 : (CELLS / 4 + n / 3 % 17 / 16.0) * h) +
				      (face == 1 ? 0.3 * h : 0.0);
			outer[face] = inner[face] + (n % 2 ? 0.6 * random_unit(&random) * h : 0.0);
		}
		int count = make_shell(ops, axes, outer, inner);
		struct native_field f = make_field(g, ops, count, NULL);
		char *reached =
			flood(&f, lattice_index(g, g.nx / 2, g.ny / 2, DIM == 3 ? g.nz / 2 : 0));
		int inside = 0;
		for (int at = 0; at < g.lattice; ++at)
			inside += reached[at];
		if (reached[0])
			fail_msg("shell %d leaks", n);
		assert_true(inside > (DIM == 2 ? 100 : 40));
		test_free(reached);
		free_field(&f);
	}
}

/* Beside plates with gaps of less than a cell, to a wall and to each other, open faces join only
 * cells whose points lie on one side of every plate; and where such a gap is wide enough, some
 * cell's does lie in it. */
static void test_gaps_have_cells(void **state)
{
	(void)state;
	struct grid g = make_grid(CELLS, 0);
	const double h = (double)g.h;
	unsigned random = 11;
	g.gaps = 1;
	for (int n = 0; n < (DIM == 2 ? 300 : 40); ++n) {
		const int axis = n % DIM, walled = n / DIM % 2;
		const double tilt = n % 5 ? 0.0 : 0.3 * (random_unit(&random) - 0.5);
		const double gap = 0.15 + 0.7 * random_unit(&random);
		const double first = walled ? gap * h : (2.0 + 3.0 * random_unit(&random)) * h;
		double normal[3] = {0.0, 0.0, 0.0}, offset[2];
		normal[axis] = (sqrt)(1.0 - tilt * tilt);
		normal[(axis + 1) % DIM] = tilt;
		offset[0] = first;
		offset[1] = walled ? 0.5 + gap * h : first + gap * h;
		struct shape_op ops[7] = {0};
		make_slab(ops, normal, offset[0], 0.0);
		make_slab(ops + 3, normal, offset[1], 0.0);
		ops[6].kind = SHAPE_UNION;
		struct native_field f = make_field(g, ops, 7, NULL);
		const struct solids_shape shape = {ops, 7, NULL, f.references};
		int in_gap = 0;
		for (int k = 0; k < g.nz; ++k)
			for (int j = 0; j < g.ny; ++j)
				for (int i = 0; i < g.nx; ++i) {
					float x[2][4];
					int room[2] = {0, 0};
					assert_true(solids_reference(g, &shape, i, j, k, x[0]));
					for (int c = 0; c < DIM; ++c) {
						const int cell[3] = {i - (c == 0), j - (c == 1),
								     k - (c == 2)};
						const int at =
							c * g.lattice + lattice_index(g, i, j, k);
						if (cell[c] < 0)
							continue;
						assert_true(solids_reference(g, &shape, cell[0],
									     cell[1], cell[2],
									     x[1]));
						for (int side = 0; side < 2; ++side) {
							double along = 0.0;
							for (int a = 0; a < DIM; ++a)
								along += (double)x[side][a] *
									 normal[a];
							room[side] = (along > offset[0]) +
								     (along > offset[1]);
						}
						in_gap += room[0] == (walled ? 0 : 1);
						if (room[0] != room[1] && f.faces[at] > 0)
							fail_msg("%d: face %d of %d %d %d joins "
								 "rooms %d and %d",
								 n, c, i, j, k, room[1], room[0]);
					}
				}
		if (n % 5)
			assert_true(in_gap > 0);
		free_field(&f);
	}
}

/* Liquid gaps of one cell between plates along an axis, and of 1.5 cells at any angle, stay
 * connected from end to end. */
static void test_gaps_stay_open(void **state)
{
	(void)state;
	const struct grid g = make_grid(CELLS, 0);
	const double h = (double)g.h;
	unsigned random = 5;
	for (int n = 0; n < (DIM == 2 ? 200 : 40); ++n) {
		double normal[3] = {0.0, 1.0, 0.0}, gap = h;
		struct shape_op ops[8] = {0};
		if (n % 2) {
			random_normal(normal, &random);
			gap = 1.5 * h;
		}
		double middle = 0.0;
		for (int axis = 0; axis < DIM; ++axis)
			middle += 0.5 * normal[axis];
		middle += (n / 2 % 32 / 32.0) * h;
		double thickness = n % 3 == 0 ? 0.0 : n % 3 == 1 ? 0.3 * h : 2.0 * h;
		make_slab(ops, normal, middle - 0.5 * (gap + thickness), thickness);
		make_slab(ops + 3, normal, middle + 0.5 * (gap + thickness), thickness);
		ops[6].kind = SHAPE_UNION;
		struct native_field f = make_field(g, ops, 7, NULL);
		int start = -1, missed = 0;
		char *reached = NULL;
		for (int at = 0; at < g.lattice; ++at) {
			int i = at % g.px, j = at / g.px % g.py, k = at / (g.px * g.py);
			if (!cell_exists(g, i, j, k))
				continue;
			double side = cell_side(g, i, j, k, normal, middle);
			/* cells well inside the gap */
			if (side > 0.3 * gap || side < -0.3 * gap)
				continue;
			if (start < 0) {
				start = at;
				reached = flood(&f, start);
			}
			missed += !reached[at];
		}
		if (missed)
			fail_msg("case %d: normal %g %g %g, %d cells of the gap cut off", n,
				 normal[0], normal[1], normal[2], missed);
		test_free(reached);
		free_field(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plates_separate),
		cmocka_unit_test(test_shells_hold),
		cmocka_unit_test(test_gaps_have_cells),
		cmocka_unit_test(test_gaps_stay_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
