/* Which devices there are: see clx.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clx_internal.h"
#include "message.h"
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

bool clx_platform_names(char *names, size_t size, bool *pocl)
{
	char name[128];
	size_t used = 0;
	cl_uint count;
	cl_platform_id *ids;
	*pocl = false;
	names[0] = '\0';
	if (!platform_ids(&ids, &count))
		return false;
	for (cl_uint p = 0; p < count && used < size - 1; p++) {
		platform_name(ids[p], name, sizeof(name));
		*pocl |= driver_cache_of(name);
		int wrote = snprintf(names + used, size - used, "%s%s", p ? ", " : "", name);
		used += wrote > 0 ? (size_t)wrote : 0;
	}
	free(ids);
	return true;
}
