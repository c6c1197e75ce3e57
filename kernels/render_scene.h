/* What stands around the liquid in 3D pictures, for any ray: solids, the box, the floor. */
#ifndef FRESHET_RENDER_SCENE_H
#define FRESHET_RENDER_SCENE_H

#include "render_common.h"

#define RENDER_MARCH_STEPS 400 /* enough for 512 cells per axis, short of grazing rays */

/* Distance to the solids, trilinear between nodes, constant beyond the box. */
float render_solid_at(global const float *solid_phi, const struct grid g, float3 point)
{
	float x = clamp_float(point.x * g.inv_h, 0.0f, (float)g.nx);
	float y = clamp_float(point.y * g.inv_h, 0.0f, (float)g.ny);
	float z = clamp_float(point.z * g.inv_h, 0.0f, (float)g.nz);
	int i = clamp_int(convert_int_rte(floor(x)), 0, g.nx - 1);
	int j = clamp_int(convert_int_rte(floor(y)), 0, g.ny - 1);
	int k = DIM == 3 ? clamp_int(convert_int_rte(floor(z)), 0, g.nz - 1) : 0;
	float s = x - (float)i, t = y - (float)j, r = z - (float)k;
	float layer[2];
	for (int a = 0; a < 2; a++) {
		int n = lattice_index(g, i, j, DIM == 3 ? k + a : 0);
		float low = solid_phi[n] + (solid_phi[n + 1] - solid_phi[n]) * s;
		float high =
			solid_phi[n + g.px] + (solid_phi[n + g.px + 1] - solid_phi[n + g.px]) * s;
		layer[a] = low + (high - low) * t;
	}
	return layer[0] + (layer[1] - layer[0]) * r;
}

float3 render_solid_normal(global const float *solid_phi, const struct grid g, float3 p)
{
	float e = 0.75f * g.h;
	float3 dx = (float3)(e, 0.0f, 0.0f), dy = (float3)(0.0f, e, 0.0f),
	       dz = (float3)(0.0f, 0.0f, e);
	return render_unit((float3)(render_solid_at(solid_phi, g, p + dx) -
					    render_solid_at(solid_phi, g, p - dx),
				    render_solid_at(solid_phi, g, p + dy) -
					    render_solid_at(solid_phi, g, p - dy),
				    render_solid_at(solid_phi, g, p + dz) -
					    render_solid_at(solid_phi, g, p - dz)));
}

/* Where a ray is inside the box: [*enter, *leave], and the wall_side it enters by. */
bool render_meet_box(const struct grid g, float3 eye, float3 ray, float *enter, float *leave,
		     int *side)
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

/*
 * Sphere tracing.  Solids that the ray meets at a cut face are skipped, so that one looks into a
 * container; others are capped there.  Gives the depth and the normal of the first surface.
 */
bool render_march(const struct render_camera *c, const struct grid g, global const float *solid_phi,
		  float3 eye, float3 ray, float *depth, float3 *normal)
{
	float t, leave, length = sqrt(render_dot(ray, ray));
	int side;
	if (!render_meet_box(g, eye, ray, &t, &leave, &side))
		return false;
	float distance = render_solid_at(solid_phi, g, eye + ray * t);
	bool inside = distance < 0.0f;
	if (inside && side >= 0 && !(c->cut_faces >> side & 1)) {
		float sign = side & 1 ? 1.0f : -1.0f;
		*normal = (float3)(side / 2 == 0 ? sign : 0.0f, side / 2 == 1 ? sign : 0.0f,
				   side / 2 == 2 ? sign : 0.0f);
		*depth = t;
		return true;
	}
	for (int n = 0; n < RENDER_MARCH_STEPS && t < leave; n++) {
		float before = distance;
		float step = max_float(0.9f * fabs(distance), 0.2f * g.h) / length;
		t += step;
		distance = render_solid_at(solid_phi, g, eye + ray * t);
		if (distance < 0.0f && !inside) {
			t -= step * distance / (distance - before);
			*normal = render_solid_normal(solid_phi, g, eye + ray * t);
			*depth = t;
			return t < leave;
		}
		inside = inside && distance < 0.0f;
	}
	return false;
}

/* Share of the light that solids let through to a point, with a soft edge. */
float render_solid_shade(const struct grid g, global const float *solid_phi, float3 point)
{
	float t, leave, share = 1.0f;
	int side;
	if (!render_meet_box(g, point, render_light(), &t, &leave, &side))
		return 1.0f;
	for (int n = 0; n < RENDER_MARCH_STEPS && t < leave && share > 0.0f; n++) {
		float distance = render_solid_at(solid_phi, g, point + render_light() * t);
		t += max_float(fabs(distance), 0.3f * g.h);
		share = min_float(share, 0.5f + 5.0f * distance / max_float(t, g.h));
	}
	return clamp_float(share, 0.0f, 1.0f);
}

/* solid_light = share of the light that solids let through to the point. */
float3 render_floor(const struct render_camera *c, const struct grid g, global const uint *shadow,
		    float solid_light, float3 point)
{
	float u = (point.x - c->shadow_x) * c->shadow_inv - 0.5f;
	float v = (point.z - c->shadow_z) * c->shadow_inv - 0.5f, column = 0.0f;
	int last = c->shadow_cells - 1;
	if (u > -1.0f && v > -1.0f && u < (float)last + 1.0f && v < (float)last + 1.0f) {
		int i = convert_int_rte(floor(u + 0.5f)), j = convert_int_rte(floor(v + 0.5f));
		float wx[3], wy[3];
		render_spline(u - (float)i, wx);
		render_spline(v - (float)j, wy);
		for (int b = -1; b <= 1; b++)
			for (int a = -1; a <= 1; a++)
				column +=
					wx[a + 1] * wy[b + 1] *
					(float)shadow[clamp_int(j + b, 0, last) * c->shadow_cells +
						      clamp_int(i + a, 0, last)];
	}
	float light = 0.35f + 0.65f * render_fade(10.0f * column / c->shadow_rest);
	light *= 0.45f + 0.55f * solid_light;
	float3 color = (float3)(0.73f, 0.74f, 0.75f) * light;
	float dx = point.x - 0.5f * g.size_x, dz = point.z - 0.5f * g.size_z;
	float far = sqrt(dx * dx + dz * dz) / c->floor_radius;
	return render_mix(color, render_horizon(), render_ramp(far, 0.15f, 1.0f));
}

float3 render_solid_color(float3 normal)
{
	float direct = max_float(render_dot(normal, render_light()), 0.0f);
	float3 around = render_mix((float3)(0.50f, 0.48f, 0.46f), (float3)(0.85f, 0.92f, 1.0f),
				   0.5f + 0.5f * normal.y);
	return (float3)(0.46f, 0.47f, 0.49f) * (0.55f * around + 0.75f * direct);
}

/* Depth to the floor y = 0. */
float render_floor_depth(float3 eye, float3 ray)
{
	return eye.y > 0.0f && ray.y < -1e-6f ? -eye.y / ray.y : RENDER_NO_DEPTH;
}

#endif
