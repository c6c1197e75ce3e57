#include "box_motion.h"

#include <string.h>

#include "motion/key_spline.h"
#include "sin_cos.h"

static enum scene_motion_keys kind_of_keys(const struct scene_motion *motion, int channel)
{
	return channel == 0 ? motion->turn_keys : motion->shift_keys;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Integrals from t = 0 of rates that are linear between the keys and constant before the first. */
static void prepare_rates(struct scene_motion *motion, int channel)
{
	struct motion_key *k = motion->keys;
	k[0].more[channel] = k[0].time * k[0].value[channel];
	for (size_t i = 1; i < motion->key_count; i++)
		k[i].more[channel] = k[i - 1].more[channel] +
				     0.5 * (k[i].time - k[i - 1].time) *
					     (k[i].value[channel] + k[i - 1].value[channel]);
}

bool box_motion_prepare(struct scene_motion *motion)
{
	bool good = true;
	for (int c = 0; c < BOX_CHANNELS && motion->key_count > 0; c++)
		if (kind_of_keys(motion, c) == MOTION_KEYS_PLACE)
			good = key_spline_prepare(motion->keys, motion->key_count, c) && good;
		else if (kind_of_keys(motion, c) == MOTION_KEYS_RATE)
			prepare_rates(motion, c);
	return good;
}

/* out: value, first and second derivative. */
static void rate_at(const struct motion_key *low, const struct motion_key *high, int channel,
		    double t, double out[3])
{
	const double span = high->time - low->time, since = t - low->time;
	out[2] = low == high ? 0.0 : (high->value[channel] - low->value[channel]) / span;
	out[1] = low->value[channel] + out[2] * since;
	out[0] = low->more[channel] + 0.5 * (low->value[channel] + out[1]) * since;
}

static void keys_at(const struct scene_motion *motion, double t, double out[BOX_CHANNELS][3])
{
	const struct motion_key *low, *high;
	memset(out, 0, BOX_CHANNELS * sizeof(*out));
	if (motion->key_count == 0)
		return;
	key_spline_find(motion->keys, motion->key_count, t, &low, &high);
	for (int c = 0; c < BOX_CHANNELS; c++)
		if (kind_of_keys(motion, c) == MOTION_KEYS_PLACE)
			key_spline_at(low, high, c, t, out[c]);
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
	double keys[BOX_CHANNELS][3], roll[3], sway[3];
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
