/* Where wind touches the liquid, and how fast it passes by. */
#ifndef FRESHET_FORCE_WIND_H
#define FRESHET_FORCE_WIND_H

#include "common.h"
#include "shape.h"

/* Is a cell of the type beside that at `here`, beyond an open face along another axis than c? */
int force_is_beside(const struct grid g, global const uchar *cell_type,
		    global const ushort *open_fraction, int type, const int here[3], int c)
{
	const int at = lattice_index(g, here[0], here[1], here[2]);
	const int cells[3] = {g.nx, g.ny, g.nz};
	int found = 0;
	for (int b = 0; b < DIM; b++) {
		const int stride = lattice_stride(g, b);
		global const ushort *open = open_fraction + b * g.lattice;
		if (b != c && here[b] > 0)
			found |= cell_type[at - stride] == type && open[at] > 0;
		if (b != c && here[b] < cells[b] - 1)
			found |= cell_type[at + stride] == type && open[at + stride] > 0;
	}
	return found;
}

/* How much of a face of component c is at the surface: all of one between liquid and air; of one
 * along it half for each of its cells that is liquid with air beside it; or, between cells of air,
 * air with liquid beside it: the projection leaves those out, particles near them count them. */
float force_at_surface(const struct grid g, global const uchar *cell_type,
		       global const ushort *open_fraction, const int here[3], int c)
{
	const int at = lattice_index(g, here[0], here[1], here[2]), stride = lattice_stride(g, c);
	const int cells = c == 0 ? g.nx : c == 1 ? g.ny : g.nz;
	const int below[3] = {here[0] - (c == 0), here[1] - (c == 1), here[2] - (c == 2)};
	if (here[c] == 0 || here[c] == cells || open_fraction[c * g.lattice + at] == 0)
		return 0.0f;
	const int low = cell_type[at - stride], high = cell_type[at];
	if ((low == CELL_LIQUID && high == CELL_AIR) || (low == CELL_AIR && high == CELL_LIQUID))
		return 1.0f;
	const int liquid = low == CELL_LIQUID || high == CELL_LIQUID;
	const int own = liquid ? CELL_LIQUID : CELL_AIR, other = liquid ? CELL_AIR : CELL_LIQUID;
	float share = 0.0f;
	if (low == own && force_is_beside(g, cell_type, open_fraction, other, below, c))
		share += 0.5f;
	if (high == own && force_is_beside(g, cell_type, open_fraction, other, here, c))
		share += 0.5f;
	return share;
}

/* |w - u| at a face of component c, where that of u is v; of the others the mean of the faces
 * around that have a value. */
float force_relative_speed(const struct grid g, global const float *u_face,
			   global const uchar *valid, const float w[3], const int here[3], int c,
			   float v)
{
	const int at = lattice_index(g, here[0], here[1], here[2]);
	float apart[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++) {
		float sum = 0.0f;
		int n = 0;
		for (int q = 0; q < 4 && a != c; q++) {
			const int slot = at - (q & 1) * lattice_stride(g, c) +
					 (q >> 1) * lattice_stride(g, a);
			if (valid[slot] >> a & 1) {
				sum += u_face[a * g.lattice + slot];
				n++;
			}
		}
		apart[a] = a == c ? w[a] - v : n > 0 ? w[a] - sum / (float)n : 0.0f;
	}
	return shape_length(apart[0], apart[1], apart[2]);
}

#endif
