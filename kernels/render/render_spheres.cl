/*
 * 3D pictures: particles as spheres: their front in a depth buffer, their thickness added up.
 *
 * Spheres are listed by tile (and, within, by slabs of depth, so that near ones hide most of the
 * others before they are looked at); then each tile goes through its own.  The least depth, then
 * the least id, sums of chords: the order of the particles does not matter.  Those that have left
 * the box (ID_REMOVED) are still in the arrays and are left out.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_common.h"

/* Spheres of a tile after which it is seen anew how deep the tile's deepest pixel is. */
#define RENDER_HIDE_EVERY 8
/* Pixels side by side that are drawn as one vector. */
#define RENDER_LANES 8

/* A sphere on the picture: centre and radius in pixels, depth of the centre, bounding rows and
 * columns (high ends excluded). */
struct render_ball {
	float x, y, radius, depth;
	int column0, column1, row0, row1;
};

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

/* The pixels of a tile, high ends excluded. */
struct render_patch {
	int column0, column1, row0, row1;
};

struct render_patch render_patch_at(const struct render_camera *c, int tile)
{
	int x = tile % c->tiles_x * RENDER_TILE, y = tile / c->tiles_x * RENDER_TILE;
	struct render_patch patch = {x, min_int(x + RENDER_TILE, c->width), y,
				     min_int(y + RENDER_TILE, c->height)};
	return patch;
}

/* Where the spheres of a tile's slab are counted. */
int render_slab(const struct render_camera *c, int tile_x, int tile_y, float depth)
{
	int slab = clamp_int(
		(int)clamp_float((depth - c->slab_first) * c->slab_inv, 0.0f, (float)RENDER_SLABS),
		0, RENDER_SLABS - 1);
	return (tile_y * c->tiles_x + tile_x) * RENDER_SLABS + slab;
}

/* slabs: u32 [tiles*RENDER_SLABS + 1], zeroed: the number of spheres that each slab of each tile
 * shows.  place: u32, the index in the arrays of the particle with an id.  One work-item per
 * particle. */
kernel void render_count_spheres(const struct render_camera c, global const float *position,
				 global const uint *id, global uint *slabs, global uint *place)
{
	int p = (int)get_global_id(0);
	struct render_ball ball;
	if (p >= c.count || id[p] == ID_REMOVED ||
	    !render_project(&c, render_point(position, p, c.capacity), &ball))
		return;
	place[id[p]] = (uint)p;
	for (int y = ball.row0 / RENDER_TILE; y * RENDER_TILE < ball.row1; y++)
		for (int x = ball.column0 / RENDER_TILE; x * RENDER_TILE < ball.column1; x++)
			atomic_inc(slabs + render_slab(&c, x, y, ball.depth));
}

/* slabs: the sums of the slabs before each; each becomes that of the next one.  spheres: u32, the
 * particles of each slab one after the other.  One work-item per particle. */
kernel void render_list_spheres(const struct render_camera c, global const float *position,
				global const uint *id, global uint *slabs, global uint *spheres)
{
	int p = (int)get_global_id(0);
	struct render_ball ball;
	if (p >= c.count || id[p] == ID_REMOVED ||
	    !render_project(&c, render_point(position, p, c.capacity), &ball))
		return;
	for (int y = ball.row0 / RENDER_TILE; y * RENDER_TILE < ball.row1; y++)
		for (int x = ball.column0 / RENDER_TILE; x * RENDER_TILE < ball.column1; x++)
			spheres[atomic_inc(slabs + render_slab(&c, x, y, ball.depth))] = (uint)p;
}

/*
 * The part of a sphere that a pixel sees of it inside the box: [front, back] in depth; false if
 * there is none.  Spheres of particles at a wall would else stick out of it.  flat, high: squares
 * of the distances from the centre along rows and columns, in radii.
 */
bool render_span(const struct render_camera *c, float depth, float flat, float high, float near,
		 float far, float *front, float *back)
{
	float rest = 1.0f - flat - high;
	float chord = rest < 0.0f ? -1.0f : sqrt(rest) * c->radius;
	*front = max_float(depth - chord, near);
	*back = min_float(depth + chord, far);
	return chord >= 0.0f && *front <= *back;
}

/* Square of the distance of a pixel's middle from a sphere's along one axis, in radii. */
float render_apart(int pixel, float middle, float radius)
{
	float d = ((float)pixel + 0.5f - middle) / radius;
	return d * d;
}

uint render_chord(const struct render_camera *c, float front, float back)
{
	return convert_uint_rte((back - front) / (2.0f * c->radius) * (float)RENDER_CHORD_ONE);
}

/* The pixels' arrays: render_gather_spheres says what they hold. */
struct render_layers {
	global const float *near, *far;
	global float *depth;
	global uint *nearest, *thickness;
};

#ifndef FRESHET_NATIVE
/* Squares of the distances along rows of pixels that are `step` apart. */
float8 render_apart_lanes(int column, int step, float middle, float radius)
{
	float8 at =
		(float8)((float)column) +
		(float8)((float)step) * (float8)(0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f);
	float8 d = (at + 0.5f - middle) / radius;
	return d * d;
}

/* render_span() of pixels side by side; a mask. */
int8 render_span_lanes(const struct render_camera *c, float depth, float8 flat, float high,
		       float8 near, float8 far, float8 *front, float8 *back)
{
	float8 rest = 1.0f - flat - high;
	float8 chord = sqrt(rest < 0.0f ? (float8)(0.0f) : rest) * c->radius;
	float8 low = depth - chord, up = depth + chord;
	*front = near > low ? near : low;
	*back = far < up ? far : up;
	return (rest >= 0.0f) & (*front <= *back);
}
#endif /* FRESHET_NATIVE */

/* Draws what is nearer of a sphere than what there is: depth, then id. */
void render_gather_depth(const struct render_camera *c, const struct render_ball *ball, uint id,
			 const struct render_patch *patch, const struct render_layers *to)
{
	const int row0 = ball->row0 > patch->row0 ? ball->row0 : patch->row0;
	const int row1 = min_int(ball->row1, patch->row1);
	const int end = min_int(ball->column1, patch->column1);
	int column = patch->column0;
#ifndef FRESHET_NATIVE
	for (; column < end && column + RENDER_LANES <= patch->column1; column += RENDER_LANES) {
		if (column + RENDER_LANES <= ball->column0)
			continue;
		float8 flat = render_apart_lanes(column, 1, ball->x, ball->radius);
		for (int row = row0; row < row1; row++) {
			const int pixel = row * c->width + column;
			const float high = render_apart(row, ball->y, ball->radius);
			float8 front, back, depth = vload8(0, to->depth + pixel);
			int8 seen = render_span_lanes(c, ball->depth, flat, high,
						      vload8(0, to->near + pixel),
						      vload8(0, to->far + pixel), &front, &back);
			uint8 nearest = vload8(0, to->nearest + pixel);
			uint8 least = id < nearest ? (uint8)(id) : nearest;
			nearest = (seen & (front == depth)) ? least : nearest;
			nearest = (seen & (front < depth)) ? (uint8)(id) : nearest;
			vstore8(nearest, 0, to->nearest + pixel);
			vstore8((seen & (front < depth)) ? front : depth, 0, to->depth + pixel);
		}
	}
#endif /* FRESHET_NATIVE */
	for (; column < end; column++) {
		const float flat = render_apart(column, ball->x, ball->radius);
		for (int row = row0; row < row1; row++) {
			const int pixel = row * c->width + column;
			const float high = render_apart(row, ball->y, ball->radius);
			float front, back;
			if (!render_span(c, ball->depth, flat, high, to->near[pixel],
					 to->far[pixel], &front, &back) ||
			    front > to->depth[pixel])
				continue;
			if (front < to->depth[pixel] || id < to->nearest[pixel])
				to->nearest[pixel] = id;
			to->depth[pixel] = front;
		}
	}
}

/* Adds a sphere's chords to the thickness, on every second row and column. */
void render_gather_thickness(const struct render_camera *c, const struct render_ball *ball,
			     const struct render_patch *patch, const struct render_layers *to)
{
	const int width = (c->width + 1) / 2;
	const int row1 = min_int(ball->row1, patch->row1);
	const int end = min_int(ball->column1, patch->column1);
	int row0 = ball->row0 > patch->row0 ? ball->row0 : patch->row0;
	int column = patch->column0;
	row0 += row0 & 1;
#ifndef FRESHET_NATIVE
	if (column + 2 * RENDER_LANES <= patch->column1) {
		float8 flat = render_apart_lanes(column, 2, ball->x, ball->radius);
		for (int row = row0; row < row1; row += 2) {
			const int pixel = row * c->width + column;
			const int at = row / 2 * width + column / 2;
			const float high = render_apart(row, ball->y, ball->radius);
			float8 front, back;
			int8 seen = render_span_lanes(
				c, ball->depth, flat, high, vload16(0, to->near + pixel).even,
				vload16(0, to->far + pixel).even, &front, &back);
			float8 chord =
				(back - front) / (2.0f * c->radius) * (float)RENDER_CHORD_ONE;
			/* The sum's last bits are the nearest integer, ties to even. */
			uint8 whole = as_uint8(chord + 0x1p23f) - as_uint8((float8)(0x1p23f));
			whole = seen ? whole : (uint8)(0);
			vstore8(vload8(0, to->thickness + at) + whole, 0, to->thickness + at);
		}
		return;
	}
#endif /* FRESHET_NATIVE */
	for (; column < end; column += 2) {
		const float flat = render_apart(column, ball->x, ball->radius);
		for (int row = row0; row < row1; row += 2) {
			const int pixel = row * c->width + column;
			const float high = render_apart(row, ball->y, ball->radius);
			float front, back;
			if (render_span(c, ball->depth, flat, high, to->near[pixel], to->far[pixel],
					&front, &back))
				to->thickness[row / 2 * width + column / 2] +=
					render_chord(c, front, back);
		}
	}
}

/* The greatest depth of a patch's pixels. */
float render_patch_depth(const struct render_camera *c, const struct render_patch *patch,
			 global const float *depth)
{
	float most = 0.0f;
	for (int row = patch->row0; row < patch->row1; row++) {
		int column = patch->column0;
#ifndef FRESHET_NATIVE
		if (column + RENDER_TILE <= patch->column1) {
			float16 each = vload16(0, depth + row * c->width + column);
			float8 eight = each.even > each.odd ? each.even : each.odd;
			float4 four = eight.even > eight.odd ? eight.even : eight.odd;
			float2 two = four.even > four.odd ? four.even : four.odd;
			most = max_float(most, max_float(two.x, two.y));
			column += RENDER_TILE;
		}
#endif /* FRESHET_NATIVE */
		for (; column < patch->column1; column++)
			most = max_float(most, depth[row * c->width + column]);
	}
	return most;
}

/* No liquid. */
void render_clear_patch(const struct render_camera *c, const struct render_patch *patch,
			const struct render_layers *to)
{
	for (int row = patch->row0; row < patch->row1; row++)
		for (int column = patch->column0; column < patch->column1; column++) {
			to->depth[row * c->width + column] = RENDER_NO_DEPTH;
			to->nearest[row * c->width + column] = ID_REMOVED;
			if (!((row | column) & 1))
				to->thickness[row / 2 * ((c->width + 1) / 2) + column / 2] = 0;
		}
}

/*
 * The spheres of each tile.  near, far: see render_box_depths; slabs: ends of the slabs; spheres:
 * see render_list_spheres.  depth: f32, of the nearest surface, RENDER_NO_DEPTH where there is
 * none; nearest: u32, the least id among the particles whose surface that is: many share it where
 * spheres are cut by a side of the box; both [height][width].  thickness: u32
 * [(height+1)/2][(width+1)/2], the sum of chords over all spheres on every second row and column,
 * in RENDER_CHORD_ONE diameters. skip, most: of each tile's list the spheres from the one of that
 * number on, and how many: lists may be gone through in parts, the first part first.  One work-item
 * per tile.
 */
kernel void render_gather_spheres(const struct render_camera c, global const float *position,
				  global const uint *id, global const float *near,
				  global const float *far, global const uint *slabs,
				  global const uint *spheres, uint skip, uint most,
				  global uint *tile_state, global float *depth,
				  global uint *nearest, global uint *thickness)
{
	int tile = (int)get_global_id(0);
	if (tile >= c.tiles_x * c.tiles_y)
		return;
	const uint begin = tile > 0 ? slabs[tile * RENDER_SLABS - 1] : 0u;
	const uint end = slabs[tile * RENDER_SLABS + RENDER_SLABS - 1];
	const uint before = tile_state[tile] & RENDER_TILE_BEFORE(RENDER_TILE_LIQUID);
	if (begin == end && !before)
		return;
	const struct render_patch patch = render_patch_at(&c, tile);
	const struct render_layers to = {near, far, depth, nearest, thickness};
	if (skip == 0)
		render_clear_patch(&c, &patch, &to);
	if (end - begin <= skip)
		return;
	tile_state[tile] |= RENDER_TILE_LIQUID;
	const uint first = begin + skip, last = end - first > most ? first + most : end;
	float deepest = RENDER_NO_DEPTH;
	uint drawn = 0;
	for (uint n = first; n < last; n++) {
		const int p = (int)spheres[n];
		struct render_ball ball;
		if (!render_project(&c, render_point(position, p, c.capacity), &ball))
			continue;
		if (ball.depth - c.radius <= deepest) {
			render_gather_depth(&c, &ball, id[p], &patch, &to);
			if (++drawn % RENDER_HIDE_EVERY == 0)
				deepest = render_patch_depth(&c, &patch, depth);
		}
		render_gather_thickness(&c, &ball, &patch, &to);
	}
}
