/* Where two shapes touch: by points of each in the other, exactly where one is a plane or both are
 * round. */
#include <math.h>
#include <string.h>

#include "contact_shape.h"
#include "matrix3.h"
#include "shape.h"

/* Features of points of `other`; of what is looked for anew each time. */
#define FEATURE_OTHER 0x8000u
#define FEATURE_RIM 0x4000u
/* How far inside its own shape a point is looked at for the normal, of its distance from the
 * center: on an edge that of the face that faces the shape. */
#define INWARD 0.01
/* Squares of sines below which an axis is along a normal, two are parallel. */
#define ALONG 0.0025
#define PARALLEL 0.01

/* Value and normal of a shape at x. */
static double look(const struct contact_shape *s, const double x[3], double normal[3])
{
	double p[3], n[3];
	contact_enter(s, x, p);
	const struct shape_sample sample =
		shape_evaluate(s->dim, s->told.ops, (int)s->told.op_count, s->told.points,
			       (f32)(p[0] + s->center[0]), (f32)(p[1] + s->center[1]),
			       s->dim == 3 ? (f32)(p[2] + s->center[2]) : 0.0f);
	for (int a = 0; a < 3; a++)
		n[a] = (double)sample.gradient[a];
	const double length = sqrt(dot3(n, n));
	for (int a = 0; a < 3; a++)
		n[a] /= length > 0.0 ? length : 1.0;
	times3(FLAT3(s->pose.turn), n, normal);
	return (double)sample.distance;
}

/* A ball at x of shape `own` against shape `in`; sign: 1 if the normal points to own. */
static void add_ball(const struct contact_shape *own, const struct contact_shape *in,
		     const double x[3], double radius, double sign, uint32_t feature,
		     struct contact_points *points)
{
	double normal[3], point[3], inner[3];
	const double gap = look(in, x, normal) - radius;
	if (!(gap <= points->margin))
		return;
	if (!(radius > 0.0)) {
		for (int a = 0; a < 3; a++)
			inner[a] = x[a] + INWARD * (own->pose.at[a] - x[a]);
		look(in, inner, normal);
	}
	if (!(dot3(normal, normal) > 0.5))
		return;
	for (int a = 0; a < 3; a++) {
		point[a] = x[a] - normal[a] * (radius + 0.5 * gap);
		normal[a] *= sign;
	}
	contact_points_add(points, point, normal, gap, feature);
}

/* The point of a cylinder's rim that is farthest against `normal`; false if the rim faces it. */
static bool find_rim(const struct contact_shape *s, int end, const double normal[3], double x[3])
{
	double axis[3], n[3], p[3], length = 0.0;
	times3_transposed(FLAT3(s->pose.turn), normal, n);
	for (int a = 0; a < 3; a++)
		axis[a] = s->b[a] - s->a[a];
	const double along = dot3(axis, n) / dot3(axis, axis);
	for (int a = 0; a < 3; a++) {
		p[a] = n[a] - along * axis[a];
		length += p[a] * p[a];
	}
	if (length < ALONG)
		return false;
	for (int a = 0; a < 3; a++)
		p[a] = (end ? s->b[a] : s->a[a]) - s->radius * p[a] / sqrt(length);
	contact_leave(s, p, x);
	return true;
}

static void add_rims(const struct contact_shape *own, const struct contact_shape *in, double sign,
		     uint32_t feature, struct contact_points *points)
{
	for (int end = 0; end < 2; end++) {
		double cap[3], normal[3], x[3];
		contact_leave(own, end ? own->b : own->a, cap);
		look(in, cap, normal);
		if (find_rim(own, end, normal, x))
			add_ball(own, in, x, 0.0, sign, feature | FEATURE_RIM | (uint32_t)end,
				 points);
	}
}

/* Whose middle alone tells how near anything is that tells exact distances. */
static bool is_ball(const struct contact_shape *s)
{
	return s->kind == CONTACT_ROUND && memcmp(s->a, s->b, sizeof(s->a)) == 0;
}

/* Is x too far from a shape for its distance to matter? */
static bool is_beyond(const struct contact_shape *in, const double x[3], double reach)
{
	const double way[3] = {x[0] - in->pose.at[0], x[1] - in->pose.at[1], x[2] - in->pose.at[2]};
	const double most = in->reach + reach;
	return dot3(way, way) > most * most;
}

/* The points of one in the other. */
static void add_points(const struct contact_shape *own, const struct contact_shape *in, double sign,
		       uint32_t feature, struct contact_points *points)
{
	if (is_ball(in) && own->told.op_count == 1)
		return;
	if (own->kind == CONTACT_CYLINDER)
		add_rims(own, in, sign, feature, points);
	for (size_t i = 0; i < own->surface.count; i++) {
		const double radius = own->surface.points[i].radius;
		double x[3];
		contact_leave(own, own->surface.points[i].at, x);
		if (!is_beyond(in, x, radius + points->margin))
			add_ball(own, in, x, radius, sign, feature | (uint32_t)i, points);
	}
}

/* ---- planes -------------------------------------------------------------------------------- */

struct plane {
	double at[3], normal[3];
};

static void add_on_plane(const struct plane *plane, const double x[3], double radius,
			 uint32_t feature, struct contact_points *points)
{
	double away[3], point[3];
	for (int a = 0; a < 3; a++)
		away[a] = x[a] - plane->at[a];
	const double gap = dot3(away, plane->normal) - radius;
	for (int a = 0; a < 3; a++)
		point[a] = x[a] - plane->normal[a] * (radius + 0.5 * gap);
	contact_points_add(points, point, plane->normal, gap, feature);
}

static void on_plane(const struct contact_shape *s, const struct contact_shape *wall,
		     struct contact_points *points)
{
	struct plane plane;
	double x[3];
	bool rims = false;
	contact_leave(wall, wall->a, plane.at);
	times3(FLAT3(wall->pose.turn), wall->b, plane.normal);
	for (int end = 0; end < 2 && s->kind == CONTACT_CYLINDER; end++)
		if (find_rim(s, end, plane.normal, x)) {
			add_on_plane(&plane, x, 0.0, FEATURE_RIM | (uint32_t)end, points);
			rims = true;
		}
	if (rims)
		return;
	if (s->kind == CONTACT_ROUND) {
		for (int end = 0; end < (is_ball(s) ? 1 : 2); end++) {
			contact_leave(s, end ? s->b : s->a, x);
			add_on_plane(&plane, x, s->radius, (uint32_t)end, points);
		}
		return;
	}
	/* Of what has corners they are the first ones. */
	const size_t count = s->kind == CONTACT_BLOCK	 ? 8
			     : s->kind == CONTACT_CONVEX ? s->corner_count
							 : s->surface.count;
	for (size_t i = 0; i < count; i++) {
		const double *at = s->surface.points[i].at;
		const double corner[3] = {s->corners ? s->corners[i][0] : at[0],
					  s->corners ? s->corners[i][1] : at[1],
					  s->corners ? 0.0 : at[2]};
		contact_leave(s, corner, x);
		add_on_plane(&plane, x, s->corners ? 0.0 : s->surface.points[i].radius, (uint32_t)i,
			     points);
	}
}

/* ---- round --------------------------------------------------------------------------------- */

static double limit(double share)
{
	return share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
}

struct segment {
	double from[3], way[3], radius;
};

static struct segment segment_of(const struct contact_shape *s)
{
	struct segment g = {.radius = s->radius};
	double to[3];
	contact_leave(s, s->a, g.from);
	contact_leave(s, s->b, to);
	for (int a = 0; a < 3; a++)
		g.way[a] = to[a] - g.from[a];
	return g;
}

/* At shares s and t of the two. */
static void add_between(const struct segment *one, const struct segment *other, double s, double t,
			uint32_t feature, struct contact_points *points)
{
	double normal[3], point[3], to[3];
	for (int a = 0; a < 3; a++) {
		to[a] = other->from[a] + t * other->way[a];
		normal[a] = one->from[a] + s * one->way[a] - to[a];
	}
	const double length = sqrt(dot3(normal, normal));
	const double gap = length - one->radius - other->radius;
	for (int a = 0; a < 3; a++) {
		normal[a] = length > 0.0 ? normal[a] / length : a == 1;
		point[a] = to[a] + normal[a] * (other->radius + 0.5 * gap);
	}
	contact_points_add(points, point, normal, gap, feature);
}

/* The share of a segment that is nearest to x. */
static double nearest(const struct segment *g, const double x[3])
{
	const double away[3] = {x[0] - g->from[0], x[1] - g->from[1], x[2] - g->from[2]};
	const double square = dot3(g->way, g->way);
	return square > 0.0 ? limit(dot3(away, g->way) / square) : 0.0;
}

/* Nearest points of two segments: Ericson, Real-Time Collision Detection, 2005, 5.1.9. */
static void between_rounds(const struct contact_shape *body, const struct contact_shape *other,
			   struct contact_points *points)
{
	const struct segment one = segment_of(body), two = segment_of(other);
	const double a = dot3(one.way, one.way), e = dot3(two.way, two.way),
		     b = dot3(one.way, two.way), area = a * e - b * b;
	double r[3], end[3];
	for (int i = 0; i < 3; i++)
		r[i] = one.from[i] - two.from[i];
	if (a > 0.0 && e > 0.0 && area < PARALLEL * a * e) {
		for (int n = 0; n < 4; n++) {
			const struct segment *g = n < 2 ? &one : &two;
			for (int i = 0; i < 3; i++)
				end[i] = g->from[i] + (n % 2 ? g->way[i] : 0.0);
			const double at = n % 2, across = nearest(n < 2 ? &two : &one, end);
			add_between(&one, &two, n < 2 ? at : across, n < 2 ? across : at,
				    (uint32_t)n + 1, points);
		}
		return;
	}
	double s = 0.0;
	if (area > 0.0)
		s = limit((b * dot3(two.way, r) - dot3(one.way, r) * e) / area);
	for (int i = 0; i < 3; i++)
		end[i] = one.from[i] + s * one.way[i];
	const double t = nearest(&two, end);
	for (int i = 0; i < 3; i++)
		end[i] = two.from[i] + t * two.way[i];
	add_between(&one, &two, nearest(&one, end), t, 0, points);
}

void contact_pair(const struct contact_shape *body, const struct contact_shape *other,
		  struct contact_points *points)
{
	if (other->kind == CONTACT_PLANE) {
		on_plane(body, other, points);
	} else if (body->kind == CONTACT_ROUND && other->kind == CONTACT_ROUND) {
		between_rounds(body, other, points);
	} else if (body->kind == CONTACT_BLOCK && other->kind == CONTACT_BLOCK) {
		contact_blocks(body, other, points);
	} else if (body->kind == CONTACT_CONVEX && other->kind == CONTACT_CONVEX) {
		contact_polygons(body, other, points);
	} else {
		add_points(body, other, 1.0, 0, points);
		add_points(other, body, -1.0, FEATURE_OTHER, points);
	}
}
