/*
 * The OpenCL layer: the only module that calls cl*.
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

#include "kernel_list.h" /* generated: enum kernel_id { K_..., KERNEL_COUNT } */

struct clx; /* opaque: one device, one in-order queue, one program */

/* A device buffer.  Zeroed = none.  Owned by whoever declares it; freed by clx_free(). */
struct clx_buffer {
	void *mem; /* cl_mem */
	size_t bytes;
	const char *name; /* static string, used in messages and in the memory table */
	bool is_view;
};

/* What a device is, for `freshet devices` and run.json. */
struct clx_device_info {
	char platform[128], name[128], vendor[128], device_version[128], driver_version[128];
	bool is_gpu, is_cpu;
	bool has_fp64, has_int64_atomics;
	uint64_t global_memory, max_allocation, local_memory;
	unsigned compute_units, platform_index, device_index;
	size_t max_work_group;
	size_t view_alignment; /* bytes, of the start of a view */
};

/* Lists every device of every platform.  *list is malloc'ed, freed by the caller. */
bool clx_list_devices(struct clx_device_info **list, size_t *count, size_t *platforms);

/* Index into such a list of the device that `spec` names: NULL or "" = the default rule (GPU with
 * the most memory, else CPU), "gpu", "cpu", "P:D", or part of a name (case does not matter).
 * Returns -1 after reporting what exists. */
int clx_pick_device(const struct clx_device_info *list, size_t count, size_t platforms,
		    const char *spec);

/* Can FRESHET_WORK_GROUP, _SPLAT, _WRITES and _LAUNCHES be understood?  False after reporting. */
bool clx_check_environment(void);

/*
 * Opens a device for kernels of `dim` (2 or 3).  NULL spec: env FRESHET_DEVICE, else the default
 * rule.  `profile` keeps per-kernel totals.  Returns NULL after reporting the reason;
 * *named_missing (may be NULL) tells whether a device that is not there, or a way of working that
 * it lacks, was asked for by name (exit code 2 rather than 1).
 */
struct clx *clx_open(const char *spec, int dim, bool profile, bool *named_missing);
/* Builds the program, which may take many seconds; the first launch does so otherwise, and makes
 * each kernel when it is first launched.  What can be refused without, as a lack of memory, comes
 * before.  Nothing the second time; false after reporting. */
bool clx_build(struct clx *cl);
void clx_close(struct clx *cl); /* accepts NULL; all buffers must have been freed */

const struct clx_device_info *clx_info(const struct clx *cl);
int clx_dim(const struct clx *cl);
/* Of the kernels, as the driver got them; "" before they are built. */
const char *clx_build_options(const struct clx *cl);
/* Work-items per group for kernels that use local memory (a power of two; results never depend
 * on it).  Env FRESHET_WORK_GROUP overrides it and the size of plain groups. */
size_t clx_group_size(const struct clx *cl);
/* How particles are splatted onto the grid; all give the same integers.  Default: block scatter on
 * CPUs, 64-bit atomics on GPUs that have them, else 32-bit pairs.  Env FRESHET_SPLAT =
 * "block" | "atomic64" | "atomic32" forces one. */
enum clx_splat { CLX_SPLAT_BLOCK, CLX_SPLAT_ATOMIC64, CLX_SPLAT_ATOMIC32 };
enum clx_splat clx_splat_path(const struct clx *cl);
/* Another way from here on, for checks of a device; atomic64 needs the device's. */
void clx_set_splat_path(struct clx *cl, enum clx_splat splat);

/* ---- buffers ---------------------------------------------------------------------------- */

/* Allocates count*size bytes (never 0: an empty request gets one element) and zero-fills.
 * Refuses before allocating when the device cannot hold it, saying how much is needed. */
bool clx_alloc(struct clx *cl, struct clx_buffer *buffer, const char *name, size_t count,
	       size_t size);
void clx_free(struct clx *cl, struct clx_buffer *buffer); /* accepts a zeroed buffer */
/* `view` becomes a part of `buffer`, starting at a multiple of CLX_VIEW_ALIGNMENT; it costs no
 * memory and is freed with clx_free(), before the buffer it shows. */
#define CLX_VIEW_ALIGNMENT 4096
bool clx_view(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
	      const char *name, struct clx_buffer *view);
bool clx_write(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes,
	       const void *data); /* blocking */
bool clx_read(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
	      void *data); /* blocking; waits for all queued work */
bool clx_zero(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes);
bool clx_copy(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
	      struct clx_buffer *to, size_t to_offset, size_t bytes);
bool clx_wait(struct clx *cl); /* until the queue is empty */

/* Bytes now allocated and the most ever allocated. */
uint64_t clx_memory_in_use(const struct clx *cl);
uint64_t clx_memory_peak(const struct clx *cl);
/* Can `total` bytes more, the largest buffer being `largest`, be held? */
bool clx_memory_fits(const struct clx *cl, uint64_t total, uint64_t largest);
/* Reports that they cannot: how much is needed, how much there is; then `hint`: what would help. */
bool clx_memory_refuse(const struct clx *cl, uint64_t total, uint64_t largest, const char *hint);

/* ---- launches --------------------------------------------------------------------------- */

struct clx_arg {
	size_t size;
	const void *value; /* NULL with size > 0: local memory of that size */
};
#define ARG(x) ((struct clx_arg){sizeof(x), &(x)})
#define BUF(b) ((struct clx_arg){sizeof(void *), &(b).mem})
#define LOCAL(bytes) ((struct clx_arg){(bytes), NULL})

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
/* A group for each chunk of PAIRS_CHUNK elements: a work-item for each of its PAIRS_LANES lanes, on
 * CPUs one for all of them. */
struct clx_range clx_chunk_groups(const struct clx *cl, size_t chunks);

/* `count` bricks of x * rows work-items, powers of two, `per_layer` of them per place of the third
 * axis: work-item (x, rows * brick + row, layer).  A group has whole rows of one brick. */
struct clx_range clx_bricks(size_t count, size_t per_layer, size_t x, size_t rows);

/* Sets all arguments (their number is checked) and enqueues; an empty range is skipped.  Groups are
 * made smaller where the kernel allows no more on this device.  Refused, with the kernel's name:
 * groups of a size that was asked for and is too large, more local memory than the device has. */
bool clx_launch(struct clx *cl, enum kernel_id kernel, struct clx_range range,
		const struct clx_arg *args, size_t count);
#define LAUNCH(cl, kernel, range, ...)                                             \
	clx_launch((cl), (kernel), (range), (const struct clx_arg[]){__VA_ARGS__}, \
		   sizeof((const struct clx_arg[]){__VA_ARGS__}) / sizeof(struct clx_arg))

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
/* The buffer behind an argument made by BUF(), to be read; owned by whoever owned it before. */
bool clx_argument_buffer(const struct clx_arg *arg, struct clx_buffer *buffer);

/* ---- timing ----------------------------------------------------------------------------- */

/* Stage s begins: launches from here on are accounted to it.  s < CLX_MAX_STAGES. */
#define CLX_MAX_STAGES 32
void clx_stage(struct clx *cl, int stage);
/* Device milliseconds per stage since the last call (waits for the queue), then resets. */
bool clx_stage_times(struct clx *cl, double ms[CLX_MAX_STAGES]);
/* Commands per stage since the device was opened. */
struct clx_stage_count {
	uint64_t launches;  /* kernels, fills, copies */
	uint64_t transfers; /* blocking reads and writes: the host waits for the device */
};
void clx_stage_counts(const struct clx *cl, struct clx_stage_count counts[CLX_MAX_STAGES]);
/* Totals per kernel since the device was opened, those never launched left out; after the kernels
 * "(fill)" and "(copy)" of buffers.  CLX_MAX_TIMES entries hold them all. */
#define CLX_MAX_TIMES (KERNEL_COUNT + 2)
struct clx_kernel_time {
	const char *name;
	uint64_t launches;
	double total_ms, longest_ms;
};
size_t clx_kernel_times(struct clx *cl, struct clx_kernel_time *list, size_t capacity);

#endif
