/* Body forces. */
#include "common.h"

/* u_old = u, then u += dt g on every face (forward Euler part of the splitting; Bridson 2015,
 * ch. 3).  One work-item per lattice point. */
kernel void forces_apply(const struct grid g, float dv_x, float dv_y, float dv_z,
			 global float *u_face, global float *u_old)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	float dv[3] = {dv_x, dv_y, dv_z};
	for (int c = 0; c < DIM; c++) {
		int slot = c * g.lattice + at;
		float u = u_face[slot];
		u_old[slot] = u;
		if (face_exists(g, c, i, j, k))
			u_face[slot] = u + dv[c];
	}
}
