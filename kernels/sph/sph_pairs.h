/*
 * The neighbours of a particle, those nearer than R, in a canonical order: cell by cell of a
 * stencil (z, y, x ascending), by id within a cell.  Cells beyond a closed wall are images of those
 * before it, mirrored, their particles in the same order; so a particle may be its own neighbour,
 * as an image.  Lists hold what the search finds: same order, same bits.
 */
#ifndef FRESHET_SPH_PAIRS_H
#define FRESHET_SPH_PAIRS_H

#include "common.h"
#include "sph_kernel.h"

/* Of a cell: more than places are off their cells by rounding. */
#define SPH_ROUNDING 1e-3f

/* Of the sort. */
struct sph_view {
	global const float *position;
	global const uint *start; /* of cells */
	global const uint *count; /* [n] of neighbours */
	global const uint *list;
	global const float *gradient; /* beside the list, if p.keeps */
};

/* Where a search is: cells from `from` on, in the row (dj, dk) of the stencil. */
struct sph_search {
	int cell[3];
	int di, dj, dk;
	int at, end, code;
};

/* Where going through neighbours is. */
struct sph_cursor {
	int particle;
	int place, count; /* in the list; count < 0: by search */
	float point[3];
	struct sph_search search;
};

struct sph_pair {
	int other, code;
	float apart[3]; /* x_i - x_j, m */
	float square;	/* its square */
};

ALWAYS_INLINE struct sph_pair sph_no_pair(void)
{
	struct sph_pair pair;
	pair.other = pair.code = 0;
	pair.apart[0] = pair.apart[1] = pair.apart[2] = 0.0f;
	pair.square = 0.0f;
	return pair;
}

/* The cell that a place of the stencil shows; -1: there is none.  side: 0 inside, 1, 2 images. */
ALWAYS_INLINE int sph_image(int cell, int cells, int open, int *side)
{
	*side = cell < 0 ? 1 : cell >= cells ? 2 : 0;
	if (*side == 0)
		return cell;
	const int image = *side == 1 ? -1 - cell : 2 * cells - 1 - cell;
	return (open >> (*side - 1) & 1) || image < 0 || image >= cells ? -1 : image;
}

ALWAYS_INLINE int sph_side(int code, int axis)
{
	return axis == 0 ? modulo(code, 3) : axis == 1 ? modulo(code / 3, 3) : code / 9;
}

/* How far, m, a row of cells is from a particle along an axis, less what rounding may bring. */
ALWAYS_INLINE float sph_gap(const struct grid g, float x, int cell, int step)
{
	const float gap = step > 0   ? (float)(cell + step) * g.h - x
			  : step < 0 ? x - (float)(cell + step + 1) * g.h
				     : 0.0f;
	return max_float(gap - SPH_ROUNDING * g.h, 0.0f);
}

/* The next cells of the search that hold particles; 0: there are none.  Cells of a row within a
 * block of the sort hold particles in a row. */
int sph_next_cells(const struct grid g, const struct sph_params p, global const uint *start,
		   const float point[3], struct sph_search *s)
{
	for (;;) {
		if (s->di > p.reach) {
			s->di = -p.reach;
			if (++s->dj > p.reach) {
				s->dj = -p.reach;
				if (DIM == 2 || ++s->dk > p.reach)
					return 0;
			}
		}
		int side[3] = {0, 0, 0}, k = 0;
		const float gap_y = sph_gap(g, point[1], s->cell[1], s->dj);
		const float gap_z = DIM == 3 ? sph_gap(g, point[2], s->cell[2], s->dk) : 0.0f;
		const int j = sph_image(s->cell[1] + s->dj, g.ny, g.open_walls >> 2, &side[1]);
#if DIM == 3
		k = sph_image(s->cell[2] + s->dk, g.nz, g.open_walls >> 4, &side[2]);
#endif
		/* Rows that are too far hold no neighbour, images no more than themselves. */
		if (j < 0 || k < 0 || gap_y * gap_y + gap_z * gap_z >= p.square) {
			s->di = p.reach + 1;
			continue;
		}
		const int first = s->cell[0] + s->di;
		const int i = sph_image(first, g.nx, g.open_walls, &side[0]);
		int last = i;
		if (side[0] == 0) {
			last = min_int(s->cell[0] + p.reach, g.nx - 1);
			last = min_int(last, i | (BLOCK_EDGE(DIM) - 1));
		}
		s->di += last - i + 1;
		if (i < 0)
			continue;
		s->at = (int)start[block_key(g, i, j, k)];
		s->end = (int)start[block_key(g, last, j, k) + 1];
		s->code = side[0] + 3 * side[1] + 9 * side[2];
		if (s->at < s->end)
			return 1;
	}
}

/* x_i - x_j of one axis; the same but for the sign for i and j exchanged, images too. */
ALWAYS_INLINE float sph_apart(float here, float there, int side, float size)
{
	return side == 0 ? here - there : side == 1 ? here + there : (here + there) - 2.0f * size;
}

ALWAYS_INLINE void sph_measure(const struct grid g, int stride, global const float *position,
			       const float point[3], struct sph_pair *pair)
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	pair->square = 0.0f;
	if (pair->code == 0) {
#pragma unroll
		for (int a = 0; a < DIM; a++)
			pair->apart[a] = point[a] - position[a * stride + pair->other];
	} else {
#pragma unroll
		for (int a = 0; a < DIM; a++)
			pair->apart[a] = sph_apart(point[a], position[a * stride + pair->other],
						   sph_side(pair->code, a), size[a]);
	}
#pragma unroll
	for (int a = 0; a < DIM; a++)
		pair->square += pair->apart[a] * pair->apart[a];
}

/* Before the first neighbour of particle i; by search if `count` is -1. */
ALWAYS_INLINE struct sph_cursor sph_begin(const struct grid g, const struct sph_params p,
					  const struct sph_view v, int i, int count)
{
	struct sph_cursor c;
	const int cells[3] = {g.nx, g.ny, g.nz};
	c.particle = i;
	c.place = 0;
	c.count = count > p.slots ? -1 : count;
	c.point[2] = 0.0f;
	c.search.cell[2] = 0;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		c.point[a] = v.position[a * p.stride + i];
		c.search.cell[a] = clamp_int(floor_int(c.point[a] * g.inv_h), 0, cells[a] - 1);
	}
	c.search.di = c.search.dj = -p.reach;
	c.search.dk = DIM == 3 ? -p.reach : 0;
	c.search.at = c.search.end = c.search.code = 0;
	return c;
}

/* By search; apart from the list, so that this stays short there. */
int sph_search_next(const struct grid g, const struct sph_params p, const struct sph_view v,
		    struct sph_cursor *c, struct sph_pair *pair)
{
	for (;;) {
		if (c->search.at >= c->search.end &&
		    !sph_next_cells(g, p, v.start, c->point, &c->search))
			return 0;
		pair->other = c->search.at++;
		pair->code = c->search.code;
		if (pair->code == 0 && pair->other == c->particle)
			continue;
		sph_measure(g, p.stride, v.position, c->point, pair);
		if (pair->square < p.square)
			return 1;
	}
}

/* The next neighbour; 0: there is none. */
ALWAYS_INLINE int sph_next(const struct grid g, const struct sph_params p, const struct sph_view v,
			   struct sph_cursor *c, struct sph_pair *pair)
{
	if (c->count < 0) {
		/* Of copies: what a function gets by address is kept in memory, not in registers.
		 */
		struct sph_cursor cursor = *c;
		struct sph_pair next = *pair;
		const int found = sph_search_next(g, p, v, &cursor, &next);
		*c = cursor;
		*pair = next;
		return found;
	}
	if (c->place >= c->count)
		return 0;
	const uint word =
		v.list[(long)c->particle * p.particle_step + (long)c->place * p.slot_step];
	c->place++;
	pair->other = (int)(word & ((1u << SPH_INDEX_BITS) - 1u));
	pair->code = (int)(word >> SPH_INDEX_BITS);
	sph_measure(g, p.stride, v.position, c->point, pair);
	return 1;
}

ALWAYS_INLINE float sph_gradient(const struct sph_params p, float square)
{
	return p.slope * sph_slope(p.shape, sqrt(square) * p.inv_radius);
}

/* V grad W = that x_ij, negative, of the pair that the cursor has just passed. */
ALWAYS_INLINE float sph_pair_gradient(const struct sph_params p, const struct sph_view v,
				      const struct sph_cursor *c, const struct sph_pair *pair)
{
	if (c->count < 0 || !p.keeps)
		return sph_gradient(p, pair->square);
	return v.gradient[(long)c->particle * p.particle_step + (long)(c->place - 1) * p.slot_step];
}

/* Sum of V (u_i - u_j) . grad W: u of images is mirrored. */
ALWAYS_INLINE float sph_divergence(const struct grid g, const struct sph_params p,
				   const struct sph_view v, global const float *u, int i)
{
	struct sph_cursor c = sph_begin(g, p, v, i, (int)v.count[i]);
	struct sph_pair pair = sph_no_pair();
	float own[3], sum = 0.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++)
		own[a] = u[a * p.stride + i];
	while (sph_next(g, p, v, &c, &pair)) {
		float along = 0.0f;
		if (pair.code == 0) {
#pragma unroll
			for (int a = 0; a < DIM; a++)
				along += (own[a] - u[a * p.stride + pair.other]) * pair.apart[a];
		} else {
#pragma unroll
			for (int a = 0; a < DIM; a++) {
				const float there = u[a * p.stride + pair.other];
				along += (own[a] - (sph_side(pair.code, a) ? -there : there)) *
					 pair.apart[a];
			}
		}
		sum += sph_pair_gradient(p, v, &c, &pair) * along;
	}
	return sum;
}

#endif
