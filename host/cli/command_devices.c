/* freshet devices */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "clx.h"
#include "commands.h"
#include "environment.h"
#include "message.h"
#include "number.h"
#include "sim_memory.h"

static const struct option options[] = {
	OPTION_HELP,
	OPTION_LAST,
};

static void print_device(const struct clx_device_info *info)
{
	printf("%u:%u  %s\n", info->platform_index, info->device_index, info->name);
	printf("     platform       %s\n", info->platform);
	printf("     vendor         %s\n", info->vendor);
	printf("     type           %s, %u compute units, work-groups up to %zu\n",
	       info->is_gpu   ? "GPU"
	       : info->is_cpu ? "CPU"
			      : "other",
	       info->compute_units, info->max_work_group);
	printf("     memory         %.0f MiB, largest buffer %.0f MiB, local %.0f KiB\n",
	       number_mebibytes(info->global_memory), number_mebibytes(info->max_allocation),
	       (double)info->local_memory / 1024.0);
	printf("     version        %s, driver %s\n", info->device_version, info->driver_version);
	if (info->is_native) {
		printf("     used           by default for up to %d particles (2D) or %d (3D) where "
		       "there is no GPU\n",
		       SIM_SMALL_2D, SIM_SMALL_3D);
		return;
	}
	printf("     64-bit floats  %s, 64-bit atomics %s (neither changes results)\n",
	       info->has_fp64 ? "yes" : "no", info->has_int64_atomics ? "yes" : "no");
}

/* The rule of clx_pick_device(), in words. */
static const char *default_reason(const struct clx_device_info *list, size_t count,
				  const struct clx_device_info *picked, const char *named)
{
	size_t gpus = 0;
	for (size_t i = 0; i < count; i++)
		gpus += list[i].is_gpu;
	if (named)
		return "named by FRESHET_DEVICE";
	if (picked->is_gpu)
		return gpus > 1 ? "the GPU with the most memory" : "the only GPU";
	return count > 2 ? "there is no GPU; the first CPU" : "the only one of OpenCL";
}

static enum exit_code list_devices(void)
{
	struct clx_device_info *list = NULL;
	size_t count = 0, platforms = 0;
	if (!clx_list_devices(&list, &count, &platforms))
		return CODE_FAILED;
	for (size_t i = 0; i < count; i++)
		print_device(&list[i]);
	fflush(stdout);
	const char *named = environment_value("FRESHET_DEVICE");
	/* Reports why, if there is none. */
	int index = clx_pick_device(list, count, platforms, named, false);
	if (index >= 0)
		printf("\ndefault: %u:%u %s (%s)\n", list[index].platform_index,
		       list[index].device_index, list[index].name,
		       default_reason(list, count, &list[index], named));
	free(list);
	return index >= 0 ? CODE_DONE : named && count > 1 ? CODE_REFUSED : CODE_FAILED;
}

static enum exit_code run_devices_command(const struct command *self, char **arguments,
					  char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value;
	switch (options_next(&reader, &value)) {
	case OPTION_END:
		return list_devices();
	case 0:
		command_print_help(self);
		return CODE_DONE;
	case OPTION_OPERAND:
		message_error("devices takes no argument, but there is '%.200s'", value);
		break;
	default:
		break;
	}
	return CODE_REFUSED;
}

const struct command command_devices = {
	.name = "devices",
	.usage = "",
	.summary = "lists the devices, and which one is used by default and why",
	.details = "The pair in front of a name is what 'freshet run -d' takes.",
	.options = options,
	.run = run_devices_command,
};
