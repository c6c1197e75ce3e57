#include "selftest.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "probe_layout.h"
#include "selftest_internal.h"

/* ---- layout ------------------------------------------------------------------------------- */

#define SIZE_OF(type) (u32)sizeof(struct type),
#define OFFSET_OF(type, member) (u32) offsetof(struct type, member),
#define NAME_OF(type) "size of struct " #type,
#define MEMBER_OF(type, member) "offset of " #member " in struct " #type,

static bool check_layout(struct selftest *t)
{
	static const u32 layout[] = {PROBE_LAYOUT(SIZE_OF, OFFSET_OF)};
	static const char *const names[] = {PROBE_LAYOUT(NAME_OF, MEMBER_OF)};
	enum { ENTRIES = sizeof(layout) / sizeof(layout[0]), WORDS = ENTRIES + PROBE_WORDS + 1 };
	const struct splat_scale before = {.weight_bits = 77, .velocity_bits = 5};
	u32 words[PROBE_WORDS], got[WORDS];
	struct mg_level by_value;
	for (size_t i = 0; i < PROBE_WORDS; i++)
		words[i] = 0x3f800000u + (u32)i * 0x01010101u;
	memcpy(&by_value, words, sizeof(by_value));
	if (!LAUNCH(t->cl, probe_layout, clx_range1(1), .before = &before, .by_value = &by_value,
		    .out = &t->output[0]) ||
	    !selftest_read(t, &t->output[0], got, WORDS))
		return false;
	for (size_t i = 0; i < ENTRIES; i++)
		if (!selftest_check(t, "layout", names[i], &got[i], &layout[i], 1))
			return false;
	const u32 last = (u32)before.weight_bits;
	return selftest_check(t, "layout", "struct mg_level passed by value", got + ENTRIES, words,
			      PROBE_WORDS) &&
	       selftest_check(t, "layout", "struct splat_scale passed by value", got + WORDS - 1,
			      &last, 1);
}

/* ---- arithmetic --------------------------------------------------------------------------- */

/* Quotients and roots that wrong rounding misses, products that contraction changes, ties. */
static const f32 chosen[][3] = {
	{1.0f, 3.0f, 0.0f},
	{1.0f, 49.0f, 1.0f},
	{5.0f, 7.0f, -1.0f},
	{2.0f, 0x1.fffffep0f, 0.5f},
	{0x1.fffffep0f, 0x1.000002p0f, -2.0f},
	{0x1.fffffep100f, 0x1.000002p-20f, 0x1p60f},
	{0x1p-90f, 0x1.8p30f, 0x1p-70f},
	/* (1 + e)^2 - (1 + 2e): 0 when rounded twice, e^2 when once */
	{0x1.001p0f, 0x1.001p0f, -0x1.002p0f},
	{0x1.000ffep0f, 0x1.fff002p-1f, -1.0f},
	{0.5f, 1.0f, 0.0f},
	{1.5f, 1.0f, 0.0f},
	{2.5f, -1.0f, 0.0f},
	{-0.5f, 3.0f, 0.25f},
	{-3.5f, 3.0f, 0.25f},
	{0.49999997f, 3.0f, 0.25f},
	{4194303.5f, 9.0f, 1.0f},
	{8388607.5f, 11.0f, 1.0f},
	{16777217.0f, 11.0f, 1.0f},
	{-8388608.0f, 0x1.000002p0f, 8388608.0f},
	{0x1.fffffep23f, 0x1.fffffep23f, 1.0f},
};
#define CHOSEN (sizeof(chosen) / sizeof(chosen[0]))
#define TRIPLES 1024

static bool check_arithmetic(struct selftest *t)
{
	static const char *const names[PROBE_OPERATIONS] = {
		[PROBE_DIVIDE] = "a / b",     [PROBE_SQRT] = "sqrt(|a|)",
		[PROBE_FMA] = "fma(a, b, c)", [PROBE_MUL_ADD] = "a * b + c, rounded twice",
		[PROBE_RINT] = "rint(a)",     [PROBE_CONVERT] = "64-bit integer to float",
	};
	f32 operand[3][TRIPLES];
	u32 got[TRIPLES * PROBE_OPERATIONS], sorted[TRIPLES], expected[TRIPLES];
	const i32 n = TRIPLES;
	for (size_t i = 0; i < TRIPLES; i++)
		for (size_t k = 0; k < 3; k++)
			operand[k][i] = i < CHOSEN ? chosen[i][k] : selftest_float(t);
	for (size_t k = 0; k < 3; k++)
		if (!clx_write(t->cl, &t->input[k], 0, sizeof(operand[k]), operand[k]))
			return false;
	if (!LAUNCH(t->cl, probe_arithmetic, clx_range1(TRIPLES), .a = CLX_AS(f32, &t->input[0]),
		    .b = CLX_AS(f32, &t->input[1]), .c = CLX_AS(f32, &t->input[2]),
		    .out = CLX_AS(f32, &t->output[0]), .n = I32(n)) ||
	    !selftest_read(t, &t->output[0], got, TRIPLES * PROBE_OPERATIONS))
		return false;
	for (int operation = 0; operation < PROBE_OPERATIONS; operation++) {
		for (size_t i = 0; i < TRIPLES; i++) {
			const f32 a = operand[0][i], b = operand[1][i], c = operand[2][i];
			const f32 product = a * b;
			const i64 wide = (i64)(i32)selftest_bits(a) * (i64)(i32)selftest_bits(b);
			const f32 answers[PROBE_OPERATIONS] = {
				a / b,	     sqrtf(fabsf(a)), fmaf(a, b, c),
				product + c, rintf(a),	      (f32)wide,
			};
			expected[i] = selftest_bits(answers[operation]);
			sorted[i] = got[i * PROBE_OPERATIONS + (size_t)operation];
		}
		if (!selftest_check(t, "arithmetic", names[operation], sorted, expected, TRIPLES))
			return false;
	}
	return true;
}

/* ---- atomics ------------------------------------------------------------------------------ */

static bool check_atomics(struct selftest *t)
{
	static const char *const names[PROBE_ATOMICS] = {
		[PROBE_SUM] = "sum",
		[PROBE_MAX] = "greatest",
		[PROBE_MIN] = "least",
		[PROBE_OR] = "union of bits",
		[PROBE_COUNT] = "count",
		[PROBE_PAIR_LOW] = "64-bit sum in two words, low word",
		[PROBE_PAIR_HIGH] = "64-bit sum in two words, high word",
		[PROBE_LOCAL_SUM] = "sum in local memory",
		[PROBE_LOCAL_PAIR_LOW] = "64-bit sum in local memory, low word",
		[PROBE_LOCAL_PAIR_HIGH] = "64-bit sum in local memory, high word",
	};
	i32 values[SELFTEST_LONGEST];
	u32 got[PROBE_ATOMICS], expected[PROBE_ATOMICS] = {0};
	const u32 start[PROBE_ATOMICS] = {[PROBE_MIN] = UINT32_MAX};
	const i32 count = SELFTEST_LONGEST;
	i64 sum = 0, sum64;
	expected[PROBE_MIN] = UINT32_MAX;
	for (i32 i = 0; i < count; i++) {
		/* Sums of either sign pass zero often: the low word wraps both ways. */
		values[i] = selftest_integer(t, 1000000);
		const u32 word = (u32)values[i], bits = selftest_bits(fabsf((f32)values[i]));
		sum += values[i];
		expected[PROBE_MIN] = word < expected[PROBE_MIN] ? word : expected[PROBE_MIN];
		expected[PROBE_MAX] = bits > expected[PROBE_MAX] ? bits : expected[PROBE_MAX];
		expected[PROBE_OR] |= 1u << (i & 31);
	}
	const u64 wide = (u64)sum * 65536u;
	expected[PROBE_SUM] = expected[PROBE_LOCAL_SUM] = (u32)sum;
	expected[PROBE_COUNT] = (u32)count;
	expected[PROBE_PAIR_LOW] = expected[PROBE_LOCAL_PAIR_LOW] = (u32)wide;
	expected[PROBE_PAIR_HIGH] = expected[PROBE_LOCAL_PAIR_HIGH] = (u32)(wide >> 32);
	if (!clx_write(t->cl, &t->input[0], 0, sizeof(values), values) ||
	    !clx_write(t->cl, &t->output[0], 0, sizeof(start), start) ||
	    !clx_zero(t->cl, &t->output[1], 0, sizeof(sum64)) ||
	    !LAUNCH(t->cl, probe_atomics, clx_range1(SELFTEST_LONGEST),
		    .values = CLX_AS(i32, &t->input[0]), .n = I32(count), .out = &t->output[0],
		    .sum64 = CLX_AS(i64, &t->output[1])) ||
	    !LAUNCH(t->cl, probe_local_atomics, clx_groups(t->cl, 1),
		    .values = CLX_AS(i32, &t->input[0]), .n = I32(count),
		    .sums = LOCAL(3 * sizeof(u32)), .out = &t->output[0]) ||
	    !selftest_read(t, &t->output[0], got, PROBE_ATOMICS) ||
	    !clx_read(t->cl, &t->output[1], 0, sizeof(sum64), &sum64))
		return false;
	for (int n = 0; n < PROBE_ATOMICS; n++)
		if (!selftest_check(t, "atomics", names[n], &got[n], &expected[n], 1))
			return false;
	if (!clx_info(t->cl)->has_int64_atomics)
		return true;
	const u32 words[2] = {(u32)(u64)sum64, (u32)((u64)sum64 >> 32)};
	return selftest_check(t, "atomics", "64-bit sum", words, expected + PROBE_PAIR_LOW, 2);
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool run_checks(struct selftest *t)
{
	static bool (*const checks[])(struct selftest * t) = {
		check_layout,  check_arithmetic, check_atomics, selftest_scan,
		selftest_sums, selftest_maxima,	 selftest_sort,
	};
	union u32_buffer *buffers[] = {&t->input[0],  &t->input[1],  &t->input[2],
				       &t->output[0], &t->output[1], &t->scratch};
	const size_t words = TRIPLES * PROBE_OPERATIONS > 3 * SELFTEST_LONGEST
				     ? TRIPLES * PROBE_OPERATIONS
				     : 3 * SELFTEST_LONGEST;
	bool ok = true;
	t->random = 2463534242u;
	for (size_t i = 0; ok && i < sizeof(buffers) / sizeof(buffers[0]); i++)
		ok = clx_alloc(t->cl, buffers[i], "self-test", words);
	for (size_t i = 0; ok && i < sizeof(checks) / sizeof(checks[0]); i++)
		ok = checks[i](t);
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
		clx_free(t->cl, buffers[i]);
	return ok;
}

bool selftest_run_planted(struct clx *cl, const char *primitive)
{
	struct selftest t = {.cl = cl, .plant = primitive};
	return run_checks(&t);
}

bool selftest_run(struct clx *cl)
{
	return selftest_run_planted(cl, NULL);
}

bool selftest_examine(struct clx *cl, const struct selftest_listener *listener)
{
	struct selftest t = {.cl = cl, .listener = listener};
	return run_checks(&t);
}

/* A bit per platform, device and dimension; what has no bit is tested every time. */
static atomic_ullong done;

static unsigned long long bit_of(const struct clx *cl)
{
	const struct clx_device_info *info = clx_info(cl);
	const unsigned place =
		(info->platform_index * 8 + info->device_index) * 2 + (clx_dim(cl) == 3 ? 1 : 0);
	const bool has_bit = info->platform_index < 4 && info->device_index < 8;
	return has_bit ? 1ull << place : 0;
}

bool selftest_once(struct clx *cl)
{
	const unsigned long long bit = bit_of(cl);
	if (atomic_load(&done) & bit)
		return true;
	if (!selftest_run(cl))
		return false;
	atomic_fetch_or(&done, bit);
	return true;
}

void selftest_waive(const struct clx *cl)
{
	atomic_fetch_or(&done, bit_of(cl));
}
