/*
 * The nodes that a coarse cell covers: which of them hold together inside its block.
 *
 * Not through a hole in a wall.  A coarse cell that a hole of one cell makes one would be a hole of
 * its own size, five times as wide a way as the true one, where walls without holes part cells
 * well.  So the two sides become parts, and as parts of one cell have no link the hole's goes from
 * one of them to the next cell, to what lies behind the other (mg_add_holes()).
 */
#ifndef FRESHET_MG_BLOCK_H
#define FRESHET_MG_BLOCK_H

#include "common.h"
#include "mg.h"
#include "mg_parts.h"

/* Nodes of a block: part s of child q is bit q * MG_PARTS + s. */
#define MG_NODES (MG_PARTS << DIM)
/* Links between two sets of nodes, of sum w, are a hole if half of the sets' links at right angles
 * is this much more: a face of four half open, which is none, has 4. */
#define MG_HOLE 5.0f
/* Less than this, in faces of level 0, is a leak beside a cut cell. */
#define MG_HOLE_LEAST 0.5f
/* Part of a node that is no unknown. */
#define MG_NO_PART 255

/* The part of the coarse cell, which has `extras` of them, that a fine node belongs to. */
int mg_part_kept(uchar part, int extras)
{
	return part < extras ? part : extras;
}

/* Place of child q of coarse cell (i,j,k), -1 beyond the level. */
ALWAYS_INLINE int mg_child_place(const struct mg_level fine, int i, int j, int k, int q)
{
	const int x = 2 * i + (q & 1), y = 2 * j + (q >> 1 & 1), z = 2 * k + (q >> 2);
	return x < fine.nx && y < fine.ny && z < fine.nz ? mg_at_cell(fine, x, y, z) : -1;
}

struct mg_cell mg_child(const struct mg_level fine, const struct mg_cell coarse, int q)
{
	struct mg_cell c = mg_cell_ijk(fine, 2 * coarse.i + (q & 1), 2 * coarse.j + (q >> 1 & 1),
				       2 * coarse.k + (q >> 2));
	return c;
}

/* Nodes of a block that are unknowns, and for each those it is linked to inside the block. */
ulong mg_block_graph(const struct mg_graph g, const struct mg_level fine,
		     const struct mg_cell coarse, global const float *excess, ulong adjacent[])
{
	ulong present = 0;
	for (int n = 0; n < MG_NODES; n++)
		adjacent[n] = 0;
	for (int q = 0; q < 1 << DIM; q++) {
		struct mg_cell c = mg_child(fine, coarse, q);
		if (!c.exists)
			continue;
		uint parts = mg_parts_of(g, fine, c.at);
		for (int s = 0; s <= mg_extra_count(parts); s++) {
			int node = q * MG_PARTS + s;
			if (mg_node_diagonal(g, fine, c, s, excess) > 0.0f)
				present |= 1ul << node;
			for (int a = 0; a < DIM; a++) {
				int to = q | 1 << a, d = 2 * a + 1;
				if (to == q)
					continue;
				uint there = mg_parts_of(g, fine, mg_neighbour(fine, c, d));
				for (int t = 0; t <= mg_extra_count(there); t++)
					if (mg_node_link(g, fine, c, s, d, t) > 0.0f) {
						int other = to * MG_PARTS + t;
						adjacent[node] |= 1ul << other;
						adjacent[other] |= 1ul << node;
					}
			}
		}
	}
	return present;
}

int mg_count_bits(ulong set)
{
	int count = 0;
	for (; set; set &= set - 1u)
		count++;
	return count;
}

/* One step from a node over its strongest link in direction d: the part reached, -1 if closed. */
int mg_strongest(const struct mg_graph g, const struct mg_level l, const struct mg_cell c, int s,
		 int d)
{
	int count = mg_extra_count(mg_parts_of(g, l, mg_neighbour(l, c, d))), best = -1;
	float most = 0.0f;
	for (int t = 0; t <= count; t++) {
		float w = mg_node_link(g, l, c, s, d, t);
		if (w > most) {
			most = w;
			best = t;
		}
	}
	return best;
}

/* Links of a node at right angles to axis a. */
float mg_across(const struct mg_graph g, const struct mg_level l, const struct mg_cell c, int s,
		int a)
{
	float sum = 0.0f;
	for (int d = 0; d < 2 * DIM; d++)
		if (d >> 1 != a)
			sum += mg_node_links(g, l, c, s, d);
	return sum;
}

/* All nodes of `within` that can be reached from those of `set`. */
ulong mg_flood(ulong set, const ulong adjacent[], ulong within)
{
	for (ulong before = 0; before != set;) {
		before = set;
		for (int n = 0; n < MG_NODES; n++)
			if (before >> n & 1)
				set |= adjacent[n] & within;
	}
	return set;
}

/* Is what joins the sets `low` and `high` of a block's two layers along axis a a hole in a wall? */
int mg_is_hole(const struct mg_graph g, const struct mg_level fine, const struct mg_cell coarse,
	       ulong low, ulong high, int a)
{
	float w = 0.0f, inside_low = 0.0f, inside_high = 0.0f;
	for (int n = 0; n < MG_NODES; n++) {
		const int q = n / MG_PARTS, s = modulo(n, MG_PARTS);
		if (!((low | high) >> n & 1))
			continue;
		const struct mg_cell child = mg_child(fine, coarse, q);
		const float across = mg_across(g, fine, child, s, a);
		if (high >> n & 1) {
			inside_high += across;
			continue;
		}
		inside_low += across;
		const struct mg_cell next = mg_child(fine, coarse, q | 1 << a);
		for (int t = 0; t < MG_PARTS; t++) {
			if (!(high >> ((q | 1 << a) * MG_PARTS + t) & 1))
				continue;
			const float link = mg_node_link(g, fine, child, s, 2 * a + 1, t);
			w += link;
			if (link > 0.0f && mg_strongest(g, fine, next, t, 2 * a + 1) < 0 &&
			    mg_strongest(g, fine, child, s, 2 * a) < 0)
				return 0;
		}
	}
	return w >= MG_HOLE_LEAST && inside_low >= 2.0f * MG_HOLE * w &&
	       inside_high >= 2.0f * MG_HOLE * w;
}

/* Takes the links through holes out of a block's graph.  In 2D there are none: a hole of one cell
 * is half of the face between a block's layers. */
void mg_cut_holes(const struct mg_graph g, const struct mg_level fine, const struct mg_cell coarse,
		  ulong present, ulong adjacent[])
{
	ulong cut[MG_NODES];
	for (int n = 0; n < MG_NODES; n++)
		cut[n] = 0;
	for (int a = 0; a < DIM; a++) {
		ulong lower = 0;
		for (int q = 0; q < 1 << DIM; q++)
			lower |= q >> a & 1 ? 0ul : ((1ul << MG_PARTS) - 1ul) << q * MG_PARTS;
		/* Nothing is closed: no wall. */
		int closed = 0;
		for (int n = 0; n < MG_NODES; n++)
			closed |= (present & lower) >> n & 1 && !(adjacent[n] & ~lower);
		for (ulong left = closed ? present & lower : 0ul; left;) {
			const ulong low = mg_flood(left & (~left + 1u), adjacent, lower);
			left &= ~low;
			ulong reached = 0;
			for (int n = 0; n < MG_NODES; n++)
				if (low >> n & 1)
					reached |= adjacent[n] & ~lower;
			while (reached) {
				const ulong high =
					mg_flood(reached & (~reached + 1u), adjacent, ~lower);
				reached &= ~high;
				if (!mg_is_hole(g, fine, coarse, low, high, a))
					continue;
				for (int n = 0; n < MG_NODES; n++)
					cut[n] |= low >> n & 1	  ? adjacent[n] & high
						  : high >> n & 1 ? adjacent[n] & low
								  : 0ul;
			}
		}
	}
	for (int n = 0; n < MG_NODES; n++)
		adjacent[n] &= ~cut[n];
}

#endif
