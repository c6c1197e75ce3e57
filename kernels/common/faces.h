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
 * The face of component a at a slot, seen from a liquid cell beside it.  type: of the cell on its
 * other side, `outside` where there is none; phi: of the liquid cell, beyond: of the other one;
 * area: open part of the face, opposite: that of the liquid cell's other face; let_go: separation
 * has let the closed face go.
 *
 * Chosen, not branched to, so that rows become vectors (docs/portability.md).
 */
ALWAYS_INLINE struct face faces_between(const struct grid g, int outside, int type, float phi,
					float beyond, float area, float opposite, int let_go)
{
	struct face f;
	const float inside = min_float(phi, -FACES_MIN_DEPTH * g.h);
	const float theta = inside / (inside - max_float(beyond, 0.0f));
	const int is_open = area > 0.0f, link = !outside & (type == CELL_LIQUID);
	/* As much of the wall lets go as the opposite face is open. */
	const float gone = let_go ? opposite : 0.0f;
	const int is_tied = (is_open & !link) | (!is_open & (gone > 0.0f));
	f.kind = is_tied ? FACE_DIRICHLET : is_open ? FACE_LINK : FACE_CLOSED;
	f.area = is_open ? area : gone;
	f.theta = !is_tied ? 1.0f : (is_open & !outside) ? theta : FACES_WALL_THETA;
	return f;
}

/* Open part of the face of component a at a slot. */
ALWAYS_INLINE float faces_area(const struct grid g, global const ushort *restrict open_fraction,
			       int a, long slot)
{
	return (float)(int)open_fraction[a * g.lattice + slot] * (1.0f / FRACTION_ONE);
}

/*
 * The face on side `side` (0 low, 1 high) of axis a of the liquid cell `at` = (i,j,k).
 * `opened` has bit a set at a closed face that separation has let go.
 */
ALWAYS_INLINE struct face faces_of_cell(const struct grid g, global const uchar *restrict cell_type,
					global const float *restrict phi,
					global const ushort *restrict open_fraction,
					global const uchar *restrict opened, long at,
					int coordinate, int cells, int a, int side)
{
	const int stride = lattice_stride(g, a), to = coordinate + 2 * side - 1;
	const long slot = at + side * stride, neighbour = at + (2 * side - 1) * stride;
	const int outside = (to < 0) | (to >= cells);
	const float area = faces_area(g, open_fraction, a, slot);
	/* Each is read where it matters. */
	const int type = outside ? CELL_SOLID : cell_type[neighbour];
	const int surface = !outside & (type != CELL_LIQUID) & (area > 0.0f);
	const float own = surface ? phi[at] : 0.0f, beyond = surface ? phi[neighbour] : 0.0f;
	const int let_go = area > 0.0f ? 0 : opened[slot] >> a & 1;
	const float opposite =
		let_go ? faces_area(g, open_fraction, a, at + (1 - side) * stride) : 0.0f;
	return faces_between(g, outside, type, own, beyond, area, opposite, let_go);
}

/* Has the liquid cell `at`, (here[0], here[1], here[2]), a tie to pressure 0?  Is one of its faces
 * FACE_DIRICHLET, that is; most are links. */
int faces_have_tie(const struct grid g, global const uchar *cell_type,
		   global const ushort *open_fraction, global const uchar *opened, int at,
		   const int here[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int tie = 0;
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			const int stride = lattice_stride(g, a), to = here[a] + 2 * side - 1;
			global const ushort *open = open_fraction + a * g.lattice + at;
			if (open[side * stride])
				tie |= to < 0 || to >= cells[a] ||
				       cell_type[at + (2 * side - 1) * stride] != CELL_LIQUID;
			else if (opened[at + side * stride] >> a & 1)
				tie |= open[(1 - side) * stride] != 0;
		}
	return tie;
}

/* (q_high - q_low)/theta at the face of component a at lattice point `at` = (i,j,k), with q in
 * compact order; *kind says whether the face, which exists, takes part. */
ALWAYS_INLINE float
faces_gradient(const struct grid g, const struct mg_level level, global const float *restrict q,
	       global const uchar *restrict cell_type, global const float *restrict phi,
	       global const ushort *restrict open_fraction, global const uchar *restrict opened,
	       long at, int i, int j, int k, int a, int *kind)
{
	const int stride = lattice_stride(g, a);
	const int here = a == 0 ? i : a == 1 ? j : k;
	const int cells = a == 0 ? g.nx : a == 1 ? g.ny : g.nz;
	const int has_low = here > 0, has_high = here < cells;
	const int type_low = has_low ? cell_type[at - stride] : CELL_SOLID;
	const int type_high = has_high ? cell_type[at] : CELL_SOLID;
	const int low_wet = type_low == CELL_LIQUID, high_wet = type_high == CELL_LIQUID;
	const int wet = low_wet | high_wet;
	const float area = wet ? faces_area(g, open_fraction, a, at) : 0.0f;
	const int let_go = (!wet | (area > 0.0f)) ? 0 : opened[at] >> a & 1;
	/* Of the liquid cell, the upper one if both are, and of the one opposite; each is read
	 * where it matters. */
	const int surface = (low_wet != high_wet) & has_low & has_high & (area > 0.0f);
	const float phi_low = surface ? phi[at - stride] : 0.0f;
	const float phi_high = surface ? phi[at] : 0.0f;
	const float area_low =
		(let_go & low_wet) ? faces_area(g, open_fraction, a, at - stride) : 0.0f;
	const float area_high =
		(let_go & high_wet) ? faces_area(g, open_fraction, a, at + stride) : 0.0f;
	const struct face f =
		faces_between(g, high_wet ? !has_low : !has_high, high_wet ? type_low : type_high,
			      high_wet ? phi_high : phi_low, high_wet ? phi_low : phi_high, area,
			      high_wet ? area_high : area_low, let_go);
	*kind = low_wet | high_wet ? f.kind : FACE_CLOSED;
	const int is_tied = *kind == FACE_DIRICHLET, is_link = *kind == FACE_LINK;
	const float q_high = (is_tied | is_link) & high_wet ? q[mg_at_cell(level, i, j, k)] : 0.0f;
	const float q_low = is_link | (is_tied & !high_wet)
				    ? q[mg_at_cell(level, i - (a == 0), j - (a == 1), k - (a == 2))]
				    : 0.0f;
	return is_tied | is_link ? (q_high - q_low) / f.theta : 0.0f;
}

#endif
