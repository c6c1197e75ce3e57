/*
 * Friction at walls: the stress is that of the law, at walls, at solids of any slope, at rough
 * ones, at walls across and at what moves; a tank at rest does not notice, energy never grows, and
 * what the liquid loses is what the ledger and the loads say.
 */
#include "sim_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if DIM == 2
#define V(x, y) "[" #x ", " #y "]"
#else
#define V(x, y) "[" #x ", " #y ", 0]"
#endif
#define NU 1e-6

/* ---- the law ------------------------------------------------------------------------------- */

/* Stress over density, m^2/s^2: Werner & Wengle (1993), pointwise; below y+ = 11.8 the laminar one.
 */
static double smooth(double u, double y, double nu)
{
	const double turbulent = pow(8.3, -1.75) * pow(u, 1.75) * pow(nu / y, 0.25);
	return fmax(turbulent, nu * u / y);
}

static double rough(double u, double y, double grains)
{
	const double ratio = 0.41 / log(30.0 * y / grains);
	return ratio * ratio * u * u;
}

/* What `forces` leaves in a substep: friction at faces, by component. */
struct after_forces {
	double dt;
	f32 *slowed, *u_face;
	struct grid g;
};

static bool keep_friction(struct sim *sim, size_t stage, void *user)
{
	struct after_forces *a = user;
	if (strcmp(sim->method->stages[stage].name, "forces") == 0) {
		a->dt = sim->dt;
		a->g = sim->lattice.grid;
		a->slowed = fixture_read(sim, &sim->slowed);
		a->u_face = fixture_read(sim, &sim->u_face);
	}
	return true;
}

/* One substep of a simulation, which is freed. */
static struct after_forces first_step(struct sim *sim)
{
	struct after_forces a = {0};
	sim->after_stage = keep_friction;
	sim->after_stage_user = &a;
	fixture_step(sim);
	fixture_free(sim);
	return a;
}

static void free_after(struct after_forces *a)
{
	free(a->slowed);
	free(a->u_face);
}

static double friction_at(const struct after_forces *a, int c, int i, int j)
{
	const size_t at = lattice_at(&a->g, i, j, DIM == 3 ? a->g.nz / 2 : 0);
	return (double)a->slowed[(size_t)c * (size_t)a->g.lattice + at];
}

/* A layer of liquid that slides along x through a box 16 x 6 cells of 0.05 m, 4 deep. */
static struct sim *layer(const char *law, const char *velocity, const char *more)
{
	return fixture_sim("domain: {size: %s, cell_size: 0.05, %s}\ngravity: %s\n"
			   "time: {frames: 9, fps: 50, dt: 0.01}\nliquid: {jitter: 0%s}\n"
			   "liquids: [{box: {min: %s, max: %s}, velocity: %s}]\n%s",
			   DIM == 2 ? "[0.8, 0.3]" : "[0.8, 0.3, 0.4]", law,
			   DIM == 2 ? "[0, 0]" : "[0, 0, 0]", strstr(more, "viscosity") ? more : "",
			   DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
			   DIM == 2 ? "[0.8, 0.2]" : "[0.8, 0.2, 0.4]", velocity,
			   strstr(more, "viscosity") ? "" : more);
}

/* What a face loses by a wall of area `area`, in faces, at stress tau. */
static double loss(double u, double tau, double dt, double area, double h)
{
	const double k = dt * area * tau / (u * h);
	return -k / (1.0 + k) * u;
}

static void floors(void)
{
	static const struct {
		const char *law, *nu;
		double viscosity, grains;
	} laws[] = {{"smooth", "", NU, 0.0},
		    {"smooth", ", viscosity: 0.1", 0.1, 0.0},
		    {"smooth", ", viscosity: 1e-4", 1e-4, 0.0},
		    {"{roughness: 0.002}", "", NU, 0.002},
		    {"{roughness: 0.05}", "", NU, 0.05}};
	for (size_t n = 0; n < sizeof(laws) / sizeof(laws[0]); n++) {
		char law[64];
		snprintf(law, sizeof(law), "wall_law: %s", laws[n].law);
		fixture_note("wall_law %s, viscosity %g", laws[n].law, laws[n].viscosity);
		struct after_forces a = first_step(layer(law, V(2, 0), laws[n].nu));
		const double h = 0.05, y = 0.5 * h;
		const double tau = laws[n].grains > 0.0 ? rough(2.0, y, laws[n].grains)
							: smooth(2.0, y, laws[n].viscosity);
		const double expected = loss(2.0, tau, a.dt, 1.0, h);
		/* Its table is linear between its entries. */
		expect("at the floor, of the law", friction_at(&a, 0, 8, 0) / expected, 1 - 2e-4,
		       1 + 2e-4);
		expect("a cell higher", friction_at(&a, 0, 8, 1), 0, 0);
		expect("across the floor", friction_at(&a, 1, 8, 1), 0, 0);
		free_after(&a);
	}
	fixture_note("no law");
	struct sim *sim = layer("wall_law: none", V(2, 0), "");
	expect("memory for friction", (double)sim->slowed.raw.bytes, 4, 4);
	fixture_free(sim);
}

#if DIM == 3
/* Along both axes of the floor at once the stress is along the velocity; beside a side wall there
 * are two walls. */
static void oblique(void)
{
	struct after_forces a = first_step(layer("wall_law: smooth", "[2, 0, 1]", ""));
	const double h = 0.05, u = sqrt(5.0), k = a.dt * smooth(u, 0.5 * h, NU) / (u * h);
	expect("along x, of the law", friction_at(&a, 0, 8, 0) / (-2.0 * k / (1.0 + k)), 1 - 2e-4,
	       1 + 2e-4);
	expect("along z, of the law", friction_at(&a, 2, 8, 0) / (-1.0 * k / (1.0 + k)), 1 - 2e-4,
	       1 + 2e-4);
	free_after(&a);
	a = first_step(layer("wall_law: smooth", "[2, 0, 0]", ""));
	const double both = a.dt * smooth(2.0, 0.5 * h, NU) / h;
	const size_t edge = lattice_at(&a.g, 8, 0, 0), side = lattice_at(&a.g, 8, 2, 0);
	expect("at the edge of two walls", (double)a.slowed[edge] / (-2.0 * both / (1.0 + both)),
	       1 - 2e-4, 1 + 2e-4);
	expect("at one of them", (double)a.slowed[side] / (-2.0 * both / (2.0 + both)), 1 - 2e-4,
	       1 + 2e-4);
	free_after(&a);
}
#else
/* Walls across: 2 tau / W on all faces of liquid. */
static void across(void)
{
	static const struct {
		const char *law;
		double grains;
	} laws[] = {{"wall_law: smooth, side_walls: 0.12", 0.0},
		    {"wall_law: {roughness: 0.01}, side_walls: 0.12", 0.01}};
	for (size_t n = 0; n < 2; n++) {
		struct after_forces a = first_step(layer(laws[n].law, V(2, 0), ""));
		const double y = 0.06;
		const double tau =
			laws[n].grains > 0.0 ? rough(2.0, y, laws[n].grains) : smooth(2.0, y, NU);
		const double k = a.dt * 2.0 * tau / (0.12 * 2.0);
		expect("in the middle, of the law",
		       friction_at(&a, 0, 8, 2) / (-2.0 * k / (1.0 + k)), 1 - 2e-4, 1 + 2e-4);
		free_after(&a);
	}
}
#endif

/* ---- solids -------------------------------------------------------------------------------- */

static double total_impulse(const struct sim *sim, int a)
{
	return sim->ledger.accounts.total.friction[a];
}

/* Walls keep hold: what is let go at a slope pushes, and that is not friction.  A slab at any
 * height and slope, in a stream along it: stress times area times time.  A cell's sample is not at
 * one distance from such a wall, so the law is compared at the mean of them; a smooth law varies
 * with the fourth root of it. */
static struct sim *over_slab(double slope, double height, double u, const char *law)
{
	const double cosine = 1.0 / sqrt(1.0 + slope * slope);
	return fixture_sim(
		"domain: {size: %s, cell_size: 0.05, walls: {x-: open, x+: open, y+: open}}\n"
		"gravity: %s\ntime: {frames: 9, fps: 100, dt: 0.01}\nsolver: {separation: false}\nliquid: {particles_per_cell: 16}\n"
		"liquids: [{box: {min: %s, max: %s}, velocity: [%.17g, %.17g%s]}]\n"
		"solids: [{half_space: {point: [0, %.17g%s], normal: [%.17g, 1%s]}, wall_law: %s}]\n",
		DIM == 2 ? "[1, 1.5]" : "[1, 1.5, 0.2]", DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[1, 1.4]" : "[1, 1.4, 0.2]",
		u * cosine, u * cosine * slope, DIM == 3 ? ", 0" : "", height,
		DIM == 3 ? ", 0" : "", -slope, DIM == 3 ? ", 0" : "", law);
}

/* Of the liquid, with what has left through open walls, along a direction (1, s) cosine. */
static double momentum_along(const struct sim *sim, double cosine, double s)
{
	const struct ledger_accounts *a = &sim->ledger.accounts;
	return ((a->now.momentum[0] + a->total.momentum_removed[0]) +
		(a->now.momentum[1] + a->total.momentum_removed[1]) * s) *
	       cosine;
}

static void slabs(void)
{
	static const struct {
		double slope, height;
	} cases[] = {{0.0, 0.01},   {0.0, 0.035}, {0.0, 0.21},
		     {0.0, 0.2375}, {0.25, 0.1},  {1.0, 0.1}};
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		const double s = cases[n].slope, cosine = 1.0 / sqrt(1.0 + s * s), u = 2.0;
		fixture_note("slab of slope %g", s);
		struct sim *sim = over_slab(s, cases[n].height, u, "none");
		fixture_step(sim);
		const double without = momentum_along(sim, cosine, s);
		fixture_free(sim);
		sim = over_slab(s, cases[n].height, u, "smooth");
		fixture_step(sim);
		const double whole =
			1000.0 * smooth(u, 0.025, NU) / cosine * (DIM == 3 ? 0.2 : 1.0) * sim->dt;
		const double x = total_impulse(sim, 0), y = total_impulse(sim, 1);
		const double along = (x + y * s) * cosine, away = (y - x * s) * cosine;
		/* From a quarter of a cell to one: (1/2)^(1/4) = 0.84, 2^(1/4) = 1.19. */
		expect("impulse along it, of the law at half a cell", -along / whole, 0.84, 1.19);
		/* Both components are sampled at distances of their own, 19 % in stress at most. */
		expect_small("away from it, of that", away / whole, 0.045);
		/* Particles are spread by chance. */
		const double lost = momentum_along(sim, cosine, s) - without;
		expect("momentum that particles lose by it, of that impulse", lost / along, 0.9,
		       1.1);
		fixture_free(sim);
	}
}

/* What one solid takes from a stream is what the stream loses, and its torque that of a force
 * along its surface. */
static void loads(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: 32}\ngravity: %s\ntime: {frames: 9, fps: 50}\n"
		"liquids: [{box: {min: %s, max: %s}, velocity: %s}]\n"
		"solids: [{name: ball, sphere: {center: %s, radius: 0.15}, wall_law: smooth}]\n"
		"output: {forces: true}\n",
		DIM == 2 ? "[1, 1]" : "[1, 1, 0.5]", DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		DIM == 2 ? "[0, 0.2]" : "[0, 0.2, 0]", DIM == 2 ? "[1, 0.8]" : "[1, 0.8, 0.5]",
		V(2, 0), DIM == 2 ? "[0.5, 0.5]" : "[0.5, 0.5, 0.25]");
	fixture_step(sim);
	const struct load *load = &sim->loads.now_friction[0];
	for (int a = 0; a < DIM; a++)
		expect_small("impulse on the ball + that on the liquid, of its length",
			     (load->impulse[a] + total_impulse(sim, a)) / load->impulse[0], 1e-5);
	expect("it drags the ball along", load->impulse[0] > 0.0, 1, 1);
	expect_small("torque, of impulse x radius", load->turning[2] / (load->impulse[0] * 0.15),
		     0.02);
	expect("work on what rests", load->work, 0, 0);
	expect("the ball slows the liquid", sim->ledger.accounts.total.friction_work < 0.0, 1, 1);
	fixture_free(sim);
}

/* A belt under liquid at rest: it drags it along, and gives the energy. */
static void belt(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cell_size: 0.05}\ngravity: %s\n"
		"time: {frames: 9, fps: 50, dt: 0.01}\nliquid: {jitter: 0}\n"
		"liquids: [{box: {min: %s, max: %s}}]\n"
		"solids: [{name: belt, box: {min: %s, max: %s}, wall_law: smooth,\n"
		"  motion: [{time: 0}, {time: 1, translate: %s}]}]\n",
		DIM == 2 ? "[2, 0.5]" : "[2, 0.5, 0.2]", DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		DIM == 2 ? "[0, 0.1]" : "[0, 0.1, 0]", DIM == 2 ? "[2, 0.4]" : "[2, 0.4, 0.2]",
		DIM == 2 ? "[-2, -1]" : "[-2, -1, -1]", DIM == 2 ? "[3, 0.1]" : "[3, 0.1, 1]",
		V(1, 0));
	struct after_forces a = {0};
	sim->after_stage = keep_friction;
	sim->after_stage_user = &a;
	fixture_step(sim);
	const double k = a.dt * smooth(1.0, 0.025, NU) / 0.05;
	expect("dragged along, of the law", friction_at(&a, 0, 20, 2) / (k / (1.0 + k)), 1 - 2e-4,
	       1 + 2e-4);
	const struct load *load = &sim->loads.now_friction[0];
	expect("impulse", load->impulse[0] < 0.0, 1, 1);
	expect("work of the liquid on the belt, of force x way",
	       load->work / (load->impulse[0] * 1.0), 1 - 1e-4, 1 + 1e-4);
	expect("work on the liquid", sim->ledger.accounts.total.friction_work > 0.0, 1, 1);
	expect("no more than the belt gives",
	       sim->ledger.accounts.total.friction_work / -load->work, 0, 1);
	fixture_free(sim);
	free_after(&a);
}

/* ---- runs ---------------------------------------------------------------------------------- */

static struct sim *dam(const char *law, const char *transfer)
{
	return fixture_sim("domain: {size: %s, cells: %d, wall_law: %s}\n"
			   "time: {frames: 20, fps: 50}\nliquid: {transfer: %s}\n"
			   "liquids: [{box: {min: %s, max: %s}}]\n",
			   DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 0.25]", DIM == 2 ? 64 : 32, law,
			   transfer, DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
			   DIM == 2 ? "[0.25, 0.4]" : "[0.25, 0.4, 0.25]");
}

struct energies {
	double worst_work, total;
};

static void watch(struct sim *sim, void *user)
{
	struct energies *e = user;
	e->worst_work = fmax(e->worst_work, sim->stats.flow.friction_work);
	e->total = sim->stats.report.kinetic_energy + sim->stats.report.potential_energy;
}

static void energy(void)
{
	static const char *const transfers[] = {"flip", "apic"};
	for (int n = 0; n < 2; n++) {
		struct energies without = {0}, with = {0};
		struct sim *sim = dam("none", transfers[n]);
		const double start = sim->stats.report.potential_energy;
		fixture_note("%s", transfers[n]);
		fixture_run(sim, 0.4, watch, &without);
		fixture_free(sim);
		sim = dam("smooth", transfers[n]);
		fixture_run(sim, 0.4, watch, &with);
		const struct ledger_flow *f = &sim->ledger.accounts.total;
		expect("greatest work in a substep", with.worst_work, 0, 0);
		expect("energy lost, of what friction took",
		       (with.total - without.total) / f->friction_work, 0.5, 1.5);
		expect("energy at the end, of the start", with.total / start, 0, 1);
		fixture_free(sim);
	}
}

/* Calm liquid has nothing to rub. */
static void tank(void)
{
	double speed[2];
	for (int n = 0; n < 2; n++) {
		struct sim *sim = fixture_sim(
			"domain: {size: %s, cells: 16, wall_law: %s}\ntime: {frames: 50, fps: 50}\n"
			"liquids: [{box: {min: %s, max: %s}}]\n",
			DIM == 2 ? "[1, 1]" : "[1, 1, 1]", n ? "smooth" : "none",
			DIM == 2 ? "[0, 0]" : "[0, 0, 0]", DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 1]");
		fixture_run(sim, 0.5, NULL, NULL);
		struct cloud c = cloud_read(sim);
		speed[n] = cloud_vrms(&c);
		cloud_free(&c);
		fixture_free(sim);
	}
	expect("speeds with friction, of those without", speed[1] / speed[0], 0.5, 1.05);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(floors),
#if DIM == 3
		CASE(oblique),
#else
		CASE(across),
#endif
		CASE(slabs),
		CASE(loads),
		CASE(belt),
		CASE(energy),
		CASE(tank),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
