/*
 * `freshet bench --pressure`: iterations and times of the pressure solvers over scenes that are
 * easy and hard for them, built from formulas.  docs/benchmark.md explains the numbers.
 */
#ifndef FRESHET_BENCH_PRESSURE_H
#define FRESHET_BENCH_PRESSURE_H

#include "bench.h"
#include "poisson.h"

/* True relative residual at which a solve is done: finer than any step asks for. */
#define PRESSURE_TOLERANCE 1e-6

/* ---- bench_pressure.c --------------------------------------------------------------------- */

/* All scenes of one size. */
bool bench_pressure_measure(struct bench *bench, int dim, int cells);

/* ---- results ------------------------------------------------------------------------------ */

/* Less are taken of any solve (bench_pressure_solve.c). */
#define PRESSURE_MAX_POINTS 200

/* A solve that stops after so many iterations. */
struct pressure_point {
	int iterations;
	double residual; /* true, relative */
	double ms;	 /* wall */
	double device_ms;
};

/* One solver on one scene. */
struct pressure_row {
	enum scene_solver solver;
	int sweeps;		   /* of a V-cycle before and after; 0: has none */
	bool reached;		   /* the tolerance, within the time allowed */
	struct pressure_point end; /* reached: medians of several solves */
	double crossing;	   /* iterations to the tolerance, as a fraction; 0: not measured */
	double ms;	 /* wall, to the tolerance; not reached: extrapolated, 0 = cannot be */
	double setup_ms; /* wall: coefficients, hierarchy, components */
	double bytes;	 /* per unknown and iteration, 0 = no model */
	struct pressure_point points[PRESSURE_MAX_POINTS]; /* its history */
	size_t point_count;
	struct bench_kernels kernels[2]; /* of the set-up and of an iteration */
};

struct pressure_result {
	int dim, cells;
	const struct bench_scene *scene;
	char skipped[BENCH_REASON]; /* why there are no numbers, or "" */
	int wave_cells; /* of the run a breaking wave was taken from; 0: another scene */
	double unknowns;
	u32 components, singular;
	/* As struct multigrid has them, after the last solver. */
	u32 further, merged;
	bool twice, repeats, parted_last;
	double copy; /* GB/s, read plus written */
	size_t copy_bytes;
	uint64_t memory;    /* bytes in use */
	double sweep_ms;    /* one red-black sweep on the finest level, on the device */
	double sweep_bytes; /* of it, per unknown */
	struct pressure_row rows[2 * BENCH_MAX_NAMES];
	size_t row_count;
};

/* ---- bench_pressure_scenes.c -------------------------------------------------------------- */

enum bench_liquid {
	LIQUID_POOL,
	LIQUID_ROW, /* its level set by the offset */
	LIQUID_DROPS,
	LIQUID_WAVE,
	LIQUID_RIPPLED,
	LIQUID_TWO, /* a deep and a shallow pool */
	LIQUID_FULL /* and no opening */
};
enum bench_walls { WALLS_NONE, WALLS_PLATE, WALLS_BAFFLES, WALLS_CHAMBERS };

struct bench_scene {
	const char *name, *summary;
	enum bench_liquid liquid;
	enum bench_walls walls;
	double thickness;   /* of the plate, cells */
	const char *solids; /* of its text, or NULL */
	bool on_request;    /* measured when named only */
};

/* One after the other, then NULL. */
const struct bench_scene *bench_scene(size_t scene);

/* Signed distance to a breaking wave at the cell centres of a box, x fastest, m. */
struct bench_wave {
	int dim, cells;
	float *phi; /* owned */
};

/* What a solve is given, as in struct sim; arrays owned. */
struct bench_fields {
	int dim, cells;
	int offset; /* cells by which plates, walls and the level of `row` are off the middle */
	struct grid grid;
	float *phi, *u;
	uint8_t *type;
	uint16_t *open;
};

/* Makes all but `open`, which it changes where the scene has walls.  Returns the unknowns. */
double bench_fields_fill(struct bench_fields *f, const struct bench_scene *scene,
			 const struct bench_wave *wave);

/* ---- bench_pressure_wave.c ---------------------------------------------------------------- */

/* Runs a dam break of `cells` cells until the wave breaks. */
bool bench_wave_make(struct bench_wave *wave, struct clx *cl, int cells);
/* Distance at a point of the unit box, linear between cells. */
double bench_wave_phi(const struct bench_wave *wave, const double point[3]);

/* ---- bench_pressure_solve.c --------------------------------------------------------------- */

/* A Poisson equation whose fields are set. */
struct bench_equation {
	struct poisson *poisson;
	struct solver_settings *settings; /* those that it reads */
	const union f32_buffer *velocity;
};

/* Measures `row->solver` with `row->sweeps`, as the options say. */
bool bench_solve(const struct bench_equation *e, const struct bench_options *options,
		 struct pressure_row *row);
/* One smoothing sweep on the finest level, ms on the device. */
bool bench_sweep(const struct bench_equation *e, double *ms);

/* ---- bench_pressure_model.c --------------------------------------------------------------- */

/* Bytes that one iteration must read and write per unknown of the finest level, coefficients and
 * all visits of coarser levels included; 0 = runs on the host.  mg: as the solve left it. */
double bench_solver_bytes(enum scene_solver solver, const struct multigrid *mg);
/* Of one red-black sweep. */
double bench_sweep_bytes(int dim);

/* ---- bench_pressure_report.c -------------------------------------------------------------- */

void bench_pressure_print_device(const struct clx_device_info *info);
void bench_pressure_print(const struct pressure_result *result);
void bench_pressure_add_header(struct json_writer *json, const struct bench_options *options);
void bench_pressure_add_json(struct json_writer *json, const struct pressure_result *result,
			     const struct clx *cl);

#endif
