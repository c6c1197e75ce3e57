#include "run_json.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_open.h"
#include "json_writer.h"
#include "run_json_ledger.h"
#include "scene_meshes.h"
#include "version.h"

static const char *status_name(enum run_status status)
{
	switch (status) {
	case RUN_RUNNING:
		return "running";
	case RUN_FINISHED:
		return "finished";
	case RUN_INTERRUPTED:
		return "interrupted";
	case RUN_FAILED:
		break;
	}
	return "failed";
}

const char *run_json_splat_name(enum splat_path splat)
{
	return splat == SPLAT_BLOCK ? "block" : "brick";
}

void run_json_name_device(struct json_writer *json, const struct clx_device_info *info)
{
	json_string(json, "name", info->name);
	json_string(json, "vendor", info->vendor);
	json_string(json, "platform", info->platform);
	json_integer(json, "platform_index", info->platform_index);
	json_integer(json, "device_index", info->device_index);
	json_string(json, "type", info->is_gpu ? "gpu" : info->is_cpu ? "cpu" : "other");
	json_string(json, "version", info->device_version);
	json_string(json, "driver", info->driver_version);
}

void run_json_add_device(struct json_writer *json, const struct clx *cl)
{
	const struct clx_device_info *info = clx_info(cl);
	json_begin_object(json, "device");
	run_json_name_device(json, info);
	json_integer(json, "compute_units", info->compute_units);
	json_integer(json, "memory_bytes", (int64_t)info->global_memory);
	json_boolean(json, "fp64", info->has_fp64);
	json_boolean(json, "int64_atomics", info->has_int64_atomics);
	json_integer(json, "group_size", (int64_t)clx_group_size(cl));
	json_string(json, "splat", run_json_splat_name(clx_splat_path(cl)));
	json_integer(json, "memory_peak_bytes", (int64_t)clx_memory_peak(cl));
	json_end_object(json);
}

void run_json_add_build(struct json_writer *json, const struct clx *cl)
{
	json_begin_object(json, "build");
#ifdef __clang__
	json_string(json, "compiler", __VERSION__);
#else
	json_string(json, "compiler", "GCC " __VERSION__);
#endif
	json_string(json, "type", FRESHET_BUILD_TYPE);
#ifdef FRESHET_DEBUG
	json_boolean(json, "watches_stages", true);
#else
	json_boolean(json, "watches_stages", false);
#endif
	json_string(json, "kernel_options", clx_build_options(cl));
	json_end_object(json);
}

static void add_seconds(struct json_writer *json, const struct run *run)
{
	const struct summary *summary = &run->summary;
	double frames = 0.0;
	for (size_t i = 0; i < summary->frame_count; i++)
		frames += summary->frames[i].seconds;
	json_begin_object(json, "seconds");
	json_number(json, "total", run->seconds);
	json_number(json, "start_up", run->start_up_seconds);
	/* frame 0 needs no substep */
	json_number(json, "per_frame",
		    summary->frame_count > 1 ? frames / (double)(summary->frame_count - 1) : 0.0);
	json_number(json, "per_substep", 1e-3 * summary_ms_per_substep(summary));
	json_number(json, "outside_substeps", summary_outside(summary, run->seconds));
	json_end_object(json);
}

static void add_frames(struct json_writer *json, const struct summary *summary)
{
	json_begin_array(json, "frames");
	for (size_t i = 0; i < summary->frame_count; i++) {
		const struct frame_record *frame = &summary->frames[i];
		char hash[17];
		snprintf(hash, sizeof(hash), "%016" PRIx64, frame->hash);
		json_begin_object(json, NULL);
		json_integer(json, "frame", frame->frame);
		json_number(json, "time", frame->time);
		json_integer(json, "substeps", frame->substeps);
		json_number(json, "seconds", frame->seconds);
		json_string(json, "hash", hash);
		json_end_object(json);
	}
	json_end_array(json);
}

static void add_particles(struct json_writer *json, const struct run *run)
{
	const struct step_stats *last = &run->summary.last;
	json_integer(json, "particles_start", run->summary.first.particles);
	json_integer(json, "particles_end", last->particles);
	json_begin_object(json, "removed");
	json_integer(json, "open", last->report.removed_open);
	json_integer(json, "drains", last->report.drained);
	json_integer(json, "outflows", last->report.flown);
	json_end_object(json);
	json_integer(json, "seeds_in_solids", run->sim->seeds_in_solids);
	json_integer(json, "pushed", last->report.pushed);
	json_integer(json, "escaped", last->report.escaped);
	if (run->scene->solver.reposition)
		json_integer(json, "repositioned", last->report.repositioned);
}

static void add_solves(struct json_writer *json, const struct summary *summary)
{
	json_integer(json, "pressure_iterations", (int64_t)summary->iterations);
	json_number(json, "pressure_iterations_mean", summary_iterations_mean(summary));
	json_integer(json, "pressure_iterations_max", summary->iterations_most);
	json_integer(json, "pressure_solves", (int64_t)summary->solves);
	json_integer(json, "pressure_limit_hits", (int64_t)summary->limit_hits);
	json_integer(json, "drift_solves", (int64_t)summary->drift_solves);
	json_integer(json, "drift_limit_hits", (int64_t)summary->drift_limit_hits);
}

/* Of the parts that the method has. */
static void add_totals(struct json_writer *json, const struct run *run)
{
	const struct summary *summary = &run->summary;
	const struct step_stats *last = &summary->last;
	json_begin_object(json, "totals");
	json_integer(json, "substeps", (int64_t)summary->substeps);
	if (sim_has(run->scene, PART_PARTICLES))
		add_particles(json, run);
	json_integer(json, "retries", last->retries);
	if (sim_has(run->scene, PART_SOLVER))
		add_solves(json, summary);
	if (sim_has(run->scene, PART_VOLUME)) {
		json_number(json, "volume_error_end", last->volume_error);
		json_number(json, "volume_error_worst", summary->volume_error_worst);
		json_integer(json, "volume_error_worst_frame", summary->volume_error_frame);
	}
	json_end_object(json);
}

static void add_kernels(struct json_writer *json, struct clx *cl)
{
	struct clx_kernel_time times[CLX_MAX_TIMES];
	size_t count = clx_kernel_times(cl, times, CLX_MAX_TIMES);
	json_begin_array(json, "kernels");
	for (size_t i = 0; i < count; i++) {
		json_begin_object(json, NULL);
		json_string(json, "name", times[i].name);
		json_integer(json, "launches", (int64_t)times[i].launches);
		json_number(json, "total_ms", times[i].total_ms);
		json_number(json, "longest_ms", times[i].longest_ms);
		json_end_object(json);
	}
	json_end_array(json);
}

/* By stages, in the order of the substep. */
static void add_commands(struct json_writer *json, const struct run *run)
{
	const struct method *method = run->sim->method;
	struct clx_stage_count counts[CLX_MAX_STAGES];
	clx_stage_counts(run->cl, counts);
	json_begin_array(json, "commands");
	for (size_t s = 0; s < method->stage_count; s++) {
		json_begin_object(json, NULL);
		json_string(json, "stage", method->stages[s].name);
		json_integer(json, "launches", (int64_t)counts[s].launches);
		json_integer(json, "waits", (int64_t)counts[s].transfers);
		json_integer(json, "filled_bytes", (int64_t)counts[s].filled);
		json_end_object(json);
	}
	json_end_array(json);
}

char *run_json_text(const struct run *run, size_t *length)
{
	char *scene = scene_to_json(run->scene, 1);
	if (!scene)
		return NULL;
	struct json_writer json = {0};
	json_begin_object(&json, NULL);
	json_string(&json, "program", "freshet");
	json_string(&json, "version", FRESHET_VERSION);
	json_string(&json, "git", FRESHET_GIT);
	json_string(&json, "status", status_name(run->status));
	json_string(&json, "error", run->status == RUN_FAILED ? run->report.error : NULL);
	json_string(&json, "started", run->started);
	json_begin_array(&json, "command");
	for (char *const *argument = run->options->arguments; *argument; argument++)
		json_string(&json, NULL, *argument);
	json_end_array(&json);
	json_string(&json, "scene_path", run->scene->path);
	json_raw(&json, "scene", scene);
	free(scene);
	scene_meshes_write(&json, run->scene);
	run_json_add_device(&json, run->cl);
	run_json_add_build(&json, run->cl);
	add_seconds(&json, run);
	add_frames(&json, &run->summary);
	add_totals(&json, run);
	run_json_add_ledger(&json, run);
	json_begin_array(&json, "resumed_at");
	for (size_t i = 0; i < run->resume.from.resumed_count; i++)
		json_integer(&json, NULL, run->resume.from.resumed_at[i]);
	json_end_array(&json);
	if (run->options->profile && run->sim)
		add_commands(&json, run);
	if (run->options->profile)
		add_kernels(&json, run->cl);
	json_begin_array(&json, "warnings");
	for (size_t i = 0; i < run->report.warning_count; i++)
		json_string(&json, NULL, run->report.warnings[i]);
	json_end_array(&json);
	json_integer(&json, "warnings_dropped", (int64_t)run->report.warnings_dropped);
	json_end_object(&json);
	return json_take(&json, length);
}

bool run_json_write(const struct run *run)
{
	size_t length;
	char *text = run_json_text(run, &length);
	bool ok = text && file_write_atomic(run->directory.path, RUN_JSON_NAME, text, length);
	free(text);
	return ok;
}

/* Overwrites the first `before` with as many bytes. */
static void replace_in_place(int fd, const char *before, const char *after)
{
	char text[4096];
	const ssize_t length = pread(fd, text, sizeof(text) - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	const char *found = strstr(text, before);
	if (found && pwrite(fd, after, strlen(after), found - text) > 0)
		fsync(fd);
}

void run_json_mark_failed(const struct run *run)
{
	char *path = file_join(run->directory.path, RUN_JSON_NAME);
	const int fd = path ? file_open_existing(path) : -1;
	if (fd >= 0) {
		replace_in_place(fd, "\"status\": \"running\",", "\"status\": \"failed\", ");
		close(fd);
	}
	free(path);
}
