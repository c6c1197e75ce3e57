/*
 * Rigid bodies: their state and how it goes on between impulses.  Double precision from + - * /
 * sqrt alone, so that every host gives the same bits.  docs/bodies.md has the equations.
 */
#ifndef FRESHET_BODY_H
#define FRESHET_BODY_H

#include <stdint.h>

#include "scene_solid.h"

#define BODY_NUMBERS 13 /* double, of struct body */

/* All in the axes of the box. */
struct body {
	double x[3];	    /* m, of the centre of mass */
	double q[4];	    /* unit quaternion of its turn, the real part first */
	double velocity[3]; /* m/s, of the centre of mass */
	double spin[3];	    /* rad/s; 2D: only z */
};

/* What impulses do to velocities: V += linear P, spin += angular T. */
struct body_inverse {
	double linear[3];     /* 1/kg */
	double angular[3][3]; /* 1/(kg m^2) */
};

/* As it is at the start: at its place there, with the velocity told, but for locked axes; held
 * bodies with that of their motion. */
void body_start(const struct scene_solid *solid, int dim, struct body *body);
/* Where its motion has it at time t, and its velocity from there to t + dt; as it goes on when it
 * is let go at t + dt or later. */
void body_follow(const struct scene_solid *solid, double t, double dt, struct body *body);
/* The same a substep later: its place at t + dt, and its velocity from t to there; where that lets
 * it go and it has no keys, the velocity told.  Nothing along or about locked axes then. */
void body_lead(const struct scene_solid *solid, int dim, double t, double dt, struct body *body);
/* Is it held, or led by its motion, at time t? */
bool body_is_held(const struct scene_body *of, double t);

/* As solid_motion_at() gives it for keys. */
void body_pose(const struct body *body, struct solid_pose *pose);

/* The tensor of inertia along the axes of the box. */
void body_inertia(const struct scene_body *of, const struct body *body, double inertia[3][3]);
/* 0 along axes that are locked, about those that are, and of what a plane does not have. */
void body_inverse_mass(const struct scene_body *of, int dim, const struct body *body,
		       struct body_inverse *inverse);

/* Sets velocities that it cannot have to 0. */
void body_lock(const struct scene_body *of, int dim, struct body *body);

/*
 * On by dt without forces, with the velocity as it is: x += dt V; the turn by the exponential map
 * with the spin in the middle of the step, which one Newton step of the implicit midpoint rule of
 * Euler's equations gives.  The angular momentum is kept (of axes that are not locked), the spin
 * follows from it.  Second order in dt.
 */
void body_advance(const struct scene_body *of, int dim, double dt, struct body *body);
/* Shifts by way (m), turns by the rotation vector turn (rad); velocities stay.  The way is rounded
 * to a power of two, some 1e-12 of the body's radius: sums of such numbers are not rounded, so that
 * mirrored bodies stay mirrored to the bit. */
void body_shift(const struct scene_body *of, struct body *body, const double way[3],
		const double turn[3]);

/* A hash of states that goes on from `hash`. */
uint64_t bodies_hash(uint64_t hash, const struct body *bodies, size_t count);
/* Are they numbers that a state can have, near enough to the box? */
bool bodies_are_sound(const struct body *bodies, size_t count);

/* J (2D: J/m): of motion and of the spin; of the place in the gravity g, 0 at the origin. */
double body_kinetic(const struct scene_body *of, const struct body *body);
double body_potential(const struct scene_body *of, const struct body *body, const double g[3]);
/* kg m^2/s about the centre. */
void body_angular_momentum(const struct scene_body *of, const struct body *body, double l[3]);

#endif
