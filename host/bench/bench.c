#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench_pressure.h"

/* ---- the stages --------------------------------------------------------------------------- */

/* The unit box of n^dim cells, its left half full, no lid.  Sparse: a box twice as long, and a
 * column in its corner that fills 5 % of it.  No frame ends within the first second. */
static struct scene *read_dam(const struct bench_options *options, int dim, int n,
			      char reason[BENCH_REASON])
{
	const bool sparse = options->sparse, grid = options->grid != NULL;
	return bench_read_scene(
		dim, reason,
		"version: 1\ndomain: {size: [%d, 1, 1], cells: %d, walls: {y+: open}}\n"
		"time: {frames: 1, fps: 1}\n%s: {%s: %s}\n%s"
		"liquids: [{name: dam, box: {min: [0, 0, 0], max: [%g, %g, %g]}}]\n",
		sparse ? 2 : 1, sparse ? 2 * n : n, grid ? "grid" : "liquid",
		grid ? "surface" : "transfer",
		grid ? options->grid : bench_transfers[options->transfer],
		grid ? "method: grid\n" : "", sparse ? 0.4 : 0.5,
		!sparse	   ? 1.0
		: dim == 3 ? 0.5
			   : 0.25,
		sparse ? 0.5 : 1.0);
}

/* What is measured of every substep. */
enum sample { SAMPLE_MS, SAMPLE_BYTES, SAMPLE_LAUNCHES, SAMPLE_TRANSFERS, SAMPLE_FILLED, SAMPLES };
struct samples {
	size_t steps;
	const struct method *method;
	double *wall;	/* [steps], ms */
	double *stages; /* [SAMPLES][stages][steps] */
};

static double *samples_of(const struct samples *s, enum sample what, size_t stage)
{
	return s->stages + ((size_t)what * s->method->stage_count + stage) * s->steps;
}

static bool samples_create(struct samples *s, const struct method *method, int steps)
{
	const size_t each = SAMPLES * method->stage_count;
	s->method = method;
	s->steps = (size_t)steps;
	s->wall = calloc(s->steps, sizeof(double));
	s->stages = calloc(s->steps, each * sizeof(double));
	return (s->wall && s->stages) ||
	       message_memory((1 + each) * s->steps * sizeof(double),
			      "times of substeps; --steps makes them fewer");
}

static bool measure_step(struct sim *sim, size_t step, struct samples *s,
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
		.dim = result->dim,
		.particles = stats->particles,
		.liquid_cells = stats->report.liquid_cells,
		.affine = result->transfer == TRANSFER_APIC,
		.sweeps = sim->scene->solver.sweeps,
		.iterations = {[POISSON_PRESSURE] = stats->pressure_iterations,
			       [POISSON_DRIFT] = stats->drift_iterations},
	};
	for (size_t i = 0; i < s->method->stage_count; i++) {
		samples_of(s, SAMPLE_MS, i)[step] = stats->ms_stage[i];
		samples_of(s, SAMPLE_BYTES, i)[step] =
			bench_model_bytes(&s->method->stages[i], &load);
		samples_of(s, SAMPLE_LAUNCHES, i)[step] =
			(double)(after[i].launches - before[i].launches);
		samples_of(s, SAMPLE_TRANSFERS, i)[step] =
			(double)(after[i].transfers - before[i].transfers);
		samples_of(s, SAMPLE_FILLED, i)[step] =
			(double)(after[i].filled - before[i].filled);
	}
	result->pressure_iterations += stats->pressure_iterations;
	result->drift_iterations += stats->drift_iterations;
	result->enqueued = (double)sim->poisson.enqueued / (double)sim->poisson.needed;
	result->dt += stats->dt;
	result->liquid_cells += load.liquid_cells;
	result->particles += load.particles;
	if (step == 0 || stats->pressure_iterations < result->pressure_least)
		result->pressure_least = stats->pressure_iterations;
	if (stats->pressure_iterations > result->pressure_most)
		result->pressure_most = stats->pressure_iterations;
	return true;
}

/* From sums and samples. */
static void take_medians(struct samples *s, struct bench_result *result)
{
	double *const means[] = {&result->pressure_iterations, &result->drift_iterations,
				 &result->dt, &result->liquid_cells, &result->particles};
	for (size_t i = 0; i < sizeof(means) / sizeof(means[0]); i++)
		*means[i] /= (double)s->steps;
	result->wall_ms = bench_median(s->wall, s->steps);
	result->stage_count = s->method->stage_count;
	for (size_t i = 0; i < result->stage_count; i++)
		result->stages[i] = (struct bench_stage){
			.name = s->method->stages[i].name,
			.ms = bench_median(samples_of(s, SAMPLE_MS, i), s->steps),
			.bytes = bench_median(samples_of(s, SAMPLE_BYTES, i), s->steps),
			.launches = bench_median(samples_of(s, SAMPLE_LAUNCHES, i), s->steps),
			.transfers = bench_median(samples_of(s, SAMPLE_TRANSFERS, i), s->steps),
			.filled = bench_median(samples_of(s, SAMPLE_FILLED, i), s->steps),
			.by_particle = s->method->stages[i].model.by_particle,
			.transfers_particles = s->method->stages[i].transfers,
		};
}

static bool measure_stages(struct sim *sim, const struct bench_options *options,
			   struct bench_result *result)
{
	struct samples samples = {0};
	struct bench_totals before;
	bool ok = samples_create(&samples, sim->method, options->steps) && sim_measure(sim);
	for (int i = 0; i < BENCH_WARM_UP && ok; i++)
		ok = sim_substep(sim);
	if (ok)
		bench_take_totals(sim->cl, &before);
	for (size_t i = 0; i < samples.steps && ok; i++)
		ok = measure_step(sim, i, &samples, result);
	if (ok) {
		take_medians(&samples, result);
		if (options->profile)
			bench_list_kernels(sim->cl, &before, options->steps, &result->kernels);
	}
	free(samples.wall);
	free(samples.stages);
	return ok;
}

static bool measure_dam(const struct bench *bench, struct bench_result *result)
{
	const struct bench_options *options = bench->options;
	struct clx *cl = bench->cl;
	size_t bytes;
	struct scene *scene = read_dam(options, result->dim, result->cells, result->skipped);
	bool ok = bench_measure_latency(cl, result) &&
		  bench_measure_copy(cl, BENCH_COPY, &result->copy_before, &result->copy_bytes) &&
		  bench_measure_fill(cl, result->copy_bytes, &result->fill);
	struct sim *sim = ok && scene ? bench_create_sim(scene, NULL, cl, result->skipped) : NULL;
	if (sim) {
		result->memory = clx_memory_in_use(cl);
		ok = measure_stages(sim, options, result) &&
		     (options->grid || bench_measure_surface(sim, cl, result));
		sim_destroy(sim);
		ok = ok && bench_measure_copy(cl, BENCH_COPY, &result->copy_after, &bytes);
	}
	scene_free(scene);
	return ok;
}

static bool measure_size(struct bench *bench, int dim, int cells)
{
	struct bench_result *result = calloc(1, sizeof(*result));
	if (!result)
		return message_memory(sizeof(*result), "a result");
	result->dim = dim;
	result->cells = cells;
	result->transfer = bench->options->transfer;
	result->grid = bench->options->grid;
	result->open_seconds = bench->open_seconds;
	const bool ok = measure_dam(bench, result);
	if (ok) {
		bench_print(clx_info(bench->cl), result);
		bench_add_json(&bench->json, result, bench->cl);
		bench->measured += !result->skipped[0];
	}
	free(result);
	return ok;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static enum exit_code measure_dim(struct bench *bench, int dim)
{
	/* One size that takes seconds on CPUs, and in 3D one that GPUs need to be busy. */
	static const int usual[2][2][2] = {{{512}, {64, 128}}, {{256}, {32, 64}}};
	const struct bench_options *o = bench->options;
	const int *cells = o->size_count ? o->cells : usual[o->pressure][dim - 2];
	const size_t count = o->size_count ? o->size_count : dim == 2 ? 1 : 2;
	bool named_missing = false;
	const double start = bench_clock();
	bench->cl = clx_open(o->device, dim, false, true, &named_missing);
	if (!bench->cl)
		return named_missing ? CODE_REFUSED : CODE_FAILED;
	bool ok = clx_build(bench->cl);
	bench->open_seconds = (bench_clock() - start) * 1e-3;
	if (ok && o->pressure)
		bench_pressure_print_device(clx_info(bench->cl));
	for (size_t i = 0; i < count && ok; i++)
		ok = (o->pressure ? bench_pressure_measure : measure_size)(bench, dim, cells[i]);
	clx_close(bench->cl);
	return ok ? CODE_DONE : CODE_FAILED;
}

enum exit_code bench_run(const struct bench_options *options)
{
	struct bench bench = {.options = options};
	struct json_writer *json = &bench.json;
	enum exit_code code = CODE_DONE;
	if (options->output && !bench_can_write(options->output))
		return CODE_FAILED;
	json_begin_object(json, NULL);
	bench_add_origin(json, "freshet bench", options->arguments);
	if (options->pressure) {
		bench_pressure_add_header(json, options);
	} else {
		json_integer(json, "warm_up", BENCH_WARM_UP);
		json_integer(json, "steps", options->steps);
	}
	json_begin_array(json, "results");
	for (int dim = 2; dim <= 3 && code == CODE_DONE; dim++)
		if (!options->dim || options->dim == dim)
			code = measure_dim(&bench, dim);
	json_end_array(json);
	json_end_object(json);
	/* What was measured before a failure is worth keeping. */
	size_t length;
	char *text = json_take(json, &length);
	if ((!text || (options->output && !bench_write_file(options->output, text, length))) &&
	    code == CODE_DONE)
		code = CODE_FAILED;
	free(text);
	if (code == CODE_DONE && bench.measured == 0) {
		message_error("nothing could be measured");
		code = CODE_FAILED;
	}
	return code;
}
