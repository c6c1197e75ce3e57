/* Force fields: what they add to the velocity on faces, and what they do to the particles. */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "force_confinement.h"
#include "force_params.h"
#include "force_wind.h"
#include "kick.h"
#include "loop_guard.h"
#include "pairs.h"
#include "sample.h"
#include "shape.h"

/* ---- vorticity ----------------------------------------------------------------------------- */

/* Twice component a of the velocity at the centre of cell `at`; *known: is it liquid, and have its
 * faces values?  What is extrapolated into the air has no vorticity of its own. */
float force_cell_velocity(const struct grid g, global const float *u_face,
			  global const uchar *valid, global const uchar *cell_type, int at, int a,
			  int *known)
{
	const int stride = lattice_stride(g, a);
	*known = (cell_type[at] == CELL_LIQUID) & (valid[at] >> a | valid[at] >> (3 + a)) &
		 (valid[at + stride] >> a | valid[at + stride] >> (3 + a)) & 1;
	return u_face[a * g.lattice + at] + u_face[a * g.lattice + at + stride];
}

/* d u_a / d x_b, a != b, at the centre of the cell at `here`, between the cells beside it along b,
 * or one of them and itself; *known is cleared where there is none. */
float force_derivative(const struct grid g, global const float *u_face, global const uchar *valid,
		       global const uchar *cell_type, const int here[3], int a, int b, int *known)
{
	const int at = lattice_index(g, here[0], here[1], here[2]);
	const int cells = b == 0 ? g.nx : b == 1 ? g.ny : g.nz, stride = lattice_stride(g, b);
	const int place = b == 0 ? here[0] : b == 1 ? here[1] : here[2];
	int own, beside, steps = 0;
	float low = force_cell_velocity(g, u_face, valid, cell_type, at, a, &own), high = low;
	if (place > 0) {
		const float u =
			force_cell_velocity(g, u_face, valid, cell_type, at - stride, a, &beside);
		low = beside ? u : low;
		steps += beside;
	}
	if (place < cells - 1) {
		const float u =
			force_cell_velocity(g, u_face, valid, cell_type, at + stride, a, &beside);
		high = beside ? u : high;
		steps += beside;
	}
	*known &= own & (steps > 0);
	return steps > 0 ? shape_flush(high - low) * g.inv_h / (float)(2 * steps) : 0.0f;
}

/*
 * The curl of u_face at the centres of liquid cells, 1/s: f32 [3][L], in 2D [1][L];
 * FORCE_UNKNOWN in the first where it is not known.  One work-item per lattice point.
 */
kernel void force_fields_vorticity(global const int *bricks, const struct brick_run run,
				   const struct grid g, global const float *u_face,
				   global const uchar *valid, global const uchar *cell_type,
				   global float *vorticity)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	const int here[3] = {p.i, p.j, p.k};
	int known = cell_exists(g, p.i, p.j, p.k) && cell_type[at] == CELL_LIQUID;
	float curl[3] = {0.0f, 0.0f, 0.0f};
	if (known) {
#if DIM == 2
		curl[0] = force_derivative(g, u_face, valid, cell_type, here, 1, 0, &known) -
			  force_derivative(g, u_face, valid, cell_type, here, 0, 1, &known);
#else
		for (int c = 0; c < 3; c++) {
			const int a = c == 2 ? 0 : c + 1, b = c == 0 ? 2 : c - 1;
			curl[c] =
				force_derivative(g, u_face, valid, cell_type, here, b, a, &known) -
				force_derivative(g, u_face, valid, cell_type, here, a, b, &known);
		}
#endif
	}
	for (int c = 0; c < 2 * DIM - 3; c++)
		vorticity[c * g.lattice + at] = known	 ? shape_flush(curl[c])
						: c == 0 ? FORCE_UNKNOWN
							 : 0.0f;
}

/* ---- all fields ---------------------------------------------------------------------------- */

/* How much of a field acts at x: 1 in its shape, fading outside. */
float force_share(const struct force_params p, global const struct shape_op *ops,
		  global const float *points, const float x[3])
{
	if (p.op_count == 0)
		return 1.0f;
	const float distance =
		shape_distance(DIM, ops + p.first_op, p.op_count, points, x[0], x[1], x[2]);
	if (!(distance > 0.0f))
		return 1.0f;
	const float left = 1.0f - distance * p.per_falloff;
	if (!(p.per_falloff > 0.0f) || !(left > 0.0f))
		return 0.0f;
	return force_flush(left * left * (3.0f - 2.0f * left));
}

/* Component c of the acceleration of a point or a vortex at x. */
float force_of_center(const struct force_params p, const float x[3], int c)
{
	const float axis[3] = {p.axis[0], p.axis[1], p.axis[2]};
	float d[3] = {0.0f, 0.0f, 0.0f}, along = 0.0f, profile = 1.0f;
	for (int a = 0; a < DIM; a++) {
		d[a] = shape_flush(x[a] - p.center[a]);
		along += d[a] * axis[a];
	}
	/* From the axis. */
	for (int a = 0; a < DIM && p.kind == FIELD_VORTEX; a++)
		d[a] = shape_flush(d[a] - along * axis[a]);
	const float square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
	const float root = sqrt(sqrt(p.core_square / (square + p.core_square)));
	for (int q = 0; q < p.quarters; q++) {
		profile *= root;
		profile = profile < 0x1p-100f ? 0.0f : profile;
	}
	const float inwards = FORCES_OF(d, 0, 1, 2);
	if (p.kind == FIELD_POINT)
		return -(force_flush(p.strength * profile) * inwards);
	const float around = FORCES_OF(axis, 1, 2, 0) * FORCES_OF(d, 2, 0, 1) -
			     FORCES_OF(axis, 2, 0, 1) * FORCES_OF(d, 1, 2, 0);
	return force_flush(p.strength * profile) * force_flush(around) -
	       force_flush(p.pull * profile) * inwards;
}

/*
 * force = what the fields add in the substep to u_face + kick, m/s, f32 [D][L], on faces that have
 * a value or touch liquid, else 0.  First the accelerations, then drag, then wind, both implicit.
 * One work-item per lattice point.
 */
kernel void force_fields_make(global const int *bricks, const struct brick_run run,
			      const struct grid g, global const struct force_params *fields,
			      int count, int parts, global const struct shape_op *ops,
			      global const float *points, float dt, global const float *u_face,
			      const struct kick kick, global const uchar *valid,
			      global const uchar *cell_type, global const ushort *open_fraction,
			      global const float *vorticity, global float *force,
			      global uint *scalars)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	const int here[3] = {p.i, p.j, p.k}, cells[3] = {g.nx, g.ny, g.nz};
	for (int c = 0; c < DIM; c++) {
		const int slot = c * g.lattice + at, stride = lattice_stride(g, c);
		float added = 0.0f, rate = 0.0f, x[3] = {0.0f, 0.0f, 0.0f};
		int wanted = 0, blows = 0;
		if (face_exists(g, c, p.i, p.j, p.k))
			wanted = (valid[at] >> c & 1) ||
				 (here[c] > 0 && cell_type[at - stride] == CELL_LIQUID) ||
				 (here[c] < cells[c] && cell_type[at] == CELL_LIQUID);
		if (!wanted) {
			force[slot] = 0.0f;
			continue;
		}
		for (int a = 0; a < DIM; a++)
			x[a] = ((float)here[a] + (a == c ? 0.0f : 0.5f)) * g.h;
		for (int n = 0; n < count; n++) {
			const struct force_params f = fields[n];
			float value = 0.0f;
			blows |= f.kind == FIELD_WIND;
			if (f.kind == FIELD_WIND)
				continue;
			const float share = force_share(f, ops, points, x);
			if (f.kind == FIELD_DRAG)
				rate += force_flush(share * f.strength);
			else if (f.kind == FIELD_CUSTOM)
				value = FORCES_OF(f.vector, 0, 1, 2);
			else if (f.kind == FIELD_VORTICITY)
				value = f.strength *
					force_confinement_of_face(g, vorticity, here, c);
			else
				value = force_of_center(f, x, c);
			added += share * force_flush(value);
		}
		added = force_flush(dt * force_flush(added));
		const float start = u_face[slot] + forces_kick(kick, c, p.i, p.j, p.k);
		rate = force_flush(dt * rate);
		if (rate > 0.0f)
			added = (added - rate * force_flush(start)) / (1.0f + rate);
		const float surface =
			blows ? force_at_surface(g, cell_type, open_fraction, here, c) : 0.0f;
		for (int n = 0; n < count && surface > 0.0f; n++) {
			const struct force_params f = fields[n];
			if (f.kind != FIELD_WIND)
				continue;
			const float w[3] = {f.vector[0], f.vector[1], f.vector[2]};
			const float v = start + added;
			const float share =
				force_flush(force_share(f, ops, points, x) * f.strength);
			const float speed = force_relative_speed(g, u_face, valid, w, here, c, v);
			const float blow = force_flush(dt * surface * force_flush(share * speed));
			added += blow * force_flush(FORCES_OF(w, 0, 1, 2) - v) / (1.0f + blow);
		}
		force[slot] = force_flush(added);
	}
	loops_check(parts, scalars + SCALAR_LOOPS_CUT);
}

/* field += sign * force on faces, of listed points.  One work-item per lattice point. */
kernel void force_fields_add(global const int *bricks, const struct brick_run run,
			     const struct grid g, float sign, global const float *force,
			     global float *field)
{
	const struct brick_point p = bricks_point(bricks, run);
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	for (int c = 0; c < DIM; c++)
		field[c * g.lattice + at] += sign * force[c * g.lattice + at];
}

/* ---- what they do to particles ------------------------------------------------------------- */

/* Adds to a lane's sums what particle p has: force . v and the components of force at its place. */
ALWAYS_INLINE void force_fields_gain(const struct grid g, global const float *force,
				     global const float *position, global const float *velocity,
				     int stride, int p, float high[FORCE_SUMS],
				     float low[FORCE_SUMS])
{
	float x[3] = {0.0f, 0.0f, 0.0f}, f[3] = {0.0f, 0.0f, 0.0f}, power = 0.0f;
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	sample_velocity(g, force, x, f);
	for (int a = 0; a < DIM; a++) {
		f[a] = force_flush(f[a]);
		power += f[a] * force_flush(velocity[a * stride + p]);
	}
	pairs_accumulate(&high[0], &low[0], power, 1.0f);
	for (int a = 0; a < DIM; a++)
		pairs_accumulate(&high[1 + a], &low[1 + a], f[a], 1.0f);
}

/*
 * Chunk sums over particles of force . v, at their places, and with `impulse` then of the
 * components of force, at partial + from + sum * chunks + chunk.  lane: pairs of FORCE_SUMS x
 * PAIRS_GROUP_CHUNKS x PAIRS_LANES.
 */
kernel void force_fields_sums(const struct grid g, global const float *force,
			      global const float *position, global const float *velocity,
			      int stride, int n, int impulse, int chunks, int from,
			      global struct pair *partial, local struct pair *lane)
{
	const int lanes = PAIRS_GROUP_CHUNKS * PAIRS_LANES, sums = impulse ? FORCE_SUMS : 1;
	const int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	for (int w = (int)get_local_id(0); w < lanes; w += (int)get_local_size(0)) {
		const int start = (first + w / PAIRS_LANES) * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
		float high[FORCE_SUMS], low[FORCE_SUMS];
		for (int s = 0; s < FORCE_SUMS; s++)
			high[s] = low[s] = 0.0f;
		for (int p = start; p < n && p < start + PAIRS_CHUNK; p += PAIRS_LANES)
			force_fields_gain(g, force, position, velocity, stride, p, high, low);
		for (int s = 0; s < FORCE_SUMS; s++)
			lane[s * lanes + w] = pair_of(high[s], low[s]);
	}
	for (int s = 0; s < sums; s++)
		pairs_store_chunks(lane + s * lanes, PAIRS_GROUP_CHUNKS, first, chunks,
				   partial + from + s * chunks);
}

/* The same for CPUs: one work-item per chunk, which goes through its particles one by one. */
kernel void force_fields_sums_lanes(const struct grid g, global const float *force,
				    global const float *position, global const float *velocity,
				    int stride, int n, int impulse, int chunks, int from,
				    global struct pair *partial)
{
	const int chunk = (int)get_global_id(0), first = chunk * PAIRS_CHUNK;
	if (chunk >= chunks)
		return;
	const int end = n - first < PAIRS_CHUNK ? n : first + PAIRS_CHUNK;
	float high[PAIRS_LANES][FORCE_SUMS], low[PAIRS_LANES][FORCE_SUMS];
	for (int t = 0; t < PAIRS_LANES; t++)
		for (int s = 0; s < FORCE_SUMS; s++)
			high[t][s] = low[t][s] = 0.0f;
	for (int row = first; row < end; row += PAIRS_LANES)
		for (int t = 0; t < PAIRS_LANES && row + t < end; t++)
			force_fields_gain(g, force, position, velocity, stride, row + t, high[t],
					  low[t]);
	for (int s = 0; s < (impulse ? FORCE_SUMS : 1); s++) {
		float each_high[PAIRS_LANES], each_low[PAIRS_LANES];
		for (int t = 0; t < PAIRS_LANES; t++) {
			each_high[t] = high[t][s];
			each_low[t] = low[t][s];
		}
		partial[from + s * chunks + chunk] = pairs_fold(each_high, each_low);
	}
}
