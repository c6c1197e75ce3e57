/*
 * Particles near a particle: in the order of cells, z slowest, then of ids, so that sums over them
 * are the same everywhere.  Two particles that a solid parts do not see each other.
 */
#ifndef FRESHET_NEIGHBOURS_SEARCH_H
#define FRESHET_NEIGHBOURS_SEARCH_H

#include "collide.h"
#include "common.h"

/* Sums of moves are integers, in units of 2^-24 cells: what a pair gives to one it takes from the
 * other, to the last bit. */
#define NEIGHBOURS_UNITS 16777216.0f

/* order[start[key] .. start[key + 1]): the particles of a cell, by id. */
struct neighbours_index {
	global const float *position; /* [DIM][stride] */
	global const uint *id;
	int stride;
	global const uint *start, *order;
};

/* Cells from low[] to high[]; particles from `next` to `end` are left of the one before i, j, k. */
struct neighbours_search {
	int low[3], high[3];
	int i, j, k;
	int next, end;
};

void neighbours_point(const struct neighbours_index *index, int p, float x[3])
{
	x[2] = 0.0f;
	for (int a = 0; a < DIM; a++)
		x[a] = index->position[a * index->stride + p];
}

/* A search among the cells at most `rings` away from the one that holds x[]. */
struct neighbours_search neighbours_around(const struct grid g, const float x[3], int rings)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	struct neighbours_search s;
	for (int a = 0; a < 3; a++) {
		const int at = a < DIM ? clamp_int(floor_int(x[a] * g.inv_h), 0, cells[a] - 1) : 0;
		s.low[a] = a < DIM ? clamp_int(at - rings, 0, cells[a] - 1) : 0;
		s.high[a] = a < DIM ? clamp_int(at + rings, 0, cells[a] - 1) : 0;
	}
	s.i = s.low[0];
	s.j = s.low[1];
	s.k = s.low[2];
	s.next = s.end = 0;
	return s;
}

/* The next particle; -1 behind the last. */
int neighbours_next(const struct grid g, const struct neighbours_index *index,
		    struct neighbours_search *s)
{
	while (s->next == s->end) {
		if (s->k > s->high[2])
			return -1;
		const int key = block_key(g, s->i, s->j, s->k);
		s->next = (int)index->start[key];
		s->end = (int)index->start[key + 1];
		s->i++;
		if (s->i > s->high[0]) {
			s->i = s->low[0];
			s->j++;
		}
		if (s->j > s->high[1]) {
			s->j = s->low[1];
			s->k++;
		}
	}
	return (int)index->order[s->next++];
}

/* Is there no solid between x[], of particle p, and y[], of particle q, closer than `reach`?  The
 * same seen from either. */
int neighbours_see(const struct grid g, const struct collide_solids *solids, uint id_p,
		   const float x[3], uint id_q, const float y[3], float reach)
{
	float last[3];
	struct shape_sample sample;
	if (solids->op_count == 0 || collide_is_far(g, solids->solid_phi, x, reach + g.h))
		return 1;
	return id_p < id_q ? collide_trace(g, solids, x, y, last, &sample)
			   : collide_trace(g, solids, y, x, last, &sample);
}

/* y[] to x[]: their squared distance, and x - y. */
float neighbours_way(const float x[3], const float y[3], float way[3])
{
	float square = 0.0f;
	way[2] = 0.0f;
	for (int a = 0; a < DIM; a++) {
		way[a] = x[a] - y[a];
		square += way[a] * way[a];
	}
	return square;
}

/* The unit vector from q to p, whose way and squared distance are given; of two at the same place,
 * or as good as that, along an axis that their ids choose.  Opposite for q and p. */
void neighbours_normal(uint id_p, uint id_q, float square, const float way[3], float least,
		       float normal[3])
{
	const uint low = id_p < id_q ? id_p : id_q, high = id_p < id_q ? id_q : id_p;
	if (square > least * least) {
		const float distance = sqrt(square);
		for (int a = 0; a < DIM; a++)
			normal[a] = way[a] / distance;
		return;
	}
	const uint bits = hash_4(low, high, 0x6e656172u, 0u);
	const int axis = (int)((bits >> 8) % (uint)DIM);
	for (int a = 0; a < DIM; a++)
		normal[a] = a != axis ? 0.0f : ((bits & 1u) != 0) == (id_p < id_q) ? 1.0f : -1.0f;
}

/* One whose distance is less than that of the units of moves: they stand at the same place. */
float neighbours_least(const struct grid g)
{
	return g.h * (1.0f / NEIGHBOURS_UNITS);
}

/* Adds `length` metres along the normal to a sum of moves. */
void neighbours_add(const struct grid g, float length, const float normal[3], int move[3])
{
	for (int a = 0; a < DIM; a++)
		move[a] += convert_int_rte(length * normal[a] * (g.inv_h * NEIGHBOURS_UNITS));
}

#endif
