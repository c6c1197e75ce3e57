/*
 * 3D pictures: what stands behind the water: sky, floor with shadows, solids, the box.
 */
#include "common.h"
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

/* Depth to the floor y = 0. */
float render_floor_depth(float3 eye, float3 ray)
{
	return eye.y > 0.0f && ray.y < -1e-6f ? -eye.y / ray.y : RENDER_NO_DEPTH;
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
	const struct render_solids solids = {{ops, op_count, points}, solid_phi};
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

/* under: packed colours; under_depth: f32, of floor and solids; both [height][width].  The solid
 * arrays are read where c.has_solids.  One work-item per pixel. */
kernel void render_background(const struct render_camera c, const struct grid g,
			      global const uint *solid_color, global const float *solid_depth,
			      global const uint *shadow, global const float *edges,
			      global uint *under, global float *under_depth)
{
	int column = (int)get_global_id(0), row = (int)get_global_id(1);
	if (column >= c.width || row >= c.height)
		return;
	int pixel = row * c.width + column;
	float3 eye = render_load3(c.eye), color;
	float3 ray = render_ray(&c, (float)column, (float)row);
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
	color = render_draw_edges(&c, edges, column, row, depth, color);
	under[pixel] = render_pack_root(color);
	under_depth[pixel] = depth;
}
