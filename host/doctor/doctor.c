#include "doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "environment.h"
#include "launch_check.h"
#include "run_json.h"

/* Errors become part of a check's line; warnings of tiny simulations mean nothing. */
static void keep_errors(enum message_level level, const char *text, void *user)
{
	struct doctor *d = user;
	const size_t used = strlen(d->error);
	if (level == MESSAGE_PROGRESS && !d->options->quiet && message_progress_due())
		fprintf(stderr, "freshet: %s\n", text);
	if (level == MESSAGE_ERROR)
		snprintf(d->error + used, sizeof(d->error) - used, "%s%s", used ? "; " : "", text);
}

/* ---- a device ----------------------------------------------------------------------------- */

static void examine_dimension(struct doctor *d, int dim, struct launch_check *check)
{
	char spec[32], title[32];
	snprintf(spec, sizeof(spec), "%u:%u", d->info->platform_index, d->info->device_index);
	snprintf(title, sizeof(title), "%dD program", dim);
	const double start = bench_clock();
	struct clx *cl = clx_open(spec, dim, false, true, NULL);
	if (!cl || !clx_build(cl)) {
		doctor_say_error(d, title);
		clx_close(cl);
		return;
	}
	doctor_say(d, DOCTOR_OK, title, "of %d kernels, built in %.2f s (%s)", KERNEL_COUNT,
		   (bench_clock() - start) * 1e-3, clx_build_options(cl));
	if (dim == 2 || d->options->dim == 3)
		doctor_examine_device(d, cl);
	launch_check_start(check, cl, doctor_most_checked(d));
	launch_check_begin(check, "self-test");
	doctor_examine_primitives(d, cl);
	doctor_examine_kernels(d, cl, check);
	launch_check_end(check);
	doctor_examine_golden(d, cl);
	clx_close(cl);
}

static void add_kernels(struct json_writer *json, int dim, const struct launch_check *check)
{
	for (int k = 0; k < KERNEL_COUNT; k++) {
		const struct launch_check_kernel *kernel = &check->kernels[k];
		json_begin_object(json, NULL);
		json_string(json, "name", kernel_names[k]);
		json_integer(json, "dim", dim);
		json_integer(json, "launches", kernel->launches);
		json_integer(json, "checked", kernel->checked);
		json_integer(json, "different", kernel->different);
		json_string(json, "difference", kernel->order ? kernel->difference : NULL);
		json_string(json, "first_in", kernel->order ? kernel->where : NULL);
		json_integer(json, "order", kernel->order);
		json_number(json, "first_launch_ms", kernel->first_ms);
		json_end_object(json);
	}
}

static void add_device(struct json_writer *json, const struct clx_device_info *info)
{
	run_json_name_device(json, info);
	json_integer(json, "memory_bytes", (int64_t)info->global_memory);
	json_integer(json, "largest_buffer_bytes", (int64_t)info->max_allocation);
	json_integer(json, "local_memory_bytes", (int64_t)info->local_memory);
	json_integer(json, "work_group", (int64_t)info->max_work_group);
	json_boolean(json, "fp64", info->has_fp64);
	json_boolean(json, "int64_atomics", info->has_int64_atomics);
}

static bool examine_device(struct doctor *d, const struct clx_device_info *info)
{
	struct launch_check *checks = calloc(2, sizeof(*checks));
	if (!checks)
		return message_memory(2 * sizeof(*checks), "the checks of kernels");
	d->info = info;
	d->checks = d->faults = d->notes = 0;
	if (!d->options->quiet)
		printf("%u:%u %s (%s, driver %s)\n", info->platform_index, info->device_index,
		       info->name, info->platform, info->driver_version);
	json_begin_object(&d->json, NULL);
	add_device(&d->json, info);
	json_begin_array(&d->json, "checks");
	message_set_sink(keep_errors, d);
	doctor_examine_limits(d);
	doctor_examine_known(d);
	for (int dim = 2; dim <= 3; dim++)
		if (d->options->dim == 0 || d->options->dim == dim)
			examine_dimension(d, dim, &checks[dim - 2]);
	if (d->options->dim == 0)
		doctor_say_unreached(d, checks, 2);
	message_set_sink(NULL, NULL);
	json_end_array(&d->json);
	json_begin_array(&d->json, "kernels");
	for (int dim = 2; dim <= 3; dim++)
		if (d->options->dim == 0 || d->options->dim == dim)
			add_kernels(&d->json, dim, &checks[dim - 2]);
	json_end_array(&d->json);
	json_integer(&d->json, "faults", d->faults);
	json_end_object(&d->json);
	free(checks);
	if (!d->options->quiet || d->faults)
		printf("%s: %u checks, %u faults, %u notes: %s\n\n", info->name, d->checks,
		       d->faults, d->notes,
		       d->faults ? "NOT sound; update its driver or choose another device"
				 : "sound");
	d->all_faults += d->faults;
	return true;
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool write_json(struct doctor *d)
{
	size_t length;
	json_integer(&d->json, "faults", d->all_faults);
	json_end_object(&d->json);
	char *text = json_take(&d->json, &length);
	const bool ok =
		text && (!d->options->output || bench_write_file(d->options->output, text, length));
	free(text);
	return ok;
}

/* The devices that are meant; false after reporting. */
static bool choose_devices(const struct doctor_options *options, struct clx_device_info **list,
			   size_t *first, size_t *end, enum exit_code *code)
{
	size_t count, platforms;
	const char *named = options->device ? options->device : environment_value("FRESHET_DEVICE");
	*code = CODE_FAILED;
	if (!clx_list_devices(list, &count, &platforms))
		return false;
	*first = 0;
	*end = count - 1; /* the last is what others are compared with */
	if (*end > 0 && (!named || !*named))
		return true;
	const int index = clx_pick_device(*list, count, platforms, named, false);
	if (index < 0) {
		*code = named && *named ? CODE_REFUSED : CODE_FAILED;
		free(*list);
		return false;
	}
	*first = (size_t)index;
	*end = *first + 1;
	return true;
}

enum exit_code doctor_run(const struct doctor_options *options)
{
	struct doctor d = {.options = options};
	struct clx_device_info *list = NULL;
	size_t first, end;
	enum exit_code code;
	if (options->output && !bench_can_write(options->output))
		return CODE_FAILED;
	if (!choose_devices(options, &list, &first, &end, &code))
		return code;
	json_begin_object(&d.json, NULL);
	bench_add_origin(&d.json, "freshet doctor", options->arguments);
	json_begin_array(&d.json, "devices");
	bool ok = true;
	for (size_t i = first; i < end && ok; i++)
		ok = examine_device(&d, &list[i]);
	json_end_array(&d.json);
	ok = write_json(&d) && ok;
	free(list);
	return ok && d.all_faults == 0 ? CODE_DONE : CODE_FAILED;
}
