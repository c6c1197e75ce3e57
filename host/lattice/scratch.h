/*
 * The planner of scratch memory: places what lives for a part of a substep only.
 *
 * Time is the stages of a substep in order, each in four phases.  Two arrays may share memory if no
 * moment finds both alive.  The plan is a first fit in the order of the list: each array gets the
 * lowest place that is free for all of its life.
 */
#ifndef FRESHET_SCRATCH_H
#define FRESHET_SCRATCH_H

#include "fields.h"

/* Of a stage: those that solve list their unknowns, set the operator up, solve, and use the
 * solution.  Others may take phases to say that they need one array after the other. */
enum phase { PHASE_LISTS, PHASE_SETUP, PHASE_SOLVE, PHASE_AFTER, PHASES };

/* Moments: bit s of at[p] = phase p of stage s.  The last stage stands for what comes before the
 * first substep: seeding. */
struct moments {
	uint32_t at[PHASES];
};
#define MOMENT_START 31
void moments_add(struct moments *moments, size_t stage, enum phase first, enum phase last);
/* From a phase of a stage to a phase of a later one or of the same. */
void moments_add_span(struct moments *moments, size_t from, enum phase first, size_t to,
		      enum phase last);
bool moments_meet(const struct moments *a, const struct moments *b);

/* An array that needs a place. */
struct scratch_part {
	struct clx_buffer *view; /* what shows it; NULL: its user makes it */
	const char *name;	 /* static */
	size_t bytes;
	struct moments live;
	bool borrows; /* may lie in the memory of a lender */
	bool kept;    /* holds its value from a stage that solves to the next one */
	/* where the plan puts it */
	size_t at;
	const struct clx_buffer *in; /* a lender's buffer, or NULL: the scratch */
};
#define SCRATCH_PART(view, name, bytes)   \
	{                                 \
		&(view)->raw, name, bytes \
	}

/* A buffer of its own, which is free for a part of the substep. */
struct scratch_lender {
	const struct clx_buffer *buffer;
	size_t bytes;
	struct moments busy;
};

/* Places all parts; returns the bytes of scratch that they take. */
size_t scratch_plan(struct scratch_part *parts, size_t count, const struct scratch_lender *lenders,
		    size_t lender_count);

/* The views of planned parts.  False after reporting. */
bool scratch_make_views(struct clx *cl, const struct clx_buffer *scratch,
			const struct scratch_part *parts, size_t count);
void scratch_free_views(struct clx *cl, const struct scratch_part *parts, size_t count);

#endif
