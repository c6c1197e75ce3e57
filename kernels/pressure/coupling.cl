/*
 * Bodies that the liquid moves, in the pressure equation: K = A + sum over bodies of J C J^T
 * (Batty, Bertails & Bridson 2007).  J: what a body's velocities push out of each liquid cell,
 * through the parts of its faces that the body covers, in cells' faces; C = rho h^D M^-1.
 *
 * J is a list of entries, by body, in order of rows: cell, a place on level 0; area, float
 * [AXES][capacity].  Cells beside several bodies have an entry for each, in a chain: the one of the
 * first body leads it, and adds for all, so that sums have an order.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "coupling_axes.h"
#include "coupling_lanes.h"
#include "mg.h"
#include "mg_state.h"

#define COUPLING_LEADS 0x80000000u

/* Lists the cells of a row that the body covers a part of.  counts: the scan of their numbers.
 * Work-item (row, body). */
kernel void coupling_list(const struct grid g, const struct mg_level level,
			  global const struct coupling_body *bodies, global const float *cover,
			  global const float *gain, global const uint *starts, int capacity,
			  global uint *cell, global uint *point, global uint *body_of,
			  global float *area, global float *entry_gain)
{
	const int b = (int)get_global_id(1), row = (int)get_global_id(0);
	const struct coupling_body body = bodies[b];
	if (row >= body.box.ny * body.box.nz)
		return;
	const int j = body.box.j + modulo(row, body.box.ny), k = body.box.k + row / body.box.ny;
	int e = (int)starts[body.first_row + row];
	for (int x = 0; x < body.box.nx; ++x) {
		const int place = body.first + row * body.box.nx + x;
		float most = 0.0f;
		for (int c = 0; c < AXES; ++c)
			most = max_float(most, fabs(cover[place * AXES + c]));
		if (!(most > 0.0f))
			continue;
		cell[e] = (uint)mg_at_cell(level, body.box.i + x, j, k);
		point[e] = (uint)lattice_index(g, body.box.i + x, j, k);
		body_of[e] = (uint)b;
		entry_gain[e] = gain[place];
		for (int c = 0; c < AXES; ++c)
			area[c * capacity + e] = cover[place * AXES + c];
		++e;
	}
}

/* The entry of body b at lattice point (i,j,k), or -1. */
int coupling_find(global const struct coupling_body *bodies, int b, global const uint *starts,
		  global const uint *point, uint at, int i, int j, int k)
{
	const struct lattice_box box = bodies[b].box;
	if (i < box.i || j < box.j || k < box.k || i >= box.i + box.nx || j >= box.j + box.ny ||
	    k >= box.k + box.nz)
		return -1;
	const int row = bodies[b].first_row + (k - box.k) * box.ny + (j - box.j);
	for (int e = (int)starts[row]; e < (int)starts[row + 1]; ++e)
		if (point[e] == at)
			return e;
	return -1;
}

/* next: the entry of the next body at the same cell, or -1; marks the first.  Work-item = entry. */
kernel void coupling_chain(const struct grid g, global const struct coupling_body *bodies,
			   int count, global const uint *starts, global const uint *point,
			   int entries, global uint *body_of, global int *next)
{
	const int e = (int)get_global_id(0);
	if (e >= entries)
		return;
	const uint at = point[e];
	const int own = (int)body_of[e];
	const int i = modulo((int)at, g.px), j = modulo((int)at / g.px, g.py),
		  k = (int)at / g.px / g.py;
	int leads = 1, found = -1;
	for (int b = 0; b < own && leads; ++b)
		leads = coupling_find(bodies, b, starts, point, at, i, j, k) < 0;
	for (int b = own + 1; b < count && found < 0; ++b)
		found = coupling_find(bodies, b, starts, point, at, i, j, k);
	next[e] = found;
	if (leads)
		body_of[e] = (uint)own | COUPLING_LEADS;
}

ALWAYS_INLINE int coupling_is_idle(int when, global const uint *state)
{
	return when != COUPLING_ALWAYS &&
	       (state[MG_DONE] != 0 || (when == COUPLING_CHECKED && !state[MG_CHECK]));
}

/*
 * sums[b] = J^T v of body b, by axis, and then C J^T v; in float pairs.  v: on level 0, or one
 * number for each entry; v_low: its low parts, with has_low.  inverse: float [bodies][AXES][AXES],
 * C.  A group per body, of a work-item per lane or, on CPUs, one.  lane: 2 AXES PAIRS_LANES words.
 */
kernel void coupling_gather(global const struct coupling_body *bodies, int count,
			    global const uint *starts, int rows, global const uint *cell,
			    global const float *area, int capacity, global const float *v,
			    global const float *v_low, int has_low, int by_entry,
			    global const float *inverse, int when, global const uint *state,
			    global struct pair *sums, local float *lane)
{
	const int b = (int)get_group_id(0), idle = b >= count || coupling_is_idle(when, state);
	const int from = idle ? 0 : (int)starts[bodies[b].first_row];
	const int end = idle		? 0
			: b + 1 < count ? (int)starts[bodies[b + 1].first_row]
					: (int)starts[rows];
	CG_LANES(w)
	{
		float high[AXES], low[AXES];
		for (int c = 0; c < AXES; ++c)
			high[c] = low[c] = 0.0f;
		for (int e = from + w; e < end; e += PAIRS_LANES) {
			const int at = by_entry ? e : (int)cell[e];
			const float value = v[at], rest = has_low ? v_low[at] : 0.0f;
			for (int c = 0; c < AXES; ++c) {
				const float part = area[c * capacity + e];
				pairs_accumulate(&high[c], &low[c], part, value);
				low[c] = fma(part, rest, low[c]);
			}
		}
		coupling_put(lane, w, AXES, high, low);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) != 0 || idle)
		return;
	struct pair total[AXES];
	for (int c = 0; c < AXES; ++c) {
		total[c] = coupling_total(lane, c);
		sums[b * 2 * AXES + c] = total[c];
	}
	for (int c = 0; c < AXES; ++c) {
		float high = 0.0f, low = 0.0f;
		for (int d = 0; d < AXES; ++d) {
			const float part = inverse[(b * AXES + c) * AXES + d];
			pairs_accumulate(&high, &low, part, total[d].high);
			low = fma(part, total[d].low, low);
		}
		sums[b * 2 * AXES + AXES + c] = pairs_two_sum(high, low);
	}
}

/* v += scale J w at the cells beside bodies, w by coupling_gather().  Work-item = entry. */
kernel void coupling_scatter(global const uint *cell, global const uint *body_of,
			     global const int *next, global const float *area, int capacity,
			     int entries, global const struct pair *sums, float scale, int when,
			     global const uint *state, global float *v)
{
	const int first = (int)get_global_id(0);
	if (first >= entries || !(body_of[first] & COUPLING_LEADS) || coupling_is_idle(when, state))
		return;
	float sum = 0.0f;
	/* A chain has an entry of a body once. */
	for (int e = first; e >= 0; e = next[e]) {
		const int b = (int)(body_of[e] & ~COUPLING_LEADS);
		for (int c = 0; c < AXES; ++c)
			sum += area[c * capacity + e] * sums[b * 2 * AXES + AXES + c].high;
	}
	v[cell[first]] += scale * sum;
}
