/* The pressure solve: memory, operator, solvers.  Equations: kernels/pressure.cl, kernels/cg.cl. */
#ifndef FRESHET_PRESSURE_H
#define FRESHET_PRESSURE_H

#include "multigrid.h"
#include "sim.h"

struct pressure {
	struct multigrid mg;
	/* level-0 vectors, f32 [mg.finest] */
	/* b, m/s; one of the two below, not to be freed: the pressure's, but for the time of
	 * pressure_for_drift() */
	struct clx_buffer rhs;
	struct clx_buffer solution;	   /* q, m/s, high part */
	struct clx_buffer solution_low;	   /* q, low part */
	struct clx_buffer direction;	   /* s */
	struct clx_buffer rhs_of_pressure; /* in sim->pressure, which is made at the end */
	struct clx_buffer
		rhs_of_drift; /* in the cell starts, which the drift solve has done with */
	struct clx_buffer component_sums, component_scale;
	u32 singular;	    /* singular components of the current operator */
	int expected;	    /* iterations of the last solve: how many to enqueue before looking */
	int drift_expected; /* the same for the drift solve, outside of pressure_for_drift() */
	bool stalled;	    /* the last solve ended before its iterations were used up */
	/* Of the last one that ended above the tolerance. */
	bool limit_stalled;
	double limit_residual;
	bool limit_warned;
	bool parts_warned; /* of parts of coarse cells without room */
};

/* Bytes of scratch the solver needs (views of sim->scratch); more with solids. */
size_t pressure_scratch_bytes(const struct grid *grid, int dim, bool solids);

/* The solver's own buffers, for a planned p->mg.  Returns how many. */
#define PRESSURE_FIELDS 5
size_t pressure_list_fields(struct pressure *p, struct sim_field fields[PRESSURE_FIELDS]);

/* Makes the views and small buffers.  False after reporting. */
bool pressure_create(struct sim *sim);
void pressure_destroy(struct sim *sim);

/* Zeros in the vectors whose memory components_label() and the operator's set-up borrow. */
bool pressure_clear_vectors(struct sim *sim);

/* p->rhs in one of its places, zeroed. */
bool pressure_place_rhs(struct sim *sim, const struct clx_buffer *place);

/* Runs `solve`, in which p->rhs and p->expected are the drift solve's.  They are the pressure
 * solve's again when it returns, whatever it returns. */
bool pressure_for_drift(struct sim *sim, bool (*solve)(struct sim *sim, void *user), void *user);

/* Coefficients of the operator on all levels, from phi, cell types, open fractions, `opened`. */
bool pressure_build_operator(struct sim *sim);

/*
 * Solves A q = rhs to ||rhs - A q|| <= tolerance ||rhs|| with the scene's solver, starting from
 * q = 0 or, if warm, from the solution as it is (`pcg-ic` always from 0).  *iterations, *residual
 * (true, relative) describe the end.  Reaching max_iterations or the rounding floor is not an
 * error; a residual that is not finite or above its start is: *failed.
 */
bool pressure_solve(struct sim *sim, bool warm, double tolerance, int max_iterations,
		    int *iterations, double *residual, bool *failed);

#endif
