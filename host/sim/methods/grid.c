/* The Eulerian method: a grid that carries liquid and velocity, and makes that free of divergence.
 */
#include "grid.h"

#include <math.h>

#include "components.h"
#include "extrapolate.h"
#include "forces.h"
#include "grid/advect_velocity.h"
#include "grid/grid_start.h"
#include "grid/grid_survey.h"
#include "grid/vof.h"
#include "grid/vof_levelset.h"
#include "grid/vof_seed.h"
#include "message.h"
#include "pressure.h"
#include "state_hash.h"
#include "timestep.h"

/* ---- the time step ------------------------------------------------------------------------ */

#define C USE(vof.volume)
#define U USE(u_face)
#define OPEN USE(solids.open_fraction)
/* At the start of the substep. */
#define C_BEFORE USE(vof.before)
#define U_BEFORE USE(vof.u_before)

/* clang-format off */
/* One substep from t to t + dt, in the order of docs/method.md.  C: part of a cell that liquid
 * fills; u: velocity on MAC faces. */
static const struct stage stages[] = {
	{"survey", "where liquid is; greatest flow through a cell; sum of C; t",
		grid_survey,
		.reads = {C, U},
		.writes = {USE(particles.cell_start), USE(lattice.scan_scratch)},
		.model = {.cell = 12, .cell_axis = 4}},
	{"timestep", "dt <= cfl h / (greatest flow + sqrt(h |g|))",
		timestep_choose,
		.reads = {U}},
	{"vof", "dC/dt + div(u C) = C div u: planes, boxes swept through faces, axis by axis; t+dt",
		vof_move,
		.reads = {C, C_BEFORE, U, OPEN},
		.writes = {C, USE(vof.flux)},
		/* C read and written, and that before; u */
		.model = {.cell = 12, .cell_axis = 4}},
	{"levelset", "phi from the planes; cell types; t+dt",
		vof_levelset,
		.reads = {C, OPEN},
		.writes = {USE(vof.plane), USE(vof.normal), USE(phi_raw), USE(phi), USE(cell_type)},
		/* C; phi and type written */
		.model = {.cell = 9}},
	{"advect_velocity", "u* = u(x - dt u), MacCormack; t",
		advect_velocity,
		.reads = {C, U_BEFORE, USE(cell_type)},
		.writes = {U, USE(valid), USE(vof.traced), USE(vof.least), USE(vof.most)},
		/* C, type, mask; u read and written */
		.model = {.cell = 6, .cell_axis = 8},
		.spoilt_by_nan = true,
		.spoilt_by_speed = true},
	{"forces", "dt g and what the box's motion adds: the kick, which the projection adds to u*; friction",
		forces_apply,
		.reads = {U, USE(cell_type), USE(flow), OPEN, USE(solids.volume_open),
			USE(solids.phi)},
		.writes = {U, USE(kick), USE(slowed)}},
	{"pressure", "div(dt/rho grad p) = div(u* + dt g); u = u* + dt g - dt/rho grad p; t+dt",
		pressure_project,
		.reads = {C, USE(phi), USE(cell_type), OPEN, U, USE(valid), USE(kick), USE(flow),
			USE(force), USE(slowed), USE(solids.volume_open), USE(solids.phi)},
		.writes = {U, USE(valid), USE_IN(pressure, AFTER, AFTER), USE(opened),
			USE_IN(delta, AFTER, AFTER), USE_IN(u_old, AFTER, AFTER),
			USE_IN(lattice.scan_scratch, LISTS, LISTS), USE(poisson.component)},
		.model = {.cell = 22, .cell_axis = 20},
		.solves = SOLVES(PRESSURE),
		.takes_kick = true},
	{"extrapolate", "u beyond the liquid; t+dt",
		extrapolate_projected,
		.reads = {U, USE(delta), USE(u_old), USE(valid), USE(opened), OPEN,
			USE(solids.phi)},
		.writes = {U, USE(delta), USE(valid), USE_IN(valid_next, LISTS, SOLVE),
			USE_IN(slip, AFTER, AFTER)},
		.model = {.cell = 2}},
	{"statistics", "sum of C, energies, momentum; is all finite; t+dt",
		grid_statistics,
		.reads = {C, U, USE(cell_type)},
		.model = {.cell = 9, .cell_axis = 4}},
};

/* ---- what it keeps ------------------------------------------------------------------------ */

static const struct sim_field fields[] = {
	{SIM_FIELD(vof.volume, "volume of liquid", POINTS, KEPT), .hashed = true, .saved = "grid/volume",
		.saved_negative = true, .unit = "1/2^30"},
	{SIM_FIELD(u_face, "grid velocity", FACES, KEPT), .hashed = true, .quantity = "velocity",
		.unit = "m/s", .saved = "grid/velocity"},
	{SIM_FIELD(vof.before, "volume of liquid before", POINTS, KEPT)},
	{SIM_FIELD(vof.u_before, "grid velocity before", FACES, KEPT)},
	/* Of valid, what is known of faces; walls are marked in listed bricks only. */
	{SIM_FIELD(valid, "valid faces", MASK, KEPT), .hashed = true, .hash_mask = 0x07070707},
	{SIM_FIELD(phi, "level set", POINTS, KEPT), .hashed = true, .quantity = "level set", .unit = "m"},
	{SIM_FIELD(cell_type, "cell types", POINTS, KEPT), .hashed = true},
	{SIM_FIELD(pressure, "pressure", UNKNOWNS, KEPT), .hashed = true, .quantity = "pressure", .unit = "Pa"},
	{SIM_FIELD(poisson.component, "components", POINTS, LENT)},
	{SIM_FIELD(opened, "opened walls", MASK, LENT), .hashed = true},
	{SIM_FIELD(flow, "flow through walls", FLOW, KEPT)},
	{SIM_FIELD(force, "force fields", FORCE, KEPT), .unit = "m/s"},
	{SIM_FIELD(slowed, "friction", FRICTION, KEPT), .unit = "m/s"},
	{SIM_FIELD(scratch, "scratch", ALL_SCRATCH, KEPT)},
	{SIM_FIELD(lattice.scalars, "scalars", SCALARS, KEPT)},
	{SIM_FIELD(lattice.partial, "chunk sums", PARTIALS, KEPT)},

	{SIM_FIELD(lattice.scan_scratch, "scan", SCAN, SCRATCH)},
	{SIM_FIELD(particles.cell_start, "cells with liquid", STARTS, SCRATCH)},
	{SIM_FIELD(vof.flux, "fluxes of volume", POINTS, SCRATCH)},
	{SIM_FIELD(vof.plane, "distances of planes", POINTS, SCRATCH)},
	{SIM_FIELD(vof.normal, "normals of planes", FACES, SCRATCH)},
	{SIM_FIELD(phi_raw, "level set, raw", POINTS, SCRATCH)},
	{SIM_FIELD(vof.traced, "velocity, traced", FACES, SCRATCH)},
	{SIM_FIELD(vof.least, "velocity, least around", FACES, SCRATCH)},
	{SIM_FIELD(vof.most, "velocity, most around", FACES, SCRATCH)},
	{SIM_FIELD(delta, "velocity change", FACES, SCRATCH), .quantity = "velocity change",
		.unit = "m/s", .sparse = true},
	{SIM_FIELD(u_old, "velocity before forces", SOLID_FACES, SCRATCH)},
	{SIM_FIELD(valid_next, "valid faces, next", MASK, SCRATCH)},
	{SIM_FIELD(slip, "slip velocity", SOLID_FACES, SCRATCH)},

	{SIM_FIELD(solids.open_fraction, "open fractions", SOLIDS, KEPT)},
	{SIM_FIELD(solids.volume_open, "open volumes", SOLIDS, KEPT)},
	{SIM_FIELD(solids.phi, "solid distance", SOLIDS, KEPT)},
	{.member = offsetof(struct sim, kick), .name = "kick of the forces", .shape = SHAPE_HOST,
		.size = sizeof(struct kick)},
};
/* clang-format on */

/* ---- its part of a simulation's life ------------------------------------------------------ */

/* A layer is one step along an axis.  Paths and boxes begin half a cell beyond liquid at most, and
 * the samples around their ends are one more away along every axis. */
static void outline_grid(struct sim *sim)
{
	sim->layers = sim->dim * ((int)ceil(sim->scene->time.cfl) + 1);
}

static bool seed_grid(struct sim *sim)
{
	if (!vof_seed(sim) || !grid_start_velocity(sim))
		return false;
	sim->grid_speed = 0.0;
	return true;
}

static bool measure_grid(struct sim *sim)
{
	if (!grid_survey(sim) || !vof_levelset(sim) || !poisson_build_operator(&sim->poisson) ||
	    !components_label(&sim->poisson) || !grid_statistics(sim))
		return false;
	grid_know_units(sim, sim->vof.units_after);
	return true;
}

static bool snapshot_grid(struct sim *sim)
{
	struct vof *v = &sim->vof;
	return clx_copy(sim->cl, &v->volume, 0, &v->before, 0, v->volume.bytes) &&
	       clx_copy(sim->cl, &sim->u_face, 0, &v->u_before, 0, sim->u_face.bytes);
}

static void restore_grid(struct sim *sim)
{
	struct vof *v = &sim->vof;
	const union u32_buffer volume = v->volume;
	const union f32_buffer u = sim->u_face;
	v->volume = v->before;
	v->before = volume;
	sim->u_face = v->u_before;
	v->u_before = u;
}

static bool accept_grid(struct sim *sim)
{
	bricks_settle(&sim->lattice);
	return grid_balance(sim);
}

static const char *const columns[] = {GRID_COLUMNS};

const struct method method_grid = {
	.name = "grid",
	.parts = PART_SOLVER | PART_LEVELSET | PART_PRESSURE | PART_VELOCITY | PART_VOLUME |
		 PART_MOTION,
	.stages = stages,
	.stage_count = sizeof(stages) / sizeof(stages[0]),
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.outline = outline_grid,
	.seed = seed_grid,
	.measure = measure_grid,
	.longest_step = grid_longest_step,
	.snapshot = snapshot_grid,
	.restore = restore_grid,
	.accept = accept_grid,
	.hash = state_hash_fields,
	.hash_saved = state_hash_arrays,
};
