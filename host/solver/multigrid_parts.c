/* Set-up of coarse cells of several parts (kernels/multigrid/mg_parts.h). */
#include "multigrid.h"

#include "scan.h"

/* Levels by which walls are judged. */
#define JUDGED_LEVELS 3
/* Longest axis of the smallest of them. */
#define JUDGED_EDGE 8

/* More further parts than one plate across the level would make. */
static bool many_parts(const struct mg_level *l, u32 parts)
{
	const i32 xy = l->nx > l->ny ? l->nx : l->ny, longest = xy > l->nz ? xy : l->nz;
	return longest >= JUDGED_EDGE &&
	       (u64)parts * (u64)longest > (u64)l->nx * (u64)l->ny * (u64)l->nz;
}

/* Longest axis of a level that can be the last instead of the one after it. */
#define LAST_EDGE 4

static bool is_coarsest(const struct mg_level *l)
{
	return l->nx <= LAST_EDGE && l->ny <= LAST_EDGE && l->nz <= LAST_EDGE;
}

bool multigrid_count_parts(struct multigrid *mg)
{
	u32 tally[2 * MG_MAX_LEVELS];
	mg->twice = mg->once = mg->parted_last = false;
	mg->further = mg->merged = 0;
	for (int n = 0; n < mg->count; n++)
		mg->parted[n] = false;
	if (!mg->split)
		return true;
	if (!clx_read(mg->cl, &mg->tally, 0, sizeof(tally), tally))
		return false;
	for (int n = 1; n < mg->count; n++) {
		mg->further += tally[2 * n];
		mg->merged += tally[2 * n + 1];
		mg->parted[n] = tally[2 * n] || (n > 1 && tally[2 * (n - 1)]);
		mg->twice |= n <= JUDGED_LEVELS && many_parts(&mg->levels[n], tally[2 * n]);
	}
	mg->parted_last = mg->count > 2 && tally[2 * (mg->count - 1)] &&
			  is_coarsest(&mg->levels[mg->count - 2]);
	return true;
}

bool multigrid_coarsen_parts(struct multigrid *mg, int n)
{
	const i32 level = n;
	struct clx *cl = mg->cl;
	const struct mg_level *fine = &mg->levels[n - 1], *coarse = &mg->levels[n];
	const size_t places = 2 * (size_t)coarse->colour_stride;
	return LAUNCH(cl, mg_find_parts, clx_range3((size_t)coarse->colour_stride, 2, 1),
		      .fine = fine, .coarse = coarse, .type_offset = I32(mg->type_offset[n]),
		      .type = &mg->type, .total = I32(mg->total), .open = &mg->open,
		      .link = &mg->link, .excess = &mg->excess, .parts = &mg->parts,
		      .row = &mg->row, .part = &mg->part, .scan = &mg->scan) &&
	       scan_exclusive(cl, &mg->scan, places, &mg->scan_scratch) &&
	       LAUNCH(cl, mg_number_parts, clx_range1(places), .l = coarse, .level = I32(level),
		      .parts = &mg->parts, .scan = &mg->scan, .tally = &mg->tally) &&
	       LAUNCH(cl, mg_coarsen_parts, multigrid_range(coarse, 2), .fine = fine,
		      .coarse = coarse, .total = I32(mg->total), .open = &mg->open,
		      .link = &mg->link, .excess = &mg->excess, .parts = &mg->parts,
		      .row = &mg->row, .part = &mg->part);
}

bool multigrid_mark_weak(struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	return LAUNCH(mg->cl, mg_mark_weak, multigrid_range(l, 2), .l = l,
		      .type_offset = I32(mg->type_offset[n]), .type = &mg->type,
		      .total = I32(mg->total), .link = &mg->link, .excess = &mg->excess,
		      .parts = &mg->parts, .row = &mg->row);
}

bool multigrid_find_routes(struct multigrid *mg, int n)
{
	struct clx *cl = mg->cl;
	const struct mg_level *fine = &mg->levels[n - 1], *coarse = &mg->levels[n];
	return LAUNCH(cl, mg_mark_near_parts, multigrid_range(coarse, 2), .l = coarse,
		      .total = I32(mg->total), .stencil = &mg->stencil, .parts = &mg->parts) &&
	       LAUNCH(cl, mg_find_routes, multigrid_range(fine, 2), .fine = fine, .coarse = coarse,
		      .type_offset = I32(mg->type_offset[n]), .type = &mg->type,
		      .total = I32(mg->total), .stencil = &mg->stencil, .open = &mg->open,
		      .link = &mg->link, .parts = &mg->parts, .row = &mg->row, .part = &mg->part,
		      .route = &mg->route);
}
