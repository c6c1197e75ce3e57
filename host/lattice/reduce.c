#include "reduce.h"

bool reduce_sums(struct lattice *lattice, i32 chunks, i32 sums, union pair_buffer *totals, i32 at)
{
	const i32 from = lattice->sums;
	return LAUNCH(lattice->cl, reduce_total, clx_groups(lattice->cl, (size_t)sums),
		      .partial = &lattice->partial, .from = I32(from), .chunks = I32(chunks),
		      .totals = totals, .at = I32(at),
		      .lane = LOCAL(PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES));
}

bool reduce_totals(struct lattice *lattice, i32 chunks, i32 sums, i32 at)
{
	return reduce_sums(lattice, chunks, sums, CLX_AS(pair, &lattice->scalars),
			   SCALAR_TOTALS / 2 + at);
}

struct clx_range reduce_groups(const struct lattice *lattice, i32 chunks)
{
	return clx_groups(lattice->cl,
			  ((size_t)chunks + PAIRS_GROUP_CHUNKS - 1) / PAIRS_GROUP_CHUNKS);
}
