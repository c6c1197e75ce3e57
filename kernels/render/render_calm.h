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

/*
 * How far, in m, a ray from p certainly meets the value of the level set that it has there; 0 if that
 * is not known.  pace: m along the ray per interval along each axis.
 */
float render_calm_way(const struct surface_grid s, global const uchar *calm, float3 p, float3 way,
		      float3 pace)
{
	const float at[3] = {p.x / s.spacing, p.y / s.spacing, p.z / s.spacing};
	const float to[3] = {way.x, way.y, way.z}, rate[3] = {pace.x, pace.y, pace.z};
	const int n[3] = {s.nx, s.ny, s.nz};
	float least = RENDER_NO_DEPTH;
	int brick[3];
	for (int a = 0; a < 3; a++)
		brick[a] = clamp_int((int)clamp_float(at[a], 0.0f, (float)n[a]), 0, n[a] - 1) /
			   RENDER_BRICK;
	const int reach = calm[render_brick_index(s, brick[0], brick[1], brick[2])];
	if (reach == 0)
		return 0.0f;
	for (int a = 0; a < 3; a++) {
		float low = at[a] - (float)((brick[a] - reach + 1) * RENDER_BRICK);
		float high = (float)((brick[a] + reach) * RENDER_BRICK) - at[a];
		/* Less what rounding may do. */
		least = min_float(least, ((to[a] < 0.0f ? low : high) - 0.02f) * rate[a]);
	}
	return max_float(least, 0.0f);
}

/* The last argument of render_calm_way(). */
float3 render_pace(const struct surface_grid s, float3 way)
{
	return (float3)(s.spacing / max_float(fabs(way.x), 1e-6f),
			s.spacing / max_float(fabs(way.y), 1e-6f),
			s.spacing / max_float(fabs(way.z), 1e-6f));
}

#endif
