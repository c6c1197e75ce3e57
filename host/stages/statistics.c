/* Sums and extrema of the state, and its hash (kernels/particles/statistics.cl,
 * kernels/common/reduce.cl). */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "bits.h"
#include "fault.h"
#include "ledger.h"
#include "message.h"
#include "particle_set.h"
#include "reduce.h"

_Static_assert(LANES_CHUNK == PAIRS_CHUNK, "lattice_chunks() gives the chunks of the sums");

/* Sums over the living particles, with counts and the greatest speed, or over those removed since
 * the sort, into the scalars. */
static bool sum_particles(struct sim *sim, i32 removed)
{
	const struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, from = sim->lattice.sums;
	const i32 chunks = (n + PAIRS_CHUNK - 1) / PAIRS_CHUNK;
	const i32 affine = scene_has_affine(sim->scene);
	const size_t lanes = PAIRS_GROUP_CHUNKS * PAIRS_LANES * REDUCE_PAIR_BYTES;
	const bool ok =
		clx_in_lanes(sim->cl)
			? LAUNCH(sim->cl, statistics_particles_lanes, lattice_chunks(p->count),
				 .g = &g, .position = &p->now.position,
				 .velocity = &p->now.velocity, .affine = &p->now.affine,
				 .has_affine = I32(affine), .id = &p->now.id, .stride = I32(stride),
				 .n = I32(n), .removed = I32(removed), .chunks = I32(chunks),
				 .from = I32(from), .partial = &sim->lattice.partial,
				 .scalars = &sim->lattice.scalars)
			: LAUNCH(sim->cl, statistics_particles,
				 reduce_groups(&sim->lattice, chunks), .g = &g,
				 .position = &p->now.position, .velocity = &p->now.velocity,
				 .affine = &p->now.affine, .has_affine = I32(affine),
				 .id = &p->now.id, .stride = I32(stride), .n = I32(n),
				 .removed = I32(removed), .chunks = I32(chunks), .from = I32(from),
				 .partial = &sim->lattice.partial,
				 .lane = LOCAL(PARTICLE_SUMS * lanes),
				 .counts = LOCAL(STATISTICS_COUNTS * sizeof(u32)),
				 .scalars = &sim->lattice.scalars);
	return ok && reduce_totals(&sim->lattice, chunks, PARTICLE_SUMS, 0);
}

static bool read_totals(struct sim *sim, double value[TOTALS])
{
	if (!lattice_read_scalars(&sim->lattice))
		return false;
	for (int what = 0; what < TOTALS; what++)
		value[what] = lattice_total(&sim->lattice, what);
	return true;
}

static struct ledger_sums sums_of(const double value[TOTALS], double mass)
{
	struct ledger_sums sums = {.kinetic = mass * value[SUM_KINETIC]};
	for (int a = 0; a < 3; a++) {
		sums.position[a] = mass * value[SUM_X + a];
		sums.momentum[a] = mass * value[SUM_VX + a];
	}
	return sums;
}

bool statistics_cells(struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 chunks = (g.lattice + PAIRS_CHUNK - 1) / PAIRS_CHUNK;
	const i32 split = sim->solids.split, sums = sim->lattice.sums;
	return LAUNCH(cl, reduce_cells,
		      clx_chunk_groups(cl, (size_t)sim->lattice.bricks.run[BRICKS_CHUNKS].count),
		      BRICKS(&sim->lattice.bricks, BRICKS_CHUNKS), .g = &g, .phi = &sim->phi,
		      .cell_type = &sim->cell_type, .volume_open = &sim->solids.volume_open,
		      .split = I32(split), .open_fraction = &sim->solids.open_fraction,
		      .start = &sim->particles.cell_start, .sums = I32(sums),
		      .partial = &sim->lattice.partial,
		      .lane = LOCAL(4 * PAIRS_LANES * sizeof(f32)),
		      .scalars = &sim->lattice.scalars) &&
	       reduce_totals(&sim->lattice, chunks, 1, TOTAL_VOLUME);
}

bool statistics_state(struct sim *sim)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	double value[TOTALS], left[TOTALS] = {0.0};

	if (!sum_particles(sim, 0) || !read_totals(sim, value))
		return false;
	/* Seldom: those that left in this substep are still there. */
	if (lattice_removed(&sim->lattice) != p->removed_at_sort &&
	    !(sum_particles(sim, 1) && read_totals(sim, left)))
		return false;

	const u32 *s = sim->lattice.host_scalars;
	const double h = (double)g.h;
	const double face = sim->dim == 3 ? h * h : h, cell = face * h;
	const double mass = sim->scene->density * cell / sim->scene->particles_per_cell;
	struct step_report *r = &sim->stats.report;
	r->sums = sums_of(value, mass);
	r->left = sums_of(left, mass);
	r->volume = value[TOTAL_VOLUME] * cell;
	r->kinetic_energy = r->sums.kinetic;
	r->potential_energy = -mass * (sim->g[0] * value[SUM_X] + sim->g[1] * value[SUM_Y] +
				       sim->g[2] * value[SUM_Z]);
	for (int a = 0; a < 3; a++) {
		r->momentum[a] = r->sums.momentum[a];
		r->wall_impulse[a] = sim->scene->density * cell * value[TOTAL_WALLS + a];
	}
	/* what an earlier substep left there does not count */
	r->swelled = sim->stats.drift_solves ? value[TOTAL_SWELLED] * face : 0.0;
	r->shrunk = sim->stats.drift_solves ? -value[TOTAL_SHRUNK] * face : 0.0;
	r->force_work = 0.5 * mass * (value[TOTAL_FORCE_BEFORE] + value[TOTAL_FORCE_AFTER]);
	for (int a = 0; a < 3; a++)
		r->force_impulse[a] = mass * value[TOTAL_FORCE + a];
	/* Of a cell's liquid, not of a particle. */
	r->friction_work = sim->scene->density * cell * value[TOTAL_FRICTION];
	for (int a = 0; a < 3; a++)
		r->friction_impulse[a] = sim->scene->density * cell * value[TOTAL_FRICTION + 1 + a];
	r->max_speed = sqrt((double)float_from_bits(s[SCALAR_SPEED_AFTER]));
	r->divergence_before = (double)float_from_bits(s[SCALAR_DIVERGENCE_BEFORE]) / (double)g.h;
	r->divergence_after = (double)float_from_bits(s[SCALAR_DIVERGENCE_AFTER]) / (double)g.h;
	r->liquid_cells = s[SCALAR_LIQUID_CELLS];
	r->components = s[SCALAR_COMPONENTS];
	r->singular_components = s[SCALAR_SINGULAR_COMPONENTS];
	r->air_regions = s[SCALAR_AIR_REGIONS];
	r->min_ppc = s[SCALAR_FEWEST_PPC] ? ~s[SCALAR_FEWEST_PPC] : 0;
	r->max_ppc = s[SCALAR_MAX_PPC];
	r->interior_cells = s[SCALAR_INTERIOR_CELLS];
	r->interior_empty = s[SCALAR_INTERIOR_EMPTY];
	r->pushed = s[SCALAR_PUSHED];
	r->escaped = s[SCALAR_ESCAPED];
	r->repositioned = sim->neighbours.repositioned + sim->neighbours.repositioned_in_substep;
	r->removed_open = s[SCALAR_REMOVED_OPEN];
	r->drained = lattice_drained(&sim->lattice);
	r->flown = lattice_flown(&sim->lattice);
	r->non_finite = s[SCALAR_NON_FINITE] != 0;

	const u32 living = s[SCALAR_LIVING];
	/* phi is of the particles before drains, and before those that have come in. */
	const double seeded =
		(double)(living - sim->sources.entering + r->drained - sim->drains.before) * cell /
		sim->scene->particles_per_cell;
	sim->stats.particles = living;
	sim->stats.volume_error = seeded > 0.0 ? (r->volume - seeded) / seeded : 0.0;
	return true;
}

bool statistics_hash(struct sim *sim, int frame, u64 *hash)
{
	struct particles *p = &sim->particles;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, items = SIM_HASH_ITEMS;
	const i32 affine = scene_has_affine(sim->scene);
	/* Neighbours in memory belong to one work-item on CPUs, to a group of them elsewhere. */
	const i32 run = clx_in_lanes(sim->cl) ? (n + items - 1) / items : 1;
	const u32 number = (u32)frame;
	u64 *parts = malloc(SIM_HASH_ITEMS * sizeof(*parts));
	if (!parts)
		return message_memory(SIM_HASH_ITEMS * sizeof(*parts), "the parts of a hash");
	bool ok = LAUNCH(sim->cl, reduce_hash, clx_range1(SIM_HASH_ITEMS), .frame = U32(number),
			 .position = &p->now.position, .velocity = &p->now.velocity,
			 .affine = &p->now.affine, .has_affine = I32(affine), .id = &p->now.id,
			 .stride = I32(stride), .n = I32(n), .items = I32(items), .run = I32(run),
			 .hashes = &sim->hashes) &&
		  clx_read(sim->cl, &sim->hashes, 0, SIM_HASH_ITEMS * sizeof(*parts), parts);
	*hash = 0;
	for (int i = 0; ok && i < SIM_HASH_ITEMS; i++)
		*hash += parts[i];
	if (fault_is_due(FAULT_HASH))
		*hash ^= 1;
	free(parts);
	return ok;
}
