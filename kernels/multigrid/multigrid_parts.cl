/*
 * Set-up of coarse cells of several parts (mg_parts.h), level by level: which children hold
 * together, a number for every further part.  Their links: multigrid_links.cl; how children
 * interpolate: multigrid_routes.cl.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_block.h"
#include "mg_parts.h"

/*
 * What blocks of eight single nodes need, which are nearly all, with no more loads than that takes.
 * The same bits as the rest of this file gives them.
 */

/* Have the children of a coarse cell, all in the level, one part each? */
int mg_children_are_single(const struct mg_graph g, const struct mg_level fine,
			   const struct mg_cell c)
{
	/* The last one is beyond if any is. */
	if (mg_child_place(fine, c.i, c.j, c.k, (1 << DIM) - 1) < 0)
		return 0;
	uint any = 0;
	for (int q = 0; fine.extras > 0 && q < 1 << DIM; q++)
		any |= g.parts[mg_child_place(fine, c.i, c.j, c.k, q) + fine.coarse_shift];
	return mg_extra_count(any) == 0;
}

/* Does every link of single children inside the block lead somewhere? */
int mg_block_is_open(const struct mg_graph g, const struct mg_level fine, const struct mg_cell c)
{
	int open = 1;
	for (int q = 0; q < 1 << DIM; q++)
#pragma unroll
		for (int a = 0; a < DIM; a++)
			if (!(q >> a & 1))
				open &= mg_cell_link(fine, g.total, g.open, g.link, a,
						     mg_child_place(fine, c.i, c.j, c.k, q)) > 0.0f;
	return open;
}

/* parts and scan = further parts of each coarse cell, 0 in the halo; part = that of each fine
 * node.  Work-item = element of one colour's array, second index = colour. */
kernel void mg_find_parts(const struct mg_level fine, const struct mg_level coarse, int type_offset,
			  global const uchar *type, int total, global const ushort *open,
			  global const float *link, global const float *excess, global uint *parts,
			  global const float *row, global uchar *part, global uint *scan)
{
	int place = (int)get_global_id(0), colour = (int)get_global_id(1);
	if (place >= coarse.colour_stride)
		return;
	const struct mg_graph g = mg_graph_of(total, open, link, parts, row);
	struct mg_cell c = mg_cell_at(coarse, colour, modulo(place, coarse.pitch) - 1,
				      modulo(place, coarse.plane) / coarse.pitch - 1,
				      place / coarse.plane - MG_HALO_Z);
	const int at = coarse.offset + colour * coarse.colour_stride + place;
	const int inside = c.exists && c.i >= 0 && c.j >= 0 && c.k >= 0 && c.m >= 0;
	/* Open water, or air and solids alone. */
	const int liquid =
		inside && type[mg_type_at(coarse, type_offset, c.i, c.j, c.k)] == CELL_LIQUID;
	if (!liquid || (mg_children_are_single(g, fine, c) && mg_block_is_open(g, fine, c))) {
		for (int q = 0; inside && q < 1 << DIM; q++) {
			struct mg_cell child = mg_child(fine, c, q);
			if (child.exists)
				part[child.at] = liquid ? 0 : MG_NO_PART;
		}
		parts[at + coarse.coarse_shift] = 0;
		scan[at - coarse.offset] = 0;
		return;
	}
	int sets = 0;
	ulong set[MG_NODES], adjacent[MG_NODES];
	ulong left = mg_block_graph(g, fine, c, excess, adjacent);
	if (DIM == 3)
		mg_cut_holes(g, fine, c, left, adjacent);
	while (left) {
		ulong lowest = left & (~left + 1u);
		set[sets] = mg_flood(lowest, adjacent, ~0ul);
		left &= ~set[sets++];
	}
	/* The largest first. */
	int kept = sets < MG_PARTS ? sets : MG_PARTS;
	for (int p = 0; p < kept; p++) {
		int best = p;
		for (int n = p + 1; n < sets; n++)
			if (mg_count_bits(set[n]) > mg_count_bits(set[best]))
				best = n;
		ulong largest = set[best];
		for (int n = best; n > p; n--)
			set[n] = set[n - 1];
		set[p] = largest;
	}
	uint below = 0;
	for (int q = 0; q < 1 << DIM; q++) {
		struct mg_cell child = mg_child(fine, c, q);
		uint own = child.exists ? mg_parts_of(g, fine, child.at) : 0;
		for (int s = 0; child.exists && s <= mg_extra_count(own); s++)
			part[mg_node(fine, own, child.at, s)] = MG_NO_PART;
		below = mg_extra_count(own) > 0 ? MG_PARTS_BELOW : below;
	}
	for (int p = 0; p < sets; p++)
		for (int q = 0; q < 1 << DIM; q++) {
			struct mg_cell child = mg_child(fine, c, q);
			uint own = child.exists ? mg_parts_of(g, fine, child.at) : 0;
			for (int s = 0; child.exists && s <= mg_extra_count(own); s++)
				if (set[p] >> (q * MG_PARTS + s) & 1)
					part[mg_node(fine, own, child.at, s)] =
						(uchar)(p < kept ? p : kept - 1);
		}
	uint extras = kept > 1 ? (uint)(kept - 1) : 0u;
	parts[at + coarse.coarse_shift] = below | extras;
	scan[at - coarse.offset] = extras;
}

/* Gives the extras of every cell their numbers; a cell for which there is no room stays one part.
 * scan is the exclusive scan of their counts; tally of level n gets how many there are and how many
 * found no room.  Work-item = element of both colours' arrays. */
kernel void mg_number_parts(const struct mg_level l, int level, global uint *parts,
			    global const uint *scan, global uint *tally)
{
	int n = (int)get_global_id(0);
	if (n >= 2 * l.colour_stride)
		return;
	uint counted = parts[l.offset + l.coarse_shift + n], first = scan[n];
	uint extras = (uint)mg_extra_count(counted);
	if (extras > 0)
		atomic_add(tally + 2 * level, extras);
	if (first + extras > (uint)l.extras) {
		if (extras > 0)
			atomic_add(tally + 2 * level + 1, extras);
		extras = 0;
	}
	parts[l.offset + l.coarse_shift + n] =
		(counted & MG_PARTS_BELOW) | (extras > 0 ? first << 3 | extras : 0u);
}
