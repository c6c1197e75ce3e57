/*
 * What a face means to the pressure solve: one definition, used by the operator, the right-hand
 * side, the correction, the reported divergence and the drift solve.
 */
#ifndef FRESHET_FACES_H
#define FRESHET_FACES_H

#include "common.h"
#include "mg.h"

/* Least depth of a liquid cell below the free surface, in cells.  It bounds 1/theta; larger ones
 * cost the order of convergence (docs/decisions/0048).  The depth is bounded, not theta: where a
 * cell meets the surface along several axes the thetas keep their ratio, which shares its flux out
 * among them. */
#define FACES_MIN_DEPTH 3e-4f
/* Distance from a cell's centre to the box wall or to a wall that has let go, in cells. */
#define FACES_WALL_THETA 0.5f

enum face_kind {
	FACE_CLOSED,	/* moves with the solid */
	FACE_LINK,	/* liquid on both sides */
	FACE_DIRICHLET, /* liquid on one side, pressure 0 at theta cells on the other */
};

struct face {
	int kind;
	float area;  /* open part of the face */
	float theta; /* FACE_DIRICHLET only */
};

/*
 * The face on side `side` (0 low, 1 high) of axis a of the liquid cell `at` = (i,j,k).
 * `opened` has bit a set at a closed face that separation has let go.
 */
ALWAYS_INLINE struct face faces_of_cell(const struct grid g, global const uchar *cell_type,
					global const float *phi, global const ushort *open_fraction,
					global const uchar *opened, int at, int coordinate,
					int cells, int a, int side)
{
	struct face f;
	int stride = lattice_stride(g, a);
	int slot = at + side * stride;
	int to = coordinate + 2 * side - 1;
	int outside = to < 0 || to >= cells;
	int neighbour = at + (2 * side - 1) * stride;
	f.kind = FACE_CLOSED;
	f.area = (float)open_fraction[a * g.lattice + slot] * (1.0f / FRACTION_ONE);
	f.theta = 1.0f;
	if (f.area > 0.0f) {
		if (outside) {
			f.kind = FACE_DIRICHLET;
			f.theta = FACES_WALL_THETA;
		} else if (cell_type[neighbour] == CELL_LIQUID) {
			f.kind = FACE_LINK;
		} else {
			float inside = min_float(phi[at], -FACES_MIN_DEPTH * g.h);
			float beyond = max_float(phi[neighbour], 0.0f);
			f.kind = FACE_DIRICHLET;
			f.theta = inside / (inside - beyond);
		}
	} else if (opened[slot] >> a & 1) {
		/* As much of the wall lets go as the opposite face is open. */
		f.area = (float)open_fraction[a * g.lattice + at + (1 - side) * stride] *
			 (1.0f / FRACTION_ONE);
		if (f.area > 0.0f) {
			f.kind = FACE_DIRICHLET;
			f.theta = FACES_WALL_THETA;
		}
	}
	return f;
}

/* Has the liquid cell `at`, (here[0], here[1], here[2]), a tie to pressure 0? */
int faces_have_tie(const struct grid g, global const uchar *cell_type, global const float *phi,
		   global const ushort *open_fraction, global const uchar *opened, int at,
		   const int here[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int tie = 0;
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++)
			tie |= faces_of_cell(g, cell_type, phi, open_fraction, opened, at, here[a],
					     cells[a], a, side)
				       .kind == FACE_DIRICHLET;
	return tie;
}

/* (q_high - q_low)/theta at the face of component a at lattice point (i,j,k), with q in compact
 * order; *kind says whether the face takes part. */
ALWAYS_INLINE float faces_gradient(const struct grid g, const struct mg_level level,
				   global const float *q, global const uchar *cell_type,
				   global const float *phi, global const ushort *open_fraction,
				   global const uchar *opened, int i, int j, int k, int a,
				   int *kind)
{
	int at = lattice_index(g, i, j, k);
	int here = a == 0 ? i : a == 1 ? j : k;
	int cells = a == 0 ? g.nx : a == 1 ? g.ny : g.nz;
	int below = at - lattice_stride(g, a);
	int low_wet = here > 0 && cell_type[below] == CELL_LIQUID;
	int high_wet = here < cells && cell_type[at] == CELL_LIQUID;
	struct face f = {FACE_CLOSED, 0.0f, 1.0f};
	if (high_wet)
		f = faces_of_cell(g, cell_type, phi, open_fraction, opened, at, here, cells, a, 0);
	else if (low_wet)
		f = faces_of_cell(g, cell_type, phi, open_fraction, opened, below, here - 1, cells,
				  a, 1);
	*kind = f.kind;
	if (f.kind == FACE_CLOSED)
		return 0.0f;
	float q_high = 0.0f, q_low = 0.0f;
	if (high_wet)
		q_high = q[mg_at_cell(level, i, j, k)];
	if (low_wet && (f.kind == FACE_LINK || !high_wet))
		q_low = q[mg_at_cell(level, i - (a == 0), j - (a == 1), k - (a == 2))];
	return (q_high - q_low) / f.theta;
}

#endif
