/*
 * Transfers between the levels of multigrid.cl.
 *
 * (Bi/tri)linear with every axis weight scaled by the open part f of the coarse link: own weight
 * 1 - f/4, neighbour f/4.  Air counts as open, with value 0; corners in solids and diagonal ones in
 * weak cells (mg_parts.h) give their weight back to the own cell.  Restriction is the transpose.
 *
 * What a coarse cell needs for that is kept in stencil words.  f is held in sixteenths, so that
 * these weights are exact; no cell that is not an unknown holds anything but 0, in residuals and
 * corrections too, so that nothing asks for the type of a cell.  With words alone every cell takes
 * the same instructions, which compilers make vectors of.  Near coarse cells of several parts the
 * routes of mg_parts.h decide instead.
 */
#ifndef FRESHET_MG_TRANSFER_H
#define FRESHET_MG_TRANSFER_H

#include "common.h"
#include "mg.h"
#include "mg_parts.h"

/*
 * A cell's words: `open` has f towards side s (2 axis + upper) in sixteenths in five bits from
 * 5 s, and MG_KNOWN if the cell is an unknown.  `rest` has bits of diagonal neighbours in solids,
 * counted by mg_diagonal_axes(), and MG_SPLIT if this cell or one around has several parts or
 * children with such.  In 2D both share a word; in 3D all `rest` follow all `open`.  Behind them
 * all are `open` words of further parts, with MG_PART_WEAK if mg_is_weak().  Words of a row are in
 * order of x, both colours in turn: so are residuals of one colour of the finer level, which lie
 * beside them in restriction.
 */
#define MG_OPEN_BITS 5
#define MG_KNOWN 0x40000000u
#define MG_PART_WEAK 0x80000000u
#if DIM == 2
#define MG_REST_SHIFT 20
#define MG_DIAGONALS 4
#define MG_SPLIT 0x10u
#else
#define MG_DIAGONALS 20
#define MG_SPLIT 0x100000u
#endif

/* Axes of diagonal n: four of xy, then of xz, yz, then eight of xyz; the lower bits of n say which
 * of these axes go up, the lowest axis first. */
ALWAYS_INLINE int mg_diagonal_axes(int n)
{
	return n < 4 ? 3 : n < 8 ? 5 : n < 12 ? 6 : 7;
}

/* Number of the diagonal over axes q = 3, 5, 6 or 7 on the sides where child `child` of a cell
 * lies. */
ALWAYS_INLINE int mg_diagonal(int q, int child)
{
	if (q == 3)
		return child & 3;
	if (q == 5)
		return 4 + (child & 1) + (child >> 1 & 2);
	return q == 6 ? 8 + (child >> 1 & 3) : 12 + child;
}

/* Place of the words of cell (i,j,k), and of a cell. */
ALWAYS_INLINE long mg_stencil_at(const struct mg_level l, long i, int j, int k)
{
	return l.offset + 2 * ((k + MG_HALO_Z) * l.plane + (j + 1) * l.pitch) + 1 + i;
}

ALWAYS_INLINE long mg_stencil_of(const struct mg_level l, const struct mg_cell c)
{
	return mg_stencil_at(l, c.i, c.j, c.k);
}

void mg_stencil_store(global uint *stencil, const struct mg_level l, int total, long at, uint open,
		      uint rest)
{
#if DIM == 2
	(void)total;
	stencil[at + l.coarse_shift] = open | rest << MG_REST_SHIFT;
#else
	stencil[at + l.coarse_shift] = open;
	stencil[at + total + 2 * l.coarse_shift] = rest;
#endif
}

ALWAYS_INLINE uint mg_stencil_open(global const uint *stencil, const struct mg_level l, long at)
{
	return stencil[at + l.coarse_shift];
}

ALWAYS_INLINE uint mg_stencil_rest(global const uint *stencil, const struct mg_level l, int total,
				   long at)
{
#if DIM == 2
	(void)total;
	return stencil[at + l.coarse_shift] >> MG_REST_SHIFT;
#else
	return stencil[at + total + 2 * l.coarse_shift];
#endif
}

/* Place of the `open` word of a further part. */
int mg_stencil_extra(const struct mg_level l, int total, int node)
{
	return (DIM == 3 ? 2 : 1) * mg_coarse_total(l, total) + node - total;
}

/* f/4 towards `side`, times 64.  So weights are whole numbers times MG_WEIGHT, which sums are
 * multiplied by in the end: exact, and one multiplication for all. */
ALWAYS_INLINE float mg_quarter_open(uint open, int side)
{
	return (float)(int)(open >> MG_OPEN_BITS * side & 31u);
}
#define MG_WEIGHT (DIM == 3 ? 0x1p-18f : 0x1p-12f)

/* Weight of corner q (bit a: the neighbour along a) given f/4 per axis. */
ALWAYS_INLINE float mg_corner_weight(const float quarter[3], int q)
{
	float w = 1.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++)
		w *= q >> a & 1 ? quarter[a] : 64.0f - quarter[a];
	return w;
}

/* Weight of the own cell for one of its children; what would come from solids returns to it. */
ALWAYS_INLINE float mg_own_weight(const float quarter[3], uint rest, int child)
{
	float weight = mg_corner_weight(quarter, 0);
#pragma unroll
	for (int q = 3; q < 1 << DIM; q++) {
		/* Single steps into solids have f = 0: only diagonals are left. */
		if (q == 4)
			continue;
		float back = mg_corner_weight(quarter, q);
		weight += (float)(int)(rest >> mg_diagonal(q, child) & 1u) * back;
	}
	return weight;
}

/* ---- cells of one part ---------------------------------------------------------------------- */

/* Does child `child` of the coarse cell (di,dj,dk) away lean towards this one? */
ALWAYS_INLINE int mg_leans(int child, int di, int dj, int dk)
{
	return !((di == -1 && !(child & 1)) || (di == 1 && child & 1) ||
		 (dj == -1 && !(child & 2)) || (dj == 1 && child & 2) ||
		 (dk == -1 && !(child & 4)) || (dk == 1 && child & 4));
}

/* Bits of all that do. */
ALWAYS_INLINE uint mg_leaning(int di, int dj, int dk)
{
	const uint x = di < 0 ? 0xaau : di > 0 ? 0x55u : 0xffu;
	const uint y = dj < 0 ? 0xccu : dj > 0 ? 0x33u : 0xffu;
	const uint z = DIM == 2 ? 0x0fu : dk < 0 ? 0xf0u : dk > 0 ? 0x0fu : 0xffu;
	return x & y & z;
}
/* Of those with i + j + k even. */
#define MG_RED_CHILDREN 0x69u

/* Cells with i + j + k odd, which after a black half-sweep have no residual. */
ALWAYS_INLINE int mg_child_is_black(int child)
{
	return (child ^ child >> 1 ^ child >> 2) & 1;
}

/* Place of cells (2m,j,k) and (2m+1,j,k), where j and k may be two beyond the last one, in one
 * colour's arrays. */
ALWAYS_INLINE long mg_place_beyond(const struct mg_level l, long m, int j, int k)
{
	return ((k < l.nz ? k : l.nz) + MG_HALO_Z) * l.plane +
	       ((j < l.ny ? j : l.ny) + 1) * l.pitch + 1 + m;
}

/* Weight at coarse cell `corner` steps away of a child, given the words of its own cell. */
ALWAYS_INLINE float mg_child_weight(uint open, uint rest, int child, int corner)
{
	float quarter[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
	for (int a = 0; a < DIM; a++)
		quarter[a] = mg_quarter_open(open, 2 * a + (child >> a & 1));
	return corner ? mg_corner_weight(quarter, corner) : mg_own_weight(quarter, rest, child);
}

/* Weighted residual of child `child` of coarse cell (i,j,k), for the cell at its `corner`.
 * red_only: residual is the compact array of red ones; else an array of all levels. */
ALWAYS_INLINE float mg_restrict_child(const struct mg_level fine, uint open, uint rest,
				      global const float *residual, int red_only, long i, int j,
				      int k, int child, int corner)
{
	const long at = mg_place_beyond(fine, i, 2 * j + (child >> 1 & 1), 2 * k + (child >> 2)) +
			(red_only ? fine.offset >> 1
				  : fine.offset + mg_child_is_black(child) * fine.colour_stride);
	return mg_child_weight(open, rest, child, corner) * residual[at];
}

/* Of all children of the coarse cell (di,dj,dk) away from (i,j,k) that lean towards it. */
ALWAYS_INLINE float mg_restrict_from(const struct mg_level fine, uint open, uint rest,
				     global const float *residual, int red_only, long i, int j,
				     int k, int di, int dj, int dk)
{
	float sum = 0.0f;
	int corner = (di != 0) | (dj != 0) << 1 | (dk != 0) << 2;
#pragma unroll
	for (int child = 0; child < 1 << DIM; child++)
		if (mg_leans(child, di, dj, dk) && !(red_only && mg_child_is_black(child)))
			sum += mg_restrict_child(fine, open, rest, residual, red_only, i + di,
						 j + dj, k + dk, child, corner);
	return sum;
}

/* Place of the cell (di,dj,dk) away from c. */
ALWAYS_INLINE long mg_near(const struct mg_level l, const struct mg_cell c, int di, int dj, int dk)
{
	return ((di + dj + dk) & 1 ? c.other : c.at) +
	       (di == 0	 ? 0
		: di > 0 ? c.shift
			 : c.shift - 1) +
	       dj * l.pitch + dk * l.plane;
}

/* P^T r at coarse cell (i,j,k), with no parts around. */
ALWAYS_INLINE float mg_restrict_plain(const struct mg_level fine, const struct mg_level coarse,
				      int total, global const uint *stencil,
				      global const float *residual, int red_only, long i, int j,
				      int k)
{
	float sum = 0.0f;
#pragma unroll
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
#pragma unroll
		for (int dj = -1; dj <= 1; dj++)
#pragma unroll
			for (int di = -1; di <= 1; di++) {
				long at = mg_stencil_at(coarse, i + di, j + dj, k + dk);
				uint rest = di == 0 && dj == 0 && dk == 0
						    ? mg_stencil_rest(stencil, coarse, total, at)
						    : 0u;
				sum += mg_restrict_from(fine, mg_stencil_open(stencil, coarse, at),
							rest, residual, red_only, i, j, k, di, dj,
							dk);
			}
	return mg_stencil_open(stencil, coarse, mg_stencil_at(coarse, i, j, k)) & MG_KNOWN
		       ? MG_WEIGHT * sum
		       : 0.0f;
}

/* P x_coarse at a fine cell whose coarse cell has no parts around. */
ALWAYS_INLINE float mg_prolong_plain(const struct mg_level coarse, uint open, uint rest,
				     global const float *x, const struct mg_cell own, int child)
{
	float sum = 0.0f;
#pragma unroll
	for (int q = 0; q < 1 << DIM; q++) {
		long at =
			mg_near(coarse, own, q & 1 ? (child & 1 ? 1 : -1) : 0,
				q & 2 ? (child & 2 ? 1 : -1) : 0, q & 4 ? (child & 4 ? 1 : -1) : 0);
		sum += mg_child_weight(open, rest, child, q) * x[at];
	}
	return MG_WEIGHT * sum;
}

/* The coarse cell that a fine cell belongs to. */
ALWAYS_INLINE struct mg_cell mg_parent(const struct mg_level coarse, const struct mg_cell c)
{
	return mg_cell_ijk(coarse, c.i >> 1, c.j >> 1, DIM == 3 ? c.k >> 1 : 0);
}

/* Which child of it. */
ALWAYS_INLINE int mg_child_of(const struct mg_cell c)
{
	return (c.i & 1) | (c.j & 1) << 1 | (DIM == 3 ? (c.k & 1) << 2 : 0);
}

/* ---- near cells of several parts ------------------------------------------------------------ */

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
		quarter[a] = mg_quarter_open(open, 2 * a + (child >> a & 1));
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
