/*
 * What acts on the liquid besides pressure, in the axes of the box, x' = x - center:
 *   a = R^T (g - A) - alpha x x' - omega x (omega x x') - 2 omega x v
 * with R, omega, alpha the box's turn and A its acceleration (box_motion.h).  All but the last are
 * one affine field per substep, added to faces; Coriolis' turns the particles' velocities.
 */
#include "forces.h"

#include <math.h>
#include <string.h>

#include "box_motion.h"
#include "forces/force_fields.h"
#include "forces/friction.h"
#include "moving/motion.h"
#include "sin_cos.h"
#include "sources.h"
#include "sources/outflows.h"

/* A substep turns the box by no more than this, rad, and is no more than this part of a period. */
#define MOST_TURN 0.1
#define PERIOD_PARTS 20.0

void forces_gravity(struct sim *sim, double t)
{
	const struct scene_motion *motion = &sim->scene->motion;
	struct box_motion now;
	double g[3];
	scene_gravity(sim->scene, t, g);
	box_motion_at(motion, t, &now);
	if (box_motion_turns(motion))
		box_motion_turn(motion->axis, -now.angle, g, sim->g);
	else
		memcpy(sim->g, g, sizeof(g));
}

/* -rate n x x - square n x (n x x) as a matrix, n the axis. */
static void turning_matrix(const double n[3], double rate, double square, double m[3][3])
{
	for (int a = 0; a < 3; a++) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		m[a][a] = square * (1.0 - n[a] * n[a]);
		m[a][b] = rate * n[c] - square * n[a] * n[b];
		m[a][c] = -rate * n[b] - square * n[a] * n[c];
	}
}

static double length(const double x[3])
{
	return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* By gravity and the motion of the box. */
static double strength_of_kick(const struct sim *sim, double t, double speed)
{
	const struct scene *scene = sim->scene;
	const struct scene_motion *motion = &scene->motion;
	struct box_motion now;
	double g[3], m[3][3], most = 0.0;
	scene_gravity(scene, t, g);
	if (!motion->given)
		return length(g);
	box_motion_at(motion, t, &now);
	for (int a = 0; a < 3; a++)
		g[a] -= now.acceleration[a];
	double uniform[3];
	box_motion_turn(motion->axis, -now.angle, g, uniform);
	turning_matrix(motion->axis, now.angular_acceleration,
		       now.angular_velocity * now.angular_velocity, m);
	/* Affine: greatest at a corner. */
	for (int corner = 0; corner < 1 << sim->dim; corner++) {
		double sum[3];
		for (int a = 0; a < 3; a++) {
			sum[a] = uniform[a];
			for (int b = 0; b < sim->dim; b++)
				sum[a] += m[a][b] * ((corner >> b & 1 ? scene->size[b] : 0.0) -
						     motion->center[b]);
		}
		most = length(sum) > most ? length(sum) : most;
	}
	return most + 2.0 * fabs(now.angular_velocity) * speed;
}

double forces_strength(const struct sim *sim, double t, double speed)
{
	return strength_of_kick(sim, t, speed) + force_fields_strength(sim, t, speed);
}

double forces_longest_step(const struct sim *sim, double t, double dt)
{
	const struct scene_motion *motion = &sim->scene->motion;
	struct box_motion now, then;
	if (!motion->given)
		return dt;
	const double frequency = box_motion_frequency(motion);
	if (frequency * dt * PERIOD_PARTS > 1.0)
		dt = 1.0 / (frequency * PERIOD_PARTS);
	box_motion_at(motion, t, &now);
	box_motion_at(motion, t + dt, &then);
	double spin = fabs(now.angular_velocity);
	spin = fabs(then.angular_velocity) > spin ? fabs(then.angular_velocity) : spin;
	return spin * dt > MOST_TURN ? MOST_TURN / spin : dt;
}

/* The kick of a step, from the exact changes of what has a rate.  It acts where the positions are,
 * at the step's start, as in a leapfrog: so there the box's axes are taken, and a uniform gravity
 * makes the same paths in a box that turns as in one at rest. */
static void moving_kick(struct sim *sim, const double g[3])
{
	const struct scene_motion *motion = &sim->scene->motion;
	const double t = sim->time, dt = sim->dt, h = sim->scene->h;
	struct box_motion start, end;
	double push[3], uniform[3], m[3][3];
	box_motion_at(motion, t, &start);
	box_motion_at(motion, t + dt, &end);
	for (int a = 0; a < 3; a++)
		push[a] = dt * g[a] - (end.velocity[a] - start.velocity[a]);
	box_motion_turn(motion->axis, -start.angle, push, uniform);
	const double turned = end.angle - start.angle;
	turning_matrix(motion->axis, end.angular_velocity - start.angular_velocity,
		       turned * turned / dt, m);
	for (int c = 0; c < sim->dim; c++) {
		double first = uniform[c];
		for (int a = 0; a < sim->dim; a++) {
			/* Of the face at lattice point 0. */
			const double x = (a == c ? 0.0 : 0.5 * h) - motion->center[a];
			first += m[c][a] * x;
			f32 slope = (f32)(m[c][a] * h);
			slope = fabsf(slope) < 0x1p-100f ? 0.0f : slope;
			sim->kick.slope[3 * c + a] = slope;
			sim->kick.varies |= slope < 0.0f || slope > 0.0f;
		}
		sim->kick.first[c] = (f32)first;
	}
}

struct velocity_view forces_velocity(struct sim *sim)
{
	return (struct velocity_view){&sim->u_face, &sim->kick};
}

bool forces_apply(struct sim *sim)
{
	double g[3];
	scene_gravity_mean(sim->scene, sim->time, sim->dt, g);
	memset(&sim->kick, 0, sizeof(sim->kick));
	if (sim->scene->motion.given)
		moving_kick(sim, g);
	else
		for (int a = 0; a < 3; a++)
			sim->kick.first[a] = (f32)(sim->dt * g[a]);
	forces_gravity(sim, sim->time + sim->dt);
	return force_fields_apply(sim) && motion_flow(sim) && sources_flow(sim) &&
	       outflows_push(sim) && friction_apply(sim);
}

/* By an angle about the axis, less 1, times `scale`. */
static struct turn make_turn(const double n[3], double angle, double scale)
{
	double sine, half_sine, unused, m[3][3];
	struct turn turn;
	exact_sin_cos(angle, &sine, &unused);
	exact_sin_cos(0.5 * angle, &half_sine, &unused);
	/* sin n x x + (1 - cos) n x (n x x) */
	turning_matrix(n, -sine, -2.0 * half_sine * half_sine, m);
	for (int c = 0; c < 3; c++)
		for (int a = 0; a < 3; a++) {
			const f32 entry = (f32)(scale * m[c][a]);
			turn.m[3 * c + a] = fabsf(entry) < 0x1p-60f ? 0.0f : entry;
		}
	return turn;
}

/* The angle of the box's turn in this substep: Coriolis turns velocities by twice that, backwards,
 * half of it before P2G. */
static double angle_of_step(const struct sim *sim)
{
	const struct scene_motion *motion = &sim->scene->motion;
	struct box_motion start, end;
	box_motion_at(motion, sim->time, &start);
	box_motion_at(motion, sim->time + sim->dt, &end);
	return end.angle - start.angle;
}

double forces_turn_bound(const struct sim *sim)
{
	/* A component after the turn is at most the sum of a row of absolute values, sqrt(3). */
	return box_motion_turns(&sim->scene->motion) ? 1.7321 : 1.0;
}

bool forces_turn(struct sim *sim, bool after)
{
	struct particles *p = &sim->particles;
	const struct scene_motion *motion = &sim->scene->motion;
	if (!box_motion_turns(motion))
		return true;
	const double angle = angle_of_step(sim);
	const struct grid g = sim->lattice.grid;
	const struct turn turn = make_turn(motion->axis, -angle, 1.0);
	const struct turn rest = make_turn(motion->axis, -2.0 * angle, 0.5);
	const i32 stride = (i32)p->capacity, n = (i32)p->count, has_change = after;
	const i32 affine = scene_has_affine(sim->scene);
	const f32 half_dt = (f32)(0.5 * sim->dt);
	return LAUNCH(sim->cl, forces_turn, clx_range1(p->count), .g = &g, .turn = &turn,
		      .rest = &rest, .has_change = I32(has_change), .half_dt = F32(half_dt),
		      .u_face = &sim->u_face, .change = &sim->delta, .has_affine = I32(affine),
		      .position = &p->now.position, .velocity = &p->now.velocity,
		      .affine = &p->now.affine, .stride = I32(stride), .n = I32(n));
}
