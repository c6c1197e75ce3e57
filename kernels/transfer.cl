/*
 * Particles to grid and back.
 *
 * P2G accumulates in integers, so that no order of summation can change a bit: a particle's weight
 * at a face is W = rint(w 2^a) (the last corner gets the remainder, so the corners add up to 2^a),
 * its velocity component an integer V; the sums are sum W (i32) and sum W V (i64).  The velocity of
 * a face is sum WV / sum W.  PIC, FLIP: Zhu & Bridson 2005; APIC: V holds v + C (x_face - x_p),
 * Jiang et al. 2015.
 */
#include "common.h"
#include "sample.h"

#ifdef HAS_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

/* Faces with less than this share of one particle's weight hold no value. */
#define TRANSFER_MIN_WEIGHT_SHIFT 10

enum transfer_path { TRANSFER_PLAIN, TRANSFER_ATOMIC64, TRANSFER_ATOMIC32 };

/* sum += value in the way of the path.  The 32-bit pair carries when the low word wraps, which
 * exactly one of the adders sees. */
void transfer_add(global int *sum_w, global long *sum_wv, int at, int w, long wv, int path)
{
	if (path == TRANSFER_PLAIN) {
		sum_w[at] += w;
		sum_wv[at] += wv;
		return;
	}
	atomic_add(sum_w + at, w);
#ifdef HAS_INT64_ATOMICS
	if (path == TRANSFER_ATOMIC64) {
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

/* Splats one particle onto the faces of component c. */
void transfer_splat(const struct grid g, const struct splat_scale scale, int c, const float x[3],
		    float v, const float affine[3], global int *sum_w, global long *sum_wv,
		    int path)
{
	struct stencil s = sample_stencil(g, c, x);
	int one = 1 << scale.weight_bits;
	int left = one;
	/* Velocity at the lower corner: v + C (x_corner - x_p). */
	float corner_v = v;
	for (int a = 0; a < DIM; a++)
		corner_v += affine[a] * (-s.upper[a] * g.h);
#if DIM == 3
	for (int dz = 0; dz < 2; dz++)
#endif
		for (int dy = 0; dy < 2; dy++)
			for (int dx = 0; dx < 2; dx++) {
				int at = s.base + dx * s.step[0] + dy * s.step[1];
				float w = (dx ? s.upper[0] : 1.0f - s.upper[0]) *
					  (dy ? s.upper[1] : 1.0f - s.upper[1]);
				float vc = corner_v + (float)dx * (affine[0] * g.h) +
					   (float)dy * (affine[1] * g.h);
				int last = dx + dy == 2;
#if DIM == 3
				at += dz * s.step[2];
				w *= dz ? s.upper[2] : 1.0f - s.upper[2];
				vc += (float)dz * (affine[2] * g.h);
				last = last && dz;
#endif
				int weight = last ? left : convert_int_rte(w * (float)one);
				left -= weight;
				int velocity = convert_int_rte(vc * scale.to_integer);
				transfer_add(sum_w, sum_wv, c * g.lattice + at, weight,
					     (long)weight * (long)velocity, path);
			}
}

/* All components of particle p. */
void transfer_splat_particle(const struct grid g, const struct splat_scale scale,
			     global const float *position, global const float *velocity,
			     global const float *affine, int has_affine, int stride, int p,
			     global int *sum_w, global long *sum_wv, int path)
{
	float x[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	for (int c = 0; c < DIM; c++) {
		float row[3] = {0.0f, 0.0f, 0.0f};
		if (has_affine)
			for (int a = 0; a < DIM; a++)
				row[a] = affine[(c * DIM + a) * stride + p];
		transfer_splat(g, scale, c, x, velocity[c * stride + p], row, sum_w, sum_wv, path);
	}
}

/* P2G by atomics: one work-item per particle. */
kernel void transfer_p2g_atomic(const struct grid g, const struct splat_scale scale,
				global const float *position, global const float *velocity,
				global const float *affine, int has_affine, int stride, int n,
				global int *sum_w, global long *sum_wv, int path)
{
	int p = (int)get_global_id(0);
	if (p >= n)
		return;
	transfer_splat_particle(g, scale, position, velocity, affine, has_affine, stride, p, sum_w,
				sum_wv, path);
}

/*
 * P2G by blocks: one work-item owns the particles of one block and adds without atomics.  Blocks
 * of one colour (parity per axis) are a block apart, and a particle reaches one cell beyond its
 * block, so they never touch the same face.  Work-item (bx, by, bz) in half block coordinates.
 */
kernel void transfer_p2g_block(const struct grid g, const struct splat_scale scale, int colour,
			       global const uint *start, global const float *position,
			       global const float *velocity, global const float *affine,
			       int has_affine, int stride, global int *sum_w, global long *sum_wv)
{
	int bx = 2 * (int)get_global_id(0) + (colour & 1);
	int by = 2 * (int)get_global_id(1) + ((colour >> 1) & 1);
	int bz = 2 * (int)get_global_id(2) + (colour >> 2);
	if (bx >= g.bx || by >= g.by || bz >= g.bz)
		return;
	int key = ((bz * g.by + by) * g.bx + bx) * BLOCK_CELLS;
	uint end = start[key + BLOCK_CELLS];
	for (uint p = start[key]; p < end; p++)
		transfer_splat_particle(g, scale, position, velocity, affine, has_affine, stride,
					(int)p, sum_w, sum_wv, TRANSFER_PLAIN);
}

/* num/den rounded to the nearest integer, den > 0. */
long transfer_divide(long num, long den)
{
	long half_den = den / 2;
	return num >= 0 ? (num + half_den) / den : -((-num + half_den) / den);
}

/* u = sum WV / sum W on faces with enough weight; valid bit c says which.  One work-item per
 * lattice point. */
kernel void transfer_normalise(const struct grid g, const struct splat_scale scale,
			       global const int *sum_w, global const long *sum_wv,
			       global float *u_face, global uchar *valid)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	int threshold = (1 << scale.weight_bits) >> TRANSFER_MIN_WEIGHT_SHIFT;
	uchar bits = 0;
	for (int c = 0; c < DIM; c++) {
		int slot = c * g.lattice + at;
		int weight = sum_w[slot];
		float u = 0.0f;
		if (weight >= (threshold > 0 ? threshold : 1) && face_exists(g, c, i, j, k)) {
			u = convert_float_rte(transfer_divide(sum_wv[slot], (long)weight)) *
			    scale.to_velocity;
			bits |= (uchar)(1 << c);
		}
		u_face[slot] = u;
	}
	valid[at] = bits;
}

/*
 * G2P at the position of the last P2G.
 *   flip: v += blend-weighted change, v = f (v + du(x)) + (1 - f) u(x)    (PIC: f = 0)
 *   apic: v = u(x), C_ca = d u_c / d x_a, the exact gradient of the interpolant
 * One work-item per particle.
 */
kernel void transfer_g2p(const struct grid g, global const float *u_face,
			 global const float *delta_face, float flip, int apic,
			 global const float *position, global float *velocity,
			 global float *affine, int stride, int n)
{
	int p = (int)get_global_id(0);
	if (p >= n)
		return;
	float x[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	for (int c = 0; c < DIM; c++) {
		struct stencil s = sample_stencil(g, c, x);
		global const float *u_c = u_face + c * g.lattice;
		float u = sample_field(u_c, s);
		if (apic) {
			float value[1 << DIM];
			for (int q = 0; q < 1 << DIM; q++) {
				int at = s.base;
				for (int a = 0; a < DIM; a++)
					at += (q >> a & 1) * s.step[a];
				value[q] = u_c[at];
			}
			for (int a = 0; a < DIM; a++) {
				float slope = 0.0f;
				for (int q = 0; q < 1 << DIM; q++) {
					if (q >> a & 1)
						continue;
					float w = 1.0f;
					for (int b = 0; b < DIM; b++)
						if (b != a)
							w *= q >> b & 1 ? s.upper[b]
									: 1.0f - s.upper[b];
					slope += w * (value[q | 1 << a] - value[q]);
				}
				affine[(c * DIM + a) * stride + p] = slope * g.inv_h;
			}
			velocity[c * stride + p] = u;
		} else {
			float v = u;
			if (flip > 0.0f)
				v = flip * (velocity[c * stride + p] +
					    sample_field(delta_face + c * g.lattice, s)) +
				    (1.0f - flip) * u;
			velocity[c * stride + p] = v;
		}
	}
}
