/* Shared by the render kernels: frame values, colours, particle look-ups. */
#ifndef FRESHET_RENDER_COMMON_H
#define FRESHET_RENDER_COMMON_H

#include "common.h"
#include "render_params.h"

#define RENDER_FAR 1e29f /* values beyond are "nothing there" */

float render_speed(global const float *velocity, int p, int capacity)
{
	float sum = 0.0f;
	for (int c = 0; c < DIM; c++) {
		float v = velocity[c * capacity + p];
		sum += v * v;
	}
	return sqrt(sum);
}

/* The range that an id is in; the head if there is none. */
int render_range_of(global const struct render_range *ranges, uint id)
{
	uint low = 0, high = ranges[0].first_id + 1;
	while (high > low + 1) {
		uint middle = low + (high - low) / 2;
		if (ranges[middle].first_id <= id)
			low = middle;
		else
			high = middle;
	}
	return low == 0 && ranges[0].first_id > 0 ? 1 : (int)low;
}

/* Quadratic B-spline weights of the three bins around a point d in [-1/2, 1/2] off the middle. */
void render_spline(float d, float w[3])
{
	w[0] = 0.5f * (0.5f - d) * (0.5f - d);
	w[1] = 0.75f - d * d;
	w[2] = 0.5f * (0.5f + d) * (0.5f + d);
}

float3 render_mix(float3 a, float3 b, float t)
{
	return a + (b - a) * t;
}

/* 0 below a, 1 above b, smooth between. */
float render_ramp(float x, float a, float b)
{
	float t = clamp_float((x - a) / (b - a), 0.0f, 1.0f);
	return t * t * (3.0f - 2.0f * t);
}

uint render_pack(float3 linear)
{
	uint r = convert_uint_rte(255.0f * render_encode(linear.x));
	uint g = convert_uint_rte(255.0f * render_encode(linear.y));
	uint b = convert_uint_rte(255.0f * render_encode(linear.z));
	return r | g << 8 | b << 16 | 255u << 24;
}

float3 render_mapped(float t)
{
	float rgb[3];
	render_color_map(t, rgb);
	return (float3)(rgb[0], rgb[1], rgb[2]);
}

/* ---- 3D ---- */

#define RENDER_NO_DEPTH 1e30f

float render_dot(float3 a, float3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

float3 render_unit(float3 a)
{
	return a / sqrt(max_float(render_dot(a, a), 1e-30f));
}

float3 render_point(global const float *position, int p, int capacity)
{
#if DIM == 3
	return (float3)(position[p], position[capacity + p], position[2 * capacity + p]);
#else
	return (float3)(position[p], position[capacity + p], 0.0f);
#endif
}

float3 render_load3(const float v[3])
{
	return (float3)(v[0], v[1], v[2]);
}

/* Direction towards the light, of length 1 to single precision: (3, 6, 2) / 7. */
float3 render_light(void)
{
	return (float3)(3.0f, 6.0f, 2.0f) / 7.0f;
}

/* Working pixels of 3D pictures hold square roots of linear light in 10 bits each. */
uint render_pack_root(float3 linear)
{
	uint r = convert_uint_rte(1023.0f * sqrt(clamp_float(linear.x, 0.0f, 1.0f)));
	uint g = convert_uint_rte(1023.0f * sqrt(clamp_float(linear.y, 0.0f, 1.0f)));
	uint b = convert_uint_rte(1023.0f * sqrt(clamp_float(linear.z, 0.0f, 1.0f)));
	return r | g << 10 | b << 20;
}

float3 render_unpack_root(uint packed)
{
	float3 root = (float3)((float)(packed & 1023u), (float)(packed >> 10 & 1023u),
			       (float)(packed >> 20 & 1023u)) /
		      1023.0f;
	return root * root;
}

/* exp(-x) for x >= 0 within 0.01, out of allowed operations. */
float render_fade(float x)
{
	float s = 1.0f / (1.0f + 0.25f * x + 0.03125f * x * x);
	return s * s * s * s;
}

float3 render_horizon(void)
{
	return (float3)(0.78f, 0.84f, 0.90f);
}

/* Light from a direction of unit length. */
float3 render_sky(float3 direction)
{
	float t = clamp_float(direction.y, 0.0f, 1.0f);
	return render_mix(render_horizon(), (float3)(0.36f, 0.54f, 0.76f), t * (2.0f - t));
}

/* Ray through the middle of a pixel, scaled to depth 1. */
float3 render_ray(const struct render_camera *c, float column, float row)
{
	return render_load3(c->forward) +
	       render_load3(c->right) * ((column + 0.5f - 0.5f * (float)c->width) / c->focal) +
	       render_load3(c->up) * ((0.5f * (float)c->height - row - 0.5f) / c->focal);
}

/* Where a ray is inside the box: [*enter, *leave], and the wall_side it enters by. */
ALWAYS_INLINE bool render_meet_box(const struct grid g, float3 eye, float3 ray, float *enter,
				   float *leave, int *side)
{
	const float from[3] = {eye.x, eye.y, eye.z}, way[3] = {ray.x, ray.y, ray.z};
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	*enter = 0.0f;
	*leave = RENDER_NO_DEPTH;
	*side = -1;
	for (int a = 0; a < 3; a++) {
		if (fabs(way[a]) < 1e-12f) {
			if (from[a] < 0.0f || from[a] > size[a])
				return false;
			continue;
		}
		float low = -from[a] / way[a], high = (size[a] - from[a]) / way[a];
		int swapped = low > high;
		float near = swapped ? high : low, far = swapped ? low : high;
		if (near > *enter) {
			*enter = near;
			*side = 2 * a + swapped;
		}
		*leave = min_float(*leave, far);
	}
	return *enter < *leave;
}

/* The tile that a working pixel is in. */
int render_tile_of(const struct render_camera *c, int column, int row)
{
	return row / RENDER_TILE * c->tiles_x + column / RENDER_TILE;
}

/* The box's edges over a colour, where they are nearer than `depth`.  edges: see RENDER_EDGES;
 * some: those that the pixel's tile may show, a bit each. */
float3 render_draw_edges(const struct render_camera *c, global const float *edges, uint some,
			 int column, int row, float depth, float3 color)
{
	for (int e = 0; e < RENDER_EDGES && some >> e != 0; e++) {
		global const float *v = edges + 6 * e;
		if (!(some >> e & 1))
			continue;
		float px = (float)column + 0.5f - v[0], py = (float)row + 0.5f - v[1];
		float wx = v[3] - v[0], wy = v[4] - v[1], reach = c->line + 0.5f;
		if (px < min_float(wx, 0.0f) - reach || px > max_float(wx, 0.0f) + reach ||
		    py < min_float(wy, 0.0f) - reach || py > max_float(wy, 0.0f) + reach)
			continue;
		float along = (px * wx + py * wy) / max_float(wx * wx + wy * wy, 1e-12f);
		along = clamp_float(along, 0.0f, 1.0f);
		px -= along * wx;
		py -= along * wy;
		float line = reach - sqrt(px * px + py * py);
		float inverse = v[2] + (v[5] - v[2]) * along;
		if (line <= 0.0f || inverse <= 0.0f || 0.998f / inverse > depth)
			continue;
		color = render_mix(color, (float3)(0.10f, 0.13f, 0.17f),
				   0.7f * min_float(line, 1.0f));
	}
	return color;
}

#endif
