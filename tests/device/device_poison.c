/* What a stage does not list is poison while it runs: the rows are whole, and one that is not is
 * found. */
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "stage_fixture.h"

#if DIM == 2
#define SIZE "[1, 1]"
#define LOW "[0, 0]"
#define HIGH "[0.5, 0.6]"
#define PLATE "{box: {min: [0.7, 0], max: [0.703, 0.5]}}"
#define BALL "{sphere: {center: [0.3, 0], radius: 0.13}}"
#define AXIS ""
#else
#define SIZE "[1, 1, 1]"
#define LOW "[0, 0, 0]"
#define HIGH "[0.5, 0.6, 0.5]"
#define PLATE "{box: {min: [0.7, 0, 0], max: [0.703, 0.5, 1]}}"
#define BALL "{sphere: {center: [0.3, 0, 0.3], radius: 0.13}}"
#define AXIS "axis: [1, 0.3, 0.2], "
#endif
#define ORIGIN (DIM == 2 ? "[0, 0]" : "[0, 0, 0]")
#define SUBSTEPS 3

static struct fixture make_more(const char *transfer, const char *drift, const char *solids,
				const char *more)
{
	return fixture_make("domain: {size: " SIZE ", cells: 14, walls: {y+: open}}\n"
			    "liquid: {transfer: %s}\nsolver: {drift: %s}\n"
			    "frame: {" AXIS "roll: {amplitude: 0.3, frequency: 2}}\n"
			    "liquids: [{box: {min: " LOW ", max: " HIGH "}, velocity: %s}]\n"
			    "solids: [%s]\n%s",
			    transfer, drift, DIM == 2 ? "[2, 1]" : "[2, 1, 1]", solids, more);
}

static struct fixture make(const char *transfer, const char *drift, const char *solids)
{
	return make_more(transfer, drift, solids, "");
}

static u64 run(struct fixture *f, bool poison)
{
	u64 hash = 0;
	f->sim->poison = poison;
	assert_true(sim_measure(f->sim));
	for (int n = 0; n < SUBSTEPS; n++)
		assert_true(sim_substep(f->sim));
	assert_true(sim_hash(f->sim, 1, &hash));
	assert_int_equal(f->sim->retries, 0);
	return hash;
}

/* Every way through the stages that reads something of its own. */
static void test_rows_are_whole(void **state)
{
	static const char *const transfers[] = {"pic", "flip", "apic"};
	static const char *const drifts[] = {"position", "density", "none"};
	static const char *const solids[] = {"", PLATE, PLATE ", " BALL};
	(void)state;
	for (int way = 0; way < 9; way++) {
		/* A Latin square: every two values of two of them meet. */
		const char *transfer = transfers[way % 3], *drift = drifts[way / 3],
			   *solid = solids[(way + way / 3) % 3];
		struct fixture plain = make(transfer, drift, solid),
			       watched = make(transfer, drift, solid);
		assert_true(run(&plain, false) == run(&watched, true));
		fixture_free(&plain);
		fixture_free(&watched);
	}
}

/* What only some scenes have: force fields of every kind, drains. */
static void test_rows_with_fields(void **state)
{
	char more[700];
	(void)state;
	snprintf(more, sizeof(more),
		 "drains: [{sphere: {center: %s, radius: 0.3}, rate: 0.3},\n"
		 "  {sphere: {center: %s, radius: 0.2}}]\n"
		 "forces: [{point: {strength: 1}}, {vortex: {strength: 2}}, {drag: {rate: 1}},\n"
		 "  {wind: {velocity: %s}}, {vorticity: {strength: 2}},\n"
		 "  {custom: %s, sphere: {center: %s, radius: 0.3}, falloff: 0.2}]\n",
		 ORIGIN, ORIGIN, DIM == 2 ? "[9, 1]" : "[9, 1, 2]",
		 DIM == 2 ? "[3, 1]" : "[3, 1, 2]", ORIGIN);
	for (int way = 0; way < 2; way++) {
		const char *transfer = way ? "apic" : "flip", *solid = way ? PLATE : "";
		struct fixture plain = make_more(transfer, "position", solid, more),
			       watched = make_more(transfer, "position", solid, more);
		assert_true(run(&plain, false) == run(&watched, true));
		assert_true(plain.sim->stats.report.drained > 0);
		fixture_free(&plain);
		fixture_free(&watched);
	}
}

/* The grid alone. */
static void test_rows_of_grid(void **state)
{
	(void)state;
	static const char *const surfaces[] = {"vof", "vof", "levelset, redistance: step",
					       "markers"};
	for (int way = 0; way < 4; way++) {
		struct fixture both[2];
		for (int n = 0; n < 2; n++)
			both[n] = fixture_make(
				"method: grid\ngrid: {velocity_advection: %s, surface: %s}\n"
				"domain: {size: " SIZE ", cells: 14, walls: {y+: open}}\n"
				"solver: {separation: %s}\n"
				"liquids: [{box: {min: " LOW ", max: " HIGH "}, velocity: %s}]\n",
				way == 1 ? "semi_lagrangian" : "maccormack", surfaces[way],
				way == 1 ? "false" : "true", DIM == 2 ? "[2, 1]" : "[2, 1, 1]");
		assert_true(run(&both[0], false) == run(&both[1], true));
		fixture_free(&both[0]);
		fixture_free(&both[1]);
	}
}

/* The level set by spheres. */
static void test_rows_of_spheres(void **state)
{
	(void)state;
	struct fixture both[2];
	for (int n = 0; n < 2; n++)
		both[n] = fixture_make("liquid: {surface: spheres}\n"
				       "domain: {size: " SIZE ", cells: 14, walls: {y+: open}}\n"
				       "liquids: [{box: {min: " LOW ", max: " HIGH "}}]\n");
	assert_true(run(&both[0], false) == run(&both[1], true));
	fixture_free(&both[0]);
	fixture_free(&both[1]);
}

/* Smoothed particles, by both solvers. */
static void test_rows_of_sph(void **state)
{
	(void)state;
	for (int way = 0; way < 2; way++) {
		struct fixture both[2];
		for (int n = 0; n < 2; n++)
			both[n] = fixture_make(
				"method: sph\nsph: {solver: %s}\n"
				"domain: {size: " SIZE ", cells: 14, walls: {y+: open}}\n"
				"liquids: [{box: {min: " LOW ", max: " HIGH "}, velocity: %s}]\n",
				way ? "wcsph" : "projection", DIM == 2 ? "[2, 1]" : "[2, 1, 1]");
		assert_true(run(&both[0], false) == run(&both[1], true));
		fixture_free(&both[0]);
		fixture_free(&both[1]);
	}
}

/* ---- a row that is not whole -------------------------------------------------------------- */

static char said[1000];

static void keep_message(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (level == MESSAGE_ERROR && !said[0])
		snprintf(said, sizeof(said), "%s", text);
}

static bool forget(struct field_use *uses, size_t member)
{
	while (uses->member && uses->member != member)
		uses++;
	const bool found = uses->member != 0;
	for (; uses->member; uses++)
		*uses = uses[1];
	return found;
}

/* Does the first substep of a method whose stage `name` does not list a member end as always? */
static bool goes_well_without(const char *name, bool reads, bool writes, size_t member)
{
	static struct stage stages[MOMENT_START];
	struct fixture f = make("flip", "position", PLATE);
	struct method lame = *f.sim->method;
	bool found = false;
	memcpy(stages, lame.stages, lame.stage_count * sizeof(stages[0]));
	for (size_t s = 0; s < lame.stage_count; s++) {
		if (strcmp(stages[s].name, name) != 0)
			continue;
		found = (!reads || forget(stages[s].reads, member)) &&
			(!writes || forget(stages[s].writes, member));
	}
	assert_true(found);
	lame.stages = stages;
	said[0] = '\0';
	assert_true(sim_measure(f.sim));
	f.sim->method = &lame;
	f.sim->poison = true;
	struct fixture whole = make("flip", "position", PLATE);
	u64 hash, expected;
	assert_true(sim_measure(whole.sim) && sim_substep(whole.sim) &&
		    sim_hash(whole.sim, 1, &expected));
	const bool ok = sim_substep(f.sim) && sim_hash(f.sim, 1, &hash) && hash == expected;
	fixture_free(&f);
	fixture_free(&whole);
	return ok;
}

static void test_what_is_not_listed_is_found(void **state)
{
	static const struct {
		const char *stage, *word;
		bool reads, writes;
		size_t member;
	} cases[] = {
		{"levelset", "", true, false, offsetof(struct sim, particles.now.position)},
		{"pressure", "", true, false, offsetof(struct sim, kick)},
		{"g2p", "", true, false, offsetof(struct sim, delta)},
		{"advect", "", true, false, offsetof(struct sim, u_face)},
		{"pressure", "opened walls", false, true, offsetof(struct sim, opened)},
		{"levelset", "cell types", false, true, offsetof(struct sim, cell_type)},
		{"forces", "kick of the forces", false, true, offsetof(struct sim, kick)},
		{"p2g", "grid velocity", false, true, offsetof(struct sim, u_face)},
		/* In neither list.  Positions that are no numbers stay where they are, so that only
		 * the hash tells. */
		{"advect", "", true, true, offsetof(struct sim, particles.now.position)},
		{"g2p", "velocities", true, true, offsetof(struct sim, particles.now.velocity)},
		/* Read and changed, and listed as read only. */
		{"advect", "positions", false, true, offsetof(struct sim, particles.now.position)},
	};
	(void)state;
	message_set_sink(keep_message, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (goes_well_without(cases[i].stage, cases[i].reads, cases[i].writes,
				      cases[i].member))
			fail_msg("a row of %s that lacks a field is not found", cases[i].stage);
		if (!strstr(said, cases[i].word))
			fail_msg("'%s' does not name '%s'", said, cases[i].word);
	}
	message_set_sink(NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_whole),
		cmocka_unit_test(test_rows_with_fields),
		cmocka_unit_test(test_rows_of_grid),
		cmocka_unit_test(test_rows_of_spheres),
		cmocka_unit_test(test_rows_of_sph),
		cmocka_unit_test(test_what_is_not_listed_is_found),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
