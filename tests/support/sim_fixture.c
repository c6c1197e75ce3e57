#include "sim_fixture.h"
#include "full.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "forces.h"
#include "ledger.h"
#include "message.h"
#include "random_unit.h"
#include "temporary.h"

#define MAX_SIMS 8
#define MAX_CASES 64

static struct clx *devices[4]; /* by dim */
static struct scene *scenes[MAX_SIMS];
static bool full;
static int missed, warnings;
static char last_error[1024];

static void keep_message(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (level == MESSAGE_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", text);
	if (level == MESSAGE_WARNING) {
		warnings++;
		print_message("  warning: %s\n", text);
	}
}

/* ---- the program ------------------------------------------------------------------------ */

static int set_sink(void **state)
{
	(void)state;
	message_set_sink(keep_message, NULL);
	return 0;
}

static int close_devices(void **state)
{
	(void)state;
	message_set_sink(NULL, NULL);
	clx_close(devices[2]);
	clx_close(devices[3]);
	return 0;
}

static struct clx *device_for(int dim)
{
	bool named_missing;
	if (!devices[dim])
		devices[dim] = clx_open(NULL, dim, false, false, &named_missing);
	if (!devices[dim])
		fail_msg("%s", last_error);
	return devices[dim];
}

static void run_case(void **state)
{
	const struct fixture_case *c = *state;
	missed = 0;
	c->run();
	if (missed)
		fail_msg("%d bar(s) missed", missed);
}

int fixture_main(int argc, char **argv, const struct fixture_case *cases, size_t count)
{
	struct CMUnitTest tests[MAX_CASES] = {{0}};
	struct fixture_case copies[MAX_CASES];
	full = tests_are_full();
	for (int a = 1; a < argc; a++) {
		if (strcmp(argv[a], "--full") == 0)
			full = true;
		else
			cmocka_set_test_filter(argv[a]);
	}
	for (size_t i = 0; i < count && i < MAX_CASES; i++) {
		copies[i] = cases[i];
		tests[i] = (struct CMUnitTest){
			.name = cases[i].name, .test_func = run_case, .initial_state = &copies[i]};
	}
	return count > MAX_CASES ? 1
				 : _cmocka_run_group_tests("invariants", tests, count, set_sink,
							   close_devices);
}

bool fixture_full(void)
{
	return full;
}

double fixture_pick(double quick, double long_form)
{
	return full ? long_form : quick;
}

/* ---- bars ------------------------------------------------------------------------------- */

void fixture_note(const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_message("  %s\n", text);
}

void expect(const char *what, double value, double low, double high)
{
	const bool ok = value >= low && value <= high;
	missed += !ok;
	print_message("    %-4s %-56s %12.5g  [%.5g, %.5g]\n", ok ? "ok" : "MISS", what, value, low,
		      high);
}

void expect_small(const char *what, double value, double bar)
{
	const bool ok = fabs(value) <= bar;
	missed += !ok;
	print_message("    %-4s %-56s %12.5g  <= %.5g\n", ok ? "ok" : "MISS", what, value, bar);
}

/* ---- simulations ------------------------------------------------------------------------ */

static struct scene *read_scene(const char *format, va_list args)
{
	char path[TEMPORARY_PATH], text[32768];
	const int length = vsnprintf(text, sizeof(text), format, args);
	assert_true(length > 0 && (size_t)length < sizeof(text));
	assert_true(temporary_pattern(path, "invariant"));
	const int file = mkstemp(path);
	assert_true(file >= 0);
	const bool written = write(file, text, (size_t)length) == length;
	close(file);
	struct scene *scene = written ? scene_read(path, NULL, 0) : NULL;
	unlink(path);
	if (!scene)
		fail_msg("%s\nin\n%s", last_error, text);
	return scene;
}

struct sim *fixture_sim(const char *format, ...)
{
	va_list args;
	int slot = 0;
	while (slot < MAX_SIMS && scenes[slot])
		slot++;
	assert_true(slot < MAX_SIMS);
	warnings = 0;
	va_start(args, format);
	scenes[slot] = read_scene(format, args);
	va_end(args);
	struct sim *sim = sim_create(scenes[slot], device_for(scenes[slot]->dim));
	if (!sim || !sim_measure(sim))
		fail_msg("%s", last_error);
	return sim;
}

void fixture_free(struct sim *sim)
{
	if (!sim)
		return;
	for (int slot = 0; slot < MAX_SIMS; slot++)
		if (scenes[slot] == sim->scene) {
			sim_destroy(sim);
			scene_free(scenes[slot]);
			scenes[slot] = NULL;
			return;
		}
	fail_msg("%s", "a simulation of another origin");
}

int fixture_warnings(void)
{
	return warnings;
}

void fixture_step(struct sim *sim)
{
	if (!sim_substep(sim))
		fail_msg("t = %g s: %s", sim->time, last_error);
}

void fixture_run(struct sim *sim, double t, void (*after)(struct sim *sim, void *user), void *user)
{
	while (sim->time < t - 1e-9) {
		fixture_step(sim);
		if (after)
			after(sim, user);
	}
}

void fixture_begin(struct sim *sim, double dt)
{
	for (int which = 0; which < SCALAR_PUSHED; which++)
		assert_true(lattice_set_scalar(&sim->lattice, (enum scalar)which, 0));
	sim->dt = dt;
	sim->dt_f = (f32)dt;
	forces_gravity(sim, sim->time);
}

void fixture_stage(bool ok)
{
	if (!ok)
		fail_msg("stage failed: %s", last_error);
}

/* ---- particles -------------------------------------------------------------------------- */

static void *need(void *memory)
{
	if (!memory)
		fail_msg("%s", "out of memory");
	return memory;
}

struct cloud cloud_make(int dim, u32 count, bool affine)
{
	struct cloud c = {.dim = dim, .count = count};
	const size_t items = count ? count : 1;
	c.id = need(calloc(items, sizeof(u32)));
	for (u32 p = 0; p < count; p++)
		c.id[p] = p;
	for (int a = 0; a < 3; a++) {
		c.x[a] = need(calloc(items, sizeof(f32)));
		c.v[a] = need(calloc(items, sizeof(f32)));
	}
	if (affine)
		c.affine = need(calloc(items * (size_t)(dim * dim), sizeof(f32)));
	return c;
}

void cloud_free(struct cloud *cloud)
{
	free(cloud->id);
	free(cloud->affine);
	for (int a = 0; a < 3; a++) {
		free(cloud->x[a]);
		free(cloud->v[a]);
	}
	memset(cloud, 0, sizeof(*cloud));
}

void *fixture_read_raw(const struct sim *sim, const struct clx_buffer *buffer)
{
	void *data = need(malloc(buffer->bytes));
	assert_true(clx_read_raw(sim->cl, buffer, 0, buffer->bytes, data));
	return data;
}

void fixture_write_raw(struct sim *sim, struct clx_buffer *buffer, const void *data, size_t bytes)
{
	assert_true(bytes <= buffer->bytes);
	assert_true(clx_write_raw(sim->cl, buffer, 0, bytes, data));
}

struct rank {
	u32 id, at;
};

static int compare_ranks(const void *a, const void *b)
{
	const u32 left = ((const struct rank *)a)->id, right = ((const struct rank *)b)->id;
	return (left > right) - (left < right);
}

struct cloud cloud_read(const struct sim *sim)
{
	const struct particles *p = &sim->particles;
	const size_t stride = p->capacity, dim = (size_t)sim->dim;
	const bool affine = scene_has_affine(sim->scene);
	u32 *id = fixture_read(sim, &p->now.id), living = 0;
	f32 *x = fixture_read(sim, &p->now.position), *v = fixture_read(sim, &p->now.velocity);
	f32 *c = affine ? fixture_read(sim, &p->now.affine) : NULL;
	struct rank *ranks = need(malloc((p->count + 1) * sizeof(*ranks)));
	for (u32 at = 0; at < p->count; at++)
		if (id[at] != ID_REMOVED)
			ranks[living++] = (struct rank){id[at], at};
	qsort(ranks, living, sizeof(*ranks), compare_ranks);

	struct cloud cloud = cloud_make(sim->dim, living, affine);
	for (u32 i = 0; i < living; i++) {
		const size_t at = ranks[i].at;
		cloud.id[i] = ranks[i].id;
		for (size_t a = 0; a < dim; a++) {
			cloud.x[a][i] = x[a * stride + at];
			cloud.v[a][i] = v[a * stride + at];
		}
		for (size_t a = 0; a < dim * dim && affine; a++)
			cloud.affine[a * living + i] = c[a * stride + at];
	}
	free(ranks);
	free(id);
	free(x);
	free(v);
	free(c);
	return cloud;
}

/* Accounts for these particles, and those that have left before. */
static void open_ledger(struct sim *sim, const struct cloud *cloud)
{
	const u32 *s = sim->lattice.host_scalars;
	u32 *ids = sim->ledger.created_ids;
	ledger_open(sim, 0, cloud->count + s[SCALAR_REMOVED_OPEN]);
	ids[0] = s[SCALAR_REMOVED_FIRST];
	ids[1] = s[SCALAR_REMOVED_SECOND];
	for (u32 i = 0; i < cloud->count; i++) {
		ids[0] += ledger_hash(cloud->id[i], LEDGER_FIRST);
		ids[1] += ledger_hash(cloud->id[i], LEDGER_SECOND);
	}
}

void cloud_write(struct sim *sim, const struct cloud *cloud)
{
	struct particles *p = &sim->particles;
	const size_t bytes = cloud->count * sizeof(f32), stride = p->capacity * sizeof(f32);
	const size_t dim = (size_t)sim->dim;
	assert_true(cloud->count <= p->capacity && cloud->dim == sim->dim);
	p->count = cloud->count;
	open_ledger(sim, cloud);
	if (cloud->count == 0)
		return;
	assert_true(clx_write(sim->cl, &p->now.id, 0, bytes, cloud->id));
	for (size_t a = 0; a < dim; a++) {
		assert_true(clx_write(sim->cl, &p->now.position, a * stride, bytes, cloud->x[a]));
		assert_true(clx_write(sim->cl, &p->now.velocity, a * stride, bytes, cloud->v[a]));
	}
	for (size_t a = 0; a < dim * dim && cloud->affine; a++)
		assert_true(clx_write(sim->cl, &p->now.affine, a * stride, bytes,
				      cloud->affine + a * cloud->count));
}

double cloud_mean(const struct cloud *cloud, const f32 *component)
{
	double sum = 0.0;
	for (u32 p = 0; p < cloud->count; p++)
		sum += (double)component[p];
	return sum / cloud->count;
}

double cloud_vrms(const struct cloud *cloud)
{
	double sum = 0.0;
	for (int a = 0; a < cloud->dim; a++)
		for (u32 p = 0; p < cloud->count; p++)
			sum += (double)cloud->v[a][p] * (double)cloud->v[a][p];
	return sqrt(sum / cloud->count);
}

/* ---- fields ----------------------------------------------------------------------------- */

size_t lattice_at(const struct grid *g, i32 i, i32 j, i32 k)
{
	return ((size_t)k * (size_t)g->py + (size_t)j) * (size_t)g->px + (size_t)i;
}

bool has_cell(const struct grid *g, i32 i, i32 j, i32 k)
{
	return i >= 0 && j >= 0 && k >= 0 && i < g->nx && j < g->ny && k < g->nz;
}

bool has_face(const struct grid *g, int c, i32 i, i32 j, i32 k)
{
	return i >= 0 && j >= 0 && k >= 0 && i < g->nx + (c == 0) && j < g->ny + (c == 1) &&
	       k < g->nz + (c == 2);
}

u32 *count_particles(const struct sim *sim, const struct cloud *cloud)
{
	const struct grid *g = &sim->lattice.grid;
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	u32 *count = need(calloc((size_t)g->lattice, sizeof(u32)));
	for (u32 p = 0; p < cloud->count; p++) {
		i32 at[3] = {0, 0, 0};
		for (int a = 0; a < sim->dim; a++) {
			at[a] = (i32)floor((double)cloud->x[a][p] / (double)g->h);
			at[a] = at[a] < 0 ? 0 : at[a] >= cells[a] ? cells[a] - 1 : at[a];
		}
		count[lattice_at(g, at[0], at[1], at[2])]++;
	}
	return count;
}

/* ---- random numbers --------------------------------------------------------------------- */

double fixture_random(u64 *state)
{
	return random_unit(state);
}

void fixture_append_push(char *text, size_t room, int dim, double rate)
{
	for (int n = 0; n <= 40; n++) {
		const double t = 0.02 * n;
		const size_t used = strlen(text);
		snprintf(text + used, room - used, "%s{time: %g, translate: [%.17g, 0%s]}",
			 n ? ", " : "", t, 0.5 * rate * t * t, dim == 3 ? ", 0" : "");
	}
}
