/*
 * The motion of the box.  A point at x in the box is, at rest, at
 *   center + position(t) + R(t) (x - center),  R the turn by angle(t) about `axis`.
 * From + - * / and sqrt alone, so that every host gives the same bits.
 */
#ifndef FRESHET_BOX_MOTION_H
#define FRESHET_BOX_MOTION_H

#include "scene.h"

#define TWO_PI 6.28318530717958647693

struct box_motion {
	double angle, angular_velocity, angular_acceleration; /* rad, 1/s, 1/s^2, about `axis` */
	double position[3], velocity[3], acceleration[3];     /* m ..., axes at rest */
};

/* Completes the keys once they are read.  False: out of memory. */
bool box_motion_prepare(struct scene_motion *motion);

/* At time t, s.  Without a motion, or with one that says nothing: zeros. */
void box_motion_at(const struct scene_motion *motion, double t, struct box_motion *now);

/* Can it turn? */
bool box_motion_turns(const struct scene_motion *motion);

/* The higher of the frequencies of what oscillates, Hz; 0: nothing does. */
double box_motion_frequency(const struct scene_motion *motion);

/* x turned by an angle about a unit vector.  out may not be x. */
void box_motion_turn(const double axis[3], double angle, const double x[3], double out[3]);

#endif
