/* The columns of bodies (kernels/pressure/coupling_columns.cl): which of them meet, and what they
 * are. */
#include <stdlib.h>

#include "coupling.h"
#include "message.h"

/* Red-black sweeps of a column: as many as over-relaxation needs to cross a box, about. */
#define LEAST_SWEEPS 8
#define MOST_SWEEPS 32

void coupling_free_pairs(struct coupling *c)
{
	struct clx *cl = c->lattice->cl;
	clx_free(cl, &c->overlap);
	clx_free(cl, &c->meet);
	clx_free(cl, &c->near);
	clx_free(cl, &c->energy);
	clx_free(cl, &c->met);
	c->pairs_room = 0;
}

/* Room for so many pairs of each kind. */
static bool reserve_pairs(struct coupling *c, size_t pairs)
{
	struct clx *cl = c->lattice->cl;
	const size_t block = (size_t)COUPLING_BLOCK(c->lattice->dim);
	if (pairs <= c->pairs_room)
		return true;
	coupling_free_pairs(c);
	const size_t room = pairs + pairs / 2;
	if (!clx_alloc(cl, &c->overlap, "pairs of columns", room) ||
	    !clx_alloc(cl, &c->meet, "pairs of columns and surfaces", room) ||
	    !clx_alloc(cl, &c->near, "bodies nearby", room) ||
	    !clx_alloc(cl, &c->energy, "products of columns", room * block) ||
	    !clx_alloc(cl, &c->met, "products of columns and surfaces", room * block))
		return false;
	c->pairs_room = room;
	return true;
}

/* Do the boxes meet, `margin` cells around one of them? */
static bool meets(const struct lattice_box *a, const struct lattice_box *b, i32 margin)
{
	if (a->nx == 0 || b->nx == 0)
		return false;
	return a->i - margin < b->i + b->nx && b->i - margin < a->i + a->nx &&
	       a->j - margin < b->j + b->ny && b->j - margin < a->j + a->ny &&
	       a->k - margin < b->k + b->nz && b->k - margin < a->k + a->nz;
}

/* Pairs whose columns, and the one's columns and the other's surface, have cells in common, in
 * order of the second; and the bodies whose boxes overlap that of each. */
struct pair_lists {
	struct coupling_pair *overlap, *meet;
	i32 *near, *first_near, *first_meet;
	size_t overlaps, meets, nears;
};

static void free_lists(struct pair_lists *l)
{
	free(l->overlap);
	free(l->meet);
	free(l->near);
	free(l->first_near);
	free(l->first_meet);
}

static bool find_pairs(const struct coupling *c, struct pair_lists *l)
{
	const size_t n = c->count;
	size_t most = 0;
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++)
			most += meets(&c->bodies[a].box, &c->bodies[b].box, 1);
	*l = (struct pair_lists){
		.overlap = calloc(most + 1, sizeof(*l->overlap)),
		.meet = calloc(most + 1, sizeof(*l->meet)),
		.near = calloc(most + 1, sizeof(*l->near)),
		.first_near = calloc(n + 1, sizeof(*l->first_near)),
		.first_meet = calloc(n + 1, sizeof(*l->first_meet)),
	};
	if (!l->overlap || !l->meet || !l->near || !l->first_near || !l->first_meet)
		return message_memory(most * sizeof(*l->meet), "pairs of bodies");
	for (size_t b = 0; b < n; b++) {
		l->first_near[b] = (i32)l->nears;
		l->first_meet[b] = (i32)l->meets;
		for (size_t a = 0; a < n; a++) {
			const struct lattice_box *from = &c->bodies[a].box, *to = &c->bodies[b].box;
			if (!meets(from, to, 1))
				continue;
			if (a <= b)
				l->overlap[l->overlaps++] = (struct coupling_pair){(i32)a, (i32)b};
			if (!meets(from, to, 0))
				continue;
			l->near[l->nears++] = (i32)a;
			l->meet[l->meets++] = (struct coupling_pair){(i32)a, (i32)b};
		}
	}
	l->first_near[n] = (i32)l->nears;
	l->first_meet[n] = (i32)l->meets;
	return true;
}

static bool send_pairs(struct coupling *c, const struct pair_lists *l)
{
	struct clx *cl = c->lattice->cl;
	const size_t each = (c->count + 1) * sizeof(i32);
	if (!reserve_pairs(c, l->overlaps > l->meets ? l->overlaps : l->meets))
		return false;
	c->overlaps = (i32)l->overlaps;
	c->meets = (i32)l->meets;
	return clx_write(cl, &c->overlap, 0, l->overlaps * sizeof(*l->overlap), l->overlap) &&
	       clx_write(cl, &c->meet, 0, l->meets * sizeof(*l->meet), l->meet) &&
	       clx_write(cl, &c->near, 0, l->nears * sizeof(i32), l->near) &&
	       clx_write(cl, &c->first_near, 0, each, l->first_near) &&
	       clx_write(cl, &c->first_meet, 0, each, l->first_meet);
}

static bool sweep(struct coupling *c, const struct multigrid *mg, i32 colour, bool from_zero)
{
	const i32 zero = from_zero;
	return LAUNCH(c->lattice->cl, coupling_sweep, coupling_row_range(c),
		      .level = &mg->levels[0], .bodies = &c->body, .open = &mg->open,
		      .excess = &mg->excess, .cover = &c->cover, .colour = I32(colour),
		      .from_zero = I32(zero), .z = &c->column);
}

static bool make_columns(struct coupling *c, const struct multigrid *mg)
{
	int sweeps = c->most_cells / 2;
	sweeps = sweeps < LEAST_SWEEPS ? LEAST_SWEEPS : sweeps > MOST_SWEEPS ? MOST_SWEEPS : sweeps;
	bool ok = true;
	for (int n = 0; n < sweeps && ok; n++)
		ok = sweep(c, mg, 0, n == 0) && sweep(c, mg, 1, false);
	return ok;
}

static bool multiply_columns(struct coupling *c, const struct multigrid *mg)
{
	struct clx *cl = c->lattice->cl;
	const struct grid g = c->lattice->grid;
	const i32 overlaps = c->overlaps, met = c->meets, count = (i32)c->count;
	const i32 rows = (i32)c->rows, capacity = (i32)c->capacity;
	const size_t lane = COUPLING_LANE_BYTES(COUPLING_BLOCK(c->lattice->dim));
	return LAUNCH(cl, coupling_energy, clx_chunk_groups(cl, (size_t)overlaps),
		      .level = &mg->levels[0], .bodies = &c->body, .pairs = &c->overlap,
		      .count = I32(overlaps), .open = &mg->open, .excess = &mg->excess,
		      .z = &c->column, .blocks = &c->energy, .lane = LOCAL(lane)) &&
	       LAUNCH(cl, coupling_meet, clx_chunk_groups(cl, (size_t)met), .g = &g,
		      .bodies = &c->body, .bodies_count = I32(count), .pairs = &c->meet,
		      .count = I32(met), .starts = &c->starts, .rows = I32(rows),
		      .point = &c->point, .area = &c->area, .capacity = I32(capacity),
		      .z = &c->column, .blocks = &c->met, .lane = LOCAL(lane));
}

bool coupling_deflate(struct coupling *c, const struct multigrid *mg)
{
	struct pair_lists lists = {0};
	c->deflates = false;
	if (c->entries == 0)
		return true;
	const bool ok = find_pairs(c, &lists) && send_pairs(c, &lists) && make_columns(c, mg) &&
			multiply_columns(c, mg) && coupling_invert(c, lists.overlap, lists.meet);
	free_lists(&lists);
	c->deflates = ok;
	return ok;
}
