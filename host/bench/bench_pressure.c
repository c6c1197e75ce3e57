#include "bench_pressure.h"

#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "sim_fields.h"

/* Cells along each axis of the run that gives the breaking wave, unless told: it takes seconds. */
#define WAVE_2D 128
#define WAVE_3D 32

/* What is the same for all scenes of a run. */
struct run {
	const struct bench_options *options;
	struct clx *cl;
	struct bench_wave wave;
	struct json_writer *json;
	double copy; /* GB/s, measured before the scenes of a size */
	size_t copy_bytes;
	size_t measured;
};

static void result_free(struct pressure_result *result)
{
	for (size_t i = 0; i < result->row_count; i++) {
		free(result->rows[i].points);
		free(result->rows[i].kernels);
	}
	free(result->rows);
}

/* ---- what to measure ---------------------------------------------------------------------- */

/* The solvers asked for, a multigrid one once for every number of sweeps. */
static bool list_rows(const struct run *run, struct pressure_result *result)
{
	static const int usual[] = {SOLVER_MGPCG, SOLVER_CG, SOLVER_GAUSS_SEIDEL, SOLVER_PCG_IC};
	const struct bench_options *o = run->options;
	const int *solvers = o->solver_count ? o->solvers : usual;
	const size_t count = o->solver_count ? o->solver_count : sizeof(usual) / sizeof(usual[0]);
	result->rows = calloc(2 * count, sizeof(*result->rows));
	if (!result->rows)
		return message_memory(2 * count * sizeof(*result->rows), "the rows of the table");
	for (size_t i = 0; i < count; i++) {
		const enum scene_solver solver = (enum scene_solver)solvers[i];
		const bool cycles = solver == SOLVER_MGPCG || solver == SOLVER_MULTIGRID;
		if (!bench_solver_available(solver, result->dim))
			continue;
		const int first = !cycles ? 0 : o->sweeps ? o->sweeps : 1;
		const int last = !cycles ? 0 : o->sweeps ? o->sweeps : 2;
		for (int sweeps = first; sweeps <= last; sweeps++)
			result->rows[result->row_count++] =
				(struct pressure_row){.solver = solver, .sweeps = sweeps};
	}
	return true;
}

/* ---- one scene of one size ---------------------------------------------------------------- */

/* The simulation, without particles; NULL: does not fit. */
static struct sim *create_sim(const struct run *run, const struct scene *scene,
			      struct pressure_result *result)
{
	const struct sim_particles none = {0};
	uint64_t total, largest;
	struct sim *sim = NULL;
	message_set_sink(bench_keep_reason, result->skipped);
	sim_memory(scene, 1, false, NULL, 0, &total, &largest);
	if (clx_memory_fits(run->cl, total, largest))
		sim = sim_create_from_particles(scene, run->cl, &none);
	message_set_sink(NULL, NULL);
	if (sim)
		result->skipped[0] = '\0';
	return sim;
}

static bool make_wave(struct run *run, struct pressure_result *result)
{
	const int most = run->options->wave ? run->options->wave
			 : result->dim == 3 ? WAVE_3D
					    : WAVE_2D;
	if (bench_scene(result->scene)->liquid != LIQUID_WAVE)
		return true;
	result->wave_cells = result->cells < most ? result->cells : most;
	return bench_wave_make(&run->wave, run->cl, result->wave_cells);
}

static bool allocate_kernels(struct pressure_row *row)
{
	row->kernels = calloc(2, sizeof(*row->kernels));
	return row->kernels || message_memory(2 * sizeof(*row->kernels), "the lists of kernels");
}

static bool measure_solvers(struct run *run, struct sim *sim, struct scene *scene,
			    struct pressure_result *result)
{
	if (!bench_scene_fill(sim, result->scene, run->options->offset, &run->wave,
			      &result->unknowns) ||
	    !bench_sweep(sim, &result->sweep_ms))
		return false;
	result->copy = run->copy;
	result->copy_bytes = run->copy_bytes;
	result->components = sim->lattice.host_scalars[SCALAR_COMPONENTS];
	result->singular = sim->lattice.host_scalars[SCALAR_SINGULAR_COMPONENTS];
	result->memory = clx_memory_in_use(run->cl);
	result->sweep_bytes = bench_sweep_bytes(sim->dim);
	for (size_t i = 0; i < result->row_count; i++)
		if ((run->options->profile && !allocate_kernels(&result->rows[i])) ||
		    !bench_solve(sim, scene, 1e3 * run->options->seconds, !run->options->no_history,
				 &result->rows[i]))
			return false;
	result->parts = sim->poisson.mg.further;
	result->merged = sim->poisson.mg.merged;
	result->twice = sim->poisson.mg.twice;
	result->parted_last = sim->poisson.mg.parted_last;
	result->repeats = multigrid_repeats(&sim->poisson.mg);
	return true;
}

static bool measure_scene(struct run *run, struct pressure_result *result)
{
	struct scene *scene = bench_scene_create(result->scene, result->dim, result->cells);
	bool ok = scene && list_rows(run, result) && make_wave(run, result);
	if (ok) {
		struct sim *sim = create_sim(run, scene, result);
		ok = !sim || measure_solvers(run, sim, scene, result);
		sim_destroy(sim);
	}
	scene_free(scene);
	return ok;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool measure_size(struct run *run, int dim, int cells)
{
	const struct bench_options *o = run->options;
	bool ok = bench_measure_copy(run->cl, &run->copy, &run->copy_bytes);
	for (size_t i = 0; ok && (o->scene_count ? i < o->scene_count : bench_scene(i) != NULL);
	     i++) {
		struct pressure_result result = {.dim = dim, .cells = cells};
		result.scene = o->scene_count ? o->scenes[i] : i;
		if (!o->scene_count && !bench_scene(i)->by_default)
			continue;
		ok = measure_scene(run, &result);
		if (ok) {
			bench_pressure_print(&result);
			bench_pressure_add_json(run->json, &result, run->cl);
			run->measured += !result.skipped[0];
		}
		result_free(&result);
	}
	return ok;
}

static enum exit_code measure_dim(struct run *run, int dim)
{
	static const int default_2d[] = {256}, default_3d[] = {32, 64};
	const struct bench_options *o = run->options;
	const int *cells = o->size_count ? o->cells : dim == 2 ? default_2d : default_3d;
	const size_t count = o->size_count ? o->size_count : dim == 2 ? 1 : 2;
	bool named_missing = false, ok = true;
	run->cl = clx_open(o->device, dim, o->profile, &named_missing);
	if (!run->cl)
		return named_missing ? CODE_REFUSED : CODE_FAILED;
	printf("on %s (driver %s); relative residual %g\n\n", clx_info(run->cl)->name,
	       clx_info(run->cl)->driver_version, PRESSURE_TOLERANCE);
	for (size_t i = 0; i < count && ok; i++)
		ok = measure_size(run, dim, cells[i]);
	bench_wave_free(&run->wave);
	clx_close(run->cl);
	return ok ? CODE_DONE : CODE_FAILED;
}

enum exit_code bench_pressure_run(const struct bench_options *options)
{
	struct json_writer json = {0};
	struct run run = {.options = options, .json = &json};
	enum exit_code code = CODE_DONE;
	if (options->output && !bench_can_write(options->output))
		return CODE_FAILED;
	bench_begin_json(&json, options);
	json_string(&json, "benchmark", "pressure");
	json_number(&json, "tolerance", PRESSURE_TOLERANCE);
	json_integer(&json, "plate_offset", options->offset);
	json_begin_array(&json, "results");
	for (int dim = 2; dim <= 3 && code == CODE_DONE; dim++)
		if (!options->dim || options->dim == dim)
			code = measure_dim(&run, dim);
	return bench_end(&json, options->output, run.measured, code);
}
