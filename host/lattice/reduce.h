/* Sums in float pairs: chunks of 1024 elements in index order, then a fixed tree (kernels/common/
 * pairs.h). */
#ifndef FRESHET_REDUCE_H
#define FRESHET_REDUCE_H

#include "lattice.h"

/* Bytes of one sum. */
#define REDUCE_PAIR_BYTES (2 * sizeof(f32))

/* `sums` sums into the scalars' totals from number `at` (enum total) on: of `chunks` chunk sums
 * each, one after the other in partial from lattice.sums on, which are 0 afterwards, as they are at
 * the start of a substep: so chunks that are not listed sum up to 0. */
bool reduce_totals(struct lattice *lattice, i32 chunks, i32 sums, i32 at);
/* The same into `totals` from place `at` on. */
bool reduce_sums(struct lattice *lattice, i32 chunks, i32 sums, union pair_buffer *totals, i32 at);
/* The launch of kernels that make such chunk sums. */
struct clx_range reduce_groups(const struct lattice *lattice, i32 chunks);

#endif
