/*
 * Where liquid has let go of a lid (lids.h).  In a body with a free surface the pressure tells,
 * like that of other walls: pressure_separate().  One without has let go where its room is more
 * than its particles fill: it cannot be seen from densities, whose noise is that of a tenth of a
 * cell, but it can be counted.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "lids.h"

/* Mean air under a body's lids, in cells, that is taken for such: less may be what seeds left. */
#define LIDS_SEEDS 0.1f

/* sums[3c], sums[3c+1]: room of a body that has no free surface less what its particles stand for,
 * in 1/(FRACTION_ONE ppc) of a cell, low and high word; sums[3c+2]: its cells under lids.  One
 * work-item per lattice point. */
kernel void lids_measure(const struct grid g, int ppc, global const ushort *index,
			 global const ushort *volume_open, global const ushort *open_fraction,
			 global const uchar *cell_type, global const uint *start, global uint *sums)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (!cell_exists(g, i, j, k))
		return;
	const int at = lattice_index(g, i, j, k), key = block_key(g, i, j, k);
	const uint c = index[at];
	if (c == SEALED_NONE)
		return;
	const long room = (long)room_units(volume_open[at]) * (long)ppc -
			  (long)(start[key + 1] - start[key]) * (long)FRACTION_ONE;
	const uint low = (uint)(ulong)room, high = (uint)((ulong)room >> 32);
	const uint old = atomic_add(sums + 3 * c, low);
	const uint carry = old + low < low ? 1u : 0u;
	atomic_add(sums + 3 * c + 1, high + carry);
	if (lids_can_part(g, open_fraction, cell_type, i, j, k))
		atomic_inc(sums + 3 * c + 2);
}

/* Lets the lids of such bodies go that have room; `changes` counts.  One work-item per lattice
 * point. */
kernel void lids_open(const struct grid g, int ppc, global const ushort *index,
		      global const ushort *open_fraction, global const uchar *cell_type,
		      global const uint *sums, global uchar *opened, global uint *changes)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (!cell_exists(g, i, j, k))
		return;
	const int at = lattice_index(g, i, j, k);
	const uint c = index[at];
	if (c == SEALED_NONE || !lids_can_part(g, open_fraction, cell_type, i, j, k))
		return;
	const long room = (long)((ulong)sums[3 * c] | (ulong)sums[3 * c + 1] << 32);
	const long least = (long)sums[3 * c + 2] *
			   (long)convert_int_rte(LIDS_SEEDS * (float)FRACTION_ONE) * (long)ppc;
	if (room <= least)
		return;
	opened[at] |= LIDS_AIR | LIDS_ALONE;
	atomic_inc(changes);
}

/* Cells that a lid leaves no depth of their own are air where it has let go, and liquid again where
 * it has not; the level set keeps its amount.  One work-item per lattice point. */
kernel void lids_apply(const struct grid g, global const ushort *open_fraction,
		       global const ushort *volume_open, global uchar *opened,
		       global uchar *cell_type, global float *phi)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	const int below = lids_below(g, open_fraction, i, j, k);
	if (below < 0)
		return;
	const int at = lattice_index(g, i, j, k);
	const int air = (opened[at] & LIDS_AIR) != 0, turned = (opened[at] & LIDS_TURNED) != 0;
	if (air == turned || lids_height(volume_open, at) >= LIDS_LEAST)
		return;
	opened[at] ^= LIDS_TURNED;
	cell_type[at] = air ? CELL_AIR : CELL_LIQUID;
	phi[at] = -phi[at];
}
