#include "bench_pressure.h"

#include <stdlib.h>
#include <string.h>

#include "sim_view.h"

/* Cells along each axis of the run that gives the breaking wave, unless told: it takes seconds. */
#define WAVE_2D 128
#define WAVE_3D 32

/* ---- what to measure ---------------------------------------------------------------------- */

/* The solvers asked for, a multigrid one once for every number of sweeps. */
static void list_rows(const struct bench_options *o, struct pressure_result *result)
{
	static const int usual[] = {SOLVER_MGPCG, SOLVER_CG, SOLVER_GAUSS_SEIDEL, SOLVER_PCG_IC};
	const int *solvers = o->solver_count ? o->solvers : usual;
	const size_t count = o->solver_count ? o->solver_count : sizeof(usual) / sizeof(usual[0]);
	for (size_t i = 0; i < count; i++) {
		const enum scene_solver solver = (enum scene_solver)solvers[i];
		const bool cycles = solver == SOLVER_MGPCG || solver == SOLVER_MULTIGRID;
		const int first = !cycles ? 0 : o->sweeps ? o->sweeps : 1;
		const int last = !cycles ? 0 : o->sweeps ? o->sweeps : 2;
		for (int sweeps = first; sweeps <= last; sweeps++) {
			struct pressure_row *row = &result->rows[result->row_count++];
			row->solver = solver;
			row->sweeps = sweeps;
		}
	}
}

/* Walls, solids and defaults of a scene of `cells` cells along each axis. */
static struct scene *read_empty_scene(struct pressure_result *result)
{
	const struct bench_scene *d = result->scene;
	/* Walls are faces closed later; some solid, opened again, makes it a scene with solids. */
	const char *solids = d->walls	 ? "  - sphere: {center: [0, 0, 0], radius: 0.1}\n"
			     : d->solids ? d->solids
					 : "";
	return bench_read_scene(
		result->dim, result->skipped,
		"version: 1\ndomain: {size: [1, 1, 1], cells: %d, walls: {y+: %s}}\n"
		"time: {frames: 1, fps: 1}\n"
		"liquids:\n  - {name: unused, box: {min: [0, 0, 0], max: [1, 1, 1]}}\n%s%s",
		result->cells, d->liquid == LIQUID_FULL ? "closed" : "open",
		*solids ? "solids:\n" : "", solids);
}

static bool make_wave(struct bench *bench, struct pressure_result *result, struct bench_wave *wave)
{
	const int most = bench->options->wave ? bench->options->wave
			 : result->dim == 3   ? WAVE_3D
					      : WAVE_2D;
	if (result->scene->liquid != LIQUID_WAVE)
		return true;
	result->wave_cells = result->cells < most ? result->cells : most;
	return bench_wave_make(wave, bench->cl, result->wave_cells);
}

/* ---- one scene of one size ---------------------------------------------------------------- */

static bool set_fields(struct sim *sim, struct pressure_result *result,
		       const struct bench_wave *wave, int offset)
{
	struct clx *cl = sim->cl;
	struct bench_fields f = {.dim = result->dim,
				 .cells = result->cells,
				 .offset = offset,
				 .grid = sim->lattice.grid};
	struct clx_buffer *buffers[] = {&sim->phi.raw, &sim->u_face.raw, &sim->cell_type.raw,
					&sim->solids.open_fraction.raw};
	void *values[4];
	size_t bytes = 0;
	bool ok = true;
	for (int i = 0; i < 4; i++) {
		values[i] = malloc(buffers[i]->bytes);
		bytes += buffers[i]->bytes;
		ok = ok && values[i];
	}
	if (ok) {
		f.phi = values[0];
		f.u = values[1];
		f.type = values[2];
		f.open = values[3];
		ok = clx_read_raw(cl, buffers[3], 0, buffers[3]->bytes, f.open);
	} else {
		message_memory(bytes, "the case's fields; fewer --cells need less");
	}
	if (ok)
		result->unknowns = bench_fields_fill(&f, result->scene, wave);
	for (int i = 0; i < 4; i++) {
		ok = ok && clx_write_raw(cl, buffers[i], 0, buffers[i]->bytes, values[i]);
		free(values[i]);
	}
	return ok;
}

static bool measure_solvers(const struct bench *bench, struct sim *sim,
			    struct solver_settings *settings, struct pressure_result *result)
{
	const struct bench_equation e = {sim_poisson(sim), settings, &sim->u_face};
	const u32 *scalars = e.poisson->lattice->host_scalars;
	const struct multigrid *mg = &e.poisson->mg;
	bool ok = bench_sweep(&e, &result->sweep_ms);
	result->components = scalars[SCALAR_COMPONENTS];
	result->singular = scalars[SCALAR_SINGULAR_COMPONENTS];
	result->memory = clx_memory_in_use(bench->cl);
	result->sweep_bytes = bench_sweep_bytes(result->dim);
	for (size_t i = 0; i < result->row_count && ok; i++)
		ok = bench_solve(&e, bench->options, &result->rows[i]);
	result->further = mg->further;
	result->merged = mg->merged;
	result->twice = mg->twice;
	result->parted_last = mg->parted_last;
	result->repeats = multigrid_repeats(mg);
	return ok;
}

static bool measure_scene(struct bench *bench, struct pressure_result *result)
{
	const struct sim_particles none = {0};
	struct bench_wave wave = {0};
	struct scene *scene = read_empty_scene(result);
	struct sim *sim = NULL;
	list_rows(bench->options, result);
	bool ok = make_wave(bench, result, &wave);
	if (ok && scene)
		sim = bench_create_sim(scene, &none, bench->cl, result->skipped);
	if (sim)
		ok = set_fields(sim, result, &wave, bench->options->offset) &&
		     measure_solvers(bench, sim, &scene->solver, result);
	free(wave.phi);
	sim_destroy(sim);
	scene_free(scene);
	return ok;
}

bool bench_pressure_measure(struct bench *bench, int dim, int cells)
{
	const struct bench_options *o = bench->options;
	struct pressure_result *result = malloc(sizeof(*result));
	double copy;
	size_t bytes;
	bool ok = (result || message_memory(sizeof(*result), "a result")) &&
		  bench_measure_copy(bench->cl, BENCH_COPY, &copy, &bytes);
	for (size_t i = 0; ok && (o->scene_count ? i < o->scene_count : bench_scene(i) != NULL);
	     i++) {
		const struct bench_scene *scene = bench_scene(o->scene_count ? o->scenes[i] : i);
		if (!o->scene_count && scene->on_request)
			continue;
		memset(result, 0, sizeof(*result));
		result->dim = dim;
		result->cells = cells;
		result->scene = scene;
		result->copy = copy;
		result->copy_bytes = bytes;
		ok = measure_scene(bench, result);
		if (ok) {
			bench_pressure_print(result);
			bench_pressure_add_json(&bench->json, result, bench->cl);
			bench->measured += !result->skipped[0];
		}
	}
	free(result);
	return ok;
}
