/*
 * Multigrid for the pressure equation A x = b, A x = (excess + sum of links) x - sum link x_n.
 *
 * Coarse cells cover 2^DIM cells (ceiling) and are unknowns if any child is.  Coarse links and
 * excesses are half the sum of the fine ones they cover: the Galerkin operator of the constant
 * transfer with its over-stiffness undone.  That comes from the mean of two layers of cells
 * standing for both; where a coarse cell holds one layer there is less or nothing to undo
 * (mg_parts.h).  Smoother: red-black Gauss-Seidel, red then black going down, black then red coming
 * up, so that the cycle is symmetric.  After a black half-sweep the residual of black cells is
 * zero: only red ones are restricted, and only red ones need the prolonged correction, since the
 * next black half-sweep overwrites the others.
 *
 * Transfers: (bi/tri)linear with every axis weight scaled by the open part f of the coarse link,
 * own weight 1 - f/4, neighbour f/4; air counts as value 0; corners in solids give their weight
 * back to the own cell.  Restriction is the transpose.
 *
 * Every kernel returns at once when state[MG_DONE] is set, so that iterations enqueued past
 * convergence change nothing.
 */
#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_state.h"

/* ---- set-up -------------------------------------------------------------------------------- */

/* Writes zeros to the halo of a level in the first `arrays` of up to four arrays: nothing else
 * writes there, and the memory was used for other things before.
 * total: also in `link`, which holds DIM arrays of that many elements; 0: not.
 * Work-item = element of one colour's array, second index = colour. */
kernel void mg_clear_halo(const struct mg_level l, global float *a, global float *b,
			  global float *c, global float *d, int arrays, global float *link,
			  int total)
{
	int place = (int)get_global_id(0), colour = (int)get_global_id(1);
	if (place >= l.colour_stride)
		return;
	int k = place / l.plane - MG_HALO_Z;
	int j = place % l.plane / l.pitch - 1;
	int m = place % l.pitch - 1;
	int i = 2 * m + ((j + k + colour) & 1);
	if (m >= 0 && j >= 0 && k >= 0 && i < l.nx && j < l.ny && k < l.nz)
		return;
	int at = l.offset + colour * l.colour_stride + place;
	a[at] = 0.0f;
	if (arrays > 1)
		b[at] = 0.0f;
	if (arrays > 2)
		c[at] = 0.0f;
	if (arrays > 3)
		d[at] = 0.0f;
	for (int axis = 0; total && axis < DIM; axis++)
		link[axis * total + at] = 0.0f;
}

/* The same for the compact array of red residuals. */
kernel void mg_clear_red_halo(const struct mg_level l, global float *residual)
{
	int place = (int)get_global_id(0);
	if (place >= l.colour_stride)
		return;
	int k = place / l.plane - MG_HALO_Z;
	int j = place % l.plane / l.pitch - 1;
	int m = place % l.pitch - 1;
	int i = 2 * m + ((j + k) & 1);
	if (!(m >= 0 && j >= 0 && k >= 0 && i < l.nx && j < l.ny && k < l.nz))
		residual[(l.offset >> 1) + place] = 0.0f;
}

/* Types of level 0 with their halo: beyond open walls is air, beyond closed ones solid; liquid
 * cells without any link or tie are not unknowns and count as solid.  Work-item = padded cell. */
kernel void mg_types(const struct grid g, const struct mg_level l, int total,
		     global const uchar *cell_type, global const float *link,
		     global const float *excess, global uchar *type)
{
	int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1) - 1;
	int k = (int)get_global_id(2) - MG_HALO_Z;
	if (i > l.nx || j > l.ny || k >= l.nz + MG_HALO_Z)
		return;
	uchar t = CELL_SOLID;
	if (cell_exists(g, i, j, k)) {
		t = cell_type[lattice_index(g, i, j, k)];
		if (t == CELL_LIQUID) {
			struct mg_cell c = mg_cell_at(l, (i + j + k) & 1, i >> 1, j, k);
			struct mg_row r = mg_apply(l, c, total, link, excess, excess);
			if (!(r.diagonal > 0.0f))
				t = CELL_SOLID;
		}
	} else {
		int side = i < 0       ? WALL_X_LOW
			   : i >= l.nx ? WALL_X_HIGH
			   : j < 0     ? WALL_Y_LOW
			   : j >= l.ny ? WALL_Y_HIGH
			   : k < 0     ? WALL_Z_LOW
				       : WALL_Z_HIGH;
		if (g.open_walls >> side & 1)
			t = CELL_AIR;
	}
	type[mg_type_at(l, 0, i, j, k)] = t;
}

/* Types of a coarse level: liquid if any child is, else air if any is, else solid; the halo takes
 * the type of the fine halo.  Work-item = padded coarse cell. */
kernel void mg_coarsen_types(const struct mg_level fine, const struct mg_level coarse,
			     int fine_types, int coarse_types, global uchar *type)
{
	int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1) - 1;
	int k = (int)get_global_id(2) - MG_HALO_Z;
	if (i > coarse.nx || j > coarse.ny || k >= coarse.nz + MG_HALO_Z)
		return;
	int liquid = 0, air = 0;
	for (int q = 0; q < 1 << DIM; q++) {
		/* A halo cell looks at the nearest fine halo layer only. */
		int fi = i < 0 ? -1 : i >= coarse.nx ? fine.nx : 2 * i + (q & 1);
		int fj = j < 0 ? -1 : j >= coarse.ny ? fine.ny : 2 * j + (q >> 1 & 1);
		int fk = k < 0 ? -1 : k >= coarse.nz ? fine.nz : 2 * k + (q >> 2);
		if (DIM == 2)
			fk = 0;
		int inside = i >= 0 && i < coarse.nx && j >= 0 && j < coarse.ny && k >= 0 &&
			     k < coarse.nz;
		if (inside && (fi >= fine.nx || fj >= fine.ny || fk >= fine.nz))
			continue;
		fi = fi > fine.nx ? fine.nx : fi;
		fj = fj > fine.ny ? fine.ny : fj;
		fk = fk > fine.nz ? fine.nz : fk;
		uchar t = type[mg_type_at(fine, fine_types, fi, fj, fk)] & MG_TYPE;
		liquid |= t == CELL_LIQUID && inside;
		air |= t == CELL_AIR;
	}
	type[mg_type_at(coarse, coarse_types, i, j, k)] = liquid ? CELL_LIQUID
							  : air	 ? CELL_AIR
								 : CELL_SOLID;
}

/* Layers of unknowns (bits 0 and 1) along axis a among the children of a coarse cell. */
int mg_layers(const struct mg_level fine, int fine_types, global const uchar *type, int i, int j,
	      int k, int a)
{
	int seen = 0;
	for (int q = 0; q < 1 << DIM; q++) {
		int fi = 2 * i + (q & 1), fj = 2 * j + (q >> 1 & 1), fk = 2 * k + (q >> 2);
		if (fi < fine.nx && fj < fine.ny && fk < fine.nz &&
		    type[mg_type_at(fine, fine_types, fi, fj, fk)] == CELL_LIQUID)
			seen |= 1 << (q >> a & 1);
	}
	return seen;
}

/* Coarse links and excesses from the fine ones.  Work-item = coarse cell, both colours. */
kernel void mg_coarsen(const struct mg_level fine, const struct mg_level coarse, int fine_types,
		       global const uchar *type, int total, global float *link,
		       global float *excess)
{
	struct mg_cell c = mg_cell_both_colours(coarse);
	if (!c.exists)
		return;
	float ties = 0.0f, links[3] = {0.0f, 0.0f, 0.0f};
	for (int q = 0; q < 1 << DIM; q++) {
		int i = 2 * c.i + (q & 1), j = 2 * c.j + (q >> 1 & 1), k = 2 * c.k + (q >> 2);
		if (i >= fine.nx || j >= fine.ny || k >= fine.nz)
			continue;
		int at = mg_at_cell(fine, i, j, k);
		ties += excess[at];
		for (int a = 0; a < DIM; a++)
			if (q >> a & 1)
				links[a] += link[a * total + at];
	}
	int single = 0;
	for (int a = 0; a < DIM; a++) {
		int own = mg_layers(fine, fine_types, type, c.i, c.j, c.k, a);
		int next = mg_layers(fine, fine_types, type, c.i + (a == 0), c.j + (a == 1),
				     c.k + (a == 2), a);
		/* An axis of one cell has no layers to tell apart. */
		single |= own != 3 && (a == 0 ? fine.nx : a == 1 ? fine.ny : fine.nz) > 1;
		link[a * total + c.at] = mg_coarse_share(own, next) * links[a];
	}
	excess[c.at] = mg_tie_share(single) * ties;
}

/* Marks the regular cells of a coarse level.  Work-item = coarse cell, both colours.  Reads only
 * the type bits, which stay. */
kernel void mg_mark_regular(const struct mg_level fine, const struct mg_level l, int type_offset,
			    int total, global const float *link, global uchar *type,
			    global uchar *type_out)
{
	struct mg_cell c = mg_cell_both_colours(l);
	if (!c.exists)
		return;
	int regular = 1;
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
		for (int dj = -1; dj <= 1; dj++)
			for (int di = -1; di <= 1; di++) {
				int i = c.i + di, j = c.j + dj, k = c.k + dk;
				if (type[mg_type_at(l, type_offset, i, j, k)] != CELL_LIQUID) {
					regular = 0;
					continue;
				}
				/* Links from this cell to its upper neighbours within the block; a
				 * liquid cell is inside the level. */
				int at = mg_at_cell(l, i, j, k);
				regular &= !(di < 1 && link[at] < l.full_link[0]);
				regular &= !(dj < 1 && link[total + at] < l.full_link[1]);
#if DIM == 3
				regular &= !(dk < 1 && link[2 * total + at] < l.full_link[2]);
#endif
				regular &= 2 * i + 1 < fine.nx && 2 * j + 1 < fine.ny;
#if DIM == 3
				regular &= 2 * k + 1 < fine.nz;
#endif
			}
	int at = mg_type_at(l, type_offset, c.i, c.j, c.k);
	type_out[at] = (uchar)(type[at] | (regular ? MG_REGULAR : 0));
}

/* ---- smoothing ----------------------------------------------------------------------------- */

/* One part of a cell in a Gauss-Seidel half-sweep, over-relaxed by omega, given its row. */
void mg_relax(const struct mg_row r, int node, global const float *b, global float *x, float omega,
	      int from_zero)
{
	float value = 0.0f;
	if (r.diagonal > 0.0f) {
		value = (b[node] + (from_zero ? 0.0f : r.off)) / r.diagonal;
		if (omega != 1.0f)
			value = x[node] + omega * (value - x[node]);
	}
	x[node] = value;
}

/* All parts of a cell; parts of one cell have no links between them.  from_zero: x is taken as 0.
 */
void mg_smooth_cell(const struct mg_graph g, const struct mg_level l, const struct mg_cell c,
		    int type_offset, global const uchar *type, global const float *excess,
		    global const float *b, global float *x, float omega, int from_zero)
{
	if (!mg_is_split(l, type_offset, type, c)) {
		mg_relax(mg_apply(l, c, g.total, g.link, excess, x), c.at, b, x, omega, from_zero);
		return;
	}
	uint parts = mg_parts_of(g, l, c.at);
	for (int s = 0; s <= mg_extra_count(parts); s++)
		mg_relax(mg_apply_part(g, l, c, s, excess, x), mg_node(l, parts, c.at, s), b, x,
			 omega, from_zero);
}

kernel void mg_smooth(const struct mg_level l, int type_offset, global const uchar *type,
		      int colour, int total, global const float *link, global const uint *parts,
		      global const float *row, global const float *excess, global const float *b,
		      global float *x, float omega, int from_zero, global const uint *state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_cell_of_colour(l, colour);
	if (c.exists)
		mg_smooth_cell(mg_graph_of(total, link, parts, row), l, c, type_offset, type,
			       excess, b, x, omega, from_zero);
}

/* r = b - A x at a red cell, which after a black half-sweep is all of the residual.  Of extras in
 * residual_extra. */
void mg_residual_cell(const struct mg_graph g, const struct mg_level l, const struct mg_cell c,
		      int type_offset, global const uchar *type, global const float *excess,
		      global const float *b, global const float *x, global float *residual,
		      global float *residual_extra)
{
	int red = c.at - (l.offset >> 1);
	if (!mg_is_split(l, type_offset, type, c)) {
		struct mg_row r = mg_apply(l, c, g.total, g.link, excess, x);
		residual[red] = r.diagonal > 0.0f ? b[c.at] + r.off - r.diagonal * x[c.at] : 0.0f;
		return;
	}
	uint parts = mg_parts_of(g, l, c.at);
	for (int s = 0; s <= mg_extra_count(parts); s++) {
		struct mg_row r = mg_apply_part(g, l, c, s, excess, x);
		int node = mg_node(l, parts, c.at, s);
		float value = r.diagonal > 0.0f ? b[node] + r.off - r.diagonal * x[node] : 0.0f;
		if (s == 0)
			residual[red] = value;
		else
			residual_extra[l.row_offset + node - l.extra_offset] = value;
	}
}

kernel void mg_residual_red(const struct mg_level l, int type_offset, global const uchar *type,
			    int total, global const float *link, global const uint *parts,
			    global const float *row, global const float *excess,
			    global const float *b, global const float *x, global float *residual,
			    global float *residual_extra, global const uint *state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_cell_of_colour(l, 0);
	if (c.exists)
		mg_residual_cell(mg_graph_of(total, link, parts, row), l, c, type_offset, type,
				 excess, b, x, residual, residual_extra);
}

/* ---- transfers ----------------------------------------------------------------------------- */

/* Open part of the links from part s of coarse cell c towards `side` of axis a; air counts as
 * open. */
float mg_open_link(const struct mg_graph g, const struct mg_level l, int type_offset,
		   global const uchar *type, int i, int j, int k, int s, int a, int side)
{
	int d = side ? 1 : -1;
	int ni = i + (a == 0 ? d : 0), nj = j + (a == 1 ? d : 0), nk = k + (a == 2 ? d : 0);
	uchar t = type[mg_type_at(l, type_offset, ni, nj, nk)] & MG_TYPE;
	if (t == CELL_AIR)
		return 1.0f;
	if (t == CELL_SOLID)
		return 0.0f;
	float f = mg_node_links(g, l, mg_cell_ijk(l, i, j, k), s, 2 * a + side) / l.full_link[a];
	return f < 1.0f ? f : 1.0f;
}

/* Weight of corner q (bit a: the neighbour along a) given the link openings. */
float mg_corner_weight(const float f[3], int q)
{
	float w = 1.0f;
	for (int a = 0; a < DIM; a++)
		w *= q >> a & 1 ? 0.25f * f[a] : 1.0f - 0.25f * f[a];
	return w;
}

/* Weight of the corners in solids, which the own cell of a child gets back. */
float mg_weight_back(const struct mg_level l, int type_offset, global const uchar *type,
		     const float f[3], int i, int j, int k, int child)
{
	float back = 0.0f;
	for (int q = 3; q < 1 << DIM; q++) {
		/* Single steps into solids already have f = 0; only diagonals are left. */
		if (q == 4)
			continue;
		int ni = i + (q & 1 ? (child & 1 ? 1 : -1) : 0);
		int nj = j + (q & 2 ? (child & 2 ? 1 : -1) : 0);
		int nk = k + (q & 4 ? (child & 4 ? 1 : -1) : 0);
		if ((type[mg_type_at(l, type_offset, ni, nj, nk)] & MG_TYPE) == CELL_SOLID)
			back += mg_corner_weight(f, q);
	}
	return back;
}

/* P^T r at a regular cell from red residuals: weights 1/4, 3/4, 3/4, 1/4 per axis over the children
 * from 2i-1 to 2i+2, of which those with i+j+k even are red. */
float mg_restrict_regular(const struct mg_level fine, global const float *residual,
			  const struct mg_cell c)
{
	const float weight[4] = {0.25f, 0.75f, 0.75f, 0.25f};
	float sum = 0.0f;
	int base = (fine.offset >> 1) + c.i + 1;
#if DIM == 3
	for (int dk = 0; dk < 4; dk++) {
		int k = 2 * c.k - 1 + dk;
		float plane = 0.0f;
#else
	{
		int dk = 0, k = 0;
		float plane = 0.0f;
#endif
		for (int dj = 0; dj < 4; dj++) {
			int j = 2 * c.j - 1 + dj;
			int at = base + (k + MG_HALO_Z) * fine.plane + (j + 1) * fine.pitch;
			/* Even rows hold 2i and 2i+2 at m = i and i+1, odd ones 2i-1 and 2i+1 at
			 * i-1 and i. */
			float row = (j + k) & 1 ? 0.25f * residual[at - 1] + 0.75f * residual[at]
						: 0.75f * residual[at] + 0.25f * residual[at + 1];
			plane += weight[dj] * row;
		}
		sum += DIM == 3 ? weight[dk] * plane : plane;
	}
	return sum;
}

/* What the levels' transfers read. */
struct mg_transfer {
	struct mg_graph g;
	struct mg_level fine, coarse;
	int type_offset; /* of the coarse level */
	global const uchar *type;
	global const uint *route; /* of fine nodes, mg_parts.h */
};

/* Adds to sum[] what the children of coarse cell (i,j,k) that lean towards cell c, `corner` of
 * their interpolation, give to c's parts, by their routes. */
void mg_restrict_routes(const struct mg_transfer t, global const float *residual,
			global const float *residual_extra, int red_only, int i, int j, int k,
			int child, int corner, float sum[MG_PARTS])
{
	struct mg_cell c = mg_cell_ijk(t.fine, 2 * i + (child & 1), 2 * j + (child >> 1 & 1),
				       2 * k + (child >> 2));
	uint parts = mg_parts_of(t.g, t.fine, c.at);
	for (int s = 0; s <= mg_extra_count(parts); s++) {
		int node = mg_node(t.fine, parts, c.at, s);
		float r = !red_only ? residual[node]
			  : s == 0  ? residual[node - (t.fine.offset >> 1)]
				   : residual_extra[t.fine.row_offset + node - t.fine.extra_offset];
		uint route = t.route[node];
		if (route == MG_ROUTE_NONE)
			continue;
		int own = (int)(route & 3u);
		float f[3] = {0.0f, 0.0f, 0.0f};
		for (int a = 0; a < DIM; a++)
			f[a] = mg_open_link(t.g, t.coarse, t.type_offset, t.type, i, j, k, own, a,
					    child >> a & 1);
		if (corner) {
			uint to = route >> MG_ROUTE_SHIFT(corner) & 7u;
			if (to < MG_PARTS)
				sum[to] += mg_corner_weight(f, corner) * r;
			continue;
		}
		float weight = mg_corner_weight(f, 0);
		for (int q = 1; q < 1 << DIM; q++)
			if ((route >> MG_ROUTE_SHIFT(q) & 7u) == MG_ROUTE_OWN)
				weight += mg_corner_weight(f, q);
		sum[own] += weight * r;
	}
}

/* b_coarse = P^T r for the parts of one coarse cell: gathers the children of all cells around.
 * red_only: r is the compact array of red residuals, of extras in residual_extra; else an array of
 * all levels. */
void mg_restrict_cell(const struct mg_transfer t, global const float *residual,
		      global const float *residual_extra, int red_only, const struct mg_cell c,
		      global float *b)
{
	float sum[MG_PARTS] = {0.0f, 0.0f, 0.0f, 0.0f};
	const struct mg_level fine = t.fine, coarse = t.coarse;
	uchar own = t.type[mg_type_at(coarse, t.type_offset, c.i, c.j, c.k)];
	if ((own & MG_TYPE) != CELL_LIQUID) {
		b[c.at] = 0.0f;
		return;
	}
	if (own & MG_REGULAR && red_only) {
		b[c.at] = mg_restrict_regular(fine, residual, c);
		return;
	}
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
		for (int dj = -1; dj <= 1; dj++)
			for (int di = -1; di <= 1; di++) {
				int i = c.i + di, j = c.j + dj, k = c.k + dk;
				uchar there = t.type[mg_type_at(coarse, t.type_offset, i, j, k)];
				if ((there & MG_TYPE) != CELL_LIQUID)
					continue;
				int corner = (di != 0) | (dj != 0) << 1 | (dk != 0) << 2;
				/* Openings on the sides of (i,j,k) where children lean towards c.
				 */
				float open[3][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}};
				const int lean[3] = {di, dj, dk};
				for (int a = 0; a < DIM && !(there & MG_SPLIT); a++)
					for (int side = 0; side < 2; side++)
						if (lean[a] != (side ? 1 : -1))
							open[a][side] = mg_open_link(
								t.g, coarse, t.type_offset, t.type,
								i, j, k, 0, a, side);
				for (int child = 0; child < 1 << DIM; child++) {
					if ((di == -1 && !(child & 1)) || (di == 1 && child & 1) ||
					    (dj == -1 && !(child & 2)) || (dj == 1 && child & 2) ||
					    (dk == -1 && !(child & 4)) || (dk == 1 && child & 4))
						continue;
					int parity = (child ^ child >> 1 ^ child >> 2) & 1;
					int fi = 2 * i + (child & 1), fj = 2 * j + (child >> 1 & 1);
					int fk = 2 * k + (child >> 2);
					if ((parity && red_only) || fi >= fine.nx ||
					    fj >= fine.ny || fk >= fine.nz)
						continue;
					if (there & MG_SPLIT) {
						mg_restrict_routes(t, residual, residual_extra,
								   red_only, i, j, k, child, corner,
								   sum);
						continue;
					}
					float r = residual[mg_at_cell(fine, fi, fj, fk) -
							   (red_only ? fine.offset >> 1 : 0)];
					float f[3];
					for (int a = 0; a < DIM; a++)
						f[a] = open[a][child >> a & 1];
					float weight = mg_corner_weight(f, corner);
					if (corner == 0)
						weight += mg_weight_back(coarse, t.type_offset,
									 t.type, f, i, j, k, child);
					sum[0] += weight * r;
				}
			}
	uint parts = mg_parts_of(t.g, coarse, c.at);
	for (int s = 0; s <= mg_extra_count(parts); s++)
		b[mg_node(coarse, parts, c.at, s)] = sum[s];
}

struct mg_transfer mg_transfer_of(const struct mg_graph g, const struct mg_level fine,
				  const struct mg_level coarse, int type_offset,
				  global const uchar *type, global const uint *route)
{
	struct mg_transfer t;
	t.g = g;
	t.fine = fine;
	t.coarse = coarse;
	t.type_offset = type_offset;
	t.type = type;
	t.route = route;
	return t;
}

kernel void mg_restrict(const struct mg_level fine, const struct mg_level coarse, int type_offset,
			global const uchar *type, int total, global const float *link,
			global const uint *parts, global const float *row, global const uint *route,
			global const float *residual, global const float *residual_extra,
			int red_only, global float *b, global const uint *state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = mg_cell_both_colours(coarse);
	if (c.exists)
		mg_restrict_cell(mg_transfer_of(mg_graph_of(total, link, parts, row), fine, coarse,
						type_offset, type, route),
				 residual, residual_extra, red_only, c, b);
}

/* P x_coarse at a child of a regular cell. */
float mg_prolong_regular(const struct mg_level coarse, global const float *x_coarse, int i, int j,
			 int k, int child)
{
	int own = i + j + k;
	int place = (k + MG_HALO_Z) * coarse.plane + (j + 1) * coarse.pitch + 1;
	int dj = child & 2 ? coarse.pitch : -coarse.pitch;
	int dk = child & 4 ? coarse.plane : -coarse.plane;
	int ni = i + (child & 1 ? 1 : -1);
	/* Same colour as the own cell after an even number of steps. */
	global const float *even =
		x_coarse + coarse.offset + (own & 1) * coarse.colour_stride + place;
	global const float *odd =
		x_coarse + coarse.offset + (1 - (own & 1)) * coarse.colour_stride + place;
	int m = i >> 1, n = ni >> 1;
	float low = 0.75f * (0.75f * even[m] + 0.25f * odd[n]) +
		    0.25f * (0.75f * odd[m + dj] + 0.25f * even[n + dj]);
#if DIM == 3
	float high = 0.75f * (0.75f * odd[m + dk] + 0.25f * even[n + dk]) +
		     0.25f * (0.75f * even[m + dj + dk] + 0.25f * odd[n + dj + dk]);
	return 0.75f * low + 0.25f * high;
#else
	(void)dk;
	return low;
#endif
}

/* P x_coarse at one fine cell of one part, child of a coarse cell without extras around. */
float mg_prolong_cell(const struct mg_transfer t, global const float *x_coarse,
		      const struct mg_cell c)
{
	const struct mg_level coarse = t.coarse;
	int i = c.i >> 1, j = c.j >> 1, k = c.k >> 1;
	int child = (c.i & 1) | (c.j & 1) << 1 | (DIM == 3 ? (c.k & 1) << 2 : 0);
	uchar own = t.type[mg_type_at(coarse, t.type_offset, i, j, k)];
	if ((own & MG_TYPE) != CELL_LIQUID)
		return 0.0f;
	if (own & MG_REGULAR)
		return mg_prolong_regular(coarse, x_coarse, i, j, k, child);
	float f[3];
	for (int a = 0; a < DIM; a++)
		f[a] = mg_open_link(t.g, coarse, t.type_offset, t.type, i, j, k, 0, a,
				    child >> a & 1);
	float sum = 0.0f;
	for (int q = 0; q < 1 << DIM; q++) {
		int ni = i + (q & 1 ? (child & 1 ? 1 : -1) : 0);
		int nj = j + (q & 2 ? (child & 2 ? 1 : -1) : 0);
		int nk = k + (q & 4 ? (child & 4 ? 1 : -1) : 0);
		if ((t.type[mg_type_at(coarse, t.type_offset, ni, nj, nk)] & MG_TYPE) !=
		    CELL_LIQUID)
			continue;
		float weight = mg_corner_weight(f, q);
		if (q == 0)
			weight += mg_weight_back(coarse, t.type_offset, t.type, f, i, j, k, child);
		sum += weight * x_coarse[mg_at_cell(coarse, ni, nj, nk)];
	}
	return sum;
}

/* P x_coarse at a fine node, by its route. */
float mg_prolong_route(const struct mg_transfer t, global const float *x_coarse,
		       const struct mg_cell c, uint route)
{
	const struct mg_level coarse = t.coarse;
	int i = c.i >> 1, j = c.j >> 1, k = DIM == 3 ? c.k >> 1 : 0;
	int own = (int)(route & 3u), here = mg_at_cell(coarse, i, j, k);
	float f[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++)
		f[a] = mg_open_link(t.g, coarse, t.type_offset, t.type, i, j, k, own, a,
				    (a == 0   ? c.i
				     : a == 1 ? c.j
					      : c.k) &
					    1);
	float back = mg_corner_weight(f, 0), sum = 0.0f;
	for (int q = 1; q < 1 << DIM; q++) {
		uint to = route >> MG_ROUTE_SHIFT(q) & 7u;
		float weight = mg_corner_weight(f, q);
		if (to == MG_ROUTE_OWN)
			back += weight;
		if (to >= MG_PARTS)
			continue;
		int at = mg_at_cell(coarse, i + (q & 1 ? (c.i & 1 ? 1 : -1) : 0),
				    j + (q & 2 ? (c.j & 1 ? 1 : -1) : 0),
				    k + (q & 4 ? (c.k & 1 ? 1 : -1) : 0));
		sum += weight *
		       x_coarse[mg_node(coarse, mg_parts_of(t.g, coarse, at), at, (int)to)];
	}
	return sum + back * x_coarse[mg_node(coarse, mg_parts_of(t.g, coarse, here), here, own)];
}

/* x += P x_coarse at the parts of a fine cell that are unknowns. */
void mg_correct_cell(const struct mg_transfer t, int fine_types, global const float *excess,
		     global float *x, const struct mg_cell c)
{
	const struct mg_level fine = t.fine, coarse = t.coarse;
	int i = c.i >> 1, j = c.j >> 1, k = DIM == 3 ? c.k >> 1 : 0;
	int by_route =
		coarse.extras > 0 && t.type[mg_type_at(coarse, t.type_offset, i, j, k)] & MG_SPLIT;
	if (!by_route && !mg_is_split(fine, fine_types, t.type, c)) {
		struct mg_row r = mg_apply(fine, c, t.g.total, t.g.link, excess, excess);
		if (r.diagonal > 0.0f)
			x[c.at] += mg_prolong_cell(t, x, c);
		return;
	}
	uint parts = mg_parts_of(t.g, fine, c.at);
	for (int s = 0; s <= mg_extra_count(parts); s++) {
		int node = mg_node(fine, parts, c.at, s);
		struct mg_row r = mg_apply_part(t.g, fine, c, s, excess, excess);
		if (r.diagonal > 0.0f)
			x[node] += by_route ? mg_prolong_route(t, x, c, t.route[node])
					    : mg_prolong_cell(t, x, c);
	}
}

/* x += P x_coarse at red cells, or at all of them.  Work-item = red cell, or both colours. */
kernel void mg_prolong(const struct mg_level fine, const struct mg_level coarse, int fine_types,
		       int type_offset, global const uchar *type, int total,
		       global const float *link, global const uint *parts, global const float *row,
		       global const uint *route, global const float *excess, global float *x,
		       int both_colours, global const uint *state)
{
	if (state[MG_DONE])
		return;
	struct mg_cell c = both_colours ? mg_cell_both_colours(fine) : mg_cell_of_colour(fine, 0);
	if (c.exists)
		mg_correct_cell(mg_transfer_of(mg_graph_of(total, link, parts, row), fine, coarse,
					       type_offset, type, route),
				fine_types, excess, x, c);
}

/* ---- small levels in one work-group -------------------------------------------------------- */

/* Runs over the cells of one colour (or both) of a level, shared out among the group; over none
 * unless `active`. */
#define MG_FOR_CELLS(level, first, colours)                                                      \
	for (int mg_n = (int)get_local_id(0),                                                    \
		 mg_count = active * (level).row * (level).ny * (level).nz * (colours);          \
	     mg_n < mg_count; mg_n += (int)get_local_size(0))                                    \
		for (struct mg_cell c = mg_cell_at(level, (colours) == 2 ? mg_n & 1 : (first),   \
						   mg_n / (colours) % (level).row,               \
						   mg_n / (colours) / (level).row % (level).ny,  \
						   mg_n / (colours) / (level).row / (level).ny); \
		     c.exists; c.exists = 0)

/* A V-cycle over levels first..last with b of `first` given and x of it computed; the coarsest is
 * smoothed `coarsest_sweeps` times.  One work-group. */
kernel void mg_small_levels(global const struct mg_level *levels, global const int *type_offsets,
			    int first, int last, int sweeps, int coarsest_sweeps, int total,
			    global const uchar *type, global const float *link,
			    global const uint *parts, global const float *row,
			    global const uint *route, global const float *excess, global float *b,
			    global float *x, global float *residual, global float *residual_extra,
			    global const uint *state)
{
	const struct mg_graph g = mg_graph_of(total, link, parts, row);
	/* Barriers must be met by all in any case, so an idle group runs over no cells. */
	int active = !state[MG_DONE];
	for (int n = first; n <= last; n++) {
		struct mg_level l = levels[n];
		int rounds = n == last ? coarsest_sweeps : sweeps;
		for (int s = 0; s < rounds; s++)
			for (int colour = 0; colour < 2; colour++) {
				MG_FOR_CELLS(l, colour, 1)
				mg_smooth_cell(g, l, c, type_offsets[n], type, excess, b, x, 1.0f,
					       s == 0 && colour == 0);
				barrier(CLK_GLOBAL_MEM_FENCE);
			}
		if (n < last) {
			struct mg_level coarse = levels[n + 1];
			MG_FOR_CELLS(l, 0, 1)
			mg_residual_cell(g, l, c, type_offsets[n], type, excess, b, x, residual,
					 residual_extra);
			barrier(CLK_GLOBAL_MEM_FENCE);
			MG_FOR_CELLS(coarse, 0, 2)
			mg_restrict_cell(
				mg_transfer_of(g, l, coarse, type_offsets[n + 1], type, route),
				residual, residual_extra, 1, c, b);
			barrier(CLK_GLOBAL_MEM_FENCE);
		}
	}
	for (int n = last; n >= first; n--) {
		struct mg_level l = levels[n];
		if (n < last) {
			struct mg_level coarse = levels[n + 1];
			MG_FOR_CELLS(l, 0, 1)
			mg_correct_cell(
				mg_transfer_of(g, l, coarse, type_offsets[n + 1], type, route),
				type_offsets[n], excess, x, c);
			barrier(CLK_GLOBAL_MEM_FENCE);
		}
		int rounds = n == last ? coarsest_sweeps : sweeps;
		for (int s = 0; s < rounds; s++)
			for (int colour = 1; colour >= 0; colour--) {
				MG_FOR_CELLS(l, colour, 1)
				mg_smooth_cell(g, l, c, type_offsets[n], type, excess, b, x, 1.0f,
					       0);
				barrier(CLK_GLOBAL_MEM_FENCE);
			}
	}
}
