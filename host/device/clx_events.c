/* Commands counted and timed.  See clx.h. */
#include <string.h>

#include "clock.h"
#include "clx_internal.h"

bool clx_wait(struct clx *cl)
{
	return cl->driver->wait(cl);
}

bool clx_set_profile(struct clx *cl, bool profile)
{
	double ms[CLX_MAX_STAGES];
	if (!clx_wait(cl) || !clx_stage_times(cl, ms))
		return false;
	cl->profile = profile;
	cl->stage_began = clock_seconds();
	return cl->driver->profile(cl);
}

void clx_count(struct clx *cl)
{
	cl->stage_counts[cl->stage].launches++;
}

void clx_account(struct clx *cl, int what, int stage, double ms)
{
	struct clx_kernel_time *time = &cl->kernel_times[what];
	cl->stage_ms[stage] += ms;
	time->launches++;
	time->total_ms += ms;
	if (ms > time->longest_ms)
		time->longest_ms = ms;
}

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
		ok = cl->driver->collect(cl);
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
	cl->driver->collect(cl);
	for (int k = 0; k < CLX_TIMED_COUNT && count < capacity; k++)
		if (cl->kernel_times[k].launches)
			list[count++] = cl->kernel_times[k];
	return count;
}
