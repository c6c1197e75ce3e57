#include "scan.h"

#include <stdint.h>

#include "message.h"

/* Chunks are not shorter, and there are no more of them: what comes before one is added up by its
 * work-group. */
#define SHORTEST_CPU 256
#define SHORTEST_GPU 1024
#define MOST_CPU 128
#define MOST_GPU 1024

size_t scan_scratch_bytes(size_t n)
{
	const size_t chunks = n / SHORTEST_CPU + 1;
	return (chunks < MOST_GPU ? chunks : MOST_GPU) * sizeof(uint32_t);
}

bool scan_exclusive(struct clx *cl, union u32_buffer *values, size_t n, union u32_buffer *scratch)
{
	const bool gpu = clx_path(cl) == CLX_PATH_GPU;
	const size_t most = gpu ? MOST_GPU : MOST_CPU, shortest = gpu ? SHORTEST_GPU : SHORTEST_CPU;
	const size_t fair = (n + most - 1) / most, length = fair < shortest ? shortest : fair;
	const size_t chunks = n > length ? (n + length - 1) / length : 1;
	const int32_t count = (int32_t)n, chunk = (int32_t)length;
	/* CPUs go through a chunk in a row. */
	struct clx_range range = gpu ? clx_groups(cl, chunks) : clx_range1(chunks);
	if (!gpu)
		range.local[0] = range.local[1] = range.local[2] = 1;
	const size_t lanes = range.local[0] * sizeof(uint32_t);
	if (scratch->bytes < scan_scratch_bytes(n))
		return message_error("scan of %zu values: scratch too small", n);
	return (chunks == 1 ||
		LAUNCH(cl, scan_sum_chunks, range, .values = values, .n = I32(count),
		       .chunk = I32(chunk), .sums = scratch, .lane = LOCAL(lanes))) &&
	       LAUNCH(cl, scan_apply, range, .values = values, .n = I32(count), .chunk = I32(chunk),
		      .sums = scratch, .lane = LOCAL(lanes));
}
