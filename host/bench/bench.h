/*
 * `freshet bench`: times the stages of a substep on a dam break, counts the bytes each of them must
 * move, and compares with the speed of a plain copy measured in the same run.  docs/benchmark.md
 * explains the numbers.
 */
#ifndef FRESHET_BENCH_H
#define FRESHET_BENCH_H

#include "exit_code.h"
#include "json_writer.h"
#include "message.h"
#include "sim.h"

/* Of options that may be repeated: more than anyone types. */
#define BENCH_MAX_SIZES 16
#define BENCH_MAX_NAMES 16
#define BENCH_MAX_STEPS 1000
/* Substeps before the measured ones: the dam is moving, drivers have compiled everything. */
#define BENCH_WARM_UP 5
#define BENCH_REASON 256 /* bytes of a text that says why a size was skipped */

struct bench_options {
	const char *device;	    /* as for clx_open(), or NULL */
	const char *output;	    /* JSON file to write, or NULL */
	char *const *arguments;	    /* the command line, NULL-terminated */
	int dim;		    /* 2, 3, or 0: both, with their default sizes */
	int cells[BENCH_MAX_SIZES]; /* along each axis of the box */
	size_t size_count;	    /* 0: the default sizes */
	int steps;		    /* substeps measured */
	enum scene_transfer transfer;
	const char *grid; /* method: grid with this surface, or NULL */
	bool profile;	  /* lists the kernels too */
	bool sparse;	  /* a small column in a box twice as long, instead of a dam */

	bool pressure;			/* the solvers instead (bench_pressure.h), as follows */
	size_t scenes[BENCH_MAX_NAMES]; /* numbers, bench_scene() */
	size_t scene_count;		/* 0: the default ones */
	int solvers[BENCH_MAX_NAMES];	/* enum scene_solver */
	size_t solver_count;		/* 0: mgpcg, cg, gauss-seidel, pcg-ic */
	int sweeps;			/* of a V-cycle, before and after; 0: one, and two */
	bool no_history;		/* residuals after powers of two iterations are enough */
	int seconds;			/* roughly, for one solver on one scene */
	int wave;			/* cells of the run that gives the breaking wave; 0: few */
	int offset;			/* of plates and a level from the middle, cells */
};

/* What is measured, under way. */
struct bench {
	const struct bench_options *options;
	struct clx *cl;
	struct json_writer json; /* an array of results is open */
	double open_seconds;	 /* opening the device: mostly building the kernels */
	size_t measured;	 /* results with numbers */
};

/* Runs everything, prints the tables, writes the file. */
enum exit_code bench_run(const struct bench_options *options);

/* ---- results ------------------------------------------------------------------------------ */

/* All times in ms per substep: medians over the measured ones. */
struct bench_stage {
	const char *name;
	double ms;
	double bytes;		  /* must be moved; 0 = no model */
	double launches;	  /* kernels, fills, copies */
	double transfers;	  /* blocking reads and writes */
	double filled;		  /* bytes, by fills */
	bool by_particle;	  /* its work is proportional to particles */
	bool transfers_particles; /* one of those that programs of this kind are compared by */
};

/* Means per substep, or per iteration of a solver. */
struct bench_kernel {
	const char *name;
	double launches, ms;
};

struct bench_kernels {
	struct bench_kernel of[CLX_MAX_TIMES];
	size_t count; /* 0 unless asked for */
};

struct bench_result {
	int dim, cells;
	enum scene_transfer transfer;
	const char *grid;	    /* of its options */
	char skipped[BENCH_REASON]; /* why there are no numbers, or "" */
	double particles, liquid_cells;
	double copy_before, copy_after; /* GB/s, read plus written */
	size_t copy_bytes;		/* of one buffer */
	double launch_us, read_us; /* an empty launch; a launch and a blocking read of 4 bytes */
	double launch_profiled_us; /* an empty launch that the device times */
	double fill;		   /* GB/s of a fill with zeros */
	double wall_ms;		   /* a substep as the host sees it */
	double dt;		   /* s, mean */
	double pressure_iterations, drift_iterations;
	double enqueued; /* iterations over those needed, from the start on */
	int pressure_least, pressure_most;
	double open_seconds; /* as in struct bench */
	uint64_t memory;     /* bytes in use by the simulation */
	struct bench_stage stages[CLX_MAX_STAGES];
	size_t stage_count;
	struct bench_stage extras[3]; /* beside the substep; ms as the host sees it */
	size_t extra_count;
	double mesh_triangles;
	struct bench_kernels kernels;
};

/* Sums over the stages. */
double bench_kernel_ms(const struct bench_result *result);
double bench_bytes(const struct bench_result *result);

/* ---- bench_kernels.c ---------------------------------------------------------------------- */

/* Totals of all kernels at some time. */
struct bench_totals {
	struct clx_kernel_time of[CLX_MAX_TIMES];
	size_t count;
};

void bench_take_totals(struct clx *cl, struct bench_totals *totals);
/* What was added to the totals since `before`, divided by `steps`. */
void bench_list_kernels(struct clx *cl, const struct bench_totals *before, double steps,
			struct bench_kernels *kernels);
/* A table, shares of `device` ms; nothing if there are none. */
void bench_print_kernels(const struct bench_kernels *kernels, double device);
/* An array of the open object; nothing if there are none. */
void bench_add_kernels(struct json_writer *json, const char *name,
		       const struct bench_kernels *kernels);

/* ---- bench_file.c ------------------------------------------------------------------------- */

/* Can a file be written there?  Told before minutes of measuring rather than after. */
bool bench_can_write(const char *path);
/* Creates or replaces it. */
bool bench_write_file(const char *path, const char *text, size_t length);
/* Members of the open object: program, version, date, command line. */
void bench_add_origin(struct json_writer *json, const char *program, char *const *arguments);

/* ---- bench_sim.c -------------------------------------------------------------------------- */

/* A scene from its text in three dimensions, made by printf; in 2D the third number of every list
 * is left out.  NULL: for the reason given and printed. */
struct scene *bench_read_scene(int dim, char reason[BENCH_REASON], const char *format, ...)
	MESSAGE_PRINTF(3, 4);
/* Its simulation, of its own liquids or with particles that are given.  NULL: does not fit, for the
 * reason given and printed. */
struct sim *bench_create_sim(const struct scene *scene, const struct sim_particles *given,
			     struct clx *cl, char reason[BENCH_REASON]);

/* ---- bench_device.c ----------------------------------------------------------------------- */

double bench_clock(void);			   /* ms */
double bench_median(double *values, size_t count); /* sorts the values; count > 0 */
/* Speed of a copy of at most `wanted` bytes, GB/s, bytes read plus bytes written, median of
 * several; *bytes of one buffer. */
#define BENCH_COPY ((size_t)256 << 20) /* beyond any cache */
bool bench_measure_copy(struct clx *cl, size_t wanted, double *speed, size_t *bytes);
/* GB/s of a fill of so many bytes, median of several. */
bool bench_measure_fill(struct clx *cl, size_t bytes, double *speed);
/* Microseconds of an empty launch, of one that the device times, and of one that the host waits
 * for. */
bool bench_measure_latency(struct clx *cl, struct bench_result *result);

/* ---- bench_surface.c ---------------------------------------------------------------------- */

/* Fills the extras, once the particles are known: the mesh (3D) and a picture of the surface. */
bool bench_measure_surface(struct sim *sim, struct clx *cl, struct bench_result *result);

/* ---- bench_model.c ------------------------------------------------------------------------ */

/* What the bytes of a stage depend on. */
struct bench_load {
	int dim;
	double particles, liquid_cells;
	bool affine; /* APIC */
	int sweeps;  /* of a V-cycle, before and after */
	int iterations[POISSON_PURPOSES];
};

/* Bytes that `stage` must move. */
double bench_model_bytes(const struct stage *stage, const struct bench_load *load);

/* ---- bench_report.c ----------------------------------------------------------------------- */

/* As options and files name them, by enum scene_transfer. */
#define BENCH_TRANSFERS 3
extern const char *const bench_transfers[BENCH_TRANSFERS];

/* GB/s of what must be moved, and its share of the copy's. */
double bench_speed(double bytes, double ms);
double bench_share(double bytes, double ms, double copy);
/* Both as members of the open object. */
void bench_add_speed(struct json_writer *json, double bytes, double ms, double copy);

void bench_print(const struct clx_device_info *info, const struct bench_result *result);
/* Adds the result as an object to the open array. */
void bench_add_json(struct json_writer *json, const struct bench_result *result,
		    const struct clx *cl);

#endif
