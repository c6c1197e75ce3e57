/* Bricks of the surface's lattice in which its level set is the same everywhere. */
#ifndef FRESHET_RENDER_CALM_H
#define FRESHET_RENDER_CALM_H

#include "render_common.h"
#include "surface_lattice.h"

int render_bricks(int intervals)
{
	return (intervals + RENDER_BRICK - 1) / RENDER_BRICK;
}

int render_brick_index(const struct surface_grid s, int i, int j, int k)
{
	return (k * render_bricks(s.ny) + j) * render_bricks(s.nx) + i;
}

/* What tells where the level set is the same all around. */
struct render_calm {
	global const uchar *reach; /* see render_calm_bricks */
	int bricks_x, bricks_y, n[3];
	float inverse; /* intervals per m */
};

void render_calm_set(const struct surface_grid *s, global const uchar *reach,
		     struct render_calm *calm)
{
	calm->reach = reach;
	calm->bricks_x = render_bricks(s->nx);
	calm->bricks_y = render_bricks(s->ny);
	calm->n[0] = s->nx;
	calm->n[1] = s->ny;
	calm->n[2] = s->nz;
	calm->inverse = 1.0f / s->spacing;
}

/*
 * How far, in m, a ray from p certainly meets the value of the level set that it has there; 0 if
 * that is not known.  pace: m along the ray per interval along each axis.
 */
float render_calm_way(const struct render_calm *calm, float3 p, float3 way, float3 pace)
{
	const float3 at = p * calm->inverse;
	const int i = clamp_int((int)at.x, 0, calm->n[0] - 1) / RENDER_BRICK;
	const int j = clamp_int((int)at.y, 0, calm->n[1] - 1) / RENDER_BRICK;
	const int k = clamp_int((int)at.z, 0, calm->n[2] - 1) / RENDER_BRICK;
	const int reach = calm->reach[(k * calm->bricks_y + j) * calm->bricks_x + i];
	if (reach == 0)
		return 0.0f;
	const int back = 1 - reach;
	/* Where the calm ends along each axis; less what rounding may do. */
	float x = way.x < 0.0f ? at.x - (float)((i + back) * RENDER_BRICK)
			       : (float)((i + reach) * RENDER_BRICK) - at.x;
	float y = way.y < 0.0f ? at.y - (float)((j + back) * RENDER_BRICK)
			       : (float)((j + reach) * RENDER_BRICK) - at.y;
	float z = way.z < 0.0f ? at.z - (float)((k + back) * RENDER_BRICK)
			       : (float)((k + reach) * RENDER_BRICK) - at.z;
	x = (x - 0.02f) * pace.x;
	y = (y - 0.02f) * pace.y;
	z = (z - 0.02f) * pace.z;
	return max_float(min_float(min_float(x, y), z), 0.0f);
}

/* The last argument of render_calm_way(). */
float3 render_pace(float spacing, float3 way)
{
	return (float3)(spacing / max_float(fabs(way.x), 1e-6f),
			spacing / max_float(fabs(way.y), 1e-6f),
			spacing / max_float(fabs(way.z), 1e-6f));
}

#endif
