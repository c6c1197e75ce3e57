#include "body_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "shape.h"
#include "sin_cos.h"

#define PI 3.141592653589793238463

/* Along a side, a rod, a polygon's edges together; around a rim. */
#define SIDE_MOST 8
#define ROD_MOST 16
#define POLYGON_MOST 512
#define RIM 32
/* Along the longest side of what is looked through in a lattice. */
#define LATTICE_MOST 16
/* In spacings of that lattice: how near its surface a point must be to count. */
#define NEAR 0.02

struct builder {
	const struct shape_program *program;
	int dim;
	const double *low, *high, *center;
	double spacing;
	struct body_surface *surface;
	/* Of combinations that cut: only what lies on their surface counts. */
	bool cuts;
	double reach;
};

static f32 value_at(const struct builder *b, const double at[3], f32 gradient[3])
{
	const struct shape_sample s = shape_evaluate(
		b->dim, b->program->ops, (int)b->program->op_count, b->program->points, (f32)at[0],
		(f32)at[1], b->dim == 3 ? (f32)at[2] : 0.0f);
	if (gradient)
		memcpy(gradient, s.gradient, sizeof(s.gradient));
	return s.distance;
}

static void add_point(struct builder *b, const double at[3], double radius)
{
	struct body_surface *s = b->surface;
	if (s->count == BODY_POINTS_MOST ||
	    (b->cuts && (radius > 0.0 || fabsf(value_at(b, at, NULL)) > (f32)b->reach)))
		return;
	struct body_point *p = &s->points[s->count++];
	*p = (struct body_point){.radius = radius};
	for (int a = 0; a < b->dim; a++)
		p->at[a] = at[a] - b->center[a];
}

static int parts_of(double length, double spacing, int most)
{
	const double parts = ceil(length / spacing - 1e-9);
	return parts > 1.0 ? parts < (double)most ? (int)parts : most : 1;
}

/* The lattice points of a box's surface: corners (pass 0), then the rest. */
static void add_box(struct builder *b, const struct shape_op *op)
{
	int n[3] = {0, 0, 0};
	for (int a = 0; a < b->dim; a++)
		n[a] = parts_of((double)op->a[a + 3] - (double)op->a[a], b->spacing, SIDE_MOST);
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k <= n[2]; k++)
			for (int j = 0; j <= n[1]; j++)
				for (int i = 0; i <= n[0]; i++) {
					const int at[3] = {i, j, k};
					double x[3] = {0.0};
					int ends = 0;
					for (int a = 0; a < b->dim; a++) {
						const double from = (double)op->a[a],
							     to = (double)op->a[a + 3];
						ends += at[a] == 0 || at[a] == n[a];
						x[a] = at[a] == n[a]
							       ? to
							       : from + (to - from) * at[a] / n[a];
					}
					if (ends > 0 && (ends == b->dim) == (pass == 0))
						add_point(b, x, 0.0);
				}
}

/* Two unit vectors across a unit vector. */
static void across(const double axis[3], double u[3], double v[3])
{
	int least = 0;
	for (int a = 1; a < 3; a++)
		least = fabs(axis[a]) < fabs(axis[least]) ? a : least;
	double length = 0.0;
	for (int a = 0; a < 3; a++) {
		u[a] = (a == least) - axis[least] * axis[a];
		length += u[a] * u[a];
	}
	for (int a = 0; a < 3; a++)
		u[a] /= sqrt(length);
	for (int a = 0; a < 3; a++)
		v[a] = axis[(a + 1) % 3] * u[(a + 2) % 3] - axis[(a + 2) % 3] * u[(a + 1) % 3];
}

static void add_rod(struct builder *b, const struct shape_op *op)
{
	const double r = (double)op->a[6];
	double axis[3] = {0.0}, u[3], v[3], length = 0.0;
	for (int a = 0; a < b->dim; a++) {
		axis[a] = (double)op->a[a + 3] - (double)op->a[a];
		length += axis[a] * axis[a];
	}
	length = sqrt(length);
	const bool capsule = op->kind == SHAPE_CAPSULE;
	const int parts = length > 0.0 ? parts_of(length, b->spacing, ROD_MOST) : 0;
	for (int a = 0; a < 3; a++)
		axis[a] = length > 0.0 ? axis[a] / length : (a == 1 ? 1.0 : 0.0);
	across(axis, u, v);
	if (b->dim == 2) {
		u[0] = -axis[1];
		u[1] = axis[0];
	}
	const int around = capsule ? 1 : b->dim == 2 ? 2 : RIM;
	const bool rounded = capsule && !b->cuts;
	for (int i = 0; i <= parts; i++) {
		/* Ends first. */
		const int place = i == 0 ? 0 : i == 1 ? parts : i - 1;
		double middle[3] = {0.0};
		for (int a = 0; a < b->dim; a++)
			middle[a] = (double)op->a[a] +
				    axis[a] * (parts > 0 ? length * place / parts : 0.0);
		if (capsule) {
			if (rounded)
				add_point(b, middle, r);
			continue;
		}
		for (int n = 0; n < around; n++) {
			double x[3] = {0.0}, s = 0.0, c = n ? -1.0 : 1.0;
			if (b->dim == 3)
				exact_sin_cos(2.0 * PI * n / around, &s, &c);
			for (int a = 0; a < b->dim; a++)
				x[a] = middle[a] + r * (c * u[a] + s * v[a]);
			add_point(b, x, 0.0);
		}
		if (place == 0 || place == parts)
			add_point(b, middle, 0.0);
	}
}

static void add_polygon(struct builder *b, const struct shape_op *op)
{
	const float *vertex = b->program->points + 2 * (size_t)op->first;
	double around = 0.0;
	for (int pass = 0; pass < 3; pass++)
		for (i32 i = 0; i < op->count; i++) {
			const float *p = vertex + 2 * (size_t)i;
			const float *q = vertex + 2 * (size_t)((i + 1) % op->count);
			const double from[2] = {(double)p[0], (double)p[1]};
			const double way[2] = {(double)q[0] - from[0], (double)q[1] - from[1]};
			const double length = sqrt(way[0] * way[0] + way[1] * way[1]);
			const double spacing = fmax(b->spacing, around / POLYGON_MOST);
			const int parts = parts_of(length, spacing, POLYGON_MOST);
			around += pass == 0 ? length : 0.0;
			for (int n = pass == 1 ? 0 : 1; pass > 0 && n < (pass == 1 ? 1 : parts);
			     n++) {
				const double x[3] = {from[0] + way[0] * n / parts,
						     from[1] + way[1] * n / parts, 0.0};
				add_point(b, x, 0.0);
			}
		}
}

/* ---- what is looked through in a lattice --------------------------------------------------- */

struct slot {
	bool taken, vertex;
	double at[3], away; /* away: square of the distance from the centre */
};

struct lattice_of_slots {
	struct slot *slots;
	int n[3];
	double spacing;
};

static bool open_slots(const struct builder *b, struct lattice_of_slots *l)
{
	double side = 0.0;
	size_t count = 1;
	for (int a = 0; a < b->dim; a++)
		side = fmax(side, b->high[a] - b->low[a]);
	l->spacing = fmax(b->spacing, side / LATTICE_MOST);
	for (int a = 0; a < 3; a++) {
		l->n[a] = a < b->dim
				  ? parts_of(b->high[a] - b->low[a], l->spacing, LATTICE_MOST + 1)
				  : 1;
		count *= (size_t)l->n[a];
	}
	l->slots = calloc(count, sizeof(*l->slots));
	return l->slots || message_memory(count * sizeof(*l->slots), "the surface of a body");
}

/* Of those in a slot a vertex wins, then the farthest from the centre, then the first. */
static void offer(const struct builder *b, struct lattice_of_slots *l, const double at[3],
		  bool vertex)
{
	size_t place = 0;
	double away = 0.0;
	for (int a = 2; a >= 0; a--) {
		const double cell = a < b->dim ? (at[a] - b->low[a]) / l->spacing : 0.0;
		const int i = cell > 0.0 ? cell < (double)l->n[a] ? (int)cell : l->n[a] - 1 : 0;
		place = place * (size_t)l->n[a] + (size_t)i;
		away += a < b->dim ? (at[a] - b->center[a]) * (at[a] - b->center[a]) : 0.0;
	}
	struct slot *s = &l->slots[place];
	if (s->taken && (s->vertex > vertex || (s->vertex == vertex && s->away >= away)))
		return;
	*s = (struct slot){.taken = true, .vertex = vertex, .away = away};
	memcpy(s->at, at, sizeof(s->at));
}

static void close_slots(struct builder *b, struct lattice_of_slots *l)
{
	const size_t count = (size_t)l->n[0] * (size_t)l->n[1] * (size_t)l->n[2];
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < count; i++)
			if (l->slots[i].taken && l->slots[i].vertex == (pass == 0))
				add_point(b, l->slots[i].at, 0.0);
	free(l->slots);
}

static void offer_triangle(const struct builder *b, struct lattice_of_slots *l, const float *t)
{
	double corner[3][3], longest = 0.0;
	for (int c = 0; c < 3; c++)
		for (int a = 0; a < 3; a++)
			corner[c][a] = (double)t[3 * c + a];
	for (int c = 0; c < 3; c++) {
		double square = 0.0;
		for (int a = 0; a < 3; a++) {
			const double way = corner[(c + 1) % 3][a] - corner[c][a];
			square += way * way;
		}
		longest = fmax(longest, sqrt(square));
	}
	const int parts = parts_of(longest, l->spacing, 4 * LATTICE_MOST);
	for (int i = 0; i <= parts; i++)
		for (int j = 0; i + j <= parts; j++) {
			const int k = parts - i - j;
			double x[3];
			for (int a = 0; a < 3; a++)
				x[a] = (corner[0][a] * i + corner[1][a] * j + corner[2][a] * k) /
				       parts;
			offer(b, l, x, i == parts || j == parts || k == parts);
		}
}

static bool add_mesh(struct builder *b, const struct shape_op *op)
{
	const float *words = b->program->points + 2 * (size_t)op->first;
	const float *triangles = words + shape_mesh_int(words + MESH_TRIANGLES);
	const i32 count = shape_mesh_int(words + MESH_COUNT);
	struct lattice_of_slots l;
	if (!open_slots(b, &l))
		return false;
	for (i32 t = 0; t < count; t++)
		offer_triangle(b, &l, triangles + MESH_TRIANGLE * (size_t)t);
	close_slots(b, &l);
	return true;
}

/* Points of a lattice that is twice as fine, moved onto the surface. */
static bool add_lattice(struct builder *b)
{
	struct lattice_of_slots l;
	if (!open_slots(b, &l))
		return false;
	const double fine = 0.5 * l.spacing;
	int n[3];
	for (int a = 0; a < 3; a++)
		n[a] = a < b->dim ? 2 * l.n[a] : 1;
	for (int k = 0; k < n[2]; k++)
		for (int j = 0; j < n[1]; j++)
			for (int i = 0; i < n[0]; i++) {
				const double cell[3] = {i + 0.5, j + 0.5, k + 0.5};
				double x[3] = {0.0};
				f32 g[3], f = 0.0f;
				for (int a = 0; a < b->dim; a++)
					x[a] = b->low[a] + fine * cell[a];
				for (int step = 0; step < 4; step++) {
					f = value_at(b, x, g);
					for (int a = 0; a < b->dim && fabsf(f) <= (f32)fine; a++)
						x[a] -= (double)f * (double)g[a];
				}
				if (fabsf(f) <= (f32)b->reach)
					offer(b, &l, x, false);
			}
	close_slots(b, &l);
	return true;
}

static bool add_primitives(struct builder *b)
{
	bool good = true;
	for (size_t i = 0; i < b->program->op_count && good; i++) {
		const struct shape_op *op = &b->program->ops[i];
		if (op->kind == SHAPE_SPHERE && !b->cuts) {
			double middle[3] = {0.0};
			for (int a = 0; a < b->dim; a++)
				middle[a] = (double)op->a[a];
			add_point(b, middle, (double)op->a[3]);
		} else if (op->kind == SHAPE_BOX) {
			add_box(b, op);
		} else if (op->kind == SHAPE_CAPSULE || op->kind == SHAPE_CYLINDER) {
			add_rod(b, op);
		} else if (op->kind == SHAPE_POLYGON) {
			add_polygon(b, op);
		} else if (op->kind == SHAPE_MESH) {
			good = add_mesh(b, op);
		}
	}
	return good;
}

bool body_surface_of(const struct scene_solid *solid, int dim, double spacing,
		     struct body_surface *surface)
{
	const struct shape_program program = shape_program_told(&solid->shape);
	struct builder b = {.program = &program,
			    .dim = dim,
			    .low = solid->low,
			    .high = solid->high,
			    .center = solid->motion.center,
			    .spacing = spacing,
			    .surface = surface,
			    .reach = NEAR * spacing};
	*surface = (struct body_surface){0};
	surface->points = calloc(BODY_POINTS_MOST, sizeof(*surface->points));
	if (!surface->points)
		return message_memory(BODY_POINTS_MOST * sizeof(*surface->points),
				      "the surface of a body");
	for (size_t i = 0; i < program.op_count; i++)
		b.cuts |= shape_operands(program.ops[i].kind) > 0 &&
			  program.ops[i].kind != SHAPE_UNION;
	return add_primitives(&b) && (!b.cuts || add_lattice(&b));
}

void body_surface_free(struct body_surface *surface)
{
	free(surface->points);
	*surface = (struct body_surface){0};
}
