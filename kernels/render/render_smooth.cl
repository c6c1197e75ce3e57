/*
 * 3D pictures: the smoothing that turns the fronts of spheres into a surface.
 *
 * One direction of an edge-keeping blur: weights fall off with distance on the picture and with
 * difference in depth, both as (1 - s^2)^2, so that silhouettes and separate layers stay apart.
 * Few taps, `share` of the reach in all: rounds of shrinking share fill in what wide steps leave
 * out.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_common.h"

#define RENDER_TAPS 4 /* per side */
#define RENDER_LANES 8

/* Pixels between the taps around one of that depth. */
float render_taps_apart(const struct render_camera *c, float share, float depth)
{
	return min_float(share * c->reach * c->focal / (depth * (float)RENDER_TAPS), 1e6f);
}

int render_taps_stride(int apart, int last)
{
	return clamp_int(apart, 1, last > 0 ? last : 1);
}

/* at: the pixel's place in its row or column, `last` the last one there, `step` from one to the
 * next in memory. */
float render_smooth_pixel(const struct render_camera *c, float share, global const float *from,
			  int pixel, int at, int last, int step)
{
	const float middle = from[pixel];
	if (middle >= RENDER_NO_DEPTH)
		return middle;
	const int stride =
		render_taps_stride(convert_int_rte(render_taps_apart(c, share, middle)), last);
	float sum = 0.0f, weights = 0.0f;
	for (int k = -RENDER_TAPS; k <= RENDER_TAPS; k++) {
		int off = k * stride;
		if (at + off < 0 || at + off > last)
			continue;
		float rise = (from[pixel + off * step] - middle) / c->range;
		float side = (float)k / (float)(RENDER_TAPS + 1);
		float near = 1.0f - rise * rise, here = 1.0f - side * side;
		float w = near > 0.0f ? near * near * here * here : 0.0f;
		sum += w * rise;
		weights += w;
	}
	return middle + sum / weights * c->range;
}

#ifndef FRESHET_NATIVE
/* The same of RENDER_LANES pixels side by side, whose taps are all as far apart: their stride if
 * so, else 0.  Those without liquid do not count. */
int render_smooth_stride(const struct render_camera *c, float share, float8 middle, int last)
{
	float8 apart = share * c->reach * c->focal / (middle * (float)RENDER_TAPS);
	apart = apart > 1e6f ? (float8)(1e6f) : apart;
	/* The sum's last bits are the nearest integer, ties to even. */
	int8 strides = as_int8(apart + 0x1p23f) - as_int8((float8)(0x1p23f));
	float8 depths = middle;
	int each[RENDER_LANES], stride = 0;
	float depth[RENDER_LANES];
	vstore8(strides, 0, each);
	vstore8(depths, 0, depth);
	for (int l = 0; l < RENDER_LANES; l++) {
		const int own = render_taps_stride(each[l], last);
		if (depth[l] >= RENDER_NO_DEPTH)
			continue;
		if (stride != 0 && stride != own)
			return 0;
		stride = own;
	}
	return stride;
}

float8 render_smooth_lanes(const struct render_camera *c, global const float *from, float8 middle,
			   int pixel, int at, int last, int step, int stride)
{
	float8 sum = (float8)(0.0f), weights = (float8)(0.0f);
	for (int k = -RENDER_TAPS; k <= RENDER_TAPS; k++) {
		const int off = k * stride;
		if (at + off < 0 || at + off > last)
			continue;
		float8 rise = (vload8(0, from + pixel + off * step) - middle) / c->range;
		float side = (float)k / (float)(RENDER_TAPS + 1), here = 1.0f - side * side;
		float8 near = 1.0f - rise * rise;
		float8 w = near > 0.0f ? near * near * here * here : (float8)(0.0f);
		sum += w * rise;
		weights += w;
	}
	float8 smooth = middle + sum / weights * c->range;
	return middle >= RENDER_NO_DEPTH ? middle : smooth;
}
#endif /* FRESHET_NATIVE */

/* from, to: f32 [height][width], where tiles show liquid, or did.  One work-item per row of a
 * tile. */
kernel void render_smooth_depth(const struct render_camera c, int vertical, float share,
				global const uint *tile_state, global const float *from,
				global float *to)
{
	const int column0 = (int)get_global_id(0) * RENDER_TILE, row = (int)get_global_id(1);
	if (column0 >= c.width || row >= c.height ||
	    !(tile_state[render_tile_of(&c, column0, row)] &
	      (RENDER_TILE_LIQUID | RENDER_TILE_BEFORE(RENDER_TILE_LIQUID))))
		return;
	const int end = min_int(column0 + RENDER_TILE, c.width);
	const int last = (vertical ? c.height : c.width) - 1, step = vertical ? c.width : 1;
	for (int column = column0; column < end; column++) {
		const int pixel = row * c.width + column;
#ifndef FRESHET_NATIVE
		if (column + RENDER_LANES <= end) {
			float8 middle = vload8(0, from + pixel);
			const int stride = render_smooth_stride(&c, share, middle, last);
			const int reach = vertical ? 0 : RENDER_TAPS * stride;
			if (stride > 0 && column >= reach &&
			    column + RENDER_LANES + reach <= c.width) {
				vstore8(render_smooth_lanes(&c, from, middle, pixel,
							    vertical ? row : column, last, step,
							    stride),
					0, to + pixel);
				column += RENDER_LANES - 1;
				continue;
			}
		}
#endif /* FRESHET_NATIVE */
		to[pixel] = render_smooth_pixel(&c, share, from, pixel, vertical ? row : column,
						last, step);
	}
}
