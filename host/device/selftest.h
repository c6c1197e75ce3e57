/*
 * Known-answer self-test of a device: struct layout, arithmetic, atomics, scan, sums, maxima and
 * the sort, against answers that the host computes with correctly rounded operations.  Drivers
 * have got every one of these wrong; a run on such a device would look right and be wrong.
 */
#ifndef FRESHET_SELFTEST_H
#define FRESHET_SELFTEST_H

#include "clx.h"

/* Runs all of it (some 10 ms once kernels are compiled).  False after reporting the device, the
 * primitive, what was got and expected, and what to do. */
bool selftest_run(struct clx *cl);

/* selftest_run() the first time that this process uses the device (and dimension) of `cl`. */
bool selftest_once(struct clx *cl);

/*
 * All of it, for who wants to know more: a difference does not end it.  result() is called for each
 * comparison, difference = NULL where all is equal, else a text that ends in what must be.  False
 * after reporting a call that failed.
 */
struct selftest_listener {
	void (*result)(void *user, const char *primitive, const char *what, const char *difference);
	void *user;
};
bool selftest_examine(struct clx *cl, const struct selftest_listener *listener);
/* selftest_once() will not test the device of `cl` any more: for who has told of its faults. */
void selftest_waive(const struct clx *cl);

/* For tests: as selftest_run(), with one result of a primitive read wrongly.  Primitives: layout,
 * arithmetic, atomics, scan, sums, maxima, sort. */
bool selftest_run_planted(struct clx *cl, const char *primitive);

#endif
