/* The results of `freshet bench --pressure` as a table and as JSON. */
#include <math.h>
#include <stdio.h>

#include "bench_pressure.h"
#include "number.h"
#include "run_json.h"

/* Figures per iteration of a solve. */
struct per_iteration {
	double contraction, ms, device_ms;
};

static struct per_iteration per_iteration(const struct pressure_point *end)
{
	const double count = end->iterations > 0 ? end->iterations : 1;
	return (struct per_iteration){end->residual > 0.0 ? pow(end->residual, 1.0 / count) : 0.0,
				      end->ms / count, end->device_ms / count};
}

static void name_row(const struct pressure_row *row, char name[64])
{
	const int length = snprintf(name, 64, "%s", scene_solver_name(row->solver));
	if (row->sweeps)
		snprintf(name + length, 64 - (size_t)length, " V(%d,%d)", row->sweeps, row->sweeps);
}

/* Bytes, GB/s and share of the copy; blank where there is no model. */
static void print_bytes(const struct pressure_result *result, double bytes, double ms)
{
	if (bytes > 0.0)
		printf(" %8.0f %8.2f %7.1f\n", bytes, bench_speed(bytes * result->unknowns, ms),
		       100.0 * bench_share(bytes * result->unknowns, ms, result->copy));
	else
		printf(" %8s %8s %7s\n", "-", "-", "-");
}

static void print_solver_row(const struct pressure_result *result, const struct pressure_row *row)
{
	const struct per_iteration each = per_iteration(&row->end);
	char name[64], crossing[32] = "-", ms[32] = " never";
	name_row(row, name);
	if (row->crossing > 0.0)
		snprintf(crossing, sizeof(crossing), "%.2f", row->crossing);
	if (row->ms > 0.0)
		snprintf(ms, sizeof(ms), "%c%.2f", row->reached ? ' ' : '~', row->ms);
	printf("  %-18s %c%-6d %7s %9.1e %10.3f %10.3f %-11s %9.2f", name, row->reached ? ' ' : '>',
	       row->end.iterations, crossing, row->end.residual, each.contraction, each.ms, ms,
	       row->setup_ms);
	print_bytes(result, row->bytes, each.device_ms);
}

/* Of the set-up, and of a solve with its right-hand side. */
static void print_kernels(const struct pressure_row *row)
{
	static const char *const of[] = {"of the set-up", "per iteration"};
	char name[64];
	name_row(row, name);
	for (int i = 0; i < 2; i++) {
		double sum = 0.0;
		for (size_t n = 0; n < row->kernels[i].count; n++)
			sum += row->kernels[i].of[n].ms;
		if (row->kernels[i].count)
			printf("\n%s, kernels %s:", name, of[i]);
		bench_print_kernels(&row->kernels[i], sum);
	}
}

void bench_pressure_print_device(const struct clx_device_info *info)
{
	printf("on %s (driver %s); relative residual %g\n\n", info->name, info->driver_version,
	       PRESSURE_TOLERANCE);
}

static void print_table(const struct pressure_result *result)
{
	if (result->wave_cells)
		printf("from a run of %d cells along each axis%s\n", result->wave_cells,
		       result->wave_cells == result->cells ? "" : ", interpolated");
	printf("%.0f unknowns in %u component%s (%u singular), %.1f MiB, copy %.1f GB/s\n\n",
	       result->unknowns, result->components, result->components == 1 ? "" : "s",
	       result->singular, number_mebibytes(result->memory), result->copy);
	if (result->further)
		printf("%u further parts of coarse cells, %u without room; %s\n\n", result->further,
		       result->merged,
		       result->twice	 ? "coarse levels are visited twice"
		       : result->repeats ? "a small level is visited twice"
					 : "no level is visited twice");
	printf("  %-18s %7s %7s %9s %10s %10s  %-10s %9s %8s %8s %7s\n", "solver", "iter.",
	       "exactly", "residual", "contract.", "ms/iter.", "ms to tol.", "ms setup", "B/cell",
	       "GB/s", "% copy");
	for (size_t i = 0; i < result->row_count; i++)
		print_solver_row(result, &result->rows[i]);
	printf("  %-18s %7s %7s %9s %10s %10.3f  %-10s %9s", "one sweep", "", "", "", "",
	       result->sweep_ms, "", "");
	print_bytes(result, result->sweep_bytes, result->sweep_ms);
	for (size_t i = 0; i < result->row_count; i++)
		print_kernels(&result->rows[i]);
}

void bench_pressure_print(const struct pressure_result *result)
{
	printf("%dD, %d cells along each axis, %s: %s\n", result->dim, result->cells,
	       result->scene->name, result->scene->summary);
	if (result->skipped[0])
		printf("skipped: %s\n", result->skipped);
	else
		print_table(result);
	printf("\n");
	fflush(stdout);
}

/* ---- JSON --------------------------------------------------------------------------------- */

void bench_pressure_add_header(struct json_writer *json, const struct bench_options *options)
{
	json_string(json, "benchmark", "pressure");
	json_number(json, "tolerance", PRESSURE_TOLERANCE);
	json_integer(json, "plate_offset", options->offset);
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

static void add_solver(struct json_writer *json, const struct pressure_result *result,
		       const struct pressure_row *row)
{
	const struct per_iteration each = per_iteration(&row->end);
	json_begin_object(json, NULL);
	json_string(json, "name", scene_solver_name(row->solver));
	if (row->sweeps)
		json_integer(json, "sweeps", row->sweeps);
	json_boolean(json, "reached", row->reached);
	json_integer(json, "iterations", row->end.iterations);
	if (row->crossing > 0.0)
		json_number(json, "iterations_exactly", row->crossing);
	json_number(json, "residual", row->end.residual);
	json_number(json, "contraction", each.contraction);
	json_number(json, "setup_ms", row->setup_ms);
	json_number(json, "ms_per_iteration", each.ms);
	json_number(json, "device_ms_per_iteration", each.device_ms);
	/* Neither: it does not converge. */
	if (row->ms > 0.0)
		json_number(json, row->reached ? "ms" : "ms_extrapolated", row->ms);
	if (row->bytes > 0.0) {
		json_number(json, "bytes_per_unknown_and_iteration", row->bytes);
		json_number(json, "work_per_iteration", row->bytes / result->sweep_bytes);
		bench_add_speed(json, row->bytes * result->unknowns, each.device_ms, result->copy);
	}
	add_history(json, result, row);
	bench_add_kernels(json, "setup_kernels", &row->kernels[0]);
	bench_add_kernels(json, "kernels", &row->kernels[1]);
	json_end_object(json);
}

static void add_scene_numbers(struct json_writer *json, const struct pressure_result *result)
{
	if (result->wave_cells)
		json_integer(json, "wave_cells_per_axis", result->wave_cells);
	json_number(json, "unknowns", result->unknowns);
	json_integer(json, "components", result->components);
	json_integer(json, "singular_components", result->singular);
	json_integer(json, "memory_bytes", (int64_t)result->memory);
	json_integer(json, "parts", result->further);
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
	bench_add_speed(json, result->sweep_bytes * result->unknowns, result->sweep_ms,
			result->copy);
	json_end_object(json);
	json_begin_array(json, "solvers");
	for (size_t i = 0; i < result->row_count; i++)
		add_solver(json, result, &result->rows[i]);
	json_end_array(json);
}

void bench_pressure_add_json(struct json_writer *json, const struct pressure_result *result,
			     const struct clx *cl)
{
	json_begin_object(json, NULL);
	json_integer(json, "dim", result->dim);
	json_integer(json, "cells_per_axis", result->cells);
	json_string(json, "scene", result->scene->name);
	json_string(json, "summary", result->scene->summary);
	json_string(json, "skipped", result->skipped[0] ? result->skipped : NULL);
	run_json_add_device(json, cl);
	run_json_add_build(json, cl);
	if (!result->skipped[0])
		add_scene_numbers(json, result);
	json_end_object(json);
}
