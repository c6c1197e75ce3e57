/* Sums in float pairs: chunks of 1024 elements in index order, then a fixed tree (kernels/common/
 * pairs.h). */
#ifndef FRESHET_REDUCE_H
#define FRESHET_REDUCE_H

#include "lattice.h"

/* Bytes of one sum. */
#define REDUCE_PAIR_BYTES (2 * sizeof(f32))

/* Sum of partial[from .. from + chunks) into totals[at], enum total. */
bool reduce_total(struct lattice *lattice, i32 from, i32 chunks, i32 at);
/* The launch of kernels that make such chunk sums. */
struct clx_range reduce_groups(const struct lattice *lattice, i32 chunks);

#endif
