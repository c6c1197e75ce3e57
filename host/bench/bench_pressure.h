/*
 * `freshet bench --pressure`: iterations and times of the pressure solvers over scenes that are
 * easy and hard for them, built from formulas.  docs/benchmark.md explains the numbers.
 */
#ifndef FRESHET_BENCH_PRESSURE_H
#define FRESHET_BENCH_PRESSURE_H

#include "bench.h"
#include "multigrid.h"

/* True relative residual at which a solve is done. */
#define PRESSURE_TOLERANCE 1e-6

/* ---- results ------------------------------------------------------------------------------ */

/* One point of a solve's history. */
struct pressure_point {
	int iterations;
	double residual; /* true, relative */
	double ms;	 /* wall, of a solve that stops here */
};

/* One solver on one scene. */
struct pressure_row {
	enum scene_solver solver;
	int sweeps; /* of a V-cycle before and after; 0: has none */
	int iterations;
	double crossing; /* the same as a fraction, to the tolerance exactly; 0: not measured */
	bool reached;	 /* the tolerance, within the time allowed */
	double residual;
	double contraction;  /* geometric mean per iteration */
	double setup_ms;     /* wall: coefficients, hierarchy, components */
	double ms;	     /* wall, of the solve; not reached: extrapolated, 0 = cannot be */
	double ms_iteration; /* wall */
	double device_ms;    /* of kernels, per iteration */
	double bytes;	     /* per unknown and iteration, 0 = no model */
	struct pressure_point *points; /* owned */
	size_t point_count;
	struct bench_kernels *kernels; /* of the set-up and of an iteration; owned; NULL unless
					  asked for */
};

struct pressure_result {
	int dim, cells;
	size_t scene;
	char skipped[BENCH_REASON]; /* why there are no numbers, or "" */
	int wave_cells; /* of the run a breaking wave was taken from; 0: another scene */
	double box_cells, unknowns;
	u32 components, singular;
	u32 parts, merged; /* further parts of coarse cells; of these, without room */
	bool twice;	   /* cycles visit coarse levels 1 and 2 twice */
	bool repeats;	   /* they visit some level twice */
	bool parted_last;  /* conjugate gradients leave out the last level */
	double copy;	   /* GB/s, read plus written */
	size_t copy_bytes;
	uint64_t memory;	      /* bytes in use */
	double sweep_ms, sweep_bytes; /* one red-black sweep on the finest level; bytes per cell */
	struct pressure_row *rows;    /* owned */
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
	double thickness; /* of the plate, cells */
	bool balls, slabs;
	bool by_default; /* measured when no scene is named */
};

/* One after the other, then NULL. */
const struct bench_scene *bench_scene(size_t scene);
/* Its number, or -1. */
int bench_scene_find(const char *name);

/* Walls, solids and defaults of a scene of `cells` cells along each axis.  NULL after reporting. */
struct scene *bench_scene_create(size_t scene, int dim, int cells);

/* Signed distance to a breaking wave, kept from size to size. */
struct bench_wave {
	int dim, cells;
	float *phi; /* [cells^dim], x fastest, in metres; owned */
};

/* ---- bench_pressure_fill.c ---------------------------------------------------------------- */

/* Fills phi, cell types, open fractions and velocities of a simulation of the scene.  `offset`:
 * cells by which plates, walls and the level of `row` are off the middle; wave: for LIQUID_WAVE.
 * *unknowns: liquid cells. */
bool bench_scene_fill(struct sim *sim, size_t scene, int offset, const struct bench_wave *wave,
		      double *unknowns);

/* ---- bench_pressure_wave.c ---------------------------------------------------------------- */

/* Runs a dam break of `cells` cells until the wave breaks, unless *wave is that already. */
bool bench_wave_make(struct bench_wave *wave, struct clx *cl, int cells);
void bench_wave_free(struct bench_wave *wave);
/* Distance at a point of the unit box, linear between cells. */
double bench_wave_phi(const struct bench_wave *wave, const double point[3]);

/* ---- bench_pressure_solve.c --------------------------------------------------------------- */

/* As scenes name it; NULL: past the last. */
const char *bench_solver_name(enum scene_solver solver);
/* Do scenes accept it? */
bool bench_solver_available(enum scene_solver solver, int dim);
/* Measures `row->solver` with `row->sweeps` on the filled simulation, for about `limit` ms.
 * history: what is left of them goes into more points.  Lists kernels if row->kernels is set. */
bool bench_solve(struct sim *sim, struct scene *scene, double limit, bool history,
		 struct pressure_row *row);
/* One smoothing sweep on the finest level, ms on the device. */
bool bench_sweep(struct sim *sim, double *ms);

/* ---- bench_pressure_model.c --------------------------------------------------------------- */

/* Bytes that one iteration must read and write per unknown of the finest level, coefficients and
 * all visits of coarser levels included; 0 = runs on the host.  mg: as the solve left it. */
double bench_solver_bytes(enum scene_solver solver, int dim, const struct multigrid *mg);
/* Of one red-black sweep. */
double bench_sweep_bytes(int dim);

/* ---- bench_pressure_report.c -------------------------------------------------------------- */

void bench_pressure_print(const struct pressure_result *result);
void bench_pressure_add_json(struct json_writer *json, const struct pressure_result *result,
			     const struct clx *cl);

#endif
