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

#define SURFACE_RADIUS 2.0f /* of the kernel (1 - s^2)^3, cells */

/* Displacements from the point in cells. */
struct surface_sum {
	float weight, offset[3], square; /* sum of weights, times displacement, times its square */
	float value[3];			 /* sum of weight x value, if values were asked for */
	float nearest;			 /* least square of a distance */
	float cubic;			 /* least greatest component of a displacement */
};

void surface_sum_clear(struct surface_sum *sum)
{
	sum->weight = sum->square = 0.0f;
	for (int a = 0; a < 3; a++)
		sum->offset[a] = sum->value[a] = 0.0f;
	sum->nearest = SURFACE_RADIUS * SURFACE_RADIUS;
	sum->cubic = SURFACE_RADIUS;
}

/* Cells of one axis whose particles may count: [low, high]; those beyond the box are mirror images,
 * or, where the wall is open, left out. */
void surface_window(float x, int cells, int open_low, int open_high, int *low, int *high)
{
	*low = (int)floor(x - SURFACE_RADIUS);
	*high = (int)floor(x + SURFACE_RADIUS);
	*high -= (float)*high >= x + SURFACE_RADIUS;
	*low = *low < (open_low ? 0 : -cells) ? (open_low ? 0 : -cells) : *low;
	*high = *high >= (open_high ? cells : 2 * cells) ? (open_high ? cells : 2 * cells) - 1
							 : *high;
}

/*
 * Adds the particles within SURFACE_RADIUS of x (m) to a sum.  Those beyond a plane are left out:
 * a displacement d counts if d . normal > -off (cells).  start: u32 [keys+1]; position, value: f32
 * [DIM][stride], value NULL or what to average.
 */
void surface_gather(const struct grid g, global const uint *start, global const float *position,
		    global const float *value, int stride, const float x[3], const float normal[3],
		    float off, struct surface_sum *sum)
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
				int end = (int)start[key + 1];
				for (int p = (int)start[key]; p < end; p++) {
					float dx = position[p] * sign[0] + shift[0];
					float dy = position[stride + p] * sign[1] + shift[1];
#if DIM == 3
					float dz = position[2 * stride + p] * sign[2] + shift[2];
#else
					float dz = 0.0f;
#endif
					float square = dx * dx + dy * dy + dz * dz;
					float side = dx * normal[0] + dy * normal[1] +
						     dz * normal[2] + off;
					float t =
						1.0f -
						square * (1.0f / (SURFACE_RADIUS * SURFACE_RADIUS));
					if (t <= 0.0f || side <= 0.0f)
						continue;
					float w = t * t * t;
					sum->weight += w;
					sum->square += w * square;
					sum->offset[0] += w * dx;
					sum->offset[1] += w * dy;
					sum->offset[2] += w * dz;
					sum->nearest = min_float(sum->nearest, square);
					float most = max_float(fabs(dx), fabs(dy));
					sum->cubic =
						min_float(sum->cubic, max_float(most, fabs(dz)));
					if (!value)
						continue;
					for (int c = 0; c < DIM; c++)
						sum->value[c] += w * value[c * stride + p];
				}
			}
}

#endif
