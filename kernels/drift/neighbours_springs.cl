/* Particles spaced evenly by springs (Ando & Tsuruno 2011), and velocities taken anew from those
 * around. */
#pragma OPENCL FP_CONTRACT OFF

#include "collide.h"
#include "common.h"
#include "drift_reference.h"
#include "loop_guard.h"
#include "neighbours_search.h"
#include "smoothing.h"

/* Of the radius: below it the direction of a spring means nothing; what moves such pairs apart. */
#define SPRINGS_NEAR 0.1f
#define SPRINGS_NUDGE 0.01f

/* What a spring of length sqrt(square) adds, m; strength: k dt. */
float springs_length(float square, float radius, float strength)
{
	return strength * smoothing_loose(square, radius) * radius;
}

/* Walls and solids push as a particle does that stands behind them, the image of this one. */
void springs_of_walls(const struct grid g, const struct collide_solids *solids, const float x[3],
		      float radius, float strength, int sum[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			const float way = 2.0f * (side ? size[a] - x[a] : x[a]);
			float normal[3] = {0.0f, 0.0f, 0.0f};
			if ((g.open_walls >> (2 * a + side) & 1) || !(way < radius))
				continue;
			normal[a] = side ? -1.0f : 1.0f;
			neighbours_add(g, springs_length(way * way, radius, strength), normal, sum);
		}
	if (solids->op_count == 0 || collide_is_far(g, solids->solid_phi, x, radius + g.h))
		return;
	const struct shape_sample sample = collide_evaluate(solids, x);
	const float way = 2.0f * max_float(sample.distance, 0.0f);
	if (way < radius)
		neighbours_add(g, springs_length(way * way, radius, strength), sample.gradient,
			       sum);
}

/*
 * move[p] = sum over particles within the radius R of k dt (1 - d^2/R^2) R n, n from the other to
 * p; of nearer ones than R/10 a hundredth of R, times a number that their ids choose.
 */
kernel void neighbours_springs(const struct grid g, global const float *position,
			       global const uint *id, int stride, global const uint *start,
			       global const uint *order, float radius, int rings, float strength,
			       uint salt, global const struct shape_op *ops, int op_count,
			       global const float *points, global const float *solid_phi,
			       global int *move, global uint *scalars)
{
	const struct collide_solids solids = {ops, op_count, points, solid_phi, 0, 0};
	const struct neighbours_index index = {position, id, stride, start, order};
	const uint place = (uint)get_global_id(0);
	if (place >= start[g.keys])
		return;
	const int p = (int)order[place];
	float x[3], y[3], way[3], normal[3];
	int sum[3] = {0, 0, 0};
	neighbours_point(&index, p, x);
	struct neighbours_search s = neighbours_around(g, x, rings);
	for (int q = neighbours_next(g, &index, &s); q >= 0; q = neighbours_next(g, &index, &s)) {
		neighbours_point(&index, q, y);
		const float square = neighbours_way(x, y, way);
		if (q == p || !(square < radius * radius) ||
		    !neighbours_see(g, &solids, id[p], x, id[q], y, radius))
			continue;
		const uint low = id[p] < id[q] ? id[p] : id[q];
		const uint high = id[p] < id[q] ? id[q] : id[p];
		const float nudge = unit_float(hash_4(low, high, salt, 0x73707269u));
		const float near = SPRINGS_NEAR * radius;
		neighbours_normal(id[p], id[q], square, way, near, normal);
		neighbours_add(g,
			       square > near * near ? springs_length(square, radius, strength)
						    : SPRINGS_NUDGE * radius * nudge,
			       normal, sum);
	}
	springs_of_walls(g, &solids, x, radius, strength, sum);
	for (int a = 0; a < DIM; a++)
		move[a * stride + p] = sum[a];
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* Below this a velocity is 0, so that no mean of means comes to the denormals. */
#define RESAMPLE_SLOWEST 0x1p-100f

/* v[] = sum w v_q / sum w over the particles within the radius of y[], w = smoothing_stiff(r), r in
 * `spacing` metres; as it was if there are none.  Of those that x[], particle p's place, sees;
 * itself only if `own`. */
void resample_velocity(const struct grid g, const struct neighbours_index *index,
		       const struct collide_solids *solids, global const float *velocity, int p,
		       const float x[3], const float y[3], float spacing, int rings, int own,
		       float v[3])
{
	const int stride = index->stride;
	float z[3], way[3], sum[3] = {0.0f, 0.0f, 0.0f}, weight = 0.0f;
	struct neighbours_search s = neighbours_around(g, y, rings);
	for (int q = neighbours_next(g, index, &s); q >= 0; q = neighbours_next(g, index, &s)) {
		neighbours_point(index, q, z);
		const float square = neighbours_way(y, z, way) / (spacing * spacing);
		const float w = smoothing_stiff(square, SMOOTHING_RADIUS);
		if (!(w > 0.0f) || (q == p && !own) ||
		    (q != p && !neighbours_see(g, solids, index->id[p], x, index->id[q], z,
					       2.0f * SMOOTHING_RADIUS * spacing)))
			continue;
		weight += w;
		for (int a = 0; a < DIM; a++)
			sum[a] += w * velocity[a * stride + q];
	}
	for (int a = 0; a < DIM; a++) {
		const float mean = weight > 0.0f ? sum[a] / weight : velocity[a * stride + p];
		v[a] = fabs(mean) < RESAMPLE_SLOWEST ? 0.0f : mean;
	}
}

/* velocity_out[p]: that of the particles, where they are, at the place that p's move leads to. */
kernel void neighbours_resample(const struct grid g, global const float *position,
				global const float *velocity, global const uint *id, int stride,
				global const uint *start, global const uint *order, float spacing,
				int rings, global const int *move, float limit,
				global const struct shape_op *ops, int op_count,
				global const float *points, global const float *solid_phi,
				global float *velocity_out, global uint *scalars)
{
	const struct collide_solids solids = {ops, op_count, points, solid_phi, 0, 0};
	const struct neighbours_index index = {position, id, stride, start, order};
	const uint place = (uint)get_global_id(0);
	if (place >= start[g.keys])
		return;
	const int p = (int)order[place];
	float x[3], y[3], v[3], square = 0.0f;
	neighbours_point(&index, p, x);
	for (int a = 0; a < 3; a++)
		y[a] = a < DIM ? (float)move[a * stride + p] * (g.h * (1.0f / NEIGHBOURS_UNITS))
			       : 0.0f;
	for (int a = 0; a < DIM; a++)
		square += y[a] * y[a];
	const float share = drift_share(square, limit);
	for (int a = 0; a < 3; a++)
		y[a] = x[a] + y[a] * share;
	resample_velocity(g, &index, &solids, velocity, p, x, y, spacing, rings, 1, v);
	for (int a = 0; a < DIM; a++)
		velocity_out[a * stride + p] = v[a];
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* The same of particles that were stuck where they are now, without their own; others keep theirs.
 */
kernel void neighbours_resample_stuck(const struct grid g, global const float *position,
				      global const float *velocity, global const uint *id,
				      int stride, global const uint *start,
				      global const uint *order, global const uint *stuck,
				      float spacing, int rings, global const struct shape_op *ops,
				      int op_count, global const float *points,
				      global const float *solid_phi, global float *velocity_out,
				      global uint *scalars)
{
	const struct collide_solids solids = {ops, op_count, points, solid_phi, 0, 0};
	const struct neighbours_index index = {position, id, stride, start, order};
	const uint place = (uint)get_global_id(0);
	if (place >= start[g.keys])
		return;
	const int p = (int)order[place];
	float x[3], v[3] = {0.0f, 0.0f, 0.0f};
	neighbours_point(&index, p, x);
	for (int a = 0; a < DIM; a++)
		v[a] = velocity[a * stride + p];
	if (stuck[p])
		resample_velocity(g, &index, &solids, velocity, p, x, x, spacing, rings, 0, v);
	for (int a = 0; a < DIM; a++)
		velocity_out[a * stride + p] = v[a];
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
