/*
 * 3D pictures: particles as spheres in a depth buffer, their thickness and shadow, and
 * the smoothing that turns spheres into a surface.
 *
 * Atomics on integers only: minimum of depth bits, then of ids, sums of chords: the order of the
 * particles does not matter.  Those that have left the box (ID_REMOVED) are still in the arrays and
 * are left out.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_common.h"

#define RENDER_TAPS 4 /* of the smoothing, per side */

/* A sphere on the picture: centre and radius in pixels, depth of the centre, bounding rows and
 * columns (high ends excluded). */
struct render_ball {
	float x, y, radius, depth;
	int column0, column1, row0, row1;
};

float3 render_point(global const float *position, int p, int capacity)
{
#if DIM == 3
	return (float3)(position[p], position[capacity + p], position[2 * capacity + p]);
#else
	return (float3)(position[p], position[capacity + p], 0.0f);
#endif
}

/* False if the particle cannot be seen. */
bool render_project(const struct render_camera *c, float3 point, struct render_ball *ball)
{
	float3 d = point - render_load3(c->eye);
	ball->depth = render_dot(d, render_load3(c->forward));
	if (!(ball->depth > c->near_plane && ball->depth < RENDER_NO_DEPTH))
		return false;
	float zoom = c->focal / ball->depth;
	ball->x = 0.5f * (float)c->width + zoom * render_dot(d, render_load3(c->right));
	ball->y = 0.5f * (float)c->height - zoom * render_dot(d, render_load3(c->up));
	ball->radius = max_float(zoom * c->radius, 0.75f); /* always meets a pixel centre */
	float reach = ball->radius;
	if (!(ball->x > -reach && ball->y > -reach && ball->x < (float)c->width + reach &&
	      ball->y < (float)c->height + reach))
		return false;
	ball->column0 = clamp_int(convert_int_rte(floor(ball->x - reach)), 0, c->width);
	ball->column1 = clamp_int(convert_int_rte(floor(ball->x + reach)) + 1, 0, c->width);
	ball->row0 = clamp_int(convert_int_rte(floor(ball->y - reach)), 0, c->height);
	ball->row1 = clamp_int(convert_int_rte(floor(ball->y + reach)) + 1, 0, c->height);
	return true;
}

/* Half the chord of the sphere at a pixel, as a share of its radius; negative = missed. */
float render_half_chord(const struct render_ball *ball, int column, int row)
{
	float dx = ((float)column + 0.5f - ball->x) / ball->radius;
	float dy = ((float)row + 0.5f - ball->y) / ball->radius;
	float rest = 1.0f - dx * dx - dy * dy;
	return rest < 0.0f ? -1.0f : sqrt(rest);
}

/* The part of a sphere that a pixel sees of it inside the box: [front, back] in depth; false if
 * there is none.  Spheres of particles at a wall would else stick out of it. */
bool render_span(const struct render_camera *c, const struct render_ball *ball, int column, int row,
		 global const float *near, global const float *far, float *front, float *back)
{
	float chord = render_half_chord(ball, column, row) * c->radius;
	int pixel = row * c->width + column;
	*front = max_float(ball->depth - chord, near[pixel]);
	*back = min_float(ball->depth + chord, far[pixel]);
	return chord >= 0.0f && *front <= *back;
}

/* depth: f32 bits, nearest: u32, both [height][width].  One work-item per pixel. */
kernel void render_clear_spheres(const struct render_camera c, global uint *depth,
				 global uint *nearest)
{
	int pixel = (int)get_global_id(0);
	if (pixel >= c.width * c.height)
		return;
	depth[pixel] = as_uint(RENDER_NO_DEPTH);
	nearest[pixel] = ID_REMOVED;
}

/* Nearest sphere surface, and on every second row and column the sum of chords over all spheres, in
 * RENDER_CHORD_ONE diameters: thickness [(height+1)/2][(width+1)/2].  near, far: see
 * render_box_depths.  One work-item per particle and slice of its rows. */
kernel void render_splat_depth(const struct render_camera c, global const float *position,
			       global const uint *id, global const float *near,
			       global const float *far, global uint *depth, global uint *thickness)
{
	int p = (int)get_global_id(0), slice = (int)get_global_id(1);
	struct render_ball ball;
	if (p >= c.count || slice >= c.slices || id[p] == ID_REMOVED ||
	    !render_project(&c, render_point(position, p, c.capacity), &ball))
		return;
	for (int row = ball.row0 + slice; row < ball.row1; row += c.slices)
		for (int column = ball.column0; column < ball.column1; column++) {
			float front, back;
			if (!render_span(&c, &ball, column, row, near, far, &front, &back))
				continue;
			atomic_min(depth + row * c.width + column, as_uint(front));
			if (!((row | column) & 1))
				atomic_add(thickness + row / 2 * ((c.width + 1) / 2) + column / 2,
					   convert_uint_rte((back - front) / (2.0f * c.radius) *
							    (float)RENDER_CHORD_ONE));
		}
}

/* The least id among the particles whose surface is the nearest one: many share it where spheres
 * are cut by a side of the box.  place[id] = index in the arrays of particles. */
kernel void render_splat_nearest(const struct render_camera c, global const float *position,
				 global const uint *id, global const float *near,
				 global const float *far, global const uint *depth,
				 global uint *nearest, global uint *place)
{
	int p = (int)get_global_id(0), slice = (int)get_global_id(1);
	struct render_ball ball;
	if (p >= c.count || slice >= c.slices || id[p] == ID_REMOVED ||
	    !render_project(&c, render_point(position, p, c.capacity), &ball))
		return;
	if (slice == 0)
		place[id[p]] = (uint)p;
	for (int row = ball.row0 + slice; row < ball.row1; row += c.slices)
		for (int column = ball.column0; column < ball.column1; column++) {
			int pixel = row * c.width + column;
			float front, back;
			if (render_span(&c, &ball, column, row, near, far, &front, &back) &&
			    as_uint(front) == depth[pixel])
				atomic_min(nearest + pixel, id[p]);
		}
}

/*
 * One direction of an edge-keeping blur: weights fall off with distance on the picture and with
 * difference in depth, both as (1 - s^2)^2, so that silhouettes and separate layers stay apart.
 * Few taps, `share` of the reach in all: rounds of shrinking share fill in what wide steps leave
 * out.  from, to: f32 [height][width].  One work-item per pixel.
 */
kernel void render_smooth_depth(const struct render_camera c, int vertical, float share,
				global const float *from, global float *to)
{
	int column = (int)get_global_id(0), row = (int)get_global_id(1);
	if (column >= c.width || row >= c.height)
		return;
	int pixel = row * c.width + column;
	float middle = from[pixel];
	if (middle >= RENDER_NO_DEPTH) {
		to[pixel] = middle;
		return;
	}
	float apart = share * c.reach * c.focal / (middle * (float)RENDER_TAPS);
	int at = vertical ? row : column, last = (vertical ? c.height : c.width) - 1;
	int step = vertical ? c.width : 1;
	int stride = clamp_int(convert_int_rte(min_float(apart, 1e6f)), 1, last > 0 ? last : 1);
	float sum = 0.0f, weights = 0.0f;
	for (int k = -RENDER_TAPS; k <= RENDER_TAPS; k++) {
		int off = k * stride;
		if (at + off < 0 || at + off > last)
			continue;
		float rise = (from[pixel + off * step] - middle) / c.range;
		float side = (float)k / (float)(RENDER_TAPS + 1);
		float near = 1.0f - rise * rise, here = 1.0f - side * side;
		float w = near > 0.0f ? near * near * here * here : 0.0f;
		sum += w * rise;
		weights += w;
	}
	to[pixel] = middle + sum / weights * c.range;
}

/* Particles slid down the light onto the floor.  shadow: u32 [cells][cells], bilinear weights in
 * RENDER_WEIGHT_ONE.  One work-item per particle. */
kernel void render_splat_shadow(const struct render_camera c, global const float *position,
				global const uint *id, global uint *shadow)
{
	int p = (int)get_global_id(0);
	if (p >= c.count || id[p] == ID_REMOVED)
		return;
	float3 point = render_point(position, p, c.capacity), light = render_light();
	float u = (point.x - point.y * light.x / light.y - c.shadow_x) * c.shadow_inv - 0.5f;
	float v = (point.z - point.y * light.z / light.y - c.shadow_z) * c.shadow_inv - 0.5f;
	float last = (float)(c.shadow_cells - 1);
	if (!(u >= 0.0f && v >= 0.0f && u < last && v < last))
		return;
	int i = convert_int_rte(floor(u)), j = convert_int_rte(floor(v));
	float s = u - (float)i, t = v - (float)j;
	for (int b = 0; b < 2; b++)
		for (int a = 0; a < 2; a++) {
			float w = (a ? s : 1.0f - s) * (b ? t : 1.0f - t);
			atomic_add(shadow + (j + b) * c.shadow_cells + i + a,
				   convert_uint_rte(w * (float)RENDER_WEIGHT_ONE));
		}
}
