/* Exclusive prefix sums on the device. */
#ifndef FRESHET_SCAN_H
#define FRESHET_SCAN_H

#include "clx.h"

/* Bytes of scratch that scan_exclusive() needs for n values: never more than n words. */
size_t scan_scratch_bytes(size_t n);

/* values: u32 [n+1]; the first n are replaced by their exclusive scan, values[n] by the total. */
bool scan_exclusive(struct clx *cl, union u32_buffer *values, size_t n, union u32_buffer *scratch);

#endif
