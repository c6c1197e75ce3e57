/*
 * The density of the particles at cell centres, plainly (docs/method.md#level-set-and-cells):
 *
 *   rho/rho0 = sum_p k(|x - x_p| / R) / (particles_per_cell * integral of k * open part of the
 * kernel), k(s) = (1 - s^2)^3,   R = 2h                                         (Ando et al. 2012),
 *
 * over the particles and their images in closed walls of the box.  This is the sum, in units of
 * 2^-bits: integers, so no order changes a bit.  levelset_density_brick (levelset.cl, for GPUs) and
 * levelset_density_block (levelset_block.cl, for CPUs) give the same
 * (tests/device/device_reference.c).
 */
#ifndef FRESHET_DENSITY_REFERENCE_H
#define FRESHET_DENSITY_REFERENCE_H

#include "common.h"
#include "levelset_fold.h"

/* Cells per axis that a particle reaches, and along z. */
#define DENSITY_REACH 4
#define DENSITY_REACH_Z (DIM == 3 ? DENSITY_REACH : 1)

/* A particle's place in cells from the centre of cell 0, and the first cell that it reaches. */
void density_place(const struct grid g, global const float *position, int stride, int p, float x[3],
		   int first[3])
{
	x[2] = 0.0f;
	first[2] = 0;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		x[a] = position[a * stride + p] * g.inv_h - 0.5f;
		first[a] = floor_int(x[a]) - 1;
	}
}

/* k at cell (i,j,k) of a particle at x[], in units of 1/scale. */
uint density_kernel(const float x[3], int i, int j, int k, float scale)
{
	const float dx = (float)i - x[0], dy = (float)j - x[1], dz = (float)k - x[2];
	const float square = dx * dx + (dy * dy + dz * dz);
	float t = 1.0f - square * (1.0f / (DENSITY_RADIUS * DENSITY_RADIUS));
	t = t > 0.0f ? t : 0.0f;
	return convert_uint_rte(t * t * t * scale);
}

/* Adds particle p and its images to the sums of the cells that it reaches, u32 [L].  What it gives
 * beyond a closed wall belongs to the mirror image of the cell there. */
void density_reference(const struct grid g, int bits, global const float *position, int stride,
		       int p, global uint *sum)
{
	float x[3];
	int first[3];
	density_place(g, position, stride, p, x, first);
	for (int k = first[2]; k < first[2] + DENSITY_REACH_Z; k++)
		for (int j = first[1]; j < first[1] + DENSITY_REACH; j++)
			for (int i = first[0]; i < first[0] + DENSITY_REACH; i++) {
				const int to_i = levelset_fold(g, 0, i, g.nx);
				const int to_j = levelset_fold(g, 1, j, g.ny);
				const int to_k = DIM == 3 ? levelset_fold(g, 2, k, g.nz) : 0;
				if (cell_exists(g, to_i, to_j, to_k))
					sum[lattice_index(g, to_i, to_j, to_k)] +=
						density_kernel(x, i, j, k, (float)(1 << bits));
			}
}

#endif
