#include "body_mass.h"

#include <math.h>

#include "body_moments.h"
#include "shape.h"

#define PI 3.141592653589793238463

/* Halvings of the box around what has no formula: each look at a mesh is dear. */
#define LEVELS_2D 10
#define LEVELS_3D 7
#define LEVELS_MESH 6
/* A mesh whose formula differs by more has parts that overlap, or lie in one another. */
#define MESH_AGREES 0.02

/* Moments about the centre of what has an axis of symmetry: `along` it and `across`, each the mean
 * of the square of a coordinate. */
static void set_round(struct body_moments *m, int dim, double volume, const double axis[3],
		      double along, double across)
{
	m->volume = volume;
	for (int a = 0; a < dim; a++)
		for (int b = 0; b < dim; b++)
			m->second[a][b] = volume * ((a == b ? across : 0.0) +
						    (along - across) * axis[a] * axis[b]);
}

static void of_sphere(const struct shape_op *op, int dim, struct body_moments *m,
		      struct body_mass *mass)
{
	static const double no_axis[3] = {0.0};
	const double r = (double)op->a[3];
	for (int a = 0; a < dim; a++)
		mass->center[a] = (double)op->a[a];
	if (dim == 2)
		set_round(m, dim, PI * r * r, no_axis, 0.0, r * r / 4.0);
	else
		set_round(m, dim, 4.0 / 3.0 * PI * r * r * r, no_axis, 0.0, r * r / 5.0);
	mass->radius = r;
}

static void of_box(const struct shape_op *op, int dim, struct body_moments *m,
		   struct body_mass *mass)
{
	double half[3] = {0.0}, square = 0.0;
	double low[3] = {0.0};
	for (int a = 0; a < dim; a++) {
		mass->center[a] = 0.5 * ((double)op->a[a] + (double)op->a[a + 3]);
		half[a] = 0.5 * ((double)op->a[a + 3] - (double)op->a[a]);
		low[a] = -half[a];
		square += half[a] * half[a];
	}
	body_moments_add_box(m, dim, low, half);
	mass->radius = sqrt(square);
}

/* Between two ends, with round caps (half discs, half balls) or flat ones. */
static void of_rod(const struct shape_op *op, int dim, bool caps, struct body_moments *m,
		   struct body_mass *mass)
{
	const double r = (double)op->a[6];
	double axis[3] = {0.0}, length = 0.0;
	for (int a = 0; a < dim; a++) {
		mass->center[a] = 0.5 * ((double)op->a[a] + (double)op->a[a + 3]);
		axis[a] = (double)op->a[a + 3] - (double)op->a[a];
		length += axis[a] * axis[a];
	}
	length = sqrt(length);
	for (int a = 0; a < dim; a++)
		axis[a] = length > 0.0 ? axis[a] / length : 0.0;
	const double rod = dim == 2 ? 2.0 * r * length : PI * r * r * length;
	const double cap = !caps ? 0.0 : dim == 2 ? PI * r * r : 4.0 / 3.0 * PI * r * r * r;
	const double half = 0.5 * length;
	/* Of a half disc or half ball from its flat side: mean of z, of z^2; across the same. */
	const double mean = dim == 2 ? 4.0 * r / (3.0 * PI) : 3.0 * r / 8.0;
	const double mean_square = dim == 2 ? r * r / 4.0 : r * r / 5.0;
	const double volume = rod + cap;
	const double along =
		(rod * half * half / 3.0 + cap * (half * half + 2.0 * half * mean + mean_square)) /
		volume;
	const double across =
		(rod * (dim == 2 ? r * r / 3.0 : r * r / 4.0) + cap * mean_square) / volume;
	set_round(m, dim, volume, axis, along, across);
	mass->radius = caps ? half + r : sqrt(half * half + r * r);
}

static double greatest(double radius, const double point[3], const double center[3])
{
	double square = 0.0;
	for (int a = 0; a < 3; a++)
		square += (point[a] - center[a]) * (point[a] - center[a]);
	return fmax(radius, sqrt(square));
}

/* By Green's theorem, edge by edge. */
static void of_polygon(const struct shape_program *program, const struct shape_op *op,
		       struct body_moments *m, struct body_mass *mass)
{
	const float *vertex = program->points + 2 * (size_t)op->first;
	const double origin[3] = {(double)vertex[0], (double)vertex[1], 0.0};
	double sum[6] = {0.0};
	for (i32 i = 0; i < op->count; i++) {
		const float *p = vertex + 2 * (size_t)i;
		const float *q = vertex + 2 * (size_t)((i + 1) % op->count);
		const double px = (double)p[0] - origin[0], py = (double)p[1] - origin[1];
		const double qx = (double)q[0] - origin[0], qy = (double)q[1] - origin[1];
		const double cross = px * qy - qx * py;
		sum[0] += cross / 2.0;
		sum[1] += cross * (px + qx) / 6.0;
		sum[2] += cross * (py + qy) / 6.0;
		sum[3] += cross * (px * px + px * qx + qx * qx) / 12.0;
		sum[4] += cross * (py * py + py * qy + qy * qy) / 12.0;
		sum[5] += cross * (px * qy + 2.0 * px * py + 2.0 * qx * qy + qx * py) / 24.0;
	}
	const double sign = sum[0] < 0.0 ? -1.0 : 1.0;
	m->volume = sign * sum[0];
	m->first[0] = sign * sum[1];
	m->first[1] = sign * sum[2];
	m->second[0][0] = sign * sum[3];
	m->second[1][1] = sign * sum[4];
	m->second[0][1] = m->second[1][0] = sign * sum[5];
	body_moments_center(m, origin, mass->center);
	for (i32 i = 0; i < op->count; i++) {
		const double point[3] = {(double)vertex[2 * i], (double)vertex[2 * i + 1], 0.0};
		mass->radius = greatest(mass->radius, point, mass->center);
	}
}

/* Adds the tetrahedron of the origin and a triangle, with its sign (Tonon 2004). */
static void add_tetrahedron(struct body_moments *m, const float *triangle, const double origin[3])
{
	double p[3][3], sum[3];
	for (int c = 0; c < 3; c++)
		for (int a = 0; a < 3; a++)
			p[c][a] = (double)triangle[3 * c + a] - origin[a];
	const double six = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
			   p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
			   p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
	for (int a = 0; a < 3; a++)
		sum[a] = p[0][a] + p[1][a] + p[2][a];
	m->volume += six / 6.0;
	for (int a = 0; a < 3; a++) {
		m->first[a] += six / 24.0 * sum[a];
		for (int b = 0; b < 3; b++)
			m->second[a][b] += six / 120.0 *
					   (sum[a] * sum[b] + p[0][a] * p[0][b] +
					    p[1][a] * p[1][b] + p[2][a] * p[2][b]);
	}
}

static void of_mesh(const struct shape_program *program, const struct shape_op *op,
		    const double low[3], const double high[3], struct body_moments *m,
		    struct body_mass *mass)
{
	const float *words = program->points + 2 * (size_t)op->first;
	const float *triangles = words + shape_mesh_int(words + MESH_TRIANGLES);
	const i32 count = shape_mesh_int(words + MESH_COUNT);
	double origin[3];
	struct body_moments seen;
	for (int a = 0; a < 3; a++)
		origin[a] = 0.5 * (low[a] + high[a]);
	for (i32 t = 0; t < count; t++)
		add_tetrahedron(m, triangles + MESH_TRIANGLE * (size_t)t, origin);
	const double sign = m->volume < 0.0 ? -1.0 : 1.0;
	m->volume *= sign;
	for (int a = 0; a < 3; a++) {
		m->first[a] *= sign;
		for (int b = 0; b < 3; b++)
			m->second[a][b] *= sign;
	}
	body_quadrature(program, 3, low, high, LEVELS_MESH, &seen);
	if (!(fabs(seen.volume - m->volume) <= MESH_AGREES * seen.volume))
		*m = seen;
	body_moments_center(m, origin, mass->center);
	for (i32 c = 0; c < 3 * count; c++) {
		const float *corner = triangles + 3 * (size_t)c;
		const double point[3] = {(double)corner[0], (double)corner[1], (double)corner[2]};
		mass->radius = greatest(mass->radius, point, mass->center);
	}
}

static void of_other(const struct shape_program *program, int dim, const double low[3],
		     const double high[3], struct body_moments *m, struct body_mass *mass)
{
	double origin[3] = {0.0};
	int levels = dim == 2 ? LEVELS_2D : LEVELS_3D;
	for (size_t i = 0; i < program->op_count; i++)
		levels = program->ops[i].kind == SHAPE_MESH ? LEVELS_MESH : levels;
	for (int a = 0; a < dim; a++)
		origin[a] = 0.5 * (low[a] + high[a]);
	body_quadrature(program, dim, low, high, levels, m);
	body_moments_center(m, origin, mass->center);
	mass->radius = body_quadrature_reach(program, dim, low, high, levels, mass->center);
}

void body_mass_of(const struct shape_program *program, int dim, const double low[3],
		  const double high[3], struct body_mass *mass)
{
	struct body_moments m = {0};
	const struct shape_op *op = program->ops;
	*mass = (struct body_mass){0};
	const i32 kind = program->op_count == 1 ? op->kind : SHAPE_INVERT;
	if (kind == SHAPE_SPHERE)
		of_sphere(op, dim, &m, mass);
	else if (kind == SHAPE_BOX)
		of_box(op, dim, &m, mass);
	else if (kind == SHAPE_CAPSULE || kind == SHAPE_CYLINDER)
		of_rod(op, dim, kind == SHAPE_CAPSULE, &m, mass);
	else if (kind == SHAPE_POLYGON)
		of_polygon(program, op, &m, mass);
	else if (kind == SHAPE_MESH)
		of_mesh(program, op, low, high, &m, mass);
	else
		of_other(program, dim, low, high, &m, mass);
	mass->volume = mass->mass = m.volume;
	const double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			mass->inertia[a][b] = (a == b ? trace : 0.0) - m.second[a][b];
}

void body_mass_scale(struct body_mass *mass, double to)
{
	const double factor = to / mass->mass;
	mass->mass = to;
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			mass->inertia[a][b] *= factor;
}
