/*
 * What must not depend on direction, frame of reference or dimension.
 * Bars: cases.md: mirror symmetry and axis swap 0.02 h at 0.3 s, an extruded scene within
 * a cell of the 2D one, a drop in uniform motion within 0.1 h after 1 s.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_fixture.h"

#define FPS 240

#if DIM == 2
#define N 64
#define SIZE "[1, 1]"
#define DOWN "[0, -9.81]"
#else
#define N 20
#define SIZE "[1, 1, 1]"
#define DOWN "[0, -9.81, 0]"
#endif
#define H (1.0 / N)

static struct sim *make(const char *transfer, const char *liquid)
{
	return fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
			   "time: {fps: %d, frames: 1000, dt: %.17g}\n"
			   "liquid: {transfer: %s}\nliquids: [{%s}]\n",
			   SIZE, N, DOWN, FPS, 1.0 / FPS, transfer, liquid);
}

#if DIM == 2
#define LEFT_DAM "box: {min: [0, 0], max: [0.25, 0.5]}"
#define MIDDLE "box: {min: [0.375, 0], max: [0.625, 0.5]}"
#else
#define LEFT_DAM "box: {min: [0, 0, 0], max: [0.25, 0.5, 0.75]}"
#define MIDDLE "box: {min: [0.375, 0, 0.25], max: [0.625, 0.5, 0.75]}"
#endif

/* ---- mirror and axis swap --------------------------------------------------------------- */

/* Maps axis x to 1 - x, or swaps x and z. */
static void reflect(struct cloud *cloud, bool swap)
{
	f32 *x = cloud->x[0], *v = cloud->v[0];
	for (u32 p = 0; p < cloud->count && !swap; p++) {
		x[p] = 1.0f - x[p];
		v[p] = -v[p];
	}
	if (swap) {
		cloud->x[0] = cloud->x[2];
		cloud->v[0] = cloud->v[2];
		cloud->x[2] = x;
		cloud->v[2] = v;
	}
	/* C changes like the outer product of two vectors. */
	for (u32 p = 0; p < cloud->count && cloud->affine && !swap; p++)
		for (int row = 0; row < DIM; row++)
			for (int column = 0; column < DIM; column++)
				if ((row == 0) != (column == 0))
					cloud->affine[(size_t)(row * DIM + column) * cloud->count +
						      p] *= -1.0f;
}

/* Runs a liquid and its reflection; their centres of mass must be reflections at 0.3 s. */
static void check_reflection(const char *transfer, const char *liquid, bool swap)
{
	struct sim *one = make(transfer, liquid), *two = make(transfer, liquid);
	struct cloud cloud = cloud_read(two);
	reflect(&cloud, swap);
	cloud_write(two, &cloud);
	cloud_free(&cloud);
	fixture_run(one, 0.3, NULL, NULL);
	fixture_run(two, 0.3, NULL, NULL);
	struct cloud a = cloud_read(one), b = cloud_read(two);
	reflect(&b, swap);
	fixture_note("%s, %s", liquid, transfer);
	for (int axis = 0; axis < DIM; axis++) {
		char what[64];
		snprintf(what, sizeof(what), "centres of mass along %c, h", "xyz"[axis]);
		expect_small(what, (cloud_mean(&a, a.x[axis]) - cloud_mean(&b, b.x[axis])) / H,
			     0.02);
	}
	cloud_free(&a);
	cloud_free(&b);
	fixture_free(one);
	fixture_free(two);
}

static void mirror_dam(void)
{
	check_reflection("flip", LEFT_DAM, false);
	check_reflection("apic", LEFT_DAM, false);
}

/* A column in the middle, its right half the mirror image of the left, stays symmetric. */
static void mirror_column(void)
{
	struct sim *sim = make("flip", MIDDLE);
	struct cloud cloud = cloud_read(sim);
	u32 kept = 0;
	for (u32 p = 0; p < cloud.count; p++) {
		if ((double)cloud.x[0][p] >= 0.5)
			continue;
		for (int a = 0; a < DIM; a++)
			cloud.x[a][kept] = cloud.x[a][p];
		kept++;
	}
	for (u32 p = 0; p < kept && kept + p < cloud.count; p++)
		for (int a = 0; a < DIM; a++)
			cloud.x[a][kept + p] = a == 0 ? 1.0f - cloud.x[a][p] : cloud.x[a][p];
	expect("particles: right half / left half", (double)cloud.count / kept, 2.0, 2.0);
	cloud_write(sim, &cloud);
	cloud_free(&cloud);
	fixture_run(sim, 0.3, NULL, NULL);
	cloud = cloud_read(sim);
	expect_small("centre of mass off the middle, h", (cloud_mean(&cloud, cloud.x[0]) - 0.5) / H,
		     0.02);
	cloud_free(&cloud);
	fixture_free(sim);
}

#if DIM == 3
static void axis_swap(void)
{
	check_reflection("flip", LEFT_DAM, true);
}
#endif

/* ---- uniform motion --------------------------------------------------------------------- */

/* The 99th percentile of a list, which is sorted: an outline without the odd particle. */
static int compare_floats(const void *a, const void *b)
{
	const f32 left = *(const f32 *)a, right = *(const f32 *)b;
	return (left > right) - (left < right);
}

static double outline(f32 *list, u32 count)
{
	qsort(list, count, sizeof(f32), compare_floats);
	return (double)list[(u32)(0.99 * count)];
}

/* How far the liquid reaches from its centre of mass in some directions, cells. */
#define DIRECTIONS 16
static void measure_shape(struct sim *sim, double reach[DIRECTIONS])
{
	struct cloud cloud = cloud_read(sim);
	double middle[3] = {0};
	for (int a = 0; a < DIM; a++)
		middle[a] = cloud_mean(&cloud, cloud.x[a]);
	for (int d = 0; d < DIRECTIONS; d++) {
		const double angle = 2.0 * 3.14159265358979 * d / DIRECTIONS;
		for (u32 p = 0; p < cloud.count; p++)
			cloud.v[0][p] = (f32)((cos(angle) * ((double)cloud.x[0][p] - middle[0]) +
					       sin(angle) * ((double)cloud.x[1][p] - middle[1])) /
					      H);
		reach[d] = outline(cloud.v[0], cloud.count);
	}
	cloud_free(&cloud);
}

/* A drop without gravity, at rest and moving by a quarter of the box, keeps the same shape. */
static void check_drop(const char *transfer)
{
	double rest[DIRECTIONS], moving[DIRECTIONS], worst = 0.0;
	for (int run = 0; run < 2; run++) {
		struct sim *sim = fixture_sim(
			"domain: {size: %s, cells: %d}\ngravity: %s\n"
			"time: {fps: %d, frames: 1000, dt: %.17g}\nliquid: {transfer: %s}\n"
			"liquids: [{sphere: {center: %s, radius: 0.2}, velocity: %s}]\n",
			SIZE, N, DIM == 2 ? "[0, 0]" : "[0, 0, 0]", FPS, 1.0 / FPS, transfer,
			DIM == 2 ? "[0.35, 0.4]" : "[0.35, 0.4, 0.5]",
			run == 0 ? (DIM == 2 ? "[0, 0]" : "[0, 0, 0]")
				 : (DIM == 2 ? "[0.25, 0.17]" : "[0.25, 0.17, 0]"));
		fixture_run(sim, fixture_pick(DIM == 2 ? 1.0 : 0.5, 1.0), NULL, NULL);
		measure_shape(sim, run == 0 ? rest : moving);
		fixture_free(sim);
	}
	for (int d = 0; d < DIRECTIONS; d++)
		worst = fmax(worst, fabs(rest[d] - moving[d]));
	fixture_note("drop, %s", transfer);
	expect_small("difference of the shapes, h", worst, 0.1);
}

static void galilean_drop(void)
{
	check_drop("flip");
	check_drop("apic");
}

/* ---- Froude's scaling ------------------------------------------------------------------- */

/* A dam n^2 times as large and n times as slow, particles in the order of their ids.  n is a power
 * of two: then every product of the substep scales exactly. */
static struct cloud scaled_dam(double n)
{
	const double size = n * n, width = 0.5 * size, height = 0.625 * size;
	char box[128], dam[128];
	if (DIM == 2) {
		snprintf(box, sizeof(box), "[%g, %g]", size, size);
		snprintf(dam, sizeof(dam), "{min: [0, 0], max: [%g, %g]}", width, height);
	} else {
		snprintf(box, sizeof(box), "[%g, %g, %g]", size, size, size);
		snprintf(dam, sizeof(dam), "{min: [0, 0, 0], max: [%g, %g, %g]}", width, height,
			 width);
	}
	struct sim *sim =
		fixture_sim("domain: {size: %s, cells: 16}\ntime: {fps: %.17g, max_dt: %.17g}\n"
			    "liquid: {flip_time: %.17g}\nsolver: {drift_time: %.17g}\n"
			    "liquids: [{box: %s}]\n",
			    box, 24.0 / n, 0.02 * n, n / 240.0, n / 60.0, dam);
	fixture_run(sim, 12.0 / 24.0 * n, NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	fixture_free(sim);
	return cloud;
}

static void froude_scaling(void)
{
	const double n = 32.0;
	struct cloud small = scaled_dam(1.0), large = scaled_dam(n);
	double worst = 0.0, worst_v = 0.0;
	expect_small("particles", (double)large.count - (double)small.count, 0.0);
	for (u32 p = 0; p < small.count && p < large.count; p++)
		for (int a = 0; a < DIM; a++) {
			worst = fmax(worst,
				     fabs((double)large.x[a][p] / (n * n) - (double)small.x[a][p]));
			worst_v = fmax(worst_v,
				       fabs((double)large.v[a][p] / n - (double)small.v[a][p]));
		}
	expect_small("places of a dam 1 km large less those of one 1 m large, m", worst, 1e-4);
	expect_small("velocities, m/s", worst_v, 1e-3);
	cloud_free(&small);
	cloud_free(&large);
}

/* ---- extrusion -------------------------------------------------------------------------- */

#if DIM == 3
static double front_of(struct sim *sim)
{
	struct cloud cloud = cloud_read(sim);
	const double front = outline(cloud.x[0], cloud.count);
	cloud_free(&cloud);
	return front;
}

static void extruded_dam(void)
{
	const int n = fixture_full() ? 64 : 24;
	const double depth = 8.0 / n;
	struct sim *flat = fixture_sim("domain: {size: [1, 1], cells: %d}\n"
				       "time: {fps: %d, frames: 1000, dt: %.17g}\n"
				       "liquids: [{box: {min: [0, 0], max: [0.25, 0.5]}}]\n",
				       n, FPS, 1.0 / FPS);
	struct sim *deep =
		fixture_sim("domain: {size: [1, 1, %.17g], cells: %d}\ngravity: [0, -9.81, 0]\n"
			    "time: {fps: %d, frames: 1000, dt: %.17g}\n"
			    "liquids: [{box: {min: [0, 0, 0], max: [0.25, 0.5, %.17g]}}]\n",
			    depth, n, FPS, 1.0 / FPS, depth);
	for (int tenths = 1; tenths <= 3; tenths++) {
		char what[64];
		fixture_run(flat, 0.1 * tenths, NULL, NULL);
		fixture_run(deep, 0.1 * tenths, NULL, NULL);
		snprintf(what, sizeof(what), "fronts at 0.%d s: 3D - 2D, h", tenths);
		expect_small(what, (front_of(deep) - front_of(flat)) * n, 1.0);
	}
	fixture_free(flat);
	fixture_free(deep);
}
#endif

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(mirror_dam),
		CASE(mirror_column),
#if DIM == 3
		CASE(axis_swap),
		CASE(extruded_dam),
#endif
		CASE(galilean_drop),
		CASE(froude_scaling),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
