/* Loaded before the program (LD_PRELOAD): counts the calls of OpenCL that enqueue, for a comparison
 * with what the program counts itself.  Written to the file that COUNTED_CALLS names, at the end.
 */
#define _GNU_SOURCE
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long kernels, fills, copies, reads, writes, filled;

#define NEXT(name) ((__typeof__(&name))(void *)dlsym(RTLD_NEXT, #name))

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
			      const size_t *offset, const size_t *global, const size_t *local,
			      cl_uint count, const cl_event *list, cl_event *event)
{
	kernels++;
	return NEXT(clEnqueueNDRangeKernel)(queue, kernel, dim, offset, global, local, count, list,
					    event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t size,
			   size_t offset, size_t bytes, cl_uint count, const cl_event *list,
			   cl_event *event)
{
	fills++;
	filled += bytes;
	return NEXT(clEnqueueFillBuffer)(queue, buffer, pattern, size, offset, bytes, count, list,
					 event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
			   size_t to_offset, size_t bytes, cl_uint count, const cl_event *list,
			   cl_event *event)
{
	copies++;
	return NEXT(clEnqueueCopyBuffer)(queue, from, to, from_offset, to_offset, bytes, count,
					 list, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset,
			   size_t bytes, void *data, cl_uint count, const cl_event *list,
			   cl_event *event)
{
	reads++;
	return NEXT(clEnqueueReadBuffer)(queue, buffer, wait, offset, bytes, data, count, list,
					 event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset,
			    size_t bytes, const void *data, cl_uint count, const cl_event *list,
			    cl_event *event)
{
	writes++;
	return NEXT(clEnqueueWriteBuffer)(queue, buffer, wait, offset, bytes, data, count, list,
					  event);
}

__attribute__((destructor)) static void write_counts(void)
{
	const char *path = getenv("COUNTED_CALLS");
	FILE *file = path ? fopen(path, "w") : NULL;
	if (!file)
		return;
	fprintf(file,
		"{\"kernels\": %lu, \"fills\": %lu, \"copies\": %lu, \"reads\": %lu, "
		"\"writes\": %lu, \"filled\": %lu}\n",
		kernels, fills, copies, reads, writes, filled);
	fclose(file);
}
