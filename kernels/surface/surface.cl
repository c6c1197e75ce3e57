/*
 * The liquid's surface for meshes and pictures: a level set at nodes, from the particles.
 *
 * Averaged (Zhu & Bridson 2005): phi = |x - mean of the particles around x| - r, weights
 * k(s) = (1 - s^2)^3 within two cells; nowhere less than the distance from the nearest particle
 * allows, which removes the false surfaces between bodies that approach.  Instead of a constant r,
 * the distance is turned into the height over flat liquid that has it, by integration.  Blobs
 * (Blinn 1982): the sum of the kernels, inside where it is at least half of that in full liquid.
 * Anisotropic (Yu & Turk 2013): likewise of ellipsoids, surface_anisotropic.cl, put through the
 * inverse of their profile over flat liquid.
 * Either way a lone particle keeps the node next to it wet.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "solids_shape.h"
#include "surface_gather.h"
#include "surface_lattice.h"

/*
 * Height above the flat surface of full liquid, in cells, where the mean of the particles around is
 * 0, 0.1, 0.2, ... cells away: by integrating the kernel over half-spaces.  It makes phi a distance
 * near the surface.
 */
#define SURFACE_PROFILE 17
constant float surface_profile[SURFACE_PROFILE] = {
#if DIM == 2
	-2.0f,	 -0.9065f, -0.6187f, -0.3961f, -0.2037f, -0.0291f, 0.1337f, 0.2881f, 0.4362f,
	0.5795f, 0.7188f,  0.8550f,  0.9886f,  1.1201f,	 1.2496f,  1.3776f, 1.5042f,
#else
	-2.0f,	 -0.8474f, -0.5643f, -0.3461f, -0.1579f, 0.0128f, 0.1720f, 0.3229f, 0.4677f,
	0.6078f, 0.7442f,  0.8775f,  1.0083f,  1.1370f,	 1.2639f, 1.3893f, 1.5135f,
#endif
};
/*
 * The same for the sum of anisotropic kernels that is 0, 0.1, 0.2, ...: by integrating what
 * surface_anisotropic.cl does over a half-space (tests/native/native_surface.c does so again).
 */
#define SURFACE_ELLIPSOIDS 12
constant float surface_ellipsoids[SURFACE_ELLIPSOIDS] = {
#if DIM == 2
	0.5420f,  0.3185f,  0.2188f,  0.1419f,	0.0743f,  0.0107f,
	-0.0519f, -0.1163f, -0.1859f, -0.2665f, -0.3747f, -0.6025f,
#else
	0.5074f,  0.2898f,  0.1960f,  0.1244f,	0.0619f,  0.0035f,
	-0.0539f, -0.1126f, -0.1758f, -0.2486f, -0.3451f, -0.5650f,
#endif
};
/* Up to this height the table counts, from twice this on the blobs: sharp kernels are full and
 * empty further off, and noisy where the liquid is deep ... */
#define SURFACE_SURE 0.2f
/* ... if both agree on the side, which near 0, within this, the table decides. */
#define SURFACE_SIDE 0.1f
/* The series of the inverse of the flat profile of the sum of kernels, which is the integral of
 * (1 - z^2/4)^(3 + (DIM-1)/2). */
#if DIM == 2
#define SURFACE_BLOB_CUBE 0.2917f
#define SURFACE_BLOB_FIFTH 0.1896f
#else
#define SURFACE_BLOB_CUBE 0.3333f
#define SURFACE_BLOB_FIFTH 0.2583f
#endif
/* How fast phi rises with the distance from the nearest particle beyond `reach`, and how fast it
 * falls before: steeply, so that the rule says nothing inside, not even in corners, whose particles
 * and their mirror images may all be half a cell away. */
#define SURFACE_REACH_SLOPE 2.0f
#define SURFACE_REACH_INNER 8.0f
/* From where to where (values of `blob`) the density takes over inside, where the way to the mean
 * is short and its length mostly noise. */
#define SURFACE_INNER_FROM 0.1f
#define SURFACE_INNER_TO 0.3f
/* How far averages go to the height that the density tells, if the two differ by less than half of
 * SURFACE_AGREE, as they do at flat surfaces and not in sheets. */
#define SURFACE_AVERAGED_SHARE 0.9f
#define SURFACE_AGREE 1.0f
/* A particle alone wets nodes within this many spacings along each axis ... */
#define SURFACE_TOKEN 0.55f
/* ... by a level set of this slope, so steep that it stays above that of bulk liquid ... */
#define SURFACE_TOKEN_SLOPE 2.0f
/* ... and raised by this many cells per rho/rho0, if the particles around are spread by half a
 * square cell or more about their mean: beside more than a drop the mean decides. */
#define SURFACE_TOKEN_FADE 3.5f
#define SURFACE_TOKEN_SPREAD 0.5f
/* Depth of nodes far inside, height of nodes with no particle near, cells. */
#define SURFACE_DEEP -1.2f
#define SURFACE_FAR 1.5f
/* filled: u8 [lattice], what a cell holds: bit 0 = particles, bit 1 = fewer than half of ppc.  One
 * work-item per lattice point. */
#define SURFACE_SOME 1
#define SURFACE_GAP 2
kernel void surface_fill(const struct grid g, int ppc, global const uint *start,
			 global uchar *filled)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (!cell_exists(g, i, j, k))
		return;
	int key = block_key(g, i, j, k);
	int count = (int)(start[key + 1] - start[key]);
	filled[lattice_index(g, i, j, k)] =
		(uchar)((count > 0 ? SURFACE_SOME : 0) | (2 * count < ppc ? SURFACE_GAP : 0));
}

/* class: u8 [lattice], enum surface_class: no particles in the 5^DIM cells around, or no gap in any
 * of them.  Beyond closed walls there is nothing else, beyond open ones a gap.  One work-item per
 * lattice point. */
kernel void surface_classify(const struct grid g, global const uchar *filled,
			     global uchar *class_of)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (!cell_exists(g, i, j, k))
		return;
	const int cell[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	int low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, found = 0;
	for (int a = 0; a < DIM; a++) {
		low[a] = cell[a] < 2 ? 0 : cell[a] - 2;
		high[a] = cell[a] + 2 >= cells[a] ? cells[a] - 1 : cell[a] + 2;
		if ((cell[a] < 2 && (g.open_walls >> (2 * a) & 1)) ||
		    (cell[a] + 2 >= cells[a] && (g.open_walls >> (2 * a + 1) & 1)))
			found |= SURFACE_GAP;
	}
	for (int c = low[2]; c <= high[2]; c++)
		for (int b = low[1]; b <= high[1]; b++)
			for (int a = low[0]; a <= high[0]; a++)
				found |= filled[lattice_index(g, a, b, c)];
	class_of[lattice_index(g, i, j, k)] = !(found & SURFACE_SOME) ? SURFACE_CLASS_EMPTY
					      : found & SURFACE_GAP   ? SURFACE_CLASS_MIXED
								      : SURFACE_CLASS_DEEP;
}

/* Height of which `mean` is the distance from the mean of the particles, both in cells. */
float surface_height(float mean)
{
	float at = clamp_float(mean * 10.0f, 0.0f, (float)(SURFACE_PROFILE - 1));
	int n = at < (float)(SURFACE_PROFILE - 1) ? (int)at : SURFACE_PROFILE - 2;
	return surface_profile[n] + (at - (float)n) * (surface_profile[n + 1] - surface_profile[n]);
}

/* Height of which `blob` is the straight profile of the sum of kernels, by a polynomial. */
float surface_straight(float blob)
{
	float square = blob * blob;
	return blob * (1.0f + square * (SURFACE_BLOB_CUBE + SURFACE_BLOB_FIFTH * square));
}

/* Height by averages, of which `mean` is the distance from the mean of the particles: with the
 * density at hand.  thin: how far it goes to what the density says of thin liquid. */
float surface_averaged_height(float mean, float blob, float thin)
{
	float value = surface_height(mean), off = surface_straight(blob) - value;
	if (off < 0.0f) {
		float inner = surface_rise(-blob, SURFACE_INNER_FROM, SURFACE_INNER_TO);
		value += inner * off;
		off *= 1.0f - inner;
	}
	value += SURFACE_AVERAGED_SHARE *
		 (1.0f - surface_rise(fabs(off), 0.5f * SURFACE_AGREE, SURFACE_AGREE)) * off;
	/* Sheets would be as thick as a cell by the mean alone. */
	return value + thin * max_float(blob - value, 0.0f);
}

/* Height of which `density` is the sum of the anisotropic kernels, in cells; further off, where
 * they say nothing, as `blob` has it if it agrees on the side. */
float surface_anisotropic_height(float density, float blob)
{
	float at = clamp_float(density * 10.0f, 0.0f, (float)(SURFACE_ELLIPSOIDS - 1));
	int n = at < (float)(SURFACE_ELLIPSOIDS - 1) ? (int)at : SURFACE_ELLIPSOIDS - 2;
	float value = surface_ellipsoids[n] +
		      (at - (float)n) * (surface_ellipsoids[n + 1] - surface_ellipsoids[n]);
	float size = fabs(value);
	float other = value < 0.0f ? -surface_straight(blob) : surface_straight(blob);
	float part = clamp_float(other / SURFACE_SURE - 1.0f, 0.0f, 1.0f) *
		     clamp_float(size / SURFACE_SIDE, 0.0f, 1.0f);
	size += part * (other - size);
	return value < 0.0f ? -size : size;
}

/* Place of a node, m; the walls' nodes on the walls. */
void surface_node(const struct surface_grid s, int i, int j, int k, float x[3])
{
	x[0] = i == s.nx ? s.size[0] : (float)i * s.spacing;
	x[1] = j == s.ny ? s.size[1] : (float)j * s.spacing;
	x[2] = DIM == 2 ? 0.0f : k == s.nz ? s.size[2] : (float)k * s.spacing;
}

/*
 * phi (m) and rho/rho0 at the nodes of the box, before smoothing: f32 [count]; the outermost layer
 * is not written.  rho is negative where the node is the nearest one of a particle.  start: u32
 * [keys+1]; position: f32 [DIM][stride], sorted; kernels: f32 [SURFACE_KERNEL][stride], anisotropic
 * only.  One work-item per node.
 */
kernel void surface_level(const struct grid g, const struct surface_grid s,
			  global const uchar *class_of, global const struct shape_op *ops,
			  int op_count, global const float *points, global const uint *start,
			  global const float *position, global const float *kernels, int stride,
			  global float *phi, global float *rho)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	int what = surface_class_at(g, s, class_of, i, j, k);
	if (what != SURFACE_CLASS_MIXED) {
		phi[at] = (what == SURFACE_CLASS_DEEP ? SURFACE_DEEP : SURFACE_FAR) * g.h;
		rho[at] = what == SURFACE_CLASS_DEEP ? 1.0f : 0.0f;
		return;
	}
	const struct solids_shape shape = {ops, op_count, points, 0};
	const struct surface_cloud cloud = {
		start,	 position, 0,
		kernels, stride,   s.method == SURFACE_ANISOTROPIC ? SURFACE_KERNELS : 0};
	float x[3], value = SURFACE_FAR, spread = 0.0f;
	surface_node(s, i, j, k, x);
	struct surface_sum sum = surface_sum_at(g, s.has_solids, &shape, &cloud, x);
	float density = sum.weight * s.to_rho;
	if (sum.weight > 0.0f) {
		spread = sum.square / sum.weight;
		for (int a = 0; a < DIM; a++) {
			float mean = sum.offset[a] / sum.weight;
			spread -= mean * mean;
		}
		spread = clamp_float(spread / SURFACE_TOKEN_SPREAD, 0.0f, 1.0f);
	}
	float blob = (0.5f - density) * (DENSITY_RADIUS / DENSITY_SLOPE(DIM));
	if (s.method == SURFACE_BLOBS) {
		value = surface_straight(blob);
	} else if (s.method == SURFACE_ANISOTROPIC) {
		value = surface_anisotropic_height(sum.density, blob);
	} else if (sum.weight > 0.0f) {
		float square = 0.0f;
		for (int a = 0; a < DIM; a++)
			square += sum.offset[a] * sum.offset[a];
		float reach = sqrt(sum.nearest) - s.reach;
		reach *= reach < 0.0f ? SURFACE_REACH_INNER : SURFACE_REACH_SLOPE;
		value = surface_averaged_height(sqrt(square) / sum.weight, blob, s.thin);
		value = max_float(value, reach);
	}
	float token = SURFACE_TOKEN_SLOPE * (sum.cubic - SURFACE_TOKEN * s.spacing * g.inv_h) +
		      SURFACE_TOKEN_FADE * density * spread;
	value = min_float(min_float(value, token), SURFACE_FAR);
	phi[at] = max_float(value, SURFACE_DEEP) * g.h;
	/* The sign says that a particle is next to this node. */
	rho[at] = sum.cubic <= 0.5f * s.spacing * g.inv_h ? -density : density;
}

/* Solids cut the liquid: cut = max(phi, -distance to the solids).  One work-item per node. */
kernel void surface_cut(const struct surface_grid s, global const struct shape_op *ops,
			int op_count, global const float *points, global const float *phi,
			global float *cut)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	const struct solids_shape shape = {ops, op_count, points, 0};
	float x[3];
	surface_node(s, i, j, k, x);
	cut[at] = max_float(phi[at], -solids_evaluate(&shape, x).distance);
}

/*
 * Do solids end the liquid between two nodes beside each other, y in the liquid and x behind them,
 * in the air or inside?  Then the depth of x below the face that y sees, by which a line from
 * -distance at y is 0 on that face; else 0.  Outside at both ends: the ways out of solids lead
 * apart, and the distances fill no more than is between.
 */
float surface_parted(const struct surface_grid s, const struct solids_shape *shape,
		     const float x[3], const struct shape_sample *here, const float y[3])
{
	const struct shape_sample there = solids_evaluate(shape, y);
	float from = 0.0f, to = 0.0f, alike = 0.0f;
	for (int a = 0; a < DIM; a++) {
		from += here->gradient[a] * (y[a] - x[a]);
		to += there.gradient[a] * (y[a] - x[a]);
		alike += here->gradient[a] * there.gradient[a];
	}
	const int parts =
		here->distance < 0.0f ||
		(from < 0.0f && to > 0.0f && here->distance + there.distance <= 1.001f * s.spacing);
	const float depth =
		here->distance < 0.0f && alike > 0.0f ? -here->distance : to - there.distance;
	return parts ? max_float(depth, 1e-3f * s.spacing) : 0.0f;
}

/*
 * phi = what solids left of the liquid, which ends at those that lie between two nodes: the node
 * behind gets its depth below the wet face, as the place of the surface is interpolated between
 * it and the node in the liquid.  Not where it has a surface of its own, beside liquid that no
 * solid parts from it.  Signs stay as they are.  One work-item per node.
 */
kernel void surface_meet(const struct surface_grid s, global const struct shape_op *ops,
			 int op_count, global const float *points, global const float *cut,
			 global float *phi)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k))
		return;
	const int at = surface_index(s, i, j, k);
	const int node[3] = {i, j, k}, last[3] = {s.nx, s.ny, s.nz};
	const struct solids_shape shape = {ops, op_count, points, 0};
	float x[3], value = cut[at], behind = 0.0f;
	int own = 0;
	surface_node(s, i, j, k, x);
	for (int n = 0; n < 2 * DIM && value > 0.0f && !own; n++) {
		const int a = n >> 1, to = node[a] + (n & 1 ? 1 : -1);
		if (to < 0 || to > last[a] ||
		    !(cut[at + (n & 1 ? 1 : -1) * surface_stride(s, a)] < 0.0f))
			continue;
		const struct shape_sample here = solids_evaluate(&shape, x);
		float y[3];
		surface_node(s, a == 0 ? to : i, a == 1 ? to : j, a == 2 ? to : k, y);
		const float parted = surface_parted(s, &shape, x, &here, y);
		own = !(parted > 0.0f);
		behind = behind > 0.0f ? min_float(behind, parted) : parted;
	}
	phi[at] = own || !(behind > 0.0f) ? value : behind;
}

/* Velocities of vertices, for motion blur: the mean of the particles around each and of their
 * images behind walls, so that nothing moves through those, into the last three of its nine floats.
 * One work-item per vertex. */
kernel void surface_velocity(const struct grid g, global const uint *start,
			     global const float *position, global const float *velocity, int stride,
			     int vertices, global float *vertex)
{
	int n = (int)get_global_id(0);
	if (n >= vertices)
		return;
	global float *v = vertex + 9 * (size_t)n;
	float x[3] = {v[0], v[1], v[2]};
	const float none[3] = {0.0f, 0.0f, 0.0f};
	const struct surface_cloud cloud = {start, position, velocity,
					    0,	   stride,   SURFACE_VALUES | SURFACE_TURNED};
	struct surface_sum sum;
	surface_sum_clear(&sum);
	surface_gather(g, &cloud, x, none, 1.0f, &sum);
	for (int a = 0; a < 3; a++)
		v[6 + a] = sum.weight > 0.0f ? sum.value[a] / sum.weight : 0.0f;
}
