/*
 * Set-up of coarse cells of several parts (mg_parts.h), level by level: which children hold
 * together, a number for every further part, their links, and how children interpolate.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_block.h"
#include "mg_parts.h"
#include "mg_transfer.h"

/*
 * What blocks of eight single nodes need, which are nearly all, with no more loads than that takes.
 * The same bits as the rest of this file gives them.
 */

/* Place of child q of coarse cell (i,j,k), -1 beyond the level. */
ALWAYS_INLINE int mg_child_place(const struct mg_level fine, int i, int j, int k, int q)
{
	const int x = 2 * i + (q & 1), y = 2 * j + (q >> 1 & 1), z = 2 * k + (q >> 2);
	return x < fine.nx && y < fine.ny && z < fine.nz ? mg_at_cell(fine, x, y, z) : -1;
}

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

/* The part of the coarse cell, which has `extras` of them, that a fine node belongs to. */
int mg_part_kept(uchar part, int extras)
{
	return part < extras ? part : extras;
}

/* What part p of a coarse cell offers along axis a. */
struct mg_way mg_part_way(const struct mg_graph g, const struct mg_level fine,
			  const struct mg_cell coarse, int p, int extras, global const uchar *part,
			  int a)
{
	struct mg_way way;
	way.layers = 0;
	way.several = extras > 0;
	way.inside = 0.0f;
	for (int q = 0; q < 1 << DIM; q++) {
		struct mg_cell child = mg_child(fine, coarse, q);
		uint own = child.exists ? mg_parts_of(g, fine, child.at) : 0;
		for (int s = 0; child.exists && s <= mg_extra_count(own); s++) {
			uchar kept = part[mg_node(fine, own, child.at, s)];
			if (kept == MG_NO_PART || mg_part_kept(kept, extras) != p)
				continue;
			way.layers |= 1 << (q >> a & 1);
			if (!(q >> a & 1))
				way.inside += mg_node_links(g, fine, child, s, 2 * a + 1);
		}
	}
	return way;
}

/* Adds to sum[] the links of child q of a coarse cell in direction d, by the coarse parts they lead
 * to, from those of its nodes that are in part p. */
void mg_add_links(const struct mg_graph g, const struct mg_level fine, const struct mg_level coarse,
		  const struct mg_cell c, int p, int q, int d, global const uchar *part,
		  float sum[MG_PARTS])
{
	struct mg_cell child = mg_child(fine, c, q);
	if (!child.exists)
		return;
	long to = mg_neighbour(fine, child, d);
	uint here = mg_parts_of(g, fine, child.at), there = mg_parts_of(g, fine, to);
	int extras = mg_extra_count(mg_parts_of(g, coarse, c.at));
	int beyond = mg_extra_count(mg_parts_of(g, coarse, mg_neighbour(coarse, c, d)));
	int own_nodes = 1 + mg_extra_count(here), next_nodes = 1 + mg_extra_count(there);
	/* The lower cell's nodes one by one, from either side: both ends of a coarse link then add
	 * up in the same order. */
	for (int n = 0; n < own_nodes * next_nodes; n++) {
		int s = d & 1 ? n / next_nodes : modulo(n, own_nodes);
		int t = d & 1 ? modulo(n, next_nodes) : n / own_nodes;
		uchar own = part[mg_node(fine, here, child.at, s)];
		float w = mg_node_link(g, fine, child, s, d, t);
		if (own != MG_NO_PART && mg_part_kept(own, extras) == p && w > 0.0f)
			sum[mg_part_kept(part[mg_node(fine, there, to, t)], beyond)] += w;
	}
}

/*
 * Holes inside a coarse cell between two of its parts, along axis a.  Parts of one cell have no
 * link; instead the lower one gets that to the next cell's part behind the upper one, or else the
 * upper one gets that to the previous cell's part behind the lower one.  Adds to sum[] what part p
 * of c gets in direction d; `in`: the cell with the hole, c or its neighbour in direction d.
 */
void mg_add_holes(const struct mg_graph g, const struct mg_level fine, const struct mg_level coarse,
		  const struct mg_cell c, int p, int d, const struct mg_cell in, int upwards,
		  global const uchar *part, float sum[MG_PARTS])
{
	const int a = d >> 1;
	const int extras = mg_extra_count(mg_parts_of(g, coarse, in.at));
	if (!extras || !in.exists)
		return;
	const struct mg_cell beyond = mg_step(coarse, in, 2 * a + upwards);
	if (!beyond.exists)
		return;
	const int beyond_extras = mg_extra_count(mg_parts_of(g, coarse, beyond.at));
	for (int q = 0; q < 1 << DIM; q++) {
		const struct mg_cell low = mg_child(fine, in, q),
				     high = mg_child(fine, in, q | 1 << a);
		if (q >> a & 1 || !low.exists || !high.exists)
			continue;
		const uint here = mg_parts_of(g, fine, low.at),
			   there = mg_parts_of(g, fine, high.at);
		for (int s = 0; s <= mg_extra_count(here); s++)
			for (int t = 0; t <= mg_extra_count(there); t++) {
				const float w = mg_node_link(g, fine, low, s, 2 * a + 1, t);
				if (!(w > 0.0f))
					continue;
				const int p_low =
					mg_part_kept(part[mg_node(fine, here, low.at, s)], extras);
				const int p_high = mg_part_kept(
					part[mg_node(fine, there, high.at, t)], extras);
				if (p_low == p_high)
					continue;
				const int above = mg_strongest(g, fine, high, t, 2 * a + 1);
				if (upwards != (above >= 0))
					continue;
				const int to =
					upwards ? above : mg_strongest(g, fine, low, s, 2 * a);
				if (to < 0)
					continue;
				const struct mg_cell next = upwards ? mg_step(fine, high, 2 * a + 1)
								    : mg_step(fine, low, 2 * a);
				const int p_next = mg_part_kept(
					part[mg_node(fine, mg_parts_of(g, fine, next.at), next.at,
						     to)],
					beyond_extras);
				const int p_in = upwards ? p_low : p_high;
				const float link =
					w / (1.0f + (0.5f * w / mg_across(g, fine, low, s, a) +
						     0.5f * w / mg_across(g, fine, high, t, a)));
				if (in.at == c.at && p_in == p)
					sum[p_next] += link;
				else if (in.at != c.at && p_next == p)
					sum[p_in] += link;
			}
	}
}

/* Do cell and neighbours have one part each, and their children too? */
int mg_all_are_single(const struct mg_graph g, const struct mg_level coarse, const struct mg_cell c)
{
	uint any = g.parts[c.at + coarse.coarse_shift];
	for (int d = 0; d < 2 * DIM; d++)
		any |= g.parts[mg_neighbour(coarse, c, d) + coarse.coarse_shift];
	return !(any & (MG_PARTS_BELOW | 7u));
}

/* What a coarse cell with one part, as its children, offers along axis a; nothing outside the
 * level. */
struct mg_way mg_single_way(const struct mg_graph g, const struct mg_level fine, int i, int j,
			    int k, global const uchar *part, int a)
{
	struct mg_way way;
	way.layers = 0;
	way.several = 0;
	way.inside = 0.0f;
	for (int q = 0; q < 1 << DIM; q++) {
		const int at = mg_child_place(fine, i, j, k, q);
		if (at < 0 || part[at] == MG_NO_PART)
			continue;
		way.layers |= 1 << (q >> a & 1);
		if (!(q >> a & 1))
			way.inside += mg_cell_link(fine, g.total, g.open, g.link, a, at);
	}
	return way;
}

/* mg_coarsen_parts() at a cell with single ones around: its row's upper links, and excess. */
void mg_coarsen_single(const struct mg_graph g, const struct mg_level fine,
		       const struct mg_level coarse, const struct mg_cell c,
		       global const uchar *part, global float *link, global float *excess)
{
	float ties = 0.0f, sum[3] = {0.0f, 0.0f, 0.0f};
	int single = 0;
	for (int q = 0; q < 1 << DIM; q++) {
		const int at = mg_child_place(fine, c.i, c.j, c.k, q);
		if (at < 0 || part[at] == MG_NO_PART)
			continue;
		ties += excess[at];
#pragma unroll
		for (int a = 0; a < DIM; a++)
			if (q >> a & 1)
				sum[a] += mg_cell_link(fine, g.total, g.open, g.link, a, at);
	}
	const int cells[3] = {fine.nx, fine.ny, fine.nz};
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		const struct mg_way own = mg_single_way(g, fine, c.i, c.j, c.k, part, a);
		single |= own.layers != 3 && cells[a] > 1;
		if (sum[a] > 0.0f)
			sum[a] = mg_series_link(own,
						mg_single_way(g, fine, c.i + (a == 0),
							      c.j + (a == 1), c.k + (a == 2), part,
							      a),
						sum[a]);
		link[a * mg_coarse_total(coarse, g.total) + c.at + coarse.coarse_shift] = sum[a];
	}
	excess[c.at] = mg_tie_share(single) * ties;
}

/* Coarse links and excesses as in mg_coarsen(), part by part.  Work-item = coarse
 * cell, both colours. */
kernel void mg_coarsen_parts(const struct mg_level fine, const struct mg_level coarse, int total,
			     global const ushort *open, global float *link, global float *excess,
			     global const uint *parts, global float *row, global const uchar *part)
{
	struct mg_cell c = mg_cell_both_colours(coarse);
	if (!c.exists)
		return;
	const struct mg_graph g = mg_graph_of(total, open, link, parts, row);
	if (mg_all_are_single(g, coarse, c)) {
		mg_coarsen_single(g, fine, coarse, c, part, link, excess);
		return;
	}
	uint own = mg_parts_of(g, coarse, c.at);
	for (int p = 0; p <= mg_extra_count(own); p++) {
		int single = 0;
		float ties = 0.0f, sum[2 * DIM * MG_PARTS];
		for (int n = 0; n < 2 * DIM * MG_PARTS; n++)
			sum[n] = 0.0f;
		for (int q = 0; q < 1 << DIM; q++) {
			struct mg_cell child = mg_child(fine, c, q);
			uint here = child.exists ? mg_parts_of(g, fine, child.at) : 0;
			for (int s = 0; child.exists && s <= mg_extra_count(here); s++) {
				int node = mg_node(fine, here, child.at, s);
				if (part[node] != MG_NO_PART &&
				    mg_part_kept(part[node], mg_extra_count(own)) == p)
					ties += excess[node];
			}
			for (int a = 0; a < DIM; a++) {
				int d = 2 * a + (q >> a & 1);
				mg_add_links(g, fine, coarse, c, p, q, d, part, sum + d * MG_PARTS);
			}
		}
		for (int d = 0; d < 2 * DIM; d++) {
			const struct mg_way way =
				mg_part_way(g, fine, c, p, mg_extra_count(own), part, d >> 1);
			uint there = mg_parts_of(g, coarse, mg_neighbour(coarse, c, d));
			struct mg_cell next = mg_step(coarse, c, d);
			single |= way.layers != 3 && (d < 2   ? fine.nx
						      : d < 4 ? fine.ny
							      : fine.nz) > 1;
			for (int t = 0; t <= mg_extra_count(there); t++) {
				float w = sum[d * MG_PARTS + t];
				if (w > 0.0f)
					sum[d * MG_PARTS + t] = mg_series_link(
						way,
						mg_part_way(g, fine, next, t, mg_extra_count(there),
							    part, d >> 1),
						w);
			}
			/* The lower cell first, seen from either side. */
			if (DIM == 2)
				continue;
			mg_add_holes(g, fine, coarse, c, p, d, d & 1 ? c : next, 1, part,
				     sum + d * MG_PARTS);
			mg_add_holes(g, fine, coarse, c, p, d, d & 1 ? next : c, 0, part,
				     sum + d * MG_PARTS);
		}
		excess[mg_node(coarse, own, c.at, p)] = mg_tie_share(single) * ties;
		if (p == 0)
			for (int a = 0; a < DIM; a++)
				link[a * mg_coarse_total(coarse, total) + c.at +
				     coarse.coarse_shift] = sum[(2 * a + 1) * MG_PARTS];
		else
			for (int d = 0; d < 2 * DIM; d++)
				for (int t = 0; t < (d & 1 ? MG_PARTS : 1); t++)
					row[mg_row_of(coarse, own, p) + mg_row_entry(d, t)] =
						sum[d * MG_PARTS + t];
	}
}

/* Marks the types of cells whose part 0 is weak.  Work-item = coarse cell, both colours. */
kernel void mg_mark_weak(const struct mg_level l, int type_offset, global uchar *type, int total,
			 global const float *link, global const float *excess,
			 global const uint *parts, global const float *row)
{
	struct mg_cell c = mg_cell_both_colours(l);
	if (!c.exists)
		return;
	int at = mg_type_at(l, type_offset, c.i, c.j, c.k);
	if (type[at] == CELL_LIQUID &&
	    mg_is_weak(mg_graph_of(total, 0, link, parts, row), l, c, 0, excess))
		type[at] = MG_TYPE_WEAK;
}

/* Where interpolation of a fine node finds corner q of its coarse neighbours, a cell of type
 * `type`: it walks over fine links, in the order of axes that first gets to a part that is not
 * weak.  Returns four bits of a route. */
uint mg_find_corner(const struct mg_graph g, const struct mg_level fine,
		    const struct mg_level coarse, global const uint *stencil,
		    global const uchar *part, uchar type, struct mg_cell c, int own, int q)
{
	for (int order = 0; order < (DIM == 3 ? 6 : 2); order++) {
		struct mg_cell at = c;
		int s = own, x = modulo(order, 3), y = modulo(x + 1 + order / 3, 3);
		const int axes[3] = {DIM == 3 ? x : order, DIM == 3 ? y : 1 - order, 3 - x - y};
		for (int n = 0; n < DIM && s >= 0; n++) {
			int a = axes[n];
			if (!(q >> a & 1))
				continue;
			int coordinate = a == 0 ? c.i : a == 1 ? c.j : c.k;
			int d = 2 * a + (coordinate & 1);
			s = mg_strongest(g, fine, at, s, d);
			at = mg_step(fine, at, d);
		}
		if (s >= 0) {
			uint there = mg_parts_of(g, fine, at.at);
			struct mg_cell to = mg_parent(coarse, at);
			const uint parts = mg_parts_of(g, coarse, to.at);
			int kept = mg_part_kept(part[mg_node(fine, there, at.at, s)],
						mg_extra_count(parts));
			if (kept == 0 ? type != MG_TYPE_WEAK
				      : !(stencil[mg_stencil_extra(
						  coarse, g.total,
						  mg_node(coarse, parts, to.at, kept))] &
					  MG_PART_WEAK))
				return (uint)kept;
		}
	}
	return MG_ROUTE_OWN;
}

/* Routes of fine nodes near coarse cells of several parts.  Work-item = fine cell, both colours. */
kernel void mg_find_routes(const struct mg_level fine, const struct mg_level coarse,
			   int type_offset, global const uchar *type, int total,
			   global const uint *stencil, global const ushort *open,
			   global const float *link, global const uint *parts,
			   global const float *row, global const uchar *part,
			   global mg_route *route)
{
	struct mg_cell c = mg_cell_both_colours(fine);
	if (!c.exists)
		return;
	const struct mg_graph g = mg_graph_of(total, open, link, parts, row);
	struct mg_cell parent = mg_parent(coarse, c);
	if (!(mg_stencil_rest(stencil, coarse, total, mg_stencil_of(coarse, parent)) & MG_SPLIT))
		return;
	uint own = mg_parts_of(g, fine, c.at);
	int extras = mg_extra_count(mg_parts_of(g, coarse, parent.at));
	for (int s = 0; s <= mg_extra_count(own); s++) {
		int node = mg_node(fine, own, c.at, s);
		uint way = (uint)mg_part_kept(part[node], extras);
		for (int q = 1; q < 1 << DIM; q++) {
			int ni = parent.i + (q & 1 ? (c.i & 1 ? 1 : -1) : 0);
			int nj = parent.j + (q & 2 ? (c.j & 1 ? 1 : -1) : 0);
			int nk = parent.k + (q & 4 ? (c.k & 1 ? 1 : -1) : 0);
			uchar t = type[mg_type_at(coarse, type_offset, ni, nj, nk)];
			uint corner = t == CELL_AIR ? MG_ROUTE_ZERO : MG_ROUTE_OWN;
			if (t == CELL_LIQUID || t == MG_TYPE_WEAK)
				corner = mg_find_corner(g, fine, coarse, stencil, part, t, c, s, q);
			way |= corner << 4 * q;
		}
		route[node] = part[node] == MG_NO_PART ? MG_ROUTE_NONE : (mg_route)way;
	}
}
