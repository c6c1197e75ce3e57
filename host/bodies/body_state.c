/* States of bodies as files have them. */
#include <assert.h>
#include <math.h>

#include "body.h"
#include "crc64.h"

/* Farther from the box, faster: not from a run; m, m/s, rad/s. */
#define MOST 1e9

static_assert(sizeof(struct body) == BODY_NUMBERS * sizeof(double), "a body has no gaps");

uint64_t bodies_hash(uint64_t hash, const struct body *bodies, size_t count)
{
	return count > 0 ? crc64(hash, bodies, count * sizeof(*bodies)) : hash;
}

bool bodies_are_sound(const struct body *bodies, size_t count)
{
	const double *numbers = (const double *)bodies;
	bool sound = true;
	for (size_t i = 0; i < count * BODY_NUMBERS; i++)
		sound = sound && fabs(numbers[i]) <= MOST;
	for (size_t b = 0; b < count; b++) {
		const double *q = bodies[b].q;
		const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		sound = sound && fabs(square - 1.0) <= 1e-6;
	}
	return sound;
}
