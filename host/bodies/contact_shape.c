#include "contact_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix3.h"
#include "message.h"

void contact_enter(const struct contact_shape *shape, const double x[3], double p[3])
{
	const double away[3] = {x[0] - shape->pose.at[0], x[1] - shape->pose.at[1],
				x[2] - shape->pose.at[2]};
	times3_transposed(FLAT3(shape->pose.turn), away, p);
}

void contact_leave(const struct contact_shape *shape, const double p[3], double x[3])
{
	solid_pose_point(&shape->pose, p, x);
}

void contact_points_add(struct contact_points *points, const double point[3],
			const double normal[3], double gap, uint32_t feature)
{
	if (points->count == CONTACT_POINTS_MOST || !(gap <= points->margin))
		return;
	struct contact_point *p = &points->list[points->count++];
	*p = (struct contact_point){.gap = gap, .feature = feature};
	memcpy(p->point, point, sizeof(p->point));
	memcpy(p->normal, normal, sizeof(p->normal));
}

/* Part of an op's numbers, from the center. */
static void take(const struct contact_shape *s, const f32 *from, double to[3])
{
	for (int a = 0; a < s->dim; a++)
		to[a] = (double)from[a] - s->center[a];
}

static bool add_corners(struct contact_shape *s, double (*from)[2], size_t count)
{
	s->corners = calloc(count, sizeof(*s->corners));
	if (!s->corners)
		return message_memory(count * sizeof(*s->corners), "the corners of a body");
	memcpy(s->corners, from, count * sizeof(*s->corners));
	s->corner_count = count;
	s->kind = CONTACT_CONVEX;
	return true;
}

static bool take_box(struct contact_shape *s, const struct shape_op *op)
{
	double low[3] = {0.0}, high[3] = {0.0};
	take(s, op->a, low);
	take(s, op->a + 3, high);
	if (s->dim == 2) {
		double corners[4][2] = {
			{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
		return add_corners(s, corners, 4);
	}
	s->kind = CONTACT_BLOCK;
	for (int a = 0; a < 3; a++) {
		s->a[a] = 0.5 * (low[a] + high[a]);
		s->b[a] = 0.5 * (high[a] - low[a]);
	}
	return true;
}

/* In 2D a rectangle about its axis. */
static bool take_cylinder(struct contact_shape *s, const struct shape_op *op)
{
	take(s, op->a, s->a);
	take(s, op->a + 3, s->b);
	s->radius = (double)op->a[6];
	s->kind = CONTACT_CYLINDER;
	if (s->dim == 3)
		return true;
	const double along[2] = {s->b[0] - s->a[0], s->b[1] - s->a[1]};
	const double length = sqrt(along[0] * along[0] + along[1] * along[1]);
	const double side[2] = {s->radius * along[1] / length, -s->radius * along[0] / length};
	double corners[4][2] = {{s->a[0] + side[0], s->a[1] + side[1]},
				{s->b[0] + side[0], s->b[1] + side[1]},
				{s->b[0] - side[0], s->b[1] - side[1]},
				{s->a[0] - side[0], s->a[1] - side[1]}};
	return add_corners(s, corners, 4);
}

/* A convex one only: others stay what they are. */
static bool take_polygon(struct contact_shape *s, const struct shape_op *op)
{
	const size_t count = (size_t)op->count;
	const f32 *vertex = s->told.points + 2 * (size_t)op->first;
	double area = 0.0;
	bool left = true, right = true;
	for (size_t i = 0; i < count; i++) {
		const f32 *p = vertex + 2 * i, *q = vertex + 2 * ((i + 1) % count),
			  *r = vertex + 2 * ((i + 2) % count);
		const double u[2] = {(double)q[0] - (double)p[0], (double)q[1] - (double)p[1]};
		const double v[2] = {(double)r[0] - (double)q[0], (double)r[1] - (double)q[1]};
		const double turn = u[0] * v[1] - u[1] * v[0];
		left &= turn >= 0.0;
		right &= turn <= 0.0;
		area += (double)p[0] * (double)q[1] - (double)p[1] * (double)q[0];
	}
	if (!left && !right)
		return true;
	double(*corners)[2] = calloc(count, sizeof(*corners));
	if (!corners)
		return message_memory(count * sizeof(*corners), "the corners of a body");
	for (size_t i = 0; i < count; i++) {
		const size_t from = area > 0.0 ? i : count - 1 - i;
		for (int a = 0; a < 2; a++)
			corners[i][a] = (double)vertex[2 * from + (size_t)a] - s->center[a];
	}
	s->corners = corners;
	s->corner_count = count;
	s->kind = CONTACT_CONVEX;
	return true;
}

/* Of a single primitive. */
static bool find_kind(struct contact_shape *s)
{
	const struct shape_op *op = s->told.ops;
	s->kind = CONTACT_OTHER;
	if (s->told.op_count != 1)
		return true;
	switch (op->kind) {
	case SHAPE_HALF_SPACE:
		s->kind = CONTACT_PLANE;
		take(s, op->a, s->a);
		for (int a = 0; a < s->dim; a++)
			s->b[a] = (double)op->a[a + 3];
		return true;
	case SHAPE_SPHERE:
	case SHAPE_CAPSULE:
		s->kind = CONTACT_ROUND;
		take(s, op->a, s->a);
		take(s, op->kind == SHAPE_SPHERE ? op->a : op->a + 3, s->b);
		s->radius = (double)op->a[op->kind == SHAPE_SPHERE ? 3 : 6];
		return true;
	case SHAPE_BOX:
		return take_box(s, op);
	case SHAPE_CYLINDER:
		return take_cylinder(s, op);
	case SHAPE_POLYGON:
		return take_polygon(s, op);
	default:
		return true;
	}
}

/* Of the corners of the box around it. */
static double reach_of(const struct contact_shape *s, const struct scene_solid *solid)
{
	double square = 0.0;
	if (solid->body.given)
		return solid->body.of.radius;
	for (int a = 0; a < s->dim; a++) {
		const double far = fmax(fabs(solid->low[a] - s->center[a]),
					fabs(solid->high[a] - s->center[a]));
		square += far * far;
	}
	return sqrt(square);
}

bool contact_shape_of(const struct scene *scene, const struct scene_solid *solid,
		      struct contact_shape *shape)
{
	*shape = (struct contact_shape){
		.dim = scene->dim,
		.told = shape_program_told(&solid->shape),
		.pose = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, .q = {1.0}}};
	if (scene_solid_moves(solid))
		memcpy(shape->center, solid->motion.center, sizeof(shape->center));
	shape->reach = reach_of(shape, solid);
	return find_kind(shape) && (!isfinite(shape->reach) ||
				    body_surface_of(solid, scene->dim, scene->h, &shape->surface));
}

struct contact_shape contact_shape_wall(const struct scene *scene, int side)
{
	const int axis = side / 2;
	struct contact_shape wall = {
		.kind = CONTACT_PLANE,
		.dim = scene->dim,
		.reach = HUGE_VAL,
		.pose = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, .q = {1.0}}};
	wall.a[axis] = side % 2 ? scene->size[axis] : 0.0;
	wall.b[axis] = side % 2 ? -1.0 : 1.0;
	return wall;
}

void contact_shape_free(struct contact_shape *shape)
{
	free(shape->corners);
	body_surface_free(&shape->surface);
	*shape = (struct contact_shape){0};
}
