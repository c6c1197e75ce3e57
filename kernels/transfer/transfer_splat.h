/* What one particle gives to the faces around it, and ways to add it to the sums (P2G, see
 * transfer.cl). */
#ifndef FRESHET_TRANSFER_SPLAT_H
#define FRESHET_TRANSFER_SPLAT_H

#include "common.h"
#include "sample.h"

/* Cells of a block per axis. */
#define TRANSFER_EDGE BLOCK_EDGE(DIM)

#ifdef HAS_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

/* sum += value in the way of the path.  The 32-bit pair carries when the low word wraps, which
 * exactly one of the adders sees. */
void transfer_add(global int *sum_w, global long *sum_wv, int at, int w, long wv, int path)
{
	if (path == SPLAT_BLOCK) {
		sum_w[at] += w;
		sum_wv[at] += wv;
		return;
	}
	atomic_add(sum_w + at, w);
#ifdef HAS_INT64_ATOMICS
	if (path == SPLAT_ATOMIC64) {
		atom_add(sum_wv + at, wv);
		return;
	}
#endif
	volatile global uint *words = (volatile global uint *)(sum_wv + at);
	uint low = (uint)(ulong)wv, high = (uint)((ulong)wv >> 32);
	uint old = atomic_add(words, low);
	uint carry = old + low < low ? 1u : 0u;
	if (high + carry != 0u)
		atomic_add(words + 1, high + carry);
}

/*
 * What one particle gives to the faces of one component: weights W and integer velocities V of the
 * corners, corner q at base + (q & 1, q >> 1 & 1, q >> 2) steps.  Corner weights are computed as a
 * vector; the greatest one gets the remainder, so that the weights add up to 2^a exactly.
 */
#define TRANSFER_CORNERS (1 << DIM)
#if DIM == 2
typedef float4 transfer_floats;
typedef int4 transfer_ints;
#define TRANSFER_CORNER ((int4)(0, 1, 2, 3))
#define transfer_to_ints(x) convert_int4_rte(x)
#define transfer_store(x, to) vstore4(x, 0, to)
#else
typedef float8 transfer_floats;
typedef int8 transfer_ints;
#define TRANSFER_CORNER ((int8)(0, 1, 2, 3, 4, 5, 6, 7))
#define transfer_to_ints(x) convert_int8_rte(x)
#define transfer_store(x, to) vstore8(x, 0, to)
#endif

struct transfer_part {
	struct stencil s;
	transfer_ints weight, velocity;
};

struct transfer_part transfer_split(const struct grid g, const struct splat_scale scale, int c,
				    const float x[3], float v, const float affine[3])
{
	struct transfer_part part;
	struct stencil s = sample_stencil(g, c, x);
	float one = (float)(1 << scale.weight_bits);
	part.s = s;
	/* Velocity at corner (dx, dy, dz): v + C (x_corner - x_p). */
	float corner = v;
	for (int a = 0; a < DIM; a++)
		corner += affine[a] * (-s.upper[a] * g.h);
	float step_x = affine[0] * g.h, step_y = affine[1] * g.h;
	float x1 = s.upper[0], x0 = 1.0f - x1, y1 = s.upper[1], y0 = 1.0f - y1;
#if DIM == 2
	transfer_floats w = (float4)(x0, x1, x0, x1) * (float4)(y0, y0, y1, y1);
	transfer_floats u = (float4)(0.0f, step_x, 0.0f, step_x) +
			    (float4)(0.0f, 0.0f, step_y, step_y) + corner;
#else
	float z1 = s.upper[2], z0 = 1.0f - z1, step_z = affine[2] * g.h;
	transfer_floats w = (float8)(x0, x1, x0, x1, x0, x1, x0, x1) *
			    (float8)(y0, y0, y1, y1, y0, y0, y1, y1) *
			    (float8)(z0, z0, z0, z0, z1, z1, z1, z1);
	transfer_floats u = (float8)(0.0f, step_x, 0.0f, step_x, 0.0f, step_x, 0.0f, step_x) +
			    (float8)(0.0f, 0.0f, step_y, step_y, 0.0f, 0.0f, step_y, step_y) +
			    (float8)(0.0f, 0.0f, 0.0f, 0.0f, step_z, step_z, step_z, step_z) +
			    corner;
#endif
	/* The corner of the greatest weight takes the rounding, so that no weight is negative. */
	int greatest = (x1 > 0.5f) | (y1 > 0.5f) << 1;
	part.weight = transfer_to_ints(w * one);
	/* No weight is lost to rounding: a face that a particle reaches holds a value. */
	part.weight = select(part.weight, (transfer_ints)(1), (part.weight == 0) & (w > 0.0f));
#if DIM == 3
	greatest |= (z1 > 0.5f) << 2;
#endif
	/* One by one, not as a sum of the vector's elements: docs/portability.md. */
	int each[TRANSFER_CORNERS], rest = 1 << scale.weight_bits;
	transfer_store(part.weight, each);
	for (int q = 0; q < TRANSFER_CORNERS; q++)
		rest -= each[q];
	part.weight +=
		select((transfer_ints)(0), (transfer_ints)(rest), TRANSFER_CORNER == greatest);
	part.velocity = transfer_to_ints(u * scale.to_integer);
	return part;
}

/* The corners one by one. */
void transfer_unpack(const struct transfer_part part, int weight[TRANSFER_CORNERS],
		     int velocity[TRANSFER_CORNERS])
{
	transfer_store(part.weight, weight);
	transfer_store(part.velocity, velocity);
}

/* Position and row c of the affine matrix of particle p. */
void transfer_load(global const float *position, global const float *affine, int has_affine,
		   int stride, int p, int c, float x[3], float row[3])
{
	for (int a = 0; a < 3; a++)
		x[a] = row[a] = 0.0f;
	for (int a = 0; a < DIM; a++) {
		x[a] = position[a * stride + p];
		if (has_affine)
			row[a] = affine[(c * DIM + a) * stride + p];
	}
}

/* All components of particle p, corner by corner, in the way of the path. */
void transfer_splat_each(const struct grid g, const struct splat_scale scale,
			 global const float *position, global const float *velocity,
			 global const float *affine, int has_affine, int stride, int p,
			 global int *sum_w, global long *sum_wv, int path)
{
	float x[3], row[3];
	for (int c = 0; c < DIM; c++) {
		transfer_load(position, affine, has_affine, stride, p, c, x, row);
		struct transfer_part part =
			transfer_split(g, scale, c, x, velocity[c * stride + p], row);
		int weight[TRANSFER_CORNERS], v[TRANSFER_CORNERS];
		transfer_unpack(part, weight, v);
		for (int q = 0; q < TRANSFER_CORNERS; q++) {
			int at = c * g.lattice + part.s.base;
			for (int a = 0; a < DIM; a++)
				at += (q >> a & 1) * part.s.step[a];
			transfer_add(sum_w, sum_wv, at, weight[q], (long)weight[q] * (long)v[q],
				     path);
		}
	}
}

#endif
