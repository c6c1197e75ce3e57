/*
 * 3D pictures in tiles: which of them show liquid or its shadow, now or in the picture before.  The
 * others look as they did.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_scene.h"

/* Rounding may find the floor this many cells of the shadow map off. */
#define RENDER_FLOOR_SLACK 1

/* Bits of the edges that a tile may show: those whose distance from its middle is less than their
 * reach and half its diagonal, and some more for rounding. */
uint render_tile_edges(const struct render_camera *c, global const float *edges, int tile_x,
		       int tile_y)
{
	float x = ((float)tile_x + 0.5f) * (float)RENDER_TILE;
	float y = ((float)tile_y + 0.5f) * (float)RENDER_TILE;
	uint some = 0;
	for (int e = 0; e < RENDER_EDGES; e++) {
		global const float *v = edges + 6 * e;
		float px = x - v[0], py = y - v[1], wx = v[3] - v[0], wy = v[4] - v[1];
		float along = (px * wx + py * wy) / max_float(wx * wx + wy * wy, 1e-12f);
		along = clamp_float(along, 0.0f, 1.0f);
		px -= along * wx;
		py -= along * wy;
		if (sqrt(px * px + py * py) < c->line + (float)RENDER_TILE)
			some |= 1u << e;
	}
	return some;
}

/*
 * What tiles may show besides liquid, as long as the camera stands.  tile_floor: u32, the cells of
 * the shadow map that their floor is lit by: first and last column, first and last row, a byte
 * each, first > last where there are none; tile_edges: u32, bits of edges; tile_state: u32, bits
 * RENDER_TILE_*: all are to be drawn; each [tiles].  One work-item per tile.
 */
kernel void render_survey_tiles(const struct render_camera c, global const float *edges,
				global uint *tile_floor, global uint *tile_edges,
				global uint *tile_state)
{
	int x = (int)get_global_id(0), y = (int)get_global_id(1);
	if (x >= c.tiles_x || y >= c.tiles_y)
		return;
	int tile = y * c.tiles_x + x, last = c.shadow_cells - 1;
	int low_i = last, high_i = 0, low_j = last, high_j = 0, found = 0;
	float3 eye = render_load3(c.eye);
	for (int row = y * RENDER_TILE; row < min_int((y + 1) * RENDER_TILE, c.height); row++)
		for (int column = x * RENDER_TILE; column < min_int((x + 1) * RENDER_TILE, c.width);
		     column++) {
			float3 ray = render_ray(&c, (float)column, (float)row);
			float depth = render_floor_depth(eye, ray), u, v;
			if (depth >= RENDER_NO_DEPTH ||
			    !render_shadow_place(&c, eye + ray * depth, &u, &v))
				continue;
			int i = convert_int_rte(floor(u + 0.5f));
			int j = convert_int_rte(floor(v + 0.5f));
			found = 1;
			low_i = min_int(low_i, i);
			low_j = min_int(low_j, j);
			high_i = i > high_i ? i : high_i;
			high_j = j > high_j ? j : high_j;
		}
	const int reach = 1 + RENDER_FLOOR_SLACK;
	low_i = clamp_int(low_i - reach, 0, last);
	low_j = clamp_int(low_j - reach, 0, last);
	high_i = clamp_int(high_i + reach, 0, last);
	high_j = clamp_int(high_j + reach, 0, last);
	tile_floor[tile] =
		found ? (uint)(low_i | high_i << 8 | low_j << 16) | (uint)high_j << 24 : 1u;
	tile_edges[tile] = render_tile_edges(&c, edges, x, y);
	tile_state[tile] = RENDER_TILE_ALL;
}

/* A picture begins: what tiles showed is what they showed before, and now they show shadow where a
 * cell that lights their floor has any.  Liquid is added by others.  One work-item per tile. */
kernel void render_begin_tiles(const struct render_camera c, global const uint *tile_floor,
			       global const uint *shadow, global uint *tile_state)
{
	int tile = (int)get_global_id(0);
	if (tile >= c.tiles_x * c.tiles_y)
		return;
	uint cells = tile_floor[tile], any = 0;
	for (uint j = cells >> 16 & 255u; j <= cells >> 24; j++)
		for (uint i = cells & 255u; i <= (cells >> 8 & 255u); i++)
			any |= shadow[j * (uint)c.shadow_cells + i];
	tile_state[tile] = RENDER_TILE_BEFORE(tile_state[tile] & RENDER_TILE_NOW) |
			   (any ? RENDER_TILE_SHADOW : 0u);
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
