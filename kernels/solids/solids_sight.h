/*
 * Lines of sight among solids.  A cell sees from one point, solids_reference(), and so belongs to
 * one side of a solid that cuts it in two, however thin: that of its centre, but for gaps in which
 * no cell would have its point.
 */
#ifndef FRESHET_SOLIDS_SIGHT_H
#define FRESHET_SOLIDS_SIGHT_H

#include "solids_shape.h"

/* Of the cell size: how far lines of sight and open corners keep from solids; how far outside a
 * reference point is put. */
#define SOLIDS_CLEARANCE 1e-3f
#define SOLIDS_MARGIN 0.05f
#define SOLIDS_STEPS 48
/* Of the cell size: the narrowest gap that gets a cell; steps through a plate, at least; how much
 * wider one cell's part of a gap is than another's before it matters. */
#define SOLIDS_NARROWEST 0.1f
#define SOLIDS_THROUGH 0.01f
#define SOLIDS_TIE 1e-3f
/* Cosine between the sides of a thin solid: it is not looked around where they are within 18
 * degrees of back to back, as the planes that touch it meet too far away. */
#define SOLIDS_PARALLEL -0.95f

/* As shape_trace(). */
int solids_trace(const struct solids_shape *shape, float h, int eager, const float from[3],
		 const float to[3], float last[3], struct shape_sample *sample)
{
	return shape_trace(DIM, shape->ops, shape->op_count, shape->points, from, to,
			   SOLIDS_CLEARANCE * h, eager, SOLIDS_STEPS, last, sample);
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
	 * loop (docs/portability.md). */
	for (int turn = 0; turn < 2 || lift > 0.01f * h; ++turn) {
		const int direct = turn < 2, second = turn & 1;
		float from[3], to[3];
		for (int axis = 0; axis < 3; ++axis) {
			const float other = direct ? b[axis] : way[axis];
			from[axis] = second ? other : a[axis];
			to[axis] = !second ? other : direct ? a[axis] : b[axis];
		}
		const int clear = solids_trace(shape, h, 1, from, to, last, &sample);
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
			if (cosine < SOLIDS_PARALLEL)
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

/* The centre of a cell, or outside the solid nearby if that is inside.  0 if the cell has none. */
int solids_middle(const struct solids_shape *shape, float h, int i, int j, int k, float x[3])
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

/*
 * Is x, what solids_middle() gives for the cell, on the wrong side of a plate: is there a gap
 * behind it that ends, at a wall of the box or another solid, before the next cell's centre, while
 * the next cell on x's side can take the room there?  x is then moved into the gap.  Plates that
 * (nearly) face an axis.  Of two cells that share a gap the one with more of it turns.
 */
int solids_turn(const struct grid g, const struct solids_shape *shape, const int cell[3],
		float x[3])
{
	enum { TO_PLATE, THROUGH, TO_END, BEHIND_END, OWN_SIDE };
	const int cells[3] = {g.nx, g.ny, g.nz};
	const float clear = SOLIDS_CLEARANCE * g.h;
	float sign = 0.0f, face = 0.0f, limit = 0.0f, t = 0.0f, back = 0.0f, end = 0.0f;
	int axis = 0, walled = 0, stage = TO_PLATE;
	for (int step = 0; step < 2 * SOLIDS_STEPS; ++step) {
		float at[3] = {x[0], x[1], x[2]};
		at[axis] += sign * t;
		const struct shape_sample s = solids_evaluate(shape, at);
		if (step == 0) {
			for (int a = 1; a < DIM; ++a)
				axis = fabs(s.gradient[a]) > fabs(s.gradient[axis]) ? a : axis;
			sign = s.gradient[axis] > 0.0f ? -1.0f : 1.0f;
			const int up = sign > 0.0f, away = cell[axis] + (up ? 1 : -1),
				  own = cell[axis] + (up ? -1 : 1);
			face = sign * ((float)(cell[axis] + up) * g.h - x[axis]);
			walled = away < 0 || away >= cells[axis];
			limit = face + (walled ? 0.0f : 0.5f * g.h);
			if (s.distance >= g.h || fabs(s.gradient[axis]) < 0.9f || face <= 0.0f ||
			    face >= g.h || own < 0 || own >= cells[axis])
				return 0;
		}
		if (stage == TO_PLATE && s.distance < clear)
			stage = THROUGH;
		else if (stage == THROUGH && s.distance >= clear &&
			 s.gradient[axis] * sign > 0.5f) {
			stage = TO_END;
			back = t - s.distance;
		} else if (stage == TO_END && (s.distance < clear || t >= limit)) {
			end = min_float(t, limit);
			/* The other cell's point is in the gap, or this one has little of it. */
			const float part = min_float(end, face) - back, other = end - face;
			const float more = sign < 0.0f ? -SOLIDS_TIE : SOLIDS_TIE;
			if ((!walled && s.distance >= clear) || part < SOLIDS_NARROWEST * g.h ||
			    part < other + more * g.h)
				return 0;
			stage = BEHIND_END;
			t = limit;
			continue;
		} else if (stage == BEHIND_END) {
			/* A solid in which the other cell's centre is, nearest to the gap. */
			if (!walled && s.distance < 0.0f &&
			    limit - end + s.distance < SOLIDS_MARGIN * g.h)
				return 0;
			/* To the centre of the next cell on this side. */
			stage = OWN_SIDE;
			limit = 1.5f * g.h - face;
			sign = -sign;
			t = 0.0f;
			continue;
		} else if (stage == OWN_SIDE && t >= limit && s.distance >= clear) {
			/* That may have such a plate too: then the lower of the two turns. */
			if (sign < 0.0f && s.distance < (0.5f - SOLIDS_NARROWEST) * g.h &&
			    s.gradient[axis] > 0.9f)
				return 0;
			x[axis] -= sign * 0.5f * (back + min_float(end, face));
			return 1;
		}
		if (stage == OWN_SIDE ? s.distance < clear : stage != TO_END && t > face)
			return 0;
		t += stage == THROUGH ? max_float(fabs(s.distance), SOLIDS_THROUGH * g.h)
				      : s.distance;
		if (stage == OWN_SIDE || stage == TO_END)
			t = min_float(t, limit);
	}
	return 0;
}

/* The point that stands for a cell, as solids_find_references() has found it, and how far it is
 * from solids at least.  Returns 0 if the cell has none. */
int solids_reference(const struct grid g, const struct solids_shape *shape, int i, int j, int k,
		     float x[4])
{
	global const float *reference = shape->references + 4 * (long)lattice_index(g, i, j, k);
	for (int n = 0; n < 4; ++n)
		x[n] = reference[n];
	return x[0] < SHAPE_FAR;
}

/* Do balls that are free of solids, around a reference point and x, which is so far from solids at
 * least, cover the way between these?  Then it is clear without a look at solids. */
int solids_covers(float h, const float reference[4], const float x[3], float distance)
{
	return reference[3] + distance >
	       shape_length(x[0] - reference[0], x[1] - reference[1], x[2] - reference[2]) +
		       4.0f * SOLIDS_CLEARANCE * h;
}

/* As solids_sees(), from a reference point. */
int solids_sees_from(const struct solids_shape *shape, float h, const float reference[4],
		     const float x[3], float distance)
{
	return solids_covers(h, reference, x, distance) || solids_sees(shape, h, reference, x);
}

#endif
