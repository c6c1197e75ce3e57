/*
 * The stages of a substep: a row is all that anyone asks of a stage.  sim/methods/ has the tables.
 */
#ifndef FRESHET_STAGE_H
#define FRESHET_STAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "poisson.h"
#include "scratch.h"

struct sim;

/* A field that a stage uses, and in which of its phases: struct sim_field with this member. */
struct field_use {
	size_t member; /* offset in struct sim; 0 ends a list */
	enum phase from, to;
};
#define USE(member) USE_IN(member, LISTS, AFTER)
#define USE_IN(member, from, to)                                       \
	{                                                              \
		offsetof(struct sim, member), PHASE_##from, PHASE_##to \
	}
/* One more than any list has: 0 ends it. */
#define MOST_USES 20

/*
 * The bytes that a stage must move, by the rule of docs/benchmark.md: fields taken over from other
 * stages read once, those handed on written once; passes over its own scratch are free.  Per
 * particle and per liquid cell: fixed + per_axis D + affine D^2 (APIC only).
 */
struct stage_bytes {
	bool by_particle; /* its work is proportional to particles */
	double particle, particle_axis, particle_affine;
	double cell, cell_axis;
};

/* Of enum poisson_purpose; solve_purpose() gives that back. */
#define SOLVES(PURPOSE) (1 + (int)POISSON_##PURPOSE)

struct stage {
	const char *name; /* of its column ms_NAME */
	const char *says; /* equation and time level, for `freshet stages` */
	bool (*run)(struct sim *sim);
	/* Fields whose values it needs, and those that it changes.  One that is written and not
	 * read has no past: its memory may be anyone's until then.  Debug builds hold a stage to
	 * its lists, but for scalars and sums (poison.h). */
	struct field_use reads[MOST_USES], writes[MOST_USES];
	struct stage_bytes model;
	int solves; /* what for, SOLVES(PURPOSE); its iterations pay for themselves; 0: nothing */
	bool takes_kick; /* the velocity that it leaves has the forces' kick in it */
	bool transfers;	 /* one of those that methods with particles are compared by: bench */
	/* FRESHET_FAULT may spoil what it has made: FAULT_NAN, FAULT_SPEED. */
	bool spoilt_by_nan, spoilt_by_speed;
};

#endif
