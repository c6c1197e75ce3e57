/* Which cells nearby are not cut off by solids. */
#ifndef FRESHET_SOLIDS_REACHED_H
#define FRESHET_SOLIDS_REACHED_H

#include "common.h"

/* Do open faces lead from one cell to another, a few cells away, straight along one axis after the
 * other, in any order of the axes? */
int solids_reached(const struct grid g, global const ushort *open_fraction, const int from[3],
		   const int to[3])
{
	for (int first = 0; first < DIM; ++first)
		for (int turn = 1; turn < DIM; ++turn) {
			int at[3] = {from[0], from[1], from[2]}, axis = first, open = 1;
			for (int n = 0; n < DIM && open; ++n) {
				while (open && at[axis] != to[axis]) {
					int up = to[axis] > at[axis];
					at[axis] += up;
					open = open_fraction[axis * g.lattice +
							     lattice_index(g, at[0], at[1],
									   at[2])] > 0;
					at[axis] -= !up;
				}
				axis = (axis + turn) % DIM;
			}
			if (open)
				return 1;
		}
	return 0;
}

#endif
