/*
 * Lines of sight among solids.  A cell sees from one point, solids_reference(), and so belongs to
 * one side of a solid that cuts it in two, however thin.
 */
#ifndef FRESHET_SOLIDS_SIGHT_H
#define FRESHET_SOLIDS_SIGHT_H

#include "solids_shape.h"

/* Of the cell size: how far lines of sight and open corners keep from solids; how far outside a
 * reference point is put. */
#define SOLIDS_CLEARANCE 1e-3f
#define SOLIDS_MARGIN 0.05f
#define SOLIDS_STEPS 48

int solids_trace(const struct solids_shape *shape, float h, const float from[3], const float to[3],
		 float last[3], struct shape_sample *sample)
{
	return shape_trace(DIM, shape->ops, shape->op_count, shape->points, from, to,
			   SOLIDS_CLEARANCE * h, SOLIDS_STEPS, last, sample);
}

/* Can a point walk from a to b, clear of solids?  It sees b, or both a and b are seen from a point
 * beyond the bulge between them: where the planes that touch the solid at the two ends of the
 * hidden part meet, lifted a little.  Around smooth solids and convex edges there is such a point
 * nearby; through a thin solid there is none, as its two faces are (nearly) parallel.  Points that
 * are not connected are never said to be. */
int solids_sees(const struct solids_shape *shape, float h, const float a[3], const float b[3])
{
	float enter[3], leave[3], way[3] = {0.0f, 0.0f, 0.0f}, last[3];
	float length = 0.0f, rise = 0.0f, lift = 0.25f * h;
	struct shape_sample front, back, sample;
	/* From a to b and back; then by each point beyond the bulge, in two halves.  One call in a
	 * loop, as some compilers repeat what is called twice, and take long over what is long. */
	for (int turn = 0; turn < 2 || lift > 0.01f * h; ++turn) {
		const int direct = turn < 2, second = turn & 1;
		float from[3], to[3];
		for (int axis = 0; axis < 3; ++axis) {
			const float other = direct ? b[axis] : way[axis];
			from[axis] = second ? other : a[axis];
			to[axis] = !second ? other : direct ? a[axis] : b[axis];
		}
		const int clear = solids_trace(shape, h, from, to, last, &sample);
		if (clear && (direct || second))
			return 1;
		if (direct) {
			for (int axis = 0; axis < 3; ++axis) {
				enter[axis] = second ? enter[axis] : last[axis];
				leave[axis] = last[axis];
			}
			front = second ? front : sample;
			back = sample;
		}
		if (!second && (direct || clear))
			continue;
		if (direct) {
			float cosine = 0.0f, before = 0.0f, after = 0.0f;
			for (int axis = 0; axis < DIM; ++axis) {
				float hidden = shape_flush(leave[axis] - enter[axis]);
				cosine += front.gradient[axis] * back.gradient[axis];
				before -= hidden * front.gradient[axis];
				after += hidden * back.gradient[axis];
			}
			if (cosine < -0.95f)
				return 0;
			length = sqrt(2.0f + 2.0f * cosine); /* of the sum of the normals */
			rise = max_float(max_float(before, after), 0.0f) / length;
			if (rise > h)
				return 0;
		} else {
			lift *= 0.25f;
			turn |= 1; /* no second half */
		}
		for (int axis = 0; axis < 3; ++axis)
			way[axis] = 0.5f * (enter[axis] + leave[axis]) +
				    (rise + lift) / length *
					    (front.gradient[axis] + back.gradient[axis]);
	}
	return 0;
}

/* The point that stands for a cell: its centre, or outside the solid nearby if that is inside.
 * Returns 0 if the cell has none. */
int solids_reference(const struct solids_shape *shape, float h, int i, int j, int k, float x[3])
{
	const float margin = SOLIDS_MARGIN * h;
	x[0] = ((float)i + 0.5f) * h;
	x[1] = ((float)j + 0.5f) * h;
	x[2] = DIM == 3 ? ((float)k + 0.5f) * h : 0.0f;
	for (int step = 0; step < 5; ++step) {
		struct shape_sample s = solids_evaluate(shape, x);
		float side = 1.0f;
		if (s.distance >= (step == 0 || step == 4 ? SOLIDS_CLEARANCE * h : 0.5f * margin))
			return 1;
		/* On a plate rounding picks the side, or any direction: let all cells agree. */
		if (fabs(s.distance) < SOLIDS_CLEARANCE * h) {
			float lead = fabs(s.gradient[0]) > 0.01f   ? s.gradient[0]
				     : fabs(s.gradient[1]) > 0.01f ? s.gradient[1]
								   : s.gradient[2];
			side = step == 0 && lead < 0.0f ? -1.0f : 1.0f;
			for (int axis = 0; axis < 3 && step > 0; ++axis)
				s.gradient[axis] = axis == step - 1 ? 1.0f : 0.0f;
		}
		for (int axis = 0; axis < DIM; ++axis)
			x[axis] += side * (margin - s.distance) * s.gradient[axis];
	}
	return 0;
}

#endif
