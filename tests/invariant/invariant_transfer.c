/*
 * Particles to grid and back, without pressure or boundaries: what the weights conserve.
 * Bars: cases.md, unless a line says otherwise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extrapolate.h"
#include "forces.h"
#include "particles.h"
#include "sim_fixture.h"
#include "transfer.h"

/* A jittered block in the middle of an empty box, in free fall conditions. */
#if DIM == 2
#define N 32
#define BLOCK                                 \
	"gravity: [0, -9.81]\n"               \
	"domain: {size: [1, 1], cells: 32}\n" \
	"liquids: [{box: {min: [0.25, 0.25], max: [0.75, 0.75]}}]\n"
#else
#define N 16
#define BLOCK                                    \
	"gravity: [0, -9.81, 0]\n"               \
	"domain: {size: [1, 1, 1], cells: 16}\n" \
	"liquids: [{box: {min: [0.25, 0.25, 0.25], max: [0.75, 0.75, 0.75]}}]\n"
#endif
#define DT (1.0 / 240.0)

static bool no_gravity; /* in from_grid(), until the next make() */

static struct sim *make(const char *transfer, double flip_ratio)
{
	no_gravity = false;
	return fixture_sim("%sliquid: {transfer: %s, flip_ratio: %g}\nsolver: {drift: none}\n",
			   BLOCK, transfer, flip_ratio);
}

static void to_grid(struct sim *sim)
{
	fixture_begin(sim, DT);
	fixture_stage(particles_sort(sim) && transfer_p2g(sim));
}

/* Extrapolation, forces, delta = u - u_old as by a projection without pressure, and back. */
static void from_grid(struct sim *sim)
{
	fixture_stage(extrapolate_known(sim) && forces_apply(sim));
	if (no_gravity)
		memset(&sim->kick, 0, sizeof(sim->kick));
	f32 *u = fixture_read(sim, &sim->u_face), *delta = fixture_read(sim, &sim->u_face);
	const struct grid g = sim->lattice.grid;
	const size_t lattice = (size_t)g.lattice;
	for (size_t a = 0; a < DIM; a++)
		for (size_t at = 0; at < lattice; at++) {
			const i32 place[3] = {(i32)at % g.px, (i32)at / g.px % g.py,
					      (i32)at / g.px / g.py};
			const i32 cells[3] = {g.nx, g.ny, g.nz};
			bool exists = true;
			for (size_t b = 0; b < DIM; b++)
				exists &= place[b] < cells[b] + (a == b);
			const f32 old = u[a * lattice + at];
			u[a * lattice + at] = exists ? old + sim->kick.first[a] : old;
			delta[a * lattice + at] = u[a * lattice + at] - old;
		}
	fixture_write(sim, &sim->u_face, u, lattice * DIM * sizeof(f32));
	fixture_write(sim, &sim->delta, delta, lattice * DIM * sizeof(f32));
	free(u);
	free(delta);
	fixture_stage(transfer_g2p(sim));
}

/* ---- constant and linear fields --------------------------------------------------------- */

/* Neither component is a short binary fraction. */
static const f32 constant[3] = {1.0f / 3.0f, -1.0f / 7.0f, 2.0f / 11.0f};

static void check_constant(const char *transfer, double flip_ratio)
{
	struct sim *sim = make(transfer, flip_ratio);
	struct cloud cloud = cloud_read(sim);
	for (int a = 0; a < DIM; a++)
		for (u32 p = 0; p < cloud.count; p++)
			cloud.v[a][p] = constant[a];
	cloud_write(sim, &cloud);
	cloud_free(&cloud);

	to_grid(sim);
	no_gravity = true;
	from_grid(sim);
	cloud = cloud_read(sim);
	double most = 0.0, slope = 0.0;
	for (int a = 0; a < DIM; a++)
		for (u32 p = 0; p < cloud.count; p++)
			most = fmax(most, fabs((double)cloud.v[a][p] - (double)constant[a]));
	for (size_t q = 0; q < (size_t)cloud.count * DIM * DIM && cloud.affine; q++)
		slope = fmax(slope, fabs((double)cloud.affine[q]));
	fixture_note("%s, flip_ratio %g", transfer, flip_ratio);
	expect_small("change of a constant velocity, m/s", most, 0.0);
	expect_small("h * its gradient, m/s", slope / N, 0.0);
	cloud_free(&cloud);
	fixture_free(sim);
}

static void constant_velocity(void)
{
	check_constant("pic", 1.0);
	check_constant("flip", 1.0);
	check_constant("flip", 0.97);
	check_constant("apic", 1.0);
}

/* u_a = constant_a + sum_b slope[a][b] x_b: shear, rotation and stretch. */
static const double slope[3][3] = {{0.7, -2.1, 0.4}, {1.3, -0.3, 0.9}, {-0.8, 0.6, -0.4}};

static double linear(int a, const struct cloud *cloud, u32 p)
{
	double u = (double)constant[a];
	for (int b = 0; b < DIM; b++)
		u += slope[a][b] * (double)cloud->x[b][p];
	return u;
}

/* The errors of one round trip, relative to the largest velocity; of C in units of v/h. */
static void linear_errors(struct sim *sim, struct cloud *cloud, double *error_v, double *error_c)
{
	double scale = 0.0, error = 0.0, error_slope = 0.0;
	for (u32 p = 0; p < cloud->count; p++)
		for (int a = 0; a < DIM; a++) {
			cloud->v[a][p] = (f32)linear(a, cloud, p);
			scale = fmax(scale, fabs((double)cloud->v[a][p]));
			for (int b = 0; b < DIM; b++)
				cloud->affine[(size_t)(a * DIM + b) * cloud->count + p] =
					(f32)slope[a][b];
		}
	cloud_write(sim, cloud);
	to_grid(sim);
	no_gravity = true;
	from_grid(sim);
	struct cloud after = cloud_read(sim);
	for (u32 p = 0; p < after.count; p++)
		for (int a = 0; a < DIM; a++) {
			error = fmax(error, fabs((double)after.v[a][p] - linear(a, &after, p)));
			for (int b = 0; b < DIM; b++) {
				size_t at = (size_t)(a * DIM + b) * after.count + p;
				error_slope = fmax(error_slope,
						   fabs((double)after.affine[at] - slope[a][b]));
			}
		}
	cloud_free(&after);
	*error_v = fmax(*error_v, error / scale);
	*error_c = fmax(*error_c, error_slope / N / scale);
}

/* Particles that share no face, anywhere in their cells: some of their weights are tiny. */
static struct cloud lone_particles(u64 *random)
{
	const u32 side = N / 4 - 1;
	struct cloud cloud = cloud_make(DIM, DIM == 3 ? side * side * side : side * side, true);
	for (u32 p = 0; p < cloud.count; p++) {
		const u32 at[3] = {p % side, p / side % side, p / side / side};
		for (int a = 0; a < DIM; a++)
			cloud.x[a][p] = (f32)((4 * at[a] + 2 + fixture_random(random)) / N);
	}
	return cloud;
}

static void linear_field_apic(void)
{
	struct sim *sim = make("apic", 1.0);
	struct cloud block = cloud_read(sim);
	double error_v = 0.0, error_c = 0.0;
	u64 random = 3;
	linear_errors(sim, &block, &error_v, &error_c);
	cloud_free(&block);
	expect_small("a block: error of v / max |v|", error_v, 1e-6);
	expect_small("a block: error of C h / max |v|", error_c, 1e-6);
	error_v = error_c = 0.0;
	for (int layout = 0; layout < 16; layout++) {
		struct cloud lone = lone_particles(&random);
		linear_errors(sim, &lone, &error_v, &error_c);
		cloud_free(&lone);
	}
	expect_small("lone particles: error of v / max |v|", error_v, 1e-6);
	expect_small("lone particles: error of C h / max |v|", error_c, 1e-6);
	fixture_free(sim);
}

/* ---- momentum --------------------------------------------------------------------------- */

static double log2_ceil(double x)
{
	double n = 0.0;
	while (exp2(n) < x)
		n += 1.0;
	return n;
}

/* Sums of the splat's integers, in units of weight and velocity; and of W u over valid faces. */
struct grid_sums {
	double weight, momentum, from_u, dropped;
};

static struct grid_sums sum_grid(struct sim *sim, int c)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	i32 *w = fixture_read(sim, &sim->sum_w);
	i64 *wv = fixture_read(sim, &sim->sum_wv);
	f32 *u = fixture_read(sim, &sim->u_face);
	unsigned char *valid = fixture_read(sim, &sim->valid);
	struct grid_sums sums = {0};
	i64 weight = 0, momentum = 0;
	for (size_t at = 0; at < lattice; at++) {
		weight += w[(size_t)c * lattice + at];
		momentum += wv[(size_t)c * lattice + at];
		if (valid[at] >> c & 1)
			sums.from_u +=
				w[(size_t)c * lattice + at] * (double)u[(size_t)c * lattice + at];
		else
			sums.dropped += w[(size_t)c * lattice + at];
	}
	sums.weight = (double)weight;
	sums.momentum = (double)momentum;
	free(w);
	free(wv);
	free(u);
	free(valid);
	return sums;
}

static void check_momentum(const char *transfer)
{
	struct sim *sim = make(transfer, 1.0);
	struct cloud cloud = cloud_read(sim);
	u64 random = 1;
	double bound = 0.0, reach = 0.0;
	for (u32 p = 0; p < cloud.count; p++)
		for (int a = 0; a < DIM; a++) {
			cloud.v[a][p] = (f32)(6.0 * fixture_random(&random) - 3.0);
			double most = fabs((double)cloud.v[a][p]);
			for (int b = 0; b < DIM && cloud.affine; b++) {
				f32 slope_ab = (f32)(40.0 * fixture_random(&random) - 20.0);
				cloud.affine[(size_t)(a * DIM + b) * cloud.count + p] = slope_ab;
				most += fabs((double)slope_ab) / N;
				reach = fmax(reach, fabs((double)slope_ab) / N);
			}
			bound = fmax(bound, most);
		}
	cloud_write(sim, &cloud);
	to_grid(sim);

	/* The quantisation that host/stages/transfer.c states. */
	u32 *count = count_particles(sim, &cloud), most = 0;
	for (i32 at = 0; at < sim->lattice.grid.lattice; at++)
		most = count[at] > most ? count[at] : most;
	free(count);
	const double contributions = log2_ceil(most * (DIM == 3 ? 18.0 : 6.0));
	const double weight_bits = contributions <= 10.0 ? 20.0 : 30.0 - contributions;
	const double velocity_bits = fmin(30.0, 62.0 - weight_bits - contributions);
	const double unit = exp2(ceil(log2(bound)) - velocity_bits), one = exp2(weight_bits);

	fixture_note("%s: weights of 2^-%g, velocities of %.3g m/s", transfer, weight_bits, unit);
	for (int c = 0; c < DIM; c++) {
		const struct grid_sums sums = sum_grid(sim, c);
		const double particles = cloud_mean(&cloud, cloud.v[c]) * cloud.count;
		expect_small("sum of weights - number of particles",
			     sums.weight / one - cloud.count, 0.0);
		/* Each velocity is off by at most half a unit; an affine part also by the rounding
		 * of the weights of 2^DIM corners, at most half a unit of weight each. */
		const double bar =
			cloud.count * (0.5 * unit + (1 << DIM) * DIM * reach * 0.5 / one);
		expect_small("sum of integers - momentum of particles, m/s",
			     sums.momentum * unit / one - particles, bar);
		/* The face velocities are floats, and faces of less than 2^-10 of a weight hold
		 * none. */
		const double rounding = cloud.count * bound * exp2(-24.0) + bar;
		expect_small("sum of W u - momentum of particles, m/s",
			     sums.from_u / one - particles, rounding + sums.dropped / one * bound);
	}
	cloud_free(&cloud);
	fixture_free(sim);
}

static void momentum(void)
{
	check_momentum("flip");
	check_momentum("apic");
}

/* ---- noise ------------------------------------------------------------------------------ */

static double variance(const struct cloud *cloud)
{
	double sum = 0.0;
	for (int a = 0; a < DIM; a++) {
		const double mean = cloud_mean(cloud, cloud->v[a]);
		for (u32 p = 0; p < cloud->count; p++)
			sum += ((double)cloud->v[a][p] - mean) * ((double)cloud->v[a][p] - mean);
	}
	return sum / cloud->count;
}

/* Ratio of the variance of random velocities after `steps` substeps of transfers and free fall. */
static double kept_variance(const char *transfer, double flip_ratio, int steps)
{
	struct sim *sim = make(transfer, flip_ratio);
	struct cloud cloud = cloud_read(sim);
	u64 random = 7;
	for (int a = 0; a < DIM; a++)
		for (u32 p = 0; p < cloud.count; p++)
			cloud.v[a][p] = (f32)(2.0 * fixture_random(&random) - 1.0);
	cloud_write(sim, &cloud);
	const double before = variance(&cloud), mean = cloud_mean(&cloud, cloud.v[1]);
	cloud_free(&cloud);
	for (int step = 0; step < steps; step++) {
		to_grid(sim);
		from_grid(sim);
		fixture_stage(particles_advect(sim));
	}
	cloud = cloud_read(sim);
	const double after = variance(&cloud);
	/* Weights add up to 1 both ways, so momentum changes by gravity alone; 1e-5 is what sums of
	 * floats leave. */
	expect_small("mean of v_y - (v_y(0) - g t), m/s",
		     cloud_mean(&cloud, cloud.v[1]) - mean + 9.81 * DT * steps, 1e-5);
	cloud_free(&cloud);
	fixture_free(sim);
	return after / before;
}

static void random_velocities(void)
{
	expect_small("pure FLIP, 20 substeps: change of variance",
		     kept_variance("flip", 1.0, 20) - 1.0, 1e-4);
	expect("pure PIC, 1 substep: variance kept", kept_variance("pic", 1.0, 1), 0.0, 0.5);
	expect("FLIP with ratio 0, 1 substep: variance kept", kept_variance("flip", 0.0, 1), 0.0,
	       0.5);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(constant_velocity),
		CASE(linear_field_apic),
		CASE(momentum),
		CASE(random_velocities),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
