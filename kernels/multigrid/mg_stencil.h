/* What transfers need of a coarse cell, in one word or two: its stencil. */
#ifndef FRESHET_MG_STENCIL_H
#define FRESHET_MG_STENCIL_H

#include "common.h"
#include "mg.h"

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

/* f towards `side`, in sixteenths. */
ALWAYS_INLINE float mg_stencil_sixteenths(uint open, int side)
{
	return (float)(int)(open >> MG_OPEN_BITS * side & 31u);
}

/* Is the diagonal neighbour at corner `corner` on the sides where child `child` lies in a solid?
 * Single steps into solids have f = 0, so that nothing has to be known of them. */
ALWAYS_INLINE int mg_stencil_is_solid(uint rest, int child, int corner)
{
	const int is_diagonal = corner != 1 && corner != 2 && corner != 4;
	return is_diagonal && (rest >> mg_diagonal(corner, child) & 1u);
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

#endif
