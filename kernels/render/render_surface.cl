/*
 * Pictures of the liquid's surface (kernels/surface/surface.cl).  3D: rays are traced through the
 * level set and refracted (Snell) or mirrored there, with Fresnel's shares (Schlick 1994); liquid
 * absorbs and scatters along the way.  What they end on is the floor with its shadows, solids or
 * the sky.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_cross.h"

#define RENDER_INDEX 1.33f    /* of refraction */
#define RENDER_INTERFACES 6   /* that a ray passes */
#define RENDER_SPECULAR 0.02f /* share mirrored at right angles: ((n - 1) / (n + 1))^2 */

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

/* What a ray meets that is not liquid: how far off, and whether it is a solid. */
struct render_ground {
	float depth; /* RENDER_NO_DEPTH: the sky */
	int solid;
	float3 normal; /* of the solid */
};

struct render_ground render_meet_ground(const struct render_world *w, float3 from, float3 way)
{
	struct render_ground ground = {render_floor_depth(from, way), 0, (float3)(0.0f)};
	float solid = RENDER_NO_DEPTH;
	if (w->camera->has_solids &&
	    render_march(w->camera, w->g, w->solids, from, way, &solid, &ground.normal) &&
	    solid < ground.depth) {
		ground.depth = solid;
		ground.solid = 1;
	}
	return ground;
}

float3 render_ground_color(const struct render_world *w, const struct render_ground *ground,
			   float3 from, float3 way)
{
	if (ground->solid)
		return render_solid_color(ground->normal);
	if (ground->depth < RENDER_NO_DEPTH)
		return render_checkered(w, from + way * ground->depth);
	return render_sky(way);
}

/* Light that a mirroring surface sends on: surroundings, and a glint of the sun. */
float3 render_reflection(const struct render_world *w, float3 from, float3 way)
{
	float shine = max_float(render_dot(way, render_light()), 0.0f);
	const struct render_ground ground = render_meet_ground(w, from, way);
	float3 color = render_ground_color(w, &ground, from, way);
	if (ground.depth < RENDER_NO_DEPTH)
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

/* A ray on its way: of unit length from a point, what it has gathered, what it still counts for. */
struct render_path {
	float3 from, way, color, share;
	float3 body, lit; /* of the liquid that it meets, and as lit where it came in */
	float depth;	  /* to the first thing met */
	int inside, done, met, at_side;
	struct render_ground ground;
};

/* Finds out what may end the next stretch, but for the surface. */
void render_path_aim(const struct render_world *w, struct render_path *path,
		     struct render_stretch *stretch)
{
	int side;
	path->met = render_meet_box(w->g, path->from, path->way, &stretch->enter, &stretch->leave,
				    &side);
	path->at_side = 0;
	if (path->inside) {
		stretch->enter = 0.0f;
	} else {
		path->ground = render_meet_ground(w, path->from, path->way);
		path->at_side = path->met && stretch->enter > 0.0f &&
				render_level_at(w, path->from + path->way * stretch->enter) < 0.0f;
	}
	stretch->from = path->from;
	stretch->way = path->way;
	stretch->inside = path->inside;
	stretch->wanted = path->met && !path->at_side;
}

/* From the air to the surface `t` away, or past it.  n: interfaces passed before. */
void render_path_enter(const struct render_world *w, struct render_path *path, float t, float leave,
		       int n)
{
	const float small = 0.02f * w->s.spacing;
	if (!path->met || t >= leave || t >= path->ground.depth) {
		if (n == 0)
			path->depth = path->ground.depth;
		path->color +=
			path->share * render_ground_color(w, &path->ground, path->from, path->way);
		path->done = 1;
		return;
	}
	if (n == 0)
		path->depth = t;
	float3 p = path->from + path->way * t;
	float3 normal = render_boundary_normal(w, p, path->at_side);
	float facing = -render_dot(normal, path->way);
	if (facing < 0.0f) { /* a grazing hit on a sampled surface */
		normal = -normal;
		facing = -facing;
	}
	float mirrored = render_mirrored(facing);
	float3 bounce = path->way + normal * (2.0f * facing);
	if (n < 3)
		path->color +=
			path->share * mirrored * render_reflection(w, p + bounce * small, bounce);
	path->share *= 1.0f - mirrored;
	path->lit = render_body_light(path->body, normal);
	float sine = (1.0f - facing * facing) / (RENDER_INDEX * RENDER_INDEX);
	path->way = render_unit(path->way / RENDER_INDEX +
				normal * (facing / RENDER_INDEX - sqrt(1.0f - sine)));
	path->from = p + path->way * small;
	path->inside = 1;
}

/* Through liquid to the surface, a solid or the floor `t` away. */
void render_path_leave(const struct render_world *w, struct render_path *path, float t, float leave)
{
	const float small = 0.02f * w->s.spacing;
	const float3 body = path->body;
	float optical = w->camera->absorption * t;
	float3 through = (float3)(render_fade(optical * (1.0f - 0.85f * body.x)),
				  render_fade(optical * (1.0f - 0.85f * body.y)),
				  render_fade(optical * (1.0f - 0.85f * body.z)));
	path->color += path->share * (float3)(1.0f - through) * path->lit;
	path->share *= through;
	float3 p = path->from + path->way * t;
	if (w->camera->has_solids) {
		struct render_solid solid = render_solid_at(w->solids, w->g, 2.0f * w->g.h, p);
		if (solid.distance < 0.6f * w->s.spacing) {
			path->color += path->share * 0.85f * render_solid_color(solid.gradient);
			path->done = 1;
			return;
		}
	}
	if (p.y < 0.05f * w->s.spacing && path->way.y < 0.0f) {
		path->color += path->share * render_checkered(w, p);
		path->done = 1;
		return;
	}
	float3 normal = render_boundary_normal(w, p, !path->met || t >= leave);
	float facing = render_dot(normal, path->way);
	if (facing < 0.0f) {
		normal = -normal;
		facing = -facing;
	}
	float sine = (1.0f - facing * facing) * RENDER_INDEX * RENDER_INDEX;
	if (sine >= 1.0f) { /* all of it is mirrored */
		path->way = path->way - normal * (2.0f * facing);
		path->from = p + path->way * small;
		return;
	}
	float cosine = sqrt(1.0f - sine), mirrored = render_mirrored(cosine);
	path->color += path->share * mirrored * path->lit;
	path->share *= 1.0f - mirrored;
	path->way =
		render_unit(path->way * RENDER_INDEX + normal * (cosine - facing * RENDER_INDEX));
	path->from = p + path->way * small;
	path->inside = 0;
}

/* Follows rays through all that they meet; their colours and depths are then whole. */
void render_trace(const struct render_world *w, struct render_path path[RENDER_RAYS])
{
	struct render_stretch stretch[RENDER_RAYS];
	float found[RENDER_RAYS];
	for (int n = 0; n < RENDER_INTERFACES; n++) {
		int any_wanted = 0;
		for (int l = 0; l < RENDER_RAYS; l++) {
			stretch[l].wanted = 0;
			if (!path[l].done)
				render_path_aim(w, &path[l], &stretch[l]);
			any_wanted |= stretch[l].wanted;
		}
		if (any_wanted)
			render_cross_rays(w, stretch, found);
		for (int l = 0; l < RENDER_RAYS; l++) {
			const float leave = stretch[l].leave;
			if (path[l].done)
				continue;
			float t = stretch[l].wanted ? found[l] : stretch[l].enter;
			if (path[l].inside)
				render_path_leave(w, &path[l], path[l].met ? t : 0.0f, leave);
			else
				render_path_enter(w, &path[l], t, leave, n);
		}
	}
	/* Lost in spray: it would come from all sides. */
	for (int l = 0; l < RENDER_RAYS; l++)
		if (!path[l].done)
			path[l].color += path[l].share *
					 render_mix(render_horizon() * 0.75f, path[l].lit, 0.35f);
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

/* What is asked of the liquids' colours: the surface's sorted particles, read where they differ. */
struct render_colors {
	global const uint *start;
	global const float *position;
	global const uint *id;
	int many;
	global const struct render_range *ranges;
};

/* The liquid that a ray of unit length meets first. */
int render_first_liquid(const struct render_world *w, const struct render_colors *colors,
			float3 eye, float3 way)
{
	float enter, leave;
	int side;
	if (!colors->many || !render_meet_box(w->g, eye, way, &enter, &leave, &side))
		return 0;
	/* Where the ray enters through a side that is under water, it is there. */
	float t = enter > 0.0f && render_level_at(w, eye + way * enter) < 0.0f
			  ? enter
			  : render_level_cross(w, eye, way, enter, leave, 0);
	return render_liquid_near(w->g, eye + way * (t + 0.25f * w->g.h), colors->start,
				  colors->position, colors->id, w->camera->capacity,
				  colors->ranges);
}

/* The colours of 2 x 2 working pixels, as they are packed. */
void render_quad(const struct render_world *w, const struct render_colors *colors,
		 global const float *edges, uint some, int column, int row,
		 float3 color[RENDER_RAYS])
{
	struct render_path path[RENDER_RAYS];
	float length[RENDER_RAYS];
	const float3 eye = render_load3(w->camera->eye);
	for (int n = 0; n < RENDER_RAYS; n++) {
		float3 ray = render_ray(w->camera, (float)(column + n % 2), (float)(row + n / 2));
		length[n] = sqrt(render_dot(ray, ray));
		path[n].from = eye;
		path[n].way = ray / length[n];
		path[n].color = (float3)(0.0f);
		path[n].share = (float3)(1.0f);
		int l = render_first_liquid(w, colors, eye, path[n].way);
		path[n].body = (float3)(colors->ranges[l].color[0], colors->ranges[l].color[1],
					colors->ranges[l].color[2]);
		path[n].lit = render_body_light(path[n].body, (float3)(0.0f, 1.0f, 0.0f));
		path[n].depth = RENDER_NO_DEPTH;
		path[n].inside = 0;
		path[n].done =
			column + n % 2 >= w->camera->width || row + n / 2 >= w->camera->height;
	}
	render_trace(w, path);
	for (int n = 0; n < RENDER_RAYS; n++) {
		float depth =
			path[n].depth < RENDER_NO_DEPTH ? path[n].depth / length[n] : path[n].depth;
		color[n] = render_unpack_root(
			render_pack_root(render_draw_edges(w->camera, edges, some, column + n % 2,
							   row + n / 2, depth, path[n].color)));
	}
}

/*
 * The finished picture: means of samples x samples working pixels, of tiles that show something
 * else than in the picture before or may do so.  level: the surface (surface_params.h); start,
 * position, id: its sorted particles, read where liquids differ in colour.  pixels: u32, red in the
 * low byte. One work-item per 2 x 2 working pixels.
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
	const int column = 2 * (int)get_global_id(0), row = 2 * (int)get_global_id(1);
	if (column >= c.width || row >= c.height)
		return;
	const int tile = render_tile_of(&c, column, row);
	if (!tile_state[tile])
		return;
	const struct render_solids solids = {{ops, op_count, points, 0}, solid_phi};
	const struct render_colors colors = {start, position, id, many_colors, ranges};
	struct render_world w = {&c, g, s, &solids, level, {0}, shadow};
	float3 color[RENDER_RAYS];
	render_calm_set(&s, calm, &w.calm);
	render_quad(&w, &colors, edges, tile_edges[tile], column, row, color);
	if (c.samples == 2) {
		pixels[row / 2 * (c.width / 2) + column / 2] = render_pack(
			((float3)(0.0f) + color[0] + color[1] + color[2] + color[3]) / 4.0f);
		return;
	}
	for (int n = 0; n < RENDER_RAYS; n++)
		if (column + n % 2 < c.width && row + n / 2 < c.height)
			pixels[(row + n / 2) * c.width + column + n % 2] = render_pack(color[n]);
}
