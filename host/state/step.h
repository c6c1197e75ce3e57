/* What is known of a substep. */
#ifndef FRESHET_STEP_H
#define FRESHET_STEP_H

#include <stdbool.h>

#include "clx.h"
#include "ledger_data.h"
#include "shared.h"

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

/* What the device reports back after a substep (one small read). */
struct step_report {
	/* filled by statistics.c, see the columns of stats.csv in docs/output.md */
	double volume, kinetic_energy, potential_energy, momentum[3], max_speed;
	double divergence_before, divergence_after;
	u32 liquid_cells, components, singular_components, air_regions;
	u32 min_ppc, max_ppc, interior_cells, interior_empty;
	u32 pushed, escaped, removed_open, drained, flown; /* totals so far */
	u32 repositioned;				   /* likewise, with solver.reposition */
	bool non_finite;
	/* for the ledger: the living, those removed in this substep, walls, drift */
	struct ledger_sums sums, left;
	double wall_impulse[3];			   /* kg m/s, on the liquid */
	double swelled, shrunk;			   /* m^2, m^3 */
	double force_work, force_impulse[3];	   /* of force fields, J and kg m/s */
	double friction_work, friction_impulse[3]; /* of walls on the liquid */
};

/* Columns of stats.csv that a method may add. */
#define STEP_OWN 8

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
	double own[STEP_OWN]; /* of the method's own columns */
	bool frame_end;
	u64 hash; /* valid when frame_end */
};

#endif
