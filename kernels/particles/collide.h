/*
 * Collision of moving particles with static solids and the walls of the box.
 *
 * Swept: the path of a substep is sphere-traced against the exact distance, so that no particle
 * passes a solid in one substep, however thin it is.  A particle that hits is put 0.1 h outside
 * (and an id-hashed bit more, so that particles do not stack), goes on with the tangential rest of
 * its motion once, and loses the inward normal velocity, or all but the outward one where the solid
 * does not slip.  Each new place is shown to be on the old side: it lies in a free ball about a
 * point of the free path, or is reached by a free path.
 */
#ifndef FRESHET_COLLIDE_H
#define FRESHET_COLLIDE_H

#include "common.h"
#include "shape.h"

/* Result bits of collide(). */
#define COLLIDE_PUSHED 1  /* a solid or a closed wall changed the position */
#define COLLIDE_ESCAPED 2 /* the old position was inside a solid, which must never happen */
#define COLLIDE_LEFT 4	  /* the new position is beyond an open wall: to be removed */

/* Of the cell size: a path keeps this far from solids, beyond what distances are off by rounding;
 * where pushed particles are put, nearer than particles stand to each other (half a cell), and how
 * much further at most; how near the sides of the box a particle may be, so that it has a cell. */
#define COLLIDE_SKIN 0x1p-8f
#define COLLIDE_OFFSET 0.1f
#define COLLIDE_SCATTER 0.05f
#define COLLIDE_MARGIN 0x1p-12f
/* Of sphere tracing: a path that takes more grazes a solid, and counts as hitting it. */
#define COLLIDE_STEPS 48

/* The solids as solids.c left them, in the order of collide()'s arguments. */
struct collide_solids {
	global const struct shape_op *ops; /* all solids united */
	int op_count;			   /* 0 = no solids */
	global const float *points;	   /* polygon vertices */
	global const float *solid_phi;	   /* [L], at nodes, m */
	global const uint *solid_slip;	   /* [solid_count], see solids.h */
	int solid_count;
};

float collide_offset(const struct grid g, uint id, uint salt, uint code)
{
	uint bits = hash_4(id, salt, code, 0x636f6c6cu);
	return g.h * (COLLIDE_OFFSET + COLLIDE_SCATTER * unit_float(bits));
}

/* Is x beyond the sides of an axis with n cells?  -1 low, 1 high, 0 no.  What is not beyond lies
 * in a cell: floor(x/h) is in 0..n-1. */
int collide_side(const struct grid g, float x, float size, int n)
{
	float margin = COLLIDE_MARGIN * g.h;
	return x < margin ? -1 : x > size - margin || floor(x * g.inv_h) >= (float)n ? 1 : 0;
}

/* Brings a point back inside the closed walls; 1 if it was beyond one. */
int collide_walls(const struct grid g, uint id, uint salt, float position[3], float velocity[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const int cells[3] = {g.nx, g.ny, g.nz};
	int hit = 0;
	for (int axis = 0; axis < DIM; ++axis) {
		int side = collide_side(g, position[axis], size[axis], cells[axis]);
		if (side == 0 || (g.open_walls >> (2 * axis + (side > 0))) & 1)
			continue;
		float offset = collide_offset(g, id, salt, (uint)axis);
		position[axis] = side < 0 ? offset : size[axis] - offset;
		if (side < 0 ? velocity[axis] < 0.0f : velocity[axis] > 0.0f)
			velocity[axis] = 0.0f;
		hit = 1;
	}
	return hit;
}

/* Is the point beyond an open wall?  On a closed one are particles that began there and have no
 * room to move: nothing leaves through it. */
int collide_left(const struct grid g, const float position[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const int cells[3] = {g.nx, g.ny, g.nz};
	int left = 0;
	for (int axis = 0; axis < DIM; ++axis) {
		int side = collide_side(g, position[axis], size[axis], cells[axis]);
		left |= side != 0 && (g.open_walls >> (2 * axis + (side > 0))) & 1;
	}
	return left;
}

/* A path that is no motion of the liquid does not lead out of the box: along axes on which its end
 * is beyond an open wall the particle stays where it is. */
void collide_stay_inside(const struct grid g, const float from[3], float to[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const int cells[3] = {g.nx, g.ny, g.nz};
	for (int axis = 0; axis < DIM; ++axis) {
		int side = collide_side(g, to[axis], size[axis], cells[axis]);
		if (side != 0 && (g.open_walls >> (2 * axis + (side > 0))) & 1)
			to[axis] = from[axis];
	}
}

/* solid_phi between the nodes, linear along each axis; off by less than h from the true value. */
float collide_solid_phi(const struct grid g, global const float *solid_phi, const float x[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int cell[3] = {0, 0, 0};
	float share[3] = {0.0f, 0.0f, 0.0f};
	for (int axis = 0; axis < DIM; ++axis) {
		float s = clamp_float(x[axis] * g.inv_h, 0.0f, (float)cells[axis]);
		cell[axis] = clamp_int((int)s, 0, cells[axis] - 1);
		share[axis] = s - (float)cell[axis];
	}
	float sum = 0.0f;
	for (int corner = 0; corner < (1 << DIM); ++corner) {
		float weight = 1.0f;
		int node = lattice_index(g, cell[0], cell[1], cell[2]);
		for (int axis = 0; axis < DIM; ++axis) {
			int high = (corner >> axis) & 1;
			weight *= high ? share[axis] : 1.0f - share[axis];
			node += high * lattice_stride(g, axis);
		}
		sum += weight * solid_phi[node];
	}
	return sum;
}

/* Is solid_phi at x more than `reach`, by one node of its cell alone?  Most particles are so far
 * from solids: no two nodes of a cell differ by more than they are apart, at
 * most 1.74 h. */
ALWAYS_INLINE int collide_is_far(const struct grid g, global const float *solid_phi,
				 const float x[3], float reach)
{
	const float i = clamp_float(x[0] * g.inv_h, 0.0f, (float)(g.nx - 1));
	const float j = clamp_float(x[1] * g.inv_h, 0.0f, (float)(g.ny - 1));
	const float k = DIM == 3 ? clamp_float(x[2] * g.inv_h, 0.0f, (float)(g.nz - 1)) : 0.0f;
	return solid_phi[lattice_index(g, (int)i, (int)j, (int)k)] > reach + 1.75f * g.h;
}

/* Can the path touch a solid at all?  By the nodal distances, before anything dear. */
int collide_near(const struct grid g, const struct collide_solids *solids, const float from[3],
		 const float to[3])
{
	float travelled = shape_length(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
	return !(collide_solid_phi(g, solids->solid_phi, from) > travelled + g.h);
}

struct shape_sample collide_evaluate(const struct collide_solids *solids, const float x[3])
{
	return shape_evaluate(DIM, solids->ops, solids->op_count, solids->points, x[0], x[1], x[2]);
}

int collide_trace(const struct grid g, const struct collide_solids *solids, const float from[3],
		  const float to[3], float last[3], struct shape_sample *sample)
{
	return shape_trace(DIM, solids->ops, solids->op_count, solids->points, from, to,
			   COLLIDE_SKIN * g.h, 1, COLLIDE_STEPS, last, sample);
}

/* Does the solid nearest to x let particles slip? */
int collide_slips(const struct collide_solids *solids, const float x[3])
{
	float nearest = SHAPE_FAR;
	int start = 0, slips = 1;
	for (int solid = 0; solid < solids->solid_count; ++solid) {
		int end = (int)(solids->solid_slip[solid] >> 1);
		float distance = shape_distance(DIM, solids->ops + start, end - start,
						solids->points, x[0], x[1], x[2]);
		if (distance < nearest) {
			nearest = distance;
			slips = (int)(solids->solid_slip[solid] & 1u);
		}
		start = end + (solid > 0); /* a union follows every solid but the first */
	}
	return slips;
}

/* Takes the inward part out of a vector, given the outward normal; with stop, all but the outward
 * part. */
void collide_project(const float normal[3], int stop, float vector[3])
{
	float outward = 0.0f;
	for (int axis = 0; axis < DIM; ++axis)
		outward += shape_flush(vector[axis]) * normal[axis];
	for (int axis = 0; axis < DIM; ++axis) {
		if (stop)
			vector[axis] = outward > 0.0f ? outward * normal[axis] : 0.0f;
		else if (outward < 0.0f)
			vector[axis] -= outward * normal[axis];
	}
}

/* From a free point near a solid to its proper distance: along the gradient, kept inside the
 * walls, nearer where there is no room.  The new point counts only if the ball that is free about
 * it holds the old one; 0 if there is none. */
int collide_step_off(const struct grid g, const struct collide_solids *solids, uint id, uint salt,
		     const float point[3], const struct shape_sample *sample, float next[3])
{
	float at_rest[3] = {0.0f, 0.0f, 0.0f};
	float offset = collide_offset(g, id, salt, 3u);
	for (int attempt = 0; attempt < 4; ++attempt) {
		float push = max_float(offset - sample->distance, 0.0f);
		for (int axis = 0; axis < 3; ++axis)
			next[axis] = point[axis] + push * sample->gradient[axis];
		collide_walls(g, id, salt, next, at_rest);
		collide_stay_inside(g, point, next);
		float moved =
			shape_length(next[0] - point[0], next[1] - point[1], next[2] - point[2]);
		float room = collide_evaluate(solids, next).distance;
		if (room >= COLLIDE_SKIN * g.h && room >= moved)
			return 1;
		offset *= 0.5f;
	}
	return 0;
}

/* Out of a solid along the gradient; 0 if a few steps do not get there. */
int collide_surface(const struct grid g, const struct collide_solids *solids, uint id, uint salt,
		    float point[3], float velocity[3])
{
	float offset = collide_offset(g, id, salt, 3u);
	for (int step = 0; step < 8; ++step) {
		struct shape_sample s = collide_evaluate(solids, point);
		if (s.distance >= COLLIDE_SKIN * g.h)
			return 1;
		float inside[3];
		for (int axis = 0; axis < 3; ++axis)
			inside[axis] = point[axis];
		for (int axis = 0; axis < DIM; ++axis)
			point[axis] += (offset - s.distance) * s.gradient[axis];
		collide_project(s.gradient, 0, velocity);
		collide_walls(g, id, salt, point, velocity);
		collide_stay_inside(g, inside, point);
	}
	return 0;
}

/* The path old -> target among the solids; target[] becomes where it ends. */
int collide_sweep(const struct grid g, const struct collide_solids *solids, uint id, uint salt,
		  const float old[3], float target[3], float velocity[3])
{
	float from[3] = {old[0], old[1], old[2]}, last[3], next[3];
	struct shape_sample sample;
	int result = 0;
	if (collide_evaluate(solids, from).distance < 0.0f) {
		result = COLLIDE_PUSHED | COLLIDE_ESCAPED;
		if (!collide_surface(g, solids, id, salt, from, velocity)) {
			for (int axis = 0; axis < 3; ++axis)
				target[axis] = old[axis];
			return result;
		}
		for (int axis = 0; axis < 3; ++axis)
			target[axis] = from[axis];
	}
	for (int pass = 0; pass < 2; ++pass) {
		uint pass_salt = salt ^ ((uint)pass << 31);
		if (collide_trace(g, solids, from, target, last, &sample))
			return result;
		result |= COLLIDE_PUSHED;
		collide_project(sample.gradient, !collide_slips(solids, last), velocity);
		if (!collide_step_off(g, solids, id, pass_salt, last, &sample, next))
			break;
		float rest[3];
		for (int axis = 0; axis < 3; ++axis)
			rest[axis] = target[axis] - last[axis];
		collide_project(sample.gradient, 0, rest);
		for (int axis = 0; axis < 3; ++axis) {
			from[axis] = next[axis];
			target[axis] = next[axis] + rest[axis];
		}
		collide_walls(g, id, pass_salt, target, velocity);
	}
	for (int axis = 0; axis < 3; ++axis)
		target[axis] = from[axis];
	return result;
}

/*
 * Corrects a move of particle `id` from old_position[] (inside the box, outside every solid) to
 * position[], m.  velocity[], m/s, loses what points into what was hit.  In 2D position[2] and
 * velocity[2] are left alone.  `salt` differs from call to call (the substep's number), so that the
 * scatter does.  Returns COLLIDE_* bits; without COLLIDE_LEFT the position is outside every solid
 * and in a cell of the grid, or where it was.
 */
int collide(const struct grid g, global const struct shape_op *ops, int op_count,
	    global const float *points, global const float *solid_phi,
	    global const uint *solid_slip, int solid_count, uint id, uint salt,
	    const float old_position[3], float position[3], float velocity[3])
{
	const struct collide_solids solids = {ops,	 op_count,   points,
					      solid_phi, solid_slip, solid_count};
	float from[3] = {0.0f, 0.0f, 0.0f}, target[3] = {0.0f, 0.0f, 0.0f};
	for (int axis = 0; axis < DIM; ++axis) {
		from[axis] = old_position[axis];
		target[axis] = position[axis];
	}
	int result = collide_walls(g, id, salt, target, velocity) ? COLLIDE_PUSHED : 0;
	if (op_count > 0 && collide_near(g, &solids, from, target))
		result |= collide_sweep(g, &solids, id, salt, from, target, velocity);
	if (collide_left(g, target))
		result |= COLLIDE_LEFT;
	for (int axis = 0; axis < DIM; ++axis)
		position[axis] = target[axis];
	return result;
}

#endif
