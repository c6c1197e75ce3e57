/*
 * Pictures of the liquid's surface (kernels/surface/surface.cl).  3D: rays are traced through the
 * level set and refracted (Snell) or mirrored there, with Fresnel's shares (Schlick 1994); liquid
 * absorbs and scatters along the way.  What they end on is the floor with its shadows, solids or
 * the sky.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_calm.h"
#include "render_scene.h"
#include "surface_lattice.h"

#define RENDER_INDEX 1.33f	/* of refraction */
#define RENDER_INTERFACES 6	/* that a ray passes */
#define RENDER_LEVEL_STEPS 1200 /* per stretch; a step is a quarter interval or more */
#define RENDER_CALM_FROM 1.1f	/* cells from the surface where phi is cut off, and calm */
#define RENDER_SPECULAR 0.02f	/* share mirrored at right angles: ((n - 1) / (n + 1))^2 */

/* What rays are traced through. */
struct render_world {
	const struct render_camera *camera;
	struct grid g;
	struct surface_grid s;
	const struct render_solids *solids;
	global const float *level;
	struct render_calm calm;
	global const uint *shadow;
};

float render_level_at(const struct render_world *w, float3 point)
{
	return surface_interpolate(w->s, w->level, point.x, point.y, point.z);
}

/* Unit normal, out of the liquid. */
float3 render_level_normal(const struct render_world *w, float3 p)
{
	float e = 1.25f * w->g.h; /* wider than a cell: the particles' pattern is not to be seen */
	float3 dx = (float3)(e, 0.0f, 0.0f), dy = (float3)(0.0f, e, 0.0f),
	       dz = (float3)(0.0f, 0.0f, e);
	return render_unit((float3)(render_level_at(w, p + dx) - render_level_at(w, p - dx),
				    render_level_at(w, p + dy) - render_level_at(w, p - dy),
				    render_level_at(w, p + dz) - render_level_at(w, p - dz)));
}

/* Where phi changes to the other side along a ray of unit length, between two distances; `leave`
 * if it does not. */
float render_level_cross(const struct render_world *w, float3 from, float3 way, float enter,
			 float leave, int inside)
{
	float sign = inside ? -1.0f : 1.0f, t = enter;
	float before = sign * render_level_at(w, from + way * t);
	const float3 pace = render_pace(w->s.spacing, way);
	const float far = RENDER_CALM_FROM * w->g.h;
	for (int n = 0; n < RENDER_LEVEL_STEPS && t < leave; n++) {
		float step = max_float(0.9f * fabs(before), 0.25f * w->s.spacing);
		/* Steps that would find the same value once more. */
		if (before > far) {
			float calm = t + render_calm_way(&w->calm, from + way * t, way, pace);
			calm = min_float(calm, leave);
			for (; n < RENDER_LEVEL_STEPS && t + step <= calm; n++)
				t += step;
			if (n >= RENDER_LEVEL_STEPS || !(t < leave))
				return leave;
		}
		float next = min_float(t + step, leave);
		float value = sign * render_level_at(w, from + way * next);
		if (value < 0.0f) {
			/* Between t and next: regula falsi with a halving in between. */
			float low = t, high = next;
			for (int m = 0; m < 4; m++) {
				float middle =
					m & 1 ? 0.5f * (low + high)
					      : low + (high - low) * before / (before - value);
				float at = sign * render_level_at(w, from + way * middle);
				if (at < 0.0f) {
					high = middle;
					value = at;
				} else {
					low = middle;
					before = at;
				}
			}
			return high;
		}
		t = next;
		before = value;
	}
	return leave;
}

/* Share of light mirrored where a ray meets a surface, by the cosine on the side of the air. */
float render_mirrored(float cosine)
{
	float miss = 1.0f - clamp_float(cosine, 0.0f, 1.0f);
	float square = miss * miss;
	return RENDER_SPECULAR + (1.0f - RENDER_SPECULAR) * square * square * miss;
}

/* Floor with tiles, which show what refraction does. */
float3 render_checkered(const struct render_world *w, float3 point)
{
	const struct grid *g = &w->g;
	float light = 1.0f;
	if (w->camera->has_solids && !w->camera->cut_faces)
		light = render_solid_shade(*g, w->solids, point);
	float3 color = render_floor(w->camera, *g, w->shadow, light, point);
	float tile = max_float(max_float(g->size_x, g->size_z), g->size_y) * 0.125f;
	int i = (int)floor(point.x / tile), k = (int)floor(point.z / tile);
	float far = max_float(fabs(point.x - 0.5f * g->size_x), fabs(point.z - 0.5f * g->size_z)) /
		    w->camera->floor_radius;
	float contrast = 0.22f * (1.0f - render_ramp(far, 0.05f, 0.5f));
	return color * ((i + k) & 1 ? 0.86f : 0.86f - contrast);
}

/* Distance to the floor or a solid, and its colour; the sky's, and RENDER_NO_DEPTH, if none. */
float3 render_surroundings(const struct render_world *w, float3 from, float3 way, float *depth)
{
	float solid = RENDER_NO_DEPTH;
	float3 normal;
	*depth = render_floor_depth(from, way);
	if (w->camera->has_solids &&
	    render_march(w->camera, w->g, w->solids, from, way, &solid, &normal) &&
	    solid < *depth) {
		*depth = solid;
		return render_solid_color(normal);
	}
	if (*depth < RENDER_NO_DEPTH)
		return render_checkered(w, from + way * *depth);
	return render_sky(way);
}

/* Light that a mirroring surface sends on: surroundings, and a glint of the sun. */
float3 render_reflection(const struct render_world *w, float3 from, float3 way)
{
	float depth, shine = max_float(render_dot(way, render_light()), 0.0f);
	float3 color = render_surroundings(w, from, way, &depth);
	if (depth < RENDER_NO_DEPTH)
		return color;
	for (int n = 0; n < 9; n++)
		shine *= shine;
	return color + (float3)(14.0f * shine);
}

/* The normal of the box's side that a point lies on, out of the box; 0 if it lies on none. */
float3 render_side_normal(const struct grid g, float3 p)
{
	float near = 1e-4f * (g.size_x + g.size_y + g.size_z);
	if (p.x < near || p.x > g.size_x - near)
		return (float3)(p.x < near ? -1.0f : 1.0f, 0.0f, 0.0f);
	if (p.z < near || p.z > g.size_z - near)
		return (float3)(0.0f, 0.0f, p.z < near ? -1.0f : 1.0f);
	if (p.y < near || p.y > g.size_y - near)
		return (float3)(0.0f, p.y < near ? -1.0f : 1.0f, 0.0f);
	return (float3)(0.0f);
}

/* The normal of the surface at a point, out of the liquid: of the box's side if it lies there. */
float3 render_boundary_normal(const struct render_world *w, float3 p, int on_side)
{
	float3 side = (float3)(0.0f);
	if (on_side)
		side = render_side_normal(w->g, p);
	return render_dot(side, side) > 0.5f ? side : render_level_normal(w, p);
}

/* Colour of a body of liquid lit from above and from the sun, without shadows. */
float3 render_body_light(float3 body, float3 normal)
{
	float direct = max_float(render_dot(normal, render_light()), 0.0f);
	return body * (0.34f + 0.10f * normal.y + 0.22f * direct) +
	       (float3)(0.006f, 0.012f, 0.018f);
}

/* Colour along a ray of unit length.  *depth: to the first thing it meets. */
float3 render_trace(const struct render_world *w, float3 eye, float3 ray, float3 body, float *depth)
{
	float3 from = eye, way = ray, color = (float3)(0.0f), share = (float3)(1.0f);
	float3 lit = render_body_light(body, (float3)(0.0f, 1.0f, 0.0f));
	float small = 0.02f * w->s.spacing;
	int inside = 0;
	*depth = RENDER_NO_DEPTH;
	for (int n = 0; n < RENDER_INTERFACES; n++) {
		float enter, leave, end, t;
		int side, met = render_meet_box(w->g, from, way, &enter, &leave, &side);
		if (!inside) {
			float3 behind = render_surroundings(w, from, way, &end);
			int at_side = met && enter > 0.0f &&
				      render_level_at(w, from + way * enter) < 0.0f;
			t = !met      ? RENDER_NO_DEPTH
			    : at_side ? enter
				      : render_level_cross(w, from, way, enter, leave, 0);
			if (!met || t >= leave || t >= end) {
				if (n == 0)
					*depth = end;
				return color + share * behind;
			}
			if (n == 0)
				*depth = t;
			float3 p = from + way * t, normal = render_boundary_normal(w, p, at_side);
			float facing = -render_dot(normal, way);
			if (facing < 0.0f) { /* a grazing hit on a sampled surface */
				normal = -normal;
				facing = -facing;
			}
			float mirrored = render_mirrored(facing);
			float3 bounce = way + normal * (2.0f * facing);
			if (n < 3)
				color += share * mirrored *
					 render_reflection(w, p + bounce * small, bounce);
			share *= 1.0f - mirrored;
			lit = render_body_light(body, normal);
			float sine = (1.0f - facing * facing) / (RENDER_INDEX * RENDER_INDEX);
			way = render_unit(way / RENDER_INDEX +
					  normal * (facing / RENDER_INDEX - sqrt(1.0f - sine)));
			from = p + way * small;
			inside = 1;
			continue;
		}
		t = met ? render_level_cross(w, from, way, 0.0f, leave, 1) : 0.0f;
		float optical = w->camera->absorption * t;
		float3 through = (float3)(render_fade(optical * (1.0f - 0.85f * body.x)),
					  render_fade(optical * (1.0f - 0.85f * body.y)),
					  render_fade(optical * (1.0f - 0.85f * body.z)));
		color += share * (float3)(1.0f - through) * lit;
		share *= through;
		float3 p = from + way * t;
		if (w->camera->has_solids) {
			struct render_solid solid =
				render_solid_at(w->solids, w->g, 2.0f * w->g.h, p);
			if (solid.distance < 0.6f * w->s.spacing)
				return color + share * 0.85f * render_solid_color(solid.gradient);
		}
		if (p.y < 0.05f * w->s.spacing && way.y < 0.0f)
			return color + share * render_checkered(w, p);
		int at_side = !met || t >= leave;
		float3 normal = render_boundary_normal(w, p, at_side);
		float facing = render_dot(normal, way);
		if (facing < 0.0f) {
			normal = -normal;
			facing = -facing;
		}
		float sine = (1.0f - facing * facing) * RENDER_INDEX * RENDER_INDEX;
		if (sine >= 1.0f) { /* all of it is mirrored */
			way = way - normal * (2.0f * facing);
			from = p + way * small;
			continue;
		}
		float cosine = sqrt(1.0f - sine), mirrored = render_mirrored(cosine);
		color += share * mirrored * lit;
		share *= 1.0f - mirrored;
		way = render_unit(way * RENDER_INDEX + normal * (cosine - facing * RENDER_INDEX));
		from = p + way * small;
		inside = 0;
	}
	/* Lost in spray: it would come from all sides. */
	return color + share * render_mix(render_horizon() * 0.75f, lit, 0.35f);
}

/* Which liquid is nearest to a point: that of the nearest particle, the first of equally near ones,
 * in the cells around; the first liquid if there is none. */
int render_liquid_near(const struct grid g, float3 p, global const uint *start,
		       global const float *position, global const uint *id, int stride,
		       global const struct render_range *ranges)
{
	const float at[3] = {p.x * g.inv_h, p.y * g.inv_h, p.z * g.inv_h};
	int i0 = (int)floor(at[0]), j0 = (int)floor(at[1]), k0 = DIM == 3 ? (int)floor(at[2]) : 0;
	float best = RENDER_NO_DEPTH;
	int found = 0;
	for (int k = DIM == 3 ? k0 - 1 : 0; k <= (DIM == 3 ? k0 + 1 : 0); k++)
		for (int j = j0 - 1; j <= j0 + 1; j++)
			for (int i = i0 - 1; i <= i0 + 1; i++) {
				if (!cell_exists(g, i, j, k))
					continue;
				int key = block_key(g, i, j, k);
				for (uint q = start[key]; q < start[key + 1]; q++) {
					float square = 0.0f;
					for (int a = 0; a < DIM; a++) {
						float d = position[a * stride + (int)q] * g.inv_h -
							  at[a];
						square += d * d;
					}
					if (square >= best)
						continue;
					best = square;
					found = render_range_of(ranges, id[q]);
				}
			}
	return found;
}

/*
 * The finished picture: means of samples x samples working pixels, of tiles that show something else
 * than in the picture before or may do so.  level: the surface (surface_params.h); start, position,
 * id: its sorted particles, read where liquids differ in colour.  pixels: u32, red in the low byte.
 * One work-item per pixel.
 */
kernel void render_surface_3d(const struct render_camera c, const struct grid g,
			      const struct surface_grid s, global const float *level,
			      global const uchar *calm, global const struct shape_op *ops,
			      int op_count, global const float *points,
			      global const float *solid_phi, global const uint *shadow,
			      global const float *edges, global const uint *tile_edges,
			      global const uint *tile_state, global const uint *start,
			      global const float *position, global const uint *id, int many_colors,
			      global const struct render_range *ranges, global uint *pixels)
{
	int column = (int)get_global_id(0) * c.samples, row = (int)get_global_id(1) * c.samples;
	if (column >= c.width || row >= c.height)
		return;
	const int tile = render_tile_of(&c, column, row);
	if (!tile_state[tile])
		return;
	const struct render_solids solids = {{ops, op_count, points}, solid_phi};
	struct render_world w = {&c, g, s, &solids, level, {0}, shadow};
	render_calm_set(&s, calm, &w.calm);
	const float3 eye = render_load3(c.eye);
	float3 sum = (float3)(0.0f);
	for (int n = 0; n < c.samples * c.samples; n++) {
		const int x = column + n % c.samples, y = row + n / c.samples;
		float3 ray = render_ray(&c, (float)x, (float)y);
		float length = sqrt(render_dot(ray, ray)), depth;
		float3 way = ray / length;
		int l = 0;
		if (many_colors) {
			float enter, leave;
			int side;
			if (render_meet_box(g, eye, way, &enter, &leave, &side)) {
				/* Where the ray enters through a side that is under water, it is
				 * there. */
				float t = enter > 0.0f &&
							  render_level_at(&w, eye + way * enter) <
								  0.0f
						  ? enter
						  : render_level_cross(&w, eye, way, enter, leave,
								       0);
				l = render_liquid_near(g, eye + way * (t + 0.25f * g.h), start,
						       position, id, c.capacity, ranges);
			}
		}
		float3 body =
			(float3)(ranges[l].color[0], ranges[l].color[1], ranges[l].color[2]);
		float3 color = render_trace(&w, eye, way, body, &depth);
		depth = depth < RENDER_NO_DEPTH ? depth / length : depth;
		color = render_draw_edges(&c, edges, tile_edges[tile], x, y, depth, color);
		sum += render_unpack_root(render_pack_root(color));
	}
	pixels[row / c.samples * (c.width / c.samples) + column / c.samples] =
		render_pack(sum / (float)(c.samples * c.samples));
}
