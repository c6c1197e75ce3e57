/*
 * A box that moves: what its accelerations must and must not do.  2D and 3D.
 * docs/method.md, "A box that moves"; every number is from mechanics or linear theory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extrapolate.h"
#include "forces.h"
#include "frame_support.h"
#include "particles.h"
#include "sim_fixture.h"
#include "transfer.h"

#define G 9.81
#define PI 3.14159265358979

#if DIM == 2
#define UNIT_BOX "[1, 1]"
#define STILL "[0, 0]"
#else
#define UNIT_BOX "[1, 1, 1]"
#define STILL "[0, 0, 0]"
#endif

/* ---- kicks and turns, from the definition of the frame ------------------------------------ */

/* Acceleration that a body feels which moves through the box at x + v t: gravity less its second
 * derivative in axes at rest, by differences, seen in the axes of the box. */
static void felt(const struct sim *sim, double t, const double x[3], const double v[3],
		 double out[3])
{
	const struct scene_motion *f = &sim->scene->motion;
	const double e = 1e-4;
	struct box_motion m;
	double low[3], here[3], high[3], g[3], ahead[3], behind[3];
	for (int a = 0; a < 3; a++) {
		ahead[a] = x[a] + e * v[a];
		behind[a] = x[a] - e * v[a];
	}
	place(f, t - e, behind, low);
	place(f, t, x, here);
	place(f, t + e, ahead, high);
	scene_gravity(sim->scene, t, g);
	for (int a = 0; a < 3; a++)
		g[a] -= (high[a] - 2.0 * here[a] + low[a]) / (e * e);
	box_motion_at(f, t, &m);
	box_motion_turn(f->axis, -m.angle, g, out);
}

/* A box in every kind of motion at once. */
static struct sim *make_mover(const char *transfer)
{
	return fixture_sim("domain: {size: %s, cells: 8}\n"
			   "gravity: [{time: 0, g: %s}, {time: 2, g: %s}]\n"
			   "liquid: {transfer: %s, flip_ratio: 1}\nsolver: {drift: none}\n"
			   "frame: {%s motion: [{time: 0, angular_velocity: 1.5, velocity: %s},\n"
			   "  {time: 2, angular_velocity: -2.5, velocity: %s}],\n"
			   "  roll: {amplitude: 0.2, frequency: 0.9, phase: 0.4},\n"
			   "  sway: {amplitude: %s, frequency: 0.7, phase: 1}}\n"
			   "liquids: [{box: {min: %s, max: %s}}]\n",
			   UNIT_BOX, DIM == 2 ? "[0, -9.81]" : "[0, -9.81, 1]",
			   DIM == 2 ? "[2, -3]" : "[2, -3, 0]", transfer,
			   DIM == 2 ? "center: [0.3, 0.1],"
				    : "center: [0.3, 0.1, 0.6], axis: [1, 2, -0.5],",
			   STILL, DIM == 2 ? "[1, -2]" : "[1, -2, 3]",
			   DIM == 2 ? "[0.2, 0.1]" : "[0.2, 0.1, -0.1]", STILL, UNIT_BOX);
}

/* Kicks of faces against what bodies at rest in the box feel; the mean over a short step. */
static void kick_of_faces(void)
{
	struct sim *sim = make_mover("flip");
	const struct grid g = sim->lattice.grid;
	const double still[3] = {0.0, 0.0, 0.0}, dt = 1e-5;
	double worst = 0.0, strength = 0.0, most = 0.0;
	for (double t = 0.1; t < 1.9; t += 0.17) {
		sim->time = t - 0.5 * dt;
		sim->dt = dt;
		fixture_stage(forces_apply(sim));
		for (int c = 0; c < DIM; c++)
			for (i32 k = 0; k < g.nz; k += 3)
				for (i32 j = 0; j < g.ny; j += 3)
					for (i32 i = 0; i < g.nx; i += 3) {
						const double h = (double)g.h;
						const double x[3] = {
							(i + (c == 0 ? 0.0 : 0.5)) * h,
							(j + (c == 1 ? 0.0 : 0.5)) * h,
							DIM == 2 ? 0.0
								 : (k + (c == 2 ? 0.0 : 0.5)) * h};
						double a[3];
						felt(sim, t, x, still, a);
						const double kick =
							(double)sim->kick.first[c] +
							i * (double)sim->kick.slope[3 * c] +
							j * (double)sim->kick.slope[3 * c + 1] +
							k * (double)sim->kick.slope[3 * c + 2];
						worst = fmax(worst, fabs(kick / dt - a[c]));
						most = fmax(most, fabs(a[c]));
					}
		strength = fmax(strength, forces_strength(sim, t, 0.0));
	}
	/* Differences err by e^2 and rounding / e^2, kicks by omega g dt / 2. */
	expect_small("acceleration of faces against the definition, m/s^2", worst, 2e-4);
	expect("greatest acceleration / greatest at the faces", strength / most, 1.0, 2.5);
	fixture_free(sim);
}

/* Velocities over a step, without kick and pressure: Coriolis' part is what a moving body feels
 * less what one at rest feels. */
static void turn_of_particles(void)
{
	struct sim *sim = make_mover("apic");
	struct cloud before = cloud_read(sim);
	u64 random = 5;
	for (u32 p = 0; p < before.count; p++)
		for (int a = 0; a < DIM; a++) {
			before.v[a][p] = (f32)(2.0 * fixture_random(&random) - 1.0);
			for (int c = 0; c < DIM; c++)
				before.affine[(size_t)(c * DIM + a) * before.count + p] =
					(f32)(2.0 * fixture_random(&random) - 1.0);
		}
	cloud_write(sim, &before);
	const double still[3] = {0.0, 0.0, 0.0}, dt = 1e-3, t = 1.6;
	sim->time = t - 0.5 * dt;
	sim->dt = dt;
	fixture_stage(forces_turn(sim, false) && forces_turn(sim, false));
	struct cloud after = cloud_read(sim);
	double worst = 0.0, worst_affine = 0.0, worst_length = 0.0;
	for (u32 p = 0; p < before.count; p += 7) {
		double x[3], v[3], a[3], a_still[3], square = 0.0, square_before = 0.0;
		for (int c = 0; c < 3; c++) {
			x[c] = (double)before.x[c][p];
			v[c] = (double)before.v[c][p];
		}
		felt(sim, t, x, v, a);
		felt(sim, t, x, still, a_still);
		for (int c = 0; c < DIM; c++) {
			const double change = (double)after.v[c][p] - v[c];
			worst = fmax(worst, fabs(change / dt - (a[c] - a_still[c])));
			square += (double)after.v[c][p] * (double)after.v[c][p];
			square_before += v[c] * v[c];
		}
		worst_length = fmax(worst_length, fabs(sqrt(square / square_before) - 1.0));
		/* A column of C is a difference of velocities. */
		for (int b = 0; b < DIM; b++) {
			for (int c = 0; c < DIM; c++)
				v[c] = (double)before
					       .affine[(size_t)(c * DIM + b) * before.count + p];
			felt(sim, t, x, v, a);
			for (int c = 0; c < DIM; c++) {
				const size_t at = (size_t)(c * DIM + b) * before.count + p;
				const double change =
					(double)after.affine[at] - (double)before.affine[at];
				worst_affine =
					fmax(worst_affine, fabs(change / dt - (a[c] - a_still[c])));
			}
		}
	}
	/* Two halves turn by 2 omega dt, whose second-order part is 2 omega^2 dt |v|, omega < 3. */
	expect_small("Coriolis' acceleration against the definition, m/s^2", worst, 0.03);
	expect_small("the same of affine velocities, 1/s^2", worst_affine, 0.03);
	expect_small("change of speed", worst_length, 2e-7);
	/* A thousand steps on: the work of Coriolis' acceleration stays rounding. */
	for (int n = 0; n < 1000; n++)
		fixture_stage(forces_turn(sim, false));
	cloud_free(&after);
	after = cloud_read(sim);
	double energy = 0.0, energy_before = 0.0;
	for (u32 p = 0; p < before.count; p++)
		for (int c = 0; c < DIM; c++) {
			energy += (double)after.v[c][p] * (double)after.v[c][p];
			energy_before += (double)before.v[c][p] * (double)before.v[c][p];
		}
	expect_small("energy after a thousand half turns / before - 1",
		     energy / energy_before - 1.0, 1e-5);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
}

/* ---- free particles ----------------------------------------------------------------------- */

#define SPIN 1.0

/* One particle in flight through a box that turns steadily: in axes at rest its path is straight.
 * Stages without pressure, since a lone cell of liquid would resist being drawn out.  With
 * `staggered` the velocity starts half a kick back, as that of a leapfrog.  Returns the distance
 * from the straight line after a second, m. */
static double flight_error(int steps, bool staggered)
{
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: 16}\ngravity: %s\n"
			    "liquid: {flip_ratio: 1}\nsolver: {drift: none}\n"
			    "frame: {motion: [{time: 0, angular_velocity: %g}]}\n"
			    "liquids: [{box: {min: %s, max: %s}}]\n",
			    UNIT_BOX, STILL, SPIN, DIM == 2 ? "[0.25, 0.25]" : "[0.25, 0.25, 0.25]",
			    DIM == 2 ? "[0.3125, 0.3125]" : "[0.3125, 0.3125, 0.3125]");
	struct cloud cloud = cloud_make(DIM, 1, false);
	const double start[2] = {0.3, -0.1}, inertial[2] = {-0.5, 0.15}, dt = 1.0 / steps;
	/* Relative to the axis; the velocity in the box is that in axes at rest less omega x r. */
	for (int a = 0; a < DIM; a++)
		cloud.x[a][0] = (f32)(0.5 + (a < 2 ? start[a] : 0.0));
	cloud.v[0][0] = (f32)(inertial[0] + SPIN * start[1] -
			      (staggered ? 0.5 * dt * SPIN * SPIN * start[0] : 0.0));
	cloud.v[1][0] = (f32)(inertial[1] - SPIN * start[0] -
			      (staggered ? 0.5 * dt * SPIN * SPIN * start[1] : 0.0));
	cloud_write(sim, &cloud);
	cloud_free(&cloud);
	const struct grid g = sim->lattice.grid;
	const size_t faces = (size_t)g.lattice * DIM;
	f32 *delta = calloc(faces, sizeof(f32));
	for (int n = 0; n < steps; n++) {
		sim->time = n * dt;
		fixture_begin(sim, dt);
		fixture_stage(particles_sort(sim) && transfer_p2g(sim) && extrapolate_known(sim) &&
			      forces_apply(sim));
		f32 *u = fixture_read(sim, &sim->u_face);
		for (int c = 0; c < DIM; c++)
			for (i32 at = 0; at < g.lattice; at++) {
				const i32 i = at % g.px, j = at / g.px % g.py, k = at / g.px / g.py;
				const size_t slot = (size_t)(c * g.lattice + at);
				delta[slot] = sim->kick.first[c] + (f32)i * sim->kick.slope[3 * c] +
					      (f32)j * sim->kick.slope[3 * c + 1] +
					      (f32)k * sim->kick.slope[3 * c + 2];
				u[slot] += delta[slot];
			}
		fixture_write(sim, &sim->u_face, u, faces * sizeof(f32));
		fixture_write(sim, &sim->delta, delta, faces * sizeof(f32));
		free(u);
		fixture_stage(transfer_g2p(sim) && particles_advect(sim));
	}
	free(delta);
	cloud = cloud_read(sim);
	const double axis[3] = {0, 0, 1};
	double arm[3] = {(double)cloud.x[0][0] - 0.5, (double)cloud.x[1][0] - 0.5, 0}, here[3];
	box_motion_turn(axis, SPIN, arm, here);
	const double error =
		hypot(here[0] - start[0] - inertial[0], here[1] - start[1] - inertial[1]);
	cloud_free(&cloud);
	fixture_free(sim);
	return error;
}

static void free_flight(void)
{
	double plain[3], staggered[3];
	for (int n = 0; n < 3; n++) {
		plain[n] = flight_error(25 << n, false);
		staggered[n] = flight_error(25 << n, true);
		fixture_note("%d steps: %.3g m off the straight line; %.3g m staggered", 25 << n,
			     plain[n], staggered[n]);
	}
	/* x moves with the velocity of the step's end: half a kick too much, as in free fall. */
	expect("order in dt", log2(plain[0] / plain[2]) / 2.0, 0.9, 1.2);
	expect("order in dt, staggered", log2(staggered[0] / staggered[2]) / 2.0, 1.8, 2.3);
	/* The half kick of about omega^2 r / 2 dt = 0.006 m/s at the start. */
	expect_small("distance at 25 steps, m", plain[0], 0.01);
	expect_small("distance at 100 steps, staggered, m", staggered[2], 1e-4);
}

/* ---- at rest in a box that moves ---------------------------------------------------------- */

/* Worst distance, in h, of heights where phi rises through 0 from `surface`, over the inner
 * columns. Root mean square in *rms. */
static double surface_error(struct sim *sim, double (*surface)(double x, double z), double *rms)
{
	const struct grid g = sim->lattice.grid;
	f32 *phi = fixture_read(sim, &sim->phi);
	double worst = 0.0, square = 0.0, mean = 0.0;
	int count = 0;
	for (i32 k = 0; k < g.nz; k++)
		for (i32 i = 1; i < g.nx - 1; i++) {
			const double x = (i + 0.5) * (double)g.h;
			const double z = DIM == 2 ? 0.0 : (k + 0.5) * (double)g.h;
			for (i32 j = g.ny - 2; j >= 0; j--) {
				const double low = (double)phi[lattice_at(&g, i, j, k)];
				const double high = (double)phi[lattice_at(&g, i, j + 1, k)];
				if (!(low < 0.0 && high >= 0.0))
					continue;
				const double off = (j + 0.5 + low / (low - high)) -
						   surface(x, z) / (double)g.h;
				worst = fmax(worst, fabs(off));
				square += off * off;
				mean += off;
				count++;
				break;
			}
		}
	free(phi);
	*rms = count ? sqrt(square / count) : nan("");
	fixture_note("%d columns: surface off by %.3f h (mean), %.3f h (rms), %.3f h (worst)",
		     count, count ? mean / count : nan(""), *rms, worst);
	return count ? fabs(mean / count) : nan("");
}

/* Only particles below the surface stay. */
static void cut_surface(struct sim *sim, double (*surface)(double x, double z))
{
	struct cloud all = cloud_read(sim), cut = cloud_make(DIM, all.count, false);
	u32 n = 0;
	for (u32 p = 0; p < all.count; p++)
		if ((double)all.x[1][p] < surface((double)all.x[0][p], (double)all.x[2][p])) {
			for (int a = 0; a < 3; a++)
				cut.x[a][n] = all.x[a][p];
			n++;
		}
	cut.count = n;
	cloud_write(sim, &cut);
	cloud_free(&all);
	cloud_free(&cut);
}

#define TILT 0.3 /* sideways acceleration / g */

static double tilted(double x, double z)
{
	(void)z;
	return 0.45 - TILT * (x - 0.5);
}

static double tilted_back(double x, double z)
{
	(void)z;
	return 0.45 + TILT * (x - 0.5);
}

/* A liquid whose surface has this slope is at rest in a box that moves so. */
static void check_rest(const char *what, const char *frame, double (*surface)(double, double),
		       bool rests)
{
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: %d}\ntime: {fps: 20}\nframe: {%s}\n"
			    "liquids: [{box: {min: %s, max: %s}}]\n",
			    UNIT_BOX, DIM == 2 ? 32 : 20, frame, STILL, UNIT_BOX);
	cut_surface(sim, surface);
	fixture_run(sim, fixture_pick(rests ? 0.5 : 0.2, 2.0), NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	double rms;
	fixture_note("%s", what);
	if (rests) {
		expect_small("vrms, m/s", cloud_vrms(&cloud), 0.03);
		expect_small("surface, mean error, h", surface_error(sim, surface, &rms), 0.1);
		expect_small("surface, rms error, h", rms, 0.2);
	} else {
		/* The test tells signs apart: the wrong slope falls over. */
		expect("vrms, m/s", cloud_vrms(&cloud), 0.2, 5.0);
	}
	cloud_free(&cloud);
	fixture_free(sim);
}

static void tilted_surface(void)
{
	/* 0.3 g to the right: liquid rises on the left. */
	char text[200], tilt[200];
	const char *zero = DIM == 2 ? "" : ", 0";
	snprintf(text, sizeof(text),
		 "motion: [{time: 0, velocity: [0, 0%s]}, {time: 10, velocity: [%.17g, 0%s]}]",
		 zero, 10.0 * TILT * G, zero);
	check_rest("acceleration", text, tilted, true);
	check_rest("acceleration, surface the wrong way", text, tilted_back, false);
	/* The box tilted to the left (counterclockwise), gravity leans to its left. */
	snprintf(tilt, sizeof(tilt), "motion: [{time: 0, angle: %.17g}]", atan(TILT));
	check_rest("tilt", tilt, tilted, true);
}

#if DIM == 3
#define TURNS 4.0 /* rad/s */

static double paraboloid(double x, double z)
{
	const double square = (x - 0.5) * (x - 0.5) + (z - 0.5) * (z - 0.5);
	return 0.35 + TURNS * TURNS * square / (2.0 * G);
}

static void spinning_tank(void)
{
	char text[200];
	snprintf(text, sizeof(text), "axis: [0, 1, 0], motion: [{time: 0, angular_velocity: %g}]",
		 TURNS);
	check_rest("paraboloid", text, paraboloid, true);
}
#else
/* Without gravity: a ring pressed outwards, p = rho omega^2 (r^2 - r0^2) / 2. */
static void spinning_tank(void)
{
	const double spin = 6.0, inner = 0.25;
	struct sim *sim =
		fixture_sim("domain: {size: [1, 1], cells: 48}\ngravity: [0, 0]\ntime: {fps: 20}\n"
			    "frame: {motion: [{time: 0, angular_velocity: %g}]}\n"
			    "liquids: [{difference: [{box: {min: [0, 0], max: [1, 1]}},\n"
			    "  {sphere: {center: [0.5, 0.5], radius: %g}}]}]\n",
			    spin, inner);
	fixture_run(sim, fixture_pick(0.5, 2.0), NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	const struct grid g = sim->lattice.grid;
	f32 *p = fixture_read(sim, &sim->pressure), *phi = fixture_read(sim, &sim->phi);
	double worst = 0.0, surface = 0.0, crossings = 0.0;
	const double scale = 0.5 * 1000.0 * spin * spin;
	for (i32 j = 0; j < g.ny; j++)
		for (i32 i = 0; i < g.nx; i++) {
			const double x = (i + 0.5) / g.nx - 0.5, y = (j + 0.5) / g.ny - 0.5;
			const double square = x * x + y * y,
				     f = (double)phi[lattice_at(&g, i, j, 0)];
			if (square > pow(inner + 3.0 / g.nx, 2.0))
				worst = fmax(worst,
					     fabs((double)p[lattice_at(&g, i, j, 0)] / scale -
						  (square - inner * inner)));
			/* Beside the surface phi is a distance. */
			if (fabs(f) < 0.5 / g.nx) {
				surface += (inner - sqrt(square) - f) * g.nx;
				crossings++;
			}
		}
	expect_small("vrms, m/s", cloud_vrms(&cloud), 0.03);
	expect_small("surface, mean error, h", surface / crossings, 0.1);
	/* A surface that is off by 0.2 h moves the pressure by 2 r0 0.2 h. */
	expect_small("pressure / (rho omega^2 / 2), worst error, m^2", worst,
		     2.0 * inner * 0.2 / g.nx);
	free(p);
	free(phi);
	cloud_free(&cloud);
	fixture_free(sim);
}

#endif

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(kick_of_faces),  CASE(turn_of_particles), CASE(free_flight),
		CASE(tilted_surface), CASE(spinning_tank),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
