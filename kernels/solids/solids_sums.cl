/*
 * Density sums without what solids cut off: taken out again, to the bit, of the cells that a
 * particle's own does not reach.  The level set's only where solids split cells (solids_sides.cl);
 * it takes no notice of what cells inside solids hold.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "collide.h"
#include "common.h"
#include "density_reference.h"
#include "solids_weights.h"

/* No kernel of a particle reaches what a solid so many cells away cuts off. */
#define SOLIDS_SUMS (DENSITY_RADIUS + 2.0f)

/* The cell of a particle, and its place; 0 if no solid is within the reach of its kernels. */
ALWAYS_INLINE int solids_sums_near(const struct grid g, global const float *position, int stride,
				   int p, global const float *solid_phi, float x[3], int cell[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	for (int axis = 0; axis < 3; ++axis) {
		x[axis] = axis < DIM ? position[axis * stride + p] : 0.0f;
		cell[axis] = clamp_int(floor_int(x[axis] * g.inv_h), 0, cells[axis] - 1);
	}
	return !collide_is_far(g, solid_phi, x, SOLIDS_SUMS * g.h) &&
	       collide_solid_phi(g, solid_phi, x) <= SOLIDS_SUMS * g.h;
}

/* Takes a particle's density out of the cells that its own does not reach. */
void solids_cut_kernel(const struct grid g, int bits, global const float *position, int stride,
		       int p, const int cell[3], const struct solids_view *view, global uint *sum)
{
	float x[3];
	int first[3];
	density_place(g, position, stride, p, x, first);
	for (int k = first[2]; k < first[2] + DENSITY_REACH_Z; ++k)
		for (int j = first[1]; j < first[1] + DENSITY_REACH; ++j)
			for (int i = first[0]; i < first[0] + DENSITY_REACH; ++i) {
				const int to[3] = {levelset_fold(g, 0, i, g.nx),
						   levelset_fold(g, 1, j, g.ny),
						   DIM == 3 ? levelset_fold(g, 2, k, g.nz) : 0};
				if (!cell_exists(g, to[0], to[1], to[2]) ||
				    solids_is_seen(view, cell, to))
					continue;
				const uint cut = density_kernel(x, i, j, k, (float)(1 << bits));
				if (cut)
					atomic_add(sum + lattice_index(g, to[0], to[1], to[2]),
						   0u - cut);
			}
}

/* From the sums of density_reference(), images included.  One work-item per SOLIDS_SUMS_RUN
 * particles.
 */
kernel void solids_cut_density(const struct grid g, int bits, global const float *position,
			       int stride, int n, global const float *solid_phi,
			       global const ushort *open_fraction, global uint *sum)
{
	const int first = (int)get_global_id(0) * SOLIDS_SUMS_RUN;
	struct solids_view view;
	view.of = -1;
	for (int p = first; p < min_int(first + SOLIDS_SUMS_RUN, n); ++p) {
		int cell[3];
		float x[3];
		if (!solids_sums_near(g, position, stride, p, solid_phi, x, cell))
			continue;
		solids_look(g, open_fraction, cell, &view);
		if (!view.whole)
			solids_cut_kernel(g, bits, position, stride, p, cell, &view, sum);
	}
}

/* Gives the linear weights of a particle at x that its own cell's view does not have to that cell.
 */
void solids_cut_weights(const struct grid g, int bits, const float x[3], const int cell[3],
			const struct solids_view *view, global uint *sum)
{
	const struct stencil s = sample_stencil(g, DIM, x);
	uint moved = 0;
	for (int q = 0; q < 1 << DIM; ++q) {
		float w;
		int at;
		const int reached = solids_weight(g, view, s, cell, q, &w, &at);
		const uint add = convert_uint_rte(w * (float)(1 << bits));
		if (!add || reached)
			continue;
		atomic_add(sum + at, 0u - add);
		moved += add;
	}
	if (moved)
		atomic_add(sum + lattice_index(g, cell[0], cell[1], cell[2]), moved);
}

/* From the sums of drift_reference(), to the particle's own cell.  One work-item per
 * SOLIDS_SUMS_RUN particles. */
kernel void solids_cut_drift(const struct grid g, int bits, global const float *position,
			     global const uint *id, int stride, int n,
			     global const float *solid_phi, global const ushort *open_fraction,
			     global uint *sum)
{
	const int first = (int)get_global_id(0) * SOLIDS_SUMS_RUN;
	struct solids_view view;
	view.of = -1;
	for (int p = first; p < min_int(first + SOLIDS_SUMS_RUN, n); ++p) {
		int cell[3];
		float x[3];
		if (id[p] == ID_REMOVED ||
		    !solids_sums_near(g, position, stride, p, solid_phi, x, cell))
			continue;
		solids_look(g, open_fraction, cell, &view);
		if (!view.whole)
			solids_cut_weights(g, bits, x, cell, &view, sum);
	}
}
