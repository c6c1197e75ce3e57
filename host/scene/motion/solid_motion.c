#include "solid_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arc_tangent.h"
#include "message.h"
#include "shape.h"
#include "sin_cos.h"

bool solid_motion_prepare(struct solid_motion *motion)
{
	bool good = true;
	for (int c = 0; c < MOTION_CHANNELS && motion->spline && motion->key_count > 0; c++)
		good = key_spline_prepare(motion->keys, motion->key_count, c) && good;
	return good;
}

static void channels_at(const struct solid_motion *motion, double t, double value[MOTION_CHANNELS])
{
	const struct motion_key *low, *high;
	memset(value, 0, MOTION_CHANNELS * sizeof(*value));
	if (motion->key_count == 0)
		return;
	key_spline_find(motion->keys, motion->key_count, t, &low, &high);
	for (int c = 0; c < MOTION_CHANNELS; c++) {
		double curve[3] = {low->value[c], 0.0, 0.0};
		if (motion->spline)
			key_spline_at(low, high, c, t, curve);
		else if (low != high)
			curve[0] += (high->value[c] - low->value[c]) *
				    ((t - low->time) / (high->time - low->time));
		value[c] = curve[0];
	}
}

/* The quaternion of a rotation vector. */
static void turn_by(const double vector[3], double q[4])
{
	const double angle =
		sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
	double sine, cosine;
	exact_sin_cos(0.5 * angle, &sine, &cosine);
	q[0] = cosine;
	for (int a = 0; a < 3; a++)
		q[a + 1] = angle > 0.0 ? sine * (vector[a] / angle) : 0.0;
}

void solid_motion_at(const struct solid_motion *motion, double t, struct solid_pose *pose)
{
	double value[MOTION_CHANNELS];
	channels_at(motion, t, value);
	turn_by(value + SOLID_TURN, pose->q);
	const double w = pose->q[0], *v = pose->q + 1;
	for (int a = 0; a < 3; a++) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		pose->at[a] = motion->center[a] + value[SOLID_SHIFT + a];
		pose->turn[a][a] = 1.0 - 2.0 * (v[b] * v[b] + v[c] * v[c]);
		pose->turn[a][b] = 2.0 * (v[a] * v[b] - w * v[c]);
		pose->turn[a][c] = 2.0 * (v[a] * v[c] + w * v[b]);
	}
}

void solid_motion_between(const struct solid_pose *from, const struct solid_pose *to, double dt,
			  double velocity[3], double spin[3])
{
	/* to = rest from: rest = to from*, of the two that turn the same the one with w >= 0. */
	const double *p = to->q, *q = from->q;
	double w = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3], v[3], length = 0.0;
	for (int a = 0; a < 3; a++) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		v[a] = q[0] * p[a + 1] - p[0] * q[a + 1] -
		       (p[b + 1] * q[c + 1] - p[c + 1] * q[b + 1]);
		velocity[a] = (to->at[a] - from->at[a]) / dt;
		length += v[a] * v[a];
	}
	length = sqrt(length);
	const double sign = w < 0.0 ? -1.0 : 1.0;
	const double angle = 2.0 * exact_arc_tangent(length, sign * w);
	for (int a = 0; a < 3; a++)
		spin[a] = length > 0.0 ? sign * angle * (v[a] / length) / dt : 0.0;
}

void solid_pose_point(const struct solid_pose *pose, const double from[3], double x[3])
{
	for (int a = 0; a < 3; a++)
		x[a] = pose->at[a] + (pose->turn[a][0] * from[0] + pose->turn[a][1] * from[1] +
				      pose->turn[a][2] * from[2]);
}

void solid_motion_words(const struct solid_motion *motion, const struct solid_pose *pose,
			f32 *words)
{
	memset(words, 0, 2 * SHAPE_PLACE_PAIRS * sizeof(*words));
	for (int a = 0; a < 3; a++) {
		for (int b = 0; b < 3; b++)
			words[3 * a + b] = (f32)pose->turn[a][b];
		words[9 + a] = (f32)pose->at[a];
		words[12 + a] = (f32)motion->center[a];
	}
}

bool solid_motion_wrap(struct shape_program *program, const struct solid_motion *motion)
{
	const size_t ops = program->op_count, points = program->point_count;
	struct shape_op *op = realloc(program->ops, (ops + 2) * sizeof(*op));
	program->ops = op ? op : program->ops;
	f32 *words =
		op ? realloc(program->points, (points + SHAPE_PLACE_PAIRS) * 2 * sizeof(*words))
		   : NULL;
	program->points = words ? words : program->points;
	if (!words)
		return message_error("out of memory for the motion of a shape");
	struct shape_op place = {
		.kind = SHAPE_PLACE, .first = (i32)points, .count = SHAPE_PLACE_PAIRS};
	struct solid_pose pose;
	memmove(op + 1, op, ops * sizeof(*op));
	op[0] = place;
	place.kind = SHAPE_PLACED;
	op[ops + 1] = place;
	solid_motion_at(motion, 0.0, &pose);
	solid_motion_words(motion, &pose, words + 2 * points);
	program->op_count = ops + 2;
	program->point_count = points + SHAPE_PLACE_PAIRS;
	return true;
}

void solid_motion_bounds(const struct solid_motion *motion, const struct solid_pose *pose,
			 const double low[3], const double high[3], double moved_low[3],
			 double moved_high[3])
{
	for (int a = 0; a < 3; a++) {
		moved_low[a] = moved_high[a] = pose->at[a];
		for (int b = 0; b < 3; b++) {
			const double m = pose->turn[a][b];
			const double from = low[b] - motion->center[b],
				     to = high[b] - motion->center[b];
			/* 0 * infinity: an axis that is not met. */
			if (!(fabs(m) > 0.0))
				continue;
			moved_low[a] += m > 0.0 ? m * from : m * to;
			moved_high[a] += m > 0.0 ? m * to : m * from;
		}
	}
}
