/*
 * Particles to grid, plainly (docs/method.md#particles-to-grid).  On every face
 *
 *   u* = unit sum_p W_p V_p / sum_p W_p,
 *   W = round(w 2^bits),   V = round((v_p + C_p (x_face - x_p)) / unit),
 *
 * w the (bi/tri)linear weight of particle p at the face, bits = scale.weight_bits, unit =
 * scale.to_velocity, m/s, a power of two; scale.to_integer = 1 / unit.  (docs/method.md calls them
 * a and s.)  PIC and FLIP have no C (Zhu & Bridson 2005); that of APIC is of Jiang et al. 2015.
 * W, V and the sums are integers, so no order of particles changes a bit: transfer_p2g_brick
 * (transfer.cl, for GPUs) and transfer_p2g_block (transfer_block.cl, for CPUs) give these sums
 * (tests/device/device_reference.c).
 */
#ifndef FRESHET_P2G_REFERENCE_H
#define FRESHET_P2G_REFERENCE_H

#include "common.h"
#include "sample.h"

/* What a particle gives to the faces of one component around it: corner q of stencil s. */
struct p2g_share {
	struct stencil s;
	int weight[STENCIL_CORNERS], velocity[STENCIL_CORNERS]; /* W, V */
};

/* The faces of component c around particle p.  Component a of a particle's position is
 * position[a stride + p]; velocity and the rows of C lie likewise, so stride is the room for
 * particles. */
struct stencil p2g_stencil(const struct grid g, global const float *position, int stride, int p,
			   int c)
{
	float x[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	return sample_stencil(g, c, x);
}

/* Of particle p to them, s. */
struct p2g_share p2g_share(const struct grid g, const struct splat_scale scale,
			   const struct stencil s, global const float *velocity,
			   global const float *affine, int has_affine, int stride, int p, int c)
{
	struct p2g_share share;
	float slope[DIM]; /* row c of C */
	for (int a = 0; a < DIM; a++)
		slope[a] = has_affine ? affine[(c * DIM + a) * stride + p] : 0.0f;
	/* v + C (x_face - x_p) at corner 0; other corners add C times their way from there. */
	float first = velocity[c * stride + p];
	int greatest = 0, rest = 1 << scale.weight_bits;
	for (int a = 0; a < DIM; a++) {
		first += slope[a] * (-s.upper[a] * g.h);
		greatest |= (s.upper[a] > 0.5f) << a;
	}
#pragma unroll
	for (int q = 0; q < STENCIL_CORNERS; q++) {
		const float w = stencil_weight(s, q);
		float from_first = 0.0f; /* C (x_face - x of corner 0) */
		for (int a = 0; a < DIM; a++)
			from_first += q >> a & 1 ? slope[a] * g.h : 0.0f;
		share.velocity[q] = convert_int_rte((from_first + first) * scale.to_integer);
		share.weight[q] = convert_int_rte(w * (float)(1 << scale.weight_bits));
		/* A face that a particle reaches holds a value, however little. */
		if (w > 0.0f && share.weight[q] == 0)
			share.weight[q] = 1;
		rest -= share.weight[q];
	}
	/* The greatest weight takes what rounding leaves: a particle's add up to 2^bits, none
	 * is < 0. */
#pragma unroll
	for (int q = 0; q < STENCIL_CORNERS; q++)
		share.weight[q] += q == greatest ? rest : 0;
	share.s = s;
	return share;
}

/* Adds particle p to the sums of the faces around it, i32 and i64 [D][L]. */
void p2g_reference(const struct grid g, const struct splat_scale scale,
		   global const float *position, global const float *velocity,
		   global const float *affine, int has_affine, int stride, int p, global int *sum_w,
		   global long *sum_wv)
{
	for (int c = 0; c < DIM; c++) {
		const struct stencil s = p2g_stencil(g, position, stride, p, c);
		const struct p2g_share share =
			p2g_share(g, scale, s, velocity, affine, has_affine, stride, p, c);
#pragma unroll
		for (int q = 0; q < STENCIL_CORNERS; q++) {
			const int face = c * g.lattice + stencil_at(share.s, q);
			sum_w[face] += share.weight[q];
			sum_wv[face] += (long)share.weight[q] * (long)share.velocity[q];
		}
	}
}

/* u* of a face, m/s: the quotient of its sums, to the nearest integer.  sum_w > 0. */
float p2g_velocity(const struct splat_scale scale, int sum_w, long sum_wv)
{
	const long w = sum_w, half_w = w / 2;
	const long v = sum_wv >= 0 ? (sum_wv + half_w) / w : -((half_w - sum_wv) / w);
	return convert_float_rte(v) * scale.to_velocity;
}

#endif
