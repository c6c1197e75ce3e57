/* Self-test of what the stages build on: prefix sums, sums, maxima, the sort. */
#include <math.h>
#include <stdlib.h>

#include "mg_state.h"
#include "scan.h"
#include "selftest_internal.h"

/* Around work-groups, chunks of sums and their groups. */
static const size_t lengths[] = {1, 2, 31, 255, 256, 257, 1000, 4097};
#define LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

bool selftest_scan(struct selftest *t)
{
	u32 values[SELFTEST_LONGEST + 1], got[SELFTEST_LONGEST + 1];
	for (size_t l = 0; l < LENGTHS; l++) {
		const size_t n = lengths[l];
		u32 sum = 0;
		for (size_t i = 0; i < n; i++)
			values[i] = selftest_random(t) % 1000;
		values[n] = 0;
		if (!clx_write(t->cl, &t->output[0], 0, (n + 1) * sizeof(u32), values) ||
		    !scan_exclusive(t->cl, &t->output[0], n, &t->scratch) ||
		    !selftest_read(t, &t->output[0], got, n + 1))
			return false;
		for (size_t i = 0; i <= n; i++) {
			u32 value = values[i];
			values[i] = sum;
			sum += value;
		}
		if (!selftest_check(t, "scan", "prefix sum", got, values, n + 1))
			return false;
	}
	return true;
}

#define LANE_BYTES (2 * sizeof(f32))

/* Sums of products of whole numbers, which float pairs hold exactly. */
bool selftest_sums(struct selftest *t)
{
	f32 a[SELFTEST_LONGEST], b[SELFTEST_LONGEST], pairs[LENGTHS][2];
	u32 got[2 * LENGTHS], expected[2 * LENGTHS];
	for (size_t i = 0; i < SELFTEST_LONGEST; i++) {
		a[i] = (f32)selftest_integer(t, 4000);
		b[i] = (f32)selftest_integer(t, 4000);
	}
	/* Every chunk is listed. */
	i32 list[(SELFTEST_LONGEST / PAIRS_CHUNK + 1) * BRICK_WORDS] = {0};
	for (size_t n = 0; n < sizeof(list) / sizeof(list[0]); n += BRICK_WORDS) {
		list[n] = (i32)(n / BRICK_WORDS);
		list[n + 3] = -1;
	}
	if (!clx_zero(t->cl, &t->input[2], 0, MG_STATE_WORDS * sizeof(u32)) ||
	    !clx_write(t->cl, &t->output[1], 0, sizeof(list), list))
		return false;
	for (size_t l = 0; l < LENGTHS; l++) {
		const i32 n = (i32)lengths[l], chunks = (n + PAIRS_CHUNK - 1) / PAIRS_CHUNK,
			  from = 0;
		const i32 at = (i32)l;
		const size_t lane = PAIRS_FINAL_LANES * LANE_BYTES;
		const struct cg_end end = {.what = CG_NONE};
		const struct brick_run run = {.count = chunks, .per_layer = chunks};
		const struct clx_range each_chunk = clx_chunk_groups(t->cl, (size_t)chunks);
		/* Zeros fill the last chunk. */
		const size_t bytes = (size_t)chunks * PAIRS_CHUNK * sizeof(f32);
		if (!clx_zero(t->cl, &t->input[0], 0, bytes) ||
		    !clx_zero(t->cl, &t->input[1], 0, bytes) ||
		    !clx_write(t->cl, &t->input[0], 0, lengths[l] * sizeof(f32), a) ||
		    !clx_write(t->cl, &t->input[1], 0, lengths[l] * sizeof(f32), b) ||
		    !LAUNCH(t->cl, cg_dot, each_chunk, .bricks = CLX_AS(i32, &t->output[1]),
			    .run = &run, .a = CLX_AS(f32, &t->input[0]),
			    .b = CLX_AS(f32, &t->input[1]), .partial = CLX_AS(pair, &t->scratch),
			    .end = &end, .meeting = &t->output[1], .lane = LOCAL(lane),
			    .state = &t->input[2], .next = &t->output[1]) ||
		    !LAUNCH(t->cl, reduce_total, clx_groups(t->cl, 1),
			    .partial = CLX_AS(pair, &t->scratch), .from = I32(from),
			    .chunks = I32(chunks), .totals = CLX_AS(pair, &t->output[0]),
			    .at = I32(at), .lane = LOCAL(PAIRS_FINAL_LANES * LANE_BYTES)))
			return false;
		i64 sum = 0;
		for (i32 i = 0; i < n; i++)
			sum += (i64)a[i] * (i64)b[i];
		expected[2 * l] = selftest_bits((f32)sum);
		expected[2 * l + 1] = selftest_bits((f32)(sum - (i64)(f32)sum));
	}
	if (!clx_read(t->cl, &t->output[0], 0, sizeof(pairs), pairs))
		return false;
	for (size_t l = 0; l < LENGTHS; l++) {
		/* The parts need not be in normal form; their sum is exact. */
		double sum = (double)pairs[l][0] + (double)pairs[l][1];
		got[2 * l] = selftest_bits((f32)sum);
		got[2 * l + 1] = selftest_bits((f32)(sum - (double)(f32)sum));
	}
	return selftest_check(t, "sums", "sum of products in float pairs", got, expected,
			      2 * LENGTHS);
}

/* The maxima that the time step comes from. */
bool selftest_maxima(struct selftest *t)
{
	const i32 dim = clx_dim(t->cl), stride = SELFTEST_LONGEST, no_affine = 0, strides = 0;
	const struct grid g = {.h = 1.0f}; /* without a key: all particles count */
	f32 velocity[3 * SELFTEST_LONGEST];
	u32 expected[2], got[2], scalars[SCALAR_COUNT];
	for (size_t i = 0; i < (size_t)(dim * stride); i++)
		velocity[i] = selftest_float(t);
	u32 order[SELFTEST_LONGEST];
	for (u32 p = 0; p < SELFTEST_LONGEST; p++)
		order[p] = p;
	if (!clx_write(t->cl, &t->input[0], 0, (size_t)(dim * stride) * sizeof(f32), velocity) ||
	    !clx_write(t->cl, &t->input[1], 0, sizeof(order), order))
		return false;
	for (size_t l = 0; l < LENGTHS; l++) {
		const i32 n = (i32)lengths[l];
		f32 fastest = 0.0f, square = 0.0f;
		for (i32 p = 0; p < n; p++) {
			f32 sum = 0.0f;
			for (i32 c = 0; c < dim; c++) {
				f32 v = velocity[c * stride + p];
				fastest = fabsf(v) > fastest ? fabsf(v) : fastest;
				sum += v * v;
			}
			square = sum > square ? sum : square;
		}
		expected[0] = selftest_bits(fastest);
		expected[1] = selftest_bits(square);
		if (!clx_zero(t->cl, &t->output[0], 0, SCALAR_COUNT * sizeof(u32)) ||
		    !clx_write(t->cl, &t->input[2], 0, sizeof(n), &n) ||
		    !LAUNCH(t->cl, particles_collect, clx_range1(lengths[l] < 256 ? 1 : 256),
			    .g = &g, .start = &t->input[2], .order = &t->input[1], .n = I32(n),
			    .stride = I32(stride), .run = I32(strides),
			    .position = CLX_AS(f32, &t->input[0]),
			    .velocity = CLX_AS(f32, &t->input[0]), .id = &t->input[1],
			    .affine_out = CLX_AS(f32, &t->input[0]), .has_affine = I32(no_affine),
			    .position_out = CLX_AS(f32, &t->output[1]),
			    .velocity_out = CLX_AS(f32, &t->output[1]), .id_out = &t->scratch,
			    .scalars = &t->output[0]) ||
		    !selftest_read(t, &t->output[0], scalars, SCALAR_COUNT))
			return false;
		got[0] = scalars[SCALAR_SPEED_BOUND];
		got[1] = scalars[SCALAR_PARTICLE_SPEED];
		if (!selftest_check(t, "maxima", "greatest speed", got, expected, 2))
			return false;
	}
	return true;
}

struct entry {
	u32 key, id, particle;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* One block of cells of 1 m; a third of the particles share a cell. */
bool selftest_sort(struct selftest *t)
{
	const i32 dim = clx_dim(t->cl), edge = BLOCK_EDGE(dim);
	const i32 n = SELFTEST_LONGEST, stride = SELFTEST_LONGEST;
	struct grid g = {.nx = edge, .ny = edge, .nz = dim == 3 ? edge : 1, .h = 1.0f};
	f32 position[3 * SELFTEST_LONGEST];
	u32 id[SELFTEST_LONGEST], got[SELFTEST_LONGEST], expected[SELFTEST_LONGEST],
		start[BLOCK_CELLS + 1] = {0};
	struct entry entries[SELFTEST_LONGEST];
	g.inv_h = 1.0f;
	g.bx = g.by = g.bz = 1;
	g.keys = BLOCK_CELLS;
	for (u32 p = 0; p < SELFTEST_LONGEST; p++) {
		u32 key = p % 3 ? selftest_random(t) % BLOCK_CELLS : 11;
		id[p] = p * 2048u % SELFTEST_LONGEST; /* a permutation, as 4097 is odd */
		entries[p] = (struct entry){key, id[p], p};
		for (i32 a = 0, rest = (i32)key; a < dim; a++, rest /= edge)
			position[a * stride + (i32)p] = (f32)(rest % edge) + 0.5f;
	}
	qsort(entries, SELFTEST_LONGEST, sizeof(entries[0]), compare_entries);
	for (size_t p = 0; p < SELFTEST_LONGEST; p++)
		expected[p] = entries[p].particle;
	return clx_write(t->cl, &t->input[0], 0, (size_t)(dim * stride) * sizeof(f32), position) &&
	       clx_write(t->cl, &t->input[1], 0, sizeof(id), id) &&
	       clx_write(t->cl, &t->output[0], 0, sizeof(start), start) &&
	       LAUNCH(t->cl, particles_count, clx_range1(SELFTEST_LONGEST), .g = &g,
		      .position = CLX_AS(f32, &t->input[0]), .id = &t->input[1],
		      .stride = I32(stride), .n = I32(n), .counts = &t->output[0],
		      .rank = &t->input[2]) &&
	       scan_exclusive(t->cl, &t->output[0], BLOCK_CELLS, &t->scratch) &&
	       LAUNCH(t->cl, particles_place, clx_range1(SELFTEST_LONGEST), .stride = I32(stride),
		      .n = I32(n), .start = &t->output[0], .rank = &t->input[2],
		      .order = &t->output[1]) &&
	       LAUNCH(t->cl, particles_canonical, clx_range1(BLOCK_CELLS), .g = &g,
		      .id = &t->input[1], .start = &t->output[0], .order = &t->output[1]) &&
	       selftest_read(t, &t->output[1], got, SELFTEST_LONGEST) &&
	       selftest_check(t, "sort", "particle in sorted order", got, expected,
			      SELFTEST_LONGEST);
}
