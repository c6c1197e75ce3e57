/*
 * Particles to grid by the stiff kernel, and its boost, against sums in double over all particles.
 * 2D and 3D.
 */
#include <stdlib.h>

#include "neighbours_support.h"
#include "transfer.h"

#define STIFF "liquid: {kernel: stiff, vortex_boost: %g}\n"

/* u* of component c at a face, m/s: as told, with all in double; NaN where no particle is near. */
static double reference(const struct cloud *cloud, int c, const i32 face[3], double boost,
			double most)
{
	double weight = 0.0, plain = 0.0, boosted = 0.0;
	for (u32 p = 0; p < cloud->count; p++) {
		double square = 0.0;
		for (int a = 0; a < DIM; a++) {
			const double d = (double)cloud->x[a][p] * NEAR_CELLS -
					 (face[a] + (a == c ? 0.0 : 0.5));
			square += d * d;
		}
		if (square >= 1.96)
			continue;
		const double w1 = 1.96 / fmax(square, 1e-5) - 1.0, v = (double)cloud->v[c][p];
		const double w2 = square < 1.4 ? pow(1.0 - square * square / 1.96, 3.0) : 0.0;
		weight += w1;
		plain += w1 * v;
		boosted += (w1 + 1.3 * boost * w2) * v;
	}
	if (!(weight > 0.0))
		return (double)NAN;
	const double u = boosted / weight, without = plain / weight;
	if (boost <= 0.0 || fabs(without) > most)
		return boost <= 0.0 ? without : fabs(u) <= most ? u : without;
	return fmax(-most, fmin(most, u));
}

/* Largest difference from the reference, and faces that hold a value where they should not. */
static void compare(struct sim *sim, const struct cloud *cloud, double boost, double most)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *u = fixture_read(sim, &sim->u_face);
	uint8_t *valid = fixture_read(sim, &sim->valid);
	double worst = 0.0;
	u32 wrong = 0, held = 0;
	for (i32 k = 0; k < g->pz; k++)
		for (i32 j = 0; j < g->py; j++)
			for (i32 i = 0; i < g->px; i++)
				for (int c = 0; c < DIM; c++) {
					const i32 face[3] = {i, j, k};
					if (!has_face(g, c, i, j, k))
						continue;
					const size_t at = lattice_at(g, i, j, k);
					const double r = reference(cloud, c, face, boost, most);
					const bool is = valid[at] >> c & 1;
					wrong += is != !isnan(r);
					if (!is || isnan(r))
						continue;
					held++;
					worst = fmax(
						worst,
						fabs(r - (double)u[(size_t)c * (size_t)g->lattice +
								   at]));
				}
	expect("faces with a value", held, 100.0, 1e9);
	expect_small("faces that should not have one, or should", wrong, 0.0);
	expect_small("off the sums in double, m/s", worst, 2e-4);
	free(u);
	free(valid);
}

static void splat(struct sim *sim, const struct cloud *cloud)
{
	cloud_write(sim, cloud);
	fixture_begin(sim, 0.005);
	fixture_stage(sim->method->stages[0].run(sim));
	fixture_stage(transfer_p2g(sim));
}

static struct sim *make(double boost, const char *velocity)
{
	return fixture_sim("domain: {size: " NEAR_BOX ", cells: %d}\ngravity: " NEAR_ZERO "\n"
			   "time: {fps: 100, frames: 4, dt: 0.005}\n" STIFF "liquids: [{" NEAR_ALL
			   ", velocity: %s}]\n",
			   NEAR_CELLS, boost, velocity);
}

static void sums_over_particles(void)
{
	static const double boosts[] = {0.0, 0.5, 1.0};
	for (int n = 0; n < 3; n++) {
		/* A tenth of the speeds is above what the boost may reach. */
		struct sim *sim = make(boosts[n], DIM == 2 ? "[0.9, 0]" : "[0.9, 0, 0]");
		struct cloud cloud = near_cloud(600, 0.2, DIM == 2 ? 0.8 : 0.5, 23);
		fixture_note("boost %g", boosts[n]);
		splat(sim, &cloud);
		compare(sim, &cloud, boosts[n], scene_fast_speed(sim->scene));
		cloud_free(&cloud);
		fixture_free(sim);
	}
}

/* What all particles have the grid has; with a boost it has more, but no more than what is fast. */
static void uniform_velocities(void)
{
	for (int boost = 0; boost < 2; boost++) {
		struct sim *sim = make(boost, DIM == 2 ? "[0.5, 0]" : "[0.5, 0, 0]");
		struct cloud cloud = cloud_read(sim);
		const struct grid *g = &sim->lattice.grid;
		double least = 1e9, most = 0.0;
		for (u32 p = 0; p < cloud.count; p++)
			cloud.v[0][p] = 0.3f;
		splat(sim, &cloud);
		f32 *u = fixture_read(sim, &sim->u_face);
		for (i32 i = 1; i < NEAR_CELLS; i++) {
			const double v = (double)u[lattice_at(g, i, 8, DIM == 3 ? 8 : 0)];
			least = fmin(least, v);
			most = fmax(most, v);
		}
		fixture_note("boost %d", boost);
		expect("least of 0.3 m/s", least, boost ? 0.301 : 0.3 - 1e-6, 0.5);
		expect("most", most, boost ? 0.305 : 0.3 - 1e-6, boost ? 0.5 : 0.3 + 1e-6);
		free(u);
		cloud_free(&cloud);
		fixture_free(sim);
	}
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {CASE(sums_over_particles),
						    CASE(uniform_velocities)};
	return FIXTURE_MAIN(argc, argv, cases);
}
