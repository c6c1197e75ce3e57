/*
 * Collision with solids that move: conservative advancement.
 *
 * In its own axes a solid rests, and the distance to it changes no faster than a particle moves
 * there: |v - V| + |w| (|x - c| + |v - V| (1 - t)), t the part of the substep that is over.  So
 * steps of the distance by that speed, the least over the solids, miss nothing, however thin a
 * solid is or fast it turns.  A particle that hits keeps its place in the solid's axes, put a
 * little off it, to the end of the substep, and takes the tangential rest of its motion then.
 */
#ifndef FRESHET_COLLIDE_MOVING_H
#define FRESHET_COLLIDE_MOVING_H

#include "collide_count.h"
#include "mover.h"

struct collide_movers {
	struct collide_solids all; /* at their places at the start */
	int rest_count;		   /* of the solids, the first ones: they rest */
	global const float *mover; /* [][MOVER_WORDS] */
	float most;		   /* m, the greatest way of any point of theirs */
};

/* A path from a place to another, from part `start` of the substep to its end; 1: within no time.
 */
struct collide_path {
	float from[3], to[3];
	float start;
	int except; /* a solid that is not met; -1: none */
};

/* Where a mover is. */
struct collide_pose {
	float q[4], at[3];
};

void collide_pose_at(global const float *mover, float t, struct collide_pose *pose)
{
	float square = 0.0f;
	for (int a = 0; a < 4; ++a) {
		pose->q[a] = mover[MOVER_FROM_TURN + a] +
			     t * (mover[MOVER_TO_TURN + a] - mover[MOVER_FROM_TURN + a]);
		square += shape_flush(pose->q[a]) * shape_flush(pose->q[a]);
	}
	const float scale = 1.0f / sqrt(square);
	for (int a = 0; a < 4; ++a)
		pose->q[a] = shape_flush(pose->q[a] * scale);
	for (int a = 0; a < 3; ++a)
		pose->at[a] =
			mover[MOVER_FROM + a] + t * (mover[MOVER_TO + a] - mover[MOVER_FROM + a]);
}

/* v turned by a unit quaternion; sign -1: back. */
void collide_turn(const float q[4], float sign, const float v[3], float out[3])
{
	float cross[3];
	for (int a = 0; a < 3; ++a) {
		const int b = a == 2 ? 0 : a + 1, c = a == 0 ? 2 : a - 1;
		cross[a] = q[1 + b] * shape_flush(v[c]) - q[1 + c] * shape_flush(v[b]);
	}
	for (int a = 0; a < 3; ++a) {
		const int b = a == 2 ? 0 : a + 1, c = a == 0 ? 2 : a - 1;
		out[a] = v[a] + 2.0f * (sign * q[0] * shape_flush(cross[a]) +
					(q[1 + b] * shape_flush(cross[c]) -
					 q[1 + c] * shape_flush(cross[b])));
	}
}

/* A place in a mover's own axes, as its shape is told; and back. */
void collide_to_own(global const float *mover, const struct collide_pose *pose, const float x[3],
		    float own[3])
{
	const float away[3] = {x[0] - pose->at[0], x[1] - pose->at[1], x[2] - pose->at[2]};
	collide_turn(pose->q, -1.0f, away, own);
	for (int a = 0; a < 3; ++a)
		own[a] += mover[MOVER_CENTER + a];
}

void collide_from_own(global const float *mover, const struct collide_pose *pose,
		      const float own[3], float x[3])
{
	float away[3];
	for (int a = 0; a < 3; ++a)
		away[a] = own[a] - mover[MOVER_CENTER + a];
	collide_turn(pose->q, 1.0f, away, x);
	for (int a = 0; a < 3; ++a)
		x[a] += pose->at[a];
}

/* Solid n, of the ops from `start` to `end`, as seen from x at part t of the substep. */
struct shape_sample collide_solid_at(const struct collide_movers *m, int n, int start, int end,
				     float t, const float x[3])
{
	const int moves = n >= m->rest_count;
	float p[3] = {x[0], x[1], x[2]}, gradient[3];
	struct collide_pose pose;
	global const float *mover = m->mover + (moves ? n - m->rest_count : 0) * MOVER_WORDS;
	if (moves) {
		collide_pose_at(mover, t, &pose);
		collide_to_own(mover, &pose, x, p);
		p[2] = DIM == 3 ? p[2] : 0.0f;
		/* Without SHAPE_PLACE and SHAPE_PLACED. */
		++start;
		--end;
	}
	struct shape_sample s = shape_evaluate(DIM, m->all.ops + start, end - start, m->all.points,
					       p[0], p[1], p[2]);
	if (moves) {
		collide_turn(pose.q, 1.0f, s.gradient, gradient);
		for (int a = 0; a < 3; ++a)
			s.gradient[a] = gradient[a];
	}
	return s;
}

/* How fast at most, in m of a whole path, the distance to solid n changes at x when a part `done`
 * of the path is over.  way: all of it. */
float collide_approach(const struct collide_movers *m, int n, float start, float done,
		       const float x[3], const float way[3])
{
	float relative[3] = {way[0], way[1], way[2]}, away[3] = {0.0f, 0.0f, 0.0f}, angle = 0.0f;
	const float part = 1.0f - start;
	if (n >= m->rest_count) {
		global const float *mover = m->mover + (n - m->rest_count) * MOVER_WORDS;
		angle = part * mover[MOVER_ANGLE];
		for (int a = 0; a < 3; ++a) {
			const float shift = mover[MOVER_TO + a] - mover[MOVER_FROM + a];
			relative[a] -= part * shift;
			away[a] = x[a] - (mover[MOVER_FROM + a] + (start + done * part) * shift);
		}
	}
	const float speed = shape_length(relative[0], relative[1], relative[2]);
	return speed + angle * (shape_length(away[0], away[1], away[2]) + speed * (1.0f - done));
}

/*
 * The first solid that a path meets, or -1; *t: when, x[]: where, *sample: the solid there.  Of
 * solids met at once the first.  A path that takes more than COLLIDE_STEPS grazes the nearest one.
 */
int collide_first(const struct grid g, const struct collide_movers *m,
		  const struct collide_path *path, float *t, float x[3],
		  struct shape_sample *sample)
{
	const float skin = COLLIDE_SKIN * g.h;
	float way[3], done = 0.0f;
	int found = -1;
	for (int a = 0; a < 3; ++a)
		way[a] = path->to[a] - path->from[a];
	for (int step = 0; step < COLLIDE_STEPS; ++step) {
		float advance = 1.0f, nearest = SHAPE_FAR;
		const int arrived = done >= 1.0f;
		int start = 0;
		*t = arrived ? 1.0f : path->start + done * (1.0f - path->start);
		for (int a = 0; a < 3; ++a)
			x[a] = arrived ? path->to[a] : path->from[a] + done * way[a];
		found = -1;
		for (int n = 0; n < m->all.solid_count; ++n) {
			const int end = (int)(m->all.solid_slip[n] >> 1);
			const struct shape_sample s = collide_solid_at(m, n, start, end, *t, x);
			start = end + (n > 0); /* a union follows every solid but the first */
			if (n == path->except)
				continue;
			const float speed = collide_approach(m, n, path->start, done, x, way);
			if (s.distance < nearest) {
				nearest = s.distance;
				*sample = s;
				found = n;
			}
			if (s.distance < skin)
				return found;
			if (s.distance - 0.5f * skin < advance * speed)
				advance = (s.distance - 0.5f * skin) / speed;
		}
		if (arrived)
			return -1;
		done = min_float(done + advance, 1.0f);
	}
	return found;
}

/* The least distance of all solids at x at the end. */
float collide_end_room(const struct collide_movers *m, const float x[3])
{
	float least = SHAPE_FAR;
	int start = 0;
	for (int n = 0; n < m->all.solid_count; ++n) {
		const int end = (int)(m->all.solid_slip[n] >> 1);
		least = min_float(least, collide_solid_at(m, n, start, end, 1.0f, x).distance);
		start = end + (n > 0);
	}
	return least;
}

/* Velocity of solid n at x, m/s, and how far it takes what stands there at part t of the substep to
 * the end, put off by `push` along its normal: to[]. */
void collide_carry(const struct collide_movers *m, int n, float t, const float x[3],
		   const float normal[3], float push, float velocity[3], float to[3])
{
	struct collide_pose pose;
	float own[3], off[3];
	for (int a = 0; a < 3; ++a) {
		off[a] = x[a] + push * normal[a];
		to[a] = off[a];
		velocity[a] = 0.0f;
	}
	if (n < m->rest_count)
		return;
	global const float *mover = m->mover + (n - m->rest_count) * MOVER_WORDS;
	collide_pose_at(mover, t, &pose);
	collide_to_own(mover, &pose, off, own);
	mover_velocity(mover, pose.at, x, velocity);
	collide_pose_at(mover, 1.0f, &pose);
	collide_from_own(mover, &pose, own, to);
	to[2] = DIM == 3 ? to[2] : 0.0f;
}

/* Of a particle that solids squeeze: the middle of the nearest cell with room at the end, among
 * those at most two away; 0 if there is none. */
int collide_nearest_room(const struct grid g, const struct collide_movers *m, const float x[3],
			 float best[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	float nearest = SHAPE_FAR;
	for (int n = 0; n < (DIM == 2 ? 25 : 125); ++n) {
		const int away[3] = {modulo(n, 5) - 2, modulo(n / 5, 5) - 2,
				     DIM == 3 ? n / 25 - 2 : 0};
		float to[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f;
		for (int a = 0; a < DIM; ++a) {
			const int cell = clamp_int(
				clamp_int(floor_int(x[a] * g.inv_h), 0, cells[a] - 1) + away[a], 0,
				cells[a] - 1);
			to[a] = ((float)cell + 0.5f) * g.h;
			square += shape_flush(to[a] - x[a]) * shape_flush(to[a] - x[a]);
		}
		if (square >= nearest || collide_end_room(m, to) < COLLIDE_OFFSET * g.h)
			continue;
		nearest = square;
		for (int a = 0; a < 3; ++a)
			best[a] = to[a];
	}
	return nearest < SHAPE_FAR;
}

/* The path old -> target among solids that move; target[] becomes where it ends. */
int collide_sweep_moving(const struct grid g, const struct collide_movers *m, uint id, uint salt,
			 const float old[3], float target[3], float velocity[3])
{
	struct collide_path path = {
		{old[0], old[1], old[2]}, {target[0], target[1], target[2]}, 0.0f, -1};
	struct shape_sample sample;
	float t, x[3];
	int result = 0;
	if (collide_evaluate(&m->all, path.from).distance < 0.0f) {
		result = COLLIDE_PUSHED | COLLIDE_ESCAPED;
		collide_surface(g, &m->all, id, salt, path.from, velocity);
		for (int a = 0; a < 3; ++a)
			path.to[a] = path.from[a];
	}
	/* On its way; what is left of it at the end, along the solid; along the next one. */
	for (int pass = 0; pass < 3; ++pass) {
		const uint pass_salt = salt ^ ((uint)pass << 30);
		const int hit = collide_first(g, m, &path, &t, x, &sample);
		if (hit < 0) {
			for (int a = 0; a < 3; ++a)
				target[a] = path.to[a];
			break;
		}
		result |= COLLIDE_PUSHED;
		/* At the end it is where it is; once more would be of no use. */
		for (int a = 0; a < 3; ++a)
			target[a] = x[a];
		float solid[3], next[3], relative[3], offset = collide_offset(g, id, pass_salt, 3u);
		int room = 0;
		collide_carry(m, hit, t, x, sample.gradient, 0.0f, solid, next);
		for (int a = 0; a < 3; ++a)
			relative[a] = velocity[a] - solid[a];
		collide_project(sample.gradient, !(m->all.solid_slip[hit] & 1u), relative);
		for (int a = 0; a < DIM; ++a)
			velocity[a] = relative[a] + solid[a];
		if (pass == 2)
			break;
		for (int attempt = 0; attempt < 5 && !room; ++attempt) {
			const float push = max_float(offset - sample.distance, 0.0f);
			float at_rest[3] = {0.0f, 0.0f, 0.0f};
			collide_carry(m, hit, t, x, sample.gradient, push, solid, next);
			collide_walls(g, id, pass_salt, next, at_rest);
			/* Not through another solid, which may move as well. */
			struct collide_path carried = {
				{x[0], x[1], x[2]}, {next[0], next[1], next[2]}, t, hit};
			struct shape_sample other;
			float when, where[3];
			room = collide_first(g, m, &carried, &when, where, &other) < 0 &&
			       collide_end_room(m, next) >= 0.5f * COLLIDE_SKIN * g.h;
			offset *= 0.5f;
		}
		if (!room)
			break;
		/* What is left of the way, less what the solid has taken it along. */
		float rest[3];
		for (int a = 0; a < 3; ++a)
			rest[a] = path.to[a] - next[a];
		collide_project(sample.gradient, 0, rest);
		for (int a = 0; a < 3; ++a) {
			target[a] = path.from[a] = next[a];
			path.to[a] = next[a] + rest[a];
		}
		collide_walls(g, id, pass_salt, path.to, velocity);
		path.start = 1.0f;
	}
	if (collide_end_room(m, target) < 0.25f * COLLIDE_SKIN * g.h) {
		float next[3];
		result |= COLLIDE_PUSHED;
		if (collide_nearest_room(g, m, target, next))
			for (int a = 0; a < 3; ++a)
				target[a] = next[a];
	}
	return result;
}

/* As collide(), among solids that move. */
int collide_moving(const struct grid g, const struct collide_movers *m, uint id, uint salt,
		   const float old_position[3], float position[3], float velocity[3])
{
	float from[3] = {0.0f, 0.0f, 0.0f}, target[3] = {0.0f, 0.0f, 0.0f};
	for (int axis = 0; axis < DIM; ++axis) {
		from[axis] = old_position[axis];
		target[axis] = position[axis];
	}
	int result = collide_walls(g, id, salt, target, velocity) ? COLLIDE_PUSHED : 0;
	const float travelled =
		shape_length(target[0] - from[0], target[1] - from[1], target[2] - from[2]);
	if (!(collide_solid_phi(g, m->all.solid_phi, from) > travelled + m->most + g.h))
		result |= collide_sweep_moving(g, m, id, salt, from, target, velocity);
	if (collide_left(g, target))
		result |= COLLIDE_LEFT;
	for (int axis = 0; axis < DIM; ++axis)
		position[axis] = target[axis];
	return result;
}

/* Moves particle p from x[] to moved[], or as far as solids and walls let it. */
void collide_move_moving(const struct grid g, const struct collide_movers *movers, uint salt,
			 const float x[3], float moved[3], global float *position,
			 global float *velocity, global uint *id, int stride, int p,
			 global uint *scalars)
{
	float v[3] = {0.0f, 0.0f, 0.0f};
	for (int c = 0; c < DIM; c++)
		v[c] = velocity[c * stride + p];
	const int result = collide_moving(g, movers, id[p], salt, x, moved, v);
	for (int c = 0; c < DIM; c++) {
		position[c * stride + p] = moved[c];
		velocity[c * stride + p] = v[c];
	}
	collide_count(result, scalars, id, p);
}

#endif
