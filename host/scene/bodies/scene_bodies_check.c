/* What bodies do not go with: other settings; each other, solids and walls where they start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_surface.h"
#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "shape.h"

/* In cells: what contacts leave alone. */
#define DEPTH_MOST 0.02

void scene_check_bodies(struct scene_reader *reader, const struct scene_node *root)
{
	const struct scene *scene = reader->scene;
	const struct scene_motion *frame = &scene->motion;
	const struct scene_node *list = scene_node_get(root, "bodies");
	const unsigned pressure = scene->solver.pressure;
	if (scene->body_count == 0)
		return;
	if (pressure != SOLVER_MGPCG && pressure != SOLVER_CG && pressure != SOLVER_MULTIGRID)
		scene_key_error(&reader->errors, list,
				"'bodies' is not supported with 'solver.pressure: %s' yet (mgpcg, "
				"multigrid and cg move them)",
				scene_key(SECTION_SOLVER, "pressure")->words[pressure]);
	if (frame->given &&
	    (frame->turn_keys != MOTION_KEYS_NONE || fabs(frame->roll.amplitude[0]) > 0.0))
		scene_key_error(&reader->errors, list,
				"'bodies' is not supported with a 'frame' that turns yet (one that "
				"shifts moves them)");
}

/* ---- where they start ---------------------------------------------------------------------- */

/* The deepest that points of a body are in a shape, m; 0 if none is. */
static double depth_in(const struct body_surface *surface, const struct solid_pose *pose,
		       const struct shape_program *shape, int dim)
{
	double deepest = 0.0;
	for (size_t i = 0; i < surface->count; i++) {
		double x[3];
		solid_pose_point(pose, surface->points[i].at, x);
		const f32 value =
			shape_distance(dim, shape->ops, (int)shape->op_count, shape->points,
				       (f32)x[0], (f32)x[1], dim == 3 ? (f32)x[2] : 0.0f);
		deepest = fmax(deepest, surface->points[i].radius - (double)value);
	}
	return deepest;
}

/* How far it is out of the box, m. */
static double depth_out(const struct body_surface *surface, const struct solid_pose *pose,
			const struct scene *scene)
{
	double most = 0.0;
	for (size_t i = 0; i < surface->count; i++) {
		const double radius = surface->points[i].radius;
		double x[3];
		solid_pose_point(pose, surface->points[i].at, x);
		for (int a = 0; a < scene->dim; a++)
			most = fmax(most, radius + fmax(-x[a], x[a] - scene->size[a]));
	}
	return most;
}

/* Are the boxes around two of them apart? */
static bool are_apart(const struct scene *scene, const struct scene_solid *one,
		      const struct scene_solid *other)
{
	double low[2][3], high[2][3];
	const struct scene_solid *const both[2] = {one, other};
	for (int i = 0; i < 2; i++) {
		struct solid_pose pose;
		solid_motion_at(&both[i]->motion, 0.0, &pose);
		memcpy(low[i], both[i]->low, sizeof(low[i]));
		memcpy(high[i], both[i]->high, sizeof(high[i]));
		if (scene_solid_moves(both[i]))
			solid_motion_bounds(&both[i]->motion, &pose, both[i]->low, both[i]->high,
					    low[i], high[i]);
	}
	bool apart = false;
	for (int a = 0; a < scene->dim; a++)
		apart |= low[0][a] > high[1][a] || low[1][a] > high[0][a];
	return apart;
}

static void report_overlap(struct scene_reader *reader, const struct scene_node *node,
			   const struct scene_solid *body, const struct scene_solid *other,
			   double depth)
{
	char name[SCENE_QUOTE], with[SCENE_QUOTE];
	scene_node_error(&reader->errors, node,
			 "body '%s' overlaps %s '%s' by %.4g m (%.3g cells) at the start",
			 scene_quote(body->name, name), other->body.given ? "body" : "solid",
			 scene_quote(other->name ? other->name : "", with), depth,
			 depth / reader->scene->h);
}

static void check_place(struct scene_reader *reader, const struct scene_node *node, size_t index,
			const struct body_surface *surfaces, const struct solid_pose *poses)
{
	const struct scene *scene = reader->scene;
	const size_t first = scene->solid_count - scene->body_count;
	const struct scene_solid *body = &scene->solids[first + index];
	const double most = DEPTH_MOST * scene->h;
	char name[SCENE_QUOTE];
	const double out = depth_out(&surfaces[index], &poses[index], scene);
	if (out > most)
		scene_node_error(&reader->errors, node,
				 "body '%s' is %.4g m (%.3g cells) out of the domain at the start",
				 scene_quote(body->name, name), out, out / scene->h);
	for (size_t s = 0; s < first + index; s++) {
		const struct scene_solid *other = &scene->solids[s];
		if (are_apart(scene, body, other))
			continue;
		double depth = depth_in(&surfaces[index], &poses[index], &other->shape, scene->dim);
		if (other->body.given)
			depth = fmax(depth, depth_in(&surfaces[s - first], &poses[s - first],
						     &body->shape, scene->dim));
		if (depth > most)
			report_overlap(reader, node, body, other, depth);
	}
}

void scene_check_places(struct scene_reader *reader, const struct scene_node *list)
{
	const struct scene *scene = reader->scene;
	const size_t count = scene->body_count;
	const struct scene_solid *bodies = scene->solids + scene->solid_count - count;
	struct body_surface *surfaces = calloc(count, sizeof(*surfaces));
	struct solid_pose *poses = calloc(count, sizeof(*poses));
	bool good = surfaces && poses;
	for (size_t b = 0; b < count && good; b++) {
		solid_motion_at(&bodies[b].motion, 0.0, &poses[b]);
		good = body_surface_of(&bodies[b], scene->dim, scene->h, &surfaces[b]);
	}
	for (size_t b = 0; b < count && good; b++)
		check_place(reader, list->children[b], b, surfaces, poses);
	if (!good)
		scene_error_memory(&reader->errors);
	for (size_t b = 0; b < count && surfaces; b++)
		body_surface_free(&surfaces[b]);
	free(surfaces);
	free(poses);
}
