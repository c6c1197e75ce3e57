#include "ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "reduce.h"

/* ---- particles ---------------------------------------------------------------------------- */

u32 ledger_created(const struct ledger *ledger)
{
	return ledger->seeded + ledger->loaded + ledger->entered;
}

void ledger_sum_created(struct ledger *ledger)
{
	ledger->created_ids[0] = ledger->created_ids[1] = 0;
	for (u32 id = 0; id < ledger_created(ledger); id++) {
		ledger->created_ids[0] += ledger_hash(id, LEDGER_FIRST);
		ledger->created_ids[1] += ledger_hash(id, LEDGER_SECOND);
	}
}

void ledger_enter(struct ledger *ledger, u32 count)
{
	for (u32 id = ledger_created(ledger), end = id + count; id < end; id++) {
		ledger->created_ids[0] += ledger_hash(id, LEDGER_FIRST);
		ledger->created_ids[1] += ledger_hash(id, LEDGER_SECOND);
	}
	ledger->entered += count;
}

void ledger_open(struct sim *sim, u32 seeded, u32 loaded)
{
	struct ledger *l = &sim->ledger;
	*l = (struct ledger){.seeded = seeded, .loaded = loaded, .strict = l->strict};
	ledger_sum_created(l);
}

bool ledger_judge(struct sim *sim, int frame, int substep, const char *wrong)
{
	struct ledger *l = &sim->ledger;
	if (wrong && l->strict)
		return message_error("frame %d, substep %d: %s", frame, substep, wrong);
	if (wrong && l->imbalances++ == 0) {
		l->bad_frame = frame;
		l->bad_substep = substep;
		message_warning("frame %d, substep %d: %s; later cases are counted, not reported",
				frame, substep, wrong);
	}
	sim->stats.imbalances = l->imbalances;
	return true;
}

/* Created = alive + removed, in number and in ids?  Counts and tells it if not. */
static bool balance_particles(struct sim *sim, int frame, int substep)
{
	const struct ledger *l = &sim->ledger;
	const u32 *s = sim->lattice.host_scalars;
	const u32 created = ledger_created(l), alive = s[SCALAR_LIVING],
		  removed = lattice_removed(&sim->lattice);
	const bool number = created == alive + removed;
	const bool ids = l->created_ids[0] == s[SCALAR_LIVING_FIRST] + s[SCALAR_REMOVED_FIRST] &&
			 l->created_ids[1] == s[SCALAR_LIVING_SECOND] + s[SCALAR_REMOVED_SECOND];
	sim->stats.created = created;
	char text[256];
	snprintf(text, sizeof(text),
		 "particles do not add up: %" PRIu32 " created, %" PRIu32 " alive and %" PRIu32
		 " removed%s",
		 created, alive, removed, number ? "; ids are lost or twice there" : "");
	return ledger_judge(sim, frame, substep, number && ids ? NULL : text);
}

/* ---- walls and drift ---------------------------------------------------------------------- */

bool ledger_walls(struct sim *sim)
{
	struct poisson *p = &sim->poisson;
	const struct grid g = sim->lattice.grid;
	const i32 chunks = (g.lattice + PAIRS_CHUNK - 1) / PAIRS_CHUNK, solids = sim->solids.cut;
	const i32 sums = sim->lattice.sums, has_force = sim->force_fields.count > 0;
	return LAUNCH(sim->cl, ledger_walls,
		      reduce_groups(&sim->lattice, sim->lattice.bricks.run[BRICKS_CHUNKS].count),
		      BRICKS(&sim->lattice.bricks, BRICKS_CHUNKS), .g = &g,
		      .level = &p->mg.levels[0], .q = &p->solution, .cell_type = &sim->cell_type,
		      .phi = &sim->phi, .open_fraction = &sim->solids.open_fraction,
		      .opened = &sim->opened, .kick = &sim->kick, .force = &sim->force,
		      .has_force = I32(has_force), .has_solids = I32(solids), .chunks = I32(chunks),
		      .sums = I32(sums), .partial = &sim->lattice.partial,
		      .lane = LOCAL((size_t)sim->dim * PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES)) &&
	       reduce_totals(&sim->lattice, chunks, sim->dim, TOTAL_WALLS);
}

bool ledger_drift(struct sim *sim)
{
	struct poisson *p = &sim->poisson;
	const i32 n = p->mg.finest, chunks = (n + PAIRS_CHUNK - 1) / PAIRS_CHUNK;
	const i32 sums = sim->lattice.sums;
	return LAUNCH(sim->cl, ledger_drift,
		      reduce_groups(&sim->lattice, sim->lattice.bricks.run[BRICKS_SOLVER].count),
		      BRICKS(&sim->lattice.bricks, BRICKS_SOLVER), .b = &p->rhs, .n = I32(n),
		      .chunks = I32(chunks), .sums = I32(sums), .partial = &sim->lattice.partial,
		      .lane = LOCAL(PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES)) &&
	       reduce_totals(&sim->lattice, chunks, 2, TOTAL_SWELLED);
}

/* ---- energy and momentum ------------------------------------------------------------------ */

static double inner_product(const double *a, const double *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Mean acceleration by the kick of the substep, which is affine: that at the centre of mass.
 * Component c of it is kept at faces, half a cell lower along the other axes. */
static void mean_acceleration(const struct sim *sim, const struct ledger_sums *sums, double mass,
			      double acceleration[3])
{
	const struct kick *kick = &sim->kick;
	for (int c = 0; c < 3; c++) {
		double dv = (double)kick->first[c];
		for (int a = 0; a < 3 && kick->varies && mass > 0.0; a++)
			dv += (double)kick->slope[3 * c + a] *
			      (sums->position[a] / (mass * (double)sim->lattice.grid.h) -
			       (a == c ? 0.0 : 0.5));
		acceleration[c] = c < sim->dim ? dv / sim->dt : 0.0;
	}
}

static struct ledger_flow flow_of(const struct sim *sim)
{
	const struct step_report *r = &sim->stats.report;
	const struct ledger_sums *before = &sim->ledger.accounts.now, *now = &r->sums,
				 *left = &r->left, *in = &sim->sources.sums;
	const double h = (double)sim->lattice.grid.h, cell = h * h * (sim->dim == 3 ? h : 1.0);
	const double mass = sim->scene->density * cell / sim->scene->particles_per_cell;
	struct ledger_flow f = {.kinetic_removed = left->kinetic,
				.swelled = r->swelled,
				.shrunk = r->shrunk,
				.kinetic_entered = in->kinetic,
				.force_work = r->force_work,
				.solid_work = -sim->loads.work,
				.squeezed = sim->loads.squeezed,
				.friction_work = sim->friction.on ? r->friction_work : 0.0};
	double impulse[3], moved[3], force[3];
	/* the sort of this substep dropped those that had left before */
	const double total = mass * (sim->particles.count - sim->sources.entering);
	mean_acceleration(sim, before, total, force);
	for (int a = 0; a < 3; a++) {
		const double after = now->momentum[a] + left->momentum[a];
		f.gravity[a] = total * force[a] * sim->dt;
		f.walls[a] = r->wall_impulse[a];
		f.momentum_removed[a] = left->momentum[a];
		f.momentum_entered[a] = in->momentum[a];
		f.force[a] = r->force_impulse[a];
		f.friction[a] = sim->friction.on ? r->friction_impulse[a] : 0.0;
		f.momentum_rest[a] = after - in->momentum[a] - before->momentum[a] - f.gravity[a] -
				     f.walls[a] - f.force[a] - f.friction[a];
		impulse[a] = 0.5 * sim->dt * (before->momentum[a] + after - in->momentum[a]);
		moved[a] = now->position[a] + left->position[a] - in->position[a] -
			   before->position[a];
	}
	f.gravity_work = inner_product(force, impulse);
	f.kinetic_rest = now->kinetic + left->kinetic - in->kinetic - before->kinetic -
			 f.gravity_work - f.force_work - f.solid_work - f.friction_work;
	f.potential_rest = f.gravity_work - inner_product(sim->g, moved);
	return f;
}

static void add_vector(double *to, const double *v)
{
	for (int a = 0; a < 3; a++)
		to[a] += v[a];
}

static void add_flow(struct ledger_flow *total, const struct ledger_flow *f)
{
	total->gravity_work += f->gravity_work;
	total->kinetic_removed += f->kinetic_removed;
	total->kinetic_rest += f->kinetic_rest;
	total->potential_rest += f->potential_rest;
	add_vector(total->gravity, f->gravity);
	add_vector(total->walls, f->walls);
	add_vector(total->momentum_removed, f->momentum_removed);
	add_vector(total->momentum_rest, f->momentum_rest);
	total->kinetic_entered += f->kinetic_entered;
	add_vector(total->momentum_entered, f->momentum_entered);
	total->force_work += f->force_work;
	add_vector(total->force, f->force);
	total->solid_work += f->solid_work;
	total->squeezed += f->squeezed;
	total->friction_work += f->friction_work;
	add_vector(total->friction, f->friction);
	total->swelled += f->swelled;
	total->shrunk += f->shrunk;
}

bool ledger_measured(struct sim *sim)
{
	struct ledger_accounts *a = &sim->ledger.accounts;
	a->now = sim->stats.report.sums;
	if (sim->steps == 0) {
		a->start = a->now;
		memset(&a->total, 0, sizeof(a->total));
	}
	return balance_particles(sim, sim->frame, sim->substep);
}

bool ledger_close_substep(struct sim *sim)
{
	struct ledger_accounts *a = &sim->ledger.accounts;
	const struct ledger_flow f = flow_of(sim);
	if (!balance_particles(sim, sim->frame + 1, sim->substep + 1))
		return false;
	add_flow(&a->total, &f);
	a->now = sim->stats.report.sums;
	sim->stats.flow = f;
	return true;
}
