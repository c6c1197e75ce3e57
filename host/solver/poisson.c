#include "poisson.h"

#include <string.h>

#include "message.h"
#include "mg_state.h"

/* ---- memory ------------------------------------------------------------------------------- */

/* Places parts one behind the other from `at` on; returns where they end. */
static size_t place_parts(struct field_view *parts, size_t count, size_t at)
{
	for (size_t i = 0; i < count; i++) {
		parts[i].at = at;
		at += fields_aligned(parts[i].bytes);
	}
	return at;
}

/*
 * Parts of the scratch; returns the bytes up to the end of the last but one, the solution, which
 * comes at the end of the scratch, out of the way of what the projection writes while it reads it
 * (sim_fields.c).  What only the set-up needs lies in the vectors, which are zeroed after it.
 */
#define VECTORS 3
#define SETUP_PARTS 4
#define PARTS 17
static size_t list_parts(struct poisson *p, int dim, struct field_view parts[PARTS])
{
	struct multigrid *mg = &p->mg;
	const size_t cells = (size_t)mg->total * sizeof(f32), all = (size_t)mg->nodes * sizeof(f32),
		     fine = (size_t)mg->finest * sizeof(f32);
	const struct multigrid_part_sizes split = multigrid_part_sizes(mg, dim);
	const struct field_view list[PARTS] = {
		FIELD_VIEW(&mg->x, "multigrid x", all, 0),
		FIELD_VIEW(&mg->b, "multigrid b", all, 0),
		FIELD_VIEW(&p->direction, "search direction", fine, 0),
		FIELD_VIEW(&mg->type, "multigrid cell types", (size_t)mg->type_total, 0),
		FIELD_VIEW(&mg->part, "multigrid parts of fine cells", split.nodes, 0),
		FIELD_VIEW(&mg->scan, "multigrid part counts", split.scan * sizeof(u32), 0),
		FIELD_VIEW(&mg->scan_scratch, "multigrid scan", split.scan_scratch, 0),
		FIELD_VIEW(&mg->open, "multigrid links, finest level",
			   (size_t)mg->finest * (size_t)dim * sizeof(uint16_t), 0),
		FIELD_VIEW(&mg->link, "multigrid links",
			   multigrid_coarse_total(mg) * (size_t)dim * sizeof(f32), 0),
		FIELD_VIEW(&mg->excess, "multigrid excess", all, 0),
		FIELD_VIEW(&mg->residual, "multigrid residual", cells / 2, 0),
		FIELD_VIEW(&mg->stencil, "multigrid stencils",
			   multigrid_stencil_words(mg, dim) * sizeof(u32), 0),
		FIELD_VIEW(&mg->route, "multigrid routes", split.route, 0),
		FIELD_VIEW(&mg->parts, "multigrid parts of cells", split.cells * sizeof(u32), 0),
		FIELD_VIEW(&mg->row, "multigrid links of parts", split.row * sizeof(f32), 0),
		FIELD_VIEW(&mg->residual_extra, "multigrid residual of parts",
			   split.extras * sizeof(f32), 0),
		FIELD_VIEW(&p->solution_low, "pressure solution, low part", fine, 0),
	};
	memcpy(parts, list, sizeof(list));
	const size_t vectors = place_parts(parts, VECTORS, 0);
	const size_t setup = place_parts(parts + VECTORS, SETUP_PARTS, 0);
	return place_parts(parts + VECTORS + SETUP_PARTS, PARTS - VECTORS - SETUP_PARTS,
			   vectors > setup ? vectors : setup);
}

size_t poisson_scratch_bytes(const struct grid *grid, int dim, bool solids)
{
	struct poisson p = {0};
	struct field_view parts[PARTS];
	multigrid_plan(&p.mg, grid, dim, 1, solids);
	const size_t solution = fields_aligned((size_t)p.mg.finest * sizeof(f32));
	const size_t bytes = list_parts(&p, dim, parts) + solution;
	const size_t u = fields_aligned((size_t)grid->lattice * (size_t)dim * sizeof(f32));
	const size_t projection = 2 * u + solution;
	return bytes > projection ? bytes : projection;
}

size_t poisson_list_fields(struct poisson *p, struct field fields[POISSON_FIELDS])
{
	struct multigrid *mg = &p->mg;
	const struct field list[POISSON_FIELDS] = {
		FIELD(&mg->state, "solver state", MG_STATE_WORDS),
		FIELD(&mg->level_table, "multigrid levels", MG_MAX_LEVELS),
		FIELD(&mg->tally, "multigrid part tally", 2 * MG_MAX_LEVELS),
		FIELD(&p->component_scale, "component scale", 1),
		FIELD(&p->component_sums, "component sums", 3),
	};
	for (int i = 0; i < POISSON_FIELDS; i++)
		fields[i] = list[i];
	return POISSON_FIELDS;
}

static bool make_views(struct poisson *p, const struct poisson_memory *memory)
{
	static const char *const names[POISSON_PURPOSES] = {"pressure right-hand side",
							    "drift right-hand side"};
	struct clx *cl = p->lattice->cl;
	union u8_buffer *scratch = memory->scratch;
	struct field_view parts[PARTS];
	const size_t fine = (size_t)p->mg.finest * sizeof(f32);
	list_parts(p, p->lattice->dim, parts);
	if (!fields_make_views(cl, scratch, parts, PARTS))
		return false;
	for (int i = 0; i < POISSON_PURPOSES; i++)
		if (!clx_view_raw(cl, memory->rhs[i], 0, fine, names[i], &p->place_of[i].raw))
			return false;
	return clx_view(cl, scratch, scratch->bytes - fields_aligned(fine), fine,
			"pressure solution", &p->solution);
}

bool poisson_create(struct poisson *p, const struct poisson_memory *memory, bool split)
{
	struct lattice *lattice = p->lattice;
	struct clx *cl = lattice->cl;
	struct field fields[POISSON_FIELDS];
	struct multigrid *mg = &p->mg;
	mg->cl = cl;
	mg->bricks = &lattice->bricks;
	multigrid_plan(mg, &lattice->grid, lattice->dim, p->settings->sweeps, split);
	if (clx_info(cl)->is_cpu)
		multigrid_spread(mg);
	if (!make_views(p, memory))
		return false;
	p->rhs = p->place_of[POISSON_PRESSURE];
	return fields_allocate(cl, fields, poisson_list_fields(p, fields)) &&
	       clx_write(cl, &mg->level_table, 0, (size_t)mg->count * sizeof(struct mg_level),
			 mg->levels);
}

void poisson_destroy(struct poisson *p)
{
	struct clx *cl = p->lattice->cl;
	struct field_view parts[PARTS];
	struct field fields[POISSON_FIELDS];
	list_parts(p, p->lattice->dim, parts);
	fields_free_views(cl, parts, PARTS);
	clx_free(cl, &p->solution);
	for (int i = 0; i < POISSON_PURPOSES; i++)
		clx_free(cl, &p->place_of[i]);
	fields_free(cl, fields, poisson_list_fields(p, fields));
}

/* ---- operator ----------------------------------------------------------------------------- */

static bool clear_all(struct clx *cl, union f32_buffer *const buffers[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!clx_zero(cl, buffers[i], 0, buffers[i]->bytes))
			return false;
	return true;
}

bool poisson_clear_vectors(struct poisson *p)
{
	union f32_buffer *const vectors[] = {&p->mg.x, &p->mg.b, &p->direction};
	return clear_all(p->lattice->cl, vectors, sizeof(vectors) / sizeof(vectors[0]));
}

/* The set-up lies in memory of the vectors: these are zeroed. */
bool poisson_update_operator(struct poisson *p)
{
	struct multigrid *mg = &p->mg;
	const struct grid g = p->lattice->grid;
	return LAUNCH(mg->cl, pressure_coefficients, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0), .g = &g,
		      .level = &mg->levels[0], .cell_type = p->cell_type, .phi = p->phi,
		      .open_fraction = p->open_fraction, .opened = p->opened, .open = &mg->open,
		      .excess = &mg->excess) &&
	       multigrid_setup(mg, p->cell_type) && poisson_clear_vectors(p);
}

static void warn_about_parts(struct poisson *p)
{
	if (p->mg.merged == 0 || p->parts_warned)
		return;
	p->parts_warned = true;
	message_warning("walls cut coarse cells into more parts than there is room for: %u of %u "
			"further parts stay merged, which costs iterations of the pressure solve; "
			"later cases are not reported",
			p->mg.merged, p->mg.further);
}

bool poisson_build_operator(struct poisson *p)
{
	struct multigrid *mg = &p->mg;
	/* Nothing writes halos, and other stages used this memory. */
	union f32_buffer *const others[] = {&mg->link, &mg->excess, &mg->residual};
	/* The lists are made in vectors that the set-up is going to zero. */
	if (!bricks_list_unknowns(p->lattice, &mg->levels[0], p->cell_type, CLX_AS(u32, &mg->b),
				  CLX_AS(u32, &p->direction)) ||
	    !clx_zero(mg->cl, &mg->open, 0, mg->open.bytes) ||
	    !clear_all(p->lattice->cl, others, sizeof(others) / sizeof(others[0])) ||
	    !poisson_update_operator(p))
		return false;
	warn_about_parts(p);
	return true;
}

bool poisson_place_rhs(struct poisson *p, enum poisson_purpose purpose)
{
	p->purpose = purpose;
	p->rhs = p->place_of[purpose];
	return clx_zero(p->lattice->cl, &p->rhs, 0, p->rhs.bytes);
}
