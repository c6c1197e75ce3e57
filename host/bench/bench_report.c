/* The results as a table and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "number.h"
#include "run_json.h"

const char *const bench_transfers[BENCH_TRANSFERS] = {
	[TRANSFER_FLIP] = "flip", [TRANSFER_PIC] = "pic", [TRANSFER_APIC] = "apic"};

static double copy_speed(const struct bench_result *result)
{
	return 0.5 * (result->copy_before + result->copy_after);
}

double bench_speed(double bytes, double ms)
{
	return ms > 0.0 ? bytes / ms * 1e-6 : 0.0;
}

double bench_share(double bytes, double ms, double copy)
{
	return copy > 0.0 ? bench_speed(bytes, ms) / copy : 0.0;
}

void bench_add_speed(struct json_writer *json, double bytes, double ms, double copy)
{
	json_number(json, "gb_per_s", bench_speed(bytes, ms));
	json_number(json, "share_of_copy", bench_share(bytes, ms, copy));
}

static double ns_per(double ms, double count)
{
	return count > 0.0 ? ms * 1e6 / count : 0.0;
}

static void print_row(const struct bench_result *result, const struct bench_stage *row)
{
	const double step = result->wall_ms > 0.0 ? 100.0 * row->ms / result->wall_ms : 0.0;
	printf("%-18s %10.3f %6.1f %8.0f %6.0f %10.2f %10.2f %8.2f %7.1f %9.2f %9.2f\n", row->name,
	       row->ms, step, row->launches, row->transfers, row->filled * 1e-6, row->bytes * 1e-6,
	       bench_speed(row->bytes, row->ms),
	       100.0 * bench_share(row->bytes, row->ms, copy_speed(result)),
	       ns_per(row->ms, result->particles), ns_per(row->ms, result->liquid_cells));
}

static void add_row(struct bench_stage *sum, const struct bench_stage *row)
{
	sum->ms += row->ms;
	sum->bytes += row->bytes;
	sum->launches += row->launches;
	sum->transfers += row->transfers;
	sum->filled += row->filled;
}

/* What programs of this kind are compared by, per particle: "sort + p2g + g2p". */
static void print_transfers(const struct bench_result *result)
{
	char name[64] = "";
	struct bench_stage sum = {.name = name};
	for (size_t i = 0; i < result->stage_count; i++) {
		const struct bench_stage *s = &result->stages[i];
		const size_t used = strlen(name);
		if (!s->transfers_particles)
			continue;
		snprintf(name + used, sizeof(name) - used, "%s%s", used ? " + " : "", s->name);
		add_row(&sum, s);
	}
	if (name[0])
		print_row(result, &sum);
}

static void print_stages(const struct bench_result *result)
{
	struct bench_stage all = {.name = "on the device"};
	printf("%-18s %10s %6s %8s %6s %10s %10s %8s %7s %9s %9s\n", "stage", "ms", "% step",
	       "launches", "waits", "filled MB", "must MB", "GB/s", "% copy", "ns/part.",
	       "ns/cell");
	for (size_t i = 0; i < result->stage_count; i++) {
		print_row(result, &result->stages[i]);
		add_row(&all, &result->stages[i]);
	}
	print_transfers(result);
	print_row(result, &all);
	printf("%-18s %10.3f %6.1f\n", "not in kernels", result->wall_ms - all.ms,
	       result->wall_ms > 0.0 ? 100.0 * (1.0 - all.ms / result->wall_ms) : 0.0);
	all.name = "substep, wall";
	all.ms = result->wall_ms;
	print_row(result, &all);
	for (size_t i = 0; i < result->extra_count; i++)
		print_row(result, &result->extras[i]);
}

void bench_print(const struct clx_device_info *info, const struct bench_result *result)
{
	printf("%dD, %s%s, %d cells along each axis, on %s (driver %s)\n", result->dim,
	       result->grid ? "grid, " : "",
	       result->grid ? result->grid : bench_transfers[result->transfer], result->cells,
	       info->name, info->driver_version);
	if (result->skipped[0]) {
		printf("skipped: %s\n\n", result->skipped);
		fflush(stdout);
		return;
	}
	printf("%.0f particles, %.0f liquid cells, %.1f MiB; dt %.4g s\n", result->particles,
	       result->liquid_cells, number_mebibytes(result->memory), result->dt);
	printf("pressure iterations %.1f (%d to %d), drift %.1f, enqueued / needed %.3f; "
	       "%.2f Mparticles/s\n",
	       result->pressure_iterations, result->pressure_least, result->pressure_most,
	       result->drift_iterations, result->enqueued,
	       result->wall_ms > 0.0 ? result->particles / result->wall_ms * 1e-3 : 0.0);
	printf("copy %.1f GB/s before, %.1f after (%zu MiB); fill %.1f; empty launch %.1f us, "
	       "timed %.1f, with a wait %.1f\n\n",
	       result->copy_before, result->copy_after, result->copy_bytes >> 20, result->fill,
	       result->launch_us, result->launch_profiled_us, result->read_us);
	print_stages(result);
	bench_print_kernels(&result->kernels, bench_kernel_ms(result));
	printf("\n");
	fflush(stdout);
}

static void add_stage_numbers(struct json_writer *json, const struct bench_result *result,
			      double ms, double bytes)
{
	json_number(json, "ms", ms);
	json_number(json, "model_bytes", bytes);
	bench_add_speed(json, bytes, ms, copy_speed(result));
	json_number(json, "ns_per_particle", ns_per(ms, result->particles));
	json_number(json, "ns_per_liquid_cell", ns_per(ms, result->liquid_cells));
}

static void add_stage_rows(struct json_writer *json, const struct bench_result *result,
			   const char *key, const struct bench_stage *rows, size_t count)
{
	json_begin_array(json, key);
	for (size_t i = 0; i < count; i++) {
		const struct bench_stage *s = &rows[i];
		json_begin_object(json, NULL);
		json_string(json, "name", s->name);
		add_stage_numbers(json, result, s->ms, s->bytes);
		json_number(json, "launches", s->launches);
		json_number(json, "waits", s->transfers);
		json_number(json, "filled_bytes", s->filled);
		json_boolean(json, "by_particle", s->by_particle);
		json_end_object(json);
	}
	json_end_array(json);
}

static void add_stages(struct json_writer *json, const struct bench_result *result)
{
	add_stage_rows(json, result, "stages", result->stages, result->stage_count);
	add_stage_rows(json, result, "surface", result->extras, result->extra_count);
	if (result->mesh_triangles > 0.0)
		json_number(json, "mesh_triangles", result->mesh_triangles);
	bench_add_kernels(json, "kernels", &result->kernels);
}

void bench_add_json(struct json_writer *json, const struct bench_result *result,
		    const struct clx *cl)
{
	json_begin_object(json, NULL);
	json_integer(json, "dim", result->dim);
	json_integer(json, "cells_per_axis", result->cells);
	if (result->grid)
		json_string(json, "grid", result->grid);
	else
		json_string(json, "transfer", bench_transfers[result->transfer]);
	json_string(json, "skipped", result->skipped[0] ? result->skipped : NULL);
	run_json_add_device(json, cl);
	run_json_add_build(json, cl);
	json_number(json, "open_seconds", result->open_seconds);
	json_begin_object(json, "copy");
	json_integer(json, "bytes_per_buffer", (int64_t)result->copy_bytes);
	json_number(json, "gb_per_s_before", result->copy_before);
	json_number(json, "gb_per_s_after", result->copy_after);
	json_end_object(json);
	json_number(json, "empty_launch_us", result->launch_us);
	json_number(json, "empty_launch_profiled_us", result->launch_profiled_us);
	json_number(json, "launch_and_wait_us", result->read_us);
	json_number(json, "fill_gb_per_s", result->fill);
	if (!result->skipped[0]) {
		json_number(json, "particles", result->particles);
		json_number(json, "liquid_cells", result->liquid_cells);
		json_integer(json, "memory_bytes", (int64_t)result->memory);
		json_number(json, "dt", result->dt);
		json_number(json, "pressure_iterations", result->pressure_iterations);
		json_integer(json, "pressure_iterations_least", result->pressure_least);
		json_integer(json, "pressure_iterations_most", result->pressure_most);
		json_number(json, "drift_iterations", result->drift_iterations);
		json_number(json, "iterations_enqueued", result->enqueued);
		json_number(json, "device_ms", bench_kernel_ms(result));
		json_begin_object(json, "substep");
		add_stage_numbers(json, result, result->wall_ms, bench_bytes(result));
		json_end_object(json);
		add_stages(json, result);
	}
	json_end_object(json);
}
