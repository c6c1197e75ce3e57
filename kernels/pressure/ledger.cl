/* The ledger: what walls pushed, what the drift correction moved. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "faces.h"
#include "kick.h"
#include "mg.h"
#include "pairs.h"

/*
 * Push of closed faces on the liquid cell `at` = here[] along `axis`, as q: the pressure at the
 * face is the cell's and the weight of the half cell between (its kick).  In the sum over cells
 * what acts between them cancels.  has_force: force has more of that weight.
 */
float ledger_push(const struct grid g, const struct mg_level level, global const float *q,
		  global const uchar *cell_type, global const float *phi,
		  global const ushort *open_fraction, global const uchar *opened,
		  const struct kick kick, global const float *force, int has_force, int at,
		  const int here[3], int cells, int axis)
{
	float own = q[mg_at_cell(level, here[0], here[1], here[2])], push = 0.0f;
	for (int side = 0; side < 2; side++) {
		struct face f = faces_of_cell(g, cell_type, phi, open_fraction, opened, at,
					      here[axis], cells, axis, side);
		float closed = f.kind == FACE_CLOSED ? 1.0f : 1.0f - f.area;
		float out = side ? 1.0f : -1.0f;
		float weight =
			forces_kick(kick, axis, here[0] + (axis == 0) * side,
				    here[1] + (axis == 1) * side, here[2] + (axis == 2) * side);
		if (has_force)
			weight += force[axis * g.lattice + at + side * lattice_stride(g, axis)];
		push -= out * closed * (own + 0.5f * out * weight);
	}
	return push;
}

/*
 * partial[sums + axis*chunks + chunk] = chunk sums of the push over the lattice, of listed
 * chunks.  Most cells have no wall, and add nothing.  lane: PAIRS_FINAL_LANES pairs for each axis.
 */
kernel void ledger_walls(global const int *bricks, const struct brick_run run, const struct grid g,
			 const struct mg_level level, global const float *q,
			 global const uchar *cell_type, global const float *phi,
			 global const ushort *open_fraction, global const uchar *opened,
			 const struct kick kick, global const float *force, int has_force,
			 int has_solids, int chunks, int sums, global struct pair *partial,
			 local struct pair *lane)
{
	const int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	const int cells[3] = {g.nx, g.ny, g.nz};
	for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	     w += (int)get_local_size(0)) {
		const int chunk = bricks_chunk(bricks, run, first + w / PAIRS_LANES);
		const int from =
			chunk < 0 ? g.lattice : chunk * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
		int here[3] = {modulo(from, g.px), modulo(from / g.px, g.py), from / g.px / g.py};
		float high[DIM], low[DIM];
		for (int axis = 0; axis < DIM; axis++)
			high[axis] = low[axis] = 0.0f;
		for (int at = from; at < g.lattice && at < from + PAIRS_CHUNK; at += PAIRS_LANES) {
			if (cell_type[at] == CELL_LIQUID) {
#pragma unroll
				for (int axis = 0; axis < DIM; axis++)
					if (has_solids || here[axis] == 0 ||
					    here[axis] == cells[axis] - 1)
						pairs_accumulate(&high[axis], &low[axis],
								 ledger_push(g, level, q, cell_type,
									     phi, open_fraction,
									     opened, kick, force,
									     has_force, at, here,
									     cells[axis], axis),
								 1.0f);
			}
			lattice_advance(g, here, PAIRS_LANES);
		}
		for (int axis = 0; axis < DIM; axis++)
			lane[axis * PAIRS_FINAL_LANES + w] = pair_of(high[axis], low[axis]);
	}
	for (int axis = 0; axis < DIM; axis++)
		pairs_store_listed(lane + axis * PAIRS_FINAL_LANES, PAIRS_GROUP_CHUNKS, first,
				   bricks, run, partial + sums + axis * chunks);
}

/* Chunk sums, of listed chunks, of the positive elements of b at partial + sums, then at
 * + chunks of the negative ones. */
kernel void ledger_drift(global const int *bricks, const struct brick_run run,
			 global const float *b, int n, int chunks, int sums,
			 global struct pair *partial, local struct pair *lane)
{
	int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	for (int sign = 0; sign < 2; sign++) {
		for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
		     w += (int)get_local_size(0)) {
			int chunk = bricks_chunk(bricks, run, first + w / PAIRS_LANES);
			int start = chunk < 0 ? n : chunk * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
			float high = 0.0f, low = 0.0f;
			for (int t = 0; t < PAIRS_CHUNK; t += PAIRS_LANES) {
				float value = start + t < n ? b[start + t] : 0.0f;
				if (sign ? value < 0.0f : value > 0.0f)
					pairs_accumulate(&high, &low, value, 1.0f);
			}
			lane[w] = pair_of(high, low);
		}
		pairs_store_listed(lane, PAIRS_GROUP_CHUNKS, first, bricks, run,
				   partial + sums + sign * chunks);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}
