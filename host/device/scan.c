#include "scan.h"

#include <stdint.h>

#include "message.h"

#define SERIAL_MAX 256 /* a single work-item finishes this many */
#define LEVELS_MAX 8

/* CPUs like few long chunks, GPUs many short ones; the result is the same. */
static size_t chunk_of(const struct clx *cl, size_t n)
{
	size_t short_chunk = 16;
	size_t long_chunk = (n + 127) / 128;
	return clx_path(cl) == CLX_PATH_GPU || long_chunk < short_chunk ? short_chunk : long_chunk;
}

size_t scan_scratch_bytes(size_t n)
{
	if (n <= SERIAL_MAX)
		return sizeof(uint32_t);
	/* Sums of all levels at the shortest chunk: n/16 + n/256 + ..., one total each. */
	return (n / 15 + 4 * LEVELS_MAX) * sizeof(uint32_t);
}

bool scan_exclusive(struct clx *cl, union u32_buffer *values, size_t n, union u32_buffer *scratch)
{
	size_t counts[LEVELS_MAX + 1] = {n}, chunks[LEVELS_MAX];
	size_t starts[LEVELS_MAX + 1] = {0};
	int levels = 0;
	if (scratch->bytes < scan_scratch_bytes(n))
		return message_error("scan of %zu values: scratch too small", n);

	/* Sums go up the levels, each in its own part of the scratch. */
	size_t used = 0;
	while (counts[levels] > SERIAL_MAX && levels < LEVELS_MAX) {
		chunks[levels] = chunk_of(cl, counts[levels]);
		counts[levels + 1] = (counts[levels] + chunks[levels] - 1) / chunks[levels];
		starts[levels + 1] = used;
		used += counts[levels + 1] + 1;
		levels++;
	}
	for (int l = 0; l < levels; l++) {
		int32_t count = (int32_t)counts[l], chunk = (int32_t)chunks[l];
		int32_t from = (int32_t)starts[l], to = (int32_t)starts[l + 1];
		if (!LAUNCH(cl, scan_sum_chunks, clx_range1(counts[l + 1]),
			    .values = l ? scratch : values, .from = I32(from), .n = I32(count),
			    .chunk = I32(chunk), .sums = scratch, .to = I32(to)))
			return false;
	}
	int32_t top = (int32_t)counts[levels], top_start = (int32_t)starts[levels];
	if (!LAUNCH(cl, scan_serial, clx_range1(1), .values = levels ? scratch : values,
		    .from = I32(top_start), .n = I32(top)))
		return false;
	for (int l = levels - 1; l >= 0; l--) {
		int32_t count = (int32_t)counts[l], chunk = (int32_t)chunks[l];
		int32_t from = (int32_t)starts[l], to = (int32_t)starts[l + 1];
		if (!LAUNCH(cl, scan_apply, clx_range1(counts[l + 1]),
			    .values = l ? scratch : values, .from = I32(from), .n = I32(count),
			    .chunk = I32(chunk), .sums = scratch, .to = I32(to)))
			return false;
	}
	return true;
}
