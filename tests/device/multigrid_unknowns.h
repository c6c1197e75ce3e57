/* What device_multigrid.c reads and writes: vectors over the unknowns of a level, its cells and
 * behind them their further parts. */
#ifndef FRESHET_MULTIGRID_UNKNOWNS_H
#define FRESHET_MULTIGRID_UNKNOWNS_H

#include <stdlib.h>

#include "multigrid_support.h"

static inline size_t cells_of(const struct mg_level *l)
{
	return (size_t)l->nx * (size_t)l->ny * (size_t)l->nz;
}

/* (i,j,k) of a cell by its number, and the number; x fastest. */
static inline void place_of(const struct mg_level *l, size_t cell, int place[3])
{
	place[0] = (int)(cell % (size_t)l->nx);
	place[1] = (int)(cell / (size_t)l->nx % (size_t)l->ny);
	place[2] = (int)(cell / (size_t)l->nx / (size_t)l->ny);
}

static inline size_t number_of(const struct mg_level *l, int i, int j, int k)
{
	return ((size_t)k * (size_t)l->ny + (size_t)j) * (size_t)l->nx + (size_t)i;
}

/* Does a cell have a neighbour above it along an axis? */
static inline bool has_next(const struct mg_level *l, const int place[3], size_t axis)
{
	return place[axis] + 1 < (axis == 0 ? l->nx : axis == 1 ? l->ny : l->nz);
}

/* First further part * 8 + number of further parts of a cell. */
static inline uint32_t parts_at(const struct mg_level *l, const uint32_t *parts, const int at[3])
{
	return parts[(int)level_at(l, at[0], at[1], at[2]) + l->coarse_shift] & 0x3fffffffu;
}

/* Further parts of a level's cells that are in use. */
static inline size_t extras_of(const struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	size_t used = 0;
	if (!mg->split || n == 0)
		return 0;
	uint32_t *parts = fixture_read(&mg->parts, mg->parts.bytes);
	for (size_t cell = 0; cell < cells_of(l); cell++) {
		int at[3];
		place_of(l, cell, at);
		const uint32_t p = parts_at(l, parts, at);
		if ((p & 7) && (p >> 3) + (p & 7) > used)
			used = (p >> 3) + (p & 7);
	}
	test_free(parts);
	return used;
}

/* Which of them have a positive diagonal. */
static inline bool *unknown_extras(const struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	const size_t used = extras_of(mg, n);
	bool *unknown = test_calloc(used + 1, sizeof(bool));
	if (!used)
		return unknown;
	uint32_t *parts = fixture_read(&mg->parts, mg->parts.bytes);
	float *row = fixture_read(&mg->row, mg->row.bytes);
	float *excess = fixture_read(&mg->excess, mg->excess.bytes);
	for (size_t cell = 0; cell < cells_of(l); cell++) {
		int at[3];
		place_of(l, cell, at);
		const uint32_t p = parts_at(l, parts, at);
		for (size_t e = p >> 3; e < (p >> 3) + (p & 7); e++) {
			const float *links =
				row + ((size_t)l->row_offset + e) * (MOST_PARTS + 1) * DIM;
			unknown[e] |= excess[(size_t)l->extra_offset + e] > 0.0f;
			for (size_t a = 0; a < DIM; a++) {
				for (size_t t = 0; t < MOST_PARTS; t++)
					unknown[e] |= links[MOST_PARTS * a + t] > 0.0f;
				unknown[e] |= links[MOST_PARTS * DIM + a] > 0.0f;
			}
			/* Links of two extras are in the row of the lower one. */
			for (size_t a = 0; a < DIM; a++) {
				if (!has_next(l, at, a))
					continue;
				const int above[3] = {at[0] + (a == 0), at[1] + (a == 1),
						      at[2] + (a == 2)};
				const uint32_t next = parts_at(l, parts, above);
				for (size_t t = 1; t <= (next & 7); t++)
					unknown[(next >> 3) + t - 1] |=
						links[MOST_PARTS * a + t] > 0.0f;
			}
		}
	}
	test_free(parts);
	test_free(row);
	test_free(excess);
	return unknown;
}

static inline void extras_write(const struct multigrid *mg, int n, union f32_buffer *buffer,
				const double *values, size_t count)
{
	float *all = fixture_read(buffer, buffer->bytes);
	for (size_t e = 0; e < count; e++)
		all[(size_t)mg->levels[n].extra_offset + e] = (float)values[e];
	fixture_write(buffer, all, buffer->bytes);
	test_free(all);
}

static inline void extras_read(const struct multigrid *mg, int n, const union f32_buffer *buffer,
			       double *values, size_t count)
{
	float *all = fixture_read(buffer, buffer->bytes);
	for (size_t e = 0; e < count; e++)
		values[e] = (double)all[(size_t)mg->levels[n].extra_offset + e];
	test_free(all);
}

static inline double dot_cells(const double *a, const double *b, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Cells of a level with a positive diagonal. */
static inline bool *unknowns_of(const struct multigrid *mg, const struct mg_level *l)
{
	const size_t total = (size_t)mg->total;
	bool *unknown = test_calloc(cells_of(l), sizeof(bool));
	float *link = links_read(mg);
	float *excess = fixture_read(&mg->excess, total * sizeof(float));
	for (size_t n = 0; n < cells_of(l); n++) {
		int p[3];
		place_of(l, n, p);
		size_t at = level_at(l, p[0], p[1], p[2]);
		float diagonal = excess[at];
		for (size_t a = 0; a < DIM; a++) {
			size_t below =
				level_at(l, p[0] - (a == 0), p[1] - (a == 1), p[2] - (a == 2));
			diagonal += link[a * total + at];
			if (p[a] > 0)
				diagonal += link[a * total + below];
		}
		unknown[n] = diagonal > 0.0f;
	}
	test_free(link);
	test_free(excess);
	return unknown;
}

/* Room for so many further parts per level. */
#define SCARCE 3
static inline void leave_room(struct multigrid *mg, i32 extras)
{
	for (int n = 1; n < mg->count; n++)
		mg->levels[n].extras = extras;
	assert_true(clx_write(mg->cl, &mg->level_table, 0,
			      (size_t)mg->count * sizeof(struct mg_level), mg->levels));
}

/* Of a level's cells, and behind them further parts, to `count`: 0 where there is no unknown. */
static inline void random_vector(double *v, const bool *unknown, size_t cells, const bool *extra,
				 size_t count, uint64_t *random)
{
	for (size_t i = 0; i < count; i++)
		v[i] = (i < cells ? unknown[i] : extra[i - cells])
			       ? (double)(float)fixture_between(random, -1.0, 1.0)
			       : 0.0;
}

/* A vector with further parts to and from the device. */
static inline void whole_write(const struct multigrid *mg, int n, union f32_buffer *buffer,
			       const double *v, size_t count)
{
	const struct mg_level *l = &mg->levels[n];
	level_write(l, buffer, v);
	extras_write(mg, n, buffer, v + cells_of(l), count - cells_of(l));
}

static inline void whole_read(const struct multigrid *mg, int n, const union f32_buffer *buffer,
			      double *v, size_t count)
{
	const struct mg_level *l = &mg->levels[n];
	level_read(l, buffer, v);
	extras_read(mg, n, buffer, v + cells_of(l), count - cells_of(l));
}

#endif
