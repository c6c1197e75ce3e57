/* Normals of solids at faces. */
#ifndef FRESHET_FACE_NORMAL_H
#define FRESHET_FACE_NORMAL_H

#include "common.h"

/* From the distances at the nodes around the face of component a at (i,j,k), times the length that
 * is returned: h where solids are flat, less where they meet; below 0.1 h no side has a normal. */
float face_normal(const struct grid g, global const float *solid_phi, int a, int i, int j, int k,
		  float n[3])
{
	const int at = lattice_index(g, i, j, k);
	float square = 0.0f;
	n[0] = n[1] = n[2] = 0.0f;
	for (int c = 0; c < DIM; c++) {
		int last = c == 0 ? g.px - 1 : c == 1 ? g.py - 1 : g.pz - 1;
		int here = c == 0 ? i : c == 1 ? j : k;
		int stride = lattice_stride(g, c);
		int low = c == a && here > 0 ? at - stride : at;
		int high = here < last ? at + stride : at;
		n[c] = solid_phi[high] - solid_phi[low];
		n[c] *= high - low == 2 * stride ? 0.5f : 1.0f;
		square += n[c] * n[c];
	}
	return sqrt(square);
}

#endif
