/* Linear weights of a point at the centres of cells, beside solids. */
#ifndef FRESHET_SOLIDS_WEIGHTS_H
#define FRESHET_SOLIDS_WEIGHTS_H

#include "sample.h"
#include "solids_reached.h"

/* Weight q of the 2^DIM of a point whose stencil of cell centres is s; *at: the cell that it falls
 * into, as lattice index.  0 if no open faces lead there from the point's own cell[], which the
 * view is of: the weight is that one's, as it would be lost to room that is not there. */
int solids_weight(const struct grid g, const struct solids_view *view, const struct stencil s,
		  const int cell[3], int q, float *weight, int *at)
{
	int to[3] = {modulo(s.base, g.px), modulo(s.base / g.px, g.py), s.base / (g.px * g.py)};
	for (int axis = 0; axis < DIM; ++axis)
		to[axis] += (q >> axis & 1) && s.step[axis] > 0;
	*weight = stencil_weight(s, q);
	*at = lattice_index(g, to[0], to[1], to[2]);
	return solids_is_seen(view, cell, to);
}

#endif
