/*
 * The pressure equation on the grid: coefficients, right-hand side, correction.
 *
 * For every liquid cell, sum over faces of area * (q - q_neighbour)/theta = -sum of area * u out,
 * with q = p dt / (rho h) in m/s; q = 0 at the surface, theta cells away (Gibou et al. 2002; open
 * areas: Ng, Min & Gibou 2009).  The correction is u -= (q_high - q_low)/theta.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "faces.h"
#include "kick.h"
#include "mg.h"
#include "mg_state.h"

/* Net volume flux out of a liquid cell over its open faces, m/s (divide by h for the divergence),
 * of the velocity u_face + kick; and, with has_flow, over what is closed, of `flow`: what comes in
 * (host/stages/sources.h), what solids push (solids_motion.cl). */
ALWAYS_INLINE float pressure_flux(const struct grid g, global const uchar *restrict cell_type,
				  global const float *restrict phi,
				  global const ushort *restrict open_fraction,
				  global const uchar *restrict opened,
				  global const float *restrict u_face, const struct kick kick,
				  global const float *restrict flow, int has_flow, long at, int i,
				  int j, int k)
{
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	float flux = 0.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		float parts[2];
#pragma unroll
		for (int side = 0; side < 2; side++) {
			const struct face f = faces_of_cell(g, cell_type, phi, open_fraction,
							    opened, at, here[a], cells[a], a, side);
			const long slot = a * g.lattice + at + side * lattice_stride(g, a);
			const float there = f.kind != FACE_CLOSED ? u_face[slot] : 0.0f;
			const float u =
				there + forces_kick(kick, a, i + (side & (a == 0)),
						    j + (side & (a == 1)), k + (side & (a == 2)));
			parts[side] = f.kind != FACE_CLOSED ? f.area * u : 0.0f;
			/* Of a wall that has let go the rest still pushes: with covered and open
			 * parts that make up the faces no cell needs a flow faster than the wall.
			 */
			if (has_flow)
				parts[side] += flow[slot] * (opened[slot - a * g.lattice] >> a & 1
								     ? 1.0f - f.area
								     : 1.0f);
		}
		flux += parts[1] - parts[0];
	}
	return flux;
}

/* Level 0 of the operator: links to the upper neighbours and what ties a cell to pressure 0.
 * Work-item = cell in order of x. */
kernel void pressure_coefficients(global const int *restrict bricks, const struct brick_run run,
				  const struct grid g, const struct mg_level level,
				  global const uchar *restrict cell_type,
				  global const float *restrict phi,
				  global const ushort *restrict open_fraction,
				  global const uchar *restrict opened, global ushort *restrict open,
				  global float *restrict excess)
{
	const struct brick_point p = mg_listed_row(bricks, run);
	const long x = (long)get_global_id(0), at = lattice_index(g, p.i, p.j, p.k) + x;
	const int i = p.i + (int)x, j = p.j, k = p.k;
	if (!mg_row_counts(bricks, run) | (i >= g.nx) | (j >= g.ny) | (k >= g.nz))
		return;
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	const int liquid = cell_type[at] == CELL_LIQUID;
	const long to = mg_at_cell_behind(level, p.i, x, j, k);
	float ties = 0.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
#pragma unroll
		for (int side = 0; side < 2; side++) {
			struct face f = {FACE_CLOSED, 0.0f, 1.0f};
			if (liquid)
				f = faces_of_cell(g, cell_type, phi, open_fraction, opened, at,
						  here[a], cells[a], a, side);
			const int kind = f.kind;
			ties = kind == FACE_DIRICHLET ? ties + f.area / f.theta : ties;
			if (side == 1)
				open[2 * level.colour_stride * a + to] =
					(ushort)(int)(kind == FACE_LINK ? f.area * FRACTION_ONE
									: 0.0f);
		}
	}
	excess[to] = ties;
}

/* b = minus the flux of u_face + kick out of each liquid cell, 0 elsewhere.  Work-item = cell in
 * order of x. */
kernel void pressure_rhs(global const int *restrict bricks, const struct brick_run run,
			 const struct grid g, const struct mg_level level,
			 global const uchar *restrict cell_type, global const float *restrict phi,
			 global const ushort *restrict open_fraction,
			 global const uchar *restrict opened, global const float *restrict u_face,
			 const struct kick kick, global const float *restrict flow, int has_flow,
			 global float *restrict b)
{
	const struct brick_point p = mg_listed_row(bricks, run);
	const long x = (long)get_global_id(0), at = lattice_index(g, p.i, p.j, p.k) + x;
	const int i = p.i + (int)x, j = p.j, k = p.k;
	if (!mg_row_counts(bricks, run) | (i >= g.nx) | (j >= g.ny) | (k >= g.nz))
		return;
	float value = 0.0f;
	if (cell_type[at] == CELL_LIQUID)
		value = -pressure_flux(g, cell_type, phi, open_fraction, opened, u_face, kick, flow,
				       has_flow, at, i, j, k);
	b[mg_at_cell_behind(level, p.i, x, j, k)] = value;
}

/* Largest |flux| of u_face + kick over liquid cells into scalars[which].  Maxima go to one word,
 * which all work-items would queue for: each goes through the rows of its brick.  Work-item = x in
 * a brick, on CPUs one for all, which become vectors. */
kernel void pressure_max_divergence(global const int *restrict bricks, const struct brick_run run,
				    const struct grid g, global const uchar *restrict cell_type,
				    global const float *restrict phi,
				    global const ushort *restrict open_fraction,
				    global const uchar *restrict opened,
				    global const float *restrict u_face, const struct kick kick,
				    global const float *restrict flow, int has_flow,
				    global uint *restrict scalars, int which)
{
	const int place = bricks_place(run, 1);
	uint most = 0;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if ((p.j >= g.ny) | (p.k >= g.nz))
			continue;
		const long first = lattice_index(g, p.i, p.j, p.k);
		BRICK_FOR_X(x)
		{
			const int i = p.i + (int)x;
			uint size = 0;
			if ((i < g.nx ? cell_type[first + x] : CELL_SOLID) == CELL_LIQUID)
				size = as_uint(fabs(pressure_flux(
					g, cell_type, phi, open_fraction, opened, u_face, kick,
					flow, has_flow, first + x, i, p.j, p.k)));
			/* Of a flux that is not a number nothing is told. */
			size = size > 0x7f800000u ? 0 : size;
			most = size > most ? size : most;
		}
	}
	if (most > 0)
		atomic_max(scalars + which, most);
}

/* pressure_project() at a lattice point; *most: the greatest |u| of a projected face, in bits, none
 * of what is not a number; *wrong: there is a value out of range. */
ALWAYS_INLINE void pressure_project_point(
	const struct grid g, const struct mg_level level, global const float *restrict q,
	global const uchar *restrict cell_type, global const float *restrict phi,
	global const ushort *restrict open_fraction, global const uchar *restrict opened,
	const struct kick kick, global const float *restrict flow, int has_flow, int keep_old,
	long at, int i, int j, int k, global float *restrict u_face, global float *restrict u_old,
	global float *restrict delta, global uchar *restrict valid, uint *most, uint *wrong)
{
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz}, known = valid[at];
	int bits = 0;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		const long slot = a * g.lattice + at;
		float change = 0.0f;
		if (face_exists(g, a, i, j, k)) {
			int kind;
			const float gradient =
				faces_gradient(g, level, q, cell_type, phi, open_fraction, opened,
					       at, i, j, k, a, &kind);
			const int projected = kind != FACE_CLOSED;
			const int fixed = !projected & ((here[a] == 0) | (here[a] == cells[a])) &
					  (open_fraction[slot] == 0);
			const float wall = has_flow ? flow[slot] : 0.0f, old = u_face[slot];
			const float kicked = old + forces_kick(kick, a, i, j, k);
			const float kept = (known >> a & 1) ? kicked : old;
			const float u = projected ? kicked - gradient : fixed ? wall : kept;
			const uint size = projected ? as_uint(fabs(u)) : 0;
			const uint number = size > 0x7f800000u ? 0 : size;
			*most = number > *most ? number : *most;
			*wrong |= size >= as_uint(HUGE_FROM) ? 1u : 0u;
			bits |= projected ? 1 << a : fixed ? 8 << a : 0;
			change = u - old;
			u_face[slot] = u;
			if (keep_old)
				u_old[slot] = old;
		}
		delta[slot] = change;
	}
	valid[at] = (uchar)bits;
}

/*
 * u_face holds u_old, the velocity before the forces.  u = u_old + kick - grad q on every face that
 * is open and touches liquid; valid bit c marks those.  The others wait for extrapolation, with
 * u_old + kick where they had a value, else 0: what is far from liquid is at rest.  Closed faces of
 * the box get the wall's velocity, or that of what comes in, and the mark "fixed" (bit 3 + c).
 * delta = u - u_old on all.  With keep_old u_old goes to an array of its own.  Also the largest |u|
 * of the projected faces.  Work-items as of pressure_max_divergence().
 */
kernel void pressure_project(global const int *restrict bricks, const struct brick_run run,
			     const struct grid g, const struct mg_level level,
			     global const float *restrict q, global const uchar *restrict cell_type,
			     global const float *restrict phi,
			     global const ushort *restrict open_fraction,
			     global const uchar *restrict opened, const struct kick kick,
			     global const float *restrict flow, int has_flow, int keep_old,
			     global float *restrict u_face, global float *restrict u_old,
			     global float *restrict delta, global uchar *restrict valid,
			     global uint *restrict scalars)
{
	const int place = bricks_place(run, 1);
	uint fastest = 0, bad = 0;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if ((p.j >= g.py) | (p.k >= g.pz))
			continue;
		const long first = lattice_index(g, p.i, p.j, p.k);
		BRICK_FOR_X(x)
		{
			const int i = p.i + (int)x, j = p.j, k = p.k;
			const long at = first + x;
			uint most = 0, wrong = 0;
			if (i < g.px)
				pressure_project_point(g, level, q, cell_type, phi, open_fraction,
						       opened, kick, flow, has_flow, keep_old, at,
						       i, j, k, u_face, u_old, delta, valid, &most,
						       &wrong);
			fastest = most > fastest ? most : fastest;
			bad |= wrong;
		}
	}
	if (fastest > 0)
		atomic_max(scalars + SCALAR_GRID_SPEED, fastest);
	if (bad)
		atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_GRID);
}

/* p = q rho h / dt in Pa at the cells.  One work-item per lattice point. */
kernel void pressure_store(global const int *bricks, const struct brick_run run,
			   const struct grid g, const struct mg_level level, global const float *q,
			   global const uchar *cell_type, float to_pascal, global float *pressure)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	pressure[at] = cell_exists(g, i, j, k) && cell_type[at] == CELL_LIQUID
			       ? q[mg_at_cell(level, i, j, k)] * to_pascal
			       : 0.0f;
}

/* Has the solve ended, and will not go on by other means? */
ALWAYS_INLINE int cg_has_solution(global const uint *state)
{
	return state[MG_DONE] && (state[MG_REACHED] || as_float(state[MG_RZ]) > 0.0f);
}

/* pressure_separate() at a lattice point; gives whether a wall there has changed. */
ALWAYS_INLINE uint pressure_separate_point(
	const struct grid g, const struct mg_level level, global const float *restrict q,
	global const uchar *restrict cell_type, global const ushort *restrict open_fraction,
	global const ushort *restrict sealed, float threshold, global const float *restrict u_face,
	const struct kick kick, global const float *restrict flow, int has_flow, long at, int i,
	int j, int k, global uchar *restrict opened)
{
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	const int before = opened[at];
	int bits = before;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		const long slot = a * g.lattice + at;
		const int stride = lattice_stride(g, a), exists = face_exists(g, a, i, j, k);
		const int type_low = (exists & (here[a] > 0)) ? cell_type[at - stride] : CELL_SOLID;
		const int type_high = (exists & (here[a] < cells[a])) ? cell_type[at] : CELL_SOLID;
		const int low_wet = type_low == CELL_LIQUID, high_wet = type_high == CELL_LIQUID;
		const int is_wall = ((type_low == CELL_SOLID) & high_wet) |
				    (low_wet & (type_high == CELL_SOLID));
		const int open = is_wall ? open_fraction[slot] : 1;
		/* The wall's own speed; where liquid comes in it never lets go. */
		const float wall = has_flow ? flow[slot] : 0.0f;
		const int is_side = (here[a] == 0) | (here[a] == cells[a]);
		const int closed = (open == 0) & !(is_side & (fabs(wall) > 0.0f));
		const int sealed_low = (closed & low_wet) ? sealed[at - stride] : SEALED_NONE;
		const int sealed_high = (closed & high_wet) ? sealed[at] : SEALED_NONE;
		const int may = closed & (sealed_low == SEALED_NONE) & (sealed_high == SEALED_NONE);
		const int from = mg_at_cell(level, i - ((a == 0) & low_wet),
					    j - ((a == 1) & low_wet), k - ((a == 2) & low_wet));
		const float q_wet = may ? q[from] : 0.0f;
		/* Velocity towards the wall after the correction at this face. */
		const float u = (may ? u_face[slot] : 0.0f) + forces_kick(kick, a, i, j, k) -
				(low_wet ? -q_wet : q_wet) / FACES_WALL_THETA;
		const int into = (low_wet ? u - wall : wall - u) > threshold;
		const int was = bits >> a & 1, is = was ? !into : q_wet < -threshold;
		bits ^= (may & (was != is)) ? 1 << a : 0;
	}
	if (bits != before)
		opened[at] = (uchar)bits;
	return bits != before ? 1 : 0;
}

/*
 * Walls push but do not pull: a closed face whose liquid cell has q below -threshold lets go; one
 * that has let go closes again when the liquid would move into the wall faster than threshold.
 * Complementarity p >= 0, flux out of the wall >= 0 (Batty et al. 2007) by an active set.
 * sealed: number of a cell's component if that has no tie to pressure 0, else SEALED_NONE: such
 * components never let go.  Flips are counted in the solver's state; unless `always`
 * nothing happens before that tells of a solution.  Velocities are u_face + kick.
 * Work-items as of pressure_max_divergence().
 */
kernel void pressure_separate(global const int *restrict bricks, const struct brick_run run,
			      const struct grid g, const struct mg_level level,
			      global const float *restrict q,
			      global const uchar *restrict cell_type,
			      global const ushort *restrict open_fraction,
			      global const ushort *restrict sealed, float threshold,
			      global const float *restrict u_face, const struct kick kick,
			      global const float *restrict flow, int has_flow,
			      global uchar *restrict opened, int always, global uint *state)
{
	const int place = bricks_place(run, 1);
	uint changes = 0;
	if (!(always || cg_has_solution(state)))
		return;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if ((p.j >= g.py) | (p.k >= g.pz))
			continue;
		const long first = lattice_index(g, p.i, p.j, p.k);
		BRICK_FOR_X(x)
		{
			const int i = p.i + (int)x;
			uint changed = 0;
			if (i < g.px)
				changed = pressure_separate_point(g, level, q, cell_type,
								  open_fraction, sealed, threshold,
								  u_face, kick, flow, has_flow,
								  first + x, i, p.j, p.k, opened);
			changes += changed;
		}
	}
	if (changes)
		atomic_add(state + MG_CHANGES, changes);
}
