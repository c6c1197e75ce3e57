/*
 * What the particles around a point add up to.
 *
 * Particles are in order of cell, then id, cells are visited in a fixed order: the sums have the
 * same bits on every device.  Closed walls of the box and solids act as mirrors, so that liquid
 * that touches them looks as if it went on behind.
 */
#ifndef FRESHET_SURFACE_GATHER_H
#define FRESHET_SURFACE_GATHER_H

#include "common.h"
#include "solids_shape.h"
#include "surface_params.h"

/* What is asked for beside weights and offsets. */
#define SURFACE_VALUES 1  /* value[] */
#define SURFACE_TURNED 2  /* mirrors turn values round, as they do displacements */
#define SURFACE_MOMENTS 4 /* moment[] */
#define SURFACE_KERNELS 8 /* density */

/* Particles in order of cell, then id. */
struct surface_cloud {
	global const uint *start;     /* u32 [keys+1] */
	global const float *position; /* f32 [DIM][stride], m */
	global const float *value;    /* f32 [DIM][stride], for SURFACE_VALUES */
	global const float *kernels;  /* f32 [SURFACE_KERNEL][stride], for SURFACE_KERNELS */
	int stride, wants;
};

/* Displacements from the point in cells. */
struct surface_sum {
	float weight, offset[3], square; /* sum of weights, times displacement, times its square */
	float moment[6];		 /* of weight x product of components: SURFACE_XX, ... */
	float value[3];			 /* sum of weight x value */
	float nearest;			 /* least square of a distance */
	float cubic;			 /* least greatest component of a displacement */
	float density;			 /* of the particles' own kernels, 1 in full liquid */
};

/* Components of symmetric matrices. */
enum { SURFACE_XX, SURFACE_XY, SURFACE_YY, SURFACE_XZ, SURFACE_YZ, SURFACE_ZZ };

int surface_component(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;
	return high * (high + 1) / 2 + low;
}

void surface_sum_clear(struct surface_sum *sum)
{
	sum->weight = sum->square = sum->density = 0.0f;
	for (int a = 0; a < 3; a++)
		sum->offset[a] = sum->value[a] = 0.0f;
	for (int c = 0; c < 6; c++)
		sum->moment[c] = 0.0f;
	sum->nearest = DENSITY_RADIUS * DENSITY_RADIUS;
	sum->cubic = DENSITY_RADIUS;
}

/* Cells of one axis whose particles may count: [low, high]; those beyond the box are mirror images,
 * or, where the wall is open, left out. */
void surface_window(float x, int cells, int open_low, int open_high, int *low, int *high)
{
	*low = (int)floor(x - DENSITY_RADIUS);
	*high = (int)floor(x + DENSITY_RADIUS);
	*high -= (float)*high >= x + DENSITY_RADIUS;
	*low = *low < (open_low ? 0 : -cells) ? (open_low ? 0 : -cells) : *low;
	*high = *high >= (open_high ? cells : 2 * cells) ? (open_high ? cells : 2 * cells) - 1
							 : *high;
}

/* The kernel of particle p, which is seen through mirrors as sign x + shift, at the point: its
 * share of the density there. */
float surface_kernel(const struct surface_cloud *cloud, int p, const float sign[3],
		     const float shift[3])
{
	global const float *own = cloud->kernels + p;
	int stride = cloud->stride;
	float d[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f;
	/* Turned back, so that the kernel's axes are as they are stored. */
	for (int a = 0; a < DIM; a++) {
		d[a] = own[a * stride] * sign[a] + shift[a];
		d[a] = sign[a] < 0.0f ? -d[a] : d[a];
	}
	own += DIM * stride;
	for (int a = 0; a < DIM; a++) {
		float scaled = 0.0f;
		for (int b = 0; b < DIM; b++)
			scaled += own[surface_component(a, b) * stride] * d[b];
		square += scaled * scaled;
	}
	float t = 1.0f - square;
	return t > 0.0f ? own[(DIM * (DIM + 1) / 2) * stride] * t * t * t : 0.0f;
}

/* Adds particle p, which is seen as sign x + shift (cells), unless it lies beyond the plane. */
void surface_add(const struct surface_cloud *cloud, int p, const float sign[3],
		 const float shift[3], const float normal[3], float off, struct surface_sum *sum)
{
	int stride = cloud->stride;
	float dx = cloud->position[p] * sign[0] + shift[0];
	float dy = cloud->position[stride + p] * sign[1] + shift[1];
#if DIM == 3
	float dz = cloud->position[2 * stride + p] * sign[2] + shift[2];
#else
	float dz = 0.0f;
#endif
	float square = dx * dx + dy * dy + dz * dz;
	float side = dx * normal[0] + dy * normal[1] + dz * normal[2] + off;
	float t = 1.0f - square * (1.0f / (DENSITY_RADIUS * DENSITY_RADIUS));
	if (side <= 0.0f)
		return;
	if (cloud->wants & SURFACE_KERNELS)
		sum->density += surface_kernel(cloud, p, sign, shift);
	if (t <= 0.0f)
		return;
	float w = t * t * t;
	sum->weight += w;
	sum->square += w * square;
	sum->offset[0] += w * dx;
	sum->offset[1] += w * dy;
	sum->offset[2] += w * dz;
	sum->nearest = min_float(sum->nearest, square);
	float most = max_float(fabs(dx), fabs(dy));
	sum->cubic = min_float(sum->cubic, max_float(most, fabs(dz)));
	if (cloud->wants & SURFACE_MOMENTS) {
		sum->moment[SURFACE_XX] += w * dx * dx;
		sum->moment[SURFACE_XY] += w * dx * dy;
		sum->moment[SURFACE_YY] += w * dy * dy;
		sum->moment[SURFACE_XZ] += w * dx * dz;
		sum->moment[SURFACE_YZ] += w * dy * dz;
		sum->moment[SURFACE_ZZ] += w * dz * dz;
	}
	if (cloud->wants & SURFACE_VALUES)
		for (int c = 0; c < DIM; c++) {
			float v = cloud->value[c * stride + p];
			sum->value[c] +=
				w * (cloud->wants & SURFACE_TURNED && sign[c] < 0.0f ? -v : v);
		}
}

/*
 * Adds the particles within DENSITY_RADIUS of x (m) to a sum.  Those beyond a plane are left out: a
 * displacement d counts if d . normal > -off (cells).
 */
void surface_gather(const struct grid g, const struct surface_cloud *cloud, const float x[3],
		    const float normal[3], float off, struct surface_sum *sum)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
	float at[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < DIM; a++) {
		at[a] = x[a] * g.inv_h;
		surface_window(at[a], cells[a], g.open_walls >> (2 * a) & 1,
			       g.open_walls >> (2 * a + 1) & 1, &low[a], &high[a]);
	}
	for (int k = low[2]; k <= high[2]; k++)
		for (int j = low[1]; j <= high[1]; j++)
			for (int i = low[0]; i <= high[0]; i++) {
				const int cell[3] = {i, j, k};
				int from[3];
				float sign[3], shift[3]; /* image = sign x + shift, in cells */
				for (int a = 0; a < 3; a++) {
					int below = cell[a] < 0, above = cell[a] >= cells[a];
					from[a] = below	  ? -1 - cell[a]
						  : above ? 2 * cells[a] - 1 - cell[a]
							  : cell[a];
					sign[a] = below || above ? -g.inv_h : g.inv_h;
					shift[a] = (above ? 2.0f * (float)cells[a] : 0.0f) - at[a];
				}
				int key = block_key(g, from[0], from[1], from[2]);
				int end = (int)cloud->start[key + 1];
				for (int p = (int)cloud->start[key]; p < end; p++)
					surface_add(cloud, p, sign, shift, normal, off, sum);
			}
}

/* Mirrors what was summed up around the mirror image of a point: vectors v - 2 (v . n) n. */
void surface_sum_mirror(struct surface_sum *sum, const float normal[3], int turned)
{
	float m[3][3], along = 0.0f, value = 0.0f;
	for (int a = 0; a < 3; a++) {
		along += 2.0f * sum->offset[a] * normal[a];
		value += 2.0f * sum->value[a] * normal[a];
	}
	for (int a = 0; a < 3; a++) {
		sum->offset[a] -= along * normal[a];
		if (turned)
			sum->value[a] -= value * normal[a];
		for (int b = 0; b < 3; b++)
			m[a][b] = sum->moment[surface_component(a, b)];
	}
	/* Rows, then columns. */
	for (int b = 0; b < 3; b++) {
		float s = 2.0f * (m[0][b] * normal[0] + m[1][b] * normal[1] + m[2][b] * normal[2]);
		for (int a = 0; a < 3; a++)
			m[a][b] -= s * normal[a];
	}
	for (int a = 0; a < 3; a++) {
		float s = 2.0f * (m[a][0] * normal[0] + m[a][1] * normal[1] + m[a][2] * normal[2]);
		for (int b = 0; b <= a; b++)
			sum->moment[surface_component(a, b)] = m[a][b] - s * normal[b];
	}
}

/* Everything around a point, mirrored at the nearest solid. */
struct surface_sum surface_sum_at(const struct grid g, int has_solids,
				  const struct solids_shape *shape,
				  const struct surface_cloud *cloud, const float x[3])
{
	struct surface_sum sum;
	float normal[3] = {0.0f, 0.0f, 0.0f}, off = 1.0f;
	surface_sum_clear(&sum);
	if (has_solids) {
		struct shape_sample sample = solids_evaluate(shape, x);
		if (fabs(sample.distance) < DENSITY_RADIUS * g.h) {
			float beyond[3];
			off = sample.distance * g.inv_h;
			for (int a = 0; a < 3; a++) {
				normal[a] = sample.gradient[a];
				beyond[a] = x[a] - 2.0f * sample.distance * normal[a];
			}
			surface_gather(g, cloud, beyond, normal, -off, &sum);
			surface_sum_mirror(&sum, normal, cloud->wants & SURFACE_TURNED);
		}
	}
	surface_gather(g, cloud, x, normal, off, &sum);
	return sum;
}

#endif
