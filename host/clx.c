/* Context, program, buffers, launches, timing: see clx.h. */
#include "clx_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "message.h"

#define EVENTS_KEPT 4096

/* What is timed: the kernels, and the fills and copies of buffers. */
enum { TIMED_FILL = KERNEL_COUNT, TIMED_COPY, TIMED_COUNT };

struct launch_event {
	cl_event event;
	int what, stage;
};

struct clx {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernels[KERNEL_COUNT];
	cl_uint kernel_args[KERNEL_COUNT];
	struct clx_device_info info;
	char build_options[256];
	int dim;
	bool profile;
	size_t work_group; /* forced size, 0 = none */
	size_t group_size;
	enum clx_splat splat;
	uint64_t memory_in_use, memory_peak;

	int stage;
	struct launch_event events[EVENTS_KEPT];
	size_t event_count;
	double stage_ms[CLX_MAX_STAGES];
	struct clx_stage_count stage_counts[CLX_MAX_STAGES];
	struct clx_kernel_time kernel_times[TIMED_COUNT];
};

/* ---- errors ------------------------------------------------------------------------------- */

const char *clx_error_name(cl_int code)
{
	static const struct {
		cl_int code;
		const char *name;
	} names[] = {
#define NAME(x) {x, #x}
		NAME(CL_DEVICE_NOT_FOUND),
		NAME(CL_DEVICE_NOT_AVAILABLE),
		NAME(CL_COMPILER_NOT_AVAILABLE),
		NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
		NAME(CL_OUT_OF_RESOURCES),
		NAME(CL_OUT_OF_HOST_MEMORY),
		NAME(CL_PROFILING_INFO_NOT_AVAILABLE),
		NAME(CL_MEM_COPY_OVERLAP),
		NAME(CL_BUILD_PROGRAM_FAILURE),
		NAME(CL_MAP_FAILURE),
		NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
		NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
		NAME(CL_COMPILE_PROGRAM_FAILURE),
		NAME(CL_LINKER_NOT_AVAILABLE),
		NAME(CL_LINK_PROGRAM_FAILURE),
		NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
		NAME(CL_INVALID_VALUE),
		NAME(CL_INVALID_DEVICE_TYPE),
		NAME(CL_INVALID_PLATFORM),
		NAME(CL_INVALID_DEVICE),
		NAME(CL_INVALID_CONTEXT),
		NAME(CL_INVALID_QUEUE_PROPERTIES),
		NAME(CL_INVALID_COMMAND_QUEUE),
		NAME(CL_INVALID_HOST_PTR),
		NAME(CL_INVALID_MEM_OBJECT),
		NAME(CL_INVALID_BINARY),
		NAME(CL_INVALID_BUILD_OPTIONS),
		NAME(CL_INVALID_PROGRAM),
		NAME(CL_INVALID_PROGRAM_EXECUTABLE),
		NAME(CL_INVALID_KERNEL_NAME),
		NAME(CL_INVALID_KERNEL_DEFINITION),
		NAME(CL_INVALID_KERNEL),
		NAME(CL_INVALID_ARG_INDEX),
		NAME(CL_INVALID_ARG_VALUE),
		NAME(CL_INVALID_ARG_SIZE),
		NAME(CL_INVALID_KERNEL_ARGS),
		NAME(CL_INVALID_WORK_DIMENSION),
		NAME(CL_INVALID_WORK_GROUP_SIZE),
		NAME(CL_INVALID_WORK_ITEM_SIZE),
		NAME(CL_INVALID_GLOBAL_OFFSET),
		NAME(CL_INVALID_EVENT_WAIT_LIST),
		NAME(CL_INVALID_EVENT),
		NAME(CL_INVALID_OPERATION),
		NAME(CL_INVALID_BUFFER_SIZE),
		NAME(CL_INVALID_GLOBAL_WORK_SIZE),
#undef NAME
		{-9999, "driver error -9999 (an illegal access by a kernel, on NVIDIA)"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].code == code)
			return names[i].name;
	return "unknown code";
}

bool clx_check(cl_int code, const char *call, const char *object, size_t bytes)
{
	if (fault_is_due(FAULT_OPENCL))
		code = CL_OUT_OF_RESOURCES;
	if (code == CL_SUCCESS)
		return true;
	const char *hint =
		code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES
			? " (out of device memory? reduce domain.cells or particles_per_cell)"
			: "";
	if (bytes)
		return message_error("%s %s %zu B: %s (%d)%s", call, object, bytes,
				     clx_error_name(code), code, hint);
	return message_error("%s %s: %s (%d)%s", call, object, clx_error_name(code), code, hint);
}

/* ---- device and program ------------------------------------------------------------------- */

static bool build_program(struct clx *cl)
{
	char *options = cl->build_options;
	cl_int code;
	const char *source = kernel_source;
	size_t length = kernel_source_length;
	cl->program = clCreateProgramWithSource(cl->context, 1, &source, &length, &code);
	if (!clx_check(code, "clCreateProgramWithSource", "kernels", length))
		return false;

	/* Correct rounding of / and sqrt is always asked for; a driver that refuses the option is
	 * judged by the self-test like every other. */
	for (int correct = 1; correct >= 0; correct--) {
		snprintf(options, sizeof(cl->build_options),
			 "-cl-std=CL1.2 -DFRESHET_DEVICE -DDIM=%d%s%s", cl->dim,
			 cl->info.has_int64_atomics ? " -DHAS_INT64_ATOMICS" : "",
			 correct ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
		code = clBuildProgram(cl->program, 1, &cl->device, options, NULL, NULL);
		if (code != CL_INVALID_BUILD_OPTIONS && code != CL_BUILD_PROGRAM_FAILURE)
			break;
	}
	if (code != CL_SUCCESS) {
		size_t size = 0;
		char *log = NULL;
		if (clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL,
					  &size) == CL_SUCCESS &&
		    (log = calloc(1, size + 1)) != NULL &&
		    clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, size, log,
					  NULL) == CL_SUCCESS)
			message_error("the kernels do not build on %s (options: %s):\n%.1500s",
				      cl->info.name, options, log);
		free(log);
	}
	return clx_check(code, "clBuildProgram", cl->info.name, 0);
}

static bool create_kernels(struct clx *cl)
{
	for (int k = 0; k < KERNEL_COUNT; k++) {
		cl_int code;
		cl->kernels[k] = clCreateKernel(cl->program, kernel_names[k], &code);
		if (!clx_check(code, "clCreateKernel", kernel_names[k], 0))
			return false;
		code = clGetKernelInfo(cl->kernels[k], CL_KERNEL_NUM_ARGS, sizeof(cl_uint),
				       &cl->kernel_args[k], NULL);
		if (!clx_check(code, "clGetKernelInfo", kernel_names[k], 0))
			return false;
		cl->kernel_times[k].name = kernel_names[k];
	}
	cl->kernel_times[TIMED_FILL].name = "(fill)";
	cl->kernel_times[TIMED_COPY].name = "(copy)";
	return true;
}

static bool read_environment(struct clx *cl)
{
	if (!fault_check_environment())
		return false;
	cl->group_size = cl->info.is_gpu ? 256 : 64;
	const char *group = getenv("FRESHET_WORK_GROUP");
	if (group && *group) {
		char *end;
		long size = strtol(group, &end, 10);
		if (*end || size < 1 || size > 1024 || (size & (size - 1)))
			return message_error(
				"FRESHET_WORK_GROUP='%s' is not a power of two from 1 to 1024",
				group);
		cl->work_group = cl->group_size = (size_t)size;
	}
	while (cl->group_size > cl->info.max_work_group)
		cl->group_size /= 2;
	if (cl->work_group > cl->info.max_work_group)
		cl->work_group = cl->group_size;

	cl->splat = cl->info.is_cpu		 ? CLX_SPLAT_BLOCK
		    : cl->info.has_int64_atomics ? CLX_SPLAT_ATOMIC64
						 : CLX_SPLAT_ATOMIC32;
	const char *splat = getenv("FRESHET_SPLAT");
	if (splat && *splat) {
		if (strcmp(splat, "block") == 0)
			cl->splat = CLX_SPLAT_BLOCK;
		else if (strcmp(splat, "atomic32") == 0)
			cl->splat = CLX_SPLAT_ATOMIC32;
		else if (strcmp(splat, "atomic64") == 0 && cl->info.has_int64_atomics)
			cl->splat = CLX_SPLAT_ATOMIC64;
		else if (strcmp(splat, "atomic64") == 0)
			return message_error("FRESHET_SPLAT=atomic64: %s has no 64-bit atomics",
					     cl->info.name);
		else
			return message_error(
				"FRESHET_SPLAT='%s' is not block, atomic64 or atomic32", splat);
	}
	return true;
}

struct clx *clx_open(const char *spec, int dim, bool profile, bool *named_missing)
{
	struct clx_device_info *list = NULL;
	size_t count = 0, platforms = 0;
	cl_int code;
	if (!spec || !*spec)
		spec = getenv("FRESHET_DEVICE");
	if (named_missing)
		*named_missing = false;
	if (!clx_list_devices(&list, &count, &platforms))
		return NULL;
	int index = clx_pick_device(list, count, platforms, spec);
	if (index < 0) {
		if (named_missing)
			*named_missing = count > 0;
		free(list);
		return NULL;
	}
	struct clx *cl = calloc(1, sizeof(*cl));
	if (!cl) {
		free(list);
		message_error("out of host memory");
		return NULL;
	}
	cl->info = list[index];
	cl->dim = dim;
	cl->profile = profile;
	free(list);
	if (!read_environment(cl) ||
	    !clx_device_handle(cl->info.platform_index, cl->info.device_index, &cl->platform,
			       &cl->device))
		goto fail;
	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
	if (!clx_check(code, "clCreateContext", cl->info.name, 0))
		goto fail;
	cl->queue = clCreateCommandQueue(cl->context, cl->device, CL_QUEUE_PROFILING_ENABLE, &code);
	if (!clx_check(code, "clCreateCommandQueue", cl->info.name, 0))
		goto fail;
	if (!build_program(cl) || !create_kernels(cl))
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
	if (cl->queue)
		clFinish(cl->queue);
	for (size_t i = 0; i < cl->event_count; i++)
		clReleaseEvent(cl->events[i].event);
	for (int k = 0; k < KERNEL_COUNT; k++)
		if (cl->kernels[k])
			clReleaseKernel(cl->kernels[k]);
	if (cl->program)
		clReleaseProgram(cl->program);
	if (cl->queue)
		clReleaseCommandQueue(cl->queue);
	if (cl->context)
		clReleaseContext(cl->context);
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

size_t clx_group_size(const struct clx *cl)
{
	return cl->group_size;
}

enum clx_splat clx_splat_path(const struct clx *cl)
{
	return cl->splat;
}

/* ---- buffers ------------------------------------------------------------------------------ */

#define MIB(bytes) ((double)(bytes) / 1048576.0)

bool clx_memory_fits(struct clx *cl, uint64_t total, uint64_t largest)
{
	const struct clx_device_info *info = &cl->info;
	if (largest > info->max_allocation)
		return message_error(
			"not enough device memory: the largest buffer needs %.0f MiB, %s "
			"allows %.0f MiB per buffer; reduce domain.cells or "
			"particles_per_cell",
			MIB(largest), info->name, MIB(info->max_allocation));
	if (cl->memory_in_use + total > info->global_memory)
		return message_error(
			"not enough device memory: %.0f MiB needed (%.0f MiB in use), %s has "
			"%.0f MiB; reduce domain.cells or particles_per_cell",
			MIB(total), MIB(cl->memory_in_use), info->name, MIB(info->global_memory));
	return true;
}

bool clx_alloc(struct clx *cl, struct clx_buffer *buffer, const char *name, size_t count,
	       size_t size)
{
	cl_int code;
	size_t bytes = count * size;
	*buffer = (struct clx_buffer){0};
	if (count && bytes / count != size)
		return message_error("buffer %s: %zu elements of %zu B overflow the address space",
				     name, count, size);
	if (!bytes)
		bytes = size;
	if (!clx_memory_fits(cl, bytes, bytes))
		return message_error("buffer %s could not be allocated", name);
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	if (!clx_check(code, "clCreateBuffer", name, bytes)) {
		if (mem && code == CL_SUCCESS)
			clReleaseMemObject(mem);
		return false;
	}
	*buffer = (struct clx_buffer){mem, bytes, name, false};
	cl->memory_in_use += bytes;
	if (cl->memory_in_use > cl->memory_peak)
		cl->memory_peak = cl->memory_in_use;
	if (!clx_zero(cl, buffer, 0, bytes)) {
		clx_free(cl, buffer);
		return false;
	}
	return true;
}

void clx_free(struct clx *cl, struct clx_buffer *buffer)
{
	if (buffer->mem)
		clReleaseMemObject(buffer->mem);
	if (buffer->mem && !buffer->is_view)
		cl->memory_in_use -= buffer->bytes;
	*buffer = (struct clx_buffer){0};
}

static bool in_range(const struct clx_buffer *buffer, size_t offset, size_t bytes, const char *what)
{
	if (offset <= buffer->bytes && bytes <= buffer->bytes - offset)
		return true;
	return message_error("%s of %zu B at %zu is outside buffer %s (%zu B)", what, bytes, offset,
			     buffer->name ? buffer->name : "(none)", buffer->bytes);
}

bool clx_view(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
	      const char *name, struct clx_buffer *view)
{
	cl_int code;
	*view = (struct clx_buffer){0};
	if (!in_range(buffer, offset, bytes, "view"))
		return false;
	cl_buffer_region region = {offset, bytes};
	cl_mem mem = clCreateSubBuffer(buffer->mem, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
				       &region, &code);
	if (!clx_check(code, "clCreateSubBuffer", name, bytes)) {
		if (mem && code == CL_SUCCESS)
			clReleaseMemObject(mem);
		return false;
	}
	(void)cl;
	*view = (struct clx_buffer){mem, bytes, name, true};
	return true;
}

bool clx_write(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes,
	       const void *data)
{
	if (!bytes)
		return true;
	cl->stage_counts[cl->stage].transfers++;
	return in_range(buffer, offset, bytes, "write") &&
	       clx_check(clEnqueueWriteBuffer(cl->queue, buffer->mem, CL_TRUE, offset, bytes, data,
					      0, NULL, NULL),
			 "clEnqueueWriteBuffer", buffer->name, bytes);
}

bool clx_read(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
	      void *data)
{
	if (!bytes)
		return true;
	cl->stage_counts[cl->stage].transfers++;
	return in_range(buffer, offset, bytes, "read") &&
	       clx_check(clEnqueueReadBuffer(cl->queue, buffer->mem, CL_TRUE, offset, bytes, data,
					     0, NULL, NULL),
			 "clEnqueueReadBuffer", buffer->name, bytes);
}

static bool keep_event(struct clx *cl, cl_event event, int what);

bool clx_zero(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes)
{
	const cl_uchar zero = 0;
	cl_event event = NULL;
	if (!bytes)
		return true;
	if (!in_range(buffer, offset, bytes, "fill"))
		return false;
	cl_int code = clEnqueueFillBuffer(cl->queue, buffer->mem, &zero, 1, offset, bytes, 0, NULL,
					  &event);
	if (!clx_check(code, "clEnqueueFillBuffer", buffer->name, bytes)) {
		if (event)
			clReleaseEvent(event);
		return false;
	}
	return keep_event(cl, event, TIMED_FILL);
}

bool clx_copy(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
	      struct clx_buffer *to, size_t to_offset, size_t bytes)
{
	cl_event event = NULL;
	if (!bytes)
		return true;
	if (!in_range(from, from_offset, bytes, "copy") || !in_range(to, to_offset, bytes, "copy"))
		return false;
	cl_int code = clEnqueueCopyBuffer(cl->queue, from->mem, to->mem, from_offset, to_offset,
					  bytes, 0, NULL, &event);
	if (!clx_check(code, "clEnqueueCopyBuffer", to->name, bytes)) {
		if (event)
			clReleaseEvent(event);
		return false;
	}
	return keep_event(cl, event, TIMED_COPY);
}

bool clx_wait(struct clx *cl)
{
	return clx_check(clFinish(cl->queue), "clFinish", cl->info.name, 0);
}

uint64_t clx_memory_in_use(const struct clx *cl)
{
	return cl->memory_in_use;
}

uint64_t clx_memory_peak(const struct clx *cl)
{
	return cl->memory_peak;
}

/* ---- launches ----------------------------------------------------------------------------- */

struct clx_range clx_range1(size_t n)
{
	return (struct clx_range){{n, 1, 1}, {0, 0, 0}};
}

struct clx_range clx_range3(size_t x, size_t y, size_t z)
{
	return (struct clx_range){{x, y, z}, {0, 0, 0}};
}

struct clx_range clx_groups(const struct clx *cl, size_t groups)
{
	return (struct clx_range){{groups * cl->group_size, 1, 1}, {cl->group_size, 1, 1}};
}

/* Durations of the kept events go into the totals. */
static bool collect_events(struct clx *cl)
{
	if (!clx_wait(cl))
		return false;
	bool ok = true;
	for (size_t i = 0; i < cl->event_count; i++) {
		struct launch_event *e = &cl->events[i];
		cl_ulong start = 0, end = 0;
		cl_int code = clGetEventProfilingInfo(e->event, CL_PROFILING_COMMAND_START,
						      sizeof(start), &start, NULL);
		if (code == CL_SUCCESS)
			code = clGetEventProfilingInfo(e->event, CL_PROFILING_COMMAND_END,
						       sizeof(end), &end, NULL);
		clReleaseEvent(e->event);
		struct clx_kernel_time *time = &cl->kernel_times[e->what];
		ok = clx_check(code, "clGetEventProfilingInfo", time->name, 0) && ok;
		double ms = (double)(end - start) * 1e-6;
		cl->stage_ms[e->stage] += ms;
		time->launches++;
		time->total_ms += ms;
		if (ms > time->longest_ms)
			time->longest_ms = ms;
	}
	cl->event_count = 0;
	return ok;
}

/* Counts an enqueued command and keeps its event (owned from here on) until the times are read. */
static bool keep_event(struct clx *cl, cl_event event, int what)
{
	cl->stage_counts[cl->stage].launches++;
	cl->events[cl->event_count++] = (struct launch_event){event, what, cl->stage};
	return cl->event_count < EVENTS_KEPT || collect_events(cl);
}

static void choose_local(const struct clx *cl, const struct clx_range *range, size_t local[3])
{
	for (int a = 0; a < 3; a++)
		local[a] = range->local[a] ? range->local[a] : 1;
	if (range->local[0])
		return;
	local[0] = cl->work_group ? cl->work_group : range->global[0] <= 32 ? 32 : 64;
	while (local[0] > cl->info.max_work_group)
		local[0] /= 2;
}

bool clx_launch(struct clx *cl, enum kernel_id kernel, struct clx_range range,
		const struct clx_arg *args, size_t count)
{
	const char *name = kernel_names[kernel];
	size_t global[3], local[3], items = 1;
	if (count != cl->kernel_args[kernel])
		return message_error("kernel %s takes %u arguments, %zu were given", name,
				     (unsigned)cl->kernel_args[kernel], count);
	for (int a = 0; a < 3; a++)
		items *= range.global[a];
	if (!items)
		return true;
	choose_local(cl, &range, local);
	for (int a = 0; a < 3; a++)
		global[a] = (range.global[a] + local[a] - 1) / local[a] * local[a];
	for (cl_uint i = 0; i < count; i++) {
		cl_int code = clSetKernelArg(cl->kernels[kernel], i, args[i].size, args[i].value);
		if (!clx_check(code, "clSetKernelArg", name, 0))
			return message_error("argument %u of kernel %s (%zu B)", (unsigned)i, name,
					     args[i].size);
	}
	cl_event event = NULL;
	cl_int code = clEnqueueNDRangeKernel(cl->queue, cl->kernels[kernel], 3, NULL, global, local,
					     0, NULL, &event);
	if (!clx_check(code, "clEnqueueNDRangeKernel", name, 0)) {
		if (event)
			clReleaseEvent(event);
		return message_error("kernel %s: %zu x %zu x %zu work-items in groups of %zu", name,
				     global[0], global[1], global[2], local[0]);
	}
	return keep_event(cl, event, (int)kernel);
}

/* ---- timing ------------------------------------------------------------------------------- */

void clx_stage(struct clx *cl, int stage)
{
	cl->stage = stage;
}

bool clx_stage_times(struct clx *cl, double ms[CLX_MAX_STAGES])
{
	bool ok = collect_events(cl);
	for (int s = 0; s < CLX_MAX_STAGES; s++) {
		ms[s] = cl->stage_ms[s];
		cl->stage_ms[s] = 0;
	}
	return ok;
}

void clx_stage_counts(const struct clx *cl, struct clx_stage_count counts[CLX_MAX_STAGES])
{
	memcpy(counts, cl->stage_counts, sizeof(cl->stage_counts));
}

size_t clx_kernel_times(struct clx *cl, struct clx_kernel_time *list, size_t capacity)
{
	size_t count = 0;
	if (!cl->profile)
		return 0;
	collect_events(cl);
	for (int k = 0; k < TIMED_COUNT && count < capacity; k++)
		if (cl->kernel_times[k].launches)
			list[count++] = cl->kernel_times[k];
	return count;
}
