/* Shared by the parts of the self-test. */
#ifndef FRESHET_SELFTEST_INTERNAL_H
#define FRESHET_SELFTEST_INTERNAL_H

#include "clx.h"
#include "selftest.h"
#include "shared.h"

#define SELFTEST_LONGEST 4097 /* elements of the longest test */

struct selftest {
	struct clx *cl;
	const char *plant;			  /* primitive with a planted fault, or NULL */
	const struct selftest_listener *listener; /* or NULL: a difference ends the test */
	u32 random;
	/* Scratch of the tests: at least 3 * SELFTEST_LONGEST words each. */
	union u32_buffer input[3], output[2], scratch;
};

u32 selftest_random(struct selftest *t);
/* Uniform in [-most, most]. */
i32 selftest_integer(struct selftest *t, i32 most);
/* Magnitudes from 2^-20 to 2^20: no operation on two of them leaves the normal numbers. */
f32 selftest_float(struct selftest *t);
u32 selftest_bits(f32 value);

bool selftest_read(struct selftest *t, const union u32_buffer *buffer, u32 *words, size_t n);
/* Compares n words; reports the first that differs.  `what` says what they are. */
bool selftest_check(const struct selftest *t, const char *primitive, const char *what,
		    const u32 *got, const u32 *expected, size_t n);

/* Of selftest_primitives.c. */
bool selftest_scan(struct selftest *t);
bool selftest_sums(struct selftest *t);
bool selftest_maxima(struct selftest *t);
bool selftest_sort(struct selftest *t);

#endif
