/* OpenCL carries commands out: device, program, kernels.  See struct clx_driver. */
#include "clx_opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "compile_watch.h"
#include "driver_cache.h"
#include "message.h"

static cl_int build(struct clx *cl)
{
	struct compile_watch watch;
	compile_watch_begin(&watch, cl->info.name);
	const cl_int code =
		clBuildProgram(cl->program, 1, &cl->device, cl->build_options, NULL, NULL);
	cl->slow |= compile_watch_end(&watch);
	return code;
}

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
			 "-cl-std=CL1.2 -DFRESHET_DEVICE -DDIM=%d%s%s%s%s", cl->dim,
			 cl->uses & CLX_MESHES ? " -DFRESHET_MESHES" : "",
			 cl->uses & CLX_MOTION ? " -DFRESHET_MOTION" : "",
			 cl->info.has_int64_atomics ? " -DHAS_INT64_ATOMICS" : "",
			 correct ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
		code = build(cl);
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
		if (driver_cache_of(cl->info.platform))
			driver_cache_check();
	}
	return clx_check(code, "clBuildProgram", cl->info.name, 0);
}

static bool read_limits(struct clx *cl, int kernel)
{
	struct clx_kernel_limits *limits = &cl->limits[kernel];
	cl_ulong local = 0;
	cl_uint count = 0;
	cl_int code = clGetKernelInfo(cl->kernels[kernel], CL_KERNEL_NUM_ARGS, sizeof(count),
				      &count, NULL);
	if (!clx_check(code, "clGetKernelInfo", kernel_names[kernel], 0))
		return false;
	if (count != clx_signatures[kernel].count)
		return message_error("kernel %s: %s says that it takes %u arguments, not %zu",
				     kernel_names[kernel], cl->info.name, (unsigned)count,
				     clx_signatures[kernel].count);
	code = clGetKernelWorkGroupInfo(cl->kernels[kernel], cl->device, CL_KERNEL_WORK_GROUP_SIZE,
					sizeof(limits->work_group), &limits->work_group, NULL);
	if (code == CL_SUCCESS)
		code = clGetKernelWorkGroupInfo(cl->kernels[kernel], cl->device,
						CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local,
						NULL);
	limits->local_memory = local;
	if (!clx_check(code, "clGetKernelWorkGroupInfo", kernel_names[kernel], 0))
		return false;
	return limits->work_group > 0 ||
	       message_error("kernel %s cannot run on %s: it allows no work-item of it",
			     kernel_names[kernel], cl->info.name);
}

static void release_kernel(struct clx *cl, int kernel)
{
	if (cl->kernels[kernel])
		clReleaseKernel(cl->kernels[kernel]);
	cl->kernels[kernel] = NULL;
	clx_forget_arguments(cl, kernel);
}

static void release_program(struct clx *cl)
{
	for (int k = 0; k < KERNEL_COUNT; k++)
		release_kernel(cl, k);
	if (cl->program)
		clReleaseProgram(cl->program);
	cl->program = NULL;
}

static bool build_all(struct clx *cl)
{
	release_program(cl);
	const bool built = build_program(cl);
	if (!built)
		release_program(cl);
	return built;
}

/* What is never launched is not made, as some drivers take a second for one. */
static bool create_kernel(struct clx *cl, enum kernel_id kernel)
{
	cl_int code;
	cl->kernels[kernel] = clCreateKernel(cl->program, kernel_names[kernel], &code);
	if (clx_check(code, "clCreateKernel", kernel_names[kernel], 0) &&
	    read_limits(cl, (int)kernel))
		return true;
	release_kernel(cl, (int)kernel);
	return false;
}

static bool open_queue(struct clx *cl)
{
	cl_int code;
	if (cl->queue)
		clReleaseCommandQueue(cl->queue);
	cl->queue = clCreateCommandQueue(cl->context, cl->device,
					 cl->profile ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
	return clx_check(code, "clCreateCommandQueue", cl->info.name, 0);
}

static bool open_device(struct clx *cl)
{
	cl_int code;
	if (!clx_device_handle(cl->info.platform_index, cl->info.device_index, &cl->platform,
			       &cl->device))
		return false;
	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
	return clx_check(code, "clCreateContext", cl->info.name, 0) && open_queue(cl);
}

static void close_device(struct clx *cl)
{
	if (cl->queue)
		clFinish(cl->queue);
	for (size_t i = 0; i < cl->event_count; i++)
		clReleaseEvent(cl->events[i].event);
	release_program(cl);
	if (cl->queue)
		clReleaseCommandQueue(cl->queue);
	if (cl->context)
		clReleaseContext(cl->context);
}

const struct clx_driver clx_driver_opencl = {
	.open = open_device,
	.close = close_device,
	.build = build_all,
	.create_kernel = create_kernel,
	.allocate = opencl_allocate,
	.view = opencl_view,
	.release = opencl_release,
	.size = opencl_size,
	.write = opencl_write,
	.read = opencl_read,
	.fill = opencl_fill,
	.copy = opencl_copy,
	.launch = opencl_launch,
	.wait = opencl_wait,
	.profile = open_queue,
	.collect = opencl_collect,
};
