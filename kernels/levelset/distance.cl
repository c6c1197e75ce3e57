/*
 * Distances over the whole grid: seeds on a surface, jump flooding, fast sweeping.
 *
 * The surface is the zero set of the multilinear interpolant of phi at cell centres.  The foot of a
 * cell is the point of the surface nearest to its centre; cells beside the surface (phi changes its
 * sign towards a face neighbour) are the seeds, and their feet lead the others to theirs.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "sample.h"

#define DISTANCE_NONE 0xffffffffu
#define DISTANCE_FOOT_STEPS 8
/* How near to the surface a foot must be, in cells. */
#define DISTANCE_ON_SURFACE 1e-3f

/* Is phi negative here?  0 counts as outside. */
int distance_inside(global const float *phi, int at)
{
	return phi[at] < 0.0f;
}

/* Does phi change its sign between the cell and a face neighbour? */
int distance_beside(const struct grid g, global const float *phi, int i, int j, int k)
{
	int at = lattice_index(g, i, j, k), inside = distance_inside(phi, at);
	int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	for (int a = 0; a < DIM; a++) {
		int stride = lattice_stride(g, a);
		if (here[a] > 0 && distance_inside(phi, at - stride) != inside)
			return 1;
		if (here[a] < cells[a] - 1 && distance_inside(phi, at + stride) != inside)
			return 1;
	}
	return 0;
}

/* phi and its gradient (per metre) at x. */
float distance_sample(const struct grid g, global const float *phi, const float x[3],
		      float gradient[3])
{
	struct stencil s = sample_stencil(g, DIM, x);
	float value = 0.0f;
	for (int a = 0; a < DIM; a++)
		gradient[a] = 0.0f;
	for (int q = 0; q < STENCIL_CORNERS; q++) {
		const int at = stencil_at(s, q);
		value += stencil_weight(s, q) * phi[at];
		for (int a = 0; a < DIM; a++) {
			float slope = q >> a & 1 ? g.inv_h : -g.inv_h;
			for (int b = 0; b < DIM; b++)
				if (b != a)
					slope *= q >> b & 1 ? s.upper[b] : 1.0f - s.upper[b];
			gradient[a] += slope * phi[at];
		}
	}
	return value;
}

/* Crossing nearest to the centre on the lines to the face neighbours: always there beside the
 * surface. */
void distance_crossing(const struct grid g, global const float *phi, int i, int j, int k,
		       const float centre[3], float point[3])
{
	int at = lattice_index(g, i, j, k);
	int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	float least = 2.0f;
	for (int a = 0; a < DIM; a++)
		for (int side = 0; side < 2; side++) {
			int to = here[a] + 2 * side - 1;
			if (to < 0 || to >= cells[a])
				continue;
			float other = phi[at + (2 * side - 1) * lattice_stride(g, a)];
			if ((other < 0.0f) == (phi[at] < 0.0f))
				continue;
			float part = phi[at] / (phi[at] - other);
			if (part >= least)
				continue;
			least = part;
			for (int b = 0; b < DIM; b++)
				point[b] = centre[b];
			point[a] += (side ? part : -part) * g.h;
		}
}

/* One step of Newton's method along the gradient onto the surface. */
void distance_approach(const struct grid g, global const float *phi, float x[3])
{
	float gradient[3], square = 0.0f;
	float value = distance_sample(g, phi, x, gradient);
	for (int a = 0; a < DIM; a++)
		square += gradient[a] * gradient[a];
	if (square > 1e-12f)
		for (int a = 0; a < DIM; a++)
			x[a] -= value / square * gradient[a];
}

/*
 * Moves a point of the surface to the foot of `centre`: steps along the surface, halved when they
 * do not lead nearer, each followed by steps back onto it (after Chopp 2001).
 */
void distance_find_foot(const struct grid g, global const float *phi, const float centre[3],
			float foot[3])
{
	float best = 0.0f, part = 1.0f;
	for (int a = 0; a < DIM; a++)
		best += (foot[a] - centre[a]) * (foot[a] - centre[a]);
	for (int step = 0; step < DISTANCE_FOOT_STEPS; step++) {
		float gradient[3], along = 0.0f, square = 0.0f, length = 0.0f;
		float x[3] = {0.0f, 0.0f, 0.0f}, move[3];
		distance_sample(g, phi, foot, gradient);
		for (int a = 0; a < DIM; a++) {
			along += (centre[a] - foot[a]) * gradient[a];
			square += gradient[a] * gradient[a];
		}
		/* Flat: no way to go. */
		if (!(square > 1e-12f))
			return;
		for (int a = 0; a < DIM; a++) {
			move[a] = part * (centre[a] - foot[a] - along / square * gradient[a]);
			length += move[a] * move[a];
		}
		/* At most a cell at a time, or the surface is lost. */
		float scale = length > g.h * g.h ? g.h / sqrt(length) : 1.0f;
		for (int a = 0; a < DIM; a++)
			x[a] = foot[a] + scale * move[a];
		distance_approach(g, phi, x);
		distance_approach(g, phi, x);
		float value = distance_sample(g, phi, x, gradient);
		length = 0.0f;
		square = 0.0f;
		for (int a = 0; a < DIM; a++) {
			length += (x[a] - centre[a]) * (x[a] - centre[a]);
			square += gradient[a] * gradient[a];
		}
		float least = DISTANCE_ON_SURFACE * DISTANCE_ON_SURFACE * g.h * g.h * square;
		if (value * value <= least && length < best) {
			best = length;
			for (int a = 0; a < DIM; a++)
				foot[a] = x[a];
		} else {
			part *= 0.5f;
		}
	}
}

void distance_centre(const struct grid g, int i, int j, int k, float x[3])
{
	x[0] = ((float)i + 0.5f) * g.h;
	x[1] = ((float)j + 0.5f) * g.h;
	x[2] = ((float)k + 0.5f) * g.h;
}

/*
 * point: [DIM][lattice], m, the foot of every cell beside the surface; nearest = the cell itself
 * there, none elsewhere.  One work-item per lattice point.
 */
kernel void distance_seeds(const struct grid g, global const float *phi, global float *point,
			   global uint *nearest)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	nearest[at] = DISTANCE_NONE;
	if (!cell_exists(g, i, j, k) || !distance_beside(g, phi, i, j, k))
		return;
	float centre[3], foot[3] = {0.0f, 0.0f, 0.0f};
	distance_centre(g, i, j, k, centre);
	distance_crossing(g, phi, i, j, k, centre, foot);
	distance_find_foot(g, phi, centre, foot);
	for (int a = 0; a < DIM; a++)
		point[a * g.lattice + at] = foot[a];
	nearest[at] = (uint)at;
}

/* Squared distance from a point to a seed's foot, in cells. */
float distance_to_foot(const struct grid g, global const float *point, uint seed, const float x[3])
{
	float square = 0.0f;
	for (int a = 0; a < DIM; a++) {
		float d = (point[a * g.lattice + (int)seed] - x[a]) * g.inv_h;
		square += d * d;
	}
	return square;
}

/* Squared distance from a cell to a seed's cell, in cells. */
uint distance_to_cell(const struct grid g, uint seed, int i, int j, int k)
{
	int si = modulo((int)seed, g.px), sj = modulo((int)seed / g.px, g.py),
	    sk = (int)seed / g.px / g.py;
	return (uint)((si - i) * (si - i) + (sj - j) * (sj - j) + (sk - k) * (sk - k));
}

/*
 * One pass of jump flooding (Rong & Tan 2006): of the seeds that the 3^DIM cells `step` apart know,
 * the nearest, by its foot or by its cell; of equally near ones the least.  Feet of neighbours
 * bunch, which flooding in long steps takes badly.  One work-item per lattice point.
 */
kernel void distance_jump(const struct grid g, int step, int by_foot, global const float *point,
			  global const uint *nearest, global uint *nearest_out)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	uint best = DISTANCE_NONE, least = 0xffffffffu;
	float x[3];
	distance_centre(g, i, j, k, x);
	for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
		for (int b = -1; b <= 1; b++)
			for (int a = -1; a <= 1; a++) {
				int ni = i + a * step, nj = j + b * step, nk = k + c * step;
				if (!cell_exists(g, i, j, k) || !cell_exists(g, ni, nj, nk))
					continue;
				uint seed = nearest[lattice_index(g, ni, nj, nk)];
				if (seed == DISTANCE_NONE || seed == best)
					continue;
				/* Bits of floats that are not negative order like the floats. */
				uint square = by_foot ? as_uint(distance_to_foot(g, point, seed, x))
						      : distance_to_cell(g, seed, i, j, k);
				if (square < least || (square == least && seed < best)) {
					best = seed;
					least = square;
				}
			}
	nearest_out[lattice_index(g, i, j, k)] = best;
}

/* More than any distance in the box. */
float distance_far(const struct grid g)
{
	return g.size_x + g.size_y + g.size_z;
}

/*
 * distance >= 0 from the foot that the nearest seed leads to; far where no seed is known, and for
 * reach > 0 where the seed is more than `reach` cells away: nearest becomes none there.
 * One work-item per lattice point.
 */
kernel void distance_measure(const struct grid g, float reach, global const float *phi,
			     global const float *point, global uint *nearest,
			     global float *distance)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	uint seed = cell_exists(g, i, j, k) ? nearest[at] : DISTANCE_NONE;
	float centre[3], foot[3], square = 0.0f;
	distance_centre(g, i, j, k, centre);
	if (seed != DISTANCE_NONE && reach > 0.0f &&
	    distance_to_foot(g, point, seed, centre) > reach * reach) {
		seed = DISTANCE_NONE;
		nearest[at] = DISTANCE_NONE;
	}
	if (seed == DISTANCE_NONE) {
		distance[at] = distance_far(g);
		return;
	}
	/* Cells beside the surface have found their feet. */
	int beside = distance_beside(g, phi, i, j, k);
	for (int a = 0; a < DIM; a++)
		foot[a] = point[a * g.lattice + (beside ? at : (int)seed)];
	if (!beside)
		distance_find_foot(g, phi, centre, foot);
	for (int a = 0; a < DIM; a++)
		square += (foot[a] - centre[a]) * (foot[a] - centre[a]);
	distance[at] = sqrt(square);
}

/* Least value of the two neighbours along an axis. */
float distance_least(const struct grid g, global const float *d, int at, int here, int cells,
		     int axis)
{
	int stride = lattice_stride(g, axis);
	float low = here > 0 ? d[at - stride] : distance_far(g);
	float high = here < cells - 1 ? d[at + stride] : distance_far(g);
	return min_float(low, high);
}

/* Godunov's solution of |grad d| = 1 from the least neighbours along the axes (Zhao 2005). */
float distance_update(float h, float a, float b, float c)
{
	float swap;
	if (b < a) {
		swap = a;
		a = b;
		b = swap;
	}
#if DIM == 3
	if (c < b) {
		swap = b;
		b = c;
		c = swap;
	}
	if (b < a) {
		swap = a;
		a = b;
		b = swap;
	}
#else
	(void)c;
#endif
	b -= a;
	if (b >= h)
		return a + h;
	float d = 0.5f * (b + sqrt(2.0f * h * h - b * b));
#if DIM == 3
	c -= a;
	if (d > c) {
		float sum = b + c;
		float root = sum * sum - 3.0f * (b * b + c * c - h * h);
		d = (sum + sqrt(max_float(root, 0.0f))) * (1.0f / 3.0f);
	}
#endif
	return a + d;
}

/*
 * One hyperplane of a sweep: cells with i' + j' + k' = plane, i' = i, or nx - 1 - i where bit 0 of
 * `sweep` is set, and so on.  Their neighbours lie on the hyperplanes before and after, so the
 * order within one does not matter.  Cells that know a seed keep their value.
 * Work-item = (j', k').
 */
kernel void distance_sweep(const struct grid g, int sweep, int plane, global const uint *nearest,
			   global float *distance)
{
	int j = (int)get_global_id(0), k = (int)get_global_id(1), i = plane - j - k;
	if (!cell_exists(g, i, j, k))
		return;
	i = sweep & 1 ? g.nx - 1 - i : i;
	j = sweep & 2 ? g.ny - 1 - j : j;
	k = sweep & 4 ? g.nz - 1 - k : k;
	int at = lattice_index(g, i, j, k);
	if (nearest[at] != DISTANCE_NONE)
		return;
	float a = distance_least(g, distance, at, i, g.nx, 0);
	float b = distance_least(g, distance, at, j, g.ny, 1);
	float c = 0.0f;
#if DIM == 3
	c = distance_least(g, distance, at, k, g.nz, 2);
#endif
	float d = distance_update(g.h, a, b, c);
	if (d < distance[at])
		distance[at] = d;
}

/* Gives the distance the sign of phi; slots that are no cell get phi. */
kernel void distance_sign(const struct grid g, global const float *phi, global float *distance)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	int at = lattice_index(g, i, j, k);
	if (!cell_exists(g, i, j, k))
		distance[at] = phi[at];
	else if (distance_inside(phi, at))
		distance[at] = -distance[at];
}
