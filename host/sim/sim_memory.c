#include "sim_memory.h"

#include <math.h>
#include <stdio.h>

#include "random_unit.h"
#include "scene_grid.h"
#include "seed_params.h"
#include "shape.h"
#include "sim_fields.h"
#include "sources.h"

#define SEEDS_MOST 2.0e6 /* that are looked at */
#define DEVIATIONS 5.0	 /* by which the estimate may be too high */

/* ---- particles ---------------------------------------------------------------------------- */

static f32 distance(const struct shape_program *shape, int dim, const f32 p[3])
{
	return shape_distance(dim, shape->ops, (int)shape->op_count, shape->points, p[0], p[1],
			      p[2]);
}

/* Is a seed of the liquid kept at p? */
static bool is_kept(const struct scene *scene, size_t liquid, const f32 p[3])
{
	if (!(distance(&scene->liquids[liquid].shape, scene->dim, p) < 0.0f))
		return false;
	for (size_t i = 0; i < liquid; i++)
		if (distance(&scene->liquids[i].shape, scene->dim, p) < 0.0f)
			return false;
	for (size_t i = 0; i < scene->solid_count; i++)
		if (!(distance(&scene->solids[i].shape, scene->dim, p) >
		      SEED_CLEARANCE * (f32)scene->h))
			return false;
	return true;
}

/* The box cut into as many parts as there are sub-cells that seeds may lie in, or as are
 * affordable; one sub-cell of each is looked at. */
struct sample {
	double sub_cells[3]; /* along each axis */
	int64_t parts[3];
	int divisions; /* sub-cells of a cell along an axis */
};

static struct sample plan_sample(const struct scene *scene)
{
	struct sample s = {.divisions = 1};
	double scale = 1.0, points = 1.0;
	while (pow(s.divisions, scene->dim) < scene->particles_per_cell)
		s.divisions++;
	for (int axis = 0; axis < 3; axis++) {
		s.sub_cells[axis] =
			axis < scene->dim ? (double)s.divisions * scene->cells[axis] : 1.0;
		points *= s.sub_cells[axis];
	}
	for (; points > SEEDS_MOST; points /= scene->dim == 2 ? 4.0 : 8.0)
		scale /= 2.0;
	for (int axis = 0; axis < 3; axis++) {
		s.parts[axis] = (int64_t)(scale * s.sub_cells[axis]);
		if (axis >= scene->dim || s.parts[axis] < 1)
			s.parts[axis] = 1;
	}
	return s;
}

/* How many liquids keep a seed in that part's sub-cell, anywhere in it as their jitter allows; they
 * are marked in found[], if that is not NULL. */
static int look(const struct scene *scene, const struct sample *s, const int64_t part[3],
		u64 *counter, bool *found)
{
	double middle[3], offset[3];
	int kept = 0;
	for (int axis = 0; axis < scene->dim; axis++) {
		middle[axis] = 0.5 + floor(((double)part[axis] + random_unit(counter)) *
					   s->sub_cells[axis] / (double)s->parts[axis]);
		offset[axis] = random_unit(counter) - 0.5;
	}
	for (size_t l = 0; l < scene->liquid_count; l++) {
		f32 p[3] = {0.0f, 0.0f, 0.0f};
		for (int axis = 0; axis < scene->dim; axis++)
			p[axis] = (f32)((middle[axis] + scene->liquids[l].jitter * offset[axis]) *
					scene->h / s->divisions);
		if (!is_kept(scene, l, p))
			continue;
		kept++;
		if (found)
			found[l] = true;
	}
	return kept;
}

double sim_estimate_particles(const struct scene *scene, double *sure, bool *found)
{
	const struct sample s = plan_sample(scene);
	const int64_t *n = s.parts;
	double kept = 0.0, each = scene->particles_per_cell;
	u64 counter = 0;
	for (int64_t k = 0; k < n[2]; k++)
		for (int64_t j = 0; j < n[1]; j++)
			for (int64_t i = 0; i < n[0]; i++)
				kept += look(scene, &s, (const int64_t[]){i, j, k}, &counter,
					     found);
	for (int axis = 0; axis < scene->dim; axis++)
		each *= scene->cells[axis] / (double)n[axis];
	double points = 0.0;
	for (size_t l = 0; l < scene->liquid_count; l++) {
		points += (double)scene->liquids[l].points.count;
		if (found && scene->liquids[l].points.count > 0)
			found[l] = true;
	}
	const double least = kept - DEVIATIONS * sqrt(kept);
	for (size_t i = 0; i < scene->inflow_count && found; i++)
		found[scene->inflows[i].part.liquid] = true;
	for (size_t i = 0; i < scene->outflow_count && found; i++)
		found[scene->outflows[i].part.liquid] = true;
	for (size_t i = 0; i < scene->emitter_count && found; i++)
		found[scene->emitters[i].liquid] = true;
	*sure = each * (least > 0.0 ? least : 0.0) + points;
	return each * kept + points + sources_estimate(scene);
}

bool sim_is_small(const struct scene *scene)
{
	const int most = scene->dim == 3 ? SIM_SMALL_3D : SIM_SMALL_2D;
	double sure;
	/* The sample is as large as the grid, so it is looked at only where that is small. */
	return scene_grid(scene).lattice <= 2 * most &&
	       sim_estimate_particles(scene, &sure, NULL) <= most;
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

/* The largest n up to `parts` for which n parts of the scene's cells along each axis fit, at least
 * one cell each; cells[] gets them. */
static int largest_part(const struct scene *scene, int parts, struct sim_particle_need particles,
			struct sim_memory_limit limit, int cells[3])
{
	struct scene part = *scene; /* shapes are shared */
	int most = 0;
	/* Memory grows with the cells, and does not depend on their size. */
	for (int low = 1, high = parts; low <= high;) {
		const int middle = low + (high - low) / 2;
		for (int axis = 0; axis < scene->dim; axis++) {
			part.cells[axis] = (int)((int64_t)scene->cells[axis] * middle / parts);
			if (part.cells[axis] < 1)
				part.cells[axis] = 1;
		}
		const double share =
			particles.follows_cells ? cells_of(&part) / cells_of(scene) : 1.0;
		if (fits(&part, particles.count * share, particles.split, limit)) {
			most = middle;
			low = middle + 1;
			for (int axis = 0; axis < 3; axis++)
				cells[axis] = axis < scene->dim ? part.cells[axis] : 1;
		} else {
			high = middle - 1;
		}
	}
	return most;
}

int sim_largest_grid(const struct scene *scene, struct sim_particle_need particles,
		     struct sim_memory_limit limit, int cells[3])
{
	return largest_part(scene, divisor_of(scene), particles, limit, cells) ? cells[0] : 0;
}

int sim_largest_box(const struct scene *scene, struct sim_particle_need particles,
		    struct sim_memory_limit limit, int cells[3])
{
	int longest = 1;
	for (int axis = 0; axis < scene->dim; axis++)
		if (scene->cells[axis] > longest)
			longest = scene->cells[axis];
	return largest_part(scene, longest, particles, limit, cells);
}

void sim_smaller_hint(const struct scene *scene, struct sim_particle_need particles,
		      struct sim_memory_limit limit, char hint[SIM_HINT])
{
	int cells[3];
	char grid[48];
	const int x = sim_largest_grid(scene, particles, limit, cells);
	const bool smaller = x || sim_largest_box(scene, particles, limit, cells);
	if (smaller)
		snprintf(grid, sizeof(grid), scene->dim == 3 ? "%d x %d x %d" : "%d x %d", cells[0],
			 cells[1], cells[2]);
	if (x)
		snprintf(hint, SIM_HINT, "the largest grid that fits has %d cells along x (%s)", x,
			 grid);
	else if (smaller)
		snprintf(hint, SIM_HINT,
			 "the domain's proportions allow no coarser grid that fits; of cells of "
			 "this size a domain of %s fits, in these proportions",
			 grid);
	else
		snprintf(
			hint, SIM_HINT,
			"no smaller grid fits: reduce the particles, or what else uses the device");
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
	char hint[SIM_HINT];
	sim_memory(scene, count_of(particles.sure), particles.split, NULL, 0, &total, &largest);
	if (total <= limit.total && largest <= limit.buffer)
		return true;
	sim_smaller_hint(scene, particles, limit, hint);
	return clx_memory_refuse(cl, total, largest, hint);
}
