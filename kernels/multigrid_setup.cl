/*
 * The operators of the coarse levels of multigrid.cl, and how they interpolate.
 *
 * Coarse cells cover 2^DIM cells (ceiling) and are unknowns if any child is.  Coarse links and
 * excesses are half the sum of the fine ones they cover: the Galerkin operator of the constant
 * transfer with its over-stiffness undone.  That comes from the mean of two layers of cells
 * standing for both; where a coarse cell holds one layer there is less or nothing to undo
 * (mg_parts.h).
 */
#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_transfer.h"

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
		uchar t = type[mg_type_at(fine, fine_types, fi, fj, fk)];
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

/* ---- how coarse cells interpolate ------------------------------------------------------------ */

/* Open part of the links from a coarse cell towards `side`; air counts as open. */
float mg_open_side(const struct mg_graph g, const struct mg_level l, int type_offset,
		   global const uchar *type, const struct mg_cell c, int side)
{
	int by = side & 1 ? 1 : -1, a = side >> 1;
	uchar t = type[mg_type_at(l, type_offset, c.i + (a == 0 ? by : 0), c.j + (a == 1 ? by : 0),
				  c.k + (a == 2 ? by : 0))];
	if (t == CELL_LIQUID)
		return mg_open_links(g, l, c, 0, side);
	return t == CELL_AIR ? 1.0f : 0.0f;
}

/* Is the cell one step away along each axis, up or down by the bits of `up`, in a solid? */
int mg_diagonal_solid(const struct mg_level l, int type_offset, global const uchar *type,
		      const struct mg_cell c, int axes, int up)
{
	int step[3] = {0, 0, 0}, seen = 0;
	for (int a = 0; a < DIM; a++)
		if (axes >> a & 1)
			step[a] = up >> seen++ & 1 ? 1 : -1;
	return type[mg_type_at(l, type_offset, c.i + step[0], c.j + step[1], c.k + step[2])] ==
	       CELL_SOLID;
}

/* Does this cell or one around have several parts, or children with such? */
uint mg_parts_around(const struct mg_level l, global const uint *parts, const struct mg_cell c)
{
	uint any = 0;
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
		for (int dj = -1; dj <= 1; dj++)
			for (int di = -1; di <= 1; di++)
				any |= parts[mg_at_cell(l, c.i + di, c.j + dj, c.k + dk) +
					     l.parts_shift];
	return any & (MG_PARTS_BELOW | 3u) ? 1u : 0u;
}

/* The stencil words of a coarse level (mg_transfer.h), 0 where there is no unknown.  Work-item =
 * element of one colour's array, second index = colour. */
kernel void mg_find_stencils(const struct mg_level l, int type_offset, global const uchar *type,
			     int total, global const float *link, global const uint *parts,
			     global const float *row, global uint *stencil)
{
	int place = (int)get_global_id(0), colour = (int)get_global_id(1);
	if (place >= l.colour_stride)
		return;
	struct mg_cell c = mg_cell_at(l, colour, place % l.pitch - 1, place % l.plane / l.pitch - 1,
				      place / l.plane - MG_HALO_Z);
	int inside = c.exists && c.i >= 0 && c.j >= 0 && c.k >= 0 && c.m >= 0;
	uint open = 0, rest = 0;
	if (inside && type[mg_type_at(l, type_offset, c.i, c.j, c.k)] == CELL_LIQUID) {
		const struct mg_graph g = mg_graph_of(total, link, parts, row);
		open = MG_KNOWN;
		for (int side = 0; side < 2 * DIM; side++)
			open |= (uint)convert_int_rte(
					mg_open_side(g, l, type_offset, type, c, side) * 16.0f)
				<< MG_OPEN_BITS * side;
		for (int n = 0; n < MG_DIAGONALS; n++)
			rest |= (uint)mg_diagonal_solid(l, type_offset, type, c,
							mg_diagonal_axes(n), n & 7)
				<< n;
		if (l.extras > 0 && mg_parts_around(l, parts, c))
			rest |= MG_SPLIT;
	}
	mg_stencil_store(stencil, l, total, l.offset + colour * l.colour_stride + place, open,
			 rest);
}

/* Marks coarse cells that get residuals by routes: a cell around has MG_SPLIT, or this one.
 * Work-item = coarse cell, both colours. */
kernel void mg_mark_near_parts(const struct mg_level l, int total, global const uint *stencil,
			       global uint *parts)
{
	struct mg_cell c = mg_cell_both_colours(l);
	if (!c.exists)
		return;
	uint any = 0;
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
		for (int dj = -1; dj <= 1; dj++)
			for (int di = -1; di <= 1; di++)
				any |= mg_stencil_rest(stencil, l, total,
						       mg_at_cell(l, c.i + di, c.j + dj, c.k + dk));
	if (any & MG_SPLIT)
		parts[c.at + l.parts_shift] |= MG_PARTS_NEAR;
}
