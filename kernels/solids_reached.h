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

#endif
