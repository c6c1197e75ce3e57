/*
 * 3D pictures: what stands behind the water: sky, floor with shadows, solids, the box.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_scene.h"

/* Counts the nodes on each side of the box, all and those in solids: counts[2*side], [.. + 1].
 * One work-item per node. */
kernel void render_count_cut(const struct grid g, global const float *solid_phi,
			     global uint *counts)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= g.px || j >= g.py || k >= g.pz)
		return;
	const int at[3] = {i, j, k}, last[3] = {g.nx, g.ny, g.nz};
	uint solid = solid_phi[lattice_index(g, i, j, k)] < 0.0f;
	for (int side = 0; side < 6; side++)
		if (at[side / 2] == (side & 1 ? last[side / 2] : 0)) {
			atomic_add(counts + 2 * side, 1u);
			atomic_add(counts + 2 * side + 1, solid);
		}
}

/* Depths at which the ray through each pixel enters and leaves the box, near > far where it misses:
 * f32 [height][width].  One work-item per pixel. */
kernel void render_box_depths(const struct render_camera c, const struct grid g, global float *near,
			      global float *far)
{
	int column = (int)get_global_id(0), row = (int)get_global_id(1);
	if (column >= c.width || row >= c.height)
		return;
	float enter, leave;
	int side;
	bool meets =
		render_meet_box(g, render_load3(c.eye), render_ray(&c, (float)column, (float)row),
				&enter, &leave, &side);
	near[row * c.width + column] = meets ? enter : RENDER_NO_DEPTH;
	far[row * c.width + column] = meets ? leave : 0.0f;
}

/*
 * What solids do to the picture, alone.  solid_depth: f32, RENDER_NO_DEPTH where none is seen;
 * solid_color: packed colour, or where none is seen the share of light they leave to the floor, in
 * 1/1023; both [height][width].  One work-item per pixel.
 */
kernel void render_solids(const struct render_camera c, const struct grid g,
			  global const struct shape_op *ops, int op_count,
			  global const float *points, global const float *solid_phi,
			  global uint *solid_color, global float *solid_depth)
{
	const struct render_solids solids = {{ops, op_count, points, 0}, solid_phi};
	int column = (int)get_global_id(0), row = (int)get_global_id(1);
	if (column >= c.width || row >= c.height)
		return;
	float3 eye = render_load3(c.eye), normal;
	float3 ray = render_ray(&c, (float)column, (float)row);
	float depth, floor_depth = render_floor_depth(eye, ray);
	int pixel = row * c.width + column;
	if (render_march(&c, g, &solids, eye, ray, &depth, &normal) && depth < floor_depth) {
		solid_depth[pixel] = depth;
		solid_color[pixel] = render_pack_root(render_solid_color(normal));
		return;
	}
	float light = 1.0f;
	if (floor_depth < RENDER_NO_DEPTH && !c.cut_faces)
		light = render_solid_shade(g, &solids, eye + ray * floor_depth);
	solid_depth[pixel] = RENDER_NO_DEPTH;
	solid_color[pixel] = convert_uint_rte(1023.0f * light);
}

/*
 * under: packed colours; under_depth: f32, of floor and solids; both [height][width], of tiles
 * whose floor is in shadow, or was.  The solid arrays are read where c.has_solids.  One work-item
 * per row of a tile.
 */
kernel void render_background(const struct render_camera c, const struct grid g,
			      global const uint *solid_color, global const float *solid_depth,
			      global const uint *shadow, global const float *edges,
			      global const uint *tile_edges, global const uint *tile_state,
			      global uint *under, global float *under_depth)
{
	const int column0 = (int)get_global_id(0) * RENDER_TILE, row = (int)get_global_id(1);
	if (column0 >= c.width || row >= c.height)
		return;
	const int tile = render_tile_of(&c, column0, row);
	if (!(tile_state[tile] & (RENDER_TILE_SHADOW | RENDER_TILE_BEFORE(RENDER_TILE_SHADOW))))
		return;
	const float3 eye = render_load3(c.eye);
	for (int column = column0; column < min_int(column0 + RENDER_TILE, c.width); column++) {
		const int pixel = row * c.width + column;
		float3 ray = render_ray(&c, (float)column, (float)row), color;
		float depth = render_floor_depth(eye, ray);
		if (c.has_solids && solid_depth[pixel] < RENDER_NO_DEPTH) {
			depth = solid_depth[pixel];
			color = render_unpack_root(solid_color[pixel]);
		} else if (depth < RENDER_NO_DEPTH) {
			float light = c.has_solids ? (float)solid_color[pixel] / 1023.0f : 1.0f;
			color = render_floor(&c, g, shadow, light, eye + ray * depth);
		} else {
			color = render_sky(render_unit(ray));
		}
		color = render_draw_edges(&c, edges, tile_edges[tile], column, row, depth, color);
		under[pixel] = render_pack_root(color);
		under_depth[pixel] = depth;
	}
}
