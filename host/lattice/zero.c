#include "zero.h"

/* Arrays of one launch. */
#define MOST 8
/* Bytes of a work-item: a store of a GPU, and enough for a CPU to be worth its turn. */
#define RUN_GPU 16
#define RUN_CPU 4096

static bool zero_some(struct clx *cl, const struct zero_part *parts, size_t count)
{
	const u32 run = clx_path(cl) == CLX_PATH_GPU ? RUN_GPU : RUN_CPU;
	struct zero_part part[MOST];
	size_t items = 0, all = 0;
	for (size_t n = 0; n < MOST; n++) {
		/* Where there is none, nothing of the first. */
		part[n] = n < count ? parts[n] : (struct zero_part){.buffer = parts[0].buffer};
		items += (part[n].bytes + run - 1) / run;
		all += part[n].bytes;
	}
	clx_count_filled(cl, all);
#define ARRAY(name, n)                                                 \
	.name = part[n].buffer, .name##_from = U32((u32)part[n].from), \
	.name##_bytes = U32((u32)part[n].bytes)
	return LAUNCH(cl, zero_arrays, clx_range1(items), .run = U32(run), ARRAY(a, 0), ARRAY(b, 1),
		      ARRAY(c, 2), ARRAY(d, 3), ARRAY(e, 4), ARRAY(f, 5), ARRAY(g, 6), ARRAY(h, 7));
#undef ARRAY
}

bool zero_parts(struct clx *cl, const struct zero_part *parts, size_t count)
{
	struct zero_part some[MOST];
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		if (parts[i].bytes == 0)
			continue;
		/* Sizes are told in 32 bits. */
		if (parts[i].bytes > UINT32_MAX / 2 || parts[i].from > UINT32_MAX / 2) {
			if (!clx_zero(cl, parts[i].buffer, parts[i].from, parts[i].bytes))
				return false;
			continue;
		}
		some[n++] = parts[i];
		if (n == MOST) {
			if (!zero_some(cl, some, n))
				return false;
			n = 0;
		}
	}
	return n == 0 || zero_some(cl, some, n);
}
