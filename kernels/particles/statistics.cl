/* What particles add up to, and their greatest speed, at the end of a substep: one pass over them.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "lanes.h"
#include "pairs.h"

/* Value of quantity `what` (enum particle_sum) of particle p. */
ALWAYS_INLINE float statistics_value(global const float *position, global const float *velocity,
				     int stride, int p, int what)
{
	if (what == SUM_KINETIC) {
		float square = 0.0f;
		for (int c = 0; c < DIM; c++)
			square += velocity[c * stride + p] * velocity[c * stride + p];
		return 0.5f * square;
	}
	int c = what < SUM_VX ? what - SUM_X : what - SUM_VX;
	if (c >= DIM)
		return 0.0f;
	return what < SUM_VX ? position[c * stride + p] : velocity[c * stride + p];
}

/* Integers of particles, which any order of them gives alike: living ones, with sums of their ids'
 * hashes; of all the greatest |v|^2 and whether one is not finite. */
struct statistics_counts {
	uint living, first, second, speed, bad;
};

ALWAYS_INLINE struct statistics_counts statistics_none(void)
{
	struct statistics_counts none;
	none.living = none.first = none.second = none.speed = none.bad = 0;
	return none;
}

/* Adds particle p. */
ALWAYS_INLINE void statistics_count(const struct grid g, global const float *position,
				    global const float *velocity, global const float *affine,
				    int has_affine, global const uint *id, int stride, int p,
				    struct statistics_counts *s)
{
	float square = 0.0f;
	const uint living = id[p] != ID_REMOVED ? 1u : 0u;
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		const float v = velocity[c * stride + p], x = position[c * stride + p];
		float reach = fabs(v);
		if (has_affine) {
#pragma unroll
			for (int j = 0; j < DIM; j++)
				reach += g.h * fabs(affine[(c * DIM + j) * stride + p]);
		}
		s->bad |= !(reach < HUGE_FROM) || !(fabs(x) < HUGE_FROM);
		square += v * v;
	}
	s->speed = max(s->speed, as_uint(square));
	s->living += living;
	s->first += living * ledger_hash(id[p], LEDGER_FIRST);
	s->second += living * ledger_hash(id[p], LEDGER_SECOND);
}

void statistics_store(const struct statistics_counts s, global uint *scalars)
{
	if (s.bad)
		atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_PARTICLE);
	atomic_max(scalars + SCALAR_SPEED_AFTER, s.speed);
	atomic_add(scalars + SCALAR_LIVING, s.living);
	atomic_add(scalars + SCALAR_LIVING_FIRST, s.first);
	atomic_add(scalars + SCALAR_LIVING_SECOND, s.second);
}

/*
 * partial[from + what*chunks + chunk] = chunk sums of every quantity over the living, and the
 * counts; or, with `removed`, the sums alone over those that have been removed.  lane: pairs of
 * PARTICLE_SUMS x PAIRS_GROUP_CHUNKS x PAIRS_LANES; counts: words of struct statistics_counts.
 */
kernel void statistics_particles(const struct grid g, global const float *position,
				 global const float *velocity, global const float *affine,
				 int has_affine, global const uint *id, int stride, int n,
				 int removed, int chunks, int from, global struct pair *partial,
				 local struct pair *lane, local uint *counts, global uint *scalars)
{
	const int lanes = PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	const int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	struct statistics_counts own = statistics_none();
	for (int w = (int)get_local_id(0); w < STATISTICS_COUNTS; w += (int)get_local_size(0))
		counts[w] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int w = (int)get_local_id(0); w < lanes; w += (int)get_local_size(0)) {
		const int start = (first + w / PAIRS_LANES) * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
		float high[PARTICLE_SUMS], low[PARTICLE_SUMS];
		for (int what = 0; what < PARTICLE_SUMS; what++)
			high[what] = low[what] = 0.0f;
		for (int p = start; p < n && p < start + PAIRS_CHUNK; p += PAIRS_LANES) {
			if (!removed)
				statistics_count(g, position, velocity, affine, has_affine, id,
						 stride, p, &own);
			if ((id[p] == ID_REMOVED) != removed)
				continue;
#pragma unroll
			for (int what = 0; what < PARTICLE_SUMS; what++)
				pairs_accumulate(
					&high[what], &low[what],
					statistics_value(position, velocity, stride, p, what),
					1.0f);
		}
		for (int what = 0; what < PARTICLE_SUMS; what++)
			lane[what * lanes + w] = pair_of(high[what], low[what]);
	}
	if (!removed) {
		atomic_add(counts, own.living);
		atomic_add(counts + 1, own.first);
		atomic_add(counts + 2, own.second);
		atomic_max(counts + 3, own.speed);
		atomic_max(counts + 4, own.bad);
	}
	for (int what = 0; what < PARTICLE_SUMS; what++)
		pairs_store_chunks(lane + what * lanes, PAIRS_GROUP_CHUNKS, first, chunks,
				   partial + from + what * chunks);
	if (get_local_id(0) == 0 && !removed) {
		own.living = counts[0];
		own.first = counts[1];
		own.second = counts[2];
		own.speed = counts[3];
		own.bad = counts[4];
		statistics_store(own, scalars);
	}
}

#ifndef FRESHET_NATIVE
/* The values of 16 particles from p on. */
float16 statistics_16_values(global const float *position, global const float *velocity, int stride,
			     int p, int what)
{
	if (what == SUM_KINETIC) {
		float16 square = (float16)(0.0f);
		for (int c = 0; c < DIM; c++) {
			float16 v = vload16(0, velocity + c * stride + p);
			square += v * v;
		}
		return 0.5f * square;
	}
	int c = what < SUM_VX ? what - SUM_X : what - SUM_VX;
	if (c >= DIM)
		return (float16)(0.0f);
	return vload16(0, (what < SUM_VX ? position : velocity) + c * stride + p);
}

/* pairs_accumulate() in 16 lanes, where `counts` is not 0. */
void statistics_16_accumulate(float16 *high, float16 *low, float16 value, int16 counts)
{
	float16 sum = *high + value, part = sum - *high;
	float16 error = (*high - (sum - part)) + (value - part);
	*low = counts ? *low + (error + 0.0f) : *low;
	*high = counts ? sum : *high;
}

#endif /* FRESHET_NATIVE */

/* Chunk sum of quantity `what` over the particles first .. end-1. */
struct pair statistics_chunk_sum(global const float *position, global const float *velocity,
				 global const uint *id, int stride, int first, int end, int removed,
				 int what)
{
	float each_high[PAIRS_LANES], each_low[PAIRS_LANES];
	int p = first;
	for (int t = 0; t < PAIRS_LANES; t++)
		each_high[t] = each_low[t] = 0.0f;
#ifndef FRESHET_NATIVE
	float16 high[PAIRS_LANES / 16], low[PAIRS_LANES / 16];
	for (int h = 0; h < PAIRS_LANES / 16; h++)
		high[h] = low[h] = (float16)(0.0f);
	for (; p <= end - PAIRS_LANES; p += PAIRS_LANES)
#pragma unroll
		for (int h = 0; h < PAIRS_LANES / 16; h++) {
			int at = p + 16 * h;
			statistics_16_accumulate(
				&high[h], &low[h],
				statistics_16_values(position, velocity, stride, at, what),
				(vload16(0, id + at) == ID_REMOVED) == (int16)(removed ? -1 : 0));
		}
	for (int h = 0; h < PAIRS_LANES / 16; h++) {
		vstore16(high[h], h, each_high);
		vstore16(low[h], h, each_low);
	}
#endif /* FRESHET_NATIVE */
	/* The last row of a chunk that is not full. */
	for (; p < end; p += PAIRS_LANES)
		for (int t = 0; t < PAIRS_LANES; t++)
			if (p + t < end && (id[p + t] == ID_REMOVED) == removed)
				pairs_accumulate(
					&each_high[t], &each_low[t],
					statistics_value(position, velocity, stride, p + t, what),
					1.0f);
	return pairs_fold(each_high, each_low);
}

/* The same with the lanes as vectors, for CPUs.  One work-item per chunk, which stays in the cache
 * while it is gone through. */
kernel void statistics_particles_lanes(const struct grid g, global const float *position,
				       global const float *velocity, global const float *affine,
				       int has_affine, global const uint *id, int stride, int n,
				       int removed, int chunks, int from,
				       global struct pair *partial, global uint *scalars)
{
	const int chunk = (int)get_global_id(0), first = chunk * PAIRS_CHUNK;
	if (chunk >= chunks)
		return;
	const int end = n - first < PAIRS_CHUNK ? n : first + PAIRS_CHUNK;
	struct statistics_counts own = statistics_none();
	for (int p = first; p < end && !removed; p++)
		statistics_count(g, position, velocity, affine, has_affine, id, stride, p, &own);
	if (!removed)
		statistics_store(own, scalars);
	for (int what = 0; what < PARTICLE_SUMS; what++)
		partial[from + what * chunks + chunk] = statistics_chunk_sum(
			position, velocity, id, stride, first, end, removed, what);
}
