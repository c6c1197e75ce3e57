/* The camera of 3D pictures: where it stands, and what the kernels are told of it. */
#include "render_internal.h"

#include <math.h>
#include <string.h>

#include "message.h"

#define PARTICLE_RADIUS 0.9 /* of a sphere, particle spacings: neighbours overlap */
#define DEFAULT_FOV 30.0    /* degrees; a long lens keeps the box's edges nearly parallel */

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
	const double nearest = box_distance(view, scene), diagonal = sqrt(dot_product(size, size));
	c->slab_first = (f32)nearest;
	c->slab_inv = (f32)(RENDER_SLABS / diagonal);
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

bool render_camera_init(struct render *r, float edges[RENDER_EDGES][6])
{
	const struct scene *scene = r->subject.scene;
	struct render_camera *c = &r->camera;
	struct view view;
	memset(edges, 0, RENDER_EDGES * sizeof(edges[0]));
	c->speed_view = r->field == RENDER_SPEED;
	c->speed_low = r->map.low;
	c->speed_high = r->map.high;
	if (!find_view(&view, scene, (double)r->width / r->height))
		return false;
	set_camera(c, &view, scene);
	project_edges(c, &view, scene, edges);
	return true;
}
