/* The Eulerian method with markers: the loop of Braley & Sandu (2009), 4.1: velocity advected,
 * projected, markers moved. */
#include "marker_grid.h"

#include <math.h>

#include "components.h"
#include "extrapolate.h"
#include "forces.h"
#include "grid/advect_velocity.h"
#include "grid/grid_markers.h"
#include "ledger.h"
#include "particles.h"
#include "pressure.h"
#include "scene.h"
#include "solids_particles.h"
#include "state_hash.h"
#include "statistics.h"
#include "timestep.h"
#include "transfer.h"

/* ---- the time step ------------------------------------------------------------------------ */

#define X USE(particles.now.position)
#define V USE(particles.now.velocity)
#define C USE(particles.now.affine)
#define ID USE(particles.now.id)
#define STARTS USE(particles.cell_start)
#define NOW(KIND, name, ...) USE(particles.now.name),
#define BEFORE(KIND, name, ...) USE(particles.before.name),
#define NONE(...)
#define VOLUME USE(vof.volume)
#define U USE(u_face)
#define OPEN USE(solids.open_fraction)
#define PLACES USE(solids.phi), USE(solids.open_fraction), USE(solids.volume_open)

/* clang-format off */
/* One substep from t to t + dt, in the order of docs/method.md.  x, v: places and velocities of
 * markers; u: velocity on MAC faces. */
static const struct stage stages[] = {
	{"sort", "x, v, C in order of cells; max |v|; t",
		particles_sort,
		.reads = {PARTICLE_ATTRIBUTES(NOW, NONE) PLACES},
		.writes = {PARTICLE_ATTRIBUTES(NOW, NONE) PARTICLE_ATTRIBUTES(BEFORE, NONE)
			USE(particles.order), STARTS, USE(lattice.scan_scratch)},
		/* x, v, id [C] read and written; the rank within the cell written and read; cell
		 * starts cleared, counted, scanned, scattered */
		.model = {true, .particle = 16, .particle_axis = 16, .particle_affine = 8, .cell = 20},
		.transfers = true},
	{"timestep", "dt <= cfl h / (max|u| + sqrt(h |g|))",
		timestep_choose,
		.reads = {X, V, ID}},
	{"markers", "cells with markers are liquid: phi = -h/2, h/2 in others; cell types; t",
		grid_markers_cells,
		.reads = {STARTS, OPEN},
		.writes = {USE(phi_raw), USE(phi), USE(cell_type), VOLUME},
		/* cell start; phi, type and volume written */
		.model = {.cell = 13}},
	{"advect_velocity", "u* = u(x - dt u), MacCormack; t",
		advect_velocity,
		.reads = {VOLUME, USE(vof.u_before), USE(cell_type)},
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
		.reads = {VOLUME, X, ID, STARTS, USE(phi), USE(cell_type), OPEN, U, USE(valid), USE(kick), USE(flow),
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
	{"g2p", "v = u(x) of markers; t+dt",
		transfer_g2p,
		.reads = {X, V, C, ID, U, USE(delta), USE(force)},
		.writes = {V, C},
		/* x, v read, v written; u read */
		.model = {true, .particle_axis = 12, .cell_axis = 4},
		.transfers = true},
	{"advect", "dx/dt = u(x), Runge-Kutta; swept collision; t+dt",
		particles_advect,
		.reads = {X, V, ID, USE(particles.before.position), USE(particles.order), U,
			USE(solids.phi), USE(solids.open_fraction)},
		.writes = {X, V, ID},
		/* x read and written, id; u read */
		.model = {true, .particle = 4, .particle_axis = 8, .cell_axis = 4}},
	{"cell_statistics", "volume under phi, particles per cell; t",
		statistics_cells,
		.reads = {STARTS, USE(phi), USE(cell_type), USE(solids.volume_open),
			USE(solids.open_fraction)},
		/* phi, type, cell start */
		.model = {.cell = 9}},
	{"statistics", "sums and extrema over particles; is all finite; t+dt",
		statistics_state,
		.reads = {X, V, C, ID},
		/* x, v, id */
		.model = {true, .particle = 4, .particle_axis = 8}},
};

/* ---- what it keeps ------------------------------------------------------------------------ */

#define FIELDS_OF_ATTRIBUTE(KIND, attribute, plural, type, shape, unit_, quantity_, ...)        \
	{SIM_FIELD(particles.now.attribute, plural, shape, KEPT), .unit = unit_,               \
		.quantity = quantity_, .saved = "particles/" #attribute},                      \
	{SIM_FIELD(particles.before.attribute, plural " before", shape, KEPT)},

static const struct sim_field fields[] = {
	{SIM_FIELD(u_face, "grid velocity", FACES, KEPT), .hashed = true, .quantity = "velocity",
		.unit = "m/s", .saved = "grid/velocity"},
	{SIM_FIELD(vof.volume, "marked cells", POINTS, KEPT), .hashed = true},
	{SIM_FIELD(vof.u_before, "grid velocity before", FACES, KEPT)},
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
	{SIM_FIELD(hashes, "hashes", HASHES, KEPT)},
	{SIM_FIELD(particles.cell_start, "cell starts", STARTS, LENT)},

	PARTICLE_ATTRIBUTES(FIELDS_OF_ATTRIBUTE, NONE)
	{SIM_FIELD(particles.order, "order of the sort", ORDER, LENT)},
	{SIM_FIELD(lattice.partial, "chunk sums", PARTIALS, KEPT)},

	{SIM_FIELD(lattice.scan_scratch, "scan", SCAN, SCRATCH)},
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
	{SIM_FIELD(solids.kernel_open, "open kernels", SOLIDS, KEPT)},
	{SIM_FIELD(solids.volume_open, "open volumes", SOLIDS, KEPT)},
	{SIM_FIELD(solids.phi, "solid distance", SOLIDS, KEPT)},
	{.member = offsetof(struct sim, kick), .name = "kick of the forces", .shape = SHAPE_HOST,
		.size = sizeof(struct kick)},
};
/* clang-format on */

/* ---- its part of a simulation's life ------------------------------------------------------ */

static void outline_markers(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	const double cells = ceil(scene->time.dt > 0.0 ? FIXED_DT_CELLS : scene->time.cfl) + 1.0;
	sim->layers = scene->dim * (int)cells;
	sim->particles.carried = particle_attributes_of(scene);
}

static bool measure_markers(struct sim *sim)
{
	if (!particles_sort(sim))
		return false;
	if (sim->lattice.host_scalars[SCALAR_NON_FINITE])
		return particles_report_non_finite(sim);
	return grid_markers_cells(sim) && poisson_build_operator(&sim->poisson) &&
	       components_label(&sim->poisson) && statistics_cells(sim) &&
	       solids_forget_grid(&sim->solids, &sim->particles) && statistics_state(sim) &&
	       ledger_measured(sim);
}

/* The sort keeps the markers of the start. */
static bool snapshot_markers(struct sim *sim)
{
	sim->particles.sorted = false;
	return clx_copy(sim->cl, &sim->u_face, 0, &sim->vof.u_before, 0, sim->u_face.bytes);
}

static void restore_markers(struct sim *sim)
{
	const union f32_buffer u = sim->u_face;
	sim->u_face = sim->vof.u_before;
	sim->vof.u_before = u;
	particles_restore(sim);
}

static bool accept_markers(struct sim *sim)
{
	bricks_settle(&sim->lattice);
	return ledger_close_substep(sim);
}

/* Of the markers, and of the velocity. */
static bool hash_markers(struct sim *sim, int frame, u64 *hash)
{
	u64 grid;
	if (!statistics_hash(sim, frame, hash) || !state_hash_grid(sim, frame, &grid))
		return false;
	*hash += grid;
	return true;
}

static bool hash_saved_markers(int dim, int frame, const struct saved_array *arrays, size_t count,
			       u64 *hash)
{
	u64 grid;
	if (!state_hash_particles(dim, frame, arrays, count, hash) ||
	    !state_hash_grid_arrays(frame, arrays, count, &grid))
		return false;
	*hash += grid;
	return true;
}

const struct method method_grid_markers = {
	.name = "grid-markers",
	.variant_of = "grid",
	.surface = GRID_SURFACE_MARKERS,
	.says = "cells that hold a marker are liquid (method grid, grid.surface markers)",
	.parts = PART_PARTICLES | PART_SOLVER | PART_LEVELSET | PART_PRESSURE | PART_VELOCITY |
		 PART_VOLUME | PART_MOTION,
	.stages = stages,
	.stage_count = sizeof(stages) / sizeof(stages[0]),
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.outline = outline_markers,
	.seed = grid_markers_seed,
	.measure = measure_markers,
	.longest_step = timestep_by_speed,
	.snapshot = snapshot_markers,
	.restore = restore_markers,
	.accept = accept_markers,
	.hash = hash_markers,
	.hash_saved = hash_saved_markers,
};
