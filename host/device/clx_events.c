/* Commands that are under way: waited for, counted and timed.  See clx.h. */
#include "clx_internal.h"

#include <inttypes.h>
#include <string.h>

#include "clock.h"
#include "message.h"

bool clx_wait(struct clx *cl)
{
	return clx_check_wait(cl, clFinish(cl->queue), "clFinish", cl->info.name, 0);
}

/* Durations of the kept events go into the totals. */
static bool collect_events(struct clx *cl)
{
	if (!clx_wait(cl))
		return false;
	bool ok = true;
	for (size_t i = 0; i < cl->event_count; i++) {
		struct clx_launch_event *e = &cl->events[i];
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

cl_event *clx_event_wanted(const struct clx *cl, cl_event *event)
{
	return cl->profile || cl->waited ? event : NULL;
}

bool clx_keep_event(struct clx *cl, cl_event event, int what, const char *name)
{
	cl->stage_counts[cl->stage].launches++;
	if (!event)
		return true;
	const bool done = !cl->waited || wait_for(cl, event, name);
	if (!cl->profile)
		clReleaseEvent(event);
	else
		cl->events[cl->event_count++] = (struct clx_launch_event){event, what, cl->stage};
	if (!done)
		return what < KERNEL_COUNT && message_error("kernel %s failed on the device", name);
	return cl->event_count < CLX_EVENTS_KEPT || collect_events(cl);
}

/* ---- timing ------------------------------------------------------------------------------- */

/* The host's time since the stage began is that stage's. */
static void account_host_time(struct clx *cl)
{
	const double now = clock_seconds();
	cl->stage_ms[cl->stage] += 1e3 * (now - cl->stage_began);
	cl->stage_began = now;
}

void clx_stage(struct clx *cl, int stage)
{
	if (!cl->profile)
		account_host_time(cl);
	cl->stage = stage;
}

bool clx_stage_times(struct clx *cl, double ms[CLX_MAX_STAGES])
{
	bool ok = true;
	if (cl->profile)
		ok = collect_events(cl);
	else
		account_host_time(cl);
	for (int s = 0; s < CLX_MAX_STAGES; s++) {
		ms[s] = cl->stage_ms[s];
		cl->stage_ms[s] = 0;
	}
	return ok;
}

void clx_count_filled(struct clx *cl, size_t bytes)
{
	cl->stage_counts[cl->stage].filled += bytes;
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
	for (int k = 0; k < CLX_TIMED_COUNT && count < capacity; k++)
		if (cl->kernel_times[k].launches)
			list[count++] = cl->kernel_times[k];
	return count;
}
