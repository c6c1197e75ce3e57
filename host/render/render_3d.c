/* The camera and the launches of 3D pictures: see kernels/render/render_spheres.cl and the
 * following. */
#include "render_internal.h"

#include <math.h>

#include "message.h"

#define PARTICLE_RADIUS 0.9 /* of a sphere, particle spacings: neighbours overlap */
#define SMOOTHING_ROUNDS 3  /* each of half the reach of the one before */
#define SLICE_ROWS 64.0	    /* rows of one sphere per work-item */
#define SLICES_MOST 64
#define DEFAULT_FOV 30.0 /* degrees; a long lens keeps the box's edges nearly parallel */

static double dot_product(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross_product(const double a[3], const double b[3], double out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

/* False if v has no direction. */
static bool normalise_vector(double v[3])
{
	double length = sqrt(dot_product(v, v));
	if (!(length > 1e-12))
		return false;
	for (int a = 0; a < 3; a++)
		v[a] /= length;
	return true;
}

/* A view with unit axes; slope = tangent of half the field of view, across and up. */
struct view {
	double eye[3], right[3], up[3], forward[3];
	double slope_x, slope_y;
};

/* Corner n (bits: x, y, z) of the box. */
static void box_corner(const struct scene *scene, int n, double corner[3])
{
	for (int a = 0; a < 3; a++)
		corner[a] = n >> a & 1 ? scene->size[a] : 0;
}

static bool set_axes(struct view *view, const double up[3])
{
	cross_product(view->forward, up, view->right);
	if (!normalise_vector(view->right))
		return false;
	cross_product(view->right, view->forward, view->up);
	return true;
}

/* Three-quarter view from the front, near enough for the box to fill the picture. */
static void fit_box(struct view *view, const struct scene *scene)
{
	double back[3] = {0.42, 0.34, 1.0}, away = 0;
	normalise_vector(back);
	for (int a = 0; a < 3; a++)
		view->forward[a] = -back[a];
	set_axes(view, (const double[3]){0, 1, 0});
	double target[3];
	for (int a = 0; a < 3; a++)
		target[a] = 0.5 * scene->size[a];
	/* A corner at (x, y, z) from the target, in view axes, is seen from distance d if
	 * |x| <= slope_x (d + z) and |y| <= slope_y (d + z).  Near corners spread further, so the
	 * target then moves to the middle of what is seen; a few rounds settle it. */
	for (int round = 0; round < 8; round++) {
		double low[2] = {1, 1}, high[2] = {-1, -1}, seen[8][3];
		away = 0;
		for (int n = 0; n < 8; n++) {
			double corner[3];
			box_corner(scene, n, corner);
			for (int a = 0; a < 3; a++)
				corner[a] -= target[a];
			seen[n][0] = dot_product(corner, view->right) / view->slope_x;
			seen[n][1] = dot_product(corner, view->up) / view->slope_y;
			seen[n][2] = dot_product(corner, view->forward);
			for (int a = 0; a < 2; a++)
				away = fmax(away, 1.08 * fabs(seen[n][a]) - seen[n][2]);
		}
		for (int n = 0; n < 8; n++)
			for (int a = 0; a < 2; a++) {
				double at = seen[n][a] / (away + seen[n][2]);
				low[a] = fmin(low[a], at);
				high[a] = fmax(high[a], at);
			}
		for (int a = 0; a < 3; a++)
			target[a] += 0.5 * away *
				     ((low[0] + high[0]) * view->slope_x * view->right[a] +
				      (low[1] + high[1]) * view->slope_y * view->up[a]);
	}
	for (int a = 0; a < 3; a++)
		view->eye[a] = target[a] + away * back[a];
}

static bool find_view(struct view *view, const struct scene *scene, double aspect)
{
	double fov = scene->camera.given && scene->camera.fov > 0 ? scene->camera.fov : DEFAULT_FOV;
	view->slope_y = tan(fov * 3.14159265358979 / 360);
	view->slope_x = view->slope_y * aspect;
	if (!scene->camera.given) {
		fit_box(view, scene);
		return true;
	}
	for (int a = 0; a < 3; a++) {
		view->eye[a] = scene->camera.eye[a];
		view->forward[a] = scene->camera.target[a] - view->eye[a];
	}
	if (!normalise_vector(view->forward))
		return message_error("camera: eye and target are the same point");
	if (!set_axes(view, scene->camera.up))
		return message_error("camera: up is parallel to the view");
	return true;
}

/* Distance from the eye to the nearest point of the box. */
static double box_distance(const struct view *view, const struct scene *scene)
{
	double sum = 0;
	for (int a = 0; a < 3; a++) {
		double off = fmax(fmax(-view->eye[a], view->eye[a] - scene->size[a]), 0);
		sum += off * off;
	}
	return sqrt(sum);
}

static void set_camera(struct render_camera *c, const struct view *view, const struct scene *scene)
{
	const double *size = scene->size;
	double spacing = scene->h / cbrt(scene->particles_per_cell);
	double radius = PARTICLE_RADIUS * spacing;
	double floor_width = fmax(size[0], size[2]) + size[1];
	/* Not below the particles' spacing, or their shadows would be dots. */
	double cell = fmax(floor_width / RENDER_SHADOW_CELLS, 1.5 * spacing);
	for (int a = 0; a < 3; a++) {
		c->eye[a] = (f32)view->eye[a];
		c->right[a] = (f32)view->right[a];
		c->up[a] = (f32)view->up[a];
		c->forward[a] = (f32)view->forward[a];
	}
	c->focal = (f32)(0.5 * c->height / view->slope_y);
	c->near_plane = (f32)(2 * radius);
	c->radius = (f32)radius;
	c->reach = (f32)(1.1 * scene->h);
	c->range = (f32)(2.5 * scene->h);
	/* Spheres per volume x volume of a sphere: the mean sum of chords per length of ray. */
	c->fill = (f32)(pow(radius / spacing, 3) * 4.18879020478639);
	c->absorption = (f32)(7 / cbrt(size[0] * size[1] * size[2]));
	c->speed_ref = (f32)scene_fast_speed(scene);
	c->shadow_cells = RENDER_SHADOW_CELLS;
	/* The light comes from x+, z+: shadows reach at most half a height to x-, a third to z-. */
	c->shadow_x = (f32)(-0.5 * size[1] - 2 * cell);
	c->shadow_z = (f32)(-0.34 * size[1] - 2 * cell);
	c->shadow_inv = (f32)(1 / cell);
	c->shadow_rest =
		(f32)(cell * cell * size[1] / (spacing * spacing * spacing) * RENDER_WEIGHT_ONE);
	c->floor_radius = (f32)(4 * (size[0] + size[2]));
	c->line = (f32)(0.5 * c->samples * fmax(1, c->height / (double)c->samples / 700));
	double nearest = fmax(box_distance(view, scene), 2 * radius);
	double slices = ceil(2 * radius * (double)c->focal / nearest / SLICE_ROWS);
	c->slices = (i32)fmin(fmax(slices, 1), SLICES_MOST);
}

/* One end of an edge on the picture: x, y, 1/depth. */
static void project_point(const struct render_camera *c, const struct view *view,
			  const double point[3], float out[3])
{
	double d[3];
	for (int a = 0; a < 3; a++)
		d[a] = point[a] - view->eye[a];
	double depth = dot_product(d, view->forward), zoom = (double)c->focal / depth;
	out[0] = (float)(0.5 * c->width + zoom * dot_product(d, view->right));
	out[1] = (float)(0.5 * c->height - zoom * dot_product(d, view->up));
	out[2] = (float)(1 / depth);
}

/* Edges are cut off at the near plane; one that lies behind it is left as zeros. */
static void project_edges(const struct render_camera *c, const struct view *view,
			  const struct scene *scene, float edges[RENDER_EDGES][6])
{
	int e = 0;
	for (int n = 0; n < 8; n++)
		for (int axis = 0; axis < 3; axis++) {
			double end[2][3], depth[2];
			if (n >> axis & 1)
				continue;
			box_corner(scene, n, end[0]);
			box_corner(scene, n | 1 << axis, end[1]);
			for (int i = 0; i < 2; i++)
				depth[i] = dot_product(end[i], view->forward) -
					   dot_product(view->eye, view->forward) -
					   (double)c->near_plane;
			for (int i = 0; i < 2; i++)
				if (depth[i] < 0 && depth[1 - i] > 0)
					end[i][axis] += (end[1 - i][axis] - end[i][axis]) *
							(depth[i] / (depth[i] - depth[1 - i]));
			if (depth[0] > 0 || depth[1] > 0) {
				project_point(c, view, end[0], edges[e]);
				project_point(c, view, end[1], edges[e] + 3);
			}
			e++;
		}
}

/* Solids and camera stand still, so solids are traced once.  Those that fill most of a side of the
 * box are a container, seen cut open from there. */
static bool draw_solids(struct render *r)
{
	u32 counts[12];
	const struct grid *g = &r->subject.lattice->grid;
	const struct solids *solids = r->subject.solids;
	const i32 op_count = (i32)solids->op_count;
	r->camera.has_solids = r->subject.scene->solid_count > 0;
	r->camera.cut_faces = 0;
	if (!r->camera.has_solids)
		return true;
	/* The shadow map serves as scratch; it is cleared before each frame. */
	if (!clx_zero(r->cl, &r->shadow, 0, sizeof(counts)) ||
	    !LAUNCH(r->cl, render_count_cut,
		    clx_range3((size_t)g->px, (size_t)g->py, (size_t)g->pz), .g = g,
		    .solid_phi = &solids->phi, .counts = &r->shadow) ||
	    !clx_read(r->cl, &r->shadow, 0, sizeof(counts), counts))
		return false;
	for (int side = 0; side < 6; side++)
		if (counts[2 * side + 1] > counts[2 * side] / 2)
			r->camera.cut_faces |= 1 << side;
	return r->field == RENDER_SURFACE || /* its rays are bent: they meet solids elsewhere */
	       LAUNCH(r->cl, render_solids,
		      clx_range3((size_t)r->camera.width, (size_t)r->camera.height, 1),
		      .c = &r->camera, .g = g, .ops = &solids->ops, .op_count = I32(op_count),
		      .points = &solids->points, .solid_phi = &solids->phi,
		      .solid_color = &r->solid_color, .solid_depth = &r->solid_depth);
}

bool render_3d_init(struct render *r)
{
	const struct scene *scene = r->subject.scene;
	struct render_camera *c = &r->camera;
	struct view view;
	float edges[RENDER_EDGES][6] = {{0}};
	c->speed_view = r->field == RENDER_SPEED;
	c->speed_low = r->map.low;
	c->speed_high = r->map.high;
	if (!find_view(&view, scene, (double)r->width / r->height))
		return false;
	set_camera(c, &view, scene);
	project_edges(c, &view, scene, edges);
	return clx_write(r->cl, &r->edges, 0, sizeof(edges), edges) &&
	       (r->field == RENDER_SURFACE ||
		LAUNCH(r->cl, render_box_depths, clx_range3((size_t)c->width, (size_t)c->height, 1),
		       .c = c, .g = &r->subject.lattice->grid, .near = &r->box_near,
		       .far = &r->box_far)) &&
	       draw_solids(r);
}

static bool draw_spheres(struct render *r)
{
	struct clx *cl = r->cl;
	const struct render_camera *c = &r->camera;
	const union f32_buffer *position = &r->subject.particles->now.position;
	const union u32_buffer *id = &r->subject.particles->now.id;
	union u32_buffer *depth = CLX_AS(u32, &r->depth); /* as bits, for atomics */
	size_t count = (size_t)c->count, pixels = (size_t)c->width * (size_t)c->height;
	struct clx_range balls = clx_range3(count, (size_t)c->slices, 1);
	return clx_zero(cl, &r->thickness, 0, r->thickness.bytes) &&
	       clx_zero(cl, &r->shadow, 0, r->shadow.bytes) &&
	       LAUNCH(cl, render_clear_spheres, clx_range1(pixels), .c = c, .depth = depth,
		      .nearest = &r->nearest) &&
	       LAUNCH(cl, render_splat_depth, balls, .c = c, .position = position, .id = id,
		      .near = &r->box_near, .far = &r->box_far, .depth = depth,
		      .thickness = &r->thickness) &&
	       LAUNCH(cl, render_splat_nearest, balls, .c = c, .position = position, .id = id,
		      .near = &r->box_near, .far = &r->box_far, .depth = depth,
		      .nearest = &r->nearest, .place = &r->place) &&
	       LAUNCH(cl, render_splat_shadow, clx_range1(count), .c = c, .position = position,
		      .id = id, .shadow = &r->shadow);
}

/* Leaves the result in r->depth. */
static bool smooth_depth(struct render *r)
{
	const struct render_camera *c = &r->camera;
	struct clx_range all = clx_range3((size_t)c->width, (size_t)c->height, 1);
	const int across = 0, down = 1;
	float share = 1;
	bool ok = true;
	for (int n = 0; n < SMOOTHING_ROUNDS; n++, share *= 0.5f)
		ok = ok &&
		     LAUNCH(r->cl, render_smooth_depth, all, .c = c, .vertical = I32(across),
			    .share = F32(share), .from = &r->depth, .to = &r->other) &&
		     LAUNCH(r->cl, render_smooth_depth, all, .c = c, .vertical = I32(down),
			    .share = F32(share), .from = &r->other, .to = &r->depth);
	return ok;
}

static bool draw_surface(struct render *r)
{
	struct clx *cl = r->cl;
	const struct render_camera *c = &r->camera;
	const struct surface *s = &r->surface;
	const struct solids *solids = r->subject.solids;
	const struct particle_set *now = &r->subject.particles->now;
	const i32 ops = (i32)solids->op_count;
	struct clx_range all = clx_range3((size_t)c->width, (size_t)c->height, 1);
	return clx_zero(cl, &r->shadow, 0, r->shadow.bytes) &&
	       LAUNCH(cl, render_splat_shadow, clx_range1((size_t)c->count), .c = c,
		      .position = &now->position, .id = &now->id, .shadow = &r->shadow) &&
	       LAUNCH(cl, render_surface_3d, all, .c = c, .g = &r->subject.lattice->grid,
		      .s = &s->grid, .level = &s->level, .ops = &solids->ops, .op_count = I32(ops),
		      .points = &solids->points, .solid_phi = &solids->phi, .shadow = &r->shadow,
		      .edges = &r->edges, .start = &s->start, .position = &s->position,
		      .id = &s->id, .many_colors = I32(r->map.many_colors), .ranges = &r->ranges,
		      .out = CLX_AS(u32, &r->other)) &&
	       LAUNCH(cl, render_downsample, clx_range3((size_t)r->width, (size_t)r->height, 1),
		      .c = c, .from = CLX_AS(u32, &r->other), .pixels = &r->pixels);
}

bool render_3d_draw(struct render *r)
{
	struct clx *cl = r->cl;
	struct render_camera *c = &r->camera;
	const struct particle_set *now = &r->subject.particles->now;
	c->count = r->map.count;
	c->capacity = r->map.capacity;
	struct clx_range all = clx_range3((size_t)c->width, (size_t)c->height, 1);
	if (r->field == RENDER_SURFACE)
		return draw_surface(r);
	return draw_spheres(r) && smooth_depth(r) &&
	       LAUNCH(cl, render_background, all, .c = c, .g = &r->subject.lattice->grid,
		      .solid_color = &r->solid_color, .solid_depth = &r->solid_depth,
		      .shadow = &r->shadow, .edges = &r->edges, .under = &r->under,
		      .under_depth = &r->under_depth) &&
	       LAUNCH(cl, render_compose, all, .c = c, .depth = &r->depth, .nearest = &r->nearest,
		      .place = &r->place, .thickness = &r->thickness, .under = &r->under,
		      .under_depth = &r->under_depth, .edges = &r->edges,
		      .velocity = &now->velocity, .ranges = &r->ranges,
		      .out = CLX_AS(u32, &r->other)) &&
	       LAUNCH(cl, render_downsample, clx_range3((size_t)r->width, (size_t)r->height, 1),
		      .c = c, .from = CLX_AS(u32, &r->other), .pixels = &r->pixels);
}
