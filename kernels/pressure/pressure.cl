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
ALWAYS_INLINE float pressure_flux(const struct grid g, global const uchar *cell_type,
				  global const float *phi, global const ushort *open_fraction,
				  global const uchar *opened, global const float *u_face,
				  const struct kick kick, global const float *flow, int has_flow,
				  int i, int j, int k)
{
	int at = lattice_index(g, i, j, k);
	int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	float flux = 0.0f;
	for (int a = 0; a < DIM; a++) {
		float parts[2];
		for (int side = 0; side < 2; side++) {
			struct face f = faces_of_cell(g, cell_type, phi, open_fraction, opened, at,
						      here[a], cells[a], a, side);
			float u = u_face[a * g.lattice + at + side * lattice_stride(g, a)] +
				  forces_kick(kick, a, i + (side & (a == 0)), j + (side & (a == 1)),
					      k + (side & (a == 2)));
			const int slot = at + side * lattice_stride(g, a);
			parts[side] = f.kind != FACE_CLOSED ? f.area * u : 0.0f;
			/* Of a wall that has let go the rest still pushes: with covered and open
			 * parts that make up the faces no cell needs a flow faster than the wall.
			 */
			if (has_flow)
				parts[side] += flow[a * g.lattice + slot] *
					       (opened[slot] >> a & 1 ? 1.0f - f.area : 1.0f);
		}
		flux += parts[1] - parts[0];
	}
	return flux;
}

/* Level 0 of the operator: links to the upper neighbours and what ties a cell to pressure 0.
 * One work-item per cell in compact order: (m, j, 2k + colour). */
kernel void pressure_coefficients(global const int *restrict bricks, const struct brick_run run,
				  const struct grid g, const struct mg_level level,
				  global const uchar *cell_type, global const float *phi,
				  global const ushort *open_fraction, global const uchar *opened,
				  global ushort *open, global float *excess)
{
	struct mg_cell c = mg_listed_both(level, bricks, run);
	if (!c.exists)
		return;
	int at = lattice_index(g, c.i, c.j, c.k);
	int here[3] = {c.i, c.j, c.k}, cells[3] = {g.nx, g.ny, g.nz};
	float ties = 0.0f;
	int liquid = cell_type[at] == CELL_LIQUID;
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			struct face f = {FACE_CLOSED, 0.0f, 1.0f};
			if (liquid)
				f = faces_of_cell(g, cell_type, phi, open_fraction, opened, at,
						  here[a], cells[a], a, side);
			if (f.kind == FACE_DIRICHLET)
				ties += f.area / f.theta;
			if (side == 1)
				open[2 * level.colour_stride * a + c.at] =
					f.kind == FACE_LINK ? (ushort)(f.area * FRACTION_ONE) : 0;
		}
	excess[c.at] = ties;
}

/* b = minus the flux of u_face + kick out of each liquid cell, 0 elsewhere. */
kernel void pressure_rhs(global const int *restrict bricks, const struct brick_run run,
			 const struct grid g, const struct mg_level level,
			 global const uchar *cell_type, global const float *phi,
			 global const ushort *open_fraction, global const uchar *opened,
			 global const float *u_face, const struct kick kick,
			 global const float *flow, int has_flow, global float *b)
{
	struct mg_cell c = mg_listed_both(level, bricks, run);
	if (!c.exists)
		return;
	float value = 0.0f;
	if (cell_type[lattice_index(g, c.i, c.j, c.k)] == CELL_LIQUID)
		value = -pressure_flux(g, cell_type, phi, open_fraction, opened, u_face, kick, flow,
				       has_flow, c.i, c.j, c.k);
	b[c.at] = value;
}

/* Largest |flux| of u_face + kick over liquid cells into scalars[which].  Maxima go to one word,
 * which all work-items would queue for: each goes through the rows of its brick. */
kernel void pressure_max_divergence(global const int *restrict bricks, const struct brick_run run,
				    const struct grid g, global const uchar *restrict cell_type,
				    global const float *restrict phi,
				    global const ushort *restrict open_fraction,
				    global const uchar *restrict opened,
				    global const float *restrict u_face, const struct kick kick,
				    global const float *restrict flow, int has_flow,
				    global uint *restrict scalars, int which)
{
	const int x = (int)get_global_id(0), place = bricks_place(run, 1);
	float most = 0.0f;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, x, row);
		if (cell_exists(g, p.i, p.j, p.k) &&
		    cell_type[lattice_index(g, p.i, p.j, p.k)] == CELL_LIQUID)
			most = max_float(most, fabs(pressure_flux(g, cell_type, phi, open_fraction,
								  opened, u_face, kick, flow,
								  has_flow, p.i, p.j, p.k)));
	}
	if (most > 0.0f)
		atomic_max(scalars + which, as_uint(most));
}

/*
 * u_face holds u_old, the velocity before the forces.  u = u_old + kick - grad q on every face that
 * is open and touches liquid; valid bit c marks those.  The others wait for extrapolation, with
 * u_old + kick where they had a value, else 0: what is far from liquid is at rest.  Closed faces of
 * the box get the wall's velocity, or that of what comes in, and the mark "fixed" (bit 3 + c).
 * delta = u - u_old on all.  With keep_old u_old goes to an array of its own.  Also the largest |u|
 * of the projected faces. Work-item = column of rows of a brick.
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
	const int x = (int)get_global_id(0), place = bricks_place(run, 1);
	float fastest = 0.0f;
	int bad = 0;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, x, row);
		const int i = p.i, j = p.j, k = p.k;
		if (i >= g.px || j >= g.py || k >= g.pz)
			continue;
		int at = lattice_index(g, i, j, k);
		int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
		uchar bits = 0, known = valid[at];
		for (int a = 0; a < DIM; a++) {
			int slot = a * g.lattice + at;
			if (!face_exists(g, a, i, j, k)) {
				delta[slot] = 0.0f;
				continue;
			}
			int kind;
			float gradient = faces_gradient(g, level, q, cell_type, phi, open_fraction,
							opened, i, j, k, a, &kind);
			float old = u_face[slot], u = old;
			if (kind != FACE_CLOSED || known >> a & 1)
				u += forces_kick(kick, a, i, j, k);
			if (kind != FACE_CLOSED) {
				u -= gradient;
				bits |= (uchar)(1 << a);
				fastest = max_float(fastest, fabs(u));
				bad |= !(fabs(u) < HUGE_FROM);
			} else if (here[a] == 0 || here[a] == cells[a]) {
				if (open_fraction[slot] == 0) {
					u = has_flow ? flow[slot] : 0.0f;
					bits |= (uchar)(8 << a);
				}
			}
			u_face[slot] = u;
			delta[slot] = u - old;
			if (keep_old)
				u_old[slot] = old;
		}
		valid[at] = bits;
	}
	if (fastest > 0.0f)
		atomic_max(scalars + SCALAR_GRID_SPEED, as_uint(fastest));
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

/*
 * Walls push but do not pull: a closed face whose liquid cell has q below -threshold lets go; one
 * that has let go closes again when the liquid would move into the wall faster than threshold.
 * Complementarity p >= 0, flux out of the wall >= 0 (Batty et al. 2007) by an active set.
 * sealed: number of a cell's component if that has no tie to pressure 0, else SEALED_NONE: such
 * components never let go.  Flips are counted in the solver's state; unless `always`
 * nothing happens before that tells of a solution.  Velocities are u_face + kick.  One work-item
 * per lattice point.
 */
kernel void pressure_separate(global const int *bricks, const struct brick_run run,
			      const struct grid g, const struct mg_level level,
			      global const float *q, global const uchar *cell_type,
			      global const ushort *open_fraction, global const ushort *sealed,
			      float threshold, global const float *u_face, const struct kick kick,
			      global const float *flow, int has_flow, global uchar *opened,
			      int always, global uint *state)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int i = p.i, j = p.j, k = p.k;
	if (i >= g.px || j >= g.py || k >= g.pz || !(always || cg_has_solution(state)))
		return;
	int at = lattice_index(g, i, j, k);
	int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	uchar bits = opened[at], before = bits;
	for (int a = 0; a < DIM; a++) {
		int slot = a * g.lattice + at;
		if (!face_exists(g, a, i, j, k) || open_fraction[slot] != 0)
			continue;
		/* The wall's own speed; where liquid comes in it never lets go. */
		const float wall = has_flow ? flow[slot] : 0.0f;
		if ((here[a] == 0 || here[a] == cells[a]) && fabs(wall) > 0.0f)
			continue;
		int stride = lattice_stride(g, a);
		int low_wet = here[a] > 0 && cell_type[at - stride] == CELL_LIQUID;
		int high_wet = here[a] < cells[a] && cell_type[at] == CELL_LIQUID;
		int low_solid = here[a] == 0 || cell_type[at - stride] == CELL_SOLID;
		int high_solid = here[a] == cells[a] || cell_type[at] == CELL_SOLID;
		if (!(low_wet && high_solid) && !(high_wet && low_solid))
			continue;
		int wet = low_wet ? at - stride : at;
		if (sealed[wet] != SEALED_NONE)
			continue;
		float q_wet =
			low_wet ? q[mg_at_cell(level, i - (a == 0), j - (a == 1), k - (a == 2))]
				: q[mg_at_cell(level, i, j, k)];
		if (bits >> a & 1) {
			/* Velocity towards the wall after the correction at this face. */
			float u = u_face[slot] + forces_kick(kick, a, i, j, k) -
				  (low_wet ? -q_wet : q_wet) / FACES_WALL_THETA;
			float into = low_wet ? u - wall : wall - u;
			if (into > threshold)
				bits &= (uchar) ~(1 << a);
		} else if (q_wet < -threshold) {
			bits |= (uchar)(1 << a);
		}
	}
	if (bits != before) {
		opened[at] = bits;
		atomic_inc(state + MG_CHANGES);
	}
}
