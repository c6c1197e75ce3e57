#include "components.h"

#include "message.h"
#include "scan.h"

/* Labels and counts; what is singular gets its numbers later, if there is any. */
static bool label_cells(struct poisson *p)
{
	struct lattice *lattice = p->lattice;
	struct clx *cl = lattice->cl;
	const struct grid g = lattice->grid;
	/* The solver's vectors are free until the solve. */
	union u32_buffer *label = CLX_AS(u32, &p->direction);
	union u32_buffer *root = CLX_AS(u32, &p->mg.x), *tied = CLX_AS(u32, &p->mg.b);

	return LAUNCH(cl, components_init, clx_range3((size_t)g.py, (size_t)g.pz, 1), .g = &g,
		      .cell_type = p->cell_type, .open_fraction = p->open_fraction, .label = label,
		      .tied = tied, .scalars = &lattice->scalars) &&
	       LAUNCH(cl, components_join, lattice_points(lattice), .g = &g,
		      .cell_type = p->cell_type, .open_fraction = p->open_fraction,
		      .label = label) &&
	       LAUNCH(cl, components_flatten, lattice_points(lattice), .g = &g,
		      .cell_type = p->cell_type, .open_fraction = p->open_fraction,
		      .opened = p->opened, .label = label, .root = root, .tied = tied) &&
	       LAUNCH(cl, components_count, lattice_flat(lattice), .g = &g,
		      .cell_type = p->cell_type, .root = root, .tied = tied, .index = &p->component,
		      .scalars = &lattice->scalars);
}

/* Takes the counts from the scalars, and numbers the singular components. */
static bool number_components(struct poisson *p)
{
	struct lattice *lattice = p->lattice;
	struct clx *cl = lattice->cl;
	const struct grid g = lattice->grid;
	union u32_buffer *root = CLX_AS(u32, &p->mg.x), *tied = CLX_AS(u32, &p->mg.b);
	p->singular = lattice->host_scalars[SCALAR_SINGULAR_COMPONENTS];
	if (p->singular == 0)
		return true;
	if (p->singular > SEALED_MOST)
		return message_error("%u bodies of liquid without a free surface: at most %u",
				     p->singular, SEALED_MOST);
	if (!scan_exclusive(cl, tied, (size_t)g.lattice, CLX_AS(u32, &p->solution_low)) ||
	    !LAUNCH(cl, components_number, lattice_flat(lattice), .g = &g,
		    .cell_type = p->cell_type, .root = root, .numbers = tied,
		    .index = &p->component))
		return false;
	/* Sums of the singular components: three words each, and the scale in front. */
	size_t needed = (3 * (size_t)p->singular) * sizeof(u32);
	if (p->component_sums.bytes < needed) {
		clx_free(cl, &p->component_sums);
		return clx_alloc(cl, &p->component_sums, "component sums", 6 * (size_t)p->singular);
	}
	return true;
}

bool components_label(struct poisson *p)
{
	return label_cells(p) && lattice_read_scalars(p->lattice) && number_components(p);
}

bool components_set_up(struct poisson *p)
{
	/* The set-up takes the memory of the labels. */
	return label_cells(p) && lattice_read_scalars(p->lattice) && number_components(p) &&
	       poisson_set_up(p);
}

/* Work-items for each core of a CPU. */
#define CORE_ITEMS 8
/* Cells of a row on other devices, and most of their rows of work-items, as devices have few groups
 * along the last axes. */
#define RUN 32
#define MOST_ROWS 32768
/* Most cells of a work-item on a CPU, two or three loops over each: one driver of CPUs ends loops
 * early (docs/portability.md). */
#define MOST_CELLS 8192

static i32 least(i32 a, i32 b)
{
	return a < b ? a : b;
}

struct components_share components_share_rows(const struct grid *g, enum clx_path path, u32 units)
{
	const bool is_cpu = path == CLX_PATH_CPU;
	const i32 rows = g->ny * g->nz, cells = least(g->nx, is_cpu ? MOST_CELLS : RUN);
	const i32 items = !is_cpu ? MOST_ROWS : CORE_ITEMS * (units > 0 ? (i32)units : 1);
	const i32 each = rows / items + (rows % items > 0);
	return (struct components_share){
		.cells = cells,
		.rows = is_cpu ? least(each, MOST_CELLS / cells) : each,
	};
}

bool components_project_by(struct poisson *p, union f32_buffer *v, struct components_share share)
{
	struct clx *cl = p->lattice->cl;
	const struct grid g = p->lattice->grid;
	const struct mg_level level = p->mg.levels[0];
	const size_t rows = (size_t)g.ny * (size_t)g.nz;
	const struct clx_range range =
		clx_range3(((size_t)g.nx + (size_t)share.cells - 1) / (size_t)share.cells,
			   (rows + (size_t)share.rows - 1) / (size_t)share.rows, 1);
	if (p->singular == 0)
		return true;
	return clx_zero(cl, &p->component_scale, 0, p->component_scale.bytes) &&
	       clx_zero(cl, &p->component_sums, 0, 3 * (size_t)p->singular * sizeof(u32)) &&
	       LAUNCH(cl, components_scale, range, .g = &g, .level = &level, .share = &share,
		      .index = &p->component, .v = v, .scale = &p->component_scale) &&
	       LAUNCH(cl, components_sum, range, .g = &g, .level = &level, .share = &share,
		      .index = &p->component, .v = v, .scale = &p->component_scale,
		      .sums = &p->component_sums) &&
	       LAUNCH(cl, components_subtract_mean, range, .g = &g, .level = &level,
		      .share = &share, .index = &p->component, .scale = &p->component_scale,
		      .sums = &p->component_sums, .v = v);
}

bool components_project(struct poisson *p, union f32_buffer *v)
{
	const struct clx *cl = p->lattice->cl;
	return components_project_by(p, v,
				     components_share_rows(&p->lattice->grid, clx_path(cl),
							   clx_info(cl)->compute_units));
}
