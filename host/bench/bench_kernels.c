/* Times of single kernels, for `freshet bench --profile`. */
#include <stdio.h>

#include "bench.h"

void bench_take_totals(struct clx *cl, struct bench_totals *totals)
{
	totals->count = clx_kernel_times(cl, totals->of, CLX_MAX_TIMES);
}

void bench_list_kernels(struct clx *cl, const struct bench_totals *before, double steps,
			struct bench_kernels *kernels)
{
	struct bench_totals now;
	bench_take_totals(cl, &now);
	kernels->count = 0;
	for (size_t i = 0; i < now.count; i++) {
		struct clx_kernel_time *time = &now.of[i];
		for (size_t j = 0; j < before->count; j++)
			if (time->name == before->of[j].name) {
				time->launches -= before->of[j].launches;
				time->total_ms -= before->of[j].total_ms;
			}
		if (time->launches)
			kernels->of[kernels->count++] = (struct bench_kernel){
				.name = time->name,
				.launches = (double)time->launches / steps,
				.ms = time->total_ms / steps,
			};
	}
}

void bench_print_kernels(const struct bench_kernels *kernels, double device)
{
	if (!kernels->count)
		return;
	printf("\n%-28s %9s %10s %9s %9s\n", "kernel", "launches", "ms", "% device", "us each");
	for (size_t i = 0; i < kernels->count; i++) {
		const struct bench_kernel *k = &kernels->of[i];
		printf("%-28s %9.1f %10.3f %9.1f %9.1f\n", k->name, k->launches, k->ms,
		       device > 0.0 ? 100.0 * k->ms / device : 0.0, k->ms * 1e3 / k->launches);
	}
}

void bench_add_kernels(struct json_writer *json, const char *name,
		       const struct bench_kernels *kernels)
{
	if (!kernels->count)
		return;
	json_begin_array(json, name);
	for (size_t i = 0; i < kernels->count; i++) {
		const struct bench_kernel *k = &kernels->of[i];
		json_begin_object(json, NULL);
		json_string(json, "name", k->name);
		json_number(json, "launches", k->launches);
		json_number(json, "ms", k->ms);
		json_end_object(json);
	}
	json_end_array(json);
}
