/* Launches and their times: see clx.h. */
#include "clx_internal.h"

#include <inttypes.h>
#include <string.h>

#include "message.h"
#include "shared.h"

_Static_assert(offsetof(struct clx_i32, given) == offsetof(struct clx_u32, given) &&
		       offsetof(struct clx_f32, given) == offsetof(struct clx_u32, given),
	       "scalars are laid out alike");
_Static_assert(offsetof(struct clx_buffer, mem) == 0, "a buffer begins with its handle");

/* Work-items of a group that goes through a brick. */
#define BRICK_GROUP 256

struct clx_range clx_range1(size_t n)
{
	return (struct clx_range){.global = {n, 1, 1}};
}

struct clx_range clx_range3(size_t x, size_t y, size_t z)
{
	return (struct clx_range){.global = {x, y, z}};
}

struct clx_range clx_groups(const struct clx *cl, size_t groups)
{
	return (struct clx_range){.global = {groups * cl->group_size, 1, 1},
				  .local = {cl->group_size, 1, 1},
				  .by_groups = true};
}

struct clx_range clx_one_group(const struct clx *cl, size_t items)
{
	struct clx_range range = clx_groups(cl, 1);
	if (cl->path == CLX_PATH_GPU && !cl->work_group)
		range.global[0] = range.local[0] = items;
	return range;
}

struct clx_range clx_chunk_groups(const struct clx *cl, size_t chunks)
{
	size_t items = cl->path == CLX_PATH_CPU ? 1 : PAIRS_LANES;
	if (cl->work_group || cl->group_size < items)
		items = cl->group_size;
	return (struct clx_range){
		.global = {chunks * items, 1, 1}, .local = {items, 1, 1}, .by_groups = true};
}

struct clx_range clx_bricks(size_t count, size_t per_layer, size_t x, size_t rows)
{
	return (struct clx_range){
		.global = {x, rows * per_layer, (count + per_layer - 1) / per_layer},
		.local = {x, rows, 1},
		.in_rows = true};
}

/* Shape of the groups and of the launch, within what the kernel allows on this device. */
static bool choose_shape(const struct clx *cl, enum kernel_id kernel, struct clx_range range,
			 size_t global[3], size_t local[3])
{
	size_t most = cl->limits[kernel].work_group, items = 1;
	const bool fixed = range.local[0] && !range.by_groups;
	if (most > cl->info.max_work_group)
		most = cl->info.max_work_group;
	for (int a = 0; a < 3; a++)
		local[a] = range.local[a] ? range.local[a] : 1;
	if (range.in_rows) {
		/* No group is larger than others by default, for devices' sake. */
		const size_t wish = cl->work_group ? cl->work_group : BRICK_GROUP;
		const size_t limit = wish < most ? wish : most;
		while (local[0] * local[1] > limit)
			local[local[1] > 1] /= 2;
	}
	if (!range.local[0])
		local[0] = cl->work_group ? cl->work_group : range.global[0] <= 32 ? 32 : 64;
	while (!fixed && local[0] > 1 && local[0] > most) {
		local[0] /= 2;
		if (range.by_groups)
			range.global[0] /= 2;
	}
	for (int a = 0; a < 3; a++) {
		items *= local[a];
		global[a] = (range.global[a] + local[a] - 1) / local[a] * local[a];
	}
	return items <= most || message_error("kernel %s: groups of %zu work-items, %s allows %zu",
					      kernel_names[kernel], items, cl->info.name, most);
}

static bool check_local_memory(const struct clx *cl, enum kernel_id kernel,
			       const struct clx_arg *args, size_t count)
{
	uint64_t bytes = cl->limits[kernel].local_memory;
	for (size_t i = 0; i < count; i++)
		bytes += args[i].value ? 0 : args[i].size;
	return bytes <= cl->info.local_memory ||
	       message_error("kernel %s needs %" PRIu64 " B of local memory, %s has %" PRIu64 " B",
			     kernel_names[kernel], bytes, cl->info.name, cl->info.local_memory);
}

/* Makes the kernel when it is first launched. */
static bool prepare(struct clx *cl, enum kernel_id kernel)
{
	if (!clx_build(cl))
		return false;
	if (!cl->created[kernel])
		cl->created[kernel] = cl->driver->create_kernel(cl, kernel);
	return cl->created[kernel];
}

/* The arguments as OpenCL takes them: those of a struct that is laid out as the signature says. */
static bool take_arguments(enum kernel_id kernel, const void *arguments, struct clx_arg *args)
{
	const struct clx_signature *signature = &clx_signatures[kernel];
	for (size_t n = 0; n < signature->count; n++) {
		const struct clx_parameter *p = &signature->parameters[n];
		const void *member = (const char *)arguments + p->offset;
		const void *pointer = NULL;
		bool given = true;
		if (p->kind == CLX_BUFFER || p->kind == CLX_STRUCT) {
			memcpy(&pointer, member, sizeof(pointer));
			given = pointer != NULL;
		}
		switch (p->kind) {
		case CLX_BUFFER: /* the handle comes first in all types of buffers */
			args[n] = (struct clx_arg){sizeof(cl_mem), pointer};
			break;
		case CLX_STRUCT:
			args[n] = (struct clx_arg){p->size, pointer};
			break;
		case CLX_SCALAR: /* all of a word, and laid out alike */
			memcpy(&given, (const char *)member + offsetof(struct clx_u32, given),
			       sizeof(given));
			args[n] = (struct clx_arg){sizeof(u32), member};
			break;
		case CLX_LOCAL:
			args[n] = (struct clx_arg){((const struct clx_local *)member)->bytes, NULL};
			given = args[n].size > 0;
			break;
		}
		if (!given)
			return message_error("kernel %s: its argument '%s' is missing",
					     kernel_names[kernel], p->name);
	}
	return true;
}

bool clx_launch(struct clx *cl, enum kernel_id kernel, struct clx_range range,
		const void *arguments)
{
	struct clx_arg args[CLX_MAX_ARGUMENTS];
	const size_t count = clx_signatures[kernel].count;
	struct clx_launch_info launch = {.kernel = kernel, .args = args, .count = count};
	const struct clx_observer *observer = cl->observer;
	const bool first = !cl->created[kernel];
	size_t items = 1;
	for (int a = 0; a < 3; a++)
		items *= range.global[a];
	if (!take_arguments(kernel, arguments, args))
		return false;
	if (!items)
		return true;
	if (!prepare(cl, kernel) || !choose_shape(cl, kernel, range, launch.global, launch.local) ||
	    !check_local_memory(cl, kernel, args, count))
		return false;
	if (first && cl->slow)
		message_progress("compiling kernels: %u so far, now %s", cl->compiled++,
				 kernel_names[kernel]);
	if (observer && !observer->before(observer->user, &launch))
		return false;
	clx_count(cl);
	/* Drivers compile when a kernel runs first: waited for, those told are those compiled. */
	return cl->driver->launch(cl, &launch) && (!first || !cl->slow || clx_wait(cl)) &&
	       (!observer || observer->after(observer->user, &launch));
}

void clx_observe(struct clx *cl, const struct clx_observer *observer)
{
	cl->observer = observer;
}

bool clx_argument_buffer(const struct clx *cl, const struct clx_arg *arg, struct clx_buffer *buffer)
{
	void *mem = NULL;
	memcpy(&mem, arg->value, sizeof(mem));
	*buffer = (struct clx_buffer){.mem = mem, .name = "argument"};
	return !mem || cl->driver->size(mem, &buffer->bytes);
}
