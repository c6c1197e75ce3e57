/*
 * 3D pictures: the water over its background: refraction, absorption by thickness, reflection,
 * light; then the finished pixels.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_common.h"

/* Difference of depth along a row or column, from the side where the surface goes on. */
float render_depth_slope(global const float *depth, int pixel, int step, bool has_low,
			 bool has_high)
{
	float middle = depth[pixel];
	float low = has_low ? middle - depth[pixel - step] : -RENDER_NO_DEPTH;
	float high = has_high ? depth[pixel + step] - middle : RENDER_NO_DEPTH;
	float slope = fabs(low) < fabs(high) ? low : high;
	return fabs(slope) < 0.5f * RENDER_NO_DEPTH ? slope : 0.0f;
}

/* Unit normal of the surface, towards the eye, in world axes. */
float3 render_normal(const struct render_camera *c, global const float *depth, int column, int row)
{
	int pixel = row * c->width + column;
	float z = depth[pixel];
	float zx = render_depth_slope(depth, pixel, 1, column > 0, column + 1 < c->width);
	float zy = render_depth_slope(depth, pixel, c->width, row > 0, row + 1 < c->height);
	float u = ((float)column + 0.5f - 0.5f * (float)c->width) / c->focal;
	float v = (0.5f * (float)c->height - (float)row - 0.5f) / c->focal;
	/* Point = z (u, v, 1) in (right, up, forward); the normal is the cross product of its
	 * derivatives by column and by row. */
	float3 by_x = (float3)(zx * u + z / c->focal, zx * v, zx);
	float3 by_y = (float3)(zy * u, zy * v - z / c->focal, zy);
	float3 n = (float3)(by_x.y * by_y.z - by_x.z * by_y.y, by_x.z * by_y.x - by_x.x * by_y.z,
			    by_x.x * by_y.y - by_x.y * by_y.x);
	return render_unit(render_load3(c->right) * n.x + render_load3(c->up) * n.y +
			   render_load3(c->forward) * n.z);
}

/* x^64 for x in [0, 1]. */
float render_shine(float x)
{
	for (int n = 0; n < 6; n++)
		x *= x;
	return x;
}

/* Depth of water along the view, m: the sum of chords, bilinear between its coarser samples. */
float render_thickness(const struct render_camera *c, global const uint *thickness, int column,
		       int row)
{
	int width = (c->width + 1) / 2, height = (c->height + 1) / 2;
	int i = column / 2, j = row / 2;
	int i1 = i + 1 < width ? i + (column & 1) : i, j1 = j + 1 < height ? j + (row & 1) : j;
	uint sum = thickness[j * width + i] + thickness[j * width + i1] +
		   thickness[j1 * width + i] + thickness[j1 * width + i1];
	return (float)sum * (0.5f * c->radius / ((float)RENDER_CHORD_ONE * c->fill));
}

/* Water of a body colour over what lies under it. */
float3 render_water_color(const struct render_camera *c, float3 body, float3 normal, float3 ray,
			  float thickness, float speed, float3 behind)
{
	float3 light = render_light();
	float facing = clamp_float(-render_dot(normal, ray), 0.0f, 1.0f);
	float direct = max_float(render_dot(normal, light), 0.0f);
	float depth = thickness * c->absorption;
	/* The surface itself veils more than half of what is behind: thin water keeps its shape. */
	float3 through = 0.42f * (float3)(render_fade(depth * (1.0f - 0.85f * body.x)),
					  render_fade(depth * (1.0f - 0.85f * body.y)),
					  render_fade(depth * (1.0f - 0.85f * body.z)));
	float3 scattered = body * (0.40f + 0.22f * normal.y + 0.50f * direct);
	float3 color = behind * through + scattered * ((float3)(1.0f) - through);

	float miss = 1.0f - facing;
	float mirror = 0.03f + 0.97f * miss * miss * miss * miss * miss;
	float3 bounce = ray + normal * (2.0f * facing);
	float3 sky = bounce.y > 0.0f ? render_sky(bounce) : render_horizon() * 0.7f;
	color = render_mix(color, sky, min_float(mirror, 0.75f));

	/* Spray is white: fast and no more than a few particles thick. */
	float few = render_fade(thickness / (1.5f * c->reach));
	float foam = render_ramp(speed, 0.45f, 1.2f) * few;
	color = render_mix(color, (float3)(0.80f, 0.89f, 0.97f) * (0.60f + 0.40f * direct),
			   0.55f * foam);
	float shine = render_shine(max_float(render_dot(bounce, light), 0.0f));
	return color + (float3)(0.8f * shine * (1.0f - few));
}

/* The colour of a working pixel, packed; the arrays are those of render_compose(). */
uint render_water(const struct render_camera *c, global const float *depth,
		  global const uint *nearest, global const uint *place,
		  global const uint *thickness, global const uint *under,
		  global const float *under_depth, global const float *edges, uint some,
		  global const float *velocity, global const struct render_range *ranges,
		  int column, int row)
{
	int pixel = row * c->width + column;
	float z = depth[pixel];
	if (z >= RENDER_NO_DEPTH || z > under_depth[pixel])
		return under[pixel];
	float3 ray = render_unit(render_ray(c, (float)column, (float)row));
	float3 normal = render_normal(c, depth, column, row);
	if (render_dot(normal, ray) > 0.0f)
		normal = -normal;
	uint id = nearest[pixel];
	float speed = render_speed(velocity, (int)place[id], c->capacity), direct, thick;
	float3 color;
	if (c->speed_view) {
		direct = max_float(render_dot(normal, render_light()), 0.0f);
		color = render_mapped((speed - c->speed_low) / (c->speed_high - c->speed_low)) *
			(0.45f + 0.2f * normal.y + 0.45f * direct);
	} else {
		thick = render_thickness(c, thickness, column, row);
		float bend = min_float(thick, 6.0f * c->reach) * 0.35f * c->focal / z;
		int to_x = column +
			   convert_int_rte(bend * -render_dot(normal, render_load3(c->right)));
		int to_y = row + convert_int_rte(bend * render_dot(normal, render_load3(c->up)));
		to_x = clamp_int(to_x, 0, c->width - 1);
		to_y = clamp_int(to_y, 0, c->height - 1);
		int seen = to_y * c->width + to_x;
		if (under_depth[seen] < z) /* something in front of the water */
			seen = pixel;
		int l = render_range_of(ranges, id);
		float3 body = (float3)(ranges[l].color[0], ranges[l].color[1], ranges[l].color[2]);
		color = render_water_color(c, body, normal, ray, thick, speed / c->speed_ref,
					   render_unpack_root(under[seen]));
	}
	return render_pack_root(render_draw_edges(c, edges, some, column, row, z, color));
}

/*
 * The finished picture: means of samples x samples working pixels, of tiles that show something
 * else than in the picture before or may do so.  depth: smoothed; nearest, thickness: see
 * render_gather_spheres; place: see render_count_spheres; under, under_depth: see
 * render_background. pixels: u32, red in the low byte.  One work-item per pixel.
 */
kernel void render_compose(const struct render_camera c, global const float *depth,
			   global const uint *nearest, global const uint *place,
			   global const uint *thickness, global const uint *under,
			   global const float *under_depth, global const float *edges,
			   global const uint *tile_edges, global const uint *tile_state,
			   global const float *velocity, global const struct render_range *ranges,
			   global uint *pixels)
{
	int column = (int)get_global_id(0) * c.samples, row = (int)get_global_id(1) * c.samples;
	if (column >= c.width || row >= c.height)
		return;
	const int tile = render_tile_of(&c, column, row);
	if (!tile_state[tile])
		return;
	float3 sum = (float3)(0.0f);
	for (int b = 0; b < c.samples; b++)
		for (int a = 0; a < c.samples; a++)
			sum += render_unpack_root(render_water(
				&c, depth, nearest, place, thickness, under, under_depth, edges,
				tile_edges[tile], velocity, ranges, column + a, row + b));
	pixels[row / c.samples * (c.width / c.samples) + column / c.samples] =
		render_pack(sum / (float)(c.samples * c.samples));
}
