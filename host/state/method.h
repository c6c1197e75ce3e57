/*
 * The seam between the loop of a substep and a method: all that differs between solvers.
 *
 * The loop (sim/sim.c) keeps time, retries, timing and failure reports; it goes over the stages and
 * calls what follows.  Tables are in sim/methods/; the scene key `method` names one of them.
 */
#ifndef FRESHET_METHOD_H
#define FRESHET_METHOD_H

#include "sim_field.h"
#include "stage.h"

/* Parts of struct sim that a method uses, and what it can give to probes, pictures, files. */
enum method_part {
	PART_PARTICLES = 1, /* sim->particles: seeds, loading, files of particles, surfaces */
	PART_SOLVER = 2,    /* sim->poisson and the bricks */
	PART_LEVELSET = 4,  /* phi and cell types, as pictures and probes want them */
	PART_PRESSURE = 8,
	PART_VELOCITY = 16, /* on faces */
	PART_VOLUME = 32,   /* statistics of a liquid: its volume, */
	PART_MOTION = 64,   /* its energies, momentum, speed */
};

/* What a field with a name in checkpoints held: components one after the other. */
struct saved_array {
	const struct sim_field *field;
	size_t components, count; /* `count` particles or lattice points */
	void *data;		  /* [components][count] */
};

#define METHOD_MOST_FIELDS 64
#define METHOD_MOST_SAVED 16

struct method {
	const char *name; /* scene key `method`; in checkpoints */
	/* A variant of the method of that name in scenes: with `grid.surface` (enum
	 * scene_grid_surface), and what `freshet stages` says of it.  NULL: the method itself. */
	const char *variant_of, *says;
	unsigned surface;
	unsigned parts; /* enum method_part */
	const struct stage *stages;
	size_t stage_count;
	const struct sim_field *fields; /* in the order in which `freshet check` lists them */
	size_t field_count;
	/* Its own columns of stats.csv, behind those of all methods: step_stats.own. */
	const char *const *columns;
	size_t column_count; /* at most STEP_OWN */
	/* Layers of extrapolation, and whatever else buffers are sized by; no device is there. */
	void (*outline)(struct sim *sim);

	/* Fills the fields at time 0.  False after reporting, as all that follow. */
	bool (*seed)(struct sim *sim);
	/* Statistics of the state as it is: frame 0. */
	bool (*measure)(struct sim *sim);
	/* The greatest step from here, s, by `time` and the speeds of the state. */
	bool (*longest_step)(struct sim *sim, double *dt);
	/* An attempt at a substep begins; it failed, and the state is as it was; it succeeded.
	 * `restore` is called once at most for each snapshot that was taken, and cannot fail: the
	 * device may be lost.  Who exchanges buffers in it takes such without views (no lenders).
	 */
	bool (*snapshot)(struct sim *sim);
	void (*restore)(struct sim *sim);
	bool (*accept)(struct sim *sim);
	/* The hash of the state, for the number of its frame: equal on every device.  And on the
	 * host, of its saved arrays, in the order of the fields. */
	bool (*hash)(struct sim *sim, int frame, u64 *hash);
	bool (*hash_saved)(int dim, int frame, const struct saved_array *arrays, size_t count,
			   u64 *hash);
};

#endif
