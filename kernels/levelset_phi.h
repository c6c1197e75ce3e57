/* The level set of a cell from the particles' density (see levelset.cl). */
#ifndef FRESHET_LEVELSET_PHI_H
#define FRESHET_LEVELSET_PHI_H

#include "bricks.h"
#include "common.h"
#include "levelset_splat.h"
#include "lids.h"
#include "solids_reached.h"

#if DIM == 2
#define LEVELSET_SLOPE 1.164f
#else
#define LEVELSET_SLOPE 1.230f
#endif
/* Beside liquid this dense the density alone places the surface (measured: docs/decisions.md). */
#define LEVELSET_BULK (DIM == 2 ? 0.85f : 0.8f)
/* Lids further from a cell's centre than that hardly matter to its density, in cells. */
#define LEVELSET_LID_FAR 1.4f
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

/* rho/rho0 at a height above the flat surface of deep liquid, both in cells: 1/2 less the integral
 * of (1 - y^2/4)^7/2, in 3D (1 - y^2/4)^4, by its series. */
ALWAYS_INLINE float levelset_profile(float height)
{
	const float y = clamp_float(height, -2.0f, 2.0f), z = y * y;
#if DIM == 2
	const float series =
		1.0f +
		z * (-0.29166667f +
		     z * (0.0546875f + z * (-4.8828125e-3f + z * (1.1867947e-4f + z * 2.43e-6f))));
#else
	const float series =
		1.0f + z * (-0.33333333f + z * (0.075f + z * (-8.9285714e-3f + z * 4.3402778e-4f)));
#endif
	return 0.5f - LEVELSET_SLOPE / LEVELSET_RADIUS * y * series;
}

/* How fast it falls there, per cell. */
ALWAYS_INLINE float levelset_profile_slope(float height)
{
	const float y = clamp_float(height, -2.0f, 2.0f), rest = 1.0f - 0.25f * y * y;
	return LEVELSET_SLOPE / LEVELSET_RADIUS * rest * rest * rest *
	       (DIM == 2 ? sqrt(rest) : rest);
}

/*
 * Height of a cell's centre above the surface, in cells, where liquid lies below it and air may lie
 * between the surface and a lid, `lid` above the centre.  What the lid closes of the kernel is no
 * less empty than the air then, and where a wall of the box mirrors, half a cell above the centre,
 * the air lies between liquid and image; a cell that is 1 + recess cells deep holds its liquid that
 * much denser.  whole: density for a whole kernel; open: open part of the kernel.
 */
ALWAYS_INLINE float levelset_under_lid(float whole, float open, float lid, int mirrors,
				       float recess)
{
	const float out = levelset_profile(0.5f), in = levelset_profile(-0.5f);
	/* What other solids leave open. */
	const float rest =
		open / (levelset_profile(-lid) + (mirrors ? levelset_profile(1.0f - lid) : 0.0f) +
			recess * (in - out));
	const float rho = whole / rest;
	float height = 0.0f;
	for (int n = 0; n < 5; ++n) {
		const float below = levelset_profile(height), image = 1.0f + height;
		const float more = below + recess * max_float(below - out, 0.0f) +
				   (mirrors ? levelset_profile(image) : 0.0f) - rho;
		const float slope =
			levelset_profile_slope(height) * (below > out ? 1.0f + recess : 1.0f) +
			(mirrors ? levelset_profile_slope(image) : 0.0f);
		height = clamp_float(height + more / max_float(slope, 0.1f), -lid, 1.0f);
	}
	return height;
}

/* Does a cell, or one above that ends there, have a lid within the reach of its kernel?  Sets the
 * cell below, the lid's height above its centre, whether a closed wall of the box is above. */
ALWAYS_INLINE int levelset_lid(const struct grid g, global const ushort *open_fraction,
			       global const ushort *volume_open, int i, int j, int k, int *below,
			       float *lid, int *mirrors)
{
	if (g.lid == 0)
		return 0;
	const int axis = lids_axis(g), side = lids_side(g), up = 2 * side - 1;
	const int here = axis == 0 ? i : axis == 1 ? j : k, at = lattice_index(g, i, j, k);
	const int cells = axis == 0 ? g.nx : axis == 1 ? g.ny : g.nz;
	*below = lids_below(g, open_fraction, i, j, k);
	*lid = *below < 0 ? 0.0f : lids_height(volume_open, at);
	*mirrors = here == (side ? cells - 1 : 0);
	if (*below >= 0)
		return 1;
	const int above = at + up * lattice_stride(g, axis);
	if (here == (side ? 0 : cells - 1) ||
	    lids_below(g, open_fraction, i + (axis == 0 ? up : 0), j + (axis == 1 ? up : 0),
		       k + (axis == 2 ? up : 0)) != at)
		return 0;
	*below = 2 * at - above;
	*lid = 1.0f + lids_height(volume_open, above);
	return *lid < LEVELSET_LID_FAR;
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
				   global const ushort *open_fraction,
				   global const ushort *volume_open, global float *phi)
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
	float lid;
	int below, mirrors;
	if (levelset_lid(g, open_fraction, volume_open, i, j, k, &below, &lid, &mirrors)) {
		const float deep = levelset_rho(sum, is_float, kernel_open, to_rho, below);
		if (deep > LEVELSET_BULK ||
		    (deep > 0.5f && deep > levelset_rho(sum, is_float, kernel_open, to_rho, at))) {
			const float open = (float)kernel_open[at] * (1.0f / FRACTION_ONE);
			const float whole =
				(is_float ? as_float(sum[at]) : (float)sum[at]) * to_rho;
			value = levelset_under_lid(whole, open, lid, mirrors,
						   lids_recess(volume_open, at));
			/* Without depth of its own, the cell is all liquid or all air, see
			 * lids_apply; air where there is more of that. */
			if (lid < LIDS_LEAST && value < 0.5f)
				value = -max_float(value, LEVELSET_TOKEN_DEPTH);
			phi[at] = value * g.h;
			return;
		}
	}
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
