/* PIC, FLIP and APIC: particles that carry the velocity, a grid that makes it free of divergence.
 */
#include "flip.h"

#include <math.h>

#include "bodies/bodies.h"
#include "components.h"
#include "drift.h"
#include "extrapolate.h"
#include "forces.h"
#include "ledger.h"
#include "levelset.h"
#include "moving/loads.h"
#include "moving/motion.h"
#include "neighbours/neighbours.h"
#include "particles.h"
#include "pressure.h"
#include "seed.h"
#include "solids_particles.h"
#include "sources.h"
#include "sources/outflows.h"
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
/* All that particles carry. */
#define NOW(KIND, name, ...) USE(particles.now.name),
#define BEFORE(KIND, name, ...) USE(particles.before.name),
#define NONE(...)
/* What a solve needs of the grid. */
#define EQUATION USE(phi), USE(cell_type), USE(solids.open_fraction)
/* Where solids split cells, particles stand elsewhere on the grid than in space (solids_places.c).
 */
#define PLACES USE(solids.phi), USE(solids.open_fraction), USE(solids.volume_open)

static bool advect(struct sim *sim)
{
	return outflows_take(sim) && particles_advect(sim);
}

static bool finish_solids(struct sim *sim)
{
	return outflows_close(sim) && motion_finish(sim);
}

/* clang-format off */
/*
 * One substep from t to t + dt, in the order of docs/method.md.  x, v, C: particle positions,
 * velocities, affine matrices; u: grid velocity on MAC faces.  Bytes: docs/benchmark.md.
 */
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
	{"p2g", "half of Coriolis' turn of v; u* = sum w v / sum w; t",
		transfer_p2g,
		.reads = {X, V, C, STARTS, USE(solids.open_fraction)},
		.writes = {V, C, USE(sum_wv), USE(sum_w), USE(u_face), USE(valid)},
		/* x, v [C]; cell start; u and the mask written */
		.model = {true, .particle_axis = 8, .particle_affine = 4, .cell = 5, .cell_axis = 4},
		.transfers = true,
		.spoilt_by_speed = true},
	{"levelset", "phi from the density of particles, or from spheres about them; cell types; t",
		levelset_update,
		.reads = {X, ID, STARTS, USE(solids.kernel_open), USE(solids.phi), USE(solids.open_fraction)},
		.writes = {USE(density), USE(nearest[0]), USE(nearest[1]), USE(phi_raw), USE(phi),
			USE(cell_type)},
		/* x; cell start; phi and type written */
		.model = {true, .particle_axis = 4, .cell = 9}},
	{"extrapolate_known", "u* into faces without weight; t",
		extrapolate_known,
		.reads = {USE(u_face), USE(valid)},
		.writes = {USE(u_face), USE(valid), USE(valid_next)},
		/* the mask read and written; the band itself grows with the surface only */
		.model = {.cell = 2}},
	{"forces", "dt g and what the box's motion adds: the kick, which the projection adds to u*; u* += dt a of force fields; inflows, outflows; friction; V* of bodies",
		forces_apply,
		.reads = {X, V, USE(u_face), USE(valid), USE(cell_type), USE(solids.open_fraction),
			USE(solids.volume_open), USE(solids.phi)},
		.writes = {USE(kick), USE(flow), USE(force), USE(u_face), USE(vorticity),
			USE(solids.open_fraction), USE(slowed)}},
	{"pressure", "div(dt/rho grad p) = div(u* + dt g); u = u* + dt g - dt/rho grad p; delta u = u - u*; V of bodies, contacts; t+dt",
		pressure_project,
		.reads = {X, ID, STARTS, EQUATION, USE(u_face), USE(valid), USE(kick), USE(flow),
			USE(force), USE(slowed), USE(solids.volume_open), USE(solids.phi)},
		.writes = {USE(u_face), USE(valid), USE_IN(pressure, AFTER, AFTER), USE(opened), USE(flow),
			USE_IN(delta, AFTER, AFTER), USE_IN(u_old, AFTER, AFTER),
			USE_IN(lattice.scan_scratch, LISTS, LISTS), USE(poisson.component)},
		/* phi, type, u read for links, excess and b, these written (13 + 8 D); q, u read, u,
		 * delta, p, mask written (9 + 12 D) */
		.model = {.cell = 22, .cell_axis = 20},
		.solves = SOLVES(PRESSURE),
		.takes_kick = true},
	{"extrapolate", "u, delta u beyond the liquid and at solids; t+dt",
		extrapolate_projected,
		.reads = {USE(u_face), USE(delta), USE(u_old), USE(valid), USE(opened),
			USE(solids.open_fraction), USE(solids.phi)},
		.writes = {USE(u_face), USE(delta), USE(valid), USE_IN(valid_next, LISTS, SOLVE),
			USE_IN(slip, AFTER, AFTER)},
		.model = {.cell = 2}},
	{"g2p", "v += delta u(x) (FLIP), v = u(x) (PIC), C (APIC); other half of the turn; t+dt",
		transfer_g2p,
		.reads = {X, V, C, ID, USE(u_face), USE(delta), USE(force)},
		.writes = {V, C},
		/* x, v read, v [C] written; u and delta read */
		.model = {true, .particle_axis = 12, .particle_affine = 4, .cell_axis = 8},
		.transfers = true,
		.spoilt_by_nan = true},
	{"advect", "particles leave by outflows; dx/dt = u(x), Runge-Kutta; swept collision; t+dt",
		advect,
		.reads = {X, V, ID, USE(particles.before.position), USE(particles.order), USE(u_face),
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
	{"solids", "outflows closed; bodies x += dt V; solids that move at their places, and what they leave open; t+dt",
		finish_solids,
		.reads = {USE(phi), USE(cell_type), USE(solids.open_fraction),
			USE(solids.kernel_open), USE(solids.volume_open), USE(solids.phi)},
		.writes = {USE(cell_type), USE(solids.open_fraction), USE(solids.kernel_open),
			USE(solids.volume_open), USE(solids.phi)}},
	{"drift", "x += -grad q where rho/rho0 is off; t+dt",
		drift_correct,
		.reads = {X, V, ID, USE_IN(particles.cell_start, LISTS, SETUP), EQUATION,
			USE(opened), USE(poisson.component), USE(particles.before.position),
			USE(particles.order), USE(solids.volume_open), USE(solids.phi)},
		.writes = {X, V, ID, USE(particles.places), USE(opened), USE(poisson.component), USE_IN(displacement, AFTER, AFTER),
			USE_IN(drift_valid, AFTER, AFTER), USE_IN(valid_next, AFTER, AFTER)},
		/* x for the density; x and id read, x written; phi, type, open volume read, links,
		 * excess and b written (15 + 4 D); q read, displacement written and read (4 + 8 D) */
		.model = {true, .particle = 4, .particle_axis = 12, .cell = 19, .cell_axis = 12},
		.solves = SOLVES(DRIFT)},
	{"neighbours", "x apart from particles near it, v with it, where the scene asks for that; t+dt",
		neighbours_correct,
		.reads = {X, V, ID, USE(cell_type), USE(solids.phi)},
		.writes = {X, V, STARTS, USE(lattice.scan_scratch), USE(neighbours.order),
			USE(neighbours.move), USE(neighbours.contacts), USE(neighbours.velocity)}},
	{"sources", "particles in drains vanish, others come in through walls and by emitters; t+dt",
		sources_emit,
		.reads = {X, ID, USE(u_face), USE(phi), USE(cell_type), USE(solids.phi)},
		.writes = {X, V, C, ID}},
	{"statistics", "sums and extrema over particles; is all finite; t+dt",
		statistics_state,
		.reads = {X, V, C, ID},
		/* x, v, id */
		.model = {true, .particle = 4, .particle_axis = 8}},
};

/* ---- what it keeps ------------------------------------------------------------------------ */

#define VELOCITY .quantity = "velocity", .unit = "m/s"

#define FIELDS_OF_ATTRIBUTE(KIND, attribute, plural, type, shape, unit_, quantity_, ...)        \
	{SIM_FIELD(particles.now.attribute, plural, shape, KEPT), .unit = unit_,               \
		.quantity = quantity_, .saved = "particles/" #attribute},                      \
	{SIM_FIELD(particles.before.attribute, plural " before", shape, KEPT)},

static const struct sim_field fields[] = {
	{SIM_FIELD(u_face, "grid velocity", FACES, KEPT), .hashed = true, VELOCITY},
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
	{SIM_FIELD(hashes, "hashes", HASHES, KEPT)},
	{SIM_FIELD(particles.cell_start, "cell starts", STARTS, LENT)},

	PARTICLE_ATTRIBUTES(FIELDS_OF_ATTRIBUTE, NONE)
	{SIM_FIELD(particles.order, "order of the sort", ORDER, LENT)},
	{SIM_FIELD(particles.places, "places on the grid", PLACES, LENT)},
	{SIM_FIELD(lattice.partial, "chunk sums", PARTIALS, KEPT)},
	{SIM_FIELD(neighbours.order, "order of neighbours", NEAR, KEPT)},
	{SIM_FIELD(neighbours.contacts, "contacts", NEAR, KEPT)},
	{SIM_FIELD(neighbours.move, "moves by neighbours", NEAR_VECTORS, KEPT)},
	{SIM_FIELD(neighbours.velocity, "velocities by neighbours", NEAR_VECTORS, KEPT), .unit = "m/s"},

	{SIM_FIELD(lattice.scan_scratch, "scan", SCAN, SCRATCH)},
	{SIM_FIELD(sum_wv, "momentum sums", FACES, SCRATCH)},
	{SIM_FIELD(sum_w, "weight sums", FACES, SCRATCH)},
	{SIM_FIELD(density, "density sums", POINTS, SCRATCH)},
	{SIM_FIELD(nearest[0], "nearest particles", SPHERES, SCRATCH)},
	{SIM_FIELD(nearest[1], "nearest particles, next", SPHERES, SCRATCH)},
	{SIM_FIELD(phi_raw, "level set, raw", POINTS, SCRATCH)},
	{SIM_FIELD(vorticity, "vorticity", FORCE, SCRATCH), .unit = "1/s"},
	{SIM_FIELD(delta, "velocity change", FACES, SCRATCH), .quantity = "velocity change",
		.unit = "m/s", .sparse = true},
	{SIM_FIELD(u_old, "velocity before forces", SOLID_FACES, SCRATCH)},
	{SIM_FIELD(displacement, "drift displacement", FACES, SCRATCH)},
	{SIM_FIELD(drift_valid, "drift faces", MASK, SCRATCH)},
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

/* Layers of extrapolation after the projection.  A layer is one step along an axis, so that cells
 * ceil(cfl) + 1 away along all of them take dim times as many. */
static void outline_flip(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	const double cells = ceil(scene->time.dt > 0.0 ? FIXED_DT_CELLS : scene->time.cfl) + 1.0;
	sim->layers = scene->dim * (int)cells;
	sim->particles.carried = particle_attributes_of(scene);
}

static bool seed_flip(struct sim *sim)
{
	if (!seed_particles(sim))
		return false;
	ledger_open(sim, sim->particles.count, 0);
	return true;
}

static bool measure_flip(struct sim *sim)
{
	if (!motion_begin(sim) || !particles_sort(sim))
		return false;
	if (sim->lattice.host_scalars[SCALAR_NON_FINITE])
		return particles_report_non_finite(sim);
	return levelset_update(sim) && poisson_build_operator(&sim->poisson) &&
	       components_label(&sim->poisson) && statistics_cells(sim) &&
	       drift_measure_rest(sim) && solids_forget_grid(&sim->solids, &sim->particles) &&
	       statistics_state(sim) && ledger_measured(sim);
}

/* The sort keeps the particles of the start; the grid has no past. */
static bool snapshot_flip(struct sim *sim)
{
	sim->particles.sorted = false;
	return motion_begin(sim) && outflows_begin(sim);
}

static bool accept_flip(struct sim *sim)
{
	bricks_settle(&sim->lattice);
	neighbours_accept(sim);
	if (!loads_accept(sim) || !sources_accept(sim) || !ledger_close_substep(sim) ||
	    !bodies_accept(sim))
		return false;
	loads_close_substep(sim);
	outflows_close_substep(sim);
	return true;
}

const struct method method_flip = {
	.name = "flip",
	.parts = PART_PARTICLES | PART_SOLVER | PART_LEVELSET | PART_PRESSURE | PART_VELOCITY |
		 PART_VOLUME | PART_MOTION,
	.stages = stages,
	.stage_count = sizeof(stages) / sizeof(stages[0]),
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.outline = outline_flip,
	.seed = seed_flip,
	.measure = measure_flip,
	.longest_step = timestep_by_speed,
	.snapshot = snapshot_flip,
	.restore = particles_restore,
	.accept = accept_flip,
	.hash = statistics_hash,
	.hash_saved = state_hash_particles,
};
