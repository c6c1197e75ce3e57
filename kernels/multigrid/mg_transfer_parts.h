/* Transfers near coarse cells of several parts: what goes where is in the routes of mg_parts.h. */
#ifndef FRESHET_MG_TRANSFER_PARTS_H
#define FRESHET_MG_TRANSFER_PARTS_H

#include "common.h"
#include "mg_parts.h"
#include "mg_transfer.h"

/* What transfers read there. */
struct mg_transfer {
	struct mg_graph g;
	struct mg_level fine, coarse;
	global const uint *stencil;
	global const mg_route *route; /* of fine nodes */
};

struct mg_transfer mg_transfer_of(const struct mg_graph g, const struct mg_level fine,
				  const struct mg_level coarse, global const uint *stencil,
				  global const mg_route *route)
{
	struct mg_transfer t;
	t.g = g;
	t.fine = fine;
	t.coarse = coarse;
	t.stencil = stencil;
	t.route = route;
	return t;
}

/* Open part of the links of part s of a coarse cell towards `side`. */
float mg_open_links(const struct mg_graph g, const struct mg_level l, const struct mg_cell c, int s,
		    int side)
{
	/* Chosen, not indexed: docs/portability.md. */
	float full = side < 2 ? l.full_link[0] : side < 4 ? l.full_link[1] : l.full_link[2];
	float f = mg_node_links(g, l, c, s, side) / full;
	return f < 1.0f ? f : 1.0f;
}

/* f/4 per axis for child `child`, with this route, of coarse cell c whose first word is `open`; air
 * is open. */
void mg_route_openings(const struct mg_transfer t, const struct mg_cell c, uint open, int child,
		       uint route, float quarter[3])
{
	int part = (int)mg_route_to(route, 0);
	if (part > 0)
		open = t.stencil[mg_stencil_extra(
			t.coarse, t.g.total,
			mg_node(t.coarse, mg_parts_of(t.g, t.coarse, c.at), c.at, part))];
	quarter[2] = 0.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++)
		quarter[a] = mg_stencil_sixteenths(open, 2 * a + (child >> a & 1));
}

/* Weight of the own part: also what corners that cannot be reached give back. */
float mg_route_own(const float quarter[3], uint route)
{
	float weight = mg_corner_weight(quarter, 0);
	/* None is, nearly everywhere. */
	if (route >> 3 & ~route & MG_ROUTE_ONES)
		for (int q = 1; q < 1 << DIM; q++)
			if (mg_route_to(route, q) == MG_ROUTE_OWN)
				weight += mg_corner_weight(quarter, q);
	return weight;
}

/* Adds to sum[] what the parts of a child of coarse cell c, first word `open`, give to the parts of
 * the cell at its `corner`.  Of extras the residual is in residual_extra if red_only. */
void mg_restrict_routes(const struct mg_transfer t, global const float *residual,
			global const float *residual_extra, int red_only, const struct mg_cell c,
			uint open, int child, int corner, float sum[MG_PARTS])
{
	struct mg_cell fine = mg_cell_ijk(t.fine, 2 * c.i + (child & 1), 2 * c.j + (child >> 1 & 1),
					  2 * c.k + (child >> 2));
	if (!fine.exists)
		return;
	uint parts = mg_parts_of(t.g, t.fine, fine.at);
	for (int s = 0; s <= mg_extra_count(parts); s++) {
		int node = mg_node(t.fine, parts, fine.at, s);
		uint route = t.route[node], to = mg_route_to(route, corner);
		/* Nothing goes to that corner, nor where there is no unknown. */
		if (to >= MG_PARTS)
			continue;
		float r = !red_only ? residual[node]
			  : s == 0  ? residual[fine.at - (t.fine.offset >> 1)]
				   : residual_extra[t.fine.row_offset + node - t.fine.extra_offset];
		float quarter[3];
		mg_route_openings(t, c, open, child, route, quarter);
		sum[to] += (corner == 0 ? mg_route_own(quarter, route)
					: mg_corner_weight(quarter, corner)) *
			   r;
	}
}

/* b_coarse = P^T r for the parts of a coarse cell with parts around. */
void mg_restrict_parts(const struct mg_transfer t, global const float *residual,
		       global const float *residual_extra, int red_only, const struct mg_cell c,
		       global float *b)
{
	float sum[MG_PARTS];
	for (int s = 0; s < MG_PARTS; s++)
		sum[s] = 0.0f;
	const struct mg_level coarse = t.coarse;
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
		for (int dj = -1; dj <= 1; dj++)
			for (int di = -1; di <= 1; di++) {
				struct mg_cell from =
					mg_cell_ijk(coarse, c.i + di, c.j + dj, c.k + dk);
				long at = mg_stencil_of(coarse, from);
				uint open = mg_stencil_open(t.stencil, coarse, at);
				uint rest = mg_stencil_rest(t.stencil, coarse, t.g.total, at);
				int corner = (di != 0) | (dj != 0) << 1 | (dk != 0) << 2;
				uint left = mg_leaning(di, dj, dk) &
					    (red_only ? MG_RED_CHILDREN : 0xffu);
				float plain = 0.0f;
				for (int child = 0; left; child++, left >>= 1) {
					if (!(left & 1u))
						continue;
					if (rest & MG_SPLIT)
						mg_restrict_routes(t, residual, residual_extra,
								   red_only, from, open, child,
								   corner, sum);
					else
						plain += mg_restrict_child(t.fine, open, rest,
									   residual, red_only,
									   c.i + di, c.j + dj,
									   c.k + dk, child, corner);
				}
				sum[0] += plain;
			}
	if (!(mg_stencil_open(t.stencil, coarse, mg_stencil_of(coarse, c)) & MG_KNOWN))
		sum[0] = 0.0f;
	uint parts = mg_parts_of(t.g, coarse, c.at);
	for (int s = 0; s <= mg_extra_count(parts); s++)
		b[mg_node(coarse, parts, c.at, s)] = MG_WEIGHT * sum[s];
}

/* P x_coarse at a fine node of child `child` of coarse cell c, by its route. */
float mg_prolong_route(const struct mg_transfer t, global const float *x, const struct mg_cell c,
		       int child, uint route)
{
	const struct mg_level coarse = t.coarse;
	float quarter[3], sum = 0.0f;
	mg_route_openings(t, c, mg_stencil_open(t.stencil, coarse, mg_stencil_of(coarse, c)), child,
			  route, quarter);
	for (int q = 1; q < 1 << DIM; q++) {
		uint to = mg_route_to(route, q);
		if (to >= MG_PARTS)
			continue;
		long at =
			mg_near(coarse, c, q & 1 ? (child & 1 ? 1 : -1) : 0,
				q & 2 ? (child & 2 ? 1 : -1) : 0, q & 4 ? (child & 4 ? 1 : -1) : 0);
		sum += mg_corner_weight(quarter, q) *
		       x[mg_node(coarse, mg_parts_of(t.g, coarse, at), at, (int)to)];
	}
	sum += mg_route_own(quarter, route) *
	       x[mg_node(coarse, mg_parts_of(t.g, coarse, c.at), c.at, (int)mg_route_to(route, 0))];
	return MG_WEIGHT * sum;
}

/* x += P x_coarse at the parts of a fine cell whose coarse cell c has parts around. */
void mg_prolong_parts(const struct mg_transfer t, global float *x, const struct mg_cell fine,
		      const struct mg_cell c)
{
	uint parts = mg_parts_of(t.g, t.fine, fine.at);
	for (int s = 0; s <= mg_extra_count(parts); s++) {
		int node = mg_node(t.fine, parts, fine.at, s);
		uint route = t.route[node];
		if (route != MG_ROUTE_NONE)
			x[node] += mg_prolong_route(t, x, c, mg_child_of(fine), route);
	}
}

#endif
