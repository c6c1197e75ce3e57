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

/* For tests: as selftest_run(), with one result of a primitive read wrongly.  Primitives: layout,
 * arithmetic, atomics, scan, sums, maxima, sort. */
bool selftest_run_planted(struct clx *cl, const char *primitive);

#endif
