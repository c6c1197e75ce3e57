/* What a device says of itself, what is known of its driver, its arithmetic, its speed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "doctor.h"
#include "number.h"
#include "probe_layout.h"
#include "selftest.h"

void doctor_examine_limits(struct doctor *d)
{
	const struct clx_device_info *info = d->info;
	doctor_say(d, DOCTOR_OK, "memory", "%.0f MiB, largest buffer %.0f MiB, local %.0f KiB",
		   number_mebibytes(info->global_memory), number_mebibytes(info->max_allocation),
		   (double)info->local_memory / 1024.0);
	doctor_say(d, DOCTOR_OK, "work-groups", "up to %zu work-items, %u compute units",
		   info->max_work_group, info->compute_units);
	const size_t alignment = info->view_alignment;
	const bool fits = alignment > 0 && CLX_VIEW_ALIGNMENT % alignment == 0;
	doctor_say(d, fits ? DOCTOR_OK : DOCTOR_FAULT, "parts of buffers",
		   "may start at multiples of %zu B, and do at multiples of %d B", alignment,
		   CLX_VIEW_ALIGNMENT);
	doctor_say(d, DOCTOR_NOTE, "64-bit floats", "%s; none is used",
		   info->has_fp64 ? "there" : "missing");
	doctor_say(d, DOCTOR_NOTE, "64-bit atomics", "%s; only this test uses them",
		   info->has_int64_atomics ? "there" : "missing");
}

/* ---- known problems ----------------------------------------------------------------------- */

struct known_problem {
	const char *platform; /* part of its name */
	const char *version;  /* how a word of the driver's version begins; NULL = all */
	const char *text;
};

/* Seen in these versions; later ones may be free of them. */
static const struct known_problem known_problems[] = {
	{"Portable Computing Language", NULL,
	 "a * b + c becomes one operation unless the source forbids it, as every kernel file does "
	 "(seen in 3.1)"},
	{"Portable Computing Language", "3.",
	 "trees of sums whose condition is the local id modulo a stride are wrong (pocl/pocl#1390, "
	 "#2113); no kernel has that form"},
	{"Portable Computing Language", "4.",
	 "trees of sums whose condition is the local id modulo a stride are wrong "
	 "(pocl/pocl#1390); "
	 "no kernel has that form"},
	{"Portable Computing Language", NULL,
	 "a work-item that returns before a barrier can hang the device; no kernel does"},
	{"Portable Computing Language", NULL,
	 "the memory it tells is the host's at that moment; POCL_MEMORY_LIMIT only lowers it"},
	{"Oclgrind", NULL,
	 "a simulator: minutes for what takes seconds elsewhere, and the exit status does not "
	 "tell of what it finds (see its --log)"},
	{"Oclgrind", "21.",
	 "integers of unusual width, which compilers make of comparisons of some bits, keep what "
	 "is above it; no kernel compares so"},
	{"Oclgrind", "21.", "abs() of integers is missing; no kernel uses it"},
	{"rusticl", NULL,
	 "Mesa's rusticl denies correctly rounded division and roots although llvmpipe's are: the "
	 "arithmetic checks decide"},
	{"Clover", NULL,
	 "Mesa's Clover is abandoned: RUSTICL_ENABLE=llvmpipe (or the name of the GPU's "
	 "driver) shows the same device by rusticl"},
	{"NVIDIA", "580.", "on an H100 with driver 580.159.04 state hashes equalled those of PoCL"},
};

static bool has_version(const char *driver, const char *version)
{
	for (const char *at = driver; (at = strstr(at, version)) != NULL; at++)
		if (at == driver || at[-1] == ' ')
			return true;
	return false;
}

void doctor_examine_known(struct doctor *d)
{
	for (size_t i = 0; i < sizeof(known_problems) / sizeof(known_problems[0]); i++) {
		const struct known_problem *p = &known_problems[i];
		if (!strstr(d->info->platform, p->platform) ||
		    (p->version && !has_version(d->info->driver_version, p->version)))
			continue;
		doctor_say(d, DOCTOR_NOTE, "known of this driver", "%s", p->text);
	}
}

/* ---- primitives --------------------------------------------------------------------------- */

/* Comparisons of one thing make one line. */
struct primitive_lines {
	struct doctor *d;
	int dim;
	char title[96], difference[256];
	unsigned count, different;
};

static void end_line(struct primitive_lines *lines)
{
	if (lines->different)
		doctor_say(lines->d, DOCTOR_FAULT, lines->title, "%s; %u of %u comparisons differ",
			   lines->difference, lines->different, lines->count);
	else if (lines->count)
		doctor_say(lines->d, DOCTOR_OK, lines->title, "as computed on the host");
	lines->count = lines->different = 0;
}

static void count_comparison(void *user, const char *primitive, const char *what,
			     const char *difference)
{
	struct primitive_lines *lines = user;
	const bool apart = strcmp(primitive, "arithmetic") == 0;
	char title[sizeof(lines->title)];
	snprintf(title, sizeof(title), "%dD %s%s%s", lines->dim, primitive, apart ? ": " : "",
		 apart ? what : "");
	if (strcmp(title, lines->title) != 0) {
		end_line(lines);
		memcpy(lines->title, title, sizeof(title));
	}
	lines->count++;
	if (difference && lines->different++ == 0)
		snprintf(lines->difference, sizeof(lines->difference), "%s, %s", what, difference);
}

/* Differ between devices, therefore kept out of every operand (docs/portability.md). */
static void examine_denormals(struct doctor *d, struct clx *cl)
{
	enum { TRIPLES = 2 };
	const f32 small = 0x1p-140f;
	const f32 a[TRIPLES] = {small, 0x1p-100f}, b[TRIPLES] = {1.0f, 0x1p-40f}, c[TRIPLES] = {0};
	const f32 *const operands[3] = {a, b, c};
	f32 result[TRIPLES * PROBE_OPERATIONS] = {0};
	union f32_buffer in[3] = {{{0}}}, out = {0};
	const i32 n = TRIPLES;
	bool ok = clx_alloc(cl, &out, "results", TRIPLES * PROBE_OPERATIONS);
	for (int i = 0; i < 3; i++)
		ok = ok && clx_alloc(cl, &in[i], "operands", TRIPLES) &&
		     clx_write(cl, &in[i], 0, sizeof(a), operands[i]);
	ok = ok &&
	     LAUNCH(cl, probe_arithmetic, clx_range1(TRIPLES), .a = &in[0], .b = &in[1],
		    .c = &in[2], .out = &out, .n = I32(n)) &&
	     clx_read(cl, &out, 0, sizeof(result), result);
	for (int i = 0; i < 3; i++)
		clx_free(cl, &in[i]);
	clx_free(cl, &out);
	if (!ok) {
		doctor_say_error(d, "denormals");
		return;
	}
	/* As an operand, and as a result. */
	const f32 operand = result[PROBE_MUL_ADD];
	const f32 product = result[PROBE_OPERATIONS + PROBE_MUL_ADD];
	if ((operand != small && fpclassify(operand) != FP_ZERO) ||
	    (product != small && fpclassify(product) != FP_ZERO))
		doctor_say(d, DOCTOR_FAULT, "denormals",
			   "2^-140 * 1 is %a, 2^-100 * 2^-40 is %a: neither kept nor 0",
			   (double)operand, (double)product);
	else
		doctor_say(d, DOCTOR_NOTE, "denormals",
			   "%s as operands, %s as results; no kernel depends on it",
			   operand == small ? "kept" : "taken for 0",
			   product == small ? "kept" : "made 0");
}

void doctor_examine_primitives(struct doctor *d, struct clx *cl)
{
	struct primitive_lines lines = {.d = d, .dim = clx_dim(cl)};
	const struct selftest_listener listener = {.result = count_comparison, .user = &lines};
	const bool ok = selftest_examine(cl, &listener);
	end_line(&lines);
	if (!ok)
		doctor_say_error(d, "self-test");
	selftest_waive(cl);
}

/* Larger and larger buffers, while that takes no more than seconds. */
static void examine_copy(struct doctor *d, struct clx *cl)
{
	/* The first one compiles the kernel. */
	static const size_t sizes[] = {256 << 10, 256 << 10, 16 << 20, 256 << 20};
	const double copies = 9.0, most_ms = 3000.0;
	double speed = 0.0, clock_speed = 0.0, ms = 0.0;
	size_t bytes = 0;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (i > 1 && ms * (double)(sizes[i] / sizes[i - 1]) > most_ms)
			break;
		const double start = bench_clock();
		if (!bench_measure_copy(cl, sizes[i], &speed, &bytes)) {
			doctor_say_error(d, "copy");
			return;
		}
		ms = bench_clock() - start;
		clock_speed = copies * 2.0 * (double)bytes / ms * 1e-6;
	}
	/* The clock sees allocations and launches, too, but not a hundred times the copies. */
	if (bytes >= sizes[2] && speed > 100.0 * clock_speed)
		doctor_say(d, DOCTOR_NOTE, "copy",
			   "the driver's times of commands are wrong (%.3g GB/s by them), so that "
			   "those of stages are; %.3g GB/s by the clock, buffers of %.3g MiB",
			   speed, clock_speed, number_mebibytes(bytes));
	else
		doctor_say(d, DOCTOR_OK, "copy",
			   "%.3g GB/s, read plus written, buffers of %.3g MiB", speed,
			   number_mebibytes(bytes));
}

void doctor_examine_device(struct doctor *d, struct clx *cl)
{
	examine_denormals(d, cl);
	examine_copy(d, cl);
}
