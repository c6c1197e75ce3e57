#include "coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "reduce.h"
#include "scan.h"
#include "zero.h"

#define PI 3.14159265358979323846
/* ---- memory ------------------------------------------------------------------------------- */

#define COUPLING_FIELDS 17
static size_t list_fields(struct coupling *c, struct field fields[COUPLING_FIELDS])
{
	const size_t axes = coupling_axes(c), n = c->count, all = n * axes;
	const struct field list[COUPLING_FIELDS] = {
		FIELD(&c->body, "bodies", n),
		FIELD(&c->inverse, "masses of bodies", all * axes),
		FIELD(&c->cover, "surfaces of bodies", c->places_room * axes),
		FIELD(&c->gain, "gains of bodies", c->places_room),
		FIELD(&c->starts, "rows of bodies", c->rows_room + 1),
		FIELD(&c->scan, "scan of rows of bodies", c->rows_room + 1),
		FIELD(&c->cell, "cells beside bodies", c->capacity),
		FIELD(&c->point, "points beside bodies", c->capacity),
		FIELD(&c->body_of, "bodies beside cells", c->capacity),
		FIELD(&c->next, "chains of cells", c->capacity),
		FIELD(&c->area, "areas of bodies", c->capacity * axes),
		FIELD(&c->entry_gain, "gains beside bodies", c->capacity),
		FIELD(&c->sums, "sums of bodies", 2 * all),
		FIELD(&c->column, "columns of bodies", c->places_room * axes),
		FIELD(&c->row, "rows of the coarse matrix", all),
		FIELD(&c->moments, "coarse residual", all),
		FIELD(&c->shares, "coarse solution", all),
	};
	for (int i = 0; i < COUPLING_FIELDS; i++)
		fields[i] = list[i];
	return COUPLING_FIELDS;
}

size_t coupling_bytes(int dim, size_t count, size_t places, size_t rows)
{
	struct lattice lattice = {.dim = dim};
	struct coupling c = {.lattice = &lattice,
			     .count = count,
			     .places_room = places,
			     .rows_room = rows,
			     .capacity = places};
	struct field fields[COUPLING_FIELDS];
	const size_t n = list_fields(&c, fields);
	size_t bytes = 0;
	for (size_t i = 0; i < n; i++)
		bytes += fields[i].count * fields[i].size;
	return bytes;
}

bool coupling_create(struct coupling *c, struct lattice *lattice, size_t count, size_t places,
		     size_t rows)
{
	struct field fields[COUPLING_FIELDS];
	*c = (struct coupling){.lattice = lattice, .count = count};
	if (count == 0)
		return true;
	c->places_room = places;
	c->rows_room = rows;
	c->capacity = places; /* every cell, at most */
	const size_t axes = coupling_axes(c);
	c->bodies = calloc(count, sizeof(*c->bodies));
	c->inverse_now = calloc(count * axes * axes, sizeof(*c->inverse_now));
	if (!c->bodies || !c->inverse_now)
		return message_memory(count * sizeof(*c->bodies), "bodies in the pressure solve");
	struct clx *cl = lattice->cl;
	return fields_allocate(cl, fields, list_fields(c, fields)) &&
	       clx_alloc(cl, &c->first_meet, "pairs of bodies", count + 1) &&
	       clx_alloc(cl, &c->first_near, "lists of bodies", count + 1) &&
	       clx_alloc(cl, &c->unknown, "coarse unknowns", count);
}

void coupling_destroy(struct coupling *c)
{
	struct field fields[COUPLING_FIELDS];
	if (c->count > 0) {
		struct clx *cl = c->lattice->cl;
		fields_free(cl, fields, list_fields(c, fields));
		clx_free(cl, &c->first_meet);
		clx_free(cl, &c->first_near);
		clx_free(cl, &c->unknown);
		clx_free(cl, &c->coarse);
		coupling_free_pairs(c);
	}
	free(c->bodies);
	free(c->inverse_now);
	*c = (struct coupling){.lattice = c->lattice};
}

/* ---- J ------------------------------------------------------------------------------------ */

static i32 longest(const struct lattice_box *box)
{
	const i32 most = box->nx > box->ny ? box->nx : box->ny;
	return most > box->nz ? most : box->nz;
}

/* sin(pi / n) for n of 3 and more to 1e-9, by its series: every host has the same bits. */
static double sine_of_part(double n)
{
	const double x = PI / n, s = x * x;
	return x * (1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))));
}

bool coupling_place(struct coupling *c, const double *inverse)
{
	struct clx *cl = c->lattice->cl;
	const size_t axes = coupling_axes(c), numbers = c->count * axes * axes;
	size_t places = 0, rows = 0;
	c->most_rows = c->most_cells = 1;
	c->deflates = false;
	for (size_t b = 0; b < c->count; b++) {
		struct coupling_body *body = &c->bodies[b];
		const i32 of = body->box.ny * body->box.nz;
		body->first = (i32)places;
		body->first_row = (i32)rows;
		places += (size_t)of * (size_t)body->box.nx;
		rows += (size_t)of;
		c->most_rows = of > c->most_rows ? of : c->most_rows;
		c->most_cells =
			longest(&body->box) > c->most_cells ? longest(&body->box) : c->most_cells;
		const i32 wide = longest(&body->box) > 2 ? longest(&body->box) : 2;
		body->relax = (f32)(2.0 / (1.0 + sine_of_part((double)wide + 1.0)));
	}
	if (places > c->places_room || rows > c->rows_room)
		return message_error("bodies take more cells than there is room for");
	c->places = places;
	c->rows = rows;
	for (size_t i = 0; i < numbers; i++)
		c->inverse_now[i] = (f32)inverse[i];
	return clx_write(cl, &c->body, 0, c->count * sizeof(*c->bodies), c->bodies) &&
	       clx_write(cl, &c->inverse, 0, numbers * sizeof(f32), c->inverse_now);
}

bool coupling_make_list(struct coupling *c, const struct mg_level *level)
{
	struct clx *cl = c->lattice->cl;
	const struct grid g = c->lattice->grid;
	const i32 capacity = (i32)c->capacity, count = (i32)c->count;
	u32 entries = 0;
	if (!scan_exclusive(cl, &c->starts, c->rows, &c->scan) ||
	    !LAUNCH(cl, coupling_list, coupling_row_range(c), .g = &g, .level = level,
		    .bodies = &c->body, .cover = &c->cover, .gain = &c->gain, .starts = &c->starts,
		    .capacity = I32(capacity), .cell = &c->cell, .point = &c->point,
		    .body_of = &c->body_of, .area = &c->area, .entry_gain = &c->entry_gain) ||
	    !clx_read(cl, &c->starts, c->rows * sizeof(u32), sizeof(u32), &entries))
		return false;
	c->entries = (i32)entries;
	const i32 n = c->entries;
	return n == 0 ||
	       LAUNCH(cl, coupling_chain, clx_range1((size_t)n), .g = &g, .bodies = &c->body,
		      .count = I32(count), .starts = &c->starts, .point = &c->point,
		      .entries = I32(n), .body_of = &c->body_of, .next = &c->next);
}

static bool gather(struct coupling *c, const union f32_buffer *v, const union f32_buffer *v_low,
		   bool by_entry, enum coupling_when when, const union u32_buffer *state)
{
	const i32 count = (i32)c->count, rows = (i32)c->rows, capacity = (i32)c->capacity;
	const i32 has_low = v_low != NULL, entries = by_entry, as = (i32)when;
	return LAUNCH(c->lattice->cl, coupling_gather, clx_chunk_groups(c->lattice->cl, c->count),
		      .bodies = &c->body, .count = I32(count), .starts = &c->starts,
		      .rows = I32(rows), .cell = &c->cell, .area = &c->area,
		      .capacity = I32(capacity), .v = v, .v_low = v_low ? v_low : v,
		      .has_low = I32(has_low), .by_entry = I32(entries), .inverse = &c->inverse,
		      .when = I32(as), .state = state, .sums = &c->sums,
		      .lane = LOCAL(COUPLING_LANE_BYTES(coupling_axes(c))));
}

static bool scatter(struct coupling *c, f32 scale, enum coupling_when when,
		    const union u32_buffer *state, union f32_buffer *out)
{
	const i32 capacity = (i32)c->capacity, entries = c->entries, as = (i32)when;
	return entries == 0 ||
	       LAUNCH(c->lattice->cl, coupling_scatter, clx_range1((size_t)entries),
		      .cell = &c->cell, .body_of = &c->body_of, .next = &c->next, .area = &c->area,
		      .capacity = I32(capacity), .entries = I32(entries), .sums = &c->sums,
		      .scale = F32(scale), .when = I32(as), .state = state, .v = out);
}

bool coupling_multiply(struct coupling *c, const union f32_buffer *v, const union f32_buffer *v_low,
		       f32 scale, enum coupling_when when, const union u32_buffer *state,
		       union f32_buffer *out)
{
	return gather(c, v, v_low, false, when, state) && scatter(c, scale, when, state, out);
}

bool coupling_read(struct coupling *c, const union f32_buffer *v, const union f32_buffer *v_low,
		   double *values)
{
	const size_t axes = coupling_axes(c), all = 2 * c->count * axes;
	/* The state is not looked at. */
	if (!gather(c, v ? v : &c->entry_gain, v_low, !v, COUPLING_ALWAYS, &c->starts))
		return false;
	struct pair *sums = malloc(all * sizeof(*sums));
	if (!sums)
		return message_memory(all * sizeof(*sums), "sums of bodies");
	const bool ok = clx_read(c->lattice->cl, &c->sums, 0, all * sizeof(*sums), sums);
	for (size_t n = 0; ok && n < c->count * axes; n++) {
		const struct pair *sum = &sums[n / axes * 2 * axes + n % axes];
		values[n] = (double)sum->high + (double)sum->low;
	}
	free(sums);
	return ok;
}

bool coupling_add(struct coupling *c, const double *w, f32 scale, union f32_buffer *v)
{
	const size_t axes = coupling_axes(c), all = 2 * c->count * axes;
	struct pair *sums = calloc(all, sizeof(*sums));
	if (!sums)
		return message_memory(all * sizeof(*sums), "velocities of bodies");
	for (size_t n = 0; n < c->count * axes; n++)
		sums[n / axes * 2 * axes + axes + n % axes].high = (f32)w[n];
	const bool ok = clx_write(c->lattice->cl, &c->sums, 0, all * sizeof(*sums), sums) &&
			scatter(c, scale, COUPLING_ALWAYS, &c->starts, v);
	free(sums);
	return ok;
}

/* ---- in a solve --------------------------------------------------------------------------- */

bool coupling_correct(struct coupling *c, const struct multigrid *mg, const union f32_buffer *r,
		      bool start, const union u32_buffer *state, union f32_buffer *y)
{
	struct clx *cl = c->lattice->cl;
	const struct mg_level level = mg->levels[0];
	const i32 count = (i32)c->count, has_y = !start, when = COUPLING_RUNNING;
	const i32 unknowns = (i32)(c->count * coupling_axes(c));
	if (!c->deflates)
		return true;
	return (start || gather(c, y, NULL, false, COUPLING_RUNNING, state)) &&
	       LAUNCH(cl, deflation_restrict, clx_chunk_groups(cl, c->count), .level = &level,
		      .bodies = &c->body, .count = I32(count), .open = &mg->open,
		      .excess = &mg->excess, .z = &c->column, .r = r, .y = y, .has_y = I32(has_y),
		      .meets = &c->meet, .first_meet = &c->first_meet, .blocks = &c->met,
		      .sums = &c->sums, .unknown = &c->unknown, .when = I32(when), .state = state,
		      .moments = &c->moments,
		      .lane = LOCAL(COUPLING_LANE_BYTES(coupling_axes(c)))) &&
	       LAUNCH(cl, deflation_solve, clx_range1((size_t)unknowns), .unknowns = I32(unknowns),
		      .rows = &c->row, .inverse = &c->coarse, .moments = &c->moments,
		      .when = I32(when), .state = state, .shares = &c->shares) &&
	       LAUNCH(cl, deflation_prolong, coupling_row_range(c), .level = &level,
		      .bodies = &c->body, .near = &c->near, .first_near = &c->first_near,
		      .z = &c->column, .unknown = &c->unknown, .shares = &c->shares,
		      .when = I32(when), .state = state, .y = y);
}
