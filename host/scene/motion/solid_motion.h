/*
 * The motion of a solid: a point at x at the start, as its shape is told, is at time t at
 *   center + translate(t) + R(t) (x - center),  R the turn by the rotation vector(t).
 * Translation and rotation vector are linear between keys, or splines, and at rest beyond.  From
 * + - * / sqrt alone, so that every host gives the same bits.
 */
#ifndef FRESHET_SOLID_MOTION_H
#define FRESHET_SOLID_MOTION_H

#include "key_spline.h"
#include "shape_program.h"

enum { SOLID_TURN = 0, SOLID_SHIFT = 3 }; /* channels of the keys: rad, m; three each */

struct solid_motion {
	bool spline;		   /* false: linear between the keys */
	double center[3], axis[3]; /* axis: unit vector of turns told as a number */
	struct motion_key *keys;
	size_t key_count; /* 0: it rests */
};

struct solid_pose {
	double at[3];	   /* m, of the center */
	double turn[3][3]; /* R */
	double q[4];	   /* the same as a unit quaternion, the real part first */
};

/* Completes the keys once they are read.  False: out of memory. */
bool solid_motion_prepare(struct solid_motion *motion);

void solid_motion_at(const struct solid_motion *motion, double t, struct solid_pose *pose);

/* What takes one pose to another in dt: m/s of the center; rad/s, of the shortest turn. */
void solid_motion_between(const struct solid_pose *from, const struct solid_pose *to, double dt,
			  double velocity[3], double spin[3]);

/* Where a point is that is at `from` from the center, as the shape is told. */
void solid_pose_point(const struct solid_pose *pose, const double from[3], double x[3]);

/* Puts a program between SHAPE_PLACE and SHAPE_PLACED, for the pose at t = 0.  False after
 * reporting that memory is short. */
bool solid_motion_wrap(struct shape_program *program, const struct solid_motion *motion);
/* The words of SHAPE_PLACE, f32 [2 SHAPE_PLACE_PAIRS]. */
void solid_motion_words(const struct solid_motion *motion, const struct solid_pose *pose,
			f32 *words);

/* The box around what a box of the shape, low to high, becomes; infinite where that is. */
void solid_motion_bounds(const struct solid_motion *motion, const struct solid_pose *pose,
			 const double low[3], const double high[3], double moved_low[3],
			 double moved_high[3]);

#endif
