/* Smoothed particle hydrodynamics: particles that carry the liquid, and are its only unknowns; the
 * grid only finds neighbours and shows the surface. */
#include "sph.h"

#include "ledger.h"
#include "levelset.h"
#include "particles.h"
#include "seed.h"
#include "sph/sph_density.h"
#include "sph/sph_move.h"
#include "sph/sph_plan.h"
#include "sph/sph_projection.h"
#include "state_hash.h"
#include "statistics.h"
#include "timestep.h"

/* ---- the time step ------------------------------------------------------------------------ */

#define X USE(particles.now.position)
#define V USE(particles.now.velocity)
#define ID USE(particles.now.id)
#define STARTS USE(particles.cell_start)
#define NOW(KIND, name, ...) USE(particles.now.name),
#define BEFORE(KIND, name, ...) USE(particles.before.name),
#define NONE(...)
#define LISTS USE(sph.count), USE(sph.list), USE(sph.gradient)
#define DENSITY USE(particles.now.density)
#define PRESSURE USE(particles.now.pressure)
#define CHANGE USE(sph.change)
#define OF_SOLVE                                                                                 \
	USE(sph.k), CHANGE, USE(sph.source), USE(sph.rest), USE(sph.active), USE(sph.direction), \
		USE(sph.before), USE(sph.product), USE(sph.partial)

/* Pictures, probes and fields look at it, nothing in a step does. */
static bool show_surface(struct sim *sim)
{
	return !sim->frame_ends || (levelset_update(sim) && statistics_cells(sim));
}

/* clang-format off */
/* One substep from t to t + dt, in the order of docs/method.md.  x, v: of particles; s: their
 * density relative to that at rest. */
static const struct stage stages[] = {
	{"sort", "x, v in order of cells; max |v|; t",
		particles_sort,
		.reads = {PARTICLE_ATTRIBUTES(NOW, NONE)},
		.writes = {PARTICLE_ATTRIBUTES(NOW, NONE) PARTICLE_ATTRIBUTES(BEFORE, NONE)
			USE(particles.order), STARTS, USE(lattice.scan_scratch)},
		.model = {true, .particle = 16, .particle_axis = 16, .cell = 20}},
	{"timestep", "dt <= cfl spacing / (max|v| + sqrt(spacing |g|)), |g| dt^2 <= spacing / 100; with an equation of state also 0.24 R / (sound + max|v|)",
		timestep_choose,
		.reads = {X, V, ID}},
	{"neighbours", "particles and images nearer than R, in the order of the sort; t",
		sph_find_neighbours,
		.reads = {X, STARTS},
		.writes = {USE(sph.count), USE(sph.list)},
		.model = {true, .particle = 4, .particle_axis = 4}},
	{"density", "s = sum V W; t",
		sph_measure_density,
		.reads = {X, STARTS, USE(sph.count), USE(sph.list)},
		.writes = {DENSITY, USE(sph.diagonal), USE(sph.gradient)},
		.model = {true, .particle = 12, .particle_axis = 4}},
	{"levelset", "for what looks at the surface, at the end of a frame: phi from the density of particles; cell types; t",
		show_surface,
		.reads = {X, STARTS, USE(solids.kernel_open), USE(solids.phi),
			USE(solids.open_fraction), USE(solids.volume_open)},
		.writes = {USE(density), USE(phi_raw), USE(phi), USE(cell_type)}},
	{"forces", "v += dt g and what the box's motion adds; share of neighbours' velocities",
		sph_apply_forces,
		.reads = {X, V, STARTS, LISTS},
		.writes = {V, CHANGE, USE(kick)},
		.model = {true, .particle = 4, .particle_axis = 12},
		.takes_kick = true},
	{"pressure", "k >= 0 with -D(a) = dt D(v) + min(s - 1, 0), v += dt a; or k by the equation of state; t+dt",
		sph_project,
		.reads = {X, V, STARTS, LISTS, DENSITY, PRESSURE, USE(sph.diagonal), USE(kick)},
		.writes = {V, PRESSURE, OF_SOLVE},
		.model = {true, .particle = 12, .particle_axis = 12},
		.spoilt_by_nan = true,
		.spoilt_by_speed = false},
	{"shift", "q >= 0 with -D(shift) = the excess of s",
		sph_find_shift,
		.reads = {X, V, STARTS, LISTS, DENSITY, PRESSURE, USE(sph.diagonal)},
		.writes = {OF_SOLVE},
		.model = {true, .particle = 12, .particle_axis = 8}},
	{"advect", "x += dt v + shift; walls; t+dt",
		sph_advect,
		.reads = {X, V, ID, CHANGE},
		.writes = {X, V, ID},
		.model = {true, .particle = 4, .particle_axis = 16}},
	{"statistics", "sums and extrema over particles; is all finite; t+dt",
		sph_statistics,
		.reads = {X, V, ID},
		.model = {true, .particle = 4, .particle_axis = 8}},
};

/* ---- what it keeps ------------------------------------------------------------------------ */

#define FIELDS_OF_ATTRIBUTE(KIND, attribute, plural, type, shape, unit_, quantity_, ...)        \
	{SIM_FIELD(particles.now.attribute, plural, shape, KEPT), .unit = unit_,               \
		.quantity = quantity_, .saved = "particles/" #attribute},                      \
	{SIM_FIELD(particles.before.attribute, plural " before", shape, KEPT)},

static const struct sim_field fields[] = {
	{SIM_FIELD(phi, "level set", POINTS, KEPT), .quantity = "level set", .unit = "m"},
	{SIM_FIELD(cell_type, "cell types", POINTS, KEPT)},
	{SIM_FIELD(flow, "flow through walls", FLOW, KEPT)},
	{SIM_FIELD(force, "force fields", FORCE, KEPT), .unit = "m/s"},
	{SIM_FIELD(scratch, "scratch", ALL_SCRATCH, KEPT)},
	{SIM_FIELD(lattice.scalars, "scalars", SCALARS, KEPT)},
	{SIM_FIELD(hashes, "hashes", HASHES, KEPT)},
	{SIM_FIELD(particles.cell_start, "cell starts", STARTS, LENT)},
	{SIM_FIELD(sph.state, "state of a solve", SCALARS, KEPT)},
	{SIM_FIELD(sph.next, "state of a solve, next", SCALARS, KEPT)},
	{SIM_FIELD(sph.meeting, "meeting of groups", SCALARS, KEPT)},

	PARTICLE_ATTRIBUTES(FIELDS_OF_ATTRIBUTE, NONE)
	{SIM_FIELD(particles.order, "order of the sort", ORDER, LENT)},
	{SIM_FIELD(lattice.partial, "chunk sums", PARTIALS, KEPT)},
	{SIM_FIELD(sph.partial, "chunk sums of a solve", PARTICLE_CHUNKS, KEPT)},
	{SIM_FIELD(sph.count, "numbers of neighbours", PARTICLE, KEPT), .hashed = true},
	{SIM_FIELD(sph.list, "neighbours", NEIGHBOURS, KEPT)},
	{SIM_FIELD(sph.gradient, "gradients", NEIGHBOURS, KEPT)},
	{SIM_FIELD(sph.diagonal, "diagonal", PARTICLE, KEPT), .hashed = true, .unit = "m^2"},
	{SIM_FIELD(sph.k, "pushes", PARTICLE, KEPT), .hashed = true},
	{SIM_FIELD(sph.change, "changes", VECTOR, KEPT), .hashed = true},
	{SIM_FIELD(sph.source, "right-hand side", PARTICLE, KEPT)},
	{SIM_FIELD(sph.rest, "residual", PARTICLE, KEPT)},
	{SIM_FIELD(sph.active, "preconditioner", PARTICLE, KEPT)},
	{SIM_FIELD(sph.direction, "direction", PARTICLE, KEPT)},
	{SIM_FIELD(sph.before, "direction before", PARTICLE, KEPT)},
	{SIM_FIELD(sph.product, "product", PARTICLE, KEPT)},

	{SIM_FIELD(lattice.scan_scratch, "scan", SCAN, SCRATCH)},
	{SIM_FIELD(density, "density sums", POINTS, SCRATCH)},
	{SIM_FIELD(phi_raw, "level set, raw", POINTS, SCRATCH)},

	{SIM_FIELD(solids.open_fraction, "open fractions", SOLIDS, KEPT)},
	{SIM_FIELD(solids.kernel_open, "open kernels", SOLIDS, KEPT)},
	{SIM_FIELD(solids.volume_open, "open volumes", SOLIDS, KEPT)},
	{SIM_FIELD(solids.phi, "solid distance", SOLIDS, KEPT)},
	{.member = offsetof(struct sim, kick), .name = "kick of the forces", .shape = SHAPE_HOST,
		.size = sizeof(struct kick)},
};
/* clang-format on */

/* ---- its part of a simulation's life ------------------------------------------------------ */

static void outline_sph(struct sim *sim)
{
	sim->layers = sim->dim;
	sim->particles.carried = particle_attributes_of(sim->scene);
	sph_plan(sim);
}

static bool seed_sph(struct sim *sim)
{
	if (!seed_particles(sim))
		return false;
	ledger_open(sim, sim->particles.count, 0);
	return true;
}

static bool measure_sph(struct sim *sim)
{
	if (!particles_sort(sim))
		return false;
	if (sim->lattice.host_scalars[SCALAR_NON_FINITE])
		return particles_report_non_finite(sim);
	return sph_find_neighbours(sim) && sph_measure_density(sim) && levelset_update(sim) &&
	       statistics_cells(sim) && sph_statistics(sim) && ledger_measured(sim);
}

/* The sort keeps the particles of the start; nothing else has a past. */
static bool snapshot_sph(struct sim *sim)
{
	sim->particles.sorted = false;
	return true;
}

static bool accept_sph(struct sim *sim)
{
	/* The level set is made at the ends of frames: until then what liquid has left stays
	 * listed. */
	if (sim->frame_ends)
		bricks_settle(&sim->lattice);
	return ledger_close_substep(sim);
}

static const char *const columns[] = {SPH_COLUMNS};

const struct method method_sph = {
	.name = "sph",
	.parts = PART_PARTICLES | PART_SOLVER | PART_LEVELSET | PART_VOLUME | PART_MOTION,
	.stages = stages,
	.stage_count = sizeof(stages) / sizeof(stages[0]),
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.outline = outline_sph,
	.seed = seed_sph,
	.measure = measure_sph,
	.longest_step = sph_longest_step,
	.snapshot = snapshot_sph,
	.restore = particles_restore,
	.accept = accept_sph,
	.hash = statistics_hash,
	.hash_saved = state_hash_particles,
};
