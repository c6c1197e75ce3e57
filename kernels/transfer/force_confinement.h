/* Vorticity confinement (Fedkiw, Stam & Jensen 2001) on faces, from the vorticity of cells. */
#ifndef FRESHET_FORCE_CONFINEMENT_H
#define FRESHET_FORCE_CONFINEMENT_H

#include "common.h"
#include "kick.h"
#include "shape.h"

/* Of a cell whose vorticity is not known. */
#define FORCE_UNKNOWN 0x1p100f
/* Where |vorticity| changes by less than this part of it from cell to cell, no direction is sure:
 * confinement fades to nothing. */
#define FORCE_SURE 0x1p-6f

/* Slower than this, m/s, is at rest, as in forces.cl. */
float force_flush(float x)
{
	return fabs(x) < 0x1p-60f ? 0.0f : x;
}

/* |vorticity| of a cell, below 0 where it is not known. */
float force_spin(const struct grid g, global const float *vorticity, int at)
{
	const float first = vorticity[at];
	if (first >= FORCE_UNKNOWN)
		return -1.0f;
#if DIM == 2
	(void)g;
	return fabs(first);
#else
	return shape_length(first, vorticity[g.lattice + at], vorticity[2 * g.lattice + at]);
#endif
}

/* Component c of h N x vorticity of the cell at `here`, N the unit vector along the gradient of
 * |vorticity|, shorter where that is not sure.  *known: is there one? */
float force_confinement(const struct grid g, global const float *vorticity, const int here[3],
			int c, int *known)
{
	const int at = lattice_index(g, here[0], here[1], here[2]);
	const int cells[3] = {g.nx, g.ny, g.nz};
	const float spin = force_spin(g, vorticity, at);
	float slope[3] = {0.0f, 0.0f, 0.0f};
	*known = spin >= 0.0f;
	if (!(spin > 0.0f))
		return 0.0f;
	/* By h. */
	for (int a = 0; a < DIM; a++) {
		const int stride = lattice_stride(g, a);
		float low = spin, high = spin, steps = 0.0f;
		if (here[a] > 0) {
			const float s = force_spin(g, vorticity, at - stride);
			low = s >= 0.0f ? s : low;
			steps += s >= 0.0f ? 1.0f : 0.0f;
		}
		if (here[a] < cells[a] - 1) {
			const float s = force_spin(g, vorticity, at + stride);
			high = s >= 0.0f ? s : high;
			steps += s >= 0.0f ? 1.0f : 0.0f;
		}
		slope[a] = steps > 0.0f ? shape_flush(high - low) / steps : 0.0f;
	}
	const float length =
		max_float(shape_length(slope[0], slope[1], slope[2]), FORCE_SURE * spin);
#if DIM == 2
	const float cross = c == 0 ? slope[1] * vorticity[at] : -(slope[0] * vorticity[at]);
#else
	const int a = c == 2 ? 0 : c + 1, b = c == 0 ? 2 : c - 1;
	const float slope_a = FORCES_OF(slope, 1, 2, 0), slope_b = FORCES_OF(slope, 2, 0, 1);
	const float cross =
		slope_a * vorticity[b * g.lattice + at] - slope_b * vorticity[a * g.lattice + at];
#endif
	return force_flush(cross) / length * g.h;
}

/* The same on a face: the mean of its cells. */
float force_confinement_of_face(const struct grid g, global const float *vorticity,
				const int here[3], int c)
{
	const int place = here[c], cells = c == 0 ? g.nx : c == 1 ? g.ny : g.nz;
	const int below[3] = {here[0] - (c == 0), here[1] - (c == 1), here[2] - (c == 2)};
	float sum = 0.0f;
	int n = 0, known;
	if (place > 0) {
		sum += force_confinement(g, vorticity, below, c, &known);
		n += known;
	}
	if (place < cells) {
		sum += force_confinement(g, vorticity, here, c, &known);
		n += known;
	}
	return n > 0 ? sum / (float)n : 0.0f;
}

#endif
