/*
 * Coarse cells of several parts.
 *
 * A block of 2^DIM cells may straddle a wall that no coarse face shows.  As one unknown it would
 * glue the two sides together, and the cycle converges badly: 22 iterations where 8 do without the
 * wall.  So a coarse cell has one unknown for each part of its block that holds together inside
 * the block, the largest first and up to MG_PARTS (the last one stands for all the rest).
 * Everywhere but at such walls there is one.
 *
 * Part 0 lives in the colour-split arrays and its links to other parts 0 in `link`, like the cells
 * of level 0.  Further parts ("extras") follow behind the cells of all levels in x, b and excess;
 * each has a row of links: to all parts of its upper neighbours and to part 0 of the lower ones
 * (mg_row_entry()); a link of two extras is in the row of the lower one.  Directions are
 * 2 axis + side.  `parts` holds, per cell of the coarse levels, first extra * 8 + number of extras.
 */
#ifndef FRESHET_MG_PARTS_H
#define FRESHET_MG_PARTS_H

#include "common.h"
#include "mg.h"

/* In 3D eight boxes may meet in a block. */
#define MG_PARTS MG_CELL_PARTS(DIM)
#define MG_ROW (DIM * MG_PARTS + DIM)
#define MG_PARTS_BELOW 0x80000000u /* children have extras */
#define MG_PARTS_NEAR 0x40000000u  /* residuals come by routes */

/* The route of a fine node: its part of the coarse cell (4 bits), then for every corner q = 1.. of
 * its interpolation as many: the part of the corner's cell or */
#define MG_ROUTE_OWN 8	/* nothing to reach there: the weight returns to the own part */
#define MG_ROUTE_ZERO 9 /* air: pressure 0 */
#if DIM == 3
typedef uint mg_route;
#define MG_ROUTE_NONE 0xffffffffu /* no unknown: takes no part in transfers */
#define MG_ROUTE_ONES 0x11111110u /* the lowest bit of every corner */
#else
typedef ushort mg_route;
#define MG_ROUTE_NONE 0xffffu
#define MG_ROUTE_ONES 0x1110u
#endif

/* What a route says of corner q, of the own part with q = 0. */
ALWAYS_INLINE uint mg_route_to(uint route, int q)
{
	return route >> 4 * q & 15u;
}

/* In the array of cell types: an unknown of a coarse level whose part 0 hangs by a thread. */
#define MG_TYPE_WEAK 3
/* A part does, if all its links and ties add up to less than this share of a fully open link:
 * nobody interpolates from it but its own children (mg_is_weak()). */
#define MG_WEAK 0.5f

/* Index in the array of cell types of all levels: padded by one, x fastest. */
ALWAYS_INLINE int mg_type_at(const struct mg_level l, int type_offset, int i, int j, int k)
{
	return type_offset + ((k + MG_HALO_Z) * (l.ny + 2) + j + 1) * (l.nx + 2) + i + 1;
}

struct mg_graph {
	int total;		   /* elements of an array over all levels */
	global const ushort *open; /* links of level 0; may be 0 where only coarse ones are read */
	global const float *link;  /* links of the coarse levels */
	global const uint *parts;
	global const float *row;
};

/*
 * Share of the fine links in the coarse one: 2 cells over the distance of the coarse unknowns,
 * which is 2 fine cells between blocks of two layers along the link, 1.5 if one of them has a
 * single layer (the unknown is then where that layer is) and 1 if both have.  own, next: bits of
 * layers.
 */
float mg_coarse_share(int own, int next)
{
	int layers = (own == 3 ? 2 : 1) + (next == 3 ? 2 : 1);
	return layers == 4 ? 0.5f : layers == 3 ? 2.0f / 3.0f : 1.0f;
}

/* What a coarse part offers to links along an axis. */
struct mg_way {
	int layers;   /* bits of layers along it */
	int several;  /* the cell has other parts */
	float inside; /* sum of the part's links between its layers */
};

/* A part this much wider inside than at a face has a hole there; less is a cut cell, for which
 * the constant does better (docs/solver.md#parts). */
#define MG_WIDER 1.9f

/* Resistance of a part's half, from its unknown to the face, in that of the face's fine links of
 * sum w: half a cell, or through its own links where these meet a hole. */
float mg_way_share(const struct mg_way way, float w)
{
	/* Between walls half a cell does better for single layers too (docs/solver.md). */
	if (way.layers != 3 && !way.several)
		return 0.0f;
	return way.inside > MG_WIDER * w ? 0.5f * w / way.inside : 0.5f;
}

/*
 * Link of two coarse parts with fine links of sum w between them: these and the insides of both
 * parts in series.  Between whole cells as mg_coarse_share().  A hole keeps nearly all of its link
 * on every level, as the pressure falls inside it however coarse the cells are.
 */
float mg_series_link(const struct mg_way own, const struct mg_way next, float w)
{
	/* The two alike, so that both ends of the link get the same bits. */
	return w / (1.0f + (mg_way_share(own, w) + mg_way_share(next, w)));
}

/* The same for what ties cells to pressure 0: a single layer, along any axis, keeps it. */
float mg_tie_share(int single)
{
	return single ? 1.0f : 0.5f;
}

struct mg_graph mg_graph_of(int total, global const ushort *open, global const float *link,
			    global const uint *parts, global const float *row)
{
	struct mg_graph g;
	g.total = total;
	g.open = open;
	g.link = link;
	g.parts = parts;
	g.row = row;
	return g;
}

/* First extra * 8 + number of extras of the cell at `at`. */
uint mg_parts_of(const struct mg_graph g, const struct mg_level l, long at)
{
	return l.extras > 0 ? g.parts[at + l.coarse_shift] : 0u;
}

/* Extras of a cell. */
int mg_extra_count(uint parts)
{
	return (int)(parts & 7u);
}

int mg_first_extra(uint parts)
{
	return (int)((parts & ~(MG_PARTS_BELOW | MG_PARTS_NEAR)) >> 3);
}

/* Index of part s in x, b, excess. */
int mg_node(const struct mg_level l, uint parts, long at, int s)
{
	return s == 0 ? (int)at : l.extra_offset + mg_first_extra(parts) + s - 1;
}

/* In the row of an extra: its link to part t of the neighbour in direction d, 0 if that is lower.
 */
int mg_row_entry(int d, int t)
{
	return d & 1 ? (d >> 1) * MG_PARTS + t : DIM * MG_PARTS + (d >> 1);
}

/* First link of part s > 0. */
int mg_row_of(const struct mg_level l, uint parts, int s)
{
	return (l.row_offset + mg_first_extra(parts) + s - 1) * MG_ROW;
}

struct mg_cell mg_cell_ijk(const struct mg_level l, int i, int j, int k)
{
	return mg_cell_at(l, (i + j + k) & 1, i >> 1, j, k);
}

/* Place of the neighbour in direction d. */
long mg_neighbour(const struct mg_level l, const struct mg_cell c, int d)
{
	int step = d >> 1 == 1 ? l.pitch : l.plane;
	if (d < 2)
		return c.other + c.shift - 1 + d;
	return d & 1 ? c.other + step : c.other - step;
}

struct mg_cell mg_step(const struct mg_level l, const struct mg_cell c, int d)
{
	int by = d & 1 ? 1 : -1, a = d >> 1;
	return mg_cell_ijk(l, c.i + (a == 0 ? by : 0), c.j + (a == 1 ? by : 0),
			   c.k + (a == 2 ? by : 0));
}

/* Link from part s of a cell to part t of its neighbour in direction d. */
float mg_node_link(const struct mg_graph g, const struct mg_level l, const struct mg_cell c, int s,
		   int d, int t)
{
	long to = mg_neighbour(l, c, d);
	if (s > 0 && (d & 1 || t == 0))
		return g.row[mg_row_of(l, mg_parts_of(g, l, c.at), s) + mg_row_entry(d, t)];
	if (t > 0)
		return g.row[mg_row_of(l, mg_parts_of(g, l, to), t) + mg_row_entry(d ^ 1, s)];
	return mg_cell_link(l, g.total, g.open, g.link, d >> 1, d & 1 ? c.at : to);
}

/* Sum of the links of part s in direction d. */
float mg_node_links(const struct mg_graph g, const struct mg_level l, const struct mg_cell c, int s,
		    int d)
{
	int count = mg_extra_count(mg_parts_of(g, l, mg_neighbour(l, c, d)));
	float sum = 0.0f;
	for (int t = 0; t <= count; t++)
		sum += mg_node_link(g, l, c, s, d, t);
	return sum;
}

/* Diagonal of part s. */
float mg_node_diagonal(const struct mg_graph g, const struct mg_level l, const struct mg_cell c,
		       int s, global const float *excess)
{
	float sum = excess[mg_node(l, mg_parts_of(g, l, c.at), c.at, s)];
	for (int d = 0; d < 2 * DIM; d++)
		sum += mg_node_links(g, l, c, s, d);
	return sum;
}

/*
 * Is part s too weak for others to interpolate from?  Their residuals would go there by weights of
 * 1/4 to 1/64 that do not ask how open the way is that is left, and a diagonal of almost nothing
 * would make of them a correction that overshoots without bound.
 */
int mg_is_weak(const struct mg_graph g, const struct mg_level l, const struct mg_cell c, int s,
	       global const float *excess)
{
	float xy = min_float(l.full_link[0], l.full_link[1]);
	float least = DIM == 3 ? min_float(xy, l.full_link[2]) : xy;
	return !(mg_node_diagonal(g, l, c, s, excess) >= MG_WEAK * least);
}

/* What lies in every direction of a cell of a level with room for extras. */
struct mg_around {
	long to[2 * DIM];    /* place of the neighbour */
	uint parts[2 * DIM]; /* its mg_parts_of() */
	float link[2 * DIM]; /* between both parts 0 */
};

ALWAYS_INLINE struct mg_around mg_look_around(const struct mg_graph g, const struct mg_level l,
					      const struct mg_cell c)
{
	struct mg_around around;
#pragma unroll
	for (int d = 0; d < 2 * DIM; d++) {
		const long to = mg_neighbour(l, c, d);
		around.to[d] = to;
		around.parts[d] = g.parts[to + l.coarse_shift];
		around.link[d] = g.link[mg_coarse_total(l, g.total) * (d >> 1) +
					(d & 1 ? c.at : to) + l.coarse_shift];
	}
	return around;
}

/* mg_apply() for part s of a cell with extras around; parts: of the cell.  The same sums as
 * mg_node_link() would give, without looking for everything again. */
ALWAYS_INLINE struct mg_row mg_apply_part(const struct mg_graph g, const struct mg_level l,
					  const struct mg_around around, uint parts, long at, int s,
					  global const float *excess, global const float *x)
{
	global const float *own = g.row + (s > 0 ? mg_row_of(l, parts, s) : 0);
	struct mg_row r;
	r.diagonal = excess[mg_node(l, parts, at, s)];
	r.off = 0.0f;
#pragma unroll
	for (int d = 0; d < 2 * DIM; d++) {
		const uint there = around.parts[d];
		const float w = s == 0 ? around.link[d] : own[mg_row_entry(d, 0)];
		r.diagonal += w;
		/* What lies in an unused place may be anything. */
		if (w > 0.0f)
			r.off += w * x[around.to[d]];
		for (int t = 1; t <= mg_extra_count(there); t++) {
			const float v =
				s > 0 && d & 1
					? own[mg_row_entry(d, t)]
					: g.row[mg_row_of(l, there, t) + mg_row_entry(d ^ 1, s)];
			r.diagonal += v;
			if (v > 0.0f)
				r.off += v * x[mg_node(l, there, 0, t)];
		}
	}
	return r;
}

#endif
