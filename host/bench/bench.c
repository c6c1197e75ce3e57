#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "shape.h"

/* ---- the scene ---------------------------------------------------------------------------- */

/* The unit box of n^dim cells, its left half full, no lid: what a scene file without further keys
 * would give.  Sparse: a box twice as long, and a column in its corner that fills 5 % of it. */
struct scene *bench_create_scene(const struct bench_options *options, int dim, int n)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	if (!scene)
		goto fail;
	scene->dim = dim;
	scene->h = 1.0 / n;
	for (int axis = 0; axis < 3; axis++) {
		scene->cells[axis] = axis < dim ? n : 1;
		scene->size[axis] = axis < dim ? 1.0 : 0.0;
	}
	if (options->sparse) {
		scene->cells[0] = 2 * n;
		scene->size[0] = 2.0;
	}
	scene->open[WALL_Y_HIGH] = true;
	scene->time.frames = 1000000;
	scene->time.fps = 1.0; /* no frame ends within the run */
	scene->time.cfl = 1.0;
	scene->time.max_dt = 0.02;
	scene->density = 1000.0;
	scene->particles_per_cell = dim == 3 ? 8 : 4;
	scene->transfer = options->transfer;
	scene->flip_ratio = 0.97;
	scene->solver.pressure = SOLVER_MGPCG;
	scene->solver.tolerance = 1e-5;
	scene->solver.max_iterations = 200;
	scene->solver.sweeps = 2;
	scene->solver.advection = ADVECTION_RK2;
	scene->solver.drift = DRIFT_POSITION;
	scene->solver.separation = true;
	scene->output.surface.resolution = dim == 2 ? 2 : 1;

	scene->path = calloc(1, 1);
	scene->name = calloc(16, 1);
	scene->gravity = calloc(1, sizeof(*scene->gravity));
	scene->liquids = calloc(1, sizeof(*scene->liquids));
	if (!scene->path || !scene->name || !scene->gravity || !scene->liquids)
		goto fail;
	snprintf(scene->name, 16, "bench");
	scene->gravity_count = 1;
	scene->gravity[0].g[1] = -9.81;
	scene->liquid_count = 1;
	struct scene_liquid *liquid = &scene->liquids[0];
	liquid->jitter = 1.0;
	liquid->seed = 1;
	liquid->name = calloc(16, 1);
	liquid->shape.ops = calloc(1, sizeof(*liquid->shape.ops));
	if (!liquid->name || !liquid->shape.ops)
		goto fail;
	snprintf(liquid->name, 16, "dam");
	liquid->shape.op_count = 1;
	struct shape_op *box = &liquid->shape.ops[0];
	box->kind = SHAPE_BOX;
	box->a[3] = 0.5f;
	box->a[4] = box->a[5] = 1.0f;
	if (options->sparse) {
		box->a[3] = 0.4f;
		box->a[4] = dim == 3 ? 0.5f : 0.25f;
		box->a[5] = 0.5f;
	}
	return scene;
fail:
	scene_free(scene);
	message_memory(0, "the scene");
	return NULL;
}

/* ---- the stages --------------------------------------------------------------------------- */

/* Samples of every measured substep. */
struct samples {
	double *wall;					     /* [steps], ms */
	double *ms, *bytes, *launches, *transfers;	     /* [stages][steps] */
	double pressure, drift, dt, liquid_cells, particles; /* sums */
};

static void samples_free(struct samples *s)
{
	free(s->wall);
	free(s->ms);
	free(s->bytes);
	free(s->launches);
	free(s->transfers);
}

static bool samples_create(struct samples *s, size_t steps)
{
	const size_t all = steps * sim_stage_count();
	s->wall = calloc(steps, sizeof(double));
	s->ms = calloc(all, sizeof(double));
	s->bytes = calloc(all, sizeof(double));
	s->launches = calloc(all, sizeof(double));
	s->transfers = calloc(all, sizeof(double));
	return (s->wall && s->ms && s->bytes && s->launches && s->transfers) ||
	       message_memory((steps + 4 * all) * sizeof(double),
			      "times of substeps; --steps makes them fewer");
}

static bool measure_step(struct sim *sim, size_t step, size_t steps, struct samples *s,
			 struct bench_result *result)
{
	struct clx_stage_count before[CLX_MAX_STAGES], after[CLX_MAX_STAGES];
	clx_stage_counts(sim->cl, before);
	const double start = bench_clock();
	if (!sim_substep(sim))
		return false;
	s->wall[step] = bench_clock() - start;
	clx_stage_counts(sim->cl, after);

	const struct step_stats *stats = &sim->stats;
	const struct bench_load load = {
		.dim = sim->dim,
		.particles = stats->particles,
		.liquid_cells = stats->report.liquid_cells,
		.affine = sim->scene->transfer == TRANSFER_APIC,
		.sweeps = sim->scene->solver.sweeps,
		.pressure_iterations = stats->pressure_iterations,
		.drift_iterations = stats->drift_iterations,
	};
	for (size_t n = 0; n < sim_stage_count(); n++) {
		const size_t at = n * steps + step;
		s->ms[at] = stats->ms_stage[n];
		s->bytes[at] = bench_model_bytes(sim_stage_name(n), &load);
		s->launches[at] = (double)(after[n].launches - before[n].launches);
		s->transfers[at] = (double)(after[n].transfers - before[n].transfers);
	}
	s->pressure += stats->pressure_iterations;
	s->drift += stats->drift_iterations;
	s->dt += stats->dt;
	s->liquid_cells += load.liquid_cells;
	s->particles += load.particles;
	if (step == 0 || stats->pressure_iterations < result->pressure_least)
		result->pressure_least = stats->pressure_iterations;
	if (stats->pressure_iterations > result->pressure_most)
		result->pressure_most = stats->pressure_iterations;
	return true;
}

static void summarise(struct samples *s, size_t steps, struct bench_result *result)
{
	const double n = (double)steps;
	result->wall_ms = bench_median(s->wall, steps);
	result->pressure_iterations = s->pressure / n;
	result->drift_iterations = s->drift / n;
	result->dt = s->dt / n;
	result->liquid_cells = s->liquid_cells / n;
	result->particles = s->particles / n;
	result->stage_count = sim_stage_count();
	for (size_t i = 0; i < result->stage_count; i++)
		result->stages[i] = (struct bench_stage){
			.name = sim_stage_name(i),
			.ms = bench_median(s->ms + i * steps, steps),
			.bytes = bench_median(s->bytes + i * steps, steps),
			.launches = bench_median(s->launches + i * steps, steps),
			.transfers = bench_median(s->transfers + i * steps, steps),
			.by_particle = bench_model_by_particle(sim_stage_name(i)),
		};
}

static bool measure_stages(struct sim *sim, const struct bench_options *options,
			   struct bench_result *result)
{
	const size_t steps = (size_t)options->steps;
	struct samples samples = {0};
	struct bench_totals before;
	bool ok = samples_create(&samples, steps) && sim_measure(sim);
	for (int i = 0; i < BENCH_WARM_UP && ok; i++)
		ok = sim_substep(sim);
	if (ok)
		bench_take_totals(sim->cl, &before);
	for (size_t i = 0; i < steps && ok; i++)
		ok = measure_step(sim, i, steps, &samples, result);
	if (ok) {
		summarise(&samples, steps, result);
		if (options->profile)
			bench_list_kernels(sim->cl, &before, (double)steps, &result->kernels);
	}
	samples_free(&samples);
	return ok;
}

/* ---- one size ----------------------------------------------------------------------------- */

struct sim *bench_create_sim(const struct scene *scene, bool sparse, struct clx *cl,
			     char reason[BENCH_REASON])
{
	double particles =
		sparse ? 0.05 * scene->particles_per_cell : 0.5 * scene->particles_per_cell;
	struct sim *sim = NULL;
	for (int axis = 0; axis < scene->dim; axis++)
		particles *= scene->cells[axis];
	message_set_sink(bench_keep_reason, reason);
	if (particles > (double)INT32_MAX)
		message_error("%.0f particles are too many", particles);
	else
		sim = sim_create(scene, cl);
	message_set_sink(NULL, NULL);
	if (sim)
		reason[0] = '\0';
	return sim;
}

static bool measure_size(struct clx *cl, const struct bench_options *options,
			 struct bench_result *result)
{
	size_t bytes;
	struct scene *scene = bench_create_scene(options, result->dim, result->cells);
	bool ok = scene && bench_measure_latency(cl, result) &&
		  bench_measure_copy(cl, &result->copy_before, &result->copy_bytes);
	if (ok) {
		struct sim *sim = bench_create_sim(scene, options->sparse, cl, result->skipped);
		result->memory = clx_memory_in_use(cl);
		ok = !sim ||
		     (measure_stages(sim, options, result) && bench_measure_surface(sim, result));
		sim_destroy(sim);
		ok = ok && (!sim || bench_measure_copy(cl, &result->copy_after, &bytes));
	}
	scene_free(scene);
	return ok;
}

/* ---- the whole ---------------------------------------------------------------------------- */

const int *bench_sizes(const struct bench_options *options, int dim, size_t *count)
{
	static const int default_2d[] = {512}, default_3d[] = {64, 128};
	*count = options->size_count ? options->size_count : dim == 2 ? 1 : 2;
	return options->size_count ? options->cells : dim == 2 ? default_2d : default_3d;
}

static enum exit_code measure_dim(const struct bench_options *options, int dim, const int *cells,
				  size_t count, struct json_writer *json, size_t *measured)
{
	bool named_missing = false, ok = true;
	const double start = bench_clock();
	struct clx *cl = clx_open(options->device, dim, options->profile, &named_missing);
	if (!cl)
		return named_missing ? CODE_REFUSED : CODE_FAILED;
	ok = clx_build(cl);
	const double open_seconds = (bench_clock() - start) * 1e-3;
	for (size_t i = 0; i < count && ok; i++) {
		struct bench_result *result = calloc(1, sizeof(*result));
		if (!result) {
			ok = message_memory(sizeof(*result), "a result");
			break;
		}
		result->dim = dim;
		result->cells = cells[i];
		result->transfer = options->transfer;
		result->open_seconds = open_seconds;
		ok = measure_size(cl, options, result);
		if (ok) {
			bench_print(clx_info(cl), result);
			bench_add_json(json, result, cl);
			*measured += !result->skipped[0];
		}
		free(result);
	}
	clx_close(cl);
	return ok ? CODE_DONE : CODE_FAILED;
}

enum exit_code bench_run(const struct bench_options *options)
{
	struct json_writer json = {0};
	size_t measured = 0;
	enum exit_code code = CODE_DONE;
	if (options->output && !bench_can_write(options->output))
		return CODE_FAILED;
	bench_begin_json(&json, options);
	json_integer(&json, "warm_up", BENCH_WARM_UP);
	json_integer(&json, "steps", options->steps);
	json_begin_array(&json, "results");
	for (int dim = 2; dim <= 3 && code == CODE_DONE; dim++) {
		if (options->dim && options->dim != dim)
			continue;
		size_t count;
		const int *cells = bench_sizes(options, dim, &count);
		code = measure_dim(options, dim, cells, count, &json, &measured);
	}
	return bench_end(&json, options->output, measured, code);
}
