/*
 * Pictures of the surface: where rays need not look at the level set, as it is the same all around,
 * and which tiles of the picture may show liquid.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_calm.h"

#define RENDER_CALM_MOST 4	  /* bricks that are looked at to each side */
#define RENDER_UNEVEN 0xffffffffu /* the bits of no number that a level set has */

/* Marks the tiles that may show a brick: those that its corners enclose on the picture. */
void render_mark_brick(const struct render_camera *c, const struct surface_grid s, int i, int j,
		       int k, global uint *tile_state)
{
	const float edge = (float)RENDER_BRICK * s.spacing;
	const float3 eye = render_load3(c->eye);
	float low_x = (float)c->width, high_x = 0.0f, low_y = (float)c->height, high_y = 0.0f;
	int beside = 0; /* corners that are not in front of the eye */
	for (int n = 0; n < 8; n++) {
		float3 d = (float3)((float)(i + (n & 1)), (float)(j + (n >> 1 & 1)),
				    (float)(k + (n >> 2))) *
				   edge -
			   eye;
		float depth = render_dot(d, render_load3(c->forward));
		beside += !(depth > 0.01f * edge);
		float zoom = c->focal / max_float(depth, 0.01f * edge);
		float x = 0.5f * (float)c->width + zoom * render_dot(d, render_load3(c->right));
		float y = 0.5f * (float)c->height - zoom * render_dot(d, render_load3(c->up));
		low_x = min_float(low_x, x);
		low_y = min_float(low_y, y);
		high_x = max_float(high_x, x);
		high_y = max_float(high_y, y);
	}
	if (beside == 8)
		return;
	if (beside > 0) {
		low_x = low_y = 0.0f;
		high_x = (float)c->width;
		high_y = (float)c->height;
	}
	/* A pixel more for rounding. */
	const int x0 = (int)clamp_float(low_x - 1.0f, 0.0f, (float)c->width) / RENDER_TILE;
	const int y0 = (int)clamp_float(low_y - 1.0f, 0.0f, (float)c->height) / RENDER_TILE;
	const int x1 = (int)clamp_float(high_x + 1.0f, -1.0f, (float)c->width);
	const int y1 = (int)clamp_float(high_y + 1.0f, -1.0f, (float)c->height);
	for (int y = y0; y * RENDER_TILE <= y1 && y < c->tiles_y; y++)
		for (int x = x0; x * RENDER_TILE <= x1 && x < c->tiles_x; x++)
			atomic_or(tile_state + y * c->tiles_x + x, RENDER_TILE_LIQUID);
}

/* bricks: u32, bits of the value that phi has at all nodes of a brick, RENDER_UNEVEN if it varies;
 * tiles that may show a brick with liquid are marked.  One work-item per brick. */
kernel void render_survey_bricks(const struct render_camera c, const struct surface_grid s,
				 global const float *level, global uint *bricks,
				 global uint *tile_state)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= render_bricks(s.nx) || j >= render_bricks(s.ny) || k >= render_bricks(s.nz))
		return;
	const int i0 = i * RENDER_BRICK, j0 = j * RENDER_BRICK, k0 = k * RENDER_BRICK;
	const uint first = as_uint(level[surface_index(s, i0, j0, k0)]);
	uint uneven = 0, wet = 0;
	for (int c2 = k0; c2 <= min_int(k0 + RENDER_BRICK, s.nz); c2++)
		for (int b = j0; b <= min_int(j0 + RENDER_BRICK, s.ny); b++)
			for (int a = i0; a <= min_int(i0 + RENDER_BRICK, s.nx); a++) {
				float value = level[surface_index(s, a, b, c2)];
				uneven |= as_uint(value) ^ first;
				wet |= value < 0.0f;
			}
	bricks[render_brick_index(s, i, j, k)] = uneven ? RENDER_UNEVEN : first;
	if (wet)
		render_mark_brick(&c, s, i, j, k, tile_state);
}

/* calm: u8, the largest n so that all bricks less than n away along every axis have the value of
 * this one; 0 where it has none.  One work-item per brick. */
kernel void render_calm_bricks(const struct surface_grid s, global const uint *bricks,
			       global uchar *calm)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	const int n[3] = {render_bricks(s.nx), render_bricks(s.ny), render_bricks(s.nz)};
	if (i >= n[0] || j >= n[1] || k >= n[2])
		return;
	const int at = render_brick_index(s, i, j, k);
	const uint own = bricks[at];
	int reach = own == RENDER_UNEVEN ? 0 : RENDER_CALM_MOST;
	for (int r = 1; r < reach; r++)
		for (int c = k - r; c <= k + r; c++)
			for (int b = j - r; b <= j + r; b++) {
				/* Of the shell alone: what is inside has been seen. */
				int whole = c == k - r || c == k + r || b == j - r || b == j + r;
				if (c < 0 || b < 0 || c >= n[2] || b >= n[1])
					continue;
				for (int a = i - r; a <= i + r; a += whole ? 1 : 2 * r)
					if (a >= 0 && a < n[0] &&
					    bricks[render_brick_index(s, a, b, c)] != own)
						reach = min_int(reach, r);
			}
	calm[at] = (uchar)reach;
}
