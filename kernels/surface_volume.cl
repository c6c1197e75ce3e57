/*
 * Keeps the volume of the liquid where its surface is not flat: in sheets, drops and gaps the level
 * set encloses more or less than the particles have, mostly because the lattice shows nothing that
 * is thinner than an interval.
 *
 * The share of each cube that a mesh encloses, averaged like the particles' density, is compared
 * with that density.  The surface is moved by the difference, as far as a flat one would have to
 * be; flat liquid has none but for noise, which is let pass.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "surface_gather.h"
#include "surface_lattice.h"

/* Differences of the density up to this are noise, shifts are no longer than this, cells. */
#define SURFACE_NOISE 0.02f
#define SURFACE_MOST_SHIFT 0.4f
/* Share of the shift that is done in a round: both sides of a sheet move. */
#define SURFACE_RELAXATION 0.7f
/* Where all is enclosed around a node there is no surface to move ... */
#define SURFACE_NEAR 50.0f
/* ... but a cavity that was filled, if the density lacks more than the first, surely from twice
 * that. */
#define SURFACE_CAVITY 0.2f

/* Part of an edge that is inside. */
float surface_wet_length(float a, float b)
{
	if (a < 0.0f)
		return b < 0.0f ? 1.0f : a / (a - b);
	return b < 0.0f ? b / (b - a) : 0.0f;
}

/* Part of a square that is inside, corners in order of x, then y; dry corners are cut off. */
float surface_wet_area(float a, float b, float c, float d)
{
	int wet = (a < 0.0f) + (b < 0.0f) + (c < 0.0f) + (d < 0.0f);
	float low = surface_wet_length(a, b), high = surface_wet_length(c, d);
	float left = surface_wet_length(a, c), right = surface_wet_length(b, d);
	if (wet == 0 || wet == 4)
		return wet == 0 ? 0.0f : 1.0f;
	if (wet == 1)
		return 0.5f * (low + high) * (left + right);
	if (wet == 3)
		return 1.0f - 0.5f * (2.0f - low - high) * (2.0f - left - right);
	if ((a < 0.0f) == (b < 0.0f))
		return 0.5f * (left + right);
	if ((a < 0.0f) == (c < 0.0f))
		return 0.5f * (low + high);
	float one = a < 0.0f ? right : left, two = a < 0.0f ? left : right;
	return 1.0f - 0.5f * ((1.0f - low) * (1.0f - one) + (1.0f - high) * (1.0f - two));
}

#if DIM == 3
/* Part of a cube that its triangles enclose, by Gauss' theorem for the field (x, 0, 0): the
 * triangles and the face x = 1. */
float surface_wet_volume(const float phi[8], global const uchar *row)
{
	float sum = surface_wet_area(phi[1], phi[3], phi[5], phi[7]);
	for (int t = 0; t < row[0]; t++) {
		float p[3][3];
		for (int c = 0; c < 3; c++) {
			int edge = row[1 + 3 * t + c], axis = edge / 4;
			int low = (edge & 1) << (axis == 0 ? 1 : 0) |
				  (edge >> 1 & 1) << (axis == 2 ? 1 : 2);
			float near = phi[low], far = phi[low | 1 << axis];
			for (int a = 0; a < 3; a++)
				p[c][a] = a == axis ? near / (near - far) : (float)(low >> a & 1);
		}
		float area = (p[1][1] - p[0][1]) * (p[2][2] - p[0][2]) -
			     (p[1][2] - p[0][2]) * (p[2][1] - p[0][1]);
		sum += area * (p[0][0] + p[1][0] + p[2][0]) * (1.0f / 6.0f);
	}
	return sum;
}
#endif

/* share: f32 [count], of the cube above each node what its mesh would enclose; of the box only.
 * table: u8 [SURFACE_CASES][SURFACE_ROW].  One work-item per node. */
kernel void surface_volume_share(const struct surface_grid s, global const float *phi,
				 global const uchar *table, global float *share)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= s.nx || j >= s.ny || k >= s.nz + (3 - DIM))
		return;
	int at = surface_index(s, i, j, k);
	int inside = surface_case(s, phi, at);
	float value = inside ? 1.0f : 0.0f;
	if (table[inside * SURFACE_ROW] > 0) {
#if DIM == 2
		value = surface_wet_area(phi[at], phi[at + 1], phi[at + s.px], phi[at + s.px + 1]);
#else
		float corner[8];
		for (int n = 0; n < 8; n++)
			corner[n] =
				phi[at + (n & 1) + (n >> 1 & 1) * s.px + (n >> 2) * s.px * s.py];
		value = surface_wet_volume(corner, table + inside * SURFACE_ROW);
#endif
	}
	share[at] = value;
}

/* Weights of the cubes at -3, ... 2 from a node along an axis: with one interval per cell the two
 * beside it, with two those as wide. */
float surface_volume_weight(int fine, int n)
{
	int far = n < 0 ? -1 - n : n;
	if (fine == 1)
		return far == 0 ? 0.5f : 0.0f;
	return far == 0 ? 0.3125f : far == 1 ? 0.15625f : 0.03125f;
}

/* Cubes beyond the walls are mirror images. */
int surface_volume_fold(int n, int count)
{
	int folded = n < 0 ? -1 - n : n >= count ? 2 * count - 1 - n : n;
	return clamp_int(folded, 0, count - 1);
}

/* Mean of the cubes' shares around a node, as wide as the kernel of the density is: binomial
 * weights, whose variance is that of (1 - s^2)^3 over two cells but for a tenth. */
float surface_volume_mean(const struct surface_grid s, global const float *share, int i, int j,
			  int k)
{
	int reach = s.fine == 1 ? 1 : 3;
	float sum = 0.0f;
	for (int c = DIM == 3 ? -reach : 0; c < (DIM == 3 ? reach : 1); c++) {
		float deep = DIM == 3 ? surface_volume_weight(s.fine, c) : 1.0f;
		int layer = DIM == 3 ? surface_volume_fold(k + c, s.nz) : 0;
		for (int b = -reach; b < reach; b++) {
			float weight = deep * surface_volume_weight(s.fine, b);
			int row = surface_index(s, 0, surface_volume_fold(j + b, s.ny), layer);
			for (int a = -reach; a < reach; a++)
				sum += weight * surface_volume_weight(s.fine, a) *
				       share[row + surface_volume_fold(i + a, s.nx)];
		}
	}
	return sum;
}

/* Moves phi (m, in place) by what the shares differ from rho/rho0.  One work-item per node. */
kernel void surface_volume_move(const struct grid g, const struct surface_grid s,
				global const uchar *class_of, global const float *rho,
				global const float *share, global float *phi)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i > s.nx || j > s.ny || k > s.nz)
		return;
	if (surface_class_at(g, s, class_of, i, j, k) != SURFACE_CLASS_MIXED)
		return;
	int at = surface_index(s, i, j, k);
	float mean = surface_volume_mean(s, share, i, j, k);
	float more = mean - min_float(fabs(rho[at]), 1.0f);
	float size = max_float(fabs(more) - SURFACE_NOISE, 0.0f);
	float part = max_float((1.0f - mean) * SURFACE_NEAR, more / SURFACE_CAVITY - 1.0f);
	size *= SURFACE_RELAXATION * (SURFACE_RADIUS / SURFACE_BLOB_SLOPE) *
		clamp_float(part, 0.0f, 1.0f);
	size = min_float(size, SURFACE_MOST_SHIFT) * g.h;
	phi[at] += more < 0.0f ? -size : size;
}
