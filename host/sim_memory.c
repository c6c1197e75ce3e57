#include "sim_memory.h"

#include <stdio.h>

#include "shape.h"

/* Share of the estimated particles that there will be for sure. */
#define ESTIMATE_SURE 0.95

#define SAMPLES_MOST 2.0e6 /* points at which the liquids are looked at */

/* ---- particles ---------------------------------------------------------------------------- */

static bool is_inside(const struct shape_program *shape, int dim, const f32 p[3])
{
	return shape_distance(dim, shape->ops, (int)shape->op_count, shape->points, p[0], p[1],
			      p[2]) < 0.0f;
}

static bool is_liquid(const struct scene *scene, const f32 p[3])
{
	for (size_t i = 0; i < scene->solid_count; i++)
		if (is_inside(&scene->solids[i].shape, scene->dim, p))
			return false;
	for (size_t i = 0; i < scene->liquid_count; i++)
		if (is_inside(&scene->liquids[i].shape, scene->dim, p))
			return true;
	return false;
}

/* Cells per axis are looked at 2^dim points each, or at fewer points where that is too many. */
static void sample_counts(const struct scene *scene, int64_t count[3])
{
	double scale = 2.0;
	double points = 1.0;
	for (int axis = 0; axis < scene->dim; axis++)
		points *= scale * scene->cells[axis];
	for (; points > SAMPLES_MOST; points /= scene->dim == 2 ? 4.0 : 8.0)
		scale /= 2.0;
	for (int axis = 0; axis < 3; axis++) {
		count[axis] = axis < scene->dim ? (int64_t)(scale * scene->cells[axis]) : 1;
		if (count[axis] < 1)
			count[axis] = 1;
	}
}

double sim_estimate_particles(const struct scene *scene)
{
	int64_t count[3], inside = 0;
	sample_counts(scene, count);
	for (int64_t k = 0; k < count[2]; k++)
		for (int64_t j = 0; j < count[1]; j++)
			for (int64_t i = 0; i < count[0]; i++) {
				int64_t at[3] = {i, j, k};
				f32 p[3] = {0.0f, 0.0f, 0.0f};
				for (int axis = 0; axis < scene->dim; axis++)
					p[axis] = (f32)(((double)at[axis] + 0.5) *
							scene->size[axis] / (double)count[axis]);
				inside += is_liquid(scene, p);
			}
	double cells = 1.0, points = 1.0;
	for (int axis = 0; axis < scene->dim; axis++) {
		cells *= scene->cells[axis];
		points *= (double)count[axis];
	}
	return (double)inside / points * cells * scene->particles_per_cell;
}

/* ---- the grid ----------------------------------------------------------------------------- */

static double cells_of(const struct scene *scene)
{
	double cells = 1.0;
	for (int axis = 0; axis < scene->dim; axis++)
		cells *= scene->cells[axis];
	return cells;
}

static u32 count_of(double particles)
{
	return particles < (double)SIM_MAX_PARTICLES ? (u32)particles : SIM_MAX_PARTICLES;
}

static bool fits(const struct scene *scene, double particles, bool split,
		 struct sim_memory_limit limit)
{
	uint64_t total, largest;
	sim_memory(scene, count_of(particles), split, NULL, 0, &total, &largest);
	return total <= limit.total && largest <= limit.buffer && particles <= SIM_MAX_PARTICLES;
}

static int common_divisor(int a, int b)
{
	while (b != 0) {
		const int rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Grids of the domain are multiples of cells / divisor. */
static int divisor_of(const struct scene *scene)
{
	int divisor = 0;
	for (int axis = 0; axis < scene->dim; axis++)
		divisor = common_divisor(scene->cells[axis], divisor);
	return divisor;
}

int sim_largest_grid(const struct scene *scene, struct sim_particle_need particles,
		     struct sim_memory_limit limit, int cells[3])
{
	struct scene coarse = *scene; /* shapes are shared */
	const int divisor = divisor_of(scene);
	int most = 0;
	/* Memory grows with the cells. */
	for (int low = 1, high = divisor; low <= high;) {
		const int middle = low + (high - low) / 2;
		for (int axis = 0; axis < scene->dim; axis++)
			coarse.cells[axis] = scene->cells[axis] / divisor * middle;
		coarse.h = scene->size[0] / coarse.cells[0];
		const double share =
			particles.follows_cells ? cells_of(&coarse) / cells_of(scene) : 1.0;
		if (fits(&coarse, particles.count * share, particles.split, limit)) {
			most = middle;
			low = middle + 1;
		} else {
			high = middle - 1;
		}
	}
	for (int axis = 0; axis < 3; axis++)
		cells[axis] = axis < scene->dim ? scene->cells[axis] / divisor * most : 1;
	return most ? cells[0] : 0;
}

bool sim_check_memory(const struct scene *scene, const struct clx *cl,
		      struct sim_particle_need particles, uint64_t allocated)
{
	const struct clx_device_info *info = clx_info(cl);
	const uint64_t others = clx_memory_in_use(cl) - allocated;
	const struct sim_memory_limit limit = {
		.total = info->global_memory > others ? info->global_memory - others : 0,
		.buffer = info->max_allocation,
	};
	uint64_t total, largest;
	int cells[3];
	char hint[160];
	/* Samples further apart than cells cannot tell how thick a thin layer is. */
	int64_t samples[3];
	sample_counts(scene, samples);
	const double share = !particles.estimated	    ? 1.0
			     : samples[0] < scene->cells[0] ? 0.0
							    : ESTIMATE_SURE;
	const double sure = particles.count * share;
	sim_memory(scene, count_of(sure), particles.split, NULL, 0, &total, &largest);
	if (total <= limit.total && largest <= limit.buffer)
		return true;
	const int x = sim_largest_grid(scene, particles, limit, cells);
	if (x == 0)
		snprintf(hint, sizeof(hint), "no coarser grid with the domain's proportions fits");
	else if (scene->dim == 3)
		snprintf(hint, sizeof(hint),
			 "the largest grid that fits has %d cells along x (%d x %d x %d)", x,
			 cells[0], cells[1], cells[2]);
	else
		snprintf(hint, sizeof(hint),
			 "the largest grid that fits has %d cells along x (%d x %d)", x, cells[0],
			 cells[1]);
	return clx_memory_refuse(cl, total, largest, hint);
}
