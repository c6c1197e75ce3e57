#include "reduce.h"

bool reduce_total(struct lattice *lattice, i32 from, i32 chunks, i32 at)
{
	return LAUNCH(lattice->cl, K_REDUCE_TOTAL, clx_groups(lattice->cl, 1),
		      BUF(lattice->partial), ARG(from), ARG(chunks), BUF(lattice->totals), ARG(at),
		      LOCAL(PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES));
}

struct clx_range reduce_groups(const struct lattice *lattice, i32 chunks)
{
	return clx_groups(lattice->cl,
			  ((size_t)chunks + PAIRS_GROUP_CHUNKS - 1) / PAIRS_GROUP_CHUNKS);
}
