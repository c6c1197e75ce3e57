/*
 * The ledger against known answers: free fall, a jet that leaves, a full box at rest, a liquid
 * packed twice as dense as it should be; and particles that are lost or doubled are found.
 */
#include "sim_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define G 9.81
#define CELLS (DIM == 2 ? 20 : 12)

static const char *const box = DIM == 2 ? "size: [1, 1]" : "size: [1, 1, 1]";
static const char *const middle = DIM == 2 ? "[0.5, 0.6]" : "[0.5, 0.6, 0.5]";

static double mass_of(const struct sim *sim)
{
	const double h = (double)sim->lattice.grid.h;
	return sim->scene->density * pow(h, DIM) / sim->scene->particles_per_cell;
}

/* A ball that touches nothing: explicit steps of gravity, v' = v + g dt and x' = x + v' dt, so that
 * position moves by g dt^2/2 more than what work is done over. */
static void check_fall(const char *transfer, const char *drift)
{
	fixture_note("%s, drift %s", transfer, drift);
	struct sim *sim = fixture_sim(
		"version: 1\nname: fall\ndomain: {%s, cells: %d}\n"
		"time: {frames: 10, fps: 60, max_dt: 0.005}\ngravity: %s\n"
		"liquid: {transfer: %s, jitter: 0.6}\nsolver: {drift: %s}\n"
		"liquids: [{name: ball, sphere: {center: %s, radius: 0.2}}]\n",
		box, CELLS, DIM == 2 ? "[0, -9.81]" : "[0, -9.81, 0]", transfer, drift, middle);
	const double total = mass_of(sim) * sim->particles.count;
	double squares = 0.0;
	while (sim->frame < 8) {
		fixture_step(sim);
		squares += sim->stats.dt * sim->stats.dt;
	}
	const struct ledger_accounts *a = &sim->ledger.accounts;
	const struct ledger_flow *f = &a->total;
	const double v = G * sim->time, energy = 0.5 * total * v * v;
	expect("work of gravity / kinetic energy", f->gravity_work / energy, 1 - 1e-5, 1 + 1e-5);
	expect("kinetic energy at the end / work of gravity", a->now.kinetic / f->gravity_work,
	       1 - 1e-5, 1 + 1e-5);
	expect_small("numerical rest / work of gravity", f->kinetic_rest / f->gravity_work, 1e-5);
	if (drift[0] == 'n')
		expect("rest of the potential energy / that of the splitting",
		       f->potential_rest / (-0.5 * total * G * G * squares), 0.999, 1.001);
	expect("impulse of gravity", f->gravity[1] / (-total * v), 1 - 1e-6, 1 + 1e-6);
	for (int axis = 0; axis < 3; axis++) {
		expect_small("impulse of walls", f->walls[axis], 0.0);
		expect_small("rest of the momentum", f->momentum_rest[axis] / (total * v), 1e-5);
	}
	expect_small("imbalances", sim->stats.imbalances, 0.0);
	fixture_free(sim);
}

static void test_fall(void)
{
	check_fall("flip", "none");
	check_fall("apic", "none");
	check_fall("flip", "position");
}

/* A block that flies out through an open wall takes along all it had. */
static void test_jet(void)
{
	struct sim *sim = fixture_sim(
		"version: 1\nname: jet\ndomain: {%s, cells: %d, walls: {x+: open}}\n"
		"time: {frames: 60, fps: 60}\ngravity: %s\nliquid: {transfer: apic}\n"
		"solver: {drift: none}\n"
		"liquids: [{name: block, box: {min: %s, max: %s}, velocity: %s}]\n",
		box, CELLS, DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		DIM == 2 ? "[0.6, 0.4]" : "[0.6, 0.4, 0.4]",
		DIM == 2 ? "[0.8, 0.6]" : "[0.8, 0.6, 0.6]", DIM == 2 ? "[2, 0]" : "[2, 0, 0]");
	const u32 count = sim->particles.count;
	const double total = mass_of(sim) * count, seeded = sim->ledger.seeded;
	u32 steps = 0;
	double removed = 0.0;
	while (sim->stats.particles > 0 && steps++ < 100) {
		fixture_step(sim);
		removed += sim->stats.flow.kinetic_removed;
		expect("alive + removed / created",
		       (double)(sim->stats.particles + sim->stats.report.removed_open) / count, 1,
		       1);
	}
	const struct ledger_accounts *a = &sim->ledger.accounts;
	expect("particles created", seeded, count, count);
	expect("particles removed", sim->stats.report.removed_open, count, count);
	expect("kinetic energy removed", a->total.kinetic_removed / (0.5 * total * 4), 1 - 1e-4,
	       1 + 1e-4);
	expect("the sum of the rows", removed / a->total.kinetic_removed, 1 - 1e-12, 1 + 1e-12);
	expect("momentum removed", a->total.momentum_removed[0] / (total * 2), 1 - 1e-4, 1 + 1e-4);
	expect_small("rest of the momentum", a->total.momentum_rest[0] / (total * 2), 1e-4);
	expect_small("kinetic energy left", a->now.kinetic, 0.0);
	expect_small("imbalances", sim->stats.imbalances, 0.0);
	fixture_free(sim);
}

/* A full closed box at rest: its walls carry exactly its weight. */
static void test_full_box(void)
{
	struct sim *sim =
		fixture_sim("version: 1\nname: full\ndomain: {%s, cells: %d}\n"
			    "time: {frames: 10, fps: 60, dt: 0.01}\ngravity: %s\n"
			    "solver: {drift: none, tolerance: 1e-6}\nliquids: [{name: all, box: "
			    "{min: %s, max: %s}}]\n",
			    box, CELLS, DIM == 2 ? "[1.5, -9.81]" : "[1.5, -9.81, 0.7]",
			    DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[1, 1]" : "[1, 1, 1]");
	fixture_step(sim);
	const struct ledger_flow *f = &sim->stats.flow;
	const double g[3] = {1.5, -G, DIM == 3 ? 0.7 : 0.0}, weight = 1000.0 * G * sim->stats.dt;
	for (int axis = 0; axis < 3; axis++) {
		const double pull = 1000.0 * g[axis] * sim->stats.dt;
		expect_small("impulse of gravity", (f->gravity[axis] - pull) / weight, 1e-6);
		expect_small("impulse of walls", (f->walls[axis] + pull) / weight, 1e-4);
		expect_small("rest of the momentum", f->momentum_rest[axis] / weight, 1e-4);
	}
	fixture_free(sim);
}

/* A tank that has come to rest: the floor carries its weight, the side walls push each other. */
static void test_tank(void)
{
	struct sim *sim =
		fixture_sim("version: 1\nname: tank\ndomain: {%s, cells: %d, walls: {y+: open}}\n"
			    "time: {frames: 90, fps: 60}\n"
			    "liquids: [{name: all, box: {min: %s, max: %s}}]\n",
			    box, CELLS, DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
			    DIM == 2 ? "[1, 0.55]" : "[1, 0.55, 1]");
	fixture_run(sim, 0.5, NULL, NULL);
	const double before = sim->ledger.accounts.total.walls[1];
	const double start = sim->time;
	fixture_run(sim, 1.0, NULL, NULL);
	const struct ledger_flow *total = &sim->ledger.accounts.total;
	const double weight = mass_of(sim) * sim->stats.particles * G * (sim->time - start);
	/* the surface, and so the pressure, is known to 0.1 h of 11 (7) cells' depth */
	expect("impulse of the floor / weight", (total->walls[1] - before) / weight, 0.98, 1.02);
	expect_small("sideways / weight", total->walls[0] / weight, 0.02);
	fixture_free(sim);
}

/* Twice as many particles as there should be, in a box that is full: everywhere the largest excess,
 * 1/2, of which dt * 60 Hz is asked back in a step. */
static void test_swelling(void)
{
	struct sim *sparse = fixture_sim(
		"version: 1\nname: dense\ndomain: {%s, cells: 8, walls: {y+: open}}\n"
		"time: {frames: 10, fps: 60, dt: 0.005}\ngravity: %s\nliquid: {jitter: 0}\n"
		"liquids: [{name: all, box: {min: %s, max: %s}}]\n",
		box, DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		DIM == 2 ? "[1, 1]" : "[1, 1, 1]");
	struct cloud cloud = cloud_read(sparse);
	const size_t count = 2 * (size_t)cloud.count;
	f32 *position = calloc(count * DIM, sizeof(*position));
	assert_non_null(position);
	for (size_t p = 0; p < count; p++)
		for (size_t a = 0; a < DIM; a++)
			position[p * DIM + a] = cloud.x[a][p / 2];
	const struct sim_particles given = {.count = (u32)count,
					    .values = {[ATTRIBUTE_POSITION] = position}};
	struct sim *sim = sim_create_from_particles(sparse->scene, sparse->cl, &given);
	assert_true(sim && sim_measure(sim));
	fixture_step(sim);
	const double kappa = 60.0 * sim->stats.dt;
	expect("particles loaded", sim->ledger.loaded, (double)count, (double)count);
	expect("volume swelled / asked back", sim->stats.flow.swelled / (0.5 * kappa), 1 - 1e-5,
	       1 + 1e-5);
	expect_small("volume shrunk", sim->stats.flow.shrunk, 0.0);
	sim_destroy(sim);
	fixture_step(sparse);
	expect_small("as dense as it should be: swelled", sparse->stats.flow.swelled, 1e-5);
	expect_small("shrunk", sparse->stats.flow.shrunk, 1e-5);
	free(position);
	cloud_free(&cloud);
	fixture_free(sparse);
}

static struct sim *make_splash(void)
{
	return fixture_sim("version: 1\nname: splash\ndomain: {%s, cells: 8, walls: {x+: open}}\n"
			   "time: {frames: 60, fps: 60}\n"
			   "liquids: [{name: all, box: {min: %s, max: %s}}]\n",
			   box, DIM == 2 ? "[0.5, 0]" : "[0.5, 0, 0]",
			   DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 1]");
}

/* One particle gets the id of another: their number is right, ids are not. */
static void plant_double(struct sim *sim)
{
	const u32 id = 3;
	u32 first;
	assert_true(clx_read(sim->cl, &sim->particles.now.id, 0, sizeof(first), &first));
	assert_true(first != id);
	assert_true(clx_write(sim->cl, &sim->particles.now.id, 0, sizeof(id), &id));
}

/* One particle goes without being counted. */
static void plant_loss(struct sim *sim)
{
	const u32 removed = ID_REMOVED;
	assert_true(clx_write(sim->cl, &sim->particles.now.id, 5 * sizeof(removed), sizeof(removed),
			      &removed));
}

static void check_planted(void (*plant)(struct sim *sim))
{
	struct sim *sim = make_splash();
	sim->ledger.strict = false;
	fixture_run(sim, 0.2, NULL, NULL);
	expect("particles that left", sim->stats.report.removed_open, 1, 1e9);
	expect_small("imbalances before", sim->stats.imbalances, 0.0);
	expect_small("warnings before", fixture_warnings(), 0.0);
	plant(sim);
	const int frame = sim->frame + 1;
	fixture_step(sim);
	fixture_step(sim);
	expect("imbalances", sim->stats.imbalances, 2, 2);
	expect("warnings", fixture_warnings(), 1, 1);
	expect("frame of the first", sim->ledger.bad_frame, frame, frame);
	expect("substep of the first", sim->ledger.bad_substep, 1, 1);
	/* Debug builds end there, and the state is that before. */
	sim->ledger.strict = true;
	const double time = sim->time;
	assert_false(sim_substep(sim));
	expect_small("time that passed", sim->time - time, 0.0);
	fixture_free(sim);
}

static void test_planted(void)
{
	check_planted(plant_double);
	check_planted(plant_loss);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(test_fall), CASE(test_jet),      CASE(test_full_box),
		CASE(test_tank), CASE(test_swelling), CASE(test_planted),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
