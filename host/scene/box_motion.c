#include "box_motion.h"

#include <stdlib.h>
#include <string.h>

#include "sin_cos.h"

static enum scene_motion_keys kind_of_keys(const struct scene_motion *motion, int channel)
{
	return channel == 0 ? motion->turn_keys : motion->shift_keys;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Second derivatives of the cubic spline through the keys with slope 0 at both ends: Thomas'
 * algorithm on the usual tridiagonal system.  `ratio`: room for a number per key. */
static void prepare_spline(struct scene_motion *motion, int channel, double *ratio)
{
	struct scene_motion_key *k = motion->keys;
	const size_t n = motion->key_count;
	for (size_t i = 0; i < n; i++) {
		double before = 0.0, after = 0.0, slope_before = 0.0, slope_after = 0.0;
		if (i > 0) {
			before = k[i].time - k[i - 1].time;
			slope_before = (k[i].value[channel] - k[i - 1].value[channel]) / before;
		}
		if (i + 1 < n) {
			after = k[i + 1].time - k[i].time;
			slope_after = (k[i + 1].value[channel] - k[i].value[channel]) / after;
		}
		const double pivot = 2.0 * (before + after) - (i > 0 ? before * ratio[i - 1] : 0.0);
		const double right = 6.0 * (slope_after - slope_before) -
				     (i > 0 ? before * k[i - 1].more[channel] : 0.0);
		ratio[i] = pivot > 0.0 ? after / pivot : 0.0;
		k[i].more[channel] = pivot > 0.0 ? right / pivot : 0.0;
	}
	for (size_t i = n - 1; i-- > 0;)
		k[i].more[channel] -= ratio[i] * k[i + 1].more[channel];
}

/* Integrals from t = 0 of rates that are linear between the keys and constant before the first. */
static void prepare_rates(struct scene_motion *motion, int channel)
{
	struct scene_motion_key *k = motion->keys;
	k[0].more[channel] = k[0].time * k[0].value[channel];
	for (size_t i = 1; i < motion->key_count; i++)
		k[i].more[channel] = k[i - 1].more[channel] +
				     0.5 * (k[i].time - k[i - 1].time) *
					     (k[i].value[channel] + k[i - 1].value[channel]);
}

bool box_motion_prepare(struct scene_motion *motion)
{
	double *ratio = malloc((motion->key_count + 1) * sizeof(*ratio));
	if (!ratio)
		return false;
	for (int c = 0; c < MOTION_CHANNELS && motion->key_count > 0; c++)
		if (kind_of_keys(motion, c) == MOTION_KEYS_PLACE)
			prepare_spline(motion, c, ratio);
		else if (kind_of_keys(motion, c) == MOTION_KEYS_RATE)
			prepare_rates(motion, c);
	free(ratio);
	return true;
}

/* out: value, first and second derivative. */
static void spline_at(const struct scene_motion_key *low, const struct scene_motion_key *high,
		      int channel, double t, double out[3])
{
	out[0] = low->value[channel];
	out[1] = out[2] = 0.0;
	if (low == high)
		return;
	const double span = high->time - low->time;
	const double a = (high->time - t) / span, b = (t - low->time) / span;
	const double bend_a = low->more[channel], bend_b = high->more[channel];
	out[0] = a * low->value[channel] + b * high->value[channel] +
		 ((a * a * a - a) * bend_a + (b * b * b - b) * bend_b) * span * span / 6.0;
	out[1] = (high->value[channel] - low->value[channel]) / span +
		 ((1.0 - 3.0 * a * a) * bend_a + (3.0 * b * b - 1.0) * bend_b) * span / 6.0;
	out[2] = a * bend_a + b * bend_b;
}

static void rate_at(const struct scene_motion_key *low, const struct scene_motion_key *high,
		    int channel, double t, double out[3])
{
	const double span = high->time - low->time, since = t - low->time;
	out[2] = low == high ? 0.0 : (high->value[channel] - low->value[channel]) / span;
	out[1] = low->value[channel] + out[2] * since;
	out[0] = low->more[channel] + 0.5 * (low->value[channel] + out[1]) * since;
}

static void keys_at(const struct scene_motion *motion, double t, double out[MOTION_CHANNELS][3])
{
	size_t next = 0;
	memset(out, 0, MOTION_CHANNELS * sizeof(*out));
	if (motion->key_count == 0)
		return;
	while (next < motion->key_count && motion->keys[next].time <= t)
		next++;
	/* The same key twice before the first and after the last. */
	const struct scene_motion_key *low = &motion->keys[next > 0 ? next - 1 : 0];
	const struct scene_motion_key *high =
		&motion->keys[next < motion->key_count ? next : motion->key_count - 1];
	for (int c = 0; c < MOTION_CHANNELS; c++)
		if (kind_of_keys(motion, c) == MOTION_KEYS_PLACE)
			spline_at(low, high, c, t, out[c]);
		else if (kind_of_keys(motion, c) == MOTION_KEYS_RATE)
			rate_at(low, high, c, t, out[c]);
}

/* ---- harmonic motion ---------------------------------------------------------------------- */

/* r(t) sin(2 pi f t + phase) and its derivatives; r = 10 s^3 - 15 s^4 + 6 s^5, s = t / ramp, is
 * smooth to the second derivative at both ends. */
static void oscillation_at(const struct scene_oscillation *o, double t, double out[3])
{
	const double omega = TWO_PI * o->frequency, turns = o->frequency * t;
	double sine, cosine, r[3] = {1.0, 0.0, 0.0};
	/* Whole turns go out before they cost digits. */
	exact_sin_cos(TWO_PI * (turns - (double)(int64_t)turns) + o->phase, &sine, &cosine);
	if (t < o->ramp) {
		const double s = t > 0.0 ? t / o->ramp : 0.0;
		r[0] = s * s * s * (10.0 + s * (-15.0 + s * 6.0));
		r[1] = s * s * (30.0 + s * (-60.0 + s * 30.0)) / o->ramp;
		r[2] = s * (60.0 + s * (-180.0 + s * 120.0)) / (o->ramp * o->ramp);
	}
	out[0] = r[0] * sine;
	out[1] = r[1] * sine + r[0] * omega * cosine;
	out[2] = r[2] * sine + 2.0 * r[1] * omega * cosine - r[0] * omega * omega * sine;
}

void box_motion_at(const struct scene_motion *motion, double t, struct box_motion *now)
{
	double keys[MOTION_CHANNELS][3], roll[3], sway[3];
	memset(now, 0, sizeof(*now));
	if (!motion->given)
		return;
	keys_at(motion, t, keys);
	oscillation_at(&motion->roll, t, roll);
	oscillation_at(&motion->sway, t, sway);
	const double tilt = motion->roll.amplitude[0];
	now->angle = keys[0][0] + tilt * roll[0];
	now->angular_velocity = keys[0][1] + tilt * roll[1];
	now->angular_acceleration = keys[0][2] + tilt * roll[2];
	for (int a = 0; a < 3; a++) {
		const double reach = motion->sway.amplitude[a];
		now->position[a] = keys[1 + a][0] + reach * sway[0];
		now->velocity[a] = keys[1 + a][1] + reach * sway[1];
		now->acceleration[a] = keys[1 + a][2] + reach * sway[2];
	}
}

bool box_motion_turns(const struct scene_motion *motion)
{
	return motion->given && (motion->turn_keys != MOTION_KEYS_NONE ||
				 motion->roll.amplitude[0] * motion->roll.amplitude[0] > 0.0);
}

double box_motion_frequency(const struct scene_motion *motion)
{
	const double roll = motion->roll.frequency, sway = motion->sway.frequency;
	return roll > sway ? roll : sway;
}

void box_motion_turn(const double axis[3], double angle, const double x[3], double out[3])
{
	/* Rodrigues: x + sin a (n x x) + (1 - cos a) n x (n x x). */
	double sine, half_sine, cosine;
	exact_sin_cos(angle, &sine, &cosine);
	exact_sin_cos(0.5 * angle, &half_sine, &cosine);
	const double versine = 2.0 * half_sine * half_sine;
	double along = 0.0;
	for (int a = 0; a < 3; a++)
		along += axis[a] * x[a];
	for (int a = 0; a < 3; a++) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		out[a] = x[a] + sine * (axis[b] * x[c] - axis[c] * x[b]) +
			 versine * (along * axis[a] - x[a]);
	}
}
