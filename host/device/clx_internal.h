/* Shared by the files of the OpenCL layer only. */
#ifndef FRESHET_CLX_INTERNAL_H
#define FRESHET_CLX_INTERNAL_H

#include <CL/cl.h>

#include "clx.h"

#define CLX_EVENTS_KEPT 4096

/* Of one kernel on the device. */
struct clx_kernel_limits {
	size_t work_group;     /* largest */
	uint64_t local_memory; /* bytes that it declares itself */
};

/* The arguments that a kernel has, as they were set last. */
struct clx_arguments_set {
	uint64_t buffers_freed; /* when they were set */
	size_t count;		/* 0: none */
	size_t size[CLX_MAX_ARGUMENTS];
	unsigned char *value[CLX_MAX_ARGUMENTS]; /* in `values`; NULL: local memory */
	unsigned char *values;
};

/* What is timed: the kernels, and the fills and copies of buffers. */
enum { CLX_TIMED_FILL = KERNEL_COUNT, CLX_TIMED_COPY, CLX_TIMED_COUNT };

struct clx_launch_event {
	cl_event event;
	int what, stage;
};

/*
 * What carries commands out: OpenCL (clx_opencl.c) or this program itself (clx_native.c).  Ranges
 * are checked and commands counted by then.  What returns a bool is false after reporting.
 */
struct clx_driver {
	bool (*open)(struct clx *cl);
	void (*close)(struct clx *cl); /* what open() made, all or a part of it */
	bool (*build)(struct clx *cl);
	/* Makes a kernel and finds its limits. */
	bool (*create_kernel)(struct clx *cl, enum kernel_id kernel);

	bool (*allocate)(struct clx *cl, const char *name, size_t bytes, void **mem);
	bool (*view)(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		     const char *name, void **mem);
	void (*release)(void *mem);
	bool (*size)(void *mem, size_t *bytes);

	/* In order; the first two wait. */
	bool (*write)(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		      const void *data);
	bool (*read)(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		     void *data);
	bool (*fill)(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes);
	bool (*copy)(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		     const struct clx_buffer *to, size_t to_offset, size_t bytes);
	bool (*launch)(struct clx *cl, const struct clx_launch_info *launch);
	bool (*wait)(struct clx *cl);
	/* As cl->profile says from now on; nothing is under way. */
	bool (*profile)(struct clx *cl);
	/* Durations of commands not yet accounted go into the totals, once all are done. */
	bool (*collect)(struct clx *cl);
};
extern const struct clx_driver clx_driver_opencl, clx_driver_native;

struct clx {
	const struct clx_driver *driver;
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernels[KERNEL_COUNT];
	bool created[KERNEL_COUNT]; /* kernels, by their first launch */
	struct clx_kernel_limits limits[KERNEL_COUNT];
	struct clx_arguments_set arguments[KERNEL_COUNT];
	unsigned char *local_memory; /* of native kernels; NULL: none yet */
	uint64_t buffers_freed;	     /* so far: a handle may come back as another buffer's */
	struct clx_device_info info;
	char build_options[256];
	int dim;
	bool built;	   /* the program is there */
	unsigned uses;	   /* and knows of: enum clx_use */
	bool slow;	   /* it took long, as each kernel will: they are told */
	unsigned compiled; /* kernels, if so */
	bool profile;
	bool whole_writes; /* clx_store_whole() in place of fills, writes and copies */
	bool waited;	   /* every command is waited for, and named if it fails */
	cl_int late_error; /* of a kernel that failed on the device (FRESHET_FAULT=kernel:n) */
	size_t work_group; /* forced size, 0 = none */
	size_t group_size;
	enum clx_path path;
	enum splat_path splat;
	uint64_t memory_in_use, memory_peak;
	const struct clx_observer *observer; /* or NULL */

	int stage;
	double stage_began;				 /* seconds; not used to profile */
	struct clx_launch_event events[CLX_EVENTS_KEPT]; /* where commands are timed */
	size_t event_count;
	double stage_ms[CLX_MAX_STAGES];
	struct clx_stage_count stage_counts[CLX_MAX_STAGES];
	struct clx_kernel_time kernel_times[CLX_TIMED_COUNT];
};

/* Name of an OpenCL result code, "CL_..." or "unknown code". */
const char *clx_error_name(cl_int code);

/* True if `code` is CL_SUCCESS and no fault is due (FRESHET_FAULT=opencl:n); else reports
 * "CALL OBJECT BYTES B: CODE" and returns false. */
bool clx_check(cl_int code, const char *call, const char *object, size_t bytes);

/* The same for a call that waits, which is told what earlier commands met. */
bool clx_check_wait(const struct clx *cl, cl_int code, const char *call, const char *object,
		    size_t bytes);

/* Gives a kernel its arguments: those that it has already are not set again, which drivers take
 * longer for than for a comparison. */
bool clx_set_arguments(struct clx *cl, const struct clx_launch_info *launch);
void clx_forget_arguments(struct clx *cl, int kernel);

/* A command took so long on the device. */
void clx_account(struct clx *cl, int what, int stage, double ms);
/* Enqueued kernels, fills and copies are counted by stage. */
void clx_count(struct clx *cl);

/* The same content as after a write (data NULL: a fill with 0) or a copy, by writing the whole
 * buffer, of a view the one that it shows.  For Oclgrind, see clx_whole.c. */
bool clx_store_whole(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		     const void *data);
bool clx_copy_whole(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		    const struct clx_buffer *to, size_t to_offset, size_t bytes);

/* Names of the platforms of OpenCL in a row, and is PoCL one of them?  False after reporting. */
bool clx_platform_names(char *names, size_t size, bool *pocl);

/* Describes this program as a device. */
void clx_describe_native(struct clx_device_info *info);

/* The device at an index of clx_list_devices(), and its platform. */
bool clx_device_handle(unsigned platform_index, unsigned device_index, cl_platform_id *platform,
		       cl_device_id *device);

#endif
