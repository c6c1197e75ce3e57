/* Which devices there are, and which one is meant. */
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

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = list; (at = strstr(at, word)) != NULL; at += length) {
		bool starts = at == list || at[-1] == ' ';
		bool ends = at[length] == '\0' || at[length] == ' ';
		if (starts && ends)
			return true;
	}
	return false;
}

static bool out_of_memory(void)
{
	return message_memory(0, "the list of devices");
}

static void device_string(cl_device_id device, cl_device_info what, char *out, size_t size)
{
	if (clGetDeviceInfo(device, what, size, out, NULL) != CL_SUCCESS)
		snprintf(out, size, "?");
	out[size - 1] = '\0';
}

static void platform_name(cl_platform_id platform, char *name, size_t size)
{
	if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, name, NULL) != CL_SUCCESS)
		snprintf(name, size, "?");
}

static bool describe(cl_platform_id platform, cl_device_id device, struct clx_device_info *info)
{
	platform_name(platform, info->platform, sizeof(info->platform));
	device_string(device, CL_DEVICE_NAME, info->name, sizeof(info->name));
	device_string(device, CL_DEVICE_VENDOR, info->vendor, sizeof(info->vendor));
	device_string(device, CL_DEVICE_VERSION, info->device_version,
		      sizeof(info->device_version));
	device_string(device, CL_DRIVER_VERSION, info->driver_version,
		      sizeof(info->driver_version));

	cl_device_type type = 0;
	cl_ulong memory = 0, largest = 0, local = 0;
	cl_uint units = 0, alignment = 0;
	size_t group = 1;
	clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(memory), &memory, NULL);
	clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(largest), &largest, NULL);
	clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(local), &local, NULL);
	clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
	clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(group), &group, NULL);
	clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(alignment), &alignment, NULL);
	info->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
	info->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
	info->global_memory = memory;
	info->max_allocation = largest;
	info->local_memory = local;
	info->compute_units = units;
	info->max_work_group = group;
	info->view_alignment = alignment > 8 ? alignment / 8 : 1; /* told in bits */

	size_t size = 0;
	if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
		size = 0;
	char *extensions = calloc(1, size + 1);
	if (!extensions)
		return out_of_memory();
	if (size > 0 &&
	    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, extensions, NULL) == CL_SUCCESS) {
		info->has_fp64 = has_word(extensions, "cl_khr_fp64");
		info->has_int64_atomics = has_word(extensions, "cl_khr_int64_base_atomics");
	}
	free(extensions);
	return true;
}

/* False after reporting: no memory.  None is none. */
static bool platform_ids(cl_platform_id **ids, cl_uint *count)
{
	*ids = NULL;
	driver_cache_prepare();
	/* The loader answers CL_PLATFORM_NOT_FOUND_KHR (-1001) when there is none: not a fault. */
	if (clGetPlatformIDs(0, NULL, count) != CL_SUCCESS || *count == 0) {
		*count = 0;
		return true;
	}
	*ids = calloc(*count, sizeof(**ids));
	if (!*ids)
		return out_of_memory();
	if (clGetPlatformIDs(*count, *ids, NULL) != CL_SUCCESS)
		*count = 0;
	return true;
}

static bool device_ids(cl_platform_id platform, cl_device_id **ids, cl_uint *count)
{
	*ids = NULL;
	if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, count) != CL_SUCCESS ||
	    *count == 0) {
		*count = 0;
		return true;
	}
	*ids = calloc(*count, sizeof(**ids));
	if (!*ids)
		return out_of_memory();
	if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, *count, *ids, NULL) != CL_SUCCESS)
		*count = 0;
	return true;
}

/* One entry more; NULL after reporting. */
static struct clx_device_info *add_device(struct clx_device_info **list, size_t *count)
{
	struct clx_device_info *longer = realloc(*list, (*count + 1) * sizeof(**list));
	if (!longer) {
		out_of_memory();
		return NULL;
	}
	*list = longer;
	return &longer[(*count)++];
}

/* Adds the devices of a platform to the list. */
static bool list_platform(cl_platform_id platform, unsigned index, struct clx_device_info **list,
			  size_t *count)
{
	cl_uint device_count;
	cl_device_id *devices;
	bool ok = device_ids(platform, &devices, &device_count);
	for (cl_uint d = 0; ok && d < device_count; d++) {
		struct clx_device_info *info = add_device(list, count);
		ok = info != NULL;
		if (!ok)
			break;
		*info = (struct clx_device_info){.platform_index = index, .device_index = d};
		ok = describe(platform, devices[d], info);
	}
	free(devices);
	return ok;
}

static bool list_native(unsigned platform, struct clx_device_info **list, size_t *count)
{
	struct clx_device_info *info = add_device(list, count);
	if (!info)
		return false;
	clx_describe_native(info);
	info->platform_index = platform;
	return true;
}

bool clx_list_devices(struct clx_device_info **list, size_t *count, size_t *platforms)
{
	cl_uint platform_count;
	cl_platform_id *ids;
	*list = NULL;
	*count = *platforms = 0;
	if (!platform_ids(&ids, &platform_count))
		return false;
	bool ok = true;
	for (cl_uint p = 0; ok && p < platform_count; p++)
		ok = list_platform(ids[p], p, list, count);
	free(ids);
	*platforms = platform_count;
	if (ok && list_native(platform_count, list, count))
		return true;
	free(*list);
	*list = NULL;
	*count = 0;
	return false;
}

bool clx_device_handle(unsigned platform_index, unsigned device_index, cl_platform_id *platform,
		       cl_device_id *device)
{
	cl_uint platform_count, device_count = 0;
	cl_platform_id *platforms;
	cl_device_id *devices = NULL;
	if (!platform_ids(&platforms, &platform_count))
		return false;
	bool ok = true;
	if (platform_index < platform_count) {
		*platform = platforms[platform_index];
		ok = device_ids(*platform, &devices, &device_count);
	}
	if (ok && device_index < device_count)
		*device = devices[device_index];
	else if (ok)
		ok = message_error("OpenCL device %u:%u vanished", platform_index, device_index);
	free(devices);
	free(platforms);
	return ok;
}

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
	message_error("%s, but 0 devices: check the driver of the device that you mean, or install "
		      "PoCL to run on the CPU (Debian: apt-get install pocl-opencl-icd)",
		      found);
}

/* There are platforms.  What is known to be the cause is told; what is only possible is not. */
static void report_no_devices(size_t platforms)
{
	char names[1024] = "", found[1200], name[128];
	size_t used = 0;
	bool pocl = false;
	cl_uint count;
	cl_platform_id *ids;
	if (!platform_ids(&ids, &count))
		return;
	for (cl_uint p = 0; p < count && used < sizeof(names) - 1; p++) {
		platform_name(ids[p], name, sizeof(name));
		pocl |= driver_cache_of(name);
		int wrote =
			snprintf(names + used, sizeof(names) - used, "%s%s", p ? ", " : "", name);
		used += wrote > 0 ? (size_t)wrote : 0;
	}
	free(ids);
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
			      "it to look in /etc/OpenCL/vendors, where drivers enter themselves",
			      vendors);
	else
		message_error("no OpenCL platform found: install a driver for your GPU, or PoCL to "
			      "run on the CPU (Debian: apt-get install pocl-opencl-icd)");
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

static int default_device(const struct clx_device_info *list, size_t count, size_t platforms,
			  size_t points)
{
	const int gpu = first_of_type(list, count, true), cpu = first_of_type(list, count, false);
	if (gpu >= 0)
		return gpu;
	if (points > 0 && points <= CLX_NATIVE_POINTS)
		return native_device(list, count);
	if (cpu >= 0)
		return cpu;
	/* One that is neither. */
	if (!list[0].is_native)
		return 0;
	if (platforms == 0)
		report_no_platform();
	else
		report_no_devices(platforms);
	message_error("without OpenCL there is the device native, one core: -d native");
	return -1;
}

int clx_pick_device(const struct clx_device_info *list, size_t count, size_t platforms,
		    const char *spec, size_t points)
{
	if (!spec || !*spec)
		return default_device(list, count, platforms, points);

	int found = -1;
	unsigned numbers[2];
	if (strcmp(spec, "gpu") == 0 || strcmp(spec, "cpu") == 0)
		found = first_of_type(list, count, spec[0] == 'g');
	else if (read_numbers(spec, numbers))
		found = find_numbers(list, count, numbers);
	else if (!find_name(list, count, spec, &found))
		return -1;
	if (found < 0)
		report_missing(list, count, spec);
	return found;
}
