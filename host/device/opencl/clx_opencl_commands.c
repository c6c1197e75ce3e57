/* OpenCL carries commands out: memory, commands, their events. */
#include <string.h>

#include "clx_opencl.h"
#include "fault.h"
#include "message.h"

/* ---- events ------------------------------------------------------------------------------- */

/* Until the command is done.  Its own error is in its status; the wait may only tell that there is
 * one. */
static bool wait_for(const struct clx *cl, cl_event event, const char *name)
{
	cl_int status = CL_COMPLETE, code = clWaitForEvents(1, &event);
	if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
			   NULL) == CL_SUCCESS &&
	    status < 0)
		code = status;
	return clx_check_wait(cl, code, "clWaitForEvents", name, 0);
}

/* Where the event of a command goes: NULL if nobody asks when it is done. */
static cl_event *event_wanted(const struct clx *cl, cl_event *event)
{
	return cl->profile || cl->waited ? event : NULL;
}

/* Keeps the event of an enqueued command, if there is one (owned from here on), until the times are
 * read.  what: a kernel, CLX_TIMED_FILL or CLX_TIMED_COPY, and its name or that of the buffer. */
static bool keep_event(struct clx *cl, cl_event event, int what, const char *name)
{
	if (!event)
		return true;
	const bool done = !cl->waited || wait_for(cl, event, name);
	if (!cl->profile)
		clReleaseEvent(event);
	else
		cl->events[cl->event_count++] = (struct clx_launch_event){event, what, cl->stage};
	if (!done)
		return what < KERNEL_COUNT && message_error("kernel %s failed on the device", name);
	return cl->event_count < CLX_EVENTS_KEPT || opencl_collect(cl);
}

bool opencl_collect(struct clx *cl)
{
	bool ok = true;
	if (cl->event_count > 0 && !opencl_wait(cl))
		return false;
	for (size_t i = 0; i < cl->event_count; i++) {
		struct clx_launch_event *e = &cl->events[i];
		cl_ulong start = 0, end = 0;
		cl_int code = clGetEventProfilingInfo(e->event, CL_PROFILING_COMMAND_START,
						      sizeof(start), &start, NULL);
		if (code == CL_SUCCESS)
			code = clGetEventProfilingInfo(e->event, CL_PROFILING_COMMAND_END,
						       sizeof(end), &end, NULL);
		clReleaseEvent(e->event);
		ok = clx_check(code, "clGetEventProfilingInfo", cl->kernel_times[e->what].name,
			       0) &&
		     ok;
		clx_account(cl, e->what, e->stage, (double)(end - start) * 1e-6);
	}
	cl->event_count = 0;
	return ok;
}

/* ---- memory ------------------------------------------------------------------------------- */

/* `code` of a call that made `mem`, which is released if the call counts as failed. */
static bool take_memory(cl_mem mem, cl_int code, const char *call, const char *name, size_t bytes,
			void **taken)
{
	*taken = mem;
	if (clx_check(code, call, name, bytes))
		return true;
	if (mem && code == CL_SUCCESS)
		clReleaseMemObject(mem);
	return false;
}

bool opencl_allocate(struct clx *cl, const char *name, size_t bytes, void **taken)
{
	cl_int code;
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	return take_memory(mem, code, "clCreateBuffer", name, bytes, taken);
}

bool opencl_view(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		 const char *name, void **taken)
{
	(void)cl;
	cl_int code;
	const cl_buffer_region region = {offset, bytes};
	cl_mem mem = clCreateSubBuffer(buffer->mem, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
				       &region, &code);
	return take_memory(mem, code, "clCreateSubBuffer", name, bytes, taken);
}

void opencl_release(void *mem)
{
	clReleaseMemObject(mem);
}

bool opencl_size(void *mem, size_t *bytes)
{
	return clx_check(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(*bytes), bytes, NULL),
			 "clGetMemObjectInfo", "argument", 0);
}

/* ---- commands ----------------------------------------------------------------------------- */

bool opencl_write(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		  const void *data)
{
	if (cl->whole_writes)
		return clx_store_whole(cl, buffer, offset, bytes, data);
	return clx_check_wait(cl,
			      clEnqueueWriteBuffer(cl->queue, buffer->mem, CL_TRUE, offset, bytes,
						   data, 0, NULL, NULL),
			      "clEnqueueWriteBuffer", buffer->name, bytes);
}

bool opencl_read(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		 void *data)
{
	return clx_check_wait(cl,
			      clEnqueueReadBuffer(cl->queue, buffer->mem, CL_TRUE, offset, bytes,
						  data, 0, NULL, NULL),
			      "clEnqueueReadBuffer", buffer->name, bytes);
}

/* A command on a buffer has been enqueued, or not. */
static bool take_command(struct clx *cl, cl_int code, cl_event event, int what, const char *call,
			 const char *name, size_t bytes)
{
	if (clx_check(code, call, name, bytes))
		return keep_event(cl, event, what, name);
	if (event)
		clReleaseEvent(event);
	return false;
}

bool opencl_fill(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes)
{
	const cl_uchar zero = 0;
	cl_event event = NULL;
	if (cl->whole_writes)
		return clx_store_whole(cl, buffer, offset, bytes, NULL);
	cl_int code = clEnqueueFillBuffer(cl->queue, buffer->mem, &zero, 1, offset, bytes, 0, NULL,
					  event_wanted(cl, &event));
	return take_command(cl, code, event, CLX_TIMED_FILL, "clEnqueueFillBuffer", buffer->name,
			    bytes);
}

bool opencl_copy(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		 const struct clx_buffer *to, size_t to_offset, size_t bytes)
{
	cl_event event = NULL;
	if (cl->whole_writes)
		return clx_copy_whole(cl, from, from_offset, to, to_offset, bytes);
	cl_int code = clEnqueueCopyBuffer(cl->queue, from->mem, to->mem, from_offset, to_offset,
					  bytes, 0, NULL, event_wanted(cl, &event));
	return take_command(cl, code, event, CLX_TIMED_COPY, "clEnqueueCopyBuffer", to->name,
			    bytes);
}

bool opencl_launch(struct clx *cl, const struct clx_launch_info *launch)
{
	const enum kernel_id kernel = launch->kernel;
	const char *name = kernel_names[kernel];
	const size_t *global = launch->global;
	if (!clx_set_arguments(cl, launch))
		return false;
	cl_event event = NULL;
	cl_int code = clEnqueueNDRangeKernel(cl->queue, cl->kernels[kernel], 3, NULL, global,
					     launch->local, 0, NULL, event_wanted(cl, &event));
	if (!clx_check(code, "clEnqueueNDRangeKernel", name, 0)) {
		if (event)
			clReleaseEvent(event);
		return message_error("kernel %s: %zu x %zu x %zu work-items in groups of %zu", name,
				     global[0], global[1], global[2], launch->local[0]);
	}
	if (fault_is_due(FAULT_KERNEL))
		cl->late_error = CL_OUT_OF_RESOURCES;
	return keep_event(cl, event, (int)kernel, name);
}

bool opencl_wait(struct clx *cl)
{
	return clx_check_wait(cl, clFinish(cl->queue), "clFinish", cl->info.name, 0);
}
