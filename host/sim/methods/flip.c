/* PIC, FLIP and APIC: the time step as a table. */
#include "stages.h"
#include "step_table.h"

/* clang-format off */
/*
 * One substep from t to t + dt, in the order of docs/method.md.  x, v, C: particle positions,
 * velocities, affine matrices; u: grid velocity on MAC faces.
 */
static const struct stage stages[] = {
	{"sort", particles_sort},                 /* x, v, C in cell order; max |v|; t */
	{"timestep", timestep_choose},                /* dt <= cfl h / (max|u| + sqrt(h |g|)) */
	{"p2g", transfer_p2g},                    /* half of Coriolis' turn; u* = sum w v / sum w; t */
	{"levelset", levelset_update},            /* phi from particle density, cell types; t */
	{"extrapolate_known", extrapolate_known}, /* u* into faces without weight */
	{"forces", forces_apply},                 /* dt g and what the box's motion adds, to be added to u* where it is read */
	{"pressure", pressure_project},           /* div(dt/rho grad p) = div(u* + dt g); u = u* + dt g - dt/rho grad p */
	{"extrapolate", extrapolate_projected},   /* u, delta u beyond the liquid and at solids; t+dt */
	{"g2p", transfer_g2p},                    /* v += delta u(x) (FLIP), v = u(x) (PIC), C (APIC); other half of the turn */
	{"advect", particles_advect},             /* dx/dt = u(x), Runge-Kutta; swept collision; t+dt */
	{"cell_statistics", statistics_cells},        /* volume under phi, particles per cell, while the cell starts are there */
	{"drift", drift_correct},                 /* x += -grad q where rho/rho0 is off */
	{"statistics", statistics_state},        /* sums, extrema, non-finite check */
};
/* clang-format on */

const struct stage *step_stages(size_t *count)
{
	*count = sizeof(stages) / sizeof(stages[0]);
	return stages;
}

size_t sim_stage_count(void)
{
	return sizeof(stages) / sizeof(stages[0]);
}

const char *sim_stage_name(size_t stage)
{
	return stages[stage].name;
}
