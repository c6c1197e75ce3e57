/* Neighbours; densities, relative to that at rest, and what they amount to. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "sph_pairs.h"

/* count[i] neighbours of particle i, the first p.slots of them in its list.  One work-item per
 * particle. */
kernel void sph_neighbours(const struct grid g, const struct sph_params p,
			   global const float *position, global const uint *start,
			   global uint *count, global uint *list)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	const struct sph_view v = {position, start, count, list, 0};
	struct sph_cursor c = sph_begin(g, p, v, i, p.slots + 1);
	struct sph_pair pair = sph_no_pair();
	int found = 0;
	while (sph_search_next(g, p, v, &c, &pair)) {
		if (found < p.slots)
			list[(long)i * p.particle_step + (long)found * p.slot_step] =
				(uint)pair.other | (uint)pair.code << SPH_INDEX_BITS;
		found++;
	}
	count[i] = (uint)found;
}

/* Fixed point of the sum of what densities are above 1. */
#define SPH_EXCESS_UNIT 0x1p24f

/*
 * s = sum of V W, its own and images; diagonal: 1 over that of the operator, |sum V grad W|^2 + sum
 * V^2 |grad W|^2 (Bender & Koschier 2015, eq. 9), 0 where that is none.  One work-item per
 * particle.
 */
kernel void sph_density(const struct grid g, const struct sph_params p,
			global const float *position, global const uint *start,
			global const uint *count, global const uint *list, global float *gradient,
			global float *density, global float *diagonal)
{
	const int i = (int)get_global_id(0);
	if (i >= p.n)
		return;
	const struct sph_view v = {position, start, count, list, gradient};
	struct sph_cursor c = sph_begin(g, p, v, i, (int)count[i]);
	struct sph_pair pair = sph_no_pair();
	float sum = p.weight * sph_weight(p.shape, 0.0f), squares = 0.0f;
	float all[3] = {0.0f, 0.0f, 0.0f};
	while (sph_next(g, p, v, &c, &pair)) {
		const float q = sqrt(pair.square) * p.inv_radius;
		const float slope = p.slope * sph_slope(p.shape, q);
		if (c.count >= 0 && p.keeps)
			gradient[(long)i * p.particle_step + (long)(c.place - 1) * p.slot_step] =
				slope;
		sum += p.weight * sph_weight(p.shape, q);
#pragma unroll
		for (int a = 0; a < DIM; a++)
			all[a] += slope * pair.apart[a];
		if (pair.code == 0)
			squares += slope * slope * pair.square;
	}
#pragma unroll
	for (int a = 0; a < DIM; a++)
		squares += all[a] * all[a];
	density[i] = sum;
	diagonal[i] = squares > p.least ? 1.0f / squares : 0.0f;
}

/* Adds 64 bits to two words. */
ALWAYS_INLINE void sph_add(volatile global uint *words, ulong sum)
{
	const uint low = (uint)sum, high = (uint)(sum >> 32);
	const uint carry = low && atomic_add(words, low) + low < low ? 1u : 0u;
	if (high + carry)
		atomic_add(words + 1, high + carry);
}

/* Sums and maxima over particles into the scalars.  Work-items stride through them. */
kernel void sph_survey(const struct sph_params p, global const uint *count,
		       global const float *density, global uint *scalars)
{
	ulong neighbours = 0, excess = 0;
	uint most = 0, densest = 0, bad = 0;
	for (int i = (int)get_global_id(0); i < p.n; i += (int)get_global_size(0)) {
		const float s = density[i];
		const uint bits = as_uint(s);
		neighbours += count[i];
		most = count[i] > most ? count[i] : most;
		bad |= !(s < HUGE_FROM) ? 1u : 0u;
		densest = bits > densest ? bits : densest;
		if (s > 1.0f)
			excess += (ulong)(clamp_float(s - 1.0f, 0.0f, 64.0f) * SPH_EXCESS_UNIT);
	}
	sph_add(scalars + SCALAR_SPH_NEIGHBOURS, neighbours);
	sph_add(scalars + SCALAR_SPH_EXCESS, excess);
	atomic_max(scalars + SCALAR_SPH_MOST, most);
	atomic_max(scalars + SCALAR_SPH_DENSEST, densest);
	if (bad)
		atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_PARTICLE);
}
