/*
 * Checkpoints: what is read back is what was written, a simulation goes on from it bit for bit
 * whatever it did before.
 */
#include "stage_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "message.h"
#include "sim_view.h"
#include "temporary.h"

#if DIM == 2
#define SIZES "domain: {size: [1, 1], cells: 12, walls: {x+: open}}\n"
#define BOX "{min: [0, 0], max: [0.9, 0.7]}"
#define FAST "velocity: [6, 1], "
#define MIDDLE "[0.5, 0.3]"
#else
#define SIZES "domain: {size: [1, 1, 1], cells: 8, walls: {x+: open}}\n"
#define BOX "{min: [0, 0, 0], max: [0.9, 0.7, 1]}"
#define FAST "velocity: [6, 1, 0], "
#define MIDDLE "[0.5, 0.3, 0.3]"
#endif
#define NAME "checkpoint_000003.h5"

static char folder[TEMPORARY_PATH], path[TEMPORARY_PATH + 32];
static char reason[FILE_READ_REASON];

/* Particles leave through an open wall all the time. */
static struct fixture make(const char *transfer, const char *more)
{
	return fixture_make("version: 1\nname: x\n" SIZES "time: {frames: 100, fps: 60}\n"
			    "liquid: {transfer: %s}\n"
			    "liquids: [{name: a, box: " BOX ", " FAST "seed: 7}]\n%s",
			    transfer, more);
}

static void step(struct sim *sim, int substeps)
{
	for (int i = 0; i < substeps; i++)
		assert_true(sim_substep(sim));
}

static u64 hash_after(struct sim *sim, int substeps)
{
	struct checkpoint c = {0};
	step(sim, substeps);
	assert_true(checkpoint_capture(&c, sim));
	const u64 hash = c.hash;
	checkpoint_free(&c);
	return hash;
}

/* What a run would add, with values that no default has. */
static void add_run(struct checkpoint *c)
{
	const size_t frames = (size_t)c->frame + 1;
	struct summary *s = &c->summary;
	c->parts_warned = c->tiny_warned = true;
	s->frames = calloc(frames, sizeof(*s->frames));
	assert_non_null(s->frames);
	s->frame_count = frames;
	for (size_t i = 0; i < frames; i++)
		s->frames[i] = (struct frame_record){(int)i, 2 + (int)i, 0.1 * (double)i, 1.5,
						     0x123456789abcdef0u + i};
	s->first.particles = 77;
	s->last.frame = 5;
	s->last.dt = 1.0 / 3.0;
	s->substeps = 1u << 20;
	s->iterations = 1ull << 33;
	s->iterations_most = 211;
	s->solves = 1ull << 34;
	s->limit_hits = 5;
	s->drift_solves = 1ull << 35;
	s->drift_limit_hits = 7;
	s->substeps_timed = (1u << 20) - 2;
	s->substep_seconds = 100.25;
	s->first_seconds = 31.5;
	s->volume_error_worst = -0.25;
	c->seconds = 12.5;
	c->stats_bytes = (int64_t)1 << 40;
	c->probes_bytes = -1;
	c->log_bytes = 17;
	c->warnings = strdup("one\ntwo \xc3\xbc\n");
	c->warnings_dropped = 3;
	c->resumed_at = calloc(2, sizeof(int));
	assert_non_null(c->resumed_at);
	c->resumed_at[1] = 9;
	c->resumed_count = 2;
}

static char *read_file(size_t *length)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*length = (size_t)ftell(file);
	rewind(file);
	char *bytes = test_malloc(*length + 1);
	assert_int_equal(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

static void assert_same(const struct checkpoint *a, const struct checkpoint *b)
{
	const struct checkpoint_state *p = &a->state, *q = &b->state;
	assert_string_equal(a->version, b->version);
	assert_string_equal(a->git, b->git);
	assert_string_equal(a->scene, b->scene);
	assert_string_equal(a->warnings, b->warnings);
	assert_int_equal(a->dim, b->dim);
	assert_int_equal(a->frame, b->frame);
	assert_int_equal(a->substep, b->substep);
	assert_memory_equal(&a->time, &b->time, sizeof(double));
	assert_memory_equal(&a->grid_speed, &b->grid_speed, sizeof(double));
	assert_true(a->steps == b->steps && a->hash == b->hash);
	assert_int_equal(a->pushed, b->pushed);
	assert_int_equal(a->escaped, b->escaped);
	assert_int_equal(a->removed_open, b->removed_open);
	assert_int_equal(a->retries, b->retries);
	assert_memory_equal(a->interventions, b->interventions, sizeof(a->interventions));
	assert_memory_equal(a->removed_ids, b->removed_ids, sizeof(a->removed_ids));
	assert_int_equal(a->ledger.seeded, b->ledger.seeded);
	assert_memory_equal(&a->ledger.accounts, &b->ledger.accounts, sizeof(a->ledger.accounts));
	assert_int_equal(a->seeds_in_solids, b->seeds_in_solids);
	assert_int_equal(a->limit_warned, b->limit_warned);
	assert_int_equal(a->parts_warned, b->parts_warned);
	assert_int_equal(a->tiny_warned, b->tiny_warned);
	assert_int_equal(p->particles, q->particles);
	assert_int_equal(p->array_count, q->array_count);
	for (size_t i = 0; i < p->array_count; i++) {
		const struct saved_array *x = &p->arrays[i], *y = &q->arrays[i];
		assert_ptr_equal(x->field, y->field);
		assert_int_equal(x->components, y->components);
		assert_int_equal(x->count, y->count);
		if (x->components > 0)
			assert_memory_equal(x->data, y->data,
					    x->components * x->count * sizeof(f32));
	}
	assert_int_equal(p->ids.end, q->ids.end);
	assert_int_equal(p->ids.count, q->ids.count);
	for (size_t i = 0; i < p->ids.count; i++) {
		assert_int_equal(p->ids.range[i].first, q->ids.range[i].first);
		assert_int_equal(p->ids.range[i].liquid, q->ids.range[i].liquid);
	}
	assert_int_equal(a->summary.frame_count, b->summary.frame_count);
	for (size_t i = 0; i < a->summary.frame_count; i++) {
		const struct frame_record *f = &a->summary.frames[i], *g = &b->summary.frames[i];
		assert_int_equal(f->frame, g->frame);
		assert_int_equal(f->substeps, g->substeps);
		assert_true(f->hash == g->hash);
		assert_memory_equal(&f->time, &g->time, sizeof(double));
		assert_memory_equal(&f->seconds, &g->seconds, sizeof(double));
	}
	assert_int_equal(a->summary.first.particles, b->summary.first.particles);
	assert_int_equal(a->summary.last.frame, b->summary.last.frame);
	assert_memory_equal(&a->summary.last.dt, &b->summary.last.dt, sizeof(double));
	const struct summary *s = &a->summary, *t = &b->summary;
	assert_true(s->substeps == t->substeps && s->iterations == t->iterations &&
		    s->iterations_most == t->iterations_most && s->solves == t->solves &&
		    s->limit_hits == t->limit_hits && s->drift_solves == t->drift_solves &&
		    s->drift_limit_hits == t->drift_limit_hits &&
		    s->substeps_timed == t->substeps_timed);
	assert_memory_equal(&s->substep_seconds, &t->substep_seconds, sizeof(double));
	assert_memory_equal(&s->first_seconds, &t->first_seconds, sizeof(double));
	assert_memory_equal(&a->summary.volume_error_worst, &b->summary.volume_error_worst,
			    sizeof(double));
	assert_memory_equal(&a->seconds, &b->seconds, sizeof(double));
	assert_true(a->stats_bytes == b->stats_bytes && a->probes_bytes == b->probes_bytes &&
		    a->log_bytes == b->log_bytes && a->warnings_dropped == b->warnings_dropped);
	assert_int_equal(a->resumed_count, b->resumed_count);
	assert_memory_equal(a->resumed_at, b->resumed_at, a->resumed_count * sizeof(int));
}

/* BL-094: write, read, write: the same values, then the same bytes. */
static void round_trip(struct fixture *f, int substeps)
{
	struct checkpoint c = {0}, again;
	size_t length, length_again;
	step(f->sim, substeps);
	assert_true(checkpoint_capture(&c, f->sim));
	add_run(&c);
	assert_true(checkpoint_write(&c, folder, NAME));
	char *bytes = read_file(&length);
	assert_true(checkpoint_read(path, true, &again, reason));
	assert_same(&c, &again);
	assert_true(checkpoint_write(&again, folder, NAME));
	char *bytes_again = read_file(&length_again);
	assert_int_equal(length, length_again);
	assert_memory_equal(bytes, bytes_again, length);
	test_free(bytes);
	test_free(bytes_again);
	checkpoint_free(&c);
	checkpoint_free(&again);
}

static void test_round_trip(void **state)
{
	static const char *const transfers[] = {"flip", "apic", "pic"};
	(void)state;
	for (size_t t = 0; t < 3; t++) {
		struct fixture f = make(transfers[t], "");
		round_trip(&f, 0);
		round_trip(&f, 7);
		assert_true(f.sim->lattice.host_scalars[SCALAR_REMOVED_OPEN] > 0);
		fixture_free(&f);
	}
}

static void test_few_particles(void **state)
{
	static const f32 place[3] = {0.3f, 0.4f, 0.5f};
	(void)state;
	for (u32 count = 0; count < 2; count++) {
		struct fixture f = make("apic", ""), other = make("apic", "");
		const struct sim_particles given = {.count = count,
						    .values = {[ATTRIBUTE_POSITION] = place}};
		assert_true(sim_restart(f.sim, &given));
		round_trip(&f, 3);
		struct checkpoint c;
		assert_true(checkpoint_read(path, true, &c, reason));
		assert_int_equal(c.state.particles, count);
		assert_true(checkpoint_restore(&c, other.sim, reason));
		assert_true(hash_after(f.sim, 3) == hash_after(other.sim, 3));
		checkpoint_free(&c);
		fixture_free(&f);
		fixture_free(&other);
	}
}

/* Nothing but the checkpoint counts: not what the simulation did before it was restored. */
static void test_goes_on(void **state)
{
	static const struct {
		const char *transfer, *more;
	} cases[] = {
		{"flip", ""},
		{"apic", ""},
		{"flip", "solver: {drift: density, separation: false}\n"},
		{"pic", "solver: {drift: none, pressure: multigrid}\n"},
		{"flip", "solver: {drift: push, resample: true}\n"},
		{"pic", "solver: {drift: springs, collision_distance: 0.5, reposition: true}\n"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = make(cases[i].transfer, cases[i].more);
		struct fixture fresh = make(cases[i].transfer, cases[i].more);
		struct fixture used = make(cases[i].transfer, cases[i].more);
		struct checkpoint c = {0};
		step(f.sim, 5);
		assert_true(checkpoint_capture(&c, f.sim));
		step(used.sim, 11);
		assert_true(checkpoint_restore(&c, used.sim, reason));
		assert_true(checkpoint_restore(&c, fresh.sim, reason));
		for (int n = 0; n < 4; n++) {
			const u64 expected = hash_after(f.sim, 3);
			assert_true(expected == hash_after(used.sim, 3));
			assert_true(expected == hash_after(fresh.sim, 3));
		}
		assert_true(f.sim->time == fresh.sim->time && f.sim->frame == fresh.sim->frame);
		assert_true(f.sim->stats.report.removed_open > c.removed_open);
		assert_int_equal(f.sim->stats.particles, used.sim->stats.particles);
		assert_int_equal(f.sim->stats.report.removed_open,
				 used.sim->stats.report.removed_open);
		assert_int_equal(f.sim->stats.report.pushed, used.sim->stats.report.pushed);
		assert_true(f.sim->stats.volume_error == fresh.sim->stats.volume_error);
		assert_memory_equal(&f.sim->ledger.accounts, &fresh.sim->ledger.accounts,
				    sizeof(f.sim->ledger.accounts));
		assert_int_equal(f.sim->stats.pressure_iterations,
				 fresh.sim->stats.pressure_iterations);
		checkpoint_free(&c);
		fixture_free(&f);
		fixture_free(&fresh);
		fixture_free(&used);
	}
}

/* What a frame's loads are so far, of pressure and of friction. */
static void test_loads_go_on(void **state)
{
	static const char more[] =
		"solids: [{sphere: {center: " MIDDLE ", radius: 0.1}, wall_law: smooth}]\n"
		"output: {forces: true}\n";
	(void)state;
	struct fixture f = make("flip", more), fresh = make("flip", more);
	struct checkpoint c = {0};
	step(f.sim, 7);
	const struct loads *from = &f.sim->loads, *to = &fresh.sim->loads;
	assert_int_equal(from->parts, 2);
	assert_true(from->frame_friction[0].impulse[0] > 0.0);
	assert_true(checkpoint_capture(&c, f.sim));
	assert_true(checkpoint_restore(&c, fresh.sim, reason));
	assert_true(from->seconds == to->seconds && from->seconds > 0.0);
	assert_memory_equal(from->frame, to->frame, 2 * sizeof(*from->frame));
	checkpoint_free(&c);
	fixture_free(&f);
	fixture_free(&fresh);
}

static void test_changes_nothing(void **state)
{
	(void)state;
	struct fixture plain = make("apic", ""), watched = make("apic", "");
	for (int n = 0; n < 9; n++) {
		struct checkpoint c = {0};
		step(plain.sim, 1);
		step(watched.sim, 1);
		assert_true(checkpoint_capture(&c, watched.sim));
		checkpoint_free(&c);
	}
	assert_true(hash_after(plain.sim, 0) == hash_after(watched.sim, 0));
	fixture_free(&plain);
	fixture_free(&watched);
}

/* What the device does between substeps, as reading a checkpoint, is no stage's. */
static void test_stages_end(void **state)
{
	(void)state;
	struct fixture f = make("apic", "");
	struct clx_stage_count before[CLX_MAX_STAGES], after[CLX_MAX_STAGES];
	struct checkpoint c = {0};
	for (int n = 0; n < 2; n++) {
		uint64_t outside = 0;
		/* after the measurement of frame 0, then after a substep */
		if (n == 0)
			assert_true(sim_measure(f.sim));
		else
			step(f.sim, 1);
		clx_stage_counts(f.sim->cl, before);
		assert_true(checkpoint_capture(&c, f.sim));
		clx_stage_counts(f.sim->cl, after);
		for (size_t s = 0; s < sim_stage_count(f.sim); s++)
			assert_int_equal(after[s].transfers, before[s].transfers);
		for (size_t s = sim_stage_count(f.sim); s < CLX_MAX_STAGES; s++)
			outside += after[s].transfers - before[s].transfers;
		assert_true(outside > 0);
		checkpoint_free(&c);
	}
	fixture_free(&f);
}

static void test_wrong_scene(void **state)
{
	(void)state;
	struct fixture f = make("flip", ""), other = make("apic", "");
	struct checkpoint c = {0};
	assert_true(checkpoint_capture(&c, f.sim));
	message_set_sink(NULL, NULL);
	assert_false(checkpoint_restore(&c, other.sim, reason));
	assert_non_null(strstr(reason, "another kind of scene"));
	checkpoint_values(&c.state, "particles/velocity")[0] += 1.0f; /* the hash tells */
	step(f.sim, 3);
	const u64 before = hash_after(f.sim, 0);
	assert_false(checkpoint_restore(&c, f.sim, reason));
	assert_non_null(strstr(reason, "another state"));
	assert_true(before == hash_after(f.sim, 0)); /* it was not put into the simulation */
	checkpoint_free(&c);
	fixture_free(&f);
	fixture_free(&other);
}

static void keep_message(enum message_level level, const char *text, void *user)
{
	if (level == MESSAGE_ERROR)
		snprintf(user, 1000, "%s", text);
}

/* Host and device agree on states of all kinds; where they do not, the device is named and nothing
 * is said of the file. */
static void test_device_at_fault(void **state)
{
	static const char *const transfers[] = {"flip", "apic"};
	(void)state;
	for (size_t t = 0; t < 2; t++) {
		struct fixture f = make(transfers[t], "");
		struct checkpoint c = {0};
		char said[1000] = "";
		step(f.sim, 3);
		assert_true(checkpoint_capture(&c, f.sim));
		u64 hash;
		assert_true(checkpoint_hash(&c, &hash) && hash == c.hash);
		message_set_sink(keep_message, said);
		assert_int_equal(setenv("FRESHET_FAULT", "hash:1+", 1), 0);
		assert_false(checkpoint_restore(&c, f.sim, reason));
		assert_int_equal(unsetenv("FRESHET_FAULT"), 0);
		message_set_sink(NULL, NULL);
		assert_string_equal(reason, "");
		assert_non_null(strstr(said, clx_info(fixture_device)->name));
		assert_true(checkpoint_restore(&c, f.sim, reason));
		checkpoint_free(&c);
		fixture_free(&f);
	}
}

/* Values that make sense but are not the scene's, in a file with the right checksum. */
static void test_forged(void **state)
{
	(void)state;
	struct fixture f = make("flip", "");
	struct checkpoint c = {0};
	step(f.sim, 3);
	assert_true(checkpoint_capture(&c, f.sim));
	assert_true(checkpoint_restore(&c, f.sim, reason));
	struct id_ranges *given = &c.state.ids;
	f32 *y = checkpoint_values(&c.state, "particles/position") + c.state.particles;
	message_set_sink(NULL, NULL);
	const u32 ids = given->end, seeded = c.ledger.seeded;
	given->end = c.ledger.seeded = f.sim->particles.capacity + 1; /* no room for those */
	assert_false(checkpoint_restore(&c, f.sim, reason));
	assert_non_null(strstr(reason, "cannot have come to"));
	given->end = ids;
	assert_false(checkpoint_restore(&c, f.sim, reason));
	assert_non_null(strstr(reason, "cannot have come to"));
	c.ledger.seeded = seeded;
	const f32 place = *y;
	for (int side = -1; side <= 1; side += 2) {
		*y = (f32)side * 1e6f;
		assert_false(checkpoint_restore(&c, f.sim, reason));
		assert_non_null(strstr(reason, "cannot have come to"));
	}
	*y = place;
	const double time = c.time;
	for (int side = -1; side <= 1; side += 2) {
		c.time = time + side / f.scene->time.fps;
		assert_false(checkpoint_restore(&c, f.sim, reason));
		assert_non_null(strstr(reason, "cannot have come to"));
	}
	c.time = time;
	assert_true(checkpoint_restore(&c, f.sim, reason));
	checkpoint_free(&c);
	fixture_free(&f);
}

/* A substep that fails leaves the state before it. */
static void test_failed_substep(void **state)
{
	(void)state;
	struct fixture f = make("apic", "");
	const f32 nan = NAN;
	f32 velocity;
	step(f.sim, 4);
	struct checkpoint before = {0}, after = {0};
	assert_true(checkpoint_capture(&before, f.sim));
	union f32_buffer *v = &f.sim->particles.now.velocity;
	assert_true(clx_read(fixture_device, v, 0, sizeof(f32), &velocity));
	fixture_write(v, &nan, sizeof(nan));
	message_set_sink(NULL, NULL);
	assert_false(sim_substep(f.sim));
	fixture_write(&f.sim->particles.now.velocity, &velocity, sizeof(velocity));
	assert_true(checkpoint_capture(&after, f.sim));
	assert_true(before.hash == after.hash && before.steps == after.steps);
	assert_memory_equal(&before.time, &after.time, sizeof(double));
	assert_int_equal(before.retries, after.retries);
	assert_int_equal(before.removed_open, after.removed_open);
	struct fixture other = make("apic", "");
	assert_true(checkpoint_restore(&before, other.sim, reason));
	assert_true(hash_after(f.sim, 5) == hash_after(other.sim, 5));
	checkpoint_free(&before);
	checkpoint_free(&after);
	fixture_free(&f);
	fixture_free(&other);
}

static int open_all(void **state)
{
	if (!temporary_folder(folder, "checkpoint"))
		return -1;
	snprintf(path, sizeof(path), "%s/" NAME, folder);
	return fixture_open(state);
}

static int close_all(void **state)
{
	remove(path);
	rmdir(folder);
	return fixture_close(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),	cmocka_unit_test(test_few_particles),
		cmocka_unit_test(test_goes_on),		cmocka_unit_test(test_loads_go_on),
		cmocka_unit_test(test_changes_nothing), cmocka_unit_test(test_failed_substep),
		cmocka_unit_test(test_wrong_scene),	cmocka_unit_test(test_stages_end),
		cmocka_unit_test(test_forged),		cmocka_unit_test(test_device_at_fault),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
