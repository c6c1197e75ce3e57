/*
 * Drops in flight through a box that spins.  In axes at rest they go straight on and keep their
 * shape, so every number here is from mechanics.  2D and 3D.  docs/method.md, "A box that moves".
 *
 * A drop has what a lone particle has not: a velocity that varies from place to place.  Particles
 * then move through a gradient of it while the step's forces act.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box_motion.h"
#include "forces.h"
#include "particles.h"
#include "sim_fixture.h"
#include "transfer.h"

#define PI 3.14159265358979
#define SPIN (2.0 * PI) /* of the box, rad/s */
#define ARM 0.25	/* of the drop's centre from the axis, m */
#define RADIUS 0.1

/* ---- without any error in space ----------------------------------------------------------- */

/* v = v0 + G (x - x0) through a cloud of particles, by least squares. */
struct affine {
	double x0[3], v0[3], g[3][3];
};

/* Solves a x = b, a symmetric and positive, in place. */
static void solve_small(double a[3][3], double b[3])
{
	for (int p = 0; p < DIM; p++)
		for (int r = p + 1; r < DIM; r++) {
			const double f = a[r][p] / a[p][p];
			for (int c = p; c < DIM; c++)
				a[r][c] -= f * a[p][c];
			b[r] -= f * b[p];
		}
	for (int r = DIM - 1; r >= 0; r--) {
		for (int c = r + 1; c < DIM; c++)
			b[r] -= a[r][c] * b[c];
		b[r] /= a[r][r];
	}
}

static struct affine fit(const struct cloud *cloud)
{
	struct affine f = {0};
	double moment[3][3] = {{0}}, mixed[3][3] = {{0}};
	for (int a = 0; a < DIM; a++) {
		f.x0[a] = cloud_mean(cloud, cloud->x[a]);
		f.v0[a] = cloud_mean(cloud, cloud->v[a]);
	}
	for (u32 p = 0; p < cloud->count; p++)
		for (int a = 0; a < DIM; a++) {
			const double arm = (double)cloud->x[a][p] - f.x0[a];
			for (int b = 0; b < DIM; b++) {
				moment[a][b] += arm * ((double)cloud->x[b][p] - f.x0[b]);
				mixed[b][a] += arm * ((double)cloud->v[b][p] - f.v0[b]);
			}
		}
	for (int c = 0; c < DIM; c++) {
		double copy[3][3];
		memcpy(copy, moment, sizeof(copy));
		memcpy(f.g[c], mixed[c], sizeof(f.g[c]));
		solve_small(copy, f.g[c]);
	}
	return f;
}

/* Writes the fitted velocity, kicked and made free of divergence by the pressure of a round drop,
 * -(tr G / DIM) (x - x0), and the change to it, onto all faces: exact for affine fields. */
static void write_faces(struct sim *sim, const struct affine *f)
{
	const struct grid g = sim->lattice.grid;
	const size_t faces = (size_t)g.lattice * DIM;
	f32 *u = calloc(faces, sizeof(f32)), *delta = calloc(faces, sizeof(f32));
	double trace = 0.0;
	for (int a = 0; a < DIM; a++)
		trace += f->g[a][a] + (double)sim->kick.slope[3 * a + a] / (double)g.h;
	for (int c = 0; c < DIM; c++)
		for (i32 at = 0; at < g.lattice; at++) {
			const double index[3] = {at % g.px, at / g.px % g.py, at / g.px / g.py};
			double change = (double)sim->kick.first[c], speed = f->v0[c];
			for (int a = 0; a < DIM; a++) {
				const double x = (index[a] + (a == c ? 0.0 : 0.5)) * (double)g.h;
				change += index[a] * (double)sim->kick.slope[3 * c + a];
				speed += f->g[c][a] * (x - f->x0[a]);
				if (a == c)
					change -= trace / DIM * (x - f->x0[a]);
			}
			u[c * g.lattice + at] = (f32)(speed + change);
			delta[c * g.lattice + at] = (f32)change;
		}
	fixture_write(sim, &sim->u_face, u, faces * sizeof(f32));
	fixture_write(sim, &sim->delta, delta, faces * sizeof(f32));
	free(u);
	free(delta);
}

struct flight {
	const char *transfer; /* of a scene */
	double velocity[2];   /* in axes at rest */
	double gravity[2];
};

/*
 * Where the drop is after `turns` turns of the box, in axes at rest, less where it ought to be, m.
 * Gravity's path is that of a box at rest, g t (t + dt) / 2.  Of the box's own forces the velocity
 * starts half a step back, as in a leapfrog, which is nothing in a drop at rest.  *slopes: how far
 * C is from the gradient of the particles' velocities (APIC), 1/s.
 */
static double affine_flight(const struct flight *flight, int steps, double turns, double *slopes)
{
	const double t = turns * 2.0 * PI / SPIN, dt = t / steps;
	const double *v = flight->velocity, *gravity = flight->gravity;
	const char *zero = DIM == 2 ? "" : ", 0", *half = DIM == 2 ? "" : ", 0.5";
	char turn[64];
	snprintf(turn, sizeof(turn), DIM == 2 ? "%.17g" : "[0, 0, %.17g]", -SPIN);
	/* u0 = v - omega x r, less dt/2 (omega^2 r + G u0), G = -omega x. */
	const double start[2] = {v[0] - 0.5 * dt * SPIN * v[1],
				 v[1] - SPIN * ARM + 0.5 * dt * SPIN * v[0]};
	struct sim *sim = fixture_sim(
		"domain: {size: [1, 1%s], cells: 32}\ngravity: [%.17g, %.17g%s]\n"
		"liquid: {transfer: %s, flip_ratio: 1}\nsolver: {drift: none}\n"
		"frame: {motion: [{time: 0, angular_velocity: %.17g}]}\n"
		"liquids: [{sphere: {center: [%.17g, 0.5%s], radius: %g}, velocity: [%.17g, "
		"%.17g%s], angular_velocity: %s}]\n",
		DIM == 2 ? "" : ", 1", gravity[0], gravity[1], zero, flight->transfer, SPIN,
		0.5 + ARM, half, RADIUS, start[0], start[1], zero, turn);
	struct cloud cloud = cloud_read(sim);
	const struct affine first = fit(&cloud);
	const bool affine = cloud.affine;
	cloud_free(&cloud);
	*slopes = 0.0;
	for (int n = 0; n < steps; n++) {
		sim->time = n * dt;
		fixture_begin(sim, dt);
		fixture_stage(particles_sort(sim) && forces_apply(sim) && forces_turn(sim, false));
		cloud = cloud_read(sim);
		const struct affine f = fit(&cloud);
		cloud_free(&cloud);
		write_faces(sim, &f);
		fixture_stage(transfer_g2p(sim));
		if (affine) {
			cloud = cloud_read(sim);
			const struct affine after = fit(&cloud);
			for (u32 p = 0; p < cloud.count; p += 5)
				for (int q = 0; q < DIM * DIM; q++)
					*slopes = fmax(
						*slopes,
						fabs((double)cloud
							     .affine[(u32)q * cloud.count + p] -
						     after.g[q / DIM][q % DIM]));
			cloud_free(&cloud);
		}
		fixture_stage(particles_advect(sim));
	}
	cloud = cloud_read(sim);
	const double axis[3] = {0, 0, 1};
	double arm[3] = {0}, here[3];
	for (int a = 0; a < 2; a++)
		arm[a] = cloud_mean(&cloud, cloud.x[a]) - 0.5;
	box_motion_turn(axis, SPIN * t, arm, here);
	double off = 0.0;
	for (int a = 0; a < 2; a++)
		off = hypot(off, here[a] - (first.x0[a] - 0.5) - v[a] * t -
					 0.5 * gravity[a] * t * (t + dt));
	cloud_free(&cloud);
	fixture_free(sim);
	return off;
}

static void affine_flights(void)
{
	static const struct {
		const char *name;
		struct flight flight;
	} flights[] = {
		{"at rest", {"flip", {0, 0}, {0, 0}}},
		{"on its way", {"flip", {-0.3, 0.1}, {0, 0}}},
		{"falling", {"flip", {0, 0}, {0, -0.4}}},
		{"on its way, APIC", {"apic", {-0.3, 0.1}, {0, 0}}},
		{"on its way, PIC", {"pic", {-0.3, 0.1}, {0, 0}}},
	};
	for (size_t f = 0; f < sizeof(flights) / sizeof(flights[0]); f++) {
		double off[3], slopes = 0.0;
		for (int n = 0; n < 3; n++)
			off[n] = affine_flight(&flights[f].flight, 60 << n, 1.0, &slopes);
		fixture_note("%s: after a turn in 60, 120, 240 steps %.3g, %.3g, %.3g m off",
			     flights[f].name, off[0], off[1], off[2]);
		expect("order in dt", log2(off[0] / off[2]) / 2.0, 1.8, 2.3);
		if (strcmp(flights[f].flight.transfer, "apic") == 0)
			expect_small("C less the gradient of the velocities, 1/s", slopes, 1e-3);
	}
}

/* ---- the whole substep -------------------------------------------------------------------- */

struct drop {
	const char *liquid;
	double dt;	    /* 0: as the scheme chooses */
	double velocity[2]; /* in axes at rest */
	double gravity;
};

/*
 * A drop in axes at rest, 0.25 m off the axis, a tenth of the box in radius.  After a turn of the
 * box it is where its velocity has taken it on a straight line, and lower by the way of its fall.
 * One on its way starts half a step of the box's forces back, as in affine_flight().
 */
static void check_drop(const struct drop *drop)
{
	const char *half = DIM == 2 ? "" : ", 0.5", *zero = DIM == 2 ? "" : ", 0";
	const double *v = drop->velocity, back = 0.5 * drop->dt * SPIN;
	const bool on_its_way = v[0] < 0.0;
	char turn[64], step[64] = "";
	snprintf(turn, sizeof(turn), DIM == 2 ? "%.17g" : "[0, 0, %.17g]", -SPIN);
	if (drop->dt > 0.0)
		snprintf(step, sizeof(step), ", dt: %.17g", drop->dt);
	struct sim *sim = fixture_sim(
		"domain: {size: [1, 1%s], cells: 64}\ngravity: [0, %g%s]\ntime: {fps: 24%s}\n"
		"liquid: {%s}\nframe: {motion: [{time: 0, angular_velocity: %.17g}]}\n"
		"liquids: [{sphere: {center: [%.17g, 0.5%s], radius: %g}, velocity: [%.17g, "
		"%.17g%s], angular_velocity: %s}]\n",
		DIM == 2 ? "" : ", 1", drop->gravity, zero, step, drop->liquid, SPIN, 0.5 + ARM,
		half, RADIUS, v[0] - back * v[1], v[1] - SPIN * ARM + back * v[0], zero, turn);
	struct cloud cloud = cloud_read(sim);
	const double start[2] = {cloud_mean(&cloud, cloud.x[0]), cloud_mean(&cloud, cloud.x[1])};
	cloud_free(&cloud);
	fixture_run(sim, 1.0, NULL, NULL);
	cloud = cloud_read(sim);
	double square = 0.0;
	for (u32 p = 0; p < cloud.count; p++)
		square += pow((double)cloud.v[0][p] - v[0] - SPIN * ((double)cloud.x[1][p] - 0.5),
			      2.0) +
			  pow((double)cloud.v[1][p] - v[1] + SPIN * ((double)cloud.x[0][p] - 0.5) -
				      drop->gravity,
			      2.0);
	const double speed = sqrt(square / cloud.count), step_mean = 1.0 / (double)sim->steps;
	const double off = 64.0 * hypot(cloud_mean(&cloud, cloud.x[0]) - start[0] - v[0],
					cloud_mean(&cloud, cloud.x[1]) - start[1] - v[1] -
						0.5 * drop->gravity * (1.0 + step_mean));
	/* Where the transfer has taken away some of the drop's turning backwards, so much of the
	 * scheme's half kick is left, on average half of what is missing at the end. */
	const double radius = RADIUS * (DIM == 2 ? sqrt(0.5) : sqrt(0.4));
	const double lost = speed / (SPIN * radius);
	const double half_kick = 64.0 * 0.5 * step_mean * SPIN * SPIN * ARM;
	fixture_note("%s, dt = %.4g s, (%g, %g) m/s, g = %g m/s^2: %.0f %% of the turning lost",
		     drop->liquid, step_mean, v[0], v[1], drop->gravity, 100.0 * lost);
	expect_small("off its place after a turn, cells", off,
		     0.3 + (on_its_way ? 0.0 : 0.5 * lost * half_kick));
	expect_small("lost of the turning", lost, 0.3);
	cloud_free(&cloud);
	fixture_free(sim);
}

static void drop_at_rest_outside(void)
{
	static const struct drop drops[] = {
		{"flip_ratio: 1", 0.0, {0, 0}, 0.0},
		{"flip_ratio: 1", 0.0, {0, 0}, -0.4},
		{"flip_ratio: 0.97", 0.0, {0, 0}, 0.0},
		{"transfer: apic", 0.0, {0, 0}, 0.0},
		{"flip_ratio: 1", 1.0 / 240.0, {0, 0}, 0.0},
		{"transfer: apic", 1.0 / 240.0, {0, 0}, 0.0},
		{"flip_ratio: 0.97", 1.0 / 240.0, {0, 0}, 0.0},
		{"flip_ratio: 0.97", 1.0 / 480.0, {0, 0}, 0.0},
	};
	for (int d = 0; d < (int)fixture_pick(DIM == 2 ? 6 : 1, 8); d++)
		check_drop(&drops[d]);
}

/* Through the middle of the box and past it, at about the step that the scheme chooses. */
static void drop_on_its_way(void)
{
	static const struct drop drops[] = {
		{"flip_ratio: 1", 1.0 / 216.0, {-0.3, 0}, 0.0},
		{"transfer: apic", 1.0 / 216.0, {-0.3, 0}, 0.0},
		{"flip_ratio: 0.97", 1.0 / 216.0, {-0.3, 0}, 0.0},
		{"flip_ratio: 1", 1.0 / 216.0, {-0.2, 0.2236}, 0.0},
		{"flip_ratio: 0.97", 1.0 / 240.0, {-0.3, 0}, 0.0},
		{"flip_ratio: 1", 1.0 / 216.0, {-0.3, 0}, -0.2},
	};
	for (int d = 0; d < (int)fixture_pick(DIM == 2 ? 4 : 1, 6); d++)
		check_drop(&drops[d]);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(affine_flights),
		CASE(drop_at_rest_outside),
		CASE(drop_on_its_way),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
