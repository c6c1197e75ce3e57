/* Which device is meant: see clx.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clx_internal.h"
#include "environment.h"
#include "message.h"
#include "number.h"
#include "opencl/driver_cache.h"

static bool contains_without_case(const char *text, const char *part)
{
	size_t length = strlen(part);
	for (; *text; text++) {
		size_t i = 0;
		while (i < length && text[i] &&
		       tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
			i++;
		if (i == length)
			return true;
	}
	return false;
}

static int first_of_type(const struct clx_device_info *list, size_t count, bool gpu)
{
	int best = -1;
	for (size_t i = 0; i < count; i++)
		if (gpu ? list[i].is_gpu : list[i].is_cpu && !list[i].is_native)
			if (best < 0 || (gpu && list[i].global_memory > list[best].global_memory))
				best = (int)i;
	return best;
}

static int native_device(const struct clx_device_info *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].is_native)
			return (int)i;
	return -1;
}

/* Those that `which` says, of all if it is NULL. */
static void list_devices(const struct clx_device_info *list, size_t count, const bool *which,
			 char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < count && used < size - 1; i++) {
		if (which && !which[i])
			continue;
		int wrote = snprintf(text + used, size - used, "%s%u:%u %s (%s)", used ? "; " : "",
				     list[i].platform_index, list[i].device_index, list[i].name,
				     list[i].is_gpu   ? "gpu"
				     : list[i].is_cpu ? "cpu"
						      : "other");
		used += wrote > 0 ? (size_t)wrote : 0;
	}
}

static void report_missing(const struct clx_device_info *list, size_t count, const char *spec)
{
	char text[1024];
	list_devices(list, count, NULL, text, sizeof(text));
	message_error("no device matches '%s'; there are: %s. Choose one with -d "
		      "PLATFORM:DEVICE or -d with a part of its name",
		      spec, text);
}

/* Of a driver that is not PoCL. */
static void report_gpu_driver(const char *found)
{
	char node[64];
	for (int n = 128; n < 192; n++) {
		snprintf(node, sizeof(node), "/dev/dri/renderD%d", n);
		if (access(node, R_OK | W_OK) != 0 && errno == EACCES) {
			message_error("%s, but 0 devices: '%s' cannot be opened (%s); 'ls -l' "
				      "tells the group that you have to belong to",
				      found, node, strerror(EACCES));
			return;
		}
	}
	message_error(
		"%s, but 0 devices: check the driver of the device that you mean, or install "
		"PoCL to run on the CPU (Debian: apt-get install pocl-opencl-icd); without, -d native "
		"runs on one core",
		found);
}

/* There are platforms.  What is known to be the cause is told; what is only possible is not. */
static void report_no_devices(size_t platforms)
{
	char names[1024], found[1200];
	bool pocl;
	if (!clx_platform_names(names, sizeof(names), &pocl))
		return;
	snprintf(found, sizeof(found), "%zu OpenCL platform%s found (%s)", platforms,
		 platforms == 1 ? "" : "s", names);
	if (!pocl) {
		report_gpu_driver(found);
	} else if (driver_cache_check()) {
		const char *chosen = environment_value("POCL_DEVICES");
		message_error("%s, but 0 devices%s%.100s%s; with POCL_DEBUG=err PoCL tells why it "
			      "offers none",
			      found, chosen ? ": POCL_DEVICES='" : "", chosen ? chosen : "",
			      chosen ? "' says which PoCL offers" : "");
	}
}

static void report_no_platform(void)
{
	const char *vendors = environment_value("OCL_ICD_VENDORS");
	if (vendors)
		message_error("no OpenCL platform found where OCL_ICD_VENDORS='%.500s' says: unset "
			      "it to look in /etc/OpenCL/vendors, where drivers enter themselves; "
			      "without, -d native runs on one core",
			      vendors);
	else
		message_error("no OpenCL platform found: install a driver for your GPU, or PoCL to "
			      "run on the CPU (Debian: apt-get install pocl-opencl-icd); without, "
			      "-d native runs on one core");
}

/* "P:D", digits alone. */
static bool read_numbers(const char *spec, unsigned numbers[2])
{
	uint64_t p, d;
	if (!number_take_count(&spec, UINT32_MAX, &p) || *spec++ != ':' ||
	    !number_read_count(spec, UINT32_MAX, &d))
		return false;
	numbers[0] = (unsigned)p;
	numbers[1] = (unsigned)d;
	return true;
}

static int find_numbers(const struct clx_device_info *list, size_t count, const unsigned numbers[2])
{
	for (size_t i = 0; i < count; i++)
		if (list[i].platform_index == numbers[0] && list[i].device_index == numbers[1])
			return (int)i;
	return -1;
}

/* By a part of its name or its platform's; -1 if none has it.  False after reporting that several
 * devices do: a whole name outranks a part. */
static bool find_name(const struct clx_device_info *list, size_t count, const char *spec,
		      int *found)
{
	bool *fits = calloc(count, sizeof(*fits));
	char text[1024];
	size_t fitting = 0;
	if (!fits)
		return message_memory(count, "the list of devices");
	for (size_t i = 0; i < count; i++) {
		fits[i] = contains_without_case(list[i].name, spec) ||
			  contains_without_case(list[i].platform, spec);
		if (fits[i] && fitting++ == 0)
			*found = (int)i;
	}
	size_t whole = 0;
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].name, spec) == 0 && whole++ == 0)
			*found = (int)i;
	if (whole == 1)
		fitting = 1;
	if (fitting > 1) {
		list_devices(list, count, fits, text, sizeof(text));
		message_error("'%s' fits %zu devices: %s. Choose one with -d "
			      "PLATFORM:DEVICE",
			      spec, fitting, text);
	}
	free(fits);
	return fitting < 2;
}

/* There is native alone. */
static int report_no_opencl(size_t platforms)
{
	if (platforms == 0)
		report_no_platform();
	else
		report_no_devices(platforms);
	return -1;
}

static int default_device(const struct clx_device_info *list, size_t count, size_t platforms,
			  bool small)
{
	const int gpu = first_of_type(list, count, true), cpu = first_of_type(list, count, false);
	if (gpu >= 0)
		return gpu;
	if (small)
		return native_device(list, count);
	if (cpu >= 0)
		return cpu;
	/* One that is neither. */
	return list[0].is_native ? report_no_opencl(platforms) : 0;
}

int clx_pick_device(const struct clx_device_info *list, size_t count, size_t platforms,
		    const char *spec, bool small)
{
	if (!spec || !*spec)
		return default_device(list, count, platforms, small);

	int found = -1;
	unsigned numbers[2];
	const bool of_opencl = strcmp(spec, "gpu") == 0 || strcmp(spec, "cpu") == 0;
	if (of_opencl && list[0].is_native)
		return report_no_opencl(platforms);
	if (of_opencl)
		found = first_of_type(list, count, spec[0] == 'g');
	else if (read_numbers(spec, numbers))
		found = find_numbers(list, count, numbers);
	else if (!find_name(list, count, spec, &found))
		return -1;
	if (found < 0)
		report_missing(list, count, spec);
	return found;
}
