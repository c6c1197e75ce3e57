/*
 * The motion of the box.  A point at x in the box is, at rest, at
 *   center + position(t) + R(t) (x - center),  R the turn by angle(t) about `axis`.
 * From + - * / and sqrt alone, so that every host gives the same bits.
 */
#ifndef FRESHET_FRAME_H
#define FRESHET_FRAME_H

#include "scene.h"

#define TWO_PI 6.28318530717958647693

struct frame_motion {
	double angle, angular_velocity, angular_acceleration; /* rad, 1/s, 1/s^2, about `axis` */
	double position[3], velocity[3], acceleration[3];     /* m ..., axes at rest */
};

/* Completes the keys once they are read.  False: out of memory. */
bool frame_prepare(struct scene_frame *frame);

/* At time t, s.  Without a frame, or with one that says nothing: zeros. */
void frame_at(const struct scene_frame *frame, double t, struct frame_motion *motion);

/* Can it turn? */
bool frame_turns(const struct scene_frame *frame);

/* The higher of the frequencies of what oscillates, Hz; 0: nothing does. */
double frame_frequency(const struct scene_frame *frame);

/* x turned by an angle about a unit vector.  out may not be x. */
void frame_turn(const double axis[3], double angle, const double x[3], double out[3]);

#endif
