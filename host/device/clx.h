/*
 * The OpenCL layer: the only module that calls cl*; one of its devices is this program itself.
 *
 * Device choice, program build, buffers with accounting, checked launches, transfers, timing.
 * Every OpenCL result is checked here and reported once, with the call, the object, its size and
 * the name of the code; callers get `false` and only have to unwind.
 */
#ifndef FRESHET_CLX_H
#define FRESHET_CLX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clx_arguments.h"

struct clx; /* opaque: one device, one in-order queue, one program */

/* What a device is, for `freshet devices` and run.json. */
struct clx_device_info {
	char platform[128], name[128], vendor[128], device_version[128], driver_version[128];
	bool is_gpu, is_cpu;
	bool is_native; /* no OpenCL: kernels as C functions of this program, on one core */
	bool has_fp64, has_int64_atomics;
	uint64_t global_memory, max_allocation, local_memory;
	unsigned compute_units, platform_index, device_index;
	size_t max_work_group;
	size_t view_alignment; /* bytes, of the start of a view */
};

/* Lists every device of every platform, and `native` after them, as the only device of one platform
 * more.  *list is malloc'ed, freed by the caller; *platforms: of OpenCL. */
bool clx_list_devices(struct clx_device_info **list, size_t *count, size_t *platforms);

/*
 * Index into such a list of the device that `spec` names: "gpu", "cpu" (both of OpenCL), "P:D", or
 * part of a name (case does not matter).  NULL or "" = the default rule: the GPU with the most
 * memory; else, for what is small (sim_is_small()), native; else the first CPU of OpenCL.
 * Returns -1 after reporting what exists.
 */
int clx_pick_device(const struct clx_device_info *list, size_t count, size_t platforms,
		    const char *spec, bool small);

/* Can FRESHET_WORK_GROUP, _PATH, _SPLAT, _WRITES and _LAUNCHES be understood?  False after
 * reporting. */
bool clx_check_environment(void);

/*
 * Opens a device for kernels of `dim` (2 or 3).  NULL spec: env FRESHET_DEVICE, else the default
 * rule.  `profile`: the device times every command, which costs it
 * some time for each.  Returns NULL after reporting the reason; *named_missing (may be NULL) tells
 * whether a device that is not there was asked for by name (exit code 2 rather than 1).
 */
struct clx *clx_open(const char *spec, int dim, bool small, bool profile, bool *named_missing);
/* Builds the program, which may take many seconds; the first launch does so otherwise, and makes
 * each kernel when it is first launched.  What can be refused without, as a lack of memory, comes
 * before.  Nothing the second time; false after reporting. */
bool clx_build(struct clx *cl);
/* What kernels know of from here on, bits; they are built anew if they do not yet: those of other
 * scenes are smaller without (include/shape.h). */
enum clx_use { CLX_MESHES = 1, CLX_MOTION = 2 };
void clx_use(struct clx *cl, unsigned uses);
void clx_close(struct clx *cl); /* accepts NULL; all buffers must have been freed */

const struct clx_device_info *clx_info(const struct clx *cl);
int clx_dim(const struct clx *cl);
/* Of the kernels, as the driver got them; "" before they are built. */
const char *clx_build_options(const struct clx *cl);
/*
 * How the work is shaped: few large pieces for CPUs, many small ones for GPUs.  Sizes of groups,
 * chunks of scans and sums, which levels are small, how particles are splatted; results never
 * depend on it.  By what the device is; env FRESHET_PATH = "cpu" | "gpu" forces one.
 */
enum clx_path { CLX_PATH_CPU, CLX_PATH_GPU };
enum clx_path clx_path(const struct clx *cl);
/* Another one from here on, for checks of a device. */
void clx_set_path(struct clx *cl, enum clx_path path);
/* Work-items per group for kernels that use local memory (a power of two; results never depend
 * on it).  Env FRESHET_WORK_GROUP overrides it and the size of plain groups. */
size_t clx_group_size(const struct clx *cl);
/* How particles are splatted onto the grid; both give the same integers.  Default: by blocks on the
 * path of CPUs, by bricks on that of GPUs.  Env FRESHET_SPLAT = "block" | "brick" forces one. */
enum splat_path clx_splat_path(const struct clx *cl);
/* Do kernels go through particles and rows in vectors?  By blocks, but on the device `native`. */
bool clx_in_lanes(const struct clx *cl);
/* Another way from here on, for checks of a device. */
void clx_set_splat_path(struct clx *cl, enum splat_path splat);

/* ---- buffers ---------------------------------------------------------------------------- */

/* The functions take a struct clx_buffer; the macros of the same names without _raw take a typed
 * buffer. */
#define clx_alloc(cl, buffer, name, count) \
	clx_alloc_raw((cl), &(buffer)->raw, (name), (count), sizeof(*(buffer)->element))
#define clx_free(cl, buffer) clx_free_raw((cl), &(buffer)->raw)
#define clx_view(cl, buffer, offset, bytes, name, view) \
	clx_view_raw((cl), &(buffer)->raw, (offset), (bytes), (name), &(view)->raw)
#define clx_write(cl, buffer, offset, bytes, data) \
	clx_write_raw((cl), &(buffer)->raw, (offset), (bytes), (data))
#define clx_read(cl, buffer, offset, bytes, data) \
	clx_read_raw((cl), &(buffer)->raw, (offset), (bytes), (data))
#define clx_zero(cl, buffer, offset, bytes) clx_zero_raw((cl), &(buffer)->raw, (offset), (bytes))
#define clx_copy(cl, from, from_offset, to, to_offset, bytes) \
	clx_copy_raw((cl), &(from)->raw, (from_offset), &(to)->raw, (to_offset), (bytes))

/* Allocates count*size bytes (never 0: an empty request gets one element) and zero-fills.
 * Refuses before allocating when the device cannot hold it, saying how much is needed. */
bool clx_alloc_raw(struct clx *cl, struct clx_buffer *buffer, const char *name, size_t count,
		   size_t size);
void clx_free_raw(struct clx *cl, struct clx_buffer *buffer); /* accepts a zeroed buffer */
/* `view` becomes a part of `buffer`, starting at a multiple of CLX_VIEW_ALIGNMENT; it costs no
 * memory and is freed with clx_free(), before the buffer it shows. */
#define CLX_VIEW_ALIGNMENT 4096
bool clx_view_raw(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		  const char *name, struct clx_buffer *view);
bool clx_write_raw(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes,
		   const void *data); /* blocking */
bool clx_read_raw(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		  void *data); /* blocking; waits for all queued work */
bool clx_zero_raw(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes);
bool clx_copy_raw(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		  struct clx_buffer *to, size_t to_offset, size_t bytes);
/* A malloc'ed copy of a buffer's first `bytes`; NULL after reporting. */
#define clx_read_copy(cl, buffer, bytes) clx_read_copy_raw((cl), &(buffer)->raw, (bytes))
void *clx_read_copy_raw(struct clx *cl, const struct clx_buffer *buffer, size_t bytes);
bool clx_wait(struct clx *cl); /* until the queue is empty */

/* Bytes now allocated and the most ever allocated. */
uint64_t clx_memory_in_use(const struct clx *cl);
uint64_t clx_memory_peak(const struct clx *cl);
/* Can `total` bytes more, the largest buffer being `largest`, be held? */
bool clx_memory_fits(const struct clx *cl, uint64_t total, uint64_t largest);
/* Reports that they cannot: how much is needed, how much there is; then `hint`: what would help. */
bool clx_memory_refuse(const struct clx *cl, uint64_t total, uint64_t largest, const char *hint);

/* ---- launches --------------------------------------------------------------------------- */

/* Work-items; local 0 = the default shape (64,1,1). Global sizes are rounded up: every kernel
 * checks its range. */
struct clx_range {
	size_t global[3], local[3];
	bool by_groups; /* the number of groups counts, not their size: clx_groups() */
	bool in_rows;	/* groups take several rows: clx_bricks() */
};
struct clx_range clx_range1(size_t n);
struct clx_range clx_range3(size_t x, size_t y, size_t z);
/* `groups` work-groups of clx_group_size() items, fewer where a kernel allows no more, for kernels
 * with barriers, which take groups of any power of two. */
struct clx_range clx_groups(const struct clx *cl, size_t groups);
/* One work-group of up to `items` work-items, a power of two, on the path of GPUs. */
struct clx_range clx_one_group(const struct clx *cl, size_t items);
/* A group for each chunk of PAIRS_CHUNK elements: a work-item for each of its PAIRS_LANES lanes, on
 * CPUs one for all of them. */
struct clx_range clx_chunk_groups(const struct clx *cl, size_t chunks);

/* `count` bricks of x * rows work-items, powers of two, `per_layer` of them per place of the third
 * axis: work-item (x, rows * brick + row, layer).  A group has whole rows of one brick. */
struct clx_range clx_bricks(size_t count, size_t per_layer, size_t x, size_t rows);

/*
 * Enqueues a kernel with its arguments by name; an empty range is skipped.
 *
 *   LAUNCH(cl, bench_copy, clx_range1(9), .from = &a, .to = &b, .n = I32(9))
 *
 * Buffers and structs are pointers, other values are I32(), U32() or F32(), local memory is
 * LOCAL(). One of another type does not compile; one that is missing is refused at the launch, by
 * name. Groups are made smaller where the kernel allows no more on this device.  Refused, with the
 * kernel's name: groups of a size that was asked for and is too large, more local memory than the
 * device has.
 */
#define LAUNCH(cl, kernel, range, ...) \
	clx_launch((cl), K_##kernel, (range), &(const struct args_##kernel){__VA_ARGS__})
/* One of two kernels that take the same arguments. */
#define LAUNCH_EITHER(cl, condition, first, second, range, ...)         \
	clx_launch((cl), (condition) ? K_##first : K_##second, (range), \
		   1 ? &(const struct args_##first){__VA_ARGS__}        \
		     : (const struct args_##second *)0)
bool clx_launch(struct clx *cl, enum kernel_id kernel, struct clx_range range,
		const void *arguments);

/* An argument as OpenCL takes it. */
struct clx_arg {
	size_t size;
	const void *value; /* NULL with size > 0: local memory of that size */
};
#define CLX_MAX_ARGUMENTS 32

/* A launch as the device gets it, for those who watch launches. */
struct clx_launch_info {
	enum kernel_id kernel;
	size_t global[3], local[3];
	const struct clx_arg *args;
	size_t count;
};
/* Called before and after every launch (after: it is queued); false ends it, having reported. */
struct clx_observer {
	bool (*before)(void *user, const struct clx_launch_info *launch);
	bool (*after)(void *user, const struct clx_launch_info *launch);
	void *user;
};
/* NULL: nobody watches any more.  `observer` must live until then. */
void clx_observe(struct clx *cl, const struct clx_observer *observer);
/* The buffer behind an argument, to be read; owned by whoever owned it before. */
bool clx_argument_buffer(const struct clx *cl, const struct clx_arg *arg,
			 struct clx_buffer *buffer);

/* ---- timing ----------------------------------------------------------------------------- */

/* From here on commands are timed by the device, or are not; waits. */
bool clx_set_profile(struct clx *cl, bool profile);
/* Stage s begins: launches from here on are accounted to it.  s < CLX_MAX_STAGES. */
#define CLX_MAX_STAGES 32
void clx_stage(struct clx *cl, int stage);
/* Milliseconds per stage since the last call, then resets: on the device, for which it waits, if
 * opened to profile; else of the host between calls of clx_stage(), waits included. */
bool clx_stage_times(struct clx *cl, double ms[CLX_MAX_STAGES]);
/* Commands per stage since the device was opened. */
struct clx_stage_count {
	uint64_t launches;  /* kernels, fills, copies */
	uint64_t transfers; /* blocking reads and writes: the host waits for the device */
	uint64_t filled;    /* bytes, by fills and by kernels that do no more */
};
/* Such a kernel was launched. */
void clx_count_filled(struct clx *cl, size_t bytes);
void clx_stage_counts(const struct clx *cl, struct clx_stage_count counts[CLX_MAX_STAGES]);
/* Totals per kernel since the device was opened to profile, those never launched left out; after
 * the kernels "(fill)" and "(copy)" of buffers.  CLX_MAX_TIMES entries hold them all. */
#define CLX_MAX_TIMES (KERNEL_COUNT + 2)
struct clx_kernel_time {
	const char *name;
	uint64_t launches;
	double total_ms, longest_ms;
};
size_t clx_kernel_times(struct clx *cl, struct clx_kernel_time *list, size_t capacity);

#endif
