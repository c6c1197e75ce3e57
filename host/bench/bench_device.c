/* What the device can do without a simulation: copy, launch, wait. */
#include <stdlib.h>
#include <time.h>

#include "bench.h"

/* The first copies find pages and code that are new. */
#define COPY_WARM_UP 2
/* Enough for a median, or a mean, and short. */
#define COPY_SAMPLES 7
#define EMPTY_LAUNCHES 1000
#define EMPTY_READS 100
/* Stage number of the measurements that are not stages. */
#define OTHER_STAGE (CLX_MAX_STAGES - 1)

double bench_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare_numbers(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_numbers);
	return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

bool bench_measure_copy(struct clx *cl, size_t wanted, double *speed, size_t *bytes)
{
	const struct clx_device_info *info = clx_info(cl);
	union float4_buffer from = {0}, to = {0};
	double ms[CLX_MAX_STAGES], samples[COPY_SAMPLES];
	uint64_t most = (info->global_memory - clx_memory_in_use(cl)) / 4;
	if (most > info->max_allocation)
		most = info->max_allocation;
	*bytes = most < wanted ? (size_t)most / 4096 * 4096 : wanted;
	const i32 n = (i32)(*bytes / 16);
	struct clx_range range = clx_range1((size_t)n);
	/* Elsewhere the launch finds a size that the device allows. */
	if (info->is_gpu) {
		range.local[0] = clx_group_size(cl);
		range.local[1] = range.local[2] = 1;
	}

	clx_stage(cl, OTHER_STAGE);
	bool ok = clx_alloc(cl, &from, "copy source", *bytes / sizeof(f32)) &&
		  clx_alloc(cl, &to, "copy target", *bytes / sizeof(f32)) &&
		  clx_stage_times(cl, ms);
	for (int i = 0; i < COPY_WARM_UP + COPY_SAMPLES && ok; i++) {
		ok = LAUNCH(cl, bench_copy, range, .from = &from, .to = &to, .n = I32(n)) &&
		     clx_stage_times(cl, ms);
		if (i >= COPY_WARM_UP)
			samples[i - COPY_WARM_UP] = ms[OTHER_STAGE];
	}
	clx_free(cl, &from);
	clx_free(cl, &to);
	if (!ok)
		return false;
	const double middle = bench_median(samples, COPY_SAMPLES);
	*speed = middle > 0.0 ? 2.0 * (double)*bytes / middle * 1e-6 : 0.0;
	return true;
}

bool bench_measure_fill(struct clx *cl, size_t bytes, double *speed)
{
	union float4_buffer to = {0};
	double ms[CLX_MAX_STAGES], samples[COPY_SAMPLES];
	clx_stage(cl, OTHER_STAGE);
	bool ok = clx_alloc(cl, &to, "fill target", bytes / sizeof(f32)) && clx_stage_times(cl, ms);
	for (int i = 0; i < COPY_SAMPLES && ok; i++) {
		ok = clx_zero(cl, &to, 0, bytes) && clx_stage_times(cl, ms);
		samples[i] = ms[OTHER_STAGE];
	}
	clx_free(cl, &to);
	if (!ok)
		return false;
	const double middle = bench_median(samples, COPY_SAMPLES);
	*speed = middle > 0.0 ? (double)bytes / middle * 1e-6 : 0.0;
	return true;
}

/* Microseconds of an empty launch, of many in a row. */
static bool time_launches(struct clx *cl, const union float4_buffer *from, union float4_buffer *to,
			  double *us)
{
	const i32 none = 0;
	bool ok = LAUNCH(cl, bench_copy, clx_range1(1), .from = from, .to = to, .n = I32(none)) &&
		  clx_wait(cl);
	const double start = bench_clock();
	for (int i = 0; i < EMPTY_LAUNCHES && ok; i++)
		ok = LAUNCH(cl, bench_copy, clx_range1(1), .from = from, .to = to, .n = I32(none));
	ok = ok && clx_wait(cl);
	*us = (bench_clock() - start) * 1e3 / EMPTY_LAUNCHES;
	return ok;
}

bool bench_measure_latency(struct clx *cl, struct bench_result *result)
{
	union float4_buffer from = {0}, to = {0};
	double samples[EMPTY_READS];
	const i32 none = 0;
	u32 word;
	clx_stage(cl, OTHER_STAGE);
	bool ok = clx_alloc(cl, &from, "empty", 4) && clx_alloc(cl, &to, "empty", 4) &&
		  time_launches(cl, &from, &to, &result->launch_profiled_us) &&
		  clx_set_profile(cl, false) && time_launches(cl, &from, &to, &result->launch_us);
	for (int i = 0; i < EMPTY_READS && ok; i++) {
		const double start = bench_clock();
		ok = LAUNCH(cl, bench_copy, clx_range1(1), .from = &from, .to = &to,
			    .n = I32(none)) &&
		     clx_read(cl, &to, 0, sizeof(word), &word);
		samples[i] = (bench_clock() - start) * 1e3;
	}
	clx_free(cl, &from);
	clx_free(cl, &to);
	if (!ok || !clx_set_profile(cl, true))
		return false;
	result->read_us = bench_median(samples, EMPTY_READS);
	return true;
}
