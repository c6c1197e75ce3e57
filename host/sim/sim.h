/*
 * The simulation: owns every field; holds the step table.
 *
 * Lattice arrays are indexed as shared.h says.  Buffers of one owner; each comment gives shape and
 * unit.  L = grid.lattice, N = particle capacity, D = dim.
 */
#ifndef FRESHET_SIM_H
#define FRESHET_SIM_H

#include "bricks.h"
#include "clx.h"
#include "diagnosis.h"
#include "ledger.h"
#include "scene.h"
#include "shared.h"

struct pressure; /* pressure.h */

/* Why a substep is taken back and tried again with half the step. */
enum step_failure {
	STEP_FINE,
	STEP_TOO_FAR,		  /* the projection gave a speed that the step is too long for */
	STEP_DIVERGED,		  /* the pressure solve ended with something that is not finite */
	STEP_UNSOLVED,		  /* it ended with a residual above its start */
	STEP_GRID_NOT_FINITE,	  /* a value on the grid */
	STEP_PARTICLE_NOT_FINITE, /* a value of a particle */
	STEP_SUM_NOT_FINITE,	  /* a total over the state: volume, energy, momentum */
	STEP_FAILURES
};

/* One copy of the particles.  Sorted copies are in key order, by id within a cell. */
struct particle_set {
	struct clx_buffer position; /* f32 [D][N], m */
	struct clx_buffer velocity; /* f32 [D][N], m/s */
	struct clx_buffer affine;   /* f32 [D*D][N], 1/s, row = component; APIC only */
	struct clx_buffer id;	    /* u32 [N]; ids in order of liquid, cell, k */
};

struct particles {
	struct particle_set now;      /* the state */
	struct particle_set before;   /* the state at the start of the substep, unsorted */
	struct clx_buffer cell_start; /* u32 [keys+1], first particle of each sort key */
	u32 count, capacity;
	u32 removed_at_sort; /* value of SCALAR_REMOVED_OPEN when count was taken */
	u32 count_before;    /* of `before`: removed particles were still in it */
	bool sorted;	     /* in this substep: `before` is its start */
	u32 first_id[65];    /* liquid l owns ids first_id[l] .. first_id[l+1]-1 */
};

/* What the device reports back after a substep (one small read). */
struct step_report {
	/* filled by reduce.c, see the columns of stats.csv in docs/output.md */
	double volume, kinetic_energy, potential_energy, momentum[3], max_speed;
	double divergence_before, divergence_after;
	u32 liquid_cells, components, singular_components, air_regions;
	u32 min_ppc, max_ppc, interior_cells, interior_empty;
	u32 pushed, escaped, removed_open; /* totals so far */
	bool non_finite;
	/* for the ledger: the living, those removed in this substep, walls, drift */
	struct ledger_sums sums, left;
	double wall_impulse[3]; /* kg m/s, on the liquid */
	double swelled, shrunk; /* m^2, m^3 */
};

/* One row of stats.csv. */
struct step_stats {
	int frame, substep;
	double time, dt;
	u32 particles;
	struct step_report report;
	double volume_error;
	int pressure_iterations;
	double pressure_residual;
	int pressure_solves, pressure_limits; /* solves; those that ended above the tolerance */
	int drift_iterations;
	int drift_solves, drift_limits;
	u32 retries; /* total so far */
	struct ledger_flow flow;
	u32 created, imbalances; /* totals so far */
	double ms_total, ms_stage[CLX_MAX_STAGES];
	bool frame_end;
	u64 hash; /* valid when frame_end */
};

struct sim {
	const struct scene *scene;
	struct clx *cl;
	struct grid grid;
	int dim;

	struct particles particles;

	/* grid state */
	struct clx_buffer u_face; /* f32 [D][L], m/s */
	struct clx_buffer valid;  /* u8 [L]: bit c = face of component c holds a value; bit 3+c = it
				   * is fixed (a wall of the box) */
	struct clx_buffer phi;	  /* f32 [L], m, liquid level set at cell centres, < 0 inside */
	struct clx_buffer cell_type; /* u8 [L], enum cell_type */
	struct clx_buffer pressure;  /* f32 [L], Pa, at cell centres; 0 outside liquid */

	/* static solids (solids.c) */
	struct clx_buffer open_fraction; /* u16 [D][L], open part of each face, 32768 = all */
	struct clx_buffer kernel_open;	 /* u16 [L], part of a kernel not in solids, 32768 = all */
	struct clx_buffer volume_open;	 /* u16 [L], open part of each cell, see room_units() */
	struct clx_buffer solid_phi;	 /* f32 [L], m, at nodes, < 0 inside solids; none without */
	struct clx_buffer shape_ops;	 /* struct shape_op [], all solids united */
	struct clx_buffer shape_points;	 /* f32 [], polygon vertices */
	struct clx_buffer solid_slip;	 /* u32 [solids], 1 = free slip */
	u32 solid_op_count, solid_point_count;
	struct clx_buffer order; /* u32 [N], in a substep: where a particle was before the sort; one
				  * element unless solids_split */
	bool loops_cut;		 /* the device ends long loops early (loops.h) */
	i32 loop_turns;		 /* that a launch of the solids' set-up may take (solids_turns()) */
	bool solids_split;	 /* solids cut off a part of some cell (solids_sides.c) */
	bool solids_cut;	 /* some face is closed, or part of one, by a solid */

	/* u16 [L]: number of the cell's component if that has no tie to pressure 0, else
	 * SEALED_NONE
	 */
	struct clx_buffer component;
	/* separation: u8 [L], bit c = closed face of component c that has let go */
	struct clx_buffer opened;

	/* One allocation used by one stage after the other (docs/memory.md), and its views. */
	struct clx_buffer scratch;
	struct clx_buffer scan_scratch;	 /* sort: u32 [] */
	struct clx_buffer sum_w, sum_wv; /* P2G: i32 [D][L], i64 [D][L] */
	struct clx_buffer density;	 /* levelset: u32 [L] */
	struct clx_buffer phi_raw;	 /* levelset: f32 [L], m */
	struct clx_buffer valid_next;	 /* during an extrapolation: u8 [L] */
	struct clx_buffer delta;	 /* after the solve: f32 [D][L], m/s, u_new - u_old */
	struct clx_buffer u_old;	 /* after the solve, with solids: f32 [D][L], m/s */
	struct clx_buffer slip;		 /* after the solve: f32 [D][L], m/s, at closed faces */
	struct clx_buffer displacement;	 /* drift, after its solve: f32 [D][L], m */
	struct clx_buffer drift_valid;	 /* drift, after its solve: u8 [L] */

	struct clx_buffer scalars;	/* u32 [SCALAR_COUNT], enum scalar */
	struct clx_buffer partial;	/* float2 [], chunk sums */
	struct clx_buffer totals;	/* float2 [TOTALS] */
	struct clx_buffer hashes;	/* u64 [SIM_HASH_ITEMS] */
	u32 host_scalars[SCALAR_COUNT]; /* as last read */

	struct pressure *solver; /* pressure.h */
	struct bricks bricks;	 /* near liquid */

	/* time */
	int frame, substep;	       /* last completed */
	double time;		       /* s */
	double dt;		       /* s, of the substep under way */
	f32 dt_f;		       /* dt rounded once, what the device gets */
	double u_max;		       /* m/s, over particles and grid */
	double grid_speed;	       /* m/s, largest |u| of the last projection */
	enum step_failure step_failed; /* why this substep must be retried */
	bool frame_ends;	       /* this substep reaches the next frame */
	int halvings;		       /* of this substep's dt so far */
	u64 steps;   /* substeps done, counts retried ones too: salt of the collisions */
	double g[3]; /* m/s^2, gravity now, in the axes of the box */
	/* The forces in this substep (forces.c): u_face before the projection is without them, and
	 * who reads it there adds them. */
	struct kick kick;
	int layers;			  /* of extrapolation after the projection */
	struct step_stats stats;	  /* of the last substep */
	u32 retries;			  /* substeps taken back, in all */
	bool tiny_warned;		  /* that a frame takes very many substeps */
	u32 interventions[STEP_FAILURES]; /* and by cause */
	bool watch; /* look for values that are not finite after every stage: debug builds */
	struct diagnosis diagnosis; /* of a substep that failed for good */
	struct ledger ledger;
	/* Called after each stage, if set; false ends the substep, which has then failed. */
	bool (*after_stage)(struct sim *sim, size_t stage, void *user);
	void *after_stage_user;
	u32 seeds_in_solids; /* liquid seeds dropped because a solid or an earlier liquid held them
			      */
};

/* Sums in sim->totals, after those of enum particle_sum. */
enum total {
	TOTAL_VOLUME = PARTICLE_SUMS,
	TOTAL_WALLS, /* one per axis */
	TOTAL_SWELLED = TOTAL_WALLS + 3,
	TOTAL_SHRUNK,
	TOTALS
};

#define SIM_HASH_ITEMS 4096

#define SIM_MAX_PARTICLES (INT32_MAX / 16)

/* Particles handed over by the caller, one after the other.  Nothing is kept. */
struct sim_particles {
	u32 count;	       /* may be 0 */
	u32 capacity;	       /* room to make for them; less than count: count */
	const f32 *position;   /* [count][D], m */
	const f32 *velocity;   /* [count][D], m/s; NULL = at rest */
	const f32 *affine;     /* [count][D][D], 1/s, row = component; APIC only; NULL = 0 */
	const uint8_t *liquid; /* [count], index in scene->liquids; NULL = 0 */
};

/* One allocation; an empty one takes one element.  Lists of them say what a module owns, both to
 * allocate it and to tell its size beforehand. */
struct sim_field {
	struct clx_buffer *buffer;
	const char *name;
	size_t count, size;
};
bool sim_allocate(struct clx *cl, const struct sim_field *fields, size_t count);

/* What sizes of buffers depend on, in a zeroed *sim: scene, dim, grid, room for particles.  No
 * device is needed. */
void sim_outline(struct sim *sim, const struct scene *scene, u32 capacity);

/* Allocates everything, seeds the particles.  `scene` and `cl` must outlive it.  NULL after
 * reporting. */
struct sim *sim_create(const struct scene *scene, struct clx *cl);
/* The same with given particles instead of those of the scene's liquids (particles_load.h says
 * which are refused). */
struct sim *sim_create_from_particles(const struct scene *scene, struct clx *cl,
				      const struct sim_particles *given);
/* Back to time 0 with these particles, as sim_create_from_particles() would make it.  There must be
 * room for them.  False after reporting; refused particles change nothing. */
bool sim_restart(struct sim *sim, const struct sim_particles *given);
void sim_destroy(struct sim *sim); /* accepts NULL */

/* Memory a scene will need, before anything is allocated: exactly what sim_create() holds, but for
 * the sums of singular components, which grow when more than one is met.  split: solids cut off a
 * part of some cell, which only the device can tell (solids_sides.c); then the sort's order is
 * held too. *total and *largest in bytes; up to `capacity` rows, the number written is returned. */
struct sim_memory_row {
	const char *name;
	uint64_t bytes;
};
size_t sim_memory(const struct scene *scene, u32 particles, bool split, struct sim_memory_row *rows,
		  size_t capacity, uint64_t *total, uint64_t *largest);

/*
 * One substep towards frame `sim->frame + 1`.  On return sim->stats describes it; when
 * stats.frame_end, sim->frame has advanced and stats.hash is the state hash.  False after
 * reporting (stage, cause); the state is then that before the substep, as far as the device still
 * gives it.
 */
bool sim_substep(struct sim *sim);

/* Statistics and hash of the state as it is (frame 0's row). */
bool sim_measure(struct sim *sim);

/* Names of the stages, for ms_<stage> columns; index = clx stage. */
size_t sim_stage_count(void);
const char *sim_stage_name(size_t stage);

/* A cause in words, and its key in run.json. */
const char *sim_failure_text(enum step_failure failure);
const char *sim_failure_name(enum step_failure failure);

#endif
