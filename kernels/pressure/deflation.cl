/*
 * Deflation of the bodies' columns Z out of the preconditioned residual (A-DEF2 of Tang, Nabben,
 * Vuik & Erlangga 2009): y += Z E^-1 Z^T (r - K y), E = Z^T K Z.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "coupling_axes.h"
#include "coupling_lanes.h"
#include "mg.h"
#include "mg_state.h"

/*
 * moments = Z^T (r - K y), float [bodies][AXES] in order of the coarse unknowns: `unknown` has the
 * first one of a body.  With has_y; without, y is 0.  meets: pairs whose columns are the body's,
 * from first_meet[body] to that of the next; blocks: J^T Z of each; sums: C J^T y.  A group per
 * body.  lane: 2 AXES PAIRS_LANES words.
 */
kernel void deflation_restrict(const struct mg_level level,
			       global const struct coupling_body *bodies, int count,
			       global const ushort *open, global const float *excess,
			       global const float *z, global const float *r, global const float *y,
			       int has_y, global const struct coupling_pair *meets,
			       global const int *first_meet, global const struct pair *blocks,
			       global const struct pair *sums, global const int *unknown, int when,
			       global const uint *state, global float *moments, local float *lane)
{
	const int b = (int)get_group_id(0);
	const int idle = b >= count || (when != COUPLING_ALWAYS && state[MG_DONE] != 0);
	const struct coupling_body body = bodies[b < count ? b : 0];
	const struct lattice_box box = body.box;
	const int cells = idle ? 0 : box.nx * box.ny * box.nz;
	global const float *column = z + (long)body.first * AXES;
	CG_LANES(w)
	{
		float high[AXES], low[AXES];
		for (int c = 0; c < AXES; ++c)
			high[c] = low[c] = 0.0f;
		for (int place = w; place < cells; place += PAIRS_LANES) {
			const int i = box.i + modulo(place, box.nx);
			const int j = box.j + modulo(place / box.nx, box.ny);
			const int k = box.k + place / box.nx / box.ny;
			const struct mg_cell c = mg_cell_at(level, (i + j + k) & 1, i >> 1, j, k);
			float value = r[c.at];
			if (has_y) {
				const struct mg_row row = mg_apply(
					level, c, mg_finest_links(level, c, open), excess, y);
				value -= row.diagonal * y[c.at] - row.off;
			}
			for (int q = 0; q < AXES; ++q)
				pairs_accumulate(&high[q], &low[q], column[place * AXES + q],
						 value);
		}
		coupling_put(lane, w, AXES, high, low);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) != 0 || idle)
		return;
	for (int q = 0; q < AXES; ++q) {
		const struct pair own = coupling_total(lane, q);
		float sum = own.high, rest = own.low;
		for (int n = first_meet[b]; n < first_meet[b + 1] && has_y; ++n)
			for (int m = 0; m < AXES; ++m)
				pairs_accumulate(&sum, &rest,
						 -blocks[(n * AXES + m) * AXES + q].high,
						 sums[meets[n].row * 2 * AXES + AXES + m].high);
		moments[unknown[b] + q] = sum + rest;
	}
}

/* shares = E^-1 moments.  Work-item = unknown. */
kernel void deflation_solve(int unknowns, global const struct coupling_row *rows,
			    global const float *inverse, global const float *moments, int when,
			    global const uint *state, global float *shares)
{
	const int u = (int)get_global_id(0);
	if (u >= unknowns || (when != COUPLING_ALWAYS && state[MG_DONE] != 0))
		return;
	const struct coupling_row row = rows[u];
	float high = 0.0f, low = 0.0f;
	for (int n = 0; n < row.count; ++n)
		pairs_accumulate(&high, &low, inverse[row.entry + n], moments[row.first + n]);
	shares[u] = high + low;
}

/* The cell (i,j,k) in the box of a body: its place among all cells of boxes, or -1. */
int deflation_place(const struct coupling_body body, int i, int j, int k)
{
	const int x = i - body.box.i, y = j - body.box.j, l = k - body.box.k;
	if (x < 0 || y < 0 || l < 0 || x >= body.box.nx || y >= body.box.ny || l >= body.box.nz)
		return -1;
	return body.first + (l * body.box.ny + y) * body.box.nx + x;
}

/*
 * y += Z shares.  Where boxes overlap the cell of the first body adds for all: those of its list,
 * near[] from first_near[body] to that of the next, in ascending order.  Work-item (row, body).
 */
kernel void deflation_prolong(const struct mg_level level,
			      global const struct coupling_body *bodies, global const int *near,
			      global const int *first_near, global const float *z,
			      global const int *unknown, global const float *shares, int when,
			      global const uint *state, global float *y)
{
	const int b = (int)get_global_id(1), row = (int)get_global_id(0);
	const struct coupling_body body = bodies[b];
	const struct lattice_box box = body.box;
	if (row >= box.ny * box.nz || (when != COUPLING_ALWAYS && state[MG_DONE] != 0))
		return;
	const int j = box.j + modulo(row, box.ny), k = box.k + row / box.ny;
	for (int x = 0; x < box.nx; ++x) {
		const int i = box.i + x;
		float sum = 0.0f;
		int leads = 1;
		for (int n = first_near[b]; n < first_near[b + 1] && leads; ++n) {
			const int other = near[n];
			const int place = deflation_place(bodies[other], i, j, k);
			leads = place < 0 || other >= b;
			if (place < 0)
				continue;
			for (int q = 0; q < AXES; ++q)
				sum += z[(long)place * AXES + q] * shares[unknown[other] + q];
		}
		if (leads)
			y[mg_at_cell(level, i, j, k)] += sum;
	}
}
