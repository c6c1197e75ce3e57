/* What stands around the liquid in 3D pictures, for any ray: solids, the box, the floor. */
#ifndef FRESHET_RENDER_SCENE_H
#define FRESHET_RENDER_SCENE_H

#include "render_common.h"
#include "render_solid.h"

#define RENDER_MARCH_STEPS 400 /* enough for 512 cells per axis, short of grazing rays */
#define RENDER_TOUCH 0.005f    /* a surface is met within this distance, cells */

/* A free way from a point: the distance to solids, less what samples may be off. */
float render_free_way(struct render_solid solid, const struct grid g)
{
	float way = fabs(solid.distance);
	return solid.exact ? way : way - RENDER_SAMPLE_ERROR * g.h;
}

/*
 * Sphere tracing (Hart 1996).  Solids that the ray meets at a cut face are skipped, so that one
 * looks into a container; others are capped there.  Gives the depth and the normal of the first
 * surface.
 */
bool render_march(const struct render_camera *c, const struct grid g,
		  const struct render_solids *solids, float3 eye, float3 ray, float *depth,
		  float3 *normal)
{
	const float touch = RENDER_TOUCH * g.h, near = 2.0f * g.h;
	float t, leave, length = sqrt(render_dot(ray, ray));
	int side;
	if (!render_meet_box(g, eye, ray, &t, &leave, &side))
		return false;
	bool inside = false;
	for (int n = 0; n < RENDER_MARCH_STEPS && t < leave; n++) {
		struct render_solid solid = render_solid_at(solids, g, near, eye + ray * t);
		if (n == 0 && solid.distance < 0.0f) {
			inside = true;
			if (side >= 0 && !(c->cut_faces >> side & 1)) {
				float sign = side & 1 ? 1.0f : -1.0f;
				*normal = (float3)(side / 2 == 0 ? sign : 0.0f,
						   side / 2 == 1 ? sign : 0.0f,
						   side / 2 == 2 ? sign : 0.0f);
				*depth = t;
				return true;
			}
		}
		inside = inside && solid.distance < touch;
		if (!inside && solid.distance < touch) {
			*normal = solid.gradient;
			if (render_dot(solid.gradient, solid.gradient) < 0.5f)
				*normal = render_unit(-ray);
			*depth = t;
			return true;
		}
		t += max_float(render_free_way(solid, g), touch) / length;
	}
	return false;
}

/* Share of the light that solids let through to a point, with a soft edge. */
float render_solid_shade(const struct grid g, const struct render_solids *solids, float3 point)
{
	float t, leave, share = 1.0f;
	int side;
	if (!render_meet_box(g, point, render_light(), &t, &leave, &side))
		return 1.0f;
	for (int n = 0; n < RENDER_MARCH_STEPS && t < leave && share > 0.0f; n++) {
		struct render_solid solid =
			render_solid_at(solids, g, 2.0f * g.h, point + render_light() * t);
		share = min_float(share, 0.5f + 5.0f * solid.distance / max_float(t, g.h));
		t += max_float(render_free_way(solid, g), 0.1f * g.h);
	}
	return clamp_float(share, 0.0f, 1.0f);
}

/* Place of a point of the floor on the shadow map, in cells from the middle of the first; false if
 * no cell says anything there. */
bool render_shadow_place(const struct render_camera *c, float3 point, float *u, float *v)
{
	float end = (float)c->shadow_cells;
	*u = (point.x - c->shadow_x) * c->shadow_inv - 0.5f;
	*v = (point.z - c->shadow_z) * c->shadow_inv - 0.5f;
	return *u > -1.0f && *v > -1.0f && *u < end && *v < end;
}

/* solid_light = share of the light that solids let through to the point. */
float3 render_floor(const struct render_camera *c, const struct grid g, global const uint *shadow,
		    float solid_light, float3 point)
{
	float u, v, column = 0.0f;
	int last = c->shadow_cells - 1;
	if (render_shadow_place(c, point, &u, &v)) {
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
