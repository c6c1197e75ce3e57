/*
 * Flow in a box that moves, against potential flow and linear theory.  2D.
 * docs/method.md, "A box that moves".
 */
#include <math.h>
#include <stdio.h>

#include "sim_fixture.h"

#define G 9.81
#define PI 3.14159265358979

/* ---- spin-up, and Coriolis in a full box -------------------------------------------------- */

/* A square box full of liquid, spun up: in axes at rest the liquid does not turn, and in the box it
 * flows with vorticity -2 omega.  Its energy is rho omega^2 / 2 times the torsion constant of the
 * square, 0.140577 a^4 (Timoshenko & Goodier 1970, art. 109). */
static void spin_up(void)
{
	const double spin = 3.0;
	struct sim *sim = fixture_sim("domain: {size: [1, 1], cells: 48}\ngravity: [0, 0]\n"
				      "time: {fps: 40}\nliquid: {flip_ratio: 1}\n"
				      "frame: {motion: [{time: 0, angular_velocity: 0},\n"
				      "  {time: 0.1, angular_velocity: %g}]}\n"
				      "liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n",
				      spin);
	fixture_run(sim, 0.1, NULL, NULL);
	const double exact = 0.5 * 1000.0 * spin * spin * 0.140577;
	expect("energy / potential flow's when spun up", sim->stats.report.kinetic_energy / exact,
	       0.98, 1.02);
	fixture_run(sim, fixture_pick(0.2, 1.0), NULL, NULL);
	fixture_note("kept after %.3g turns of the box: %.4f", sim->time * spin / (2.0 * PI),
		     sim->stats.report.kinetic_energy / exact);
	fixture_free(sim);
}

/* In the plane Coriolis' acceleration of an incompressible flow is a gradient: a box that turns
 * steadily, full of liquid, must leave the flow in it as it is.  Energy of a swirl in half a turn.
 */
static double swirl_energy(double spin, double dt, const char *transfer)
{
	struct sim *sim =
		fixture_sim("domain: {size: [1, 1], cells: 32}\ngravity: [0, 0]\n"
			    "time: {fps: 10, dt: %.17g}\nliquid: {flip_ratio: 1, transfer: %s}\n"
			    "frame: {motion: [{time: 0, angular_velocity: %g}]}\n"
			    "liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n",
			    dt, transfer, spin);
	struct cloud cloud = cloud_read(sim);
	for (u32 p = 0; p < cloud.count; p++) {
		const double x = PI * (double)cloud.x[0][p], y = PI * (double)cloud.x[1][p];
		cloud.v[0][p] = (f32)(0.2 * sin(x) * cos(y));
		cloud.v[1][p] = (f32)(-0.2 * cos(x) * sin(y));
	}
	cloud_write(sim, &cloud);
	cloud_free(&cloud);
	fixture_run(sim, 0.5, NULL, NULL);
	const double energy = sim->stats.report.kinetic_energy / (0.5 * 1000.0 * 0.02);
	fixture_free(sim);
	return energy;
}

static void coriolis_in_a_full_box(void)
{
	static const char *const transfers[] = {"flip", "apic"};
	const double spin = 2.0 * PI, dt = 1.0 / 200.0;
	for (int n = 0; n < (fixture_full() ? 2 : 1); n++) {
		const double still = swirl_energy(0.0, dt, transfers[n]);
		const double spun = swirl_energy(spin, dt, transfers[n]);
		/* A turn and a projection one after the other would leave
		 * exp(-4 omega^2 dt t) = 0.67 of the energy. */
		fixture_note("%s: energy kept %.4f, %.4f in the box that turns", transfers[n],
			     still, spun);
		expect("energy with spin / without", spun / still, 0.98, 1.02);
	}
}

/* ---- sloshing ----------------------------------------------------------------------------- */

/* Linear theory of a tank L x H that is accelerated by a(t) sideways: the odd modes,
 *   eta_m'' + w_m^2 eta_m = -(w_m^2 / g) c_m a,  c_m = -4 L / (m pi)^2,  w^2 = g k tanh(k H),
 * and the centre of mass, x - L/2 = sum eta_m c_m / (2 H). */
#define LENGTH 1.0
#define DEPTH 0.5
#define MODES 15

static double frequency_of(int m)
{
	const double k = m * PI / LENGTH;
	return sqrt(G * k * tanh(k * DEPTH));
}

struct slosh {
	double sway, omega, push; /* sway sin(omega t), or a constant acceleration */
	double error, most, before, before_time, crossings[16];
	int count;
	double mean;
};

/* eta_m(t) / c_m from rest. */
static double mode_at(const struct slosh *s, int m, double t)
{
	const double w = frequency_of(m);
	if (s->push > 0.0)
		return -s->push / G * (1.0 - cos(w * t));
	/* The velocity of the box jumps at the start, the liquid's in the box does not: a = -A o^2
	 * sin(o t). */
	const double drive = w * w / G * s->sway * s->omega * s->omega;
	return drive / (w * w - s->omega * s->omega) *
	       (sin(s->omega * t) - s->omega / w * sin(w * t));
}

static double centre_at(const struct slosh *s, double t)
{
	double sum = 0.0;
	for (int m = 1; m <= MODES; m += 2) {
		const double c = -4.0 * LENGTH / (m * m * PI * PI);
		sum += mode_at(s, m, t) * c * c / (2.0 * DEPTH);
	}
	return sum;
}

static void watch_slosh(struct sim *sim, void *user)
{
	struct slosh *s = user;
	struct cloud cloud = cloud_read(sim);
	const double x = cloud_mean(&cloud, cloud.x[0]) - 0.5 * LENGTH;
	cloud_free(&cloud);
	const double exact = centre_at(s, sim->time), above = x - s->mean;
	s->error = fmax(s->error, fabs(x - exact));
	s->most = fmax(s->most, fabs(exact));
	if (s->before * above < 0.0 && s->count < 16)
		s->crossings[s->count++] = s->before_time + (sim->time - s->before_time) *
								    s->before / (s->before - above);
	s->before = above;
	s->before_time = sim->time;
}

static struct sim *make_tank(const char *frame)
{
	return fixture_sim("domain: {size: [%g, 1], cells: 32}\ntime: {fps: 60, dt: %.17g}\n"
			   "liquid: {flip_ratio: 1}\n"
			   "liquids: [{box: {min: [0, 0], max: [1, %g]}}]\nframe: {%s}\n",
			   LENGTH, 1.0 / 240.0, DEPTH, frame);
}

/* The first mode's period from a push that lasts. */
static void pushed_tank(void)
{
	char text[160];
	struct slosh s = {.push = 0.05 * G};
	const double period = 2.0 * PI / frequency_of(1);
	snprintf(text, sizeof(text),
		 "motion: [{time: 0, velocity: [0, 0]}, {time: 100, velocity: [%.17g, 0]}]",
		 100.0 * s.push);
	struct sim *sim = make_tank(text);
	/* About the tilted surface. */
	for (int m = 1; m <= MODES; m += 2) {
		const double c = -4.0 * LENGTH / (m * m * PI * PI);
		s.mean -= s.push / G * c * c / (2.0 * DEPTH);
	}
	s.before = -s.mean;
	fixture_run(sim, ceil(60.0 * fixture_pick(1.9, 4.4) * period) / 60.0, watch_slosh, &s);
	expect("swings", s.count, 3.0, 16.0);
	const double measured = 2.0 * (s.crossings[s.count - 1] - s.crossings[0]) / (s.count - 1);
	fixture_note("period %.4f s, theory %.4f s", measured, period);
	expect_small("period / theory - 1", measured / period - 1.0, 0.02);
	expect_small("centre of mass, worst error / swing", s.error / s.most, 0.12);
	fixture_free(sim);
}

/* A small sway below resonance, against the whole linear solution. */
static void swaying_tank(void)
{
	char text[160];
	struct slosh s = {.sway = 0.0125, .omega = 0.7 * frequency_of(1)};
	snprintf(text, sizeof(text), "sway: {amplitude: [%.17g, 0], frequency: %.17g}", s.sway,
		 s.omega / (2.0 * PI));
	struct sim *sim = make_tank(text);
	fixture_run(sim, fixture_pick(1.5, 5.0), watch_slosh, &s);
	fixture_note("largest excursion of the centre %.3g mm", 1000.0 * s.most);
	expect_small("centre of mass, worst error / largest", s.error / s.most, 0.12);
	fixture_free(sim);
}
int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(spin_up),
		CASE(coriolis_in_a_full_box),
		CASE(pushed_tank),
		CASE(swaying_tank),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
