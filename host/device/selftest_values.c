/* Values for the self-test, and their comparison. */
#include "selftest_internal.h"

#include <stdio.h>
#include <string.h>

#include "message.h"

u32 selftest_random(struct selftest *t)
{
	/* xorshift32 (Marsaglia 2003) */
	t->random ^= t->random << 13;
	t->random ^= t->random >> 17;
	t->random ^= t->random << 5;
	return t->random;
}

i32 selftest_integer(struct selftest *t, i32 most)
{
	return (i32)(selftest_random(t) % (2 * (u32)most + 1)) - most;
}

static f32 float_of(u32 bits)
{
	f32 value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

u32 selftest_bits(f32 value)
{
	u32 bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Compares n words; `what` says what they are. */
bool selftest_check(const struct selftest *t, const char *primitive, const char *what,
		    const u32 *got, const u32 *expected, size_t n)
{
	char difference[160];
	const bool planted = t->plant && strcmp(t->plant, primitive) == 0;
	for (size_t i = 0; i < n; i++) {
		u32 word = planted && i == n - 1 ? got[i] ^ 1u : got[i];
		if (word == expected[i])
			continue;
		snprintf(difference, sizeof(difference),
			 "element %zu, is 0x%08x (%.9g as a float) but must be 0x%08x (%.9g)", i,
			 word, (double)float_of(word), expected[i], (double)float_of(expected[i]));
		if (!t->listener)
			return message_error("device %s fails its self-test (%s): %s, %s; results "
					     "on it would be "
					     "wrong: update its driver or choose another device "
					     "(freshet devices "
					     "lists them)",
					     clx_info(t->cl)->name, primitive, what, difference);
		t->listener->result(t->listener->user, primitive, what, difference);
		return true;
	}
	if (t->listener)
		t->listener->result(t->listener->user, primitive, what, NULL);
	return true;
}

bool selftest_read(struct selftest *t, const union u32_buffer *buffer, u32 *words, size_t n)
{
	return clx_read(t->cl, buffer, 0, n * sizeof(*words), words);
}

f32 selftest_float(struct selftest *t)
{
	u32 exponent = 127 - 20 + selftest_random(t) % 41;
	return float_of((selftest_random(t) & 0x807fffffu) | exponent << 23);
}
