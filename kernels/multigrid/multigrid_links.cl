/* Links of coarse cells of several parts (mg_parts.h), from the fine ones. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_block.h"
#include "mg_parts.h"

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
