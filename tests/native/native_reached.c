/* kernels/common/solids_reached.h as plain C, 2D and 3D: which cells straight ways over open faces
 * lead to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "native_field.h"

#include "solids_reached.h"

/* Closes about `percent` of the faces. */
static uint16_t *random_faces(const struct grid *g, unsigned percent, unsigned *random)
{
	uint16_t *open = test_calloc((size_t)g->lattice * DIM, sizeof(*open));
	for (int n = 0; n < g->lattice * DIM; ++n)
		open[n] = 100.0 * random_unit(random) < percent ? 0 : 1;
	return open;
}

/* Is the face between two cells beside each other open?  It is that of the upper one. */
static bool is_open(const struct grid *g, const uint16_t *open, const int from[3], const int to[3])
{
	for (int axis = 0; axis < DIM; ++axis)
		if (from[axis] != to[axis]) {
			const int *upper = to[axis] > from[axis] ? to : from;
			return open[axis * g->lattice +
				    lattice_index(*g, upper[0], upper[1], upper[2])] > 0;
		}
	return true;
}

/* Walks step by step along `axis`, then along what is left of the axes in `left`, in every order.
 */
static bool walk(const struct grid *g, const uint16_t *open, const int from[3], const int to[3],
		 unsigned left)
{
	if (!left)
		return true;
	for (int axis = 0; axis < DIM; ++axis) {
		if (!(left >> axis & 1u))
			continue;
		int at[3] = {from[0], from[1], from[2]};
		bool clear = true;
		while (clear && at[axis] != to[axis]) {
			int next[3] = {at[0], at[1], at[2]};
			next[axis] += to[axis] > at[axis] ? 1 : -1;
			clear = is_open(g, open, at, next);
			at[axis] = next[axis];
		}
		if (clear && walk(g, open, at, to, left & ~(1u << axis)))
			return true;
	}
	return false;
}

static void check_cell(const struct grid *g, const uint16_t *open, const int cell[3], int count[2])
{
	struct solids_view view = {.of = -1};
	bool all = true;
	solids_look(*g, open, cell, &view);
	assert_int_equal(view.of, lattice_index(*g, cell[0], cell[1], cell[2]));
	for (int n = 0; n < SOLIDS_VIEW_CELLS; ++n) {
		const int to[3] = {cell[0] + n % SOLIDS_VIEW_EDGE - SOLIDS_VIEW,
				   cell[1] + n / SOLIDS_VIEW_EDGE % SOLIDS_VIEW_EDGE - SOLIDS_VIEW,
				   cell[2] + n / SOLIDS_VIEW_EDGE / SOLIDS_VIEW_EDGE - SOLIDS_VIEW};
		if (!cell_exists(*g, to[0], to[1], to[2]))
			continue;
		const bool expected = walk(g, open, cell, to, (1u << DIM) - 1u);
		assert_int_equal(solids_reached(*g, open, cell, to), expected);
		/* If all are seen nobody asks for one. */
		if (!view.whole)
			assert_int_equal(solids_is_seen(&view, cell, to), expected);
		all = all && expected;
		++count[expected];
	}
	/* One order of the axes must show all for that to be known. */
	if (view.whole)
		assert_true(all);
}

/* Against a walk face by face, on grids of any shape; with none closed all is seen at once. */
static void test_reached(void **state)
{
	(void)state;
	static const int shapes[][3] = {{6, 5, 4}, {1, 7, 3}, {5, 1, 1}, {2, 2, 2}, {1, 1, 1}};
	unsigned random = 5;
	int count[2] = {0, 0};
	for (size_t n = 0; n < sizeof(shapes) / sizeof(shapes[0]); ++n)
		for (unsigned percent = 0; percent <= 60; percent += 15) {
			struct grid g = make_grid(1, 0);
			g.nx = shapes[n][0];
			g.ny = shapes[n][1];
			g.nz = DIM == 3 ? shapes[n][2] : 1;
			g.px = g.nx + 1;
			g.py = g.ny + 1;
			g.pz = DIM == 3 ? g.nz + 1 : 1;
			g.lattice = g.px * g.py * g.pz;
			uint16_t *open = random_faces(&g, percent, &random);
			for (int k = 0; k < g.nz; ++k)
				for (int j = 0; j < g.ny; ++j)
					for (int i = 0; i < g.nx; ++i) {
						const int cell[3] = {i, j, k};
						struct solids_view view = {.of = -1};
						check_cell(&g, open, cell, count);
						solids_look(g, open, cell, &view);
						if (percent == 0)
							assert_true(view.whole);
					}
			test_free(open);
		}
	assert_true(count[0] > 500 && count[1] > 500);
}

/* A view that is of the cell already stays. */
static void test_view_is_kept(void **state)
{
	(void)state;
	const struct grid g = make_grid(5, 0);
	unsigned random = 9;
	uint16_t *open = random_faces(&g, 30, &random);
	const int cell[3] = {2, 2, DIM == 3 ? 2 : 0}, other[3] = {1, 2, DIM == 3 ? 2 : 0};
	struct solids_view view = {.of = -1}, kept;
	solids_look(g, open, cell, &view);
	kept = view;
	test_free(open);
	open = random_faces(&g, 30, &random);
	solids_look(g, open, cell, &view);
	assert_memory_equal(&view, &kept, sizeof(view));
	solids_look(g, open, other, &view);
	assert_int_not_equal(view.of, kept.of);
	test_free(open);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reached),
		cmocka_unit_test(test_view_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
