/* The results of `freshet bench --pressure` as a table and as JSON. */
#include <stdio.h>

#include "bench_pressure.h"
#include "run_json.h"

/* GB/s of `bytes` per unknown. */
static double speed(const struct pressure_result *result, double bytes, double ms)
{
	return ms > 0.0 ? bytes * result->unknowns / ms * 1e-6 : 0.0;
}

static double share(const struct pressure_result *result, double bytes, double ms)
{
	return result->copy > 0.0 ? speed(result, bytes, ms) / result->copy : 0.0;
}

static void row_name(const struct pressure_row *row, char *name, size_t size)
{
	if (row->sweeps)
		snprintf(name, size, "%s V(%d,%d)", bench_solver_name(row->solver), row->sweeps,
			 row->sweeps);
	else
		snprintf(name, size, "%s", bench_solver_name(row->solver));
}

/* Bytes, GB/s and share of the copy; blank where there is no model. */
static void print_bytes(const struct pressure_result *result, double bytes, double ms)
{
	if (bytes > 0.0)
		printf(" %8.0f %8.2f %7.1f\n", bytes, speed(result, bytes, ms),
		       100.0 * share(result, bytes, ms));
	else
		printf(" %8s %8s %7s\n", "-", "-", "-");
}

static void print_row(const struct pressure_result *result, const struct pressure_row *row)
{
	char name[64];
	row_name(row, name, sizeof(name));
	printf("  %-18s %s%-6d", name, row->reached ? " " : ">", row->iterations);
	if (row->crossing > 0.0)
		printf(" %7.2f", row->crossing);
	else
		printf(" %7s", "-");
	printf(" %9.1e %10.3f %10.3f ", row->residual, row->contraction, row->ms_iteration);
	if (row->ms > 0.0)
		printf("%s%-10.2f", row->reached ? " " : "~", row->ms);
	else
		printf(" %-10s", "never");
	printf(" %9.2f", row->setup_ms);
	print_bytes(result, row->bytes, row->device_ms);
}

/* Of the set-up, and of a solve with its right-hand side. */
static void print_kernels(const struct pressure_row *row)
{
	static const char *const of[] = {"of the set-up", "per iteration"};
	char name[64];
	row_name(row, name, sizeof(name));
	for (int i = 0; i < 2 && row->kernels; i++) {
		double sum = 0.0;
		for (size_t n = 0; n < row->kernels[i].count; n++)
			sum += row->kernels[i].of[n].ms;
		if (row->kernels[i].count)
			printf("\n%s, kernels %s:", name, of[i]);
		bench_print_kernels(&row->kernels[i], sum);
	}
}

void bench_pressure_print(const struct pressure_result *result)
{
	printf("%dD, %d cells along each axis, %s: %s\n", result->dim, result->cells,
	       bench_scene(result->scene)->name, bench_scene(result->scene)->summary);
	if (result->skipped[0]) {
		printf("skipped: %s\n\n", result->skipped);
		fflush(stdout);
		return;
	}
	if (result->wave_cells)
		printf("from a run of %d cells along each axis%s\n", result->wave_cells,
		       result->wave_cells == result->cells ? "" : ", interpolated");
	printf("%.0f unknowns in %u component%s (%u singular), %.1f MiB, copy %.1f GB/s\n\n",
	       result->unknowns, result->components, result->components == 1 ? "" : "s",
	       result->singular, (double)result->memory / 1048576.0, result->copy);
	if (result->parts)
		printf("%u further parts of coarse cells, %u without room; %s\n\n", result->parts,
		       result->merged,
		       result->twice	 ? "coarse levels are visited twice"
		       : result->repeats ? "a small level is visited twice"
					 : "no level is visited twice");
	printf("  %-18s %7s %7s %9s %10s %10s  %-10s %9s %8s %8s %7s\n", "solver", "iter.",
	       "exactly", "residual", "contract.", "ms/iter.", "ms to tol.", "ms setup", "B/cell",
	       "GB/s", "% copy");
	for (size_t i = 0; i < result->row_count; i++)
		print_row(result, &result->rows[i]);
	printf("  %-18s %7s %7s %9s %10s %10.3f  %-10s %9s", "one sweep", "", "", "", "",
	       result->sweep_ms, "", "");
	print_bytes(result, result->sweep_bytes, result->sweep_ms);
	for (size_t i = 0; i < result->row_count; i++)
		print_kernels(&result->rows[i]);
	printf("\n");
	fflush(stdout);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void add_bytes(struct json_writer *json, const struct pressure_result *result, double bytes,
		      double ms)
{
	json_number(json, "gb_per_s", speed(result, bytes, ms));
	json_number(json, "share_of_copy", share(result, bytes, ms));
}

static void add_history(struct json_writer *json, const struct pressure_result *result,
			const struct pressure_row *row)
{
	json_begin_array(json, "history");
	for (size_t i = 0; i < row->point_count; i++) {
		const struct pressure_point *point = &row->points[i];
		json_begin_object(json, NULL);
		json_integer(json, "iterations", point->iterations);
		json_number(json, "residual", point->residual);
		if (row->bytes > 0.0)
			json_number(json, "work",
				    point->iterations * row->bytes / result->sweep_bytes);
		json_number(json, "ms", point->ms);
		json_end_object(json);
	}
	json_end_array(json);
}

static void add_row(struct json_writer *json, const struct pressure_result *result,
		    const struct pressure_row *row)
{
	json_begin_object(json, NULL);
	json_string(json, "name", bench_solver_name(row->solver));
	if (row->sweeps)
		json_integer(json, "sweeps", row->sweeps);
	json_boolean(json, "reached", row->reached);
	json_integer(json, "iterations", row->iterations);
	if (row->crossing > 0.0)
		json_number(json, "iterations_exactly", row->crossing);
	json_number(json, "residual", row->residual);
	json_number(json, "contraction", row->contraction);
	json_number(json, "setup_ms", row->setup_ms);
	json_number(json, "ms_per_iteration", row->ms_iteration);
	json_number(json, "device_ms_per_iteration", row->device_ms);
	/* Neither: it does not converge. */
	if (row->ms > 0.0)
		json_number(json, row->reached ? "ms" : "ms_extrapolated", row->ms);
	if (row->bytes > 0.0) {
		json_number(json, "bytes_per_unknown_and_iteration", row->bytes);
		json_number(json, "work_per_iteration", row->bytes / result->sweep_bytes);
		add_bytes(json, result, row->bytes, row->device_ms);
	}
	add_history(json, result, row);
	if (row->kernels) {
		bench_add_kernels(json, "setup_kernels", &row->kernels[0]);
		bench_add_kernels(json, "kernels", &row->kernels[1]);
	}
	json_end_object(json);
}

void bench_pressure_add_json(struct json_writer *json, const struct pressure_result *result,
			     const struct clx *cl)
{
	json_begin_object(json, NULL);
	json_integer(json, "dim", result->dim);
	json_integer(json, "cells_per_axis", result->cells);
	json_string(json, "scene", bench_scene(result->scene)->name);
	json_string(json, "summary", bench_scene(result->scene)->summary);
	json_string(json, "skipped", result->skipped[0] ? result->skipped : NULL);
	run_json_add_device(json, cl);
	run_json_add_build(json, cl);
	if (!result->skipped[0]) {
		if (result->wave_cells)
			json_integer(json, "wave_cells_per_axis", result->wave_cells);
		json_number(json, "unknowns", result->unknowns);
		json_integer(json, "components", result->components);
		json_integer(json, "singular_components", result->singular);
		json_integer(json, "memory_bytes", (int64_t)result->memory);
		json_integer(json, "parts", result->parts);
		json_integer(json, "parts_without_room", result->merged);
		json_boolean(json, "coarse_levels_twice", result->twice);
		json_boolean(json, "last_level_left_out", result->parted_last);
		json_begin_object(json, "copy");
		json_integer(json, "bytes_per_buffer", (int64_t)result->copy_bytes);
		json_number(json, "gb_per_s", result->copy);
		json_end_object(json);
		json_begin_object(json, "sweep");
		json_number(json, "ms", result->sweep_ms);
		json_number(json, "bytes_per_unknown", result->sweep_bytes);
		add_bytes(json, result, result->sweep_bytes, result->sweep_ms);
		json_end_object(json);
		json_begin_array(json, "solvers");
		for (size_t i = 0; i < result->row_count; i++)
			add_row(json, result, &result->rows[i]);
		json_end_array(json);
	}
	json_end_object(json);
}
