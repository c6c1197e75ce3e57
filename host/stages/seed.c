#include "seed.h"

#include <inttypes.h>

#include "loops.h"
#include "message.h"
#include "scan.h"
#include "seed_params.h"
#include "shape_program.h"
#include "sources/seed_points.h"

/* What a pass over the liquids needs on the device, besides the sim's own buffers. */
struct seeder {
	union shape_op_buffer ops;
	union f32_buffer points;
	union i32_buffer ends;	  /* the liquids' programs */
	union u32_buffer counts;  /* u32 [cells+1], of one liquid at a time; a view */
	union u32_buffer totals;  /* u32 [SEED_TOTALS] */
	union u32_buffer scratch; /* of the scan; a view */
	size_t cells;
	struct clx_range range;
};

static size_t seed_counts_bytes(size_t cells)
{
	const size_t bytes = (cells + 1) * sizeof(u32);
	return (bytes + CLX_VIEW_ALIGNMENT - 1) / CLX_VIEW_ALIGNMENT * CLX_VIEW_ALIGNMENT;
}

size_t seed_scratch_bytes(const struct grid *g)
{
	const size_t cells = (size_t)g->nx * (size_t)g->ny * (size_t)g->nz;
	return seed_counts_bytes(cells) + scan_scratch_bytes(cells);
}

static void seeder_finish(struct clx *cl, struct seeder *seeder)
{
	clx_free(cl, &seeder->ops);
	clx_free(cl, &seeder->points);
	clx_free(cl, &seeder->ends);
	clx_free(cl, &seeder->counts);
	clx_free(cl, &seeder->totals);
	clx_free(cl, &seeder->scratch);
}

static bool upload_programs(struct clx *cl, const struct shape_program *programs, const i32 *ends,
			    size_t liquids, struct seeder *seeder)
{
	return clx_alloc(cl, &seeder->ops, "liquid_ops", programs->op_count) &&
	       clx_alloc_raw(cl, &seeder->points.raw, "liquid_points", programs->point_count,
			     2 * sizeof(f32)) &&
	       clx_alloc(cl, &seeder->ends, "liquid_ends", liquids) &&
	       (programs->op_count == 0 ||
		clx_write(cl, &seeder->ops, 0, programs->op_count * sizeof(struct shape_op),
			  programs->ops)) &&
	       (programs->point_count == 0 ||
		clx_write(cl, &seeder->points, 0, programs->point_count * 2 * sizeof(float),
			  programs->points)) &&
	       (liquids == 0 || clx_write(cl, &seeder->ends, 0, liquids * sizeof(i32), ends));
}

/* Nothing of the step lives yet: what is as large as the grid lies in its scratch. */
static bool make_views(struct sim *sim, struct seeder *seeder)
{
	const size_t counts = seed_counts_bytes(seeder->cells);
	return clx_view(sim->cl, &sim->scratch, 0, counts, "seed counts", &seeder->counts) &&
	       clx_view(sim->cl, &sim->scratch, counts, scan_scratch_bytes(seeder->cells),
			"seed scan", &seeder->scratch);
}

static bool seeder_init(struct sim *sim, struct seeder *seeder)
{
	const struct scene *scene = sim->scene;
	const struct grid g = sim->lattice.grid;
	struct shape_program programs = {0};
	i32 ends[SEED_MAX_LIQUIDS] = {0};
	if (scene->liquid_count > SEED_MAX_LIQUIDS)
		return message_error("%zu liquids: at most %d are allowed", scene->liquid_count,
				     SEED_MAX_LIQUIDS);
	bool done = true;
	for (size_t l = 0; l < scene->liquid_count && done; l++) {
		done = shape_program_append(&programs, &scene->liquids[l].shape, false);
		ends[l] = (i32)programs.op_count;
	}
	seeder->range = clx_range3((size_t)g.nx, (size_t)g.ny, (size_t)g.nz);
	seeder->cells = (size_t)g.nx * (size_t)g.ny * (size_t)g.nz;
	done = done && upload_programs(sim->cl, &programs, ends, scene->liquid_count, seeder) &&
	       make_views(sim, seeder) &&
	       clx_alloc(sim->cl, &seeder->totals, "seed_totals", SEED_TOTALS);
	shape_program_finish(&programs);
	return done;
}

static struct seed_params liquid_params(const struct scene *scene, size_t l)
{
	const struct scene_liquid *liquid = &scene->liquids[l];
	struct seed_params p = {
		.liquid = (i32)l,
		.seed = liquid->seed,
		.particles_per_cell = scene->particles_per_cell,
		.divisions = 1,
		.jitter = (f32)liquid->jitter,
	};
	for (int axis = 0; axis < 3; axis++) {
		p.velocity[axis] = (f32)liquid->velocity[axis];
		p.angular_velocity[axis] = (f32)liquid->angular_velocity[axis];
		p.pivot[axis] = (f32)liquid->pivot[axis];
	}
	for (;; p.divisions++) {
		i32 sub_cells = p.divisions * p.divisions * (scene->dim == 3 ? p.divisions : 1);
		if (sub_cells >= p.particles_per_cell)
			return p;
	}
}

/* Counts one liquid's particles per cell; totals start from zero. */
static bool count_liquid(struct sim *sim, struct seeder *seeder, const struct seed_params p,
			 u32 totals[SEED_TOTALS])
{
	const struct grid g = sim->lattice.grid;
	i32 solid_ops = (i32)sim->solids.op_count;
	return clx_zero(sim->cl, &seeder->totals, 0, SEED_TOTALS * sizeof(u32)) &&
	       LAUNCH(sim->cl, seed_count_cells, seeder->range, .g = &g, .p = &p,
		      .ops = &seeder->ops, .points = &seeder->points, .ends = &seeder->ends,
		      .solid_ops = &sim->solids.ops, .solid_op_count = I32(solid_ops),
		      .solid_points = &sim->solids.points, .counts = &seeder->counts,
		      .totals = &seeder->totals) &&
	       clx_read(sim->cl, &seeder->totals, 0, SEED_TOTALS * sizeof(u32), totals) &&
	       (!totals[SEED_LOOPS_CUT] || loops_report(sim->cl));
}

bool seed_count(struct sim *sim, u32 *total)
{
	struct seeder seeder = {0};
	uint64_t sum = 0;
	bool done = seeder_init(sim, &seeder);
	for (size_t l = 0; l < sim->scene->liquid_count && done; l++) {
		u32 totals[SEED_TOTALS] = {0};
		done = count_liquid(sim, &seeder, liquid_params(sim->scene, l), totals);
		sum += (uint64_t)totals[SEED_KEPT_HIGH] << 32 | totals[SEED_KEPT_LOW];
		sum += sim->scene->liquids[l].points.count;
	}
	seeder_finish(sim->cl, &seeder);
	/* indices are signed on the device */
	if (done && sum > INT32_MAX)
		done = message_error("the scene starts with %" PRIu64
				     " particles: at most %d are possible",
				     sum, INT32_MAX);
	*total = done ? (u32)sum : 0;
	return done;
}

static bool write_liquid(struct sim *sim, struct seeder *seeder, const struct seed_params p,
			 u32 first)
{
	const struct grid g = sim->lattice.grid;
	i32 solid_ops = (i32)sim->solids.op_count;
	struct particle_set *now = &sim->particles.now;
	u32 stride = sim->particles.capacity;
	return scan_exclusive(sim->cl, &seeder->counts, seeder->cells, &seeder->scratch) &&
	       LAUNCH(sim->cl, seed_write_cells, seeder->range, .g = &g, .p = &p,
		      .ops = &seeder->ops, .points = &seeder->points, .ends = &seeder->ends,
		      .solid_ops = &sim->solids.ops, .solid_op_count = I32(solid_ops),
		      .solid_points = &sim->solids.points, .starts = &seeder->counts,
		      .first = U32(first), .stride = U32(stride), .position = &now->position,
		      .velocity = &now->velocity, .id = &now->id);
}

bool seed_particles(struct sim *sim)
{
	struct seeder seeder = {0};
	struct particles *particles = &sim->particles;
	uint64_t in_solids = 0;
	bool empty[SEED_MAX_LIQUIDS] = {false};
	u32 first = 0;
	bool done = seeder_init(sim, &seeder);
	id_ranges_free(&particles->ids);
	for (size_t l = 0; l < sim->scene->liquid_count && done; l++) {
		const struct seed_params p = liquid_params(sim->scene, l);
		u32 totals[SEED_TOTALS] = {0}, points = 0;
		done = count_liquid(sim, &seeder, p, totals);
		if (done && totals[SEED_KEPT_LOW] > particles->capacity - first)
			done = message_error("seeding: more particles than the %" PRIu32
					     " that there is room for",
					     particles->capacity);
		done = done && write_liquid(sim, &seeder, p, first) &&
		       id_ranges_add(&particles->ids, totals[SEED_KEPT_LOW], (uint8_t)l);
		first += totals[SEED_KEPT_LOW];
		done = done && seed_points(sim, l, first, &points) &&
		       id_ranges_add(&particles->ids, points, (uint8_t)l);
		empty[l] = totals[SEED_KEPT_LOW] + points == 0;
		first += points;
		in_solids += totals[SEED_IN_SOLIDS];
	}
	done = done && clx_wait(sim->cl);
	seeder_finish(sim->cl, &seeder);
	if (!done)
		return false;
	particles->count = first;
	for (size_t l = 0; l < sim->scene->liquid_count && first > 0; l++)
		if (empty[l] && (sim->scene->liquids[l].shape.op_count > 0 ||
				 sim->scene->liquids[l].points.file))
			message_warning(
				"liquid '%s' has no particles: no seed lies in its shape, the "
				"box, and outside solids and earlier liquids",
				sim->scene->liquids[l].name);
	sim->seeds_in_solids = in_solids > UINT32_MAX ? UINT32_MAX : (u32)in_solids;
	if (in_solids > 0)
		message_note("%" PRIu64 " seeds dropped: inside solids", in_solids);
	return true;
}
