#include "components.h"

#include <math.h>
#include <stdlib.h>

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

/* ---- sums ----------------------------------------------------------------------------------- */

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

/* The launch of kernels that go through shares. */
static struct clx_range share_range(const struct grid *g, struct components_share share)
{
	const size_t rows = (size_t)g->ny * (size_t)g->nz;
	return clx_range3(((size_t)g->nx + (size_t)share.cells - 1) / (size_t)share.cells,
			  (rows + (size_t)share.rows - 1) / (size_t)share.rows, 1);
}

/* Of v over each singular component, for kernels. */
static bool sum_components(struct poisson *p, union f32_buffer *v, struct components_share share)
{
	struct clx *cl = p->lattice->cl;
	const struct grid g = p->lattice->grid;
	const struct mg_level level = p->mg.levels[0];
	const struct clx_range range = share_range(&g, share);
	return clx_zero(cl, &p->component_scale, 0, p->component_scale.bytes) &&
	       clx_zero(cl, &p->component_sums, 0, 3 * (size_t)p->singular * sizeof(u32)) &&
	       LAUNCH(cl, components_scale, range, .g = &g, .level = &level, .share = &share,
		      .index = &p->component, .v = v, .scale = &p->component_scale) &&
	       LAUNCH(cl, components_sum, range, .g = &g, .level = &level, .share = &share,
		      .index = &p->component, .v = v, .scale = &p->component_scale,
		      .sums = &p->component_sums);
}

bool components_project_by(struct poisson *p, union f32_buffer *v, struct components_share share)
{
	const struct grid g = p->lattice->grid;
	const struct mg_level level = p->mg.levels[0];
	return p->singular == 0 ||
	       (sum_components(p, v, share) &&
		LAUNCH(p->lattice->cl, components_subtract_mean, share_range(&g, share), .g = &g,
		       .level = &level, .share = &share, .index = &p->component,
		       .scale = &p->component_scale, .sums = &p->component_sums, .v = v));
}

static struct components_share own_share(const struct poisson *p)
{
	const struct clx *cl = p->lattice->cl;
	return components_share_rows(&p->lattice->grid, clx_path(cl), clx_info(cl)->compute_units);
}

bool components_project(struct poisson *p, union f32_buffer *v)
{
	return components_project_by(p, v, own_share(p));
}

/* What kernels/pressure/components.cl counts in: parts of the power of two below the largest. */
static double unit_of(f32 largest)
{
	return ldexp(1.0, ilogb((double)largest) - 29);
}

bool components_excess(struct poisson *p, union f32_buffer *v, double *sum)
{
	const size_t bytes = 3 * (size_t)p->singular * sizeof(u32);
	f32 largest = 0.0f;
	*sum = 0.0;
	if (p->singular == 0)
		return true;
	u32 *sums = malloc(bytes);
	if (!sums)
		return message_memory(bytes, "the sums of bodies of liquid");
	const bool ok = sum_components(p, v, own_share(p)) &&
			clx_read(p->lattice->cl, &p->component_sums, 0, bytes, sums) &&
			clx_read(p->lattice->cl, &p->component_scale, 0, sizeof(f32), &largest);
	for (u32 c = 0; ok && c < p->singular && largest > 0.0f && isfinite(largest); c++) {
		const u64 words = (u64)sums[3 * c] | (u64)sums[3 * c + 1] << 32;
		const double value = (double)(int64_t)words * unit_of(largest);
		*sum += value > 0.0 ? value : 0.0;
	}
	free(sums);
	return ok;
}
