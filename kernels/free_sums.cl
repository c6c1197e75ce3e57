/* Particles of a cell in any order; sums in plain floats: see free_order.h. */
#pragma OPENCL FP_CONTRACT OFF

#include "bricks.h"
#include "common.h"
#include "free_order.h"
#include "mg_state.h"
#include "pairs.h"
#include "reduce_values.h"

#ifdef FREE_ORDER
#ifndef FRESHET_NATIVE

/* For particles_canonical: any order within a cell will do. */
kernel void free_canonical(const struct grid g, global const uint *id, global const uint *start,
			   global uint *order)
{
	(void)g, (void)id, (void)start, (void)order;
}

/* As pairs_store_chunks(). */
void free_store_chunks(local const struct pair *lane, int count, int first_chunk, int chunks,
		       global struct pair *partial)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int q = (int)get_local_id(0); q < count; q += (int)get_local_size(0)) {
		float sum = 0.0f;
		for (int t = 0; t < PAIRS_LANES; t++)
			sum += lane[q * PAIRS_LANES + t].high;
		if (first_chunk + q < chunks)
			partial[first_chunk + q] = pair_of(sum, 0.0f);
	}
}

/* For cg_dot: plain floats, which no order of theirs makes equal everywhere. */
kernel void free_dot(global const int *restrict bricks, const struct brick_run run,
		     global const float *restrict a, global const float *restrict b,
		     global struct pair *restrict partial, local struct pair *restrict lane,
		     global const uint *restrict state)
{
	int chunk = bricks_chunk(bricks, run, (int)get_group_id(0)), done = state[MG_DONE] != 0;
	for (int w = (int)get_local_id(0); w < PAIRS_LANES; w += (int)get_local_size(0)) {
		float sum = 0.0f;
#pragma unroll
		for (int t = 0; t < PAIRS_CHUNK; t += PAIRS_LANES) {
			if (done)
				continue;
			int at = chunk * PAIRS_CHUNK + w + t;
			sum += a[at] * b[at];
		}
		lane[w].high = sum;
	}
	free_store_chunks(lane, 1, chunk, chunk + 1, partial);
}

/* For reduce_particles. */
kernel void free_particles(global const float *position, global const float *velocity,
			   global const uint *id, int stride, int n, int removed, int chunks,
			   global struct pair *partial, local struct pair *lane)
{
	int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	for (int what = 0; what < PARTICLE_SUMS; what++) {
		for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
		     w += (int)get_local_size(0)) {
			int start =
				(first + w / PAIRS_LANES) * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
			float sum = 0.0f;
			for (int t = 0; t < PAIRS_CHUNK; t += PAIRS_LANES)
				if (start + t < n && (id[start + t] == ID_REMOVED) == removed)
					sum += reduce_particle_value(position, velocity, stride,
								     start + t, what);
			lane[w].high = sum;
		}
		free_store_chunks(lane, PAIRS_GROUP_CHUNKS, first, chunks, partial + what * chunks);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* For reduce_particles_lanes. */
kernel void free_particles_lanes(global const float *position, global const float *velocity,
				 global const uint *id, int stride, int n, int removed, int chunks,
				 global struct pair *partial)
{
	int chunk = (int)get_global_id(0), first = chunk * PAIRS_CHUNK;
	if (chunk >= chunks)
		return;
	int end = n - first < PAIRS_CHUNK ? n : first + PAIRS_CHUNK;
	for (int what = 0; what < PARTICLE_SUMS; what++) {
		float16 sum = (float16)(0.0f);
		int p = first;
		for (; p <= end - 16; p += 16)
			sum += (vload16(0, id + p) == ID_REMOVED) == (int16)(removed ? -1 : 0)
				       ? reduce_16_values(position, velocity, stride, p, what)
				       : (float16)(0.0f);
		float8 half_sum = sum.lo + sum.hi;
		float4 quarter = half_sum.lo + half_sum.hi;
		float total = (quarter.x + quarter.y) + (quarter.z + quarter.w);
		for (; p < end; p++)
			if ((id[p] == ID_REMOVED) == removed)
				total += reduce_particle_value(position, velocity, stride, p, what);
		partial[what * chunks + chunk] = pair_of(total, 0.0f);
	}
}
#endif /* FRESHET_NATIVE */
#endif
