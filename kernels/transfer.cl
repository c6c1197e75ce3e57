/*
 * Particles to grid and back.
 *
 * P2G accumulates in integers, so that no order of summation can change a bit: a particle's weight
 * at a face is W = rint(w 2^a) (the greatest gets the remainder, so they add up to 2^a),
 * its velocity component an integer V; the sums are sum W (i32) and sum W V (i64).  The velocity of
 * a face is sum WV / sum W.  PIC, FLIP: Zhu & Bridson 2005; APIC: V holds v + C (x_face - x_p),
 * Jiang et al. 2015.
 */
#include "common.h"
#include "sample.h"

#ifdef HAS_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

/* Faces with a lower weight sum hold no value.  One unit is enough: weights are not negative and V
 * is exact, so that the mean is one of the particles' velocities however small the weight. */
#define TRANSFER_MIN_WEIGHT 1

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

/*
 * What one particle gives to the faces of one component: weights W and integer velocities V of the
 * corners, corner q at base + (q & 1, q >> 1 & 1, q >> 2) steps.  Corner weights are computed as a
 * vector; the greatest one gets the remainder, so that the weights add up to 2^a exactly.
 */
#define TRANSFER_CORNERS (1 << DIM)
#if DIM == 2
typedef float4 transfer_floats;
typedef int4 transfer_ints;
typedef long4 transfer_longs;
#define TRANSFER_CORNER ((int4)(0, 1, 2, 3))
#define transfer_to_ints(x) convert_int4_rte(x)
#define transfer_to_longs(x) convert_long4(x)
#else
typedef float8 transfer_floats;
typedef int8 transfer_ints;
typedef long8 transfer_longs;
#define TRANSFER_CORNER ((int8)(0, 1, 2, 3, 4, 5, 6, 7))
#define transfer_to_ints(x) convert_int8_rte(x)
#define transfer_to_longs(x) convert_long8(x)
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
	int given = part.weight.s0 + part.weight.s1 + part.weight.s2 + part.weight.s3;
#if DIM == 3
	greatest |= (z1 > 0.5f) << 2;
	given += part.weight.s4 + part.weight.s5 + part.weight.s6 + part.weight.s7;
#endif
	int rest = (1 << scale.weight_bits) - given;
	part.weight +=
		select((transfer_ints)(0), (transfer_ints)(rest), TRANSFER_CORNER == greatest);
	part.velocity = transfer_to_ints(u * scale.to_integer);
	return part;
}

/* The corners one by one. */
void transfer_unpack(const struct transfer_part part, int weight[TRANSFER_CORNERS],
		     int velocity[TRANSFER_CORNERS])
{
#if DIM == 2
	vstore4(part.weight, 0, weight);
	vstore4(part.velocity, 0, velocity);
#else
	vstore8(part.weight, 0, weight);
	vstore8(part.velocity, 0, velocity);
#endif
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

/* Adds two corners that are neighbours in x, without atomics. */
void transfer_add_pair(global int *sum_w, global long *sum_wv, int at, int2 w, long2 wv)
{
	vstore2(vload2(0, sum_w + at) + w, 0, sum_w + at);
	vstore2(vload2(0, sum_wv + at) + wv, 0, sum_wv + at);
}

/* All components of particle p by plain adds; every axis has two samples or more. */
void transfer_splat_plain(const struct grid g, const struct splat_scale scale,
			  global const float *position, global const float *velocity,
			  global const float *affine, int has_affine, int stride, int p,
			  global int *sum_w, global long *sum_wv)
{
	float x[3], row[3];
	for (int c = 0; c < DIM; c++) {
		transfer_load(position, affine, has_affine, stride, p, c, x, row);
		struct transfer_part part =
			transfer_split(g, scale, c, x, velocity[c * stride + p], row);
		transfer_longs wv =
			transfer_to_longs(part.weight) * transfer_to_longs(part.velocity);
		int at = c * g.lattice + part.s.base;
		transfer_add_pair(sum_w, sum_wv, at, part.weight.s01, wv.s01);
		transfer_add_pair(sum_w, sum_wv, at + part.s.step[1], part.weight.s23, wv.s23);
#if DIM == 3
		at += part.s.step[2];
		transfer_add_pair(sum_w, sum_wv, at, part.weight.s45, wv.s45);
		transfer_add_pair(sum_w, sum_wv, at + part.s.step[1], part.weight.s67, wv.s67);
#endif
	}
}

/* Lattice points around a block that its particles reach: one below, one above. */
#if DIM == 2
#define TRANSFER_TILE (BLOCK_EDGE_2D + 2)
#define TRANSFER_TILE_POINTS (TRANSFER_TILE * TRANSFER_TILE)
#define TRANSFER_EDGE BLOCK_EDGE_2D
#else
#define TRANSFER_TILE (BLOCK_EDGE_3D + 2)
#define TRANSFER_TILE_POINTS (TRANSFER_TILE * TRANSFER_TILE * TRANSFER_TILE)
#define TRANSFER_EDGE BLOCK_EDGE_3D
#endif

/* Place in the tile of lattice index `at`; (ox,oy,oz): lattice point of the tile's corner. */
int transfer_tile_at(const struct grid g, int at, int ox, int oy, int oz)
{
	int i = at % g.px - ox, j = at / g.px % g.py - oy, k = at / g.px / g.py - oz;
	return (k * TRANSFER_TILE + j) * TRANSFER_TILE + i;
}

/*
 * P2G by atomics, in a tile of local memory first: one work-group per block.  The tile holds, per
 * component, weight sums and the low and high words of the momentum sums; what is not zero goes to
 * the grid with global atomics at the end.  A work-item takes a run of particles, so that
 * neighbouring items work on different cells.
 */
kernel void transfer_p2g_tile(const struct grid g, const struct splat_scale scale,
			      global const uint *start, global const float *position,
			      global const float *velocity, global const float *affine,
			      int has_affine, int stride, global int *sum_w, global long *sum_wv,
			      int path, local uint *tile)
{
	int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
	int block = (int)get_group_id(0);
	local int *tile_w = (local int *)tile;
	local uint *low = tile + DIM * TRANSFER_TILE_POINTS;
	local uint *high = low + DIM * TRANSFER_TILE_POINTS;
	int bx = block % g.bx, by = block / g.bx % g.by, bz = block / g.bx / g.by;
	int ox = bx * TRANSFER_EDGE - 1, oy = by * TRANSFER_EDGE - 1;
	int oz = DIM == 3 ? bz * TRANSFER_EDGE - 1 : 0;
	for (int n = lane; n < 3 * DIM * TRANSFER_TILE_POINTS; n += lanes)
		tile[n] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	int from = (int)start[block * BLOCK_CELLS], to = (int)start[(block + 1) * BLOCK_CELLS];
	int run = (to - from + lanes - 1) / lanes;
	int first = from + lane * run, end = first + run < to ? first + run : to;
	for (int p = first; p < end; p++) {
		float x[3], row[3];
		for (int c = 0; c < DIM; c++) {
			transfer_load(position, affine, has_affine, stride, p, c, x, row);
			struct transfer_part part =
				transfer_split(g, scale, c, x, velocity[c * stride + p], row);
			int weight[TRANSFER_CORNERS], v[TRANSFER_CORNERS];
			transfer_unpack(part, weight, v);
			int base = c * TRANSFER_TILE_POINTS +
				   transfer_tile_at(g, part.s.base, ox, oy, oz);
			for (int q = 0; q < TRANSFER_CORNERS; q++) {
				int at = base + ((q & 1) && part.s.step[0] ? 1 : 0) +
					 ((q & 2) && part.s.step[1] ? TRANSFER_TILE : 0);
#if DIM == 3
				at += (q & 4) && part.s.step[2] ? TRANSFER_TILE * TRANSFER_TILE : 0;
#endif
				ulong wv = (ulong)((long)weight[q] * (long)v[q]);
				atomic_add(tile_w + at, weight[q]);
				uint add = (uint)wv;
				uint old = atomic_add(low + at, add);
				uint carry = (uint)(wv >> 32) + (old + add < add ? 1u : 0u);
				if (carry)
					atomic_add(high + at, carry);
			}
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int n = lane; n < DIM * TRANSFER_TILE_POINTS; n += lanes) {
		int c = n / TRANSFER_TILE_POINTS, place = n % TRANSFER_TILE_POINTS;
		ulong wv = (ulong)low[n] | (ulong)high[n] << 32;
		if (tile_w[n] == 0 && wv == 0)
			continue;
		int i = ox + place % TRANSFER_TILE, j = oy + place / TRANSFER_TILE % TRANSFER_TILE;
		int k = oz + place / (TRANSFER_TILE * TRANSFER_TILE);
		transfer_add(sum_w, sum_wv, c * g.lattice + lattice_index(g, i, j, k), tile_w[n],
			     (long)wv, path);
	}
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
	/* Along an axis of one cell the upper corner is the lower one: no pairs. */
	int thin = g.nx == 1 || g.ny == 1;
#if DIM == 3
	thin |= g.nz == 1;
#endif
	for (uint p = start[key]; p < end; p++)
		if (thin)
			transfer_splat_each(g, scale, position, velocity, affine, has_affine,
					    stride, (int)p, sum_w, sum_wv, TRANSFER_PLAIN);
		else
			transfer_splat_plain(g, scale, position, velocity, affine, has_affine,
					     stride, (int)p, sum_w, sum_wv);
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
	uchar bits = 0;
	for (int c = 0; c < DIM; c++) {
		int slot = c * g.lattice + at;
		int weight = sum_w[slot];
		float u = 0.0f;
		if (weight >= TRANSFER_MIN_WEIGHT && face_exists(g, c, i, j, k)) {
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
			 global const float *position, global float *velocity, global float *affine,
			 int stride, int n)
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
			float gradient[DIM];
			sample_gradient(u_c, s, g.inv_h, gradient);
			for (int a = 0; a < DIM; a++)
				affine[(c * DIM + a) * stride + p] = gradient[a];
			velocity[c * stride + p] = u;
		} else {
			float v = u;
			if (flip > 0.0f)
				v = flip * (velocity[c * stride + p] +
					    sample_field(delta_face + c * g.lattice, s)) +
				    (1.0f - flip) * u;
			velocity[c * stride + p] = fabs(v) < 0x1p-100f ? 0.0f : v;
		}
	}
}
