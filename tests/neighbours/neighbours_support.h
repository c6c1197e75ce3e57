/* Scenes without gravity whose particles a test places. */
#ifndef FRESHET_NEIGHBOURS_SUPPORT_H
#define FRESHET_NEIGHBOURS_SUPPORT_H

#include <math.h>

#include "sim_fixture.h"

#define NEAR_CELLS 16
#define NEAR_H (1.0 / NEAR_CELLS)
#if DIM == 2
#define NEAR_BOX "[1, 1]"
#define NEAR_ZERO "[0, 0]"
#define NEAR_ALL "box: {min: [0, 0], max: [1, 1]}"
#define NEAR_PPC 4
#define NEAR_SPACING (NEAR_H / 2.0)
#else
#define NEAR_BOX "[1, 1, 1]"
#define NEAR_ZERO "[0, 0, 0]"
#define NEAR_ALL "box: {min: [0, 0, 0], max: [1, 1, 1]}"
#define NEAR_PPC 8
#define NEAR_SPACING (NEAR_H / 2.0)
#endif

/* With room for particles of a full box; keys: of `solver`, more: lines of the scene. */
static inline struct sim *near_sim(const char *keys, const char *more)
{
	return fixture_sim("domain: {size: " NEAR_BOX ", cells: %d}\ngravity: " NEAR_ZERO "\n"
			   "time: {fps: 100, frames: 4, dt: 0.005}\nsolver: {%s}\n%s"
			   "liquids: [{" NEAR_ALL "}]\n",
			   NEAR_CELLS, keys, more);
}

/* Uniform between low and high along all axes, with speeds up to 1 m/s. */
static inline struct cloud near_cloud(u32 count, double low, double high, u64 seed)
{
	struct cloud cloud = cloud_make(DIM, count, false);
	u64 state = seed;
	for (u32 p = 0; p < count; p++)
		for (int a = 0; a < DIM; a++) {
			cloud.x[a][p] = (f32)(low + (high - low) * fixture_random(&state));
			cloud.v[a][p] = (f32)(2.0 * fixture_random(&state) - 1.0);
		}
	return cloud;
}

/* From q to p in metres, and how far. */
static inline double near_way(const struct cloud *c, u32 p, u32 q, double way[3])
{
	double square = 0.0;
	for (int a = 0; a < DIM; a++) {
		way[a] = (double)c->x[a][p] - (double)c->x[a][q];
		square += way[a] * way[a];
	}
	return sqrt(square);
}

#endif
