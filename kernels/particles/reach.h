/*
 * How far, in whole cells along an axis, particles get outside the blocks in which they were
 * sorted: the drift correction's density goes by these blocks.
 */
#ifndef FRESHET_REACH_H
#define FRESHET_REACH_H

#include "common.h"
#include "lanes.h"

/* Of particle p, which was sorted at x[] and has moved; 0 of a removed one. */
int reach_of(const struct grid g, const float x[3], global const float *position,
	     global const uint *id, int stride, int p)
{
	const int edge = BLOCK_EDGE(DIM), cells[3] = {g.nx, g.ny, g.nz};
	int most = 0;
	if (id[p] == ID_REMOVED)
		return 0;
	for (int a = 0; a < DIM; a++) {
		const int sorted = clamp_int(floor_int(x[a] * g.inv_h), 0, cells[a] - 1);
		const int low = sorted / edge * edge;
		const int cell = floor_int(position[a * stride + p] * g.inv_h);
		const int below = low - cell, above = cell - (low + edge - 1);
		most = below > most ? below : most;
		most = above > most ? above : most;
	}
	return most;
}

#ifndef FRESHET_NATIVE
/* The same of the particles p .. end-1, up to LANES. */
int reach_of_lanes(const struct grid g, const lane_floats x[3], global const float *position,
		   global const uint *id, int stride, int p, int end)
{
	const int edge = BLOCK_EDGE(DIM), cells[3] = {g.nx, g.ny, g.nz};
	int most = 0, each[LANES];
	if (p <= end - LANES && !any(lanes_load(id + p) == ID_REMOVED)) {
		lane_ints out = (lane_ints)(0);
#pragma unroll
		for (int a = 0; a < DIM; a++) {
			/* Sorted positions are not below 0 but by rounding: clamped, they need no
			 * floor. */
			lane_ints sorted = lanes_to_ints(x[a] * g.inv_h);
			sorted = sorted < 0 ? (lane_ints)(0) : sorted;
			sorted = sorted >= cells[a] ? (lane_ints)(cells[a] - 1) : sorted;
			const lane_ints low = sorted & ~(edge - 1);
			const lane_floats at = lanes_load(position + a * stride + p) * g.inv_h;
			lane_ints cell = lanes_to_ints(at);
			cell += lanes_to_floats(cell) > at;
			const lane_ints below = low - cell, above = cell - (low + edge - 1);
			out = below > out ? below : out;
			out = above > out ? above : out;
		}
		if (!any(out > 0))
			return 0;
		lanes_store(out, each);
		for (int l = 0; l < LANES; l++)
			most = each[l] > most ? each[l] : most;
		return most;
	}
	float from[3][LANES];
	for (int a = 0; a < DIM; a++)
		lanes_store(x[a], from[a]);
	for (int l = 0; l < LANES && p + l < end; l++) {
		float at[3] = {0.0f, 0.0f, 0.0f};
		for (int a = 0; a < DIM; a++)
			at[a] = from[a][l];
		const int reach = reach_of(g, at, position, id, stride, p + l);
		most = reach > most ? reach : most;
	}
	return most;
}
#endif /* FRESHET_NATIVE */

#endif
