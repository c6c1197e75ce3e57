/*
 * Shapes: signed distance, its gradient, and tracing.  Read by both compilers.
 *
 * A shape is a program in reverse Polish order (shared.h, enum shape_kind).  Its value f is
 * negative inside, positive outside, 0 on the boundary, in metres.
 *   - primitives: the exact Euclidean distance, inside and outside; of meshes near them only,
 *     further away a bound (shape_mesh.h);
 *   - union, intersection, difference, inversion: min, max, max(a, -b), -a.  Of these the exact
 *     distance is known only where the nearest boundary is one of the winning operand, but |f|
 *     never exceeds it: f is 1-Lipschitz, so a ball of radius f about a point outside is free.
 * Sets of zero thickness (a box with min = max, collinear polygons, a half-space cut by its own
 * inverse) are fine: f = 0 on them, positive on both sides.
 *
 * Host and device give the same bits: only + - * / sqrt and comparisons, and differences whose
 * square could be denormal count as 0.
 */
#ifndef FRESHET_SHAPE_H
#define FRESHET_SHAPE_H

#include "shared.h"

/* Value of a shape at a point and its gradient: of unit length, 0 where no direction is nearest
 * (the centre of a sphere, a point exactly on an edge). */
struct shape_sample {
	f32 distance;
	f32 gradient[3];
};

/* What shape_evaluate() gives for an empty program: nothing anywhere near. */
#define SHAPE_FAR 1e30f

SHARED_INLINE f32 shape_flush(f32 x)
{
	return shared_fabs(x) < 0x1p-50f ? 0.0f : x;
}

SHARED_INLINE f32 shape_length(f32 x, f32 y, f32 z)
{
	f32 a = shape_flush(x), b = shape_flush(y), c = shape_flush(z);
	return shared_sqrt(a * a + b * b + c * c);
}

/* Distance to a point at offset (x,y,z), less a radius. */
SHARED_INLINE struct shape_sample shape_round(f32 x, f32 y, f32 z, f32 radius)
{
	struct shape_sample s;
	f32 length = shape_length(x, y, z);
	f32 scale = length > 0.0f ? 1.0f / length : 0.0f;
	s.distance = length - radius;
	s.gradient[0] = shape_flush(x) * scale;
	s.gradient[1] = shape_flush(y) * scale;
	s.gradient[2] = shape_flush(z) * scale;
	return s;
}

/* Distance from the first `dim` axes of p to the box between a[0..2] and a[3..5]. */
SHARED_INLINE struct shape_sample shape_box(int dim, SHARED_GLOBAL const struct shape_op *op,
					    const f32 p[3])
{
	struct shape_sample s;
	f32 excess[3] = {0.0f, 0.0f, 0.0f}, side[3] = {0.0f, 0.0f, 0.0f};
	f32 greatest = 0.0f;
	int nearest = 0;
	for (int axis = 0; axis < dim; ++axis) {
		f32 low = op->a[axis] - p[axis], high = p[axis] - op->a[axis + 3];
		f32 beyond = shape_flush(low > high ? low : high);
		side[axis] = low > high ? -1.0f : 1.0f;
		excess[axis] = beyond > 0.0f ? beyond : 0.0f;
		if (axis == 0 || beyond > greatest) {
			greatest = beyond;
			nearest = axis;
		}
	}
	f32 length = shape_length(excess[0], excess[1], excess[2]);
	for (int axis = 0; axis < 3; ++axis)
		s.gradient[axis] = length > 0.0f     ? side[axis] * (excess[axis] / length)
				   : axis == nearest ? side[axis]
						     : 0.0f;
	s.distance = length > 0.0f ? length : greatest;
	return s;
}

SHARED_INLINE struct shape_sample shape_sphere(SHARED_GLOBAL const struct shape_op *op,
					       const f32 p[3])
{
	return shape_round(p[0] - op->a[0], p[1] - op->a[1], p[2] - op->a[2], op->a[3]);
}

SHARED_INLINE struct shape_sample shape_half_space(SHARED_GLOBAL const struct shape_op *op,
						   const f32 p[3])
{
	struct shape_sample s;
	s.distance = shape_flush(p[0] - op->a[0]) * op->a[3] +
		     shape_flush(p[1] - op->a[1]) * op->a[4] +
		     shape_flush(p[2] - op->a[2]) * op->a[5];
	for (int axis = 0; axis < 3; ++axis)
		s.gradient[axis] = op->a[axis + 3];
	return s;
}

/* Where on the segment from 0 to b the point nearest to p is, of its length.  Most edges of a
 * polygon are nearest at an end, without a division. */
SHARED_INLINE f32 shape_along(f32 px, f32 py, f32 pz, f32 bx, f32 by, f32 bz)
{
	f32 square = bx * bx + by * by + bz * bz;
	f32 along = shape_flush(px) * bx + shape_flush(py) * by + shape_flush(pz) * bz;
	if (along < 0.0f || !(square > 0.0f))
		return 0.0f;
	return along >= square ? 1.0f : along / square;
}

/* Distance to the segment from a to a + b, p given relative to a. */
SHARED_INLINE struct shape_sample shape_segment(f32 px, f32 py, f32 pz, f32 bx, f32 by, f32 bz,
						f32 radius)
{
	f32 t = shape_along(px, py, pz, bx, by, bz);
	return shape_round(px - t * bx, py - t * by, pz - t * bz, radius);
}

SHARED_INLINE struct shape_sample shape_capsule(SHARED_GLOBAL const struct shape_op *op,
						const f32 p[3])
{
	return shape_segment(p[0] - op->a[0], p[1] - op->a[1], p[2] - op->a[2], op->a[3] - op->a[0],
			     op->a[4] - op->a[1], op->a[5] - op->a[2], op->a[6]);
}

/* Flat-capped cylinder; in 2D, where all z are 0, the rectangle of width 2 radius about the axis.
 * Caps that coincide make a disc that faces y. */
SHARED_INLINE struct shape_sample shape_cylinder(SHARED_GLOBAL const struct shape_op *op,
						 const f32 p[3])
{
	struct shape_sample s;
	f32 axis[3], offset[3], radial[3];
	f32 length = shape_length(op->a[3] - op->a[0], op->a[4] - op->a[1], op->a[5] - op->a[2]);
	f32 along = 0.0f;
	for (int i = 0; i < 3; ++i) {
		axis[i] =
			length > 0.0f ? (op->a[i + 3] - op->a[i]) / length : (i == 1 ? 1.0f : 0.0f);
		offset[i] = shape_flush(p[i] - op->a[i]);
		along += offset[i] * axis[i];
	}
	for (int i = 0; i < 3; ++i)
		radial[i] = offset[i] - along * axis[i];
	struct shape_sample side = shape_round(radial[0], radial[1], radial[2], op->a[6]);
	f32 cap = -along > along - length ? -along : along - length;
	f32 cap_side = -along > along - length ? -1.0f : 1.0f;
	f32 cap_excess = cap > 0.0f ? cap : 0.0f;
	f32 side_excess = side.distance > 0.0f ? side.distance : 0.0f;
	f32 outside = shape_length(cap_excess, side_excess, 0.0f);
	f32 cap_share, side_share;
	if (outside > 0.0f) {
		s.distance = outside;
		cap_share = cap_excess / outside;
		side_share = side_excess / outside;
	} else {
		s.distance = cap > side.distance ? cap : side.distance;
		cap_share = cap > side.distance ? 1.0f : 0.0f;
		side_share = 1.0f - cap_share;
	}
	for (int i = 0; i < 3; ++i)
		s.gradient[i] = cap_share * cap_side * axis[i] + side_share * side.gradient[i];
	return s;
}

/* Polygon in the xy-plane: nearest edge, the first of equally near ones; inside by the even-odd
 * rule.  Roots round some unequal squares to the same: squares only tell which edges cannot be it.
 */
SHARED_INLINE struct shape_sample shape_polygon(SHARED_GLOBAL const struct shape_op *op,
						SHARED_GLOBAL const f32 *points, const f32 p[3])
{
	f32 x = p[0], y = p[1];
	f32 distance = SHAPE_FAR, least = SHAPE_FAR, offset_x = 0.0f, offset_y = 0.0f;
	int inside = 0;
	SHARED_GLOBAL const f32 *vertex = points + 2 * op->first;
	f32 ax = vertex[2 * (op->count - 1)], ay = vertex[2 * (op->count - 1) + 1];
	for (int i = 0; i < op->count; ++i) {
		f32 bx = vertex[2 * i], by = vertex[2 * i + 1];
		f32 edge_x = bx - ax, edge_y = by - ay;
		f32 t = shape_along(x - ax, y - ay, 0.0f, edge_x, edge_y, 0.0f);
		f32 dx = shape_flush(x - ax - t * edge_x), dy = shape_flush(y - ay - t * edge_y);
		f32 square = dx * dx + dy * dy;
		if (square < least) {
			f32 root = shared_sqrt(square);
			least = square;
			if (root < distance) {
				distance = root;
				offset_x = dx;
				offset_y = dy;
			}
		}
		if ((by > y) != (ay > y) && x < bx + (y - by) * ((ax - bx) / (ay - by)))
			inside = !inside;
		ax = bx;
		ay = by;
	}
	struct shape_sample best = shape_round(offset_x, offset_y, 0.0f, 0.0f);
	best.distance = distance;
	if (inside) {
		best.distance = -best.distance;
		best.gradient[0] = -best.gradient[0];
		best.gradient[1] = -best.gradient[1];
	}
	return best;
}

SHARED_INLINE struct shape_sample shape_negate(struct shape_sample s)
{
	s.distance = -s.distance;
	for (int axis = 0; axis < 3; ++axis)
		s.gradient[axis] = -s.gradient[axis];
	return s;
}

/* Pairs: *a becomes what it makes with *b. */
SHARED_INLINE void shape_union(struct shape_sample *a, const struct shape_sample *b)
{
	if (b->distance < a->distance)
		*a = *b;
}

SHARED_INLINE void shape_intersection(struct shape_sample *a, const struct shape_sample *b)
{
	if (b->distance > a->distance)
		*a = *b;
}

SHARED_INLINE void shape_difference(struct shape_sample *a, const struct shape_sample *b)
{
	struct shape_sample outside = shape_negate(*b);
	shape_intersection(a, &outside);
}

/* x in the axes of a shape that has been moved: its words are those of SHAPE_PLACE. */
SHARED_INLINE void shape_enter(SHARED_GLOBAL const f32 *words, const f32 x[3], f32 p[3])
{
	f32 away[3];
	for (int a = 0; a < 3; ++a)
		away[a] = shape_flush(x[a] - words[9 + a]);
	for (int a = 0; a < 3; ++a)
		p[a] = words[12 + a] +
		       (words[a] * away[0] + words[3 + a] * away[1] + words[6 + a] * away[2]);
}

/* And a direction back. */
SHARED_INLINE void shape_leave(SHARED_GLOBAL const f32 *words, f32 direction[3])
{
	const f32 d[3] = {shape_flush(direction[0]), shape_flush(direction[1]),
			  shape_flush(direction[2])};
	for (int a = 0; a < 3; ++a)
		direction[a] =
			words[3 * a] * d[0] + words[3 * a + 1] * d[1] + words[3 * a + 2] * d[2];
}

/* How many values an instruction takes from the stack. */
SHARED_INLINE int shape_operands(int kind)
{
	if (kind == SHAPE_PLACE)
		return 0;
	return kind < SHAPE_PRIMITIVE_KINDS		      ? 0
	       : kind == SHAPE_INVERT || kind == SHAPE_PLACED ? 1
							      : 2;
}

#if !defined(FRESHET_DEVICE) || defined(FRESHET_MESHES)
#include "shape_mesh.h"
#define SHAPE_EVALUATED(X) SHAPE_PRIMITIVES(X)
#else
#define SHAPE_EVALUATED(X) SHAPE_ANALYTIC(X)
#endif
#if !defined(FRESHET_DEVICE) || defined(FRESHET_MOTION)
#define SHAPE_MOVES
#endif

/* A case for each kind of the lists: one without its function does not compile. */
#define SHAPE_PUSH(KIND, name, arguments)              \
	case SHAPE_##KIND:                             \
		stack[++top] = shape_##name arguments; \
		break;
#define SHAPE_COMBINE(KIND, name)                           \
	case SHAPE_##KIND:                                  \
		--top;                                      \
		shape_##name(stack + top, stack + top + 1); \
		break;

/*
 * Value and gradient at (x,y,z) of the program ops[0..count-1]; `points` holds the vertices of its
 * polygons and the words of its meshes.  dim = 2: z must be 0, boxes ignore it.  An empty program
 * is SHAPE_FAR away.  Deepest stack: SHAPE_STACK, and one more so that programs can be united one
 * after the other.
 */
SHARED_INLINE struct shape_sample shape_evaluate(int dim, SHARED_GLOBAL const struct shape_op *ops,
						 int count, SHARED_GLOBAL const f32 *points, f32 x,
						 f32 y, f32 z)
{
	struct shape_sample stack[SHAPE_STACK + 1];
	f32 p[3] = {x, y, z};
#ifdef SHAPE_MOVES
	const f32 x_world[3] = {x, y, z};
#endif
	int top = -1;
	stack[0].distance = SHAPE_FAR;
	stack[0].gradient[0] = stack[0].gradient[1] = stack[0].gradient[2] = 0.0f;
	for (int i = 0; i < count; ++i) {
		SHARED_GLOBAL const struct shape_op *op = ops + i;
		/* Never so in programs of the scene reader; compilers cannot know. */
		if (top + 1 < shape_operands(op->kind))
			break;
		switch (op->kind) {
			SHAPE_EVALUATED(SHAPE_PUSH)
			SHAPE_PAIRS(SHAPE_COMBINE)
		case SHAPE_INVERT:
			stack[top] = shape_negate(stack[top]);
			break;
#ifdef SHAPE_MOVES
		case SHAPE_PLACE:
			/* Far from the ball that it is in: that distance is enough. */
			if (op->a[0] > 0.0f) {
				SHARED_GLOBAL const f32 *at = points + 2 * op->first + 9;
				const struct shape_sample ball =
					shape_round(x - at[0], y - at[1], z - at[2], op->a[0]);
				if (ball.distance > op->a[1]) {
					stack[++top] = ball;
					i += (int)op->a[2];
					break;
				}
			}
			shape_enter(points + 2 * op->first, x_world, p);
			break;
		case SHAPE_PLACED:
			shape_leave(points + 2 * op->first, stack[top].gradient);
			for (int axis = 0; axis < 3; ++axis)
				p[axis] = x_world[axis];
			break;
#endif
		}
	}
	return stack[0];
}

/* The value alone. */
SHARED_INLINE f32 shape_distance(int dim, SHARED_GLOBAL const struct shape_op *ops, int count,
				 SHARED_GLOBAL const f32 *points, f32 x, f32 y, f32 z)
{
	return shape_evaluate(dim, ops, count, points, x, y, z).distance;
}

/*
 * Sphere tracing (Hart 1996) along the segment from -> to, which is free if it keeps `clearance`
 * from the shape all the way, both ends included.  Returns 1 if so.  Otherwise, or when `steps`
 * evaluations did not reach the end, returns 0; then last[] is the last point looked at and *sample
 * the shape there.  Steps keep half the clearance from the boundary, so last[] is on the same side
 * as from[] (which must be outside), and rounding far below the clearance cannot carry it across.
 * `eager`: 1 as soon as that is sure, without a look at what is there; last[] and *sample then say
 * nothing.
 */
SHARED_INLINE int shape_trace(int dim, SHARED_GLOBAL const struct shape_op *ops, int count,
			      SHARED_GLOBAL const f32 *points, const f32 from[3], const f32 to[3],
			      f32 clearance, int eager, int steps, f32 last[3],
			      struct shape_sample *sample)
{
	f32 span[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
	f32 length = shape_length(span[0], span[1], span[2]);
	f32 travelled = 0.0f;
	for (int step = 0; step < steps; ++step) {
		int arrived = travelled >= length;
		f32 share = arrived ? 1.0f : travelled / length;
		for (int axis = 0; axis < 3; ++axis)
			last[axis] = arrived ? to[axis] : from[axis] + share * span[axis];
		*sample = shape_evaluate(dim, ops, count, points, last[0], last[1], last[2]);
		if (sample->distance < clearance)
			return 0;
		if (arrived)
			return 1;
		if (eager && step < steps - 1 &&
		    sample->distance > length - travelled + 2.0f * clearance)
			return 1;
		travelled += sample->distance - 0.5f * clearance;
	}
	return 0;
}

#endif
