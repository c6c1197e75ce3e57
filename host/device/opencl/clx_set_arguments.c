/* Arguments that kernels have: see clx_internal.h. */
#include "clx_internal.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

/* Room for the values of one kernel; sizes never change between its launches. */
static bool make_room(struct clx_arguments_set *set, const struct clx_launch_info *launch)
{
	size_t bytes = 0, used = 0;
	for (size_t i = 0; i < launch->count; i++)
		bytes += launch->args[i].value ? launch->args[i].size : 0;
	set->values = malloc(bytes + 1);
	if (!set->values)
		return message_memory(bytes + 1, "the arguments of a kernel");
	for (size_t i = 0; i < launch->count; i++) {
		set->value[i] = launch->args[i].value ? set->values + used : NULL;
		used += set->value[i] ? launch->args[i].size : 0;
	}
	set->count = launch->count;
	return true;
}

static bool is_set(const struct clx_arguments_set *set, size_t i, const struct clx_arg *arg)
{
	return set->size[i] == arg->size &&
	       (!arg->value || memcmp(set->value[i], arg->value, arg->size) == 0);
}

bool clx_set_arguments(struct clx *cl, const struct clx_launch_info *launch)
{
	const enum kernel_id kernel = launch->kernel;
	struct clx_arguments_set *set = &cl->arguments[kernel];
	if (!set->values && !make_room(set, launch))
		return false;
	if (set->buffers_freed != cl->buffers_freed)
		memset(set->size, 0, sizeof(set->size));
	set->buffers_freed = cl->buffers_freed;
	for (size_t i = 0; i < launch->count; i++) {
		const struct clx_arg *arg = &launch->args[i];
		if (is_set(set, i, arg))
			continue;
		set->size[i] = 0;
		cl_int code =
			clSetKernelArg(cl->kernels[kernel], (cl_uint)i, arg->size, arg->value);
		if (!clx_check(code, "clSetKernelArg", kernel_names[kernel], 0))
			return message_error("argument %zu of kernel %s (%zu B)", i,
					     kernel_names[kernel], arg->size);
		set->size[i] = arg->size;
		if (arg->value)
			memcpy(set->value[i], arg->value, arg->size);
	}
	return true;
}

void clx_forget_arguments(struct clx *cl, int kernel)
{
	free(cl->arguments[kernel].values);
	cl->arguments[kernel] = (struct clx_arguments_set){0};
}
