/*
 * Pushes, springs, collisions and velocities taken anew, from one set of particles, against sums in
 * double over all pairs; what they keep, exactly; and particles that solids part.  2D and 3D.
 */
#include <stdlib.h>
#include <string.h>

#include "neighbours/neighbours.h"
#include "neighbours/neighbours_parts.h"
#include "neighbours_support.h"

#define COUNT 300

/* The stage from a cloud; what it leaves. */
static struct cloud correct(struct sim *sim, const struct cloud *from)
{
	cloud_write(sim, from);
	fixture_begin(sim, 0.005);
	fixture_stage(neighbours_correct(sim));
	return cloud_read(sim);
}

/* The sum of the integer moves along the axes, of the largest. */
static double sum_of_moves(struct sim *sim, u32 count)
{
	i32 *move = fixture_read(sim, &sim->neighbours.move);
	double worst = 0.0;
	for (int a = 0; a < DIM; a++) {
		i64 sum = 0;
		for (u32 p = 0; p < count; p++)
			sum += move[(size_t)a * sim->particles.capacity + p];
		worst = fmax(worst, fabs((double)sum));
	}
	free(move);
	return worst;
}

/* Two alone end at the distance that is asked for, their middle where it was; also two at the same
 * place, and three in a row, of which the middle one stays. */
static void two_end_at_the_distance(void)
{
	struct sim *sim = near_sim("drift: push, push_distance: 1, push_iterations: 1", "");
	static const double way[3] = {0.6, 0.8, 0.0};
	static const double gaps[] = {0.4, 0.9, 0.0};
	for (int n = 0; n < 3; n++) {
		struct cloud pair = cloud_make(DIM, 2, false);
		for (u32 p = 0; p < 2; p++)
			for (int a = 0; a < DIM; a++)
				pair.x[a][p] = (f32)(0.5 + (p ? 0.5 : -0.5) * gaps[n] *
								   NEAR_SPACING * way[a]);
		struct cloud moved = correct(sim, &pair);
		double apart[3], middle = 0.0;
		fixture_note("%g spacings apart", gaps[n]);
		expect("distance / spacing", near_way(&moved, 1, 0, apart) / NEAR_SPACING,
		       1.0 - 1e-5, 1.0 + 1e-5);
		for (int a = 0; a < DIM; a++)
			middle = fmax(middle,
				      fabs((double)moved.x[a][0] + (double)moved.x[a][1] - 1.0));
		expect_small("middle / h", middle / NEAR_H, 2e-6);
		cloud_free(&pair);
		cloud_free(&moved);
	}
	struct cloud row = cloud_make(DIM, 3, false);
	for (u32 p = 0; p < 3; p++) {
		for (int a = 0; a < DIM; a++)
			row.x[a][p] = 0.5f;
		row.x[0][p] = (f32)(0.5 + 0.55 * NEAR_SPACING * ((double)p - 1.0));
	}
	struct cloud moved = correct(sim, &row);
	/* The outer ones do not touch.  The middle one has two contacts, so a pair makes up for
	 * half of the 0.45 that it lacks, each particle for a half of that. */
	expect("outer one / spacing", ((double)moved.x[0][2] - 0.5) / NEAR_SPACING, 0.6625 - 1e-4,
	       0.6625 + 1e-4);
	expect_small("middle one / h", ((double)moved.x[0][1] - 0.5) / NEAR_H, 1e-5);
	cloud_free(&row);
	cloud_free(&moved);
	fixture_free(sim);
}

/* What pairs closer than a distance lack, squared. */
static double overlap(const struct cloud *c, double distance)
{
	double sum = 0.0, way[3];
	for (u32 p = 0; p < c->count; p++)
		for (u32 q = 0; q < p; q++) {
			const double lack = distance - near_way(c, p, q, way);
			sum += lack > 0.0 ? lack * lack : 0.0;
		}
	return sum;
}

/* The brute sum of a push, m. */
static void push_of(const struct cloud *c, const u32 *contacts, u32 p, double distance,
		    double sum[3])
{
	double way[3];
	for (u32 q = 0; q < c->count; q++) {
		const double d = near_way(c, p, q, way);
		if (q == p || d >= distance)
			continue;
		const u32 most = contacts[p] > contacts[q] ? contacts[p] : contacts[q];
		for (int a = 0; a < DIM; a++)
			sum[a] += 0.5 / most * (distance - d) * way[a] / d;
	}
}

static void push_is_the_sum_over_pairs(void)
{
	struct sim *sim = near_sim("drift: push, push_distance: 1, push_iterations: 1", "");
	struct cloud before = near_cloud(COUNT, 0.3, DIM == 2 ? 0.6 : 0.5, 7);
	struct cloud after = correct(sim, &before);
	u32 contacts[COUNT] = {0}, touching = 0;
	double way[3], worst = 0.0;
	for (u32 p = 0; p < COUNT; p++)
		for (u32 q = 0; q < COUNT; q++)
			contacts[p] += q != p && near_way(&before, p, q, way) < NEAR_SPACING;
	for (u32 p = 0; p < COUNT; p++) {
		double sum[3] = {0.0, 0.0, 0.0};
		push_of(&before, contacts, p, NEAR_SPACING, sum);
		touching += contacts[p] > 0;
		for (int a = 0; a < DIM; a++)
			worst = fmax(worst,
				     fabs((double)after.x[a][p] - (double)before.x[a][p] - sum[a]));
	}
	expect("particles with contacts", touching, COUNT / 2.0, COUNT);
	expect_small("off the sums in double / h", worst / NEAR_H, 1e-5);
	expect_small("sum of the integer moves", sum_of_moves(sim, COUNT), 0.0);
	expect("overlap left", overlap(&after, NEAR_SPACING) / overlap(&before, NEAR_SPACING), 0.0,
	       1.0 - 1e-3);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
}

/* k dt (1 - d^2/R^2) R of each within R = 1.4 spacings; pairs nearer than R/10 are left out. */
static void springs_are_the_sum_over_pairs(void)
{
	struct sim *sim = near_sim("drift: springs, spring_stiffness: 1", "");
	struct cloud before = near_cloud(COUNT, 0.3, DIM == 2 ? 0.7 : 0.6, 11);
	struct cloud after = correct(sim, &before);
	const double radius = 1.4 * NEAR_SPACING;
	double worst = 0.0, most = 0.0, way[3];
	for (u32 p = 0; p < COUNT; p++) {
		double sum[3] = {0.0, 0.0, 0.0}, length = 0.0;
		bool nudged = false;
		for (u32 q = 0; q < COUNT; q++) {
			const double d = near_way(&before, p, q, way);
			if (q == p || d >= radius)
				continue;
			nudged = nudged || d < 0.11 * radius;
			for (int a = 0; a < DIM; a++)
				sum[a] += 0.005 * (1.0 - d * d / (radius * radius)) * radius *
					  way[a] / d;
		}
		for (int a = 0; a < DIM; a++)
			length = fmax(length, fabs(sum[a]));
		most = fmax(most, length);
		for (int a = 0; a < DIM && !nudged; a++)
			worst = fmax(worst,
				     fabs((double)after.x[a][p] - (double)before.x[a][p] - sum[a]));
	}
	expect("greatest move / h", most / NEAR_H, 0.001, 0.1);
	expect_small("off the sums in double / h", worst / NEAR_H, 1e-5);
	expect_small("sum of the integer moves", sum_of_moves(sim, COUNT), 0.0);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
}

/* A particle a third of the radius off a wall is pushed as by its image, two thirds away. */
static void walls_are_images(void)
{
	struct sim *sim = near_sim("drift: springs, spring_stiffness: 1", "");
	struct cloud one = cloud_make(DIM, 1, false);
	const double radius = 1.4 * NEAR_SPACING;
	for (int a = 0; a < DIM; a++)
		one.x[a][0] = 0.5f;
	one.x[1][0] = (f32)(radius / 3.0);
	struct cloud after = correct(sim, &one);
	expect("move / (k dt R)", ((double)after.x[1][0] - radius / 3.0) / (0.005 * radius),
	       5.0 / 9.0 - 1e-3, 5.0 / 9.0 + 1e-3);
	expect_small("along the wall / h", ((double)after.x[0][0] - 0.5) / NEAR_H, 1e-6);
	cloud_free(&one);
	cloud_free(&after);
	fixture_free(sim);
}

static void momentum(const struct cloud *c, double sum[3], double *energy)
{
	*energy = 0.0;
	for (int a = 0; a < DIM; a++) {
		sum[a] = 0.0;
		for (u32 p = 0; p < c->count; p++) {
			sum[a] += (double)c->v[a][p];
			*energy += 0.5 * (double)c->v[a][p] * (double)c->v[a][p];
		}
	}
}

/* Head on they stop, side by side they go on; and of many momentum is kept, energy does not grow.
 */
static void collisions(void)
{
	struct sim *sim = near_sim("drift: none, collision_distance: 0.8", "");
	struct cloud pair = cloud_make(DIM, 2, false);
	for (u32 p = 0; p < 2; p++) {
		for (int a = 0; a < DIM; a++)
			pair.x[a][p] = 0.5f;
		pair.x[0][p] = (f32)(0.5 + (p ? 0.3 : -0.3) * NEAR_SPACING);
		pair.v[0][p] = p ? -1.0f : 1.0f;
		pair.v[1][p] = p ? 2.0f : -2.0f;
	}
	struct cloud met = correct(sim, &pair);
	double way[3];
	expect_small("towards each other, m/s", (double)met.v[0][0], 1e-6);
	expect("past each other, m/s", (double)met.v[1][1], 2.0, 2.0);
	expect("distance / spacing", near_way(&met, 0, 1, way) / NEAR_SPACING, 0.8 - 1e-5,
	       0.8 + 1e-5);
	struct cloud before = near_cloud(COUNT, 0.3, DIM == 2 ? 0.6 : 0.5, 13);
	struct cloud after = correct(sim, &before);
	double from[3], to[3], energy_from, energy_to, worst = 0.0;
	momentum(&before, from, &energy_from);
	momentum(&after, to, &energy_to);
	for (int a = 0; a < DIM; a++)
		worst = fmax(worst, fabs(to[a] - from[a]));
	expect_small("momentum that comes or goes, of 300 particles, m/s", worst, 1e-4);
	expect("energy left", energy_to / energy_from, 0.0, 1.0 - 1e-3);
	cloud_free(&pair);
	cloud_free(&met);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
}

/* Sum of (R^2/r^2 - 1) v over the particles where they were, r from where p goes, in spacings. */
static void resampled_velocities(void)
{
	struct sim *sim = near_sim("drift: springs, spring_stiffness: 20, resample: true", "");
	struct cloud before = near_cloud(COUNT, 0.3, DIM == 2 ? 0.7 : 0.6, 17);
	struct cloud after = correct(sim, &before);
	double worst = 0.0, changed = 0.0;
	for (u32 p = 0; p < COUNT; p++) {
		double sum[3] = {0.0, 0.0, 0.0}, weight = 0.0;
		for (u32 q = 0; q < COUNT; q++) {
			double square = 0.0;
			for (int a = 0; a < DIM; a++) {
				const double d = ((double)after.x[a][p] - (double)before.x[a][q]) /
						 NEAR_SPACING;
				square += d * d;
			}
			const double w = square < 1.96 ? 1.96 / fmax(square, 1e-5) - 1.0 : 0.0;
			weight += w;
			for (int a = 0; a < DIM; a++)
				sum[a] += w * (double)before.v[a][q];
		}
		for (int a = 0; a < DIM; a++) {
			worst = fmax(worst, fabs((double)after.v[a][p] - sum[a] / weight));
			changed = fmax(changed, fabs((double)(after.v[a][p] - before.v[a][p])));
		}
	}
	/* Weights rise as 1/r^2, and r is of single precision. */
	expect_small("off the mean in double, m/s", worst, 2e-3);
	expect("greatest change, m/s", changed, 0.1, 2.0);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
}

/* On the two sides of a plate of no thickness nothing acts; at its end, past it, it does. */
static void plates_part_pairs(void)
{
#if DIM == 2
	static const char plate[] = "solids: [{box: {min: [0.2, 0.5], max: [0.6, 0.5]}}]\n";
#else
	static const char plate[] =
		"solids: [{box: {min: [0.2, 0.5, 0.2], max: [0.6, 0.5, 0.8]}}]\n";
#endif
	struct sim *sim = near_sim("drift: push, push_distance: 1, push_iterations: 1", plate);
	static const double at[] = {0.4, 0.7};
	for (int n = 0; n < 2; n++) {
		struct cloud pair = cloud_make(DIM, 2, false);
		for (u32 p = 0; p < 2; p++) {
			for (int a = 0; a < DIM; a++)
				pair.x[a][p] = 0.5f;
			pair.x[0][p] = (f32)at[n];
			pair.x[1][p] = (f32)(0.5 + (p ? 0.2 : -0.2) * NEAR_SPACING);
		}
		struct cloud after = correct(sim, &pair);
		double way[3];
		fixture_note(n ? "beside the plate" : "the plate between them");
		expect("distance / spacing", near_way(&after, 0, 1, way) / NEAR_SPACING,
		       (n ? 1.0 : 0.4) - 1e-4, (n ? 1.0 : 0.4) + 1e-4);
		cloud_free(&pair);
		cloud_free(&after);
	}
	fixture_free(sim);
}

/* Particles put into a ball come to cells whose neighbours are liquid, one each in the order of
 * ids, with the velocity that all around have; the others stay to the bit. */
static void stuck_particles_are_freed(void)
{
#if DIM == 2
	static const char ball[] = "solids: [{sphere: {center: [0.5, 0.5], radius: 0.2}}]\n";
#else
	static const char ball[] = "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.2}}]\n";
#endif
	struct sim *sim = near_sim("drift: none, reposition: true", ball);
	struct cloud before = cloud_read(sim);
	const u32 stuck[] = {5, 40, before.count - 1};
	for (u32 p = 0; p < before.count; p++)
		before.v[0][p] = 0.25f;
	for (int n = 0; n < 3; n++)
		for (int a = 0; a < DIM; a++) {
			before.x[a][stuck[n]] = (f32)(0.45 + 0.02 * n);
			before.v[a][stuck[n]] = -9.0f;
		}
	struct cloud after = correct(sim, &before);
	u32 moved = 0;
	uint8_t *type = fixture_read(sim, &sim->cell_type);
	size_t last = 0;
	for (u32 p = 0; p < before.count; p++)
		for (int a = 0; a < DIM; a++)
			moved += memcmp(&before.x[a][p], &after.x[a][p], sizeof(f32)) != 0;
	expect("coordinates that change", moved, 3.0 * DIM, 3.0 * DIM);
	expect("counted", sim->neighbours.repositioned_in_substep, 3.0, 3.0);
	for (int n = 0; n < 3; n++) {
		i32 cell[3] = {0, 0, 0};
		for (int a = 0; a < DIM; a++)
			cell[a] = (i32)floor((double)after.x[a][stuck[n]] * NEAR_CELLS);
		const size_t at = lattice_at(&sim->lattice.grid, cell[0], cell[1], cell[2]);
		expect("in liquid", type[at] == CELL_LIQUID, 1.0, 1.0);
		expect("cells in order", n == 0 || at > last, 1.0, 1.0);
		expect("velocity along x, m/s", (double)after.v[0][stuck[n]], 0.25 - 1e-6,
		       0.25 + 1e-6);
		expect_small("along y, m/s", (double)after.v[1][stuck[n]], 1e-6);
		last = at;
	}
	free(type);
	cloud_free(&before);
	cloud_free(&after);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(two_end_at_the_distance),
		CASE(push_is_the_sum_over_pairs),
		CASE(springs_are_the_sum_over_pairs),
		CASE(walls_are_images),
		CASE(collisions),
		CASE(resampled_velocities),
		CASE(plates_part_pairs),
		CASE(stuck_particles_are_freed),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
