/* Numbers told at times, and the cubic spline through them. */
#ifndef FRESHET_KEY_SPLINE_H
#define FRESHET_KEY_SPLINE_H

#include <stdbool.h>
#include <stddef.h>

/* Of a motion: what channels mean is the motion's own. */
#define MOTION_CHANNELS 6
struct motion_key {
	double time; /* s, ascending */
	double value[MOTION_CHANNELS];
	/* of splines: second derivatives; else what the motion keeps there */
	double more[MOTION_CHANNELS];
};

/* Second derivatives of the spline through a channel of `count` keys, with slope 0 at both ends.
 * False: out of memory. */
bool key_spline_prepare(struct motion_key *keys, size_t count, int channel);

/* Value, first and second derivative between two keys, at low->time <= t <= high->time; the same
 * key twice is at rest. */
void key_spline_at(const struct motion_key *low, const struct motion_key *high, int channel,
		   double t, double out[3]);

/* The keys between which t lies: the same one twice before the first and after the last. */
void key_spline_find(const struct motion_key *keys, size_t count, double t,
		     const struct motion_key **low, const struct motion_key **high);

#endif
