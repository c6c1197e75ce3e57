/*
 * A level set that the velocity carries: semi-Lagrangian (Stam 1999), from where the paths come
 * from, linear or by Catmull-Rom's cubics; and the parts of cells that lie below it.
 *
 * phi is in m at cell centres, < 0 in liquid.  It is moved over the whole lattice: away from liquid
 * the velocity is 0.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "grid_units.h"
#include "plane.h"
#include "runge_kutta.h"
#include "sample.h"

/* A slope as small has no direction. */
#define LEVELSET_FLAT 1e-6f
/* What phi is away from liquid, in cells, and how far that begins. */
#define LEVELSET_BEYOND 2.0f
#define GRID_LEVELSET_AROUND 2

/* Weight of sample n, 0 to 3, of which the second and third are those beside t (Catmull & Rom
 * 1974). */
ALWAYS_INLINE float levelset_cubic(int n, float t)
{
	const float s = 1.0f - t;
	return n == 0	? -0.5f * t * s * s
	       : n == 1 ? 1.0f + t * t * (1.5f * t - 2.5f)
	       : n == 2 ? 1.0f + s * s * (1.5f * s - 2.5f)
			: -0.5f * s * t * t;
}

/* phi at x[], by cubics, within the range of the samples that the linear value is made of. */
float levelset_cubic_at(const struct grid g, global const float *phi, const float x[3])
{
	const struct stencil s = sample_stencil(g, DIM, x);
	const int cells[3] = {g.nx, g.ny, g.nz};
	int first[3] = {0, 0, 0};
	float sum = 0.0f, least = phi[s.base], most = least;
	for (int q = 1; q < STENCIL_CORNERS; q++) {
		const float corner = phi[stencil_at(s, q)];
		least = min_float(least, corner);
		most = max_float(most, corner);
	}
	first[0] = modulo(s.base, g.px) - 1;
	first[1] = modulo(s.base / g.px, g.py) - 1;
	first[2] = DIM == 3 ? s.base / g.px / g.py - 1 : 0;
	for (int n = 0; n < (DIM == 3 ? 64 : 16); n++) {
		const int step[3] = {modulo(n, 4), modulo(n / 4, 4), DIM == 3 ? n / 16 : 0};
		float weight = 1.0f;
		int at = 0;
		for (int a = 0; a < DIM; a++) {
			weight *= levelset_cubic(step[a], s.upper[a]);
			at += clamp_int(first[a] + step[a], 0, cells[a] - 1) * lattice_stride(g, a);
		}
		sum += weight * phi[at];
	}
	return clamp_float(sum, least, most);
}

/* Has a closed wall of the box let liquid go beside x[]: is there velocity away from it? */
int levelset_has_let_go(const struct grid g, global const float *u_face, int axis, int side,
			const float x[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int at = 0;
	for (int a = 0; a < DIM; a++) {
		const int here = a == axis ? side * cells[a]
					   : clamp_int((int)(x[a] * g.inv_h), 0, cells[a] - 1);
		at += here * lattice_stride(g, a);
	}
	const float u = u_face[axis * g.lattice + at];
	return side ? u < 0.0f : u > 0.0f;
}

/*
 * phi of x[] beyond the samples next to walls, where it is `value`.  Beyond open walls is air, and
 * behind those that have let liquid go, too: its surface leaves the wall, or has left it.
 */
float levelset_at_walls(const struct grid g, global const float *u_face, const float x[3],
			float value)
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			const float off = side ? size[a] - x[a] : x[a], past = 0.5f * g.h - off;
			if (!(past > 0.0f))
				continue;
			if (g.open_walls >> (2 * a + side) & 1)
				value = off < 0.0f ? max_float(value, -off) : value;
			else if (levelset_has_let_go(g, u_face, a, side, x))
				value = max_float(value + past, -off);
		}
	return value;
}

/* phi_out = phi(x - dt u): the path by Runge-Kutta through u.  Slots that are no cell keep what
 * they hold.  One work-item per lattice point. */
kernel void grid_carry_levelset(const struct grid g, int order, float dt, int cubic,
				global const float *u_face, global const float *phi,
				global float *phi_out)
{
	const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	float from[3] = {0.0f, 0.0f, 0.0f};
	if (!cell_exists(g, i, j, k))
		return;
	const float x[3] = {((float)i + 0.5f) * g.h, ((float)j + 0.5f) * g.h,
			    DIM == 3 ? ((float)k + 0.5f) * g.h : 0.0f};
	runge_kutta(g, u_face, order, -dt, x, from);
	const float value = cubic ? levelset_cubic_at(g, phi, from)
				  : sample_field(phi, sample_stencil(g, DIM, from));
	phi_out[lattice_index(g, i, j, k)] = levelset_at_walls(g, u_face, from, value);
}

/* distance, of phi, keeps surfaces between a cell's centre and a wall that has let liquid go: no
 * sample is beyond them.  One work-item per lattice point. */
kernel void grid_keep_at_walls(const struct grid g, global const float *u_face,
			       global const float *phi, global float *distance)
{
	const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	if (!cell_exists(g, i, j, k))
		return;
	const int at = lattice_index(g, i, j, k);
	const float x[3] = {((float)i + 0.5f) * g.h, ((float)j + 0.5f) * g.h,
			    DIM == 3 ? ((float)k + 0.5f) * g.h : 0.0f};
	for (int a = 0; a < DIM && phi[at] < 0.0f && phi[at] > -0.5f * g.h; a++)
		for (int side = 0; side < 2; side++)
			if (here[a] == side * (cells[a] - 1) &&
			    !(g.open_walls >> (2 * a + side) & 1) &&
			    levelset_has_let_go(g, u_face, a, side, x))
				distance[at] = max_float(distance[at], phi[at]);
}

/* Units of a cell below phi, taken for a plane by its central differences, `lower` m below it. */
int levelset_units(const struct grid g, global const float *phi, float lower, int i, int j, int k)
{
	const int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	const int at = lattice_index(g, i, j, k);
	const float centre = (phi[at] - lower) * g.inv_h;
	float n[3] = {0.0f, 0.0f, 0.0f}, sum = 0.0f;
	for (int a = 0; a < DIM; a++) {
		const int low = here[a] > 0, high = here[a] + 1 < cells[a];
		const int stride = lattice_stride(g, a);
		const float steps = low + high > 1 ? 2.0f : 1.0f;
		n[a] = fabs((phi[at + high * stride] - phi[at - low * stride]) * g.inv_h) / steps;
		sum += n[a];
	}
	if (!(sum > LEVELSET_FLAT))
		return centre < 0.0f ? VOLUME_ONE : 0;
	for (int a = 0; a < DIM; a++)
		n[a] /= sum;
	return convert_int_rte(plane_part(n, 0.5f - centre / sum) * VOLUME_ONE);
}

/* volume = units of cells below phi; 0 elsewhere.  One work-item per lattice point. */
kernel void grid_fill_levelset(const struct grid g, global const float *phi, global uint *volume)
{
	const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	volume[lattice_index(g, i, j, k)] =
		cell_exists(g, i, j, k) ? (uint)levelset_units(g, phi, 0.0f, i, j, k) : 0u;
}

/* Sums of the units below phi, and below phi less `step` (m), two words each.  Work-item: a row of
 * cells along x. */
kernel void grid_sum_levelset(const struct grid g, global const float *phi, float step,
			      global uint *scalars)
{
	const int j = (int)get_global_id(0), k = (int)get_global_id(1);
	struct grid_units below = {0, 0}, wider = {0, 0};
	for (int i = 0; cell_exists(g, i, j, k); i++) {
		grid_count(&below, levelset_units(g, phi, 0.0f, i, j, k));
		grid_count(&wider, levelset_units(g, phi, step, i, j, k));
	}
	grid_add(scalars + SCALAR_LEVELSET_UNITS, below);
	grid_add(scalars + SCALAR_LEVELSET_WIDER, wider);
}

/* phi += by.  One work-item per lattice point. */
kernel void grid_shift_levelset(const struct grid g, float by, global float *phi)
{
	const int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (cell_exists(g, i, j, k))
		phi[lattice_index(g, i, j, k)] += by;
}

/* phi_out = phi, at most LEVELSET_BEYOND, and that where no liquid is near: so it does not depend
 * on what is listed.  One work-item per lattice point. */
kernel void grid_limit_levelset(global const int *bricks, const struct brick_run run,
				const struct grid g, global const uint *volume,
				global const float *phi, global float *phi_out)
{
	const struct brick_point p = bricks_point(bricks, run);
	const int width = 2 * GRID_LEVELSET_AROUND + 1,
		  count = DIM == 3 ? width * width * width : width * width;
	if (p.i >= g.px || p.j >= g.py || p.k >= g.pz)
		return;
	const int at = lattice_index(g, p.i, p.j, p.k);
	const float most = LEVELSET_BEYOND * g.h;
	float value = cell_exists(g, p.i, p.j, p.k) ? clamp_float(phi[at], -most, most) : most;
	int near = !(value > 0.0f && value < most);
	for (int n = 0; n < count && !near; n++) {
		const int i = p.i + modulo(n, width) - GRID_LEVELSET_AROUND;
		const int j = p.j + modulo(n / width, width) - GRID_LEVELSET_AROUND;
		const int k = DIM == 3 ? p.k + n / width / width - GRID_LEVELSET_AROUND : 0;
		near = cell_exists(g, i, j, k) && volume[lattice_index(g, i, j, k)] != 0;
	}
	phi_out[at] = near ? value : most;
}
