#include "bricks.h"

#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "fields.h"
#include "lattice.h"
#include "scan.h"

/* A particle makes liquid of cells at most this far away: two by its density, and one more that
 * such cells close in (kernels/levelset/levelset.cl). */
#define LIQUID_REACH 3

static i32 parts_of(i32 n, i32 of)
{
	return (n + of - 1) / of;
}

/* Bricks of nx x ny x nz points. */
static void add_bricks(struct bricks *b, int dim, const i32 n[3], i32 reach)
{
	const i32 edge = dim == 3 ? BRICK_EDGE_3D : BRICK_ROWS;
	struct brick_layout *l = &b->layout[b->lists++];
	*l = (struct brick_layout){.first = b->slots, .reach = reach};
	l->nx = parts_of(n[0], BRICK_X);
	l->ny = parts_of(n[1], edge);
	l->slots = l->nx * l->ny * (dim == 3 ? parts_of(n[2], edge) : 1);
	b->slots += l->slots;
}

static void add_chunks(struct bricks *b, i32 elements, i32 reach)
{
	struct brick_layout *l = &b->layout[b->lists++];
	*l = (struct brick_layout){.first = b->slots, .reach = reach};
	l->slots = parts_of(elements, PAIRS_CHUNK);
	b->slots += l->slots;
}

void bricks_plan(struct bricks *b, const struct grid *g, int dim, int layers,
		 const struct mg_level *levels, int count, i32 finest)
{
	*b = (struct bricks){.dim = dim, .block_count = g->bx * g->by * g->bz};
	/* The upper face of a liquid cell, and from there a cell per layer. */
	add_bricks(b, dim, (const i32[]){g->px, g->py, g->pz}, LIQUID_REACH + 1 + layers);
	add_chunks(b, g->lattice, LIQUID_REACH + 1);
	b->near = b->slots;
	add_chunks(b, finest, 0);
	for (int n = 0; n < count; n++)
		add_bricks(b, dim, (const i32[]){levels[n].nx, levels[n].ny, levels[n].nz}, 0);
}

size_t bricks_list_fields(struct bricks *b, struct field fields[BRICKS_FIELDS])
{
	const size_t slots = (size_t)b->slots, near = (size_t)b->near;
	const struct field list[BRICKS_FIELDS] = {
		FIELD(&b->table, "brick layout", BRICK_LISTS),
		FIELD(&b->state, "brick states", near),
		FIELD(&b->place, "brick places", near + 1),
		FIELD(&b->list, "brick lists", BRICK_WORDS * slots),
		FIELD(&b->blocks, "blocks near particles", (size_t)b->block_count),
	};
	memcpy(fields, list, sizeof(list));
	return BRICKS_FIELDS;
}

bool bricks_read_environment(bool *all)
{
	return environment_switch("FRESHET_BRICKS", "listed", "all", all);
}

/* Those from `list` on, given which slots are listed: rows of theirs, or all. */
static bool make_lists(struct lattice *lattice, i32 list, i32 lists, bool all,
		       const union u32_buffer *rows, union u32_buffer *place)
{
	struct bricks *b = &lattice->bricks;
	const i32 from = b->layout[list].first, whole = all;
	const i32 slots = (lists < b->lists ? b->layout[lists].first : b->slots) - from;
	return scan_exclusive(lattice->cl, place, (size_t)slots, &lattice->scan_scratch) &&
	       LAUNCH(lattice->cl, bricks_list, clx_range1((size_t)slots), .table = &b->table,
		      .list = I32(list), .lists = I32(lists), .slots = I32(slots),
		      .whole = I32(whole), .rows = rows, .place = place, .bricks = &b->list,
		      .scalars = &lattice->scalars);
}

static bool list_near(struct lattice *lattice, const union u32_buffer *cell_start, bool all)
{
	struct bricks *b = &lattice->bricks;
	struct clx *cl = lattice->cl;
	const struct grid g = lattice->grid;
	const i32 settled = b->settled, everything = all;
	b->settled = false;
	const i32 items = b->near > b->block_count ? b->near : b->block_count;
	return LAUNCH(cl, bricks_mark, clx_range1((size_t)items), .g = &g, .table = &b->table,
		      .slots = I32(b->near), .settled = I32(settled), .all = I32(everything),
		      .start = cell_start, .state = &b->state, .place = &b->place,
		      .near = &b->blocks) &&
	       make_lists(lattice, BRICKS_BAND, BRICKS_SOLVER, true, &b->state, &b->place);
}

bool bricks_update(struct lattice *lattice, const union u32_buffer *cell_start)
{
	return list_near(lattice, cell_start, lattice->bricks.all);
}

static void set_count(struct bricks *b, i32 list, i32 count)
{
	const i32 layers = parts_of(count, BRICK_LAYER);
	b->run[list] = (struct brick_run){
		.first = b->layout[list].first,
		.count = count,
		.per_layer = layers > 0 ? parts_of(count, layers) : 0,
	};
}

void bricks_take_counts(struct lattice *lattice)
{
	for (i32 n = 0; n < BRICKS_SOLVER; n++)
		set_count(&lattice->bricks, n, (i32)lattice->host_scalars[SCALAR_BRICKS + n]);
}

bool bricks_list_unknowns(struct lattice *lattice, const struct mg_level *finest,
			  const union u8_buffer *cell_type, union u32_buffer *rows,
			  union u32_buffer *place)
{
	struct bricks *b = &lattice->bricks;
	struct clx *cl = lattice->cl;
	const struct grid g = lattice->grid;
	const i32 from = b->near, slots = b->slots - b->near, all = b->all;
	const size_t work = (size_t)b->layout[BRICKS_LEVEL].slots * BRICK_ROWS;
	return LAUNCH(cl, bricks_mark_rows, clx_range1(work), .g = &g, .level = finest,
		      .table = &b->table, .from = I32(from), .cell_type = cell_type,
		      .rows = rows) &&
	       LAUNCH(cl, bricks_mark_coarse, clx_groups(cl, 1), .table = &b->table,
		      .lists = I32(b->lists), .from = I32(from), .rows = rows) &&
	       LAUNCH(cl, bricks_count, clx_range1((size_t)slots), .slots = I32(slots),
		      .all = I32(all), .rows = rows, .place = place) &&
	       make_lists(lattice, BRICKS_SOLVER, b->lists, b->all, rows, place);
}

void bricks_take_unknowns(struct lattice *lattice)
{
	for (i32 n = BRICKS_SOLVER; n < lattice->bricks.lists; n++)
		set_count(&lattice->bricks, n, (i32)lattice->host_scalars[SCALAR_BRICKS + n]);
}

void bricks_settle(struct lattice *lattice)
{
	lattice->bricks.settled = true;
}

bool bricks_reset(struct lattice *lattice, const union u32_buffer *cell_start)
{
	struct bricks *b = &lattice->bricks;
	b->settled = false;
	for (i32 n = 0; n < BRICKS_SOLVER; n++)
		set_count(b, n, b->layout[n].slots);
	return list_near(lattice, cell_start, true);
}

bool bricks_create(struct lattice *lattice, const union u32_buffer *cell_start)
{
	struct bricks *b = &lattice->bricks;
	struct field fields[BRICKS_FIELDS];
	return bricks_read_environment(&b->all) &&
	       fields_allocate(lattice->cl, fields, bricks_list_fields(b, fields)) &&
	       clx_write(lattice->cl, &b->table, 0, sizeof(b->layout), b->layout) &&
	       bricks_reset(lattice, cell_start);
}

void bricks_destroy(struct lattice *lattice)
{
	struct field fields[BRICKS_FIELDS];
	fields_free(lattice->cl, fields, bricks_list_fields(&lattice->bricks, fields));
}

static struct clx_range over(const struct brick_run *run, size_t x, size_t rows)
{
	return run->count > 0 ? clx_bricks((size_t)run->count, (size_t)run->per_layer, x, rows)
			      : clx_range1(0);
}

struct clx_range bricks_points(const struct bricks *b, enum brick_list list)
{
	return over(&b->run[list], BRICK_X, BRICK_ROWS);
}

struct clx_range bricks_whole(const struct bricks *b, enum brick_list list)
{
	struct clx_range range = clx_range1((size_t)b->run[list].count);
	range.local[0] = range.local[1] = range.local[2] = 1;
	return range;
}

struct clx_range bricks_groups(const struct clx *cl, const struct bricks *b, enum brick_list list)
{
	return clx_groups(cl, (size_t)b->run[list].count);
}

/* Work-items for the points along x. */
static size_t along_x(const struct clx *cl)
{
	return clx_path(cl) == CLX_PATH_CPU ? 1 : BRICK_X;
}

struct clx_range bricks_columns(const struct clx *cl, const struct bricks *b, enum brick_list list)
{
	return over(&b->run[list], along_x(cl), 1);
}

struct clx_range bricks_in_rows(const struct clx *cl, const struct bricks *b, enum brick_list list)
{
	return over(&b->run[list], along_x(cl), BRICK_ROWS);
}

struct clx_range bricks_cells(const struct bricks *b, int level, int colours)
{
	return over(&b->run[BRICKS_LEVEL + level], BRICK_X / 2, BRICK_ROWS * (size_t)colours);
}

struct clx_range bricks_blocks(const struct bricks *b, int level)
{
	return over(&b->run[BRICKS_LEVEL + level], BRICK_X / 2,
		    b->dim == 3 ? BRICK_ROWS / 4 : BRICK_ROWS / 2);
}

struct clx_range bricks_level(const struct bricks *b, int level)
{
	return bricks_points(b, BRICKS_LEVEL + (enum brick_list)level);
}

struct clx_range bricks_elements(const struct bricks *b, enum brick_list list)
{
	return over(&b->run[list], PAIRS_LANES, CHUNK_ROWS);
}
