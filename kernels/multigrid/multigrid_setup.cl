/*
 * The operators of the coarse levels of multigrid.cl, and how they interpolate.
 *
 * Coarse cells cover 2^DIM cells (ceiling) and are unknowns if any child is.  Coarse links and
 * excesses are half the sum of the fine ones they cover: the Galerkin operator of the constant
 * transfer with its over-stiffness undone.  That comes from the mean of two layers of cells
 * standing for both; where a coarse cell holds one layer there is less or nothing to undo
 * (mg_parts.h).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_stencil.h"
#include "mg_transfer_parts.h"

/* Types of level 0 with their halo: beyond open walls is air, beyond closed ones solid; liquid
 * cells without any link or tie are not unknowns and count as solid.  Work-item = padded cell. */
kernel void mg_types(const struct grid g, const struct mg_level l, global const uchar *cell_type,
		     global const ushort *open, global const float *excess, global uchar *type)
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
			struct mg_row r =
				mg_diagonal_row(mg_finest_links(l, c, open), excess[c.at]);
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

/* Type of padded cell (i,j,k) of a coarse level: liquid if any child is, else air if any is, else
 * solid; the halo takes the type of the fine halo. */
uchar mg_coarse_type(const struct mg_level fine, const struct mg_level coarse, int fine_types,
		     global const uchar *type, int i, int j, int k)
{
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
	return liquid ? CELL_LIQUID : air ? CELL_AIR : CELL_SOLID;
}

/* Types of a coarse level.  Work-item = padded coarse cell. */
kernel void mg_coarsen_types(const struct mg_level fine, const struct mg_level coarse,
			     int fine_types, int coarse_types, global uchar *type)
{
	int i = (int)get_global_id(0) - 1, j = (int)get_global_id(1) - 1;
	int k = (int)get_global_id(2) - MG_HALO_Z;
	if (i > coarse.nx || j > coarse.ny || k >= coarse.nz + MG_HALO_Z)
		return;
	type[mg_type_at(coarse, coarse_types, i, j, k)] =
		mg_coarse_type(fine, coarse, fine_types, type, i, j, k);
}

/* Bit q: child q of coarse cell (i,j,k) is an unknown.  Children beyond an odd edge lie in the
 * halo, where none is. */
ALWAYS_INLINE int mg_liquid_children(const struct mg_level fine, int fine_types,
				     global const uchar *type, int i, int j, int k)
{
	int first = mg_type_at(fine, fine_types, 2 * i, 2 * j, 2 * k), seen = 0;
	const int step[3] = {1, fine.nx + 2, (fine.nx + 2) * (fine.ny + 2)};
#pragma unroll
	for (int q = 0; q < 1 << DIM; q++) {
		int at = first;
#pragma unroll
		for (int a = 0; a < DIM; a++)
			at += (q >> a & 1) * step[a];
		seen |= (type[at] == CELL_LIQUID) << q;
	}
	return seen;
}

/* Layers of them (bits 0 and 1) along axis a. */
ALWAYS_INLINE int mg_layers(int children, int a)
{
	const int lower[3] = {0x55, 0x33, 0x0f};
	return ((children & lower[a]) != 0) | ((children & ~lower[a]) != 0) << 1;
}

/* Links and excess of a coarse cell from the fine ones. */
ALWAYS_INLINE void mg_coarsen_cell(const struct mg_level fine, const struct mg_level coarse,
				   int fine_types, const struct mg_cell c, global const uchar *type,
				   int total, global const ushort *restrict open,
				   global float *link, global float *excess)
{
	float ties = 0.0f, links[3] = {0.0f, 0.0f, 0.0f};
	int children = mg_liquid_children(fine, fine_types, type, c.i, c.j, c.k), single = 0;
	const int cells[3] = {fine.nx, fine.ny, fine.nz};
	if (children)
#pragma unroll
		for (int q = 0; q < 1 << DIM; q++) {
			int at = mg_at_cell(fine, 2 * c.i + (q & 1), 2 * c.j + (q >> 1 & 1),
					    2 * c.k + (q >> 2));
			ties += excess[at];
			for (int a = 0; a < DIM; a++)
				if (q >> a & 1)
					links[a] += mg_cell_link(fine, total, open, link, a, at);
		}
	for (int a = 0; a < DIM; a++) {
		int own = mg_layers(children, a), next = 0;
		/* An axis of one cell has no layers to tell apart. */
		single |= own != 3 && cells[a] > 1;
		if (links[a] > 0.0f)
			next = mg_layers(mg_liquid_children(fine, fine_types, type, c.i + (a == 0),
							    c.j + (a == 1), c.k + (a == 2)),
					 a);
		link[a * mg_coarse_total(coarse, total) + c.at + coarse.coarse_shift] =
			mg_coarse_share(own, next) * links[a];
	}
	excess[c.at] = mg_tie_share(single) * ties;
}

/* Of a level.  Work-item = coarse cell, both colours. */
kernel void mg_coarsen(global const int *restrict bricks, const struct brick_run run,
		       const struct mg_level fine, const struct mg_level coarse, int fine_types,
		       global const uchar *restrict type, int total,
		       global const ushort *restrict open, global float *link, global float *excess)
{
	struct mg_cell c = mg_listed_both(coarse, bricks, run);
	if (c.exists)
		mg_coarsen_cell(fine, coarse, fine_types, c, type, total, open, link, excess);
}

/* ---- how coarse cells interpolate ------------------------------------------------------------ */

/* Does this cell or one around have several parts, or children with such? */
uint mg_parts_around(const struct mg_level l, global const uint *parts, const struct mg_cell c)
{
	uint any = 0;
	for (int dk = DIM == 3 ? -1 : 0; dk <= (DIM == 3 ? 1 : 0); dk++)
		for (int dj = -1; dj <= 1; dj++)
			for (int di = -1; di <= 1; di++)
				any |= parts[mg_at_cell(l, c.i + di, c.j + dj, c.k + dk) +
					     l.coarse_shift];
	return any & (MG_PARTS_BELOW | 7u) ? 1u : 0u;
}

ALWAYS_INLINE int mg_is_liquid(uchar type)
{
	return type == CELL_LIQUID || type == MG_TYPE_WEAK;
}

/* The word `open` of part s of a cell; type: at the cell. */
uint mg_openings(const struct mg_graph g, const struct mg_level l, const struct mg_cell c, int s,
		 global const uchar *type)
{
	const int step[3] = {1, l.nx + 2, (l.nx + 2) * (l.ny + 2)};
	uint open = MG_KNOWN;
	for (int side = 0; side < 2 * DIM; side++) {
		uchar there = type[side & 1 ? step[side >> 1] : -step[side >> 1]];
		/* Air counts as open. */
		float f = mg_is_liquid(there) ? mg_open_links(g, l, c, s, side)
			  : there == CELL_AIR ? 1.0f
					      : 0.0f;
		open |= (uint)convert_int_rte(f * 16.0f) << MG_OPEN_BITS * side;
	}
	return open;
}

/* The stencil words of a coarse cell (mg_stencil.h), 0 where it is no unknown. */
ALWAYS_INLINE void mg_find_stencil(const struct mg_level l, int type_offset, const struct mg_cell c,
				   global const uchar *type, const struct mg_graph g,
				   global const float *excess, global uint *stencil)
{
	int at = mg_type_at(l, type_offset, c.i, c.j, c.k);
	if (!mg_is_liquid(type[at])) {
		mg_stencil_store(stencil, l, g.total, mg_stencil_of(l, c), 0, 0);
		return;
	}
	const int step[3] = {1, l.nx + 2, (l.nx + 2) * (l.ny + 2)};
	uint own = mg_parts_of(g, l, c.at), open = mg_openings(g, l, c, 0, type + at), rest = 0;
	for (int s = 1; s <= mg_extra_count(own); s++)
		stencil[mg_stencil_extra(l, g.total, mg_node(l, own, c.at, s))] =
			mg_openings(g, l, c, s, type + at) |
			(mg_is_weak(g, l, c, s, excess) ? MG_PART_WEAK : 0u);
#pragma unroll
	for (int n = 0; n < MG_DIAGONALS; n++) {
		int to = at, bit = 0;
#pragma unroll
		for (int a = 0; a < DIM; a++)
			if (mg_diagonal_axes(n) >> a & 1)
				to += n >> bit++ & 1 ? step[a] : -step[a];
		rest |= (type[to] == CELL_SOLID || type[to] == MG_TYPE_WEAK ? 1u : 0u) << n;
	}
	if (l.extras > 0 && mg_parts_around(l, g.parts, c))
		rest |= MG_SPLIT;
	mg_stencil_store(stencil, l, g.total, mg_stencil_of(l, c), open, rest);
}

/* Of a level.  Work-item = coarse cell, both colours. */
kernel void mg_find_stencils(global const int *restrict bricks, const struct brick_run run,
			     const struct mg_level l, int type_offset,
			     global const uchar *restrict type, int total,
			     global const float *restrict link, global const float *restrict excess,
			     global const uint *restrict parts, global const float *restrict row,
			     global uint *restrict stencil)
{
	struct mg_cell c = mg_listed_both(l, bricks, run);
	if (c.exists)
		mg_find_stencil(l, type_offset, c, type, mg_graph_of(total, 0, link, parts, row),
				excess, stencil);
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
				any |= mg_stencil_rest(
					stencil, l, total,
					mg_stencil_at(l, c.i + di, c.j + dj, c.k + dk));
	if (any & MG_SPLIT)
		parts[c.at + l.coarse_shift] |= MG_PARTS_NEAR;
}

/* ---- small levels in one work-group ---------------------------------------------------------- */

ALWAYS_INLINE int mg_padded_cells(const struct mg_level l)
{
	return (l.nx + 2) * (l.ny + 2) * (l.nz + 2 * MG_HALO_Z);
}

/*
 * Types, operators and stencils of the levels first..count-1, whose cells have one part, given
 * those of the level before; fine_types: where its types are.  One work-group.
 *
 * All work stands in one loop that ends in the only barrier (docs/portability.md).
 */
kernel void mg_setup_small(global const struct mg_level *levels, int first, int count,
			   int fine_types, int total, global const ushort *open,
			   global const uint *parts, global const float *row, global uchar *type,
			   global float *link, global float *excess, global uint *stencil)
{
	const struct mg_graph g = mg_graph_of(total, 0, link, parts, row);
	const int size = (int)get_local_size(0);
	int types = fine_types;
	for (int step = 0; step < 3 * (count - first); step++) {
		const struct mg_level fine = levels[first + step / 3 - 1];
		const struct mg_level l = levels[first + step / 3];
		const int what = modulo(step, 3), own = types + mg_padded_cells(fine);
		const int width = what == 0 ? l.nx + 2 : l.nx, rows = what == 0 ? l.ny + 2 : l.ny;
		const int cells = what == 0 ? mg_padded_cells(l) : l.nx * l.ny * l.nz;
		for (int n = (int)get_local_id(0); n < cells; n += size) {
			const int pad = what == 0 ? 1 : 0;
			const int i = modulo(n, width) - pad, j = modulo(n / width, rows) - pad;
			const int k = n / width / rows - pad * MG_HALO_Z;
			if (what == 0)
				type[mg_type_at(l, own, i, j, k)] =
					mg_coarse_type(fine, l, types, type, i, j, k);
			else if (what == 1)
				mg_coarsen_cell(fine, l, types, mg_cell_ijk(l, i, j, k), type,
						total, open, link, excess);
			else
				mg_find_stencil(l, own, mg_cell_ijk(l, i, j, k), type, g, excess,
						stencil);
		}
		types = what == 2 ? own : types;
		barrier(CLK_GLOBAL_MEM_FENCE);
	}
}
