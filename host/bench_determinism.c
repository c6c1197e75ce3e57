/* What it costs that results are the same everywhere: substeps of one simulation, in turn as they
 * are and with kernels whose sums are in free order (kernels/free_order.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "run_json.h"
#include "stages.h"

#define HASHES 5 /* measured */

enum order { FIXED, FREE, ORDERS };

struct cost {
	int dim, cells;
	char skipped[BENCH_REASON];
	double particles, iterations[ORDERS], drift[ORDERS];	  /* means per substep */
	double wall[ORDERS], stage[ORDERS][CLX_MAX_STAGES], hash; /* ms, the least of all */
	double velocity, levelset; /* mean differences: of the mean speed, of h */
};

/* What free order takes away from a stage; NULL: nothing. */
static const char *what_is_fixed(const char *stage)
{
	static const struct {
		const char *stage, *what;
	} fixed[] = {
		{"sort", "particles of a cell by id; any order"},
		{"p2g", "sums in integers; floats"},
		{"levelset", "sums in integers; floats"},
		{"pressure", "dot products in pairs of floats; floats"},
		{"drift", "the same, in its solve"},
		{"statistics", "sums over particles in pairs of floats; floats"},
	};
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (strcmp(fixed[i].stage, stage) == 0)
			return fixed[i].what;
	return NULL;
}

/* Differences of a few per cent are asked for, and whatever else the machine does only adds. */
static double least(const double *values, size_t count)
{
	double least_one = values[0];
	for (size_t i = 1; i < count; i++)
		least_one = values[i] < least_one ? values[i] : least_one;
	return least_one;
}

/* ---- measuring ---------------------------------------------------------------------------- */

static bool substep(struct sim *sim, enum order order, double *wall)
{
	clx_set_free_order(sim->cl, order == FREE);
	const double start = bench_clock();
	const bool ok = sim_substep(sim);
	*wall = bench_clock() - start;
	clx_set_free_order(sim->cl, false);
	return ok;
}

/* The two kinds take turns, and turns in who is first, so that both see the same machine and the
 * same liquid. */
static bool measure_substeps(struct sim *sim, size_t steps, struct cost *cost)
{
	const size_t stages = sim_stage_count();
	double *ms = calloc(ORDERS * (stages + 1) * steps, sizeof(*ms)), wall;
	bool ok = ms ? sim_measure(sim)
		     : message_memory(ORDERS * (stages + 1) * steps * sizeof(*ms),
				      "times of substeps; --steps makes them fewer");
	for (int i = 0; i < BENCH_WARM_UP && ok; i++)
		ok = substep(sim, FIXED, &wall) && substep(sim, FREE, &wall);
	for (size_t i = 0; i < steps && ok; i++)
		for (int turn = 0; turn < ORDERS && ok; turn++) {
			const int order = i % 2 ? FREE - turn : FIXED + turn;
			double *first = ms + (size_t)order * (stages + 1) * steps + i;
			ok = substep(sim, (enum order)order, &first[stages * steps]);
			for (size_t n = 0; n < stages; n++)
				first[n * steps] = sim->stats.ms_stage[n];
			cost->iterations[order] +=
				(double)sim->stats.pressure_iterations / (double)steps;
			cost->drift[order] += (double)sim->stats.drift_iterations / (double)steps;
		}
	for (int order = FIXED; order < ORDERS && ok; order++) {
		double *first = ms + (size_t)order * (stages + 1) * steps;
		for (size_t n = 0; n < stages; n++)
			cost->stage[order][n] = least(first + n * steps, steps);
		cost->wall[order] = least(first + stages * steps, steps);
	}
	cost->particles = sim->stats.particles;
	free(ms);
	return ok;
}

static bool measure_hash(struct sim *sim, struct cost *cost)
{
	double ms[HASHES];
	for (int i = 0; i < HASHES; i++) {
		u64 hash;
		const double start = bench_clock();
		if (!reduce_hash(sim, 0, &hash))
			return false;
		ms[i] = bench_clock() - start;
	}
	cost->hash = least(ms, HASHES);
	return true;
}

/* Both ways must come to the same but for rounding, or their times say nothing. */
static bool compare_orders(struct sim *sim, struct cost *cost)
{
	const size_t cells = (size_t)sim->grid.lattice, faces = cells * (size_t)sim->dim;
	f32 *u[ORDERS], *phi[ORDERS];
	double speed = 0.0, u_sum = 0.0, phi_sum = 0.0;
	bool ok = particles_sort(sim);
	for (int order = FIXED; order < ORDERS; order++) {
		u[order] = malloc(faces * sizeof(f32));
		phi[order] = malloc(cells * sizeof(f32));
		if (!u[order] || !phi[order])
			ok = message_memory((faces + cells) * sizeof(f32),
					    "fields to compare; fewer --cells need less");
		clx_set_free_order(sim->cl, order == FREE);
		ok = ok && transfer_p2g(sim) &&
		     clx_read(sim->cl, &sim->u_face, 0, faces * sizeof(f32), u[order]) &&
		     levelset_update(sim) &&
		     clx_read(sim->cl, &sim->phi, 0, cells * sizeof(f32), phi[order]);
		clx_set_free_order(sim->cl, false);
	}
	for (size_t i = 0; i < faces && ok; i++) {
		speed += fabs((double)u[FIXED][i]);
		u_sum += fabs((double)u[FREE][i] - (double)u[FIXED][i]);
	}
	for (size_t i = 0; i < cells && ok; i++)
		phi_sum += fabs((double)phi[FREE][i] - (double)phi[FIXED][i]);
	cost->velocity = speed > 0.0 ? u_sum / speed : 0.0;
	cost->levelset = phi_sum / ((double)cells * (double)sim->grid.h);
	for (int order = FIXED; order < ORDERS; order++) {
		free(u[order]);
		free(phi[order]);
	}
	return ok;
}

static bool measure(struct clx *cl, const struct bench_options *options, struct cost *cost)
{
	struct scene *scene = bench_create_scene(options, cost->dim, cost->cells);
	struct sim *sim =
		scene ? bench_create_sim(scene, options->sparse, cl, cost->skipped) : NULL;
	const bool ok = scene && (!sim || (measure_substeps(sim, (size_t)options->steps, cost) &&
					   measure_hash(sim, cost) && compare_orders(sim, cost)));
	sim_destroy(sim);
	scene_free(scene);
	return ok;
}

/* ---- report ------------------------------------------------------------------------------- */

static const char *splat_name(const struct clx *cl)
{
	const enum clx_splat splat = clx_splat_path(cl);
	return splat == CLX_SPLAT_BLOCK	     ? "block"
	       : splat == CLX_SPLAT_ATOMIC64 ? "atomic64"
					     : "atomic32";
}

static void print_row(const char *name, double fixed, double free_ms, double step, const char *what)
{
	printf("%-18s %10.3f %10.3f %10.3f %8.1f  %s\n", name, fixed, free_ms, fixed - free_ms,
	       step > 0.0 ? 100.0 * (fixed - free_ms) / step : 0.0, what ? what : "");
}

static void print(const struct clx *cl, const struct cost *cost)
{
	double fixed = 0.0, free_ms = 0.0;
	printf("\n%s, %dD %d cells, %.0f particles, splat %s\n", clx_info(cl)->name, cost->dim,
	       cost->cells, cost->particles, splat_name(cl));
	if (cost->skipped[0])
		return;
	printf("%-18s %10s %10s %10s %8s  %s\n", "stage", "ms", "ms free", "cost ms", "% step",
	       "what is fixed; and free");
	for (size_t n = 0; n < sim_stage_count(); n++) {
		print_row(sim_stage_name(n), cost->stage[FIXED][n], cost->stage[FREE][n],
			  cost->wall[FIXED], what_is_fixed(sim_stage_name(n)));
		fixed += cost->stage[FIXED][n];
		free_ms += cost->stage[FREE][n];
	}
	print_row("on the device", fixed, free_ms, cost->wall[FIXED], NULL);
	print_row("substep, wall", cost->wall[FIXED], cost->wall[FREE], cost->wall[FIXED], NULL);
	print_row("state hash", cost->hash, 0.0, cost->wall[FIXED], "once per frame");
	printf("iterations of the pressure solve: %.1f, free %.1f; of drift: %.1f, free %.1f\n"
	       "both differ by rounding: velocities by %.1e of the mean speed, phi by %.1e h\n",
	       cost->iterations[FIXED], cost->iterations[FREE], cost->drift[FIXED],
	       cost->drift[FREE], cost->velocity, cost->levelset);
}

static void add_times(struct json_writer *json, const char *name, double fixed, double free_ms)
{
	json_begin_object(json, NULL);
	json_string(json, "name", name);
	json_number(json, "ms", fixed);
	json_number(json, "free_ms", free_ms);
	json_end_object(json);
}

static void add_json(struct json_writer *json, const struct clx *cl, const struct cost *cost)
{
	json_begin_object(json, NULL);
	json_integer(json, "dim", cost->dim);
	json_integer(json, "cells_per_axis", cost->cells);
	json_string(json, "skipped", cost->skipped[0] ? cost->skipped : NULL);
	run_json_add_device(json, cl);
	run_json_add_build(json, cl);
	json_string(json, "splat", splat_name(cl));
	if (!cost->skipped[0]) {
		json_number(json, "particles", cost->particles);
		json_begin_array(json, "stages");
		for (size_t n = 0; n < sim_stage_count(); n++)
			add_times(json, sim_stage_name(n), cost->stage[FIXED][n],
				  cost->stage[FREE][n]);
		add_times(json, "substep", cost->wall[FIXED], cost->wall[FREE]);
		json_end_array(json);
		json_number(json, "hash_ms", cost->hash);
		json_number(json, "pressure_iterations", cost->iterations[FIXED]);
		json_number(json, "free_pressure_iterations", cost->iterations[FREE]);
		json_number(json, "drift_iterations", cost->drift[FIXED]);
		json_number(json, "free_drift_iterations", cost->drift[FREE]);
		json_number(json, "velocity_difference", cost->velocity);
		json_number(json, "levelset_difference", cost->levelset);
	}
	json_end_object(json);
}

/* ---- the whole ---------------------------------------------------------------------------- */

static enum exit_code measure_dim(const struct bench_options *options, int dim,
				  struct json_writer *json, size_t *measured)
{
	bool named_missing = false, ok = true;
	size_t count;
	const int *cells = bench_sizes(options, dim, &count);
	struct clx *cl = clx_open_both_orders(options->device, dim, &named_missing);
	if (!cl)
		return named_missing ? CODE_REFUSED : CODE_FAILED;
	for (size_t i = 0; i < count && ok; i++) {
		struct cost cost = {.dim = dim, .cells = cells[i]};
		ok = measure(cl, options, &cost);
		if (!ok)
			break;
		print(cl, &cost);
		add_json(json, cl, &cost);
		*measured += !cost.skipped[0];
	}
	clx_close(cl);
	return ok ? CODE_DONE : CODE_FAILED;
}

enum exit_code bench_determinism_run(const struct bench_options *options)
{
	struct json_writer json = {0};
	size_t measured = 0;
	enum exit_code code = CODE_DONE;
	if (options->output && !bench_can_write(options->output))
		return CODE_FAILED;
	bench_begin_json(&json, options);
	json_string(&json, "benchmark", "determinism");
	json_integer(&json, "steps", options->steps);
	json_begin_array(&json, "results");
	for (int dim = 2; dim <= 3 && code == CODE_DONE; dim++)
		if (!options->dim || options->dim == dim)
			code = measure_dim(options, dim, &json, &measured);
	return bench_end(&json, options->output, measured, code);
}
