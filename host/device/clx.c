/* Device, context, program: see clx.h. */
#include "clx_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "environment.h"
#include "fault.h"
#include "message.h"
#include "number.h"

bool clx_build(struct clx *cl)
{
	if (!cl->built)
		cl->built = cl->driver->build(cl);
	return cl->built;
}

void clx_use(struct clx *cl, unsigned uses)
{
	if ((cl->uses | uses) == cl->uses)
		return;
	cl->uses |= uses;
	cl->built = false;
	memset(cl->created, 0, sizeof(cl->created));
}

/* What the environment asks for. */
struct wishes {
	size_t work_group; /* 0 = not said */
	bool whole_writes, waited;
	bool has_splat, has_path;
	enum splat_path splat;
	enum clx_path path;
};

static bool read_environment(struct wishes *wishes)
{
	static const char *const splats[] = {
		[SPLAT_BLOCK] = "block",
		[SPLAT_BRICK] = "brick",
	};
	*wishes = (struct wishes){0};
	const char *group = environment_value("FRESHET_WORK_GROUP");
	if (group) {
		uint64_t size;
		if (!number_read_count(group, 1024, &size) || size < 1 || (size & (size - 1)))
			return message_error("FRESHET_WORK_GROUP='%.100s' is not a power of two "
					     "from 1 to 1024",
					     group);
		wishes->work_group = (size_t)size;
	}
	const char *splat = environment_value("FRESHET_SPLAT");
	for (size_t s = 0; splat && s < sizeof(splats) / sizeof(splats[0]); s++)
		if (strcmp(splat, splats[s]) == 0) {
			wishes->has_splat = true;
			wishes->splat = (enum splat_path)s;
		}
	if (splat && !wishes->has_splat)
		return message_error("FRESHET_SPLAT='%.100s' is not block or brick", splat);
	const char *path = environment_value("FRESHET_PATH");
	const bool gpu = path && strcmp(path, "gpu") == 0;
	if (path && !gpu && strcmp(path, "cpu") != 0)
		return message_error("FRESHET_PATH='%.100s' is not cpu or gpu", path);
	wishes->has_path = path != NULL;
	wishes->path = gpu ? CLX_PATH_GPU : CLX_PATH_CPU;
	return environment_switch("FRESHET_WRITES", "parts", "whole", &wishes->whole_writes) &&
	       environment_switch("FRESHET_LAUNCHES", "queued", "waited", &wishes->waited);
}

bool clx_check_environment(void)
{
	struct wishes wishes;
	return read_environment(&wishes);
}

static bool set_up(struct clx *cl)
{
	struct wishes wishes;
	if (!fault_check_environment() || !read_environment(&wishes))
		return false;
	cl->path = wishes.has_path ? wishes.path : cl->info.is_cpu ? CLX_PATH_CPU : CLX_PATH_GPU;
	cl->group_size = cl->path == CLX_PATH_GPU ? 256 : 64;
	if (wishes.work_group)
		cl->work_group = cl->group_size = wishes.work_group;
	while (cl->group_size > cl->info.max_work_group)
		cl->group_size /= 2;
	if (cl->work_group > cl->info.max_work_group)
		cl->work_group = cl->group_size;
	cl->whole_writes = wishes.whole_writes;
	cl->waited = wishes.waited;
	cl->splat = wishes.has_splat	       ? wishes.splat
		    : cl->path == CLX_PATH_CPU ? SPLAT_BLOCK
					       : SPLAT_BRICK;
	return true;
}

/* Views are planned without a device, so their alignment is fixed. */
static bool views_fit(const struct clx *cl)
{
	const size_t wanted = cl->info.view_alignment;
	return (wanted > 0 && CLX_VIEW_ALIGNMENT % wanted == 0) ||
	       message_error("%s wants parts of buffers at multiples of %zu B: they are at "
			     "multiples of %d B",
			     cl->info.name, wanted, CLX_VIEW_ALIGNMENT);
}

static void name_times(struct clx *cl)
{
	for (int k = 0; k < KERNEL_COUNT; k++)
		cl->kernel_times[k].name = kernel_names[k];
	cl->kernel_times[CLX_TIMED_FILL].name = "(fill)";
	cl->kernel_times[CLX_TIMED_COPY].name = "(copy)";
}

struct clx *clx_open(const char *spec, int dim, bool small, bool profile, bool *named_missing)
{
	struct clx_device_info *list = NULL;
	size_t count = 0, platforms = 0;
	if (!spec || !*spec)
		spec = environment_value("FRESHET_DEVICE");
	if (named_missing)
		*named_missing = false;
	if (!clx_list_devices(&list, &count, &platforms))
		return NULL;
	int index = clx_pick_device(list, count, platforms, spec, small);
	if (index < 0) {
		if (named_missing)
			*named_missing = spec && *spec && count > 1;
		free(list);
		return NULL;
	}
	struct clx *cl = calloc(1, sizeof(*cl));
	if (!cl) {
		free(list);
		message_memory(sizeof(*cl), "the device");
		return NULL;
	}
	cl->info = list[index];
	cl->dim = dim;
	cl->profile = profile;
	cl->stage_began = clock_seconds();
	name_times(cl);
	free(list);
	cl->driver = cl->info.is_native ? &clx_driver_native : &clx_driver_opencl;
	if (!set_up(cl) || !views_fit(cl) || !cl->driver->open(cl))
		goto fail;
	return cl;
fail:
	clx_close(cl);
	return NULL;
}

void clx_close(struct clx *cl)
{
	if (!cl)
		return;
	if (cl->driver)
		cl->driver->close(cl);
	free(cl);
}

const struct clx_device_info *clx_info(const struct clx *cl)
{
	return &cl->info;
}

int clx_dim(const struct clx *cl)
{
	return cl->dim;
}

const char *clx_build_options(const struct clx *cl)
{
	return cl->build_options;
}

enum clx_path clx_path(const struct clx *cl)
{
	return cl->path;
}

void clx_set_path(struct clx *cl, enum clx_path path)
{
	cl->path = path;
}

size_t clx_group_size(const struct clx *cl)
{
	return cl->group_size;
}

enum splat_path clx_splat_path(const struct clx *cl)
{
	return cl->splat;
}

bool clx_in_lanes(const struct clx *cl)
{
	return cl->splat == SPLAT_BLOCK && !cl->info.is_native;
}

void clx_set_splat_path(struct clx *cl, enum splat_path splat)
{
	cl->splat = splat;
}
