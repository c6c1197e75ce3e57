/*
 * `grid.surface: levelset`: volumes below planes, what a steady flow carries, tanks at rest, volume
 * and its correction, work by bricks.  2D and 3D.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

#include "grid/grid_levelset.h"
#include "scene.h"

#define ONE ((double)VOLUME_ONE)
#define PI 3.14159265358979

static struct sim *make_box(int cells, const char *more)
{
	return DIM == 2 ? fixture_sim("method: grid\ngrid: {surface: levelset%s}\n"
				      "domain: {size: [1, 1], cells: %d}\n"
				      "liquids: [{box: {min: [0, 0], max: [0.5, 0.5]}}]\n",
				      more, cells)
			: fixture_sim("method: grid\ngrid: {surface: levelset%s}\n"
				      "domain: {size: [1, 1, 1], cells: %d}\n"
				      "liquids: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]\n",
				      more, cells);
}

/* ---- fields ------------------------------------------------------------------------------- */

typedef double (*field)(const double x[3]);

static void for_cells(struct sim *sim,
		      void (*each)(struct sim *sim, i32 at, const double x[3], void *user),
		      void *user)
{
	const struct grid *g = &sim->lattice.grid;
	for (i32 k = 0; k < g->nz; k++)
		for (i32 j = 0; j < g->ny; j++)
			for (i32 i = 0; i < g->nx; i++) {
				const double h = sim->scene->h;
				const double x[3] = {(i + 0.5) * h, (j + 0.5) * h,
						     DIM == 3 ? (k + 0.5) * h : 0.0};
				each(sim, (i32)lattice_at(g, i, j, k), x, user);
			}
}

struct filling {
	f32 *phi;
	field value;
};

static void fill_cell(struct sim *sim, i32 at, const double x[3], void *user)
{
	const struct filling *f = user;
	(void)sim;
	f->phi[at] = (f32)f->value(x);
}

static void set_phi(struct sim *sim, union f32_buffer *to, field value)
{
	struct filling f = {calloc(1, to->bytes), value};
	for_cells(sim, fill_cell, &f);
	fixture_stage(f.phi && clx_write(sim->cl, to, 0, to->bytes, f.phi));
	free(f.phi);
}

/* ---- volumes below planes ----------------------------------------------------------------- */

static double normal[3], offset;

static double plane(const double x[3])
{
	return normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2] - offset;
}

/* Of the unit box below a plane: sum over corners (Scardovelli & Zaleski 2000, eq. 3), all
 * components positive. */
static double part_below(void)
{
	double sum = 0.0, product = 1.0;
	for (int q = 0; q < 1 << DIM; q++) {
		double depth = offset;
		int sign = 1;
		for (int a = 0; a < DIM; a++)
			if (q >> a & 1) {
				depth -= normal[a];
				sign = -sign;
			}
		sum += depth > 0.0 ? sign * pow(depth, DIM) : 0.0;
	}
	for (int a = 0; a < DIM; a++)
		product *= (a + 1) * normal[a];
	return sum / product;
}

static void planes(void)
{
	static const double normals[][3] = {{0.6, 0.8, 0.0}, {0.01, 1.0, 0.0}, {0.7, 0.3, 0.65}};
	struct sim *sim = make_box(8, "");
	double worst = 0.0;
	for (int n = 0; n < 3; n++)
		for (int o = 1; o < 10; o++) {
			double sum = 0.0, length = 0.0;
			for (int a = 0; a < DIM; a++) {
				normal[a] = DIM == 3 && normals[n][a] < 1e-6 ? 0.2 : normals[n][a];
				length += normal[a];
			}
			offset = 0.1 * o * length;
			set_phi(sim, &sim->levelset.phi, plane);
			fixture_stage(grid_levelset_fill(sim));
			int32_t *units = fixture_read(sim, &sim->vof.volume);
			for (i32 at = 0; at < sim->lattice.grid.lattice; at++)
				sum += units[at] / ONE;
			free(units);
			const double cells = pow(8.0, DIM);
			worst = fmax(worst, fabs(sum / cells - part_below()));
		}
	/* Rounding of phi: 2^-24 of the box in height at most, in each of the cells cut. */
	expect_small("volume below planes, error", worst, 2e-7);
	fixture_free(sim);
}

/* ---- carried ------------------------------------------------------------------------------ */

#define SHIFT 0.3 /* of a cell, along every axis */

struct comparison {
	f32 *phi;
	field value;
	double worst, h;
};

/* In the middle third, away from walls. */
static void compare_cell(struct sim *sim, i32 at, const double x[3], void *user)
{
	struct comparison *c = user;
	double from[3] = {0.0, 0.0, 0.0};
	for (int a = 0; a < DIM; a++) {
		from[a] = x[a] - SHIFT * c->h;
		if (fabs(x[a] - 0.5) > 1.0 / 6.0)
			return;
	}
	(void)sim;
	c->worst = fmax(c->worst, fabs((double)c->phi[at] - c->value(from)));
}

static double carry(int cells, const char *interpolation, field value)
{
	struct sim *sim = make_box(cells, interpolation);
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	const double h = sim->scene->h;
	f32 *u = calloc(DIM * lattice, sizeof(*u));
	for (size_t n = 0; n < DIM * lattice; n++)
		u[n] = 1.0f;
	set_phi(sim, &sim->levelset.before, value);
	sim->dt = SHIFT * h;
	sim->dt_f = (f32)sim->dt;
	fixture_stage(clx_write(sim->cl, &sim->u_face, 0, sim->u_face.bytes, u) &&
		      grid_levelset_carry(sim));
	struct comparison c = {fixture_read(sim, &sim->levelset.phi), value, 0.0, h};
	for_cells(sim, compare_cell, &c);
	free(c.phi);
	free(u);
	fixture_free(sim);
	return c.worst;
}

/* Monotone, so that no limit acts. */
static double smooth(const double x[3])
{
	return exp(x[0] + 0.5 * x[1] + 0.25 * x[2]);
}

static void carried(void)
{
	normal[0] = 0.3;
	normal[1] = -0.5;
	normal[2] = DIM == 3 ? 0.2 : 0.0;
	offset = 0.1;
	expect_small("a plane, linear", carry(16, "", plane), 2e-7);
	expect_small("a plane, cubic", carry(16, ", interpolation: cubic", plane), 2e-7);
	const double linear = carry(12, "", smooth);
	const double cubic = carry(12, ", interpolation: cubic", smooth);
	expect("linear: error from 12 to 24 cells", linear / carry(24, "", smooth), 3.4, 4.6);
	/* Catmull-Rom: third order (Keys 1981). */
	expect("cubic: error from 12 to 24 cells",
	       cubic / carry(24, ", interpolation: cubic", smooth), 6.8, 9.2);
}

/* ---- at rest ------------------------------------------------------------------------------ */

static void at_rest(void)
{
	struct sim *sim =
		DIM == 2 ? fixture_sim("method: grid\ngrid: {surface: levelset, redistance: step}\n"
				       "domain: {size: [1, 1], cells: 32}\n"
				       "time: {fps: 10, frames: 100}\n"
				       "liquids: [{box: {min: [0, 0], max: [1, 0.26]}}]\n")
			 : fixture_sim("method: grid\ngrid: {surface: levelset, redistance: step}\n"
				       "domain: {size: [0.5, 1, 0.25], cells: [8, 16, 4]}\n"
				       "time: {fps: 10, frames: 100}\n"
				       "liquids: [{box: {min: [0, 0, 0], max: [1, 0.52, 1]}}]\n");
	const double exact = DIM == 2 ? 0.26 : 0.52 * 0.5 * 0.25;
	expect_small("volume at the start, error", sim->stats.report.volume / exact - 1.0, 1e-5);
	fixture_run(sim, 1.0, NULL, NULL);
	expect_small("max |u|", sim->stats.report.max_speed, 2e-5);
	expect_small("volume after 1 s, error", sim->stats.volume_error, 1e-4);
	fixture_free(sim);
}

/* ---- a dam -------------------------------------------------------------------------------- */

struct errors {
	double least, most, energy;
};

static double energy_of(const struct sim *sim)
{
	return sim->stats.report.kinetic_energy + sim->stats.report.potential_energy;
}

static void watch_volume(struct sim *sim, void *user)
{
	struct errors *e = user;
	e->least = fmin(e->least, sim->stats.volume_error);
	e->most = fmax(e->most, sim->stats.volume_error);
	e->energy = fmax(e->energy, energy_of(sim));
}

static struct errors run_dam(const char *more, double end)
{
	struct sim *sim =
		DIM == 2
			? fixture_sim("method: grid\ngrid: {surface: levelset%s}\n"
				      "domain: {size: [2, 1.25], cells: 64}\n"
				      "time: {fps: 24, frames: 100}\n"
				      "liquids: [{box: {min: [0, 0], max: [0.5, 0.8]}}]\n",
				      more)
			: fixture_sim("method: grid\ngrid: {surface: levelset%s}\n"
				      "domain: {size: [1, 0.75, 0.5], cells: [16, 12, 8]}\n"
				      "time: {fps: 24, frames: 100}\n"
				      "liquids: [{box: {min: [0, 0, 0], max: [0.3, 0.5, 0.25]}}]\n",
				      more);
	const double start = energy_of(sim);
	struct errors e = {0.0, 0.0, start};
	fixture_run(sim, end, watch_volume, &e);
	e.energy /= start;
	expect_small("imbalances", sim->stats.imbalances, 0.0);
	fixture_free(sim);
	return e;
}

/* Volume is lost and made; a tenth of a cell a substep is enough to put it right. */
static void dam(void)
{
	const double end = DIM == 2 ? fixture_pick(0.75, 2.0) : 0.5;
	const struct errors plain = run_dam("", end);
	expect("volume error, least", plain.least, -0.2, 0.0);
	expect("volume error, greatest", plain.most, 0.0, 0.2);
	const struct errors corrected = run_dam(", volume_correction: true", end);
	expect_small("corrected: least", corrected.least, 1e-3);
	expect_small("corrected: greatest", corrected.most, 1e-3);
	expect("corrected: greatest energy / at the start", corrected.energy, 1.0, 1.05);
}

/* ---- bricks ------------------------------------------------------------------------------- */

#if DIM == 2
#define FAR_SCENE                                                     \
	"method: grid\ngrid: {surface: levelset, redistance: 3}\n"    \
	"domain: {size: [3.7, 2.3], cells: 148, walls: {x+: open}}\n" \
	"time: {frames: 60, fps: 60}\n"                               \
	"liquids:\n"                                                  \
	"  - {name: pool, box: {min: [0, 0], max: [0.3, 0.41]}}\n"    \
	"  - {name: drop, sphere: {center: [3.3, 1.2], radius: 0.09}, velocity: [3, -3]}\n"
#else
#define FAR_SCENE                                                         \
	"method: grid\ngrid: {surface: levelset, redistance: 3}\n"        \
	"domain: {size: [1.11, 0.69, 0.87], cells: [74, 46, 58]}\n"       \
	"time: {frames: 60, fps: 60}\n"                                   \
	"liquids:\n"                                                      \
	"  - {name: pool, box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}\n" \
	"  - {name: drop, sphere: {center: [0.7, 0.5, 0.6], radius: 0.05}, velocity: [2, -1, 1]}\n"
#endif

static void same_bytes(struct sim *a, const struct clx_buffer *of_a, struct sim *b,
		       const struct clx_buffer *of_b, const char *what)
{
	void *here = fixture_read_raw(a, of_a), *there = fixture_read_raw(b, of_b);
	expect(what, memcmp(here, there, of_a->bytes) != 0, 0, 0);
	free(here);
	free(there);
}

/* Once, in the third substep: taken back, and repeated with half the step. */
static bool fail_once(struct sim *sim, size_t stage, void *user)
{
	(void)user;
	if (sim->steps == 2 && strcmp(sim->method->stages[stage].name, "pressure") == 0)
		sim->step_failed = STEP_DIVERGED;
	return true;
}

static void same_over_all_bricks(void)
{
	struct sim *some = fixture_sim("%s", FAR_SCENE), *all = fixture_sim("%s", FAR_SCENE);
	all->lattice.bricks.all = true;
	some->after_stage = all->after_stage = fail_once;
	for (int n = 0; n < (int)fixture_pick(8, 40); n++) {
		u64 hash = 0, other = 0;
		fixture_step(some);
		fixture_step(all);
		fixture_stage(sim_hash(some, n, &hash) && sim_hash(all, n, &other));
		expect("hashes that differ", hash != other, 0, 0);
	}
	same_bytes(some, &some->phi.raw, all, &all->phi.raw, "level sets that differ");
	same_bytes(some, &some->u_face.raw, all, &all->u_face.raw, "velocities that differ");
	expect("retries", some->retries + all->retries, 2, 2);
	fixture_free(some);
	fixture_free(all);
}

int main(int argc, char **argv)
{
	const struct fixture_case cases[] = {
		CASE(planes), CASE(carried), CASE(at_rest), CASE(dam), CASE(same_over_all_bricks),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
