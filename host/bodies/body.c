#include "body.h"

#include <math.h>
#include <string.h>

#include "matrix3.h"
#include "sin_cos.h"

static bool is_locked(const struct scene_body *of, int dim, enum scene_lock axis)
{
	const bool in_plane = axis == LOCK_X || axis == LOCK_Y || axis == LOCK_TURN_Z;
	return (of->lock >> axis & 1u) || (dim == 2 && !in_plane);
}

/* p q, first the turn q, then p. */
static void multiply(const double p[4], const double q[4], double r[4])
{
	double c[3];
	cross3(p + 1, q + 1, c);
	r[0] = p[0] * q[0] - dot3(p + 1, q + 1);
	for (int a = 0; a < 3; a++)
		r[a + 1] = p[0] * q[a + 1] + q[0] * p[a + 1] + c[a];
}

static void turn_by(const double vector[3], double q[4])
{
	const double angle = sqrt(dot3(vector, vector));
	double sine, cosine;
	exact_sin_cos(0.5 * angle, &sine, &cosine);
	q[0] = cosine;
	for (int a = 0; a < 3; a++)
		q[a + 1] = angle > 0.0 ? sine * (vector[a] / angle) : 0.0;
}

static void normalise(double q[4])
{
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 4; i++)
		q[i] /= length;
}

void body_pose(const struct body *body, struct solid_pose *pose)
{
	const double w = body->q[0], *v = body->q + 1;
	memcpy(pose->at, body->x, sizeof(pose->at));
	memcpy(pose->q, body->q, sizeof(pose->q));
	for (int a = 0; a < 3; a++) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		pose->turn[a][a] = 1.0 - 2.0 * (v[b] * v[b] + v[c] * v[c]);
		pose->turn[a][b] = 2.0 * (v[a] * v[b] - w * v[c]);
		pose->turn[a][c] = 2.0 * (v[a] * v[c] + w * v[b]);
	}
}

bool body_is_held(const struct scene_body *of, double t)
{
	return t < of->release;
}

void body_follow(const struct scene_solid *solid, double t, double dt, struct body *body)
{
	struct solid_pose from, to;
	solid_motion_at(&solid->motion, t, &from);
	solid_motion_at(&solid->motion, t + dt, &to);
	memcpy(body->x, from.at, sizeof(body->x));
	memcpy(body->q, from.q, sizeof(body->q));
	solid_motion_between(&from, &to, dt, body->velocity, body->spin);
}

void body_inertia(const struct scene_body *of, const struct body *body, double inertia[3][3])
{
	struct solid_pose pose;
	double half[3][3];
	body_pose(body, &pose);
	/* R I, then (R I) R^T; I is symmetric. */
	for (int i = 0; i < 3; i++)
		times3(FLAT3(of->of.inertia), pose.turn[i], half[i]);
	for (int i = 0; i < 3; i++)
		times3(FLAT3(pose.turn), half[i], inertia[i]);
}

/* The inverse of the part of the inertia that is about free axes; 0 elsewhere. */
static void invert_free(const struct scene_body *of, int dim, const struct body *body,
			double inverse[3][3])
{
	double inertia[3][3];
	bool locked[3];
	body_inertia(of, body, inertia);
	for (int a = 0; a < 3; a++)
		locked[a] = is_locked(of, dim, (enum scene_lock)(LOCK_TURN_X + a));
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			if (locked[a] || locked[b])
				inertia[a][b] = a == b ? 1.0 : 0.0;
	invert3(FLAT3(inertia), FLAT3(inverse));
	for (int a = 0; a < 3; a++)
		inverse[a][a] = locked[a] ? 0.0 : inverse[a][a];
}

void body_inverse_mass(const struct scene_body *of, int dim, const struct body *body,
		       struct body_inverse *inverse)
{
	for (int a = 0; a < 3; a++)
		inverse->linear[a] =
			is_locked(of, dim, (enum scene_lock)(LOCK_X + a)) ? 0.0 : 1.0 / of->of.mass;
	invert_free(of, dim, body, inverse->angular);
}

void body_lock(const struct scene_body *of, int dim, struct body *body)
{
	for (int a = 0; a < 3; a++) {
		if (is_locked(of, dim, (enum scene_lock)(LOCK_X + a)))
			body->velocity[a] = 0.0;
		if (is_locked(of, dim, (enum scene_lock)(LOCK_TURN_X + a)))
			body->spin[a] = 0.0;
	}
}

void body_start(const struct scene_solid *solid, int dim, struct body *body)
{
	struct solid_pose pose;
	solid_motion_at(&solid->motion, 0.0, &pose);
	*body = (struct body){{0.0}};
	memcpy(body->x, pose.at, sizeof(body->x));
	memcpy(body->q, pose.q, sizeof(body->q));
	if (body_is_held(&solid->body, 0.0))
		return;
	memcpy(body->velocity, solid->body.velocity, sizeof(body->velocity));
	memcpy(body->spin, solid->body.spin, sizeof(body->spin));
	body_lock(&solid->body, dim, body);
}

void body_lead(const struct scene_solid *solid, int dim, double t, double dt, struct body *body)
{
	struct body from;
	body_follow(solid, t, dt, &from);
	body_follow(solid, t + dt, dt, body);
	memcpy(body->velocity, from.velocity, sizeof(from.velocity));
	memcpy(body->spin, from.spin, sizeof(from.spin));
	if (body_is_held(&solid->body, t + dt))
		return;
	if (solid->motion.key_count == 0) {
		memcpy(body->velocity, solid->body.velocity, sizeof(body->velocity));
		memcpy(body->spin, solid->body.spin, sizeof(body->spin));
	}
	body_lock(&solid->body, dim, body);
}

/* Powers of two in the radius that a way is rounded to. */
#define WAY_BITS 40

/* To a multiple of `unit`, ties to even; as it is if it has no more bits. */
static double rounded(double x, double unit)
{
	const double shift = 0x1.8p52 * unit;
	return fabs(x) < 0x1p51 * unit ? (x + shift) - shift : x;
}

void body_shift(const struct scene_body *of, struct body *body, const double way[3],
		const double turn[3])
{
	double by[4], q[4];
	int exponent;
	frexp(of->of.radius, &exponent);
	const double unit = ldexp(1.0, exponent - WAY_BITS);
	turn_by(turn, by);
	multiply(by, body->q, q);
	normalise(q);
	memcpy(body->q, q, sizeof(q));
	for (int a = 0; a < 3; a++)
		body->x[a] += rounded(way[a], unit);
}

/* Along the axes of the body: I (w - spin) + dt/2 w x I w = 0, by a Newton step from the spin. */
static void middle_spin(const struct body_mass *mass, const double spin[3], double dt,
			double middle[3])
{
	double momentum[3], residual[3], slope[3][3], inverse[3][3], step[3];
	times3(FLAT3(mass->inertia), spin, momentum);
	cross3(spin, momentum, residual);
	for (int b = 0; b < 3; b++) {
		const double unit[3] = {b == 0, b == 1, b == 2};
		double one[3], other[3];
		cross3(unit, momentum, one);
		cross3(spin, mass->inertia[b], other); /* a column, too */
		for (int a = 0; a < 3; a++)
			slope[a][b] = mass->inertia[a][b] + 0.5 * dt * (one[a] + other[a]);
	}
	invert3(FLAT3(slope), FLAT3(inverse));
	times3(FLAT3(inverse), residual, step);
	for (int a = 0; a < 3; a++)
		middle[a] = spin[a] - 0.5 * dt * step[a];
}

void body_advance(const struct scene_body *of, int dim, double dt, struct body *body)
{
	double momentum[3], turn[3], way[3], inverse[3][3];
	bool free_spin = dim == 3;
	for (int a = 0; a < 3; a++)
		free_spin &= !is_locked(of, dim, (enum scene_lock)(LOCK_TURN_X + a));
	for (int a = 0; a < 3; a++) {
		turn[a] = dt * body->spin[a];
		way[a] = dt * body->velocity[a];
	}
	if (dim == 2) {
		body_shift(of, body, way, turn);
		return;
	}
	body_angular_momentum(of, body, momentum);
	if (free_spin) {
		struct solid_pose pose;
		double spin[3], middle[3];
		body_pose(body, &pose);
		times3_transposed(FLAT3(pose.turn), body->spin, spin);
		middle_spin(&of->of, spin, dt, middle);
		times3(FLAT3(pose.turn), middle, turn);
		for (int a = 0; a < 3; a++)
			turn[a] *= dt;
	}
	body_shift(of, body, way, turn);
	invert_free(of, dim, body, inverse);
	times3(FLAT3(inverse), momentum, body->spin);
}

void body_angular_momentum(const struct scene_body *of, const struct body *body, double l[3])
{
	double inertia[3][3];
	body_inertia(of, body, inertia);
	times3(FLAT3(inertia), body->spin, l);
}

double body_kinetic(const struct scene_body *of, const struct body *body)
{
	double l[3];
	body_angular_momentum(of, body, l);
	return 0.5 * (of->of.mass * dot3(body->velocity, body->velocity) + dot3(l, body->spin));
}

double body_potential(const struct scene_body *of, const struct body *body, const double g[3])
{
	return -of->of.mass * dot3(g, body->x);
}
