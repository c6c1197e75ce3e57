/*
 * The step that heals itself: whatever goes wrong in a stage, the attempt is taken back as a whole.
 * A fault that comes once leads to the same bits wherever it came, those of the halved step; one
 * that stays ends in a report, the state before intact.
 */
#include "sim_fixture.h"
#include "sim_view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "message.h"
#include "poisson.h"
#include "statistics.h"

#define FAULT_FRAME 2
#define END_FRAME 3

enum kind { VELOCITY, LEVEL_SET, PARTICLE_VELOCITY, PARTICLE_POSITION, PARTICLE_AFFINE, VERDICT };

/* What goes wrong after which stage, and what the step must say. */
struct planted {
	const char *stage;
	enum kind kind;
	float value;
	enum step_failure cause;
	bool sticky;
	/* set by the hook */
	int frame, times;
	u32 id;
};

/* The place of a component of the particle in the middle; that of its cell's lower face. */
static size_t particle_at(const struct sim *sim, size_t component)
{
	return (component * sim->particles.capacity + sim->particles.count / 2) * sizeof(f32);
}

static size_t cell_at(const struct sim *sim)
{
	i32 cell[3] = {0, 0, 0};
	for (size_t a = 0; a < DIM; a++) {
		f32 x;
		assert_true(clx_read(sim->cl, &sim->particles.now.position, particle_at(sim, a),
				     sizeof(x), &x));
		cell[a] = (i32)(x * sim->lattice.grid.inv_h);
	}
	/* not the face on a wall */
	cell[0] = cell[0] > 0 ? cell[0] : 1;
	return lattice_at(&sim->lattice.grid, cell[0], cell[1], cell[2]) * sizeof(f32);
}

static void spoil(struct sim *sim, const struct planted *p)
{
	struct particle_set *now = &sim->particles.now;
	bool ok = true;
	switch (p->kind) {
	case VELOCITY:
		ok = clx_write(sim->cl, &sim->u_face, cell_at(sim), sizeof(f32), &p->value);
		break;
	case LEVEL_SET:
		/* in the bulk, where only volume depends on it */
		ok = clx_write(sim->cl, &sim->phi,
			       lattice_at(&sim->lattice.grid, 1, 1, DIM == 3) * sizeof(f32),
			       sizeof(f32), &p->value);
		break;
	case PARTICLE_VELOCITY:
		ok = clx_write(sim->cl, &now->velocity, particle_at(sim, 1), sizeof(f32),
			       &p->value);
		break;
	case PARTICLE_POSITION:
		ok = clx_write(sim->cl, &now->position, particle_at(sim, 1), sizeof(f32),
			       &p->value);
		break;
	case PARTICLE_AFFINE:
		ok = clx_write(sim->cl, &now->affine, particle_at(sim, 2), sizeof(f32), &p->value);
		break;
	case VERDICT:
		sim->step_failed = p->cause;
		break;
	}
	assert_true(ok);
}

static bool after_stage(struct sim *sim, size_t stage, void *user)
{
	struct planted *p = user;
	const bool due = sim->frame + 1 == p->frame && sim->substep == 1 &&
			 (p->sticky || (p->times == 0 && sim->halvings == 0));
	if (!due || strcmp(sim_stage_name(sim, stage), p->stage) != 0)
		return true;
	p->times++;
	assert_true(clx_read(sim->cl, &sim->particles.now.id,
			     sim->particles.count / 2 * sizeof(u32), sizeof(u32), &p->id));
	spoil(sim, p);
	return true;
}

static struct sim *make(const char *transfer)
{
	return fixture_sim(
		"version: 1\nname: splash\ndomain: {%s, cells: 8, walls: {y+: open, x+: open}}\n"
		"time: {frames: 10, fps: 30}\nliquid: {transfer: %s}\n"
		"liquids: [{name: column, box: {min: %s, max: %s}, velocity: %s}]\n"
		"solids: [{name: ball, sphere: {center: %s, radius: 0.12}}]\n",
		DIM == 2 ? "size: [1, 1]" : "size: [1, 1, 1]", transfer,
		DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[0.6, 0.7]" : "[0.6, 0.7, 0.6]",
		DIM == 2 ? "[1, 0]" : "[1, 0, 1]", DIM == 2 ? "[0.8, 0.2]" : "[0.8, 0.2, 0.5]");
}

static u64 reach_end(struct sim *sim)
{
	while (sim->frame < END_FRAME)
		fixture_step(sim);
	return sim->stats.hash;
}

static u64 run_without(const char *transfer)
{
	struct sim *sim = make(transfer);
	const u64 hash = reach_end(sim);
	expect_small("no fault: retries", sim->retries, 0.0);
	fixture_free(sim);
	return hash;
}

/* Comes once; the state at the end. */
static u64 run_once(const char *transfer, struct planted planted)
{
	struct sim *sim = make(transfer);
	planted.frame = FAULT_FRAME;
	planted.sticky = false;
	sim->watch = false;
	sim->after_stage = after_stage;
	sim->after_stage_user = &planted;
	const u64 hash = reach_end(sim);
	expect("it came", planted.times, 1, 1);
	expect("retries", sim->retries, 1, 1);
	expect("of this cause", sim->interventions[planted.cause], 1, 1);
	expect("warnings", fixture_warnings(), 1, 1);
	expect_small("imbalances", sim->ledger.imbalances, 0.0);
	fixture_free(sim);
	return hash;
}

static void check_once(const char *transfer)
{
	const struct planted faults[] = {
		{"p2g", VELOCITY, NAN, STEP_DIVERGED},
		{"p2g", VELOCITY, INFINITY, STEP_DIVERGED},
		{"p2g", VELOCITY, 1e7f, STEP_TOO_FAR},
		{"levelset", LEVEL_SET, NAN, STEP_GRID_NOT_FINITE},
		{"pressure", VELOCITY, -INFINITY, STEP_PARTICLE_NOT_FINITE},
		{"extrapolate", VELOCITY, NAN, STEP_PARTICLE_NOT_FINITE},
		{"g2p", PARTICLE_VELOCITY, NAN, STEP_PARTICLE_NOT_FINITE},
		{"g2p", PARTICLE_VELOCITY, 1e30f, STEP_PARTICLE_NOT_FINITE},
		{"advect", PARTICLE_POSITION, NAN, STEP_PARTICLE_NOT_FINITE},
		{"drift", PARTICLE_POSITION, INFINITY, STEP_PARTICLE_NOT_FINITE},
		{"pressure", VERDICT, 0, STEP_UNSOLVED},
		{"g2p", PARTICLE_AFFINE, NAN, STEP_PARTICLE_NOT_FINITE},
	};
	const size_t count = sizeof(faults) / sizeof(faults[0]) - (transfer[0] != 'a');
	/* Nothing is wrong, but the attempt is not taken. */
	const struct planted refused = {"statistics", VERDICT, 0, STEP_DIVERGED};
	fixture_note("%s: refused without a fault", transfer);
	const u64 halved = run_once(transfer, refused);
	expect("differs from the run without", halved != run_without(transfer), 1, 1);
	for (size_t i = 0; i < count; i++) {
		fixture_note("%s: %g after %s", transfer, (double)faults[i].value, faults[i].stage);
		expect("same bits as the halved step", run_once(transfer, faults[i]) == halved, 1,
		       1);
	}
}

static void test_once_flip(void)
{
	check_once("flip");
}

static void test_once_apic(void)
{
	check_once("apic");
}

static u64 hash_now(struct sim *sim)
{
	u64 hash = 0;
	assert_true(statistics_hash(sim, sim->frame, &hash));
	return hash;
}

/* Comes in every attempt. */
static void check_sticky(const char *transfer, struct planted planted, u64 without)
{
	struct sim *sim = make(transfer);
	const struct diagnosis *d = &sim->diagnosis;
	sim->watch = false;
	while (sim->frame + 1 < FAULT_FRAME || sim->substep < 1)
		fixture_step(sim);
	const u64 before = hash_now(sim);
	const u64 steps = sim->steps;
	planted.frame = FAULT_FRAME;
	planted.sticky = true;
	sim->after_stage = after_stage;
	sim->after_stage_user = &planted;
	assert_false(sim_substep(sim));
	expect("attempts", d->attempts, 5, 5);
	expect("where", d->frame == FAULT_FRAME && d->substep == 2, 1, 1);
	expect("when", d->time, sim->time, sim->time);
	expect("what made it", strcmp(d->made_by, planted.stage), 0, 0);
	expect("the cause", strcmp(d->cause_name, sim_failure_name(planted.cause)), 0, 0);
	if (planted.kind == VELOCITY || planted.kind == LEVEL_SET) {
		const struct diagnosis_cell *c = &d->cells[0];
		const size_t found =
			lattice_at(&sim->lattice.grid, c->cell[0], c->cell[1], c->cell[2]);
		expect("cells", (double)d->cell_count, 1, 1);
		expect("in the lattice", (double)found, 0, sim->lattice.grid.lattice - 1);
		expect("its height", c->position[1],
		       (c->cell[1] + 0.5) * (double)sim->lattice.grid.h - 1e-9,
		       (c->cell[1] + 0.5) * (double)sim->lattice.grid.h + 1e-9);
	} else if (planted.kind == PARTICLE_VELOCITY) {
		expect("particles", (double)d->particle_count, 1, 1);
		expect("its id", d->particles[0].id, planted.id, planted.id);
		expect("its position", isfinite(d->particles[0].position[0]), 1, 1);
	}
	expect("the state before", hash_now(sim) == before, 1, 1);
	expect("attempts so far", (double)sim->steps, (double)steps, (double)steps);
	expect_small("retries", sim->retries, 0.0);
	/* The fault is gone: as if nothing had been. */
	sim->after_stage = NULL;
	expect("goes on to the same end", reach_end(sim) == without, 1, 1);
	fixture_free(sim);
}

static void check_sticky_all(const char *transfer)
{
	const struct planted faults[] = {
		{"p2g", VELOCITY, NAN, STEP_DIVERGED},
		{"levelset", LEVEL_SET, INFINITY, STEP_GRID_NOT_FINITE},
		{"g2p", PARTICLE_VELOCITY, NAN, STEP_PARTICLE_NOT_FINITE},
	};
	const u64 without = run_without(transfer);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		fixture_note("%s: %g after %s, always", transfer, (double)faults[i].value,
			     faults[i].stage);
		check_sticky(transfer, faults[i], without);
	}
}

static void test_sticky(void)
{
	check_sticky_all("flip");
	check_sticky_all("apic");
}

/* Debug builds look after every stage: the stage is known at once, and nothing else changes. */
static void test_watch(void)
{
	struct sim *sim = make("flip");
	struct planted planted = {
		.stage = "extrapolate", .kind = VELOCITY, .value = NAN, .frame = FAULT_FRAME};
	sim->watch = true;
	sim->after_stage = after_stage;
	sim->after_stage_user = &planted;
	const u64 hash = reach_end(sim);
	expect("found on the grid", sim->interventions[STEP_GRID_NOT_FINITE], 1, 1);
	expect("and nowhere else", sim->retries, 1, 1);
	fixture_free(sim);
	sim = make("flip");
	planted = (struct planted){.stage = "statistics",
				   .kind = VERDICT,
				   .cause = STEP_DIVERGED,
				   .frame = FAULT_FRAME};
	sim->after_stage = after_stage;
	sim->after_stage_user = &planted;
	expect("the bits of the halved step", reach_end(sim) == hash, 1, 1);
	fixture_free(sim);
}

static bool refuse_drift(void *user, const struct clx_launch_info *launch)
{
	(void)user;
	return launch->kernel != K_drift_rhs;
}

static bool agree(void *user, const struct clx_launch_info *launch)
{
	(void)user;
	(void)launch;
	return true;
}

/* A launch that fails within the drift solve, which shares the solver with the pressure. */
static void test_drift_fails(void)
{
	static const struct clx_observer observer = {.before = refuse_drift, .after = agree};
	struct sim *sim = make("flip"), *sound = make("flip");
	struct poisson *p = &sim->poisson;
	const union f32_buffer rhs = p->rhs; /* before any drift solve */
	fixture_step(sim);
	fixture_step(sound);
	fixture_step(sound);
	const int expected = sound->poisson.expected[POISSON_PRESSURE][POISSON_FROM_ZERO];
	expect("not by chance",
	       sound->poisson.expected[POISSON_DRIFT][POISSON_FROM_ZERO] != expected, 1, 1);
	clx_observe(sim->cl, &observer);
	assert_false(sim_substep(sim));
	clx_observe(sim->cl, NULL);
	expect("it was the drift's solve", p->purpose == POISSON_DRIFT, 1, 1);
	expect("the pressure's number of iterations is as it was",
	       p->expected[POISSON_PRESSURE][POISSON_FROM_ZERO], expected, expected);
	assert_true(poisson_begin(p, POISSON_PRESSURE));
	expect("the right-hand side is the pressure's again", p->rhs.mem == rhs.mem, 1, 1);
	expect("goes on to the same end", reach_end(sim) == reach_end(sound), 1, 1);
	fixture_free(sim);
	fixture_free(sound);
}

static char told[512];

static void keep(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (level == MESSAGE_ERROR && !told[0])
		snprintf(told, sizeof(told), "%s", text);
}

static bool cut_loops(struct sim *sim, size_t stage, void *user)
{
	(void)user;
	return strcmp(sim_stage_name(sim, stage), "advect") != 0 ||
	       lattice_set_scalar(&sim->lattice, SCALAR_LOOPS_CUT, 1);
}

/* A kernel says that the device ended its loops early: no smaller step helps. */
static void test_loops_cut(void)
{
	const u64 without = run_without("flip");
	struct sim *sim = make("flip");
	fixture_step(sim);
	const u64 before = hash_now(sim);
	sim->after_stage = cut_loops;
	told[0] = '\0';
	message_set_sink(keep, NULL);
	assert_false(sim_substep(sim));
	message_set_sink(NULL, NULL);
	expect("it is told", strstr(told, "ends long loops of kernels early") != NULL, 1, 1);
	expect("the state before", hash_now(sim) == before, 1, 1);
	expect_small("retries", sim->retries, 0.0);
	sim->after_stage = NULL;
	expect("goes on to the same end", reach_end(sim) == without, 1, 1);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(test_once_flip), CASE(test_once_apic),   CASE(test_sticky),
		CASE(test_watch),     CASE(test_drift_fails), CASE(test_loops_cut),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
