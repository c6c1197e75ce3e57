/*
 * A cell whose C is below 1/2 is air to the solver, and liquid may meet in it from all sides: so
 * that it holds it, no more than `cfl` <= 1/2 of a cell flows into one in a substep.  The same
 * bound of what flows out keeps C >= 0 through all sweeps.
 */
#include "grid/grid_survey.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bits.h"
#include "ledger.h"
#include "message.h"
#include "reduce.h"
#include "scan.h"
#include "timestep.h"
#include "zero.h"

/* Lists bricks as if each cell with liquid held a particle. */
static bool list_bricks(struct sim *sim)
{
	struct clx *cl = sim->cl;
	union u32_buffer *starts = &sim->particles.cell_start;
	const struct grid g = sim->lattice.grid;
	const size_t keys = (size_t)g.keys;
	if (!ZERO(cl, ZERO_FIRST(starts, (keys + 2) * sizeof(u32))) ||
	    !LAUNCH(cl, grid_occupied, lattice_points(&sim->lattice), .g = &g,
		    .volume = &sim->vof.volume, .starts = starts) ||
	    !scan_exclusive(cl, starts, keys + 1, &sim->lattice.scan_scratch) ||
	    !bricks_update(&sim->lattice, starts) || !lattice_read_scalars(&sim->lattice))
		return false;
	bricks_take_counts(&sim->lattice);
	return true;
}

/* The sum of C into two scalars. */
static bool sum_up(struct sim *sim, i32 sum)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	return LAUNCH(sim->cl, grid_survey, bricks_columns(sim->cl, b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .volume = &sim->vof.volume,
		      .u_face = &sim->u_face, .sum = I32(sum), .scalars = &sim->lattice.scalars);
}

static int64_t units_of(const struct sim *sim, enum scalar which)
{
	const u32 *words = sim->lattice.host_scalars + which;
	return (int64_t)((u64)words[1] << 32 | words[0]);
}

bool grid_survey(struct sim *sim)
{
	if (!list_bricks(sim) || !sum_up(sim, SCALAR_VOLUME_BEFORE) ||
	    !lattice_read_scalars(&sim->lattice))
		return false;
	if (sim->lattice.host_scalars[SCALAR_NON_FINITE])
		return message_error("frame %d, substep %d: the velocity on the grid is not finite "
				     "at the start",
				     sim->frame + 1, sim->substep + 1);
	sim->vof.units_before = units_of(sim, SCALAR_VOLUME_BEFORE);
	return true;
}

bool grid_longest_step(struct sim *sim, double *dt)
{
	sim->u_max = (double)float_from_bits(sim->lattice.host_scalars[SCALAR_CELL_FLOW]);
	timestep_limit(sim, sim->scene->time.cfl, dt);
	return true;
}

bool grid_statistics(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const i32 chunks = (g.lattice + PAIRS_CHUNK - 1) / PAIRS_CHUNK, sums = sim->lattice.sums;
	if (!sum_up(sim, SCALAR_VOLUME_AFTER) ||
	    !LAUNCH(sim->cl, grid_sums,
		    clx_chunk_groups(sim->cl, (size_t)b->run[BRICKS_CHUNKS].count),
		    BRICKS(b, BRICKS_CHUNKS), .g = &g, .volume = &sim->vof.volume,
		    .u_face = &sim->u_face, .cell_type = &sim->cell_type, .chunks = I32(chunks),
		    .sums = I32(sums), .partial = &sim->lattice.partial,
		    .lane = LOCAL((size_t)PARTICLE_SUMS * PAIRS_LANES * REDUCE_PAIR_BYTES),
		    .scalars = &sim->lattice.scalars) ||
	    !reduce_totals(&sim->lattice, chunks, PARTICLE_SUMS, 0) ||
	    !lattice_read_scalars(&sim->lattice))
		return false;

	struct vof *v = &sim->vof;
	const u32 *s = sim->lattice.host_scalars;
	const double h = sim->scene->h, cell = sim->dim == 3 ? h * h * h : h * h;
	const double mass = sim->scene->density * cell;
	struct step_report *r = &sim->stats.report;
	v->units_after = units_of(sim, SCALAR_VOLUME_AFTER);
	v->units_out = units_of(sim, SCALAR_VOLUME_OUT);
	r->volume = (double)v->units_after / VOLUME_ONE * cell;
	r->kinetic_energy = mass * lattice_total(&sim->lattice, SUM_KINETIC);
	for (int a = 0; a < 3; a++) {
		r->potential_energy -= mass * sim->g[a] * lattice_total(&sim->lattice, SUM_X + a);
		r->momentum[a] = mass * lattice_total(&sim->lattice, SUM_VX + a);
	}
	r->max_speed = sqrt((double)float_from_bits(s[SCALAR_SPEED_AFTER]));
	r->divergence_before = (double)float_from_bits(s[SCALAR_DIVERGENCE_BEFORE]) / h;
	r->divergence_after = (double)float_from_bits(s[SCALAR_DIVERGENCE_AFTER]) / h;
	r->liquid_cells = s[SCALAR_LIQUID_CELLS];
	r->components = s[SCALAR_COMPONENTS];
	r->singular_components = s[SCALAR_SINGULAR_COMPONENTS];
	r->air_regions = s[SCALAR_AIR_REGIONS];
	r->non_finite = s[SCALAR_NON_FINITE] != 0;
	const int64_t lost = v->units_after + v->units_out - v->units_before;
	sim->stats.volume_error =
		v->units_before > 0 ? (double)lost / (double)v->units_before : 0.0;
	const double own[] = {(double)v->units_after, (double)v->units_out, s[SCALAR_VOLUME_EXCESS],
			      s[SCALAR_VOLUME_LACK], s[SCALAR_VOLUME_CLIPPED]};
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sim->stats.own[i] = own[i];
	return true;
}

/* What is wrong with the units of the last substep, into text; false: nothing. */
static bool find_imbalance(const struct sim *sim, char *text, size_t size)
{
	const struct vof *v = &sim->vof;
	/* The other ways to carry liquid keep no volume. */
	const bool keeps = sim->scene->grid_surface == GRID_SURFACE_VOF;
	if (v->units_known && v->units_before != v->units)
		snprintf(text, size,
			 "volume does not add up: %" PRId64
			 " units after the last substep, %" PRId64 " at the start of this one",
			 v->units, v->units_before);
	else if (keeps && v->units_after + v->units_out != v->units_before)
		snprintf(text, size,
			 "volume does not add up: %" PRId64 " units before, %" PRId64
			 " after and %" PRId64 " gone",
			 v->units_before, v->units_after, v->units_out);
	else
		return false;
	return true;
}

bool grid_balance(struct sim *sim)
{
	char text[160];
	const bool wrong = find_imbalance(sim, text, sizeof(text));
	if (!ledger_judge(sim, sim->frame + 1, sim->substep + 1, wrong ? text : NULL))
		return false;
	grid_know_units(sim, sim->vof.units_after);
	return true;
}

void grid_know_units(struct sim *sim, int64_t units)
{
	sim->vof.units = units;
	sim->vof.units_known = true;
}
