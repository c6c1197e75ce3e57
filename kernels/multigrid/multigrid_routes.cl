/* How fine cells interpolate near coarse cells of several parts: the routes of mg_parts.h. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_block.h"
#include "mg_parts.h"
#include "mg_stencil.h"
#include "mg_transfer.h"

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
