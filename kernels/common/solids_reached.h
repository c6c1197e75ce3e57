/* Which cells nearby are not cut off by solids. */
#ifndef FRESHET_SOLIDS_REACHED_H
#define FRESHET_SOLIDS_REACHED_H

#include "common.h"

/* Do open faces lead from one cell to another, a few cells away, straight along one axis after the
 * other, in any order of the axes? */
int solids_reached(const struct grid g, global const ushort *open_fraction, const int from[3],
		   const int to[3])
{
	const int start = lattice_index(g, from[0], from[1], from[2]);
	const int way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
	for (int first = 0; first < DIM; ++first)
		for (int turn = 1; turn < DIM; ++turn) {
			int at = start, axis = first, open = 1;
			for (int n = 0; n < DIM && open; ++n) {
				global const ushort *face = open_fraction + axis * g.lattice;
				const int stride = lattice_stride(g, axis);
				/* A face lies below the point of its number. */
				for (int left = way[axis]; open && left > 0; --left) {
					at += stride;
					open = face[at] > 0;
				}
				for (int left = way[axis]; open && left < 0; ++left) {
					open = face[at] > 0;
					at -= stride;
				}
				axis = axis + turn < DIM ? axis + turn : axis + turn - DIM;
			}
			if (open)
				return 1;
		}
	return 0;
}

/* What solids_reached() says of all cells at most SOLIDS_VIEW away along every axis from one: for
 * many questions about the same cell.  A bit per cell, x fastest, the cell itself in the middle. */
#define SOLIDS_VIEW 2
#define SOLIDS_VIEW_EDGE (2 * SOLIDS_VIEW + 1)
#define SOLIDS_VIEW_CELLS (SOLIDS_VIEW_EDGE * SOLIDS_VIEW_EDGE * SOLIDS_VIEW_EDGE)

struct solids_view {
	int of;	   /* lattice index of the cell, -1: of none yet */
	int whole; /* all of them that the grid has */
	uint bits[SOLIDS_VIEW_CELLS / 32 + 1];
};

int solids_view_step(int axis)
{
	return axis == 0 ? 1 : axis == 1 ? SOLIDS_VIEW_EDGE : SOLIDS_VIEW_EDGE * SOLIDS_VIEW_EDGE;
}

/* Is `to` seen from `cell`, which the view is of?  It is at most SOLIDS_VIEW away. */
ALWAYS_INLINE int solids_is_seen(const struct solids_view *view, const int cell[3], const int to[3])
{
	const int bit = SOLIDS_VIEW_CELLS / 2 + (to[0] - cell[0]) +
			SOLIDS_VIEW_EDGE * (to[1] - cell[1]) +
			SOLIDS_VIEW_EDGE * SOLIDS_VIEW_EDGE * (to[2] - cell[2]);
	return view->bits[clamp_int(bit, 0, SOLIDS_VIEW_CELLS - 1) >> 5] >> (bit & 31) & 1u;
}

/* Open faces, at most SOLIDS_VIEW, that lead up or down along an axis from the cell at `at`. */
int solids_open_run(const struct grid g, global const ushort *open_fraction, int at, int axis,
		    int coordinate, int up)
{
	const int cells = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
	const int room = up ? cells - 1 - coordinate : coordinate;
	const int stride = lattice_stride(g, axis);
	global const ushort *face = open_fraction + axis * g.lattice + at + (up ? stride : 0);
	int n = 0;
	while (n < SOLIDS_VIEW && n < room && face[up ? n * stride : -n * stride] > 0)
		++n;
	return n;
}

/* view: of the cell afterwards, if it was not already. */
void solids_look(const struct grid g, global const ushort *open_fraction, const int cell[3],
		 struct solids_view *view)
{
	const int at = lattice_index(g, cell[0], cell[1], cell[2]);
	int there = 1;
	if (view->of == at)
		return;
	for (int axis = 0; axis < DIM; ++axis) {
		const int cells = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
		there *= 1 + min_int(SOLIDS_VIEW, cell[axis]) +
			 min_int(SOLIDS_VIEW, cells - 1 - cell[axis]);
	}
	view->of = at;
	view->whole = 0;
	for (int n = 0; n < SOLIDS_VIEW_CELLS / 32 + 1; ++n)
		view->bits[n] = 0;
	for (int order = 0; order < DIM * (DIM - 1) && !view->whole; ++order) {
		/* The axes in this order, and what a step along them adds to places and bits. */
		const int a = order / (DIM - 1), turn = 1 + modulo(order, DIM - 1);
		const int b = modulo(a + turn, DIM), c = modulo(b + turn, DIM);
		int seen = 0;
		const int first_a = -solids_open_run(g, open_fraction, at, a, cell[a], 0);
		const int last_a = solids_open_run(g, open_fraction, at, a, cell[a], 1);
		for (int i = first_a; i <= last_a; ++i) {
			const int at_a = at + i * lattice_stride(g, a);
			const int first_b = -solids_open_run(g, open_fraction, at_a, b, cell[b], 0);
			const int last_b = solids_open_run(g, open_fraction, at_a, b, cell[b], 1);
			for (int j = first_b; j <= last_b; ++j) {
				const int at_b = at_a + j * lattice_stride(g, b);
				int first_c = 0, last_c = 0;
				if (DIM == 3) {
					first_c = -solids_open_run(g, open_fraction, at_b, c,
								   cell[c], 0);
					last_c = solids_open_run(g, open_fraction, at_b, c, cell[c],
								 1);
				}
				for (int k = first_c; k <= last_c; ++k) {
					const int bit =
						SOLIDS_VIEW_CELLS / 2 + i * solids_view_step(a) +
						j * solids_view_step(b) + k * solids_view_step(c);
					view->bits[bit >> 5] |= 1u << (bit & 31);
					++seen;
				}
			}
		}
		view->whole = seen == there;
	}
}

#endif
