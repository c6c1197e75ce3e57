/*
 * Keeps the volume of the liquid where its surface is not flat: in sheets, drops and gaps the level
 * set encloses more or less than the particles have, mostly because the lattice shows nothing that
 * is thinner than an interval.
 *
 * The share of each cube that a mesh encloses, averaged like the particles' density, is compared
 * with that density.  The surface is moved by the difference over what a small shift gains there,
 * as Newton would: more where there is one surface, less in spray, which is full of them.  Flat
 * liquid has no difference but for noise, which is let pass.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "surface_gather.h"
#include "surface_lattice.h"

/* Differences of the density up to this are noise where the surface is that of thick liquid; on
 * walls and within two cells of them more, for there half of the particles are mirror images.
 * Thinner liquid must have its volume. */
#define SURFACE_NOISE 0.02f
#define SURFACE_NOISE_WALL 1.5f
#define SURFACE_NOISE_CALM 0.55f /* for surface_calm() */
/* Share of the shift that is done in a round, most of it in one, cells. */
#define SURFACE_RELAXATION 0.7f
#define SURFACE_MOST_SHIFT 0.4f
/* Test shift that tells how much each cube gains, cells; unit of the gain per cell. */
#define SURFACE_PROBE 0.1f
#define SURFACE_GAIN (1.0f / 64.0f)
/* The mean gain near a flat surface: less is next to none, and says nothing. */
#define SURFACE_FLAT_GAIN 0.5f
/* Nodes this far from the surface, cells, do not move, nor where all is enclosed around ... */
#define SURFACE_FAR_OFF 1.0f
#define SURFACE_NEAR 50.0f
/* ... but in a cavity that was filled, if the density lacks more than this, surely from twice
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

/* Part of the cube (2D: square) above a node that a mesh encloses if the level set is lower by
 * `shift`, m. */
float surface_volume_part(const struct surface_grid s, global const float *phi,
			  global const uchar *table, int at, float shift)
{
	float corner[1 << DIM];
	int inside = 0;
	for (int n = 0; n < 1 << DIM; n++) {
		corner[n] =
			phi[at + (n & 1) + (n >> 1 & 1) * s.px + (n >> 2) * s.px * s.py] - shift;
		inside |= (corner[n] < 0.0f) << n;
	}
	if (table[inside * SURFACE_ROW] == 0)
		return inside ? 1.0f : 0.0f;
#if DIM == 2
	return surface_wet_area(corner[0], corner[1], corner[2], corner[3]);
#else
	return surface_wet_volume(corner, table + inside * SURFACE_ROW);
#endif
}

/* share: f32 [count], of the cube above each node what its mesh would enclose; gain: u8 [count],
 * how much that grows per cell by which phi sinks, in SURFACE_GAIN; of the box only.  table: u8
 * [SURFACE_CASES][SURFACE_ROW].  One work-item per node. */
kernel void surface_volume_share(const struct grid g, const struct surface_grid s,
				 global const float *phi, global const uchar *table,
				 global float *share, global uchar *gain)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k) || i == s.nx || j == s.ny || k >= s.nz + (3 - DIM))
		return;
	int at = surface_index(s, i, j, k);
	float value = surface_volume_part(s, phi, table, at, 0.0f);
	float more = surface_volume_part(s, phi, table, at, SURFACE_PROBE * g.h);
	share[at] = value;
	gain[at] = (uchar)clamp_int(
		(int)((more - value) * (1.0f / (SURFACE_PROBE * SURFACE_GAIN)) + 0.5f), 0, 255);
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

/* Mean of the cubes' shares around a node, or of their gains where `share` is none, as wide as the
 * kernel of the density is: binomial weights, whose variance is that of (1 - s^2)^3 over two cells
 * but for a tenth. */
float surface_volume_mean(const struct surface_grid s, global const float *share,
			  global const uchar *gain, int i, int j, int k)
{
	int reach = s.fine == 1 ? 1 : 3;
	float sum = 0.0f;
	for (int c = DIM == 3 ? -reach : 0; c < (DIM == 3 ? reach : 1); c++) {
		float deep = DIM == 3 ? surface_volume_weight(s.fine, c) : 1.0f;
		int layer = DIM == 3 ? surface_volume_fold(k + c, s.nz) : 0;
		for (int b = -reach; b < reach; b++) {
			float weight = deep * surface_volume_weight(s.fine, b);
			int row = surface_index(s, 0, surface_volume_fold(j + b, s.ny), layer);
			for (int a = -reach; a < reach; a++) {
				int at = row + surface_volume_fold(i + a, s.nx);
				sum += weight * surface_volume_weight(s.fine, a) *
				       (share ? share[at] : SURFACE_GAIN * (float)gain[at]);
			}
		}
	}
	return sum;
}

/* The difference of the density at a node that is let pass. */
float surface_volume_noise(const struct surface_grid s, global const float *rho, int i, int j,
			   int k)
{
	const int node[3] = {i, j, k}, last[3] = {s.nx, s.ny, s.nz};
	float noise = SURFACE_NOISE * (0.5f + 0.5f * (float)s.fine) *
		      surface_calm(s, rho, i, j, k, SURFACE_NOISE_CALM);
	for (int a = 0; a < DIM; a++)
		if (node[a] < 2 * s.fine || node[a] > last[a] - 2 * s.fine)
			noise *= SURFACE_NOISE_WALL;
	return noise;
}

/* Moves phi (m, in place) by what the shares differ from rho/rho0.  One work-item per node. */
kernel void surface_volume_move(const struct grid g, const struct surface_grid s,
				global const uchar *class_of, global const float *rho,
				global const float *share, global const uchar *gain,
				global float *phi)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k) ||
	    surface_class_at(g, s, class_of, i, j, k) != SURFACE_CLASS_MIXED)
		return;
	int at = surface_index(s, i, j, k);
	float mean = surface_volume_mean(s, share, 0, i, j, k);
	float more = mean - min_float(fabs(rho[at]), 1.0f);
	float near = SURFACE_FAR_OFF - fabs(phi[at]) * g.inv_h;
	near = min_float(near, SURFACE_NEAR * (1.0f - mean));
	near = clamp_float(max_float(near, more / SURFACE_CAVITY - 1.0f), 0.0f, 1.0f);
	float size = near * (fabs(more) - surface_volume_noise(s, rho, i, j, k));
	if (size <= 0.0f)
		return;
	size *= SURFACE_RELAXATION /
		max_float(surface_volume_mean(s, 0, gain, i, j, k), SURFACE_FLAT_GAIN);
	size = min_float(size, SURFACE_MOST_SHIFT) * g.h;
	phi[at] += more < 0.0f ? -size : size;
}
