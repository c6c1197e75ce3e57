/*
 * Loads: force and torque of the liquid on a solid.
 *
 * What a solid covers of a cell's faces, as vectors outwards, is its surface in the cell, by Gauss.
 * The pressure on it is the cell's, and the weight of the liquid between the cell's centre and the
 * point of the surface that is nearest to it.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "faces.h"
#include "kick.h"
#include "load_params.h"
#include "mg.h"
#include "pairs.h"
#include "shape.h"
#include "solid_programs.h"
#include "wall_cover.h"

/* Ways that keep so far off, in cells, are free; and what a look at one may take. */
#define LOADS_CLEARANCE 1e-3f
#define LOADS_STEPS 32
/* The nearest point is beside a cell's centre, not across it, in cells. */
#define LOADS_CORNER 0.05f

/* All solids, and which cells and faces they leave. */
struct loads_scene {
	struct solid_programs solids;
	global const ushort *open_fraction, *rest_fraction;
	global const uchar *opened;
	global const float *solid_phi;
};

/*
 * What is closed of a face that has no corner in a solid is so for a plate.  Either that lies
 * across the way through the face; or along it, and the face is closed where the plate cuts off a
 * part of the cells, in which there is liquid.  x: the face's centre.
 */
int loads_lies_along(const struct grid g, const struct loads_scene *s, int own, int axis, int slot,
		     const float x[3])
{
	const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2,
		  start = solid_programs_first(&s->solids, own);
	const int to_u = lattice_stride(g, u), to_v = DIM == 3 ? lattice_stride(g, v) : 0;
	const int count = solid_programs_count(&s->solids, own);
	int is_free = 1;
	for (int n = 0; n < (1 << (DIM - 1)) && is_free; ++n)
		is_free = s->solid_phi[slot + (n & 1) * to_u + (n >> 1) * to_v] > 0.0f;
	for (int n = 0; n < 1 + (1 << (DIM - 1)) && is_free; ++n) {
		float from[3] = {x[0], x[1], x[2]}, to[3], last[3];
		struct shape_sample sample;
		from[u] += n == 0 ? 0.0f : n & 1 ? 0.5f * g.h : -0.5f * g.h;
		if (DIM == 3)
			from[v] += n == 0 ? 0.0f : n < 3 ? -0.5f * g.h : 0.5f * g.h;
		for (int c = 0; c < 3; ++c)
			to[c] = from[c];
		from[axis] -= 0.5f * g.h;
		to[axis] += 0.5f * g.h;
		is_free = shape_trace(DIM, s->solids.ops + start, count, s->solids.points, from, to,
				      LOADS_CLEARANCE * g.h, 1, LOADS_STEPS, last, &sample);
	}
	return is_free;
}

/* Part of a liquid cell's face that the solid covers, and that has not let go. */
float loads_part(const struct grid g, const struct loads_scene *s, const struct load_params *p,
		 int at, const int here[3], int cells, int axis, int side)
{
	const int stride = lattice_stride(g, axis), to = here[axis] + 2 * side - 1;
	const int slot = at + side * stride, element = axis * g.lattice + slot;
	const int is_wall = (to < 0 || to >= cells) && !(g.open_walls >> (2 * axis + side) & 1);
	const int open = s->open_fraction[element], rests = p->own < p->rest_count;
	int first = rests ? 0 : p->rest_count, last = rests ? p->rest_count : p->solid_count;
	float part;
	if (is_wall) {
		first = 0;
		last = p->solid_count;
		part = wall_cover(g, s->solid_phi, axis, side, slot);
	} else {
		const int rest = p->has_rest ? (int)s->rest_fraction[element] : open;
		const int covered = rests ? FRACTION_ONE - rest : rest - open;
		part = (float)(covered > 0 ? covered : 0) * (1.0f / FRACTION_ONE);
	}
	if (part > 0.0f && open == 0 && s->opened[slot] >> axis & 1)
		part *= 1.0f - faces_area(g, s->open_fraction, axis, at + (1 - side) * stride);
	if (!(part > 0.0f))
		return 0.0f;
	float x[3] = {0.0f, 0.0f, 0.0f};
	for (int c = 0; c < DIM; ++c)
		x[c] = ((float)here[c] + (c == axis ? (float)side : 0.5f)) * g.h;
	if (solid_programs_nearest(&s->solids, first, last, x) != p->own ||
	    (!is_wall && loads_lies_along(g, s, p->own, axis, slot, x)))
		return 0.0f;
	return part;
}

/* Component a of velocity + spin x away. */
float loads_moves(const float velocity[3], const float spin[3], const float away[3], int a)
{
	const int b = a == 2 ? 0 : a + 1, c = a == 0 ? 2 : a - 1;
	return velocity[a] + (spin[b] * away[c] - spin[c] * away[b]);
}

/* Where the surface is that a cell touches across one axis, from the center of torques, and the
 * pressure there, as q. */
struct loads_point {
	float away[3], pressure;
};

/* The point of the solid that is nearest to x, for the cell `at` = here[] with pressure q. */
struct loads_point loads_nearest_point(const struct grid g, const struct loads_scene *s,
				       const struct load_params *p, const struct kick kick,
				       global const float *force, float q, int at,
				       const int here[3], const float x[3])
{
	const struct shape_sample near = solid_programs_evaluate(&s->solids, p->own, x);
	struct loads_point point;
	point.pressure = q;
	for (int a = 0; a < 3; ++a)
		point.away[a] = (x[a] - near.distance * near.gradient[a]) - p->center[a];
	for (int a = 0; a < DIM; ++a) {
		const int high[3] = {here[0] + (a == 0), here[1] + (a == 1), here[2] + (a == 2)};
		const float from = ((float)here[a] + 0.5f) * g.h - p->center[a];
		float gain = 0.5f * (forces_kick(kick, a, here[0], here[1], here[2]) +
				     forces_kick(kick, a, high[0], high[1], high[2]));
		if (p->has_force)
			gain += 0.5f * (force[a * g.lattice + at] +
					force[a * g.lattice + at + lattice_stride(g, a)]);
		gain -= loads_moves(p->velocity_change, p->spin_change, point.away, a);
		point.pressure += (point.away[a] - from) * g.inv_h * gain;
	}
	return point;
}

/* sum[]: what the liquid cell `at` = here[] adds, whose pressure is q and whose liquid is sealed.
 */
void loads_cell(const struct grid g, const struct loads_scene *s, const struct load_params *p,
		const struct kick kick, global const float *force, float q, int is_sealed, int at,
		const int here[3], float sum[LOAD_MOST_SUMS])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	float surface[3] = {0.0f, 0.0f, 0.0f}, center[3] = {0.0f, 0.0f, 0.0f};
	int closed[3] = {0, 0, 0}, touches = 0;
	for (int n = 0; n < LOAD_MOST_SUMS; ++n)
		sum[n] = 0.0f;
	for (int a = 0; a < DIM; ++a) {
		const float low = loads_part(g, s, p, at, here, cells[a], a, 0);
		const float high = loads_part(g, s, p, at, here, cells[a], a, 1);
		surface[a] = high - low;
		closed[a] = (high == 1.0f) - (low == 1.0f);
		touches |= high > 0.0f || low > 0.0f;
		center[a] = ((float)here[a] + 0.5f) * g.h;
	}
	if (!touches)
		return;
	const struct loads_point near =
		loads_nearest_point(g, s, p, kick, force, q, at, here, center);
	for (int a = 0; a < DIM; ++a) {
		struct loads_point point = near;
		/* In an inner corner the nearest side is not the one across this axis. */
		if (closed[a] &&
		    fabs(near.away[a] + p->center[a] - center[a]) < LOADS_CORNER * g.h) {
			float x[3] = {center[0], center[1], center[2]};
			x[a] += 0.5f * (float)closed[a] * g.h;
			point = loads_nearest_point(g, s, p, kick, force, q, at, here, x);
		}
		const float push = point.pressure * surface[a];
		sum[a] += push;
#if DIM == 2
		sum[2] += a == 0 ? -point.away[1] * push : point.away[0] * push;
#else
		/* away x push, push along a. */
		const int b = a == 2 ? 0 : a + 1, c = a == 0 ? 2 : a - 1;
		sum[3 + b] += point.away[c] * push;
		sum[3 + c] -= point.away[b] * push;
#endif
		if (is_sealed)
			sum[LOAD_SUMS(DIM) - 1] -=
				surface[a] * loads_moves(p->velocity, p->spin, point.away, a);
	}
}

/*
 * partial[sums + n*chunks + chunk] = chunk sums of number n of LOAD_SUMS over the lattice, of
 * listed chunks.  lane: PAIRS_FINAL_LANES pairs for each.  sealed: SEALED_NONE where liquid has a
 * free surface.
 */
kernel void loads_sum(global const int *bricks, const struct brick_run run, const struct grid g,
		      const struct mg_level level, const struct load_params load,
		      global const float *q, global const uchar *cell_type,
		      global const ushort *open_fraction, global const ushort *rest_fraction,
		      global const uchar *opened, global const float *solid_phi,
		      const struct kick kick, global const float *force,
		      global const ushort *sealed, global const struct shape_op *ops,
		      global const float *points, global const uint *solid_slip, int chunks,
		      int sums, global struct pair *partial, local struct pair *lane)
{
	const int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	const struct loads_scene scene = {
		{ops, points, solid_slip}, open_fraction, rest_fraction, opened, solid_phi};
	for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	     w += (int)get_local_size(0)) {
		const int chunk = bricks_chunk(bricks, run, first + w / PAIRS_LANES);
		const int from =
			chunk < 0 ? g.lattice : chunk * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
		float high[LOAD_MOST_SUMS], low[LOAD_MOST_SUMS], sum[LOAD_MOST_SUMS];
		for (int n = 0; n < LOAD_MOST_SUMS; ++n)
			high[n] = low[n] = 0.0f;
		for (int at = from; at < g.lattice && at < from + PAIRS_CHUNK; at += PAIRS_LANES) {
			const int here[3] = {modulo(at, g.px), modulo(at / g.px, g.py),
					     at / g.px / g.py};
			if (cell_type[at] != CELL_LIQUID || here[0] < load.box.i ||
			    here[1] < load.box.j || here[2] < load.box.k ||
			    here[0] >= load.box.i + load.box.nx ||
			    here[1] >= load.box.j + load.box.ny ||
			    here[2] >= load.box.k + load.box.nz)
				continue;
			loads_cell(g, &scene, &load, kick, force,
				   q[mg_at_cell(level, here[0], here[1], here[2])],
				   sealed[at] != SEALED_NONE, at, here, sum);
			for (int n = 0; n < LOAD_SUMS(DIM); ++n)
				pairs_accumulate(&high[n], &low[n], sum[n], 1.0f);
		}
		for (int n = 0; n < LOAD_SUMS(DIM); ++n)
			lane[n * PAIRS_FINAL_LANES + w] = pair_of(high[n], low[n]);
	}
	for (int n = 0; n < LOAD_SUMS(DIM); ++n)
		pairs_store_listed(lane + n * PAIRS_FINAL_LANES, PAIRS_GROUP_CHUNKS, first, bricks,
				   run, partial + sums + n * chunks);
}

/* v = minus the flux of what comes in through closed faces out of each liquid cell, m/s, 0
 * elsewhere: over a body of liquid that nothing else can leave, what it is squeezed by.
 * Work-item = cell in order of x. */
kernel void loads_squeeze(global const int *restrict bricks, const struct brick_run run,
			  const struct grid g, const struct mg_level level,
			  global const uchar *restrict cell_type, global const float *restrict flow,
			  global float *restrict v)
{
	const struct brick_point p = mg_listed_row(bricks, run);
	const long x = (long)get_global_id(0), at = lattice_index(g, p.i, p.j, p.k) + x;
	const int i = p.i + (int)x, j = p.j, k = p.k;
	if (!mg_row_counts(bricks, run) | (i >= g.nx) | (j >= g.ny) | (k >= g.nz))
		return;
	float flux = 0.0f;
	if (cell_type[at] == CELL_LIQUID)
		for (int a = 0; a < DIM; a++)
			flux += flow[a * g.lattice + at + lattice_stride(g, a)] -
				flow[a * g.lattice + at];
	v[mg_at_cell_behind(level, p.i, x, j, k)] = -flux;
}
