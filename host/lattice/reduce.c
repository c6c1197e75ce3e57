#include "reduce.h"

bool reduce_totals(struct lattice *lattice, i32 chunks, i32 sums, i32 at)
{
	const i32 from = lattice->sums, place = SCALAR_TOTALS / 2 + at;
	return LAUNCH(lattice->cl, reduce_total, clx_groups(lattice->cl, (size_t)sums),
		      .partial = &lattice->partial, .from = I32(from), .chunks = I32(chunks),
		      .totals = CLX_AS(pair, &lattice->scalars), .at = I32(place),
		      .lane = LOCAL(PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES));
}

struct clx_range reduce_groups(const struct lattice *lattice, i32 chunks)
{
	return clx_groups(lattice->cl,
			  ((size_t)chunks + PAIRS_GROUP_CHUNKS - 1) / PAIRS_GROUP_CHUNKS);
}
