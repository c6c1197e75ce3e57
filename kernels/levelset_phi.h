/* The level set of a cell from the particles' density (see levelset.cl). */
#ifndef FRESHET_LEVELSET_PHI_H
#define FRESHET_LEVELSET_PHI_H

#include "bricks.h"
#include "common.h"
#include "levelset_splat.h"
#include "solids_reached.h"

#if DIM == 2
#define LEVELSET_SLOPE 1.164f
#else
#define LEVELSET_SLOPE 1.230f
#endif
/* Beside liquid this dense the density alone places the surface (measured: docs/decisions.md). */
#define LEVELSET_BULK (DIM == 2 ? 0.85f : 0.8f)
/* Depth given to cells that are liquid by a rule rather than by density, in cells. */
#define LEVELSET_TOKEN_DEPTH 0.01f

/* rho/rho0 of the cell at a lattice index.  is_float: sums are floats (free_density.cl). */
ALWAYS_INLINE float levelset_rho(global const uint *sum, int is_float,
				 global const ushort *kernel_open, float to_rho, int at)
{
	return (is_float ? as_float(sum[at]) : (float)sum[at]) * to_rho *
	       (FRACTION_ONE / (float)kernel_open[at]);
}

/* The same of cell[], as seen from beside[], a cell or two away; 0 where there is no cell, and with
 * `split` where solids cut it off. */
ALWAYS_INLINE float levelset_rho_seen(const struct grid g, global const uint *sum, int is_float,
				      global const ushort *kernel_open, float to_rho, int split,
				      global const ushort *open_fraction, const int beside[3],
				      const int cell[3])
{
	if (!cell_exists(g, cell[0], cell[1], cell[2]) ||
	    (split && !solids_reached(g, open_fraction, beside, cell)))
		return 0.0f;
	return levelset_rho(sum, is_float, kernel_open, to_rho,
			    lattice_index(g, cell[0], cell[1], cell[2]));
}

/*
 * phi from the density.  A cell that holds a particle is liquid all the same (drops, sheets) unless
 * one of its 3^DIM cells is bulk, or is liquid by its density and has bulk straight behind it: over
 * thick liquid the density alone tells the height, wherever that falls on the grid.  A cell whose
 * centre lies in a solid counts as liquid up to h/2 outside (Batty et al. 2007), so that no surface
 * forms inside walls.
 * solid_phi is read with has_solids only, open_fraction with split only: then bulk that solids cut
 * off does not count.  to_rho = 1 / (2^bits ppc integral).
 */
ALWAYS_INLINE void levelset_phi_at(const struct grid g, const struct brick_point p, float to_rho,
				   global const uint *sum, int is_float,
				   global const ushort *kernel_open, global const uint *start,
				   int has_solids, global const float *solid_phi, int split,
				   global const ushort *open_fraction, global float *phi)
{
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	float scale = LEVELSET_RADIUS * g.h / LEVELSET_SLOPE;
	if (!cell_exists(g, i, j, k)) {
		phi[at] = 0.5f * scale;
		return;
	}
	float value = (0.5f - levelset_rho(sum, is_float, kernel_open, to_rho, at)) * scale;
	float token = -LEVELSET_TOKEN_DEPTH * g.h;
	int key = block_key(g, i, j, k);
	if (value > token && start[key + 1] > start[key]) {
		int bulk = 0;
		for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
			for (int b = -1; b <= 1; b++)
				for (int a = -1; a <= 1; a++) {
					const int here[3] = {i, j, k};
					const int to[3] = {i + a, j + b, k + c};
					const int behind[3] = {to[0] + a, to[1] + b, to[2] + c};
					float rho = levelset_rho_seen(g, sum, is_float, kernel_open,
								      to_rho, split, open_fraction,
								      here, to);
					if (rho > 0.5f && rho <= LEVELSET_BULK)
						rho = levelset_rho_seen(g, sum, is_float,
									kernel_open, to_rho, split,
									open_fraction, to, behind);
					bulk |= rho > LEVELSET_BULK;
				}
		if (!bulk)
			value = token;
	}
	float solid = 0.0f;
	for (int q = 0; q < 1 << DIM && has_solids; q++)
		solid += solid_phi[lattice_index(g, i + (q & 1), j + (q >> 1 & 1), k + (q >> 2))];
	if (solid < 0.0f && value < 0.5f * g.h)
		value = min_float(value, -0.5f * g.h);
	phi[at] = value;
}

#endif
