#include <math.h>

#include "body_moments.h"
#include "shape.h"

/* A walk through the cells: adds to moments, or looks for the farthest point from `center`. */
struct walk {
	const struct shape_program *program;
	int dim;
	double origin[3];
	struct body_moments *moments; /* NULL: reach */
	double center[3], reach;
};

void body_moments_add_box(struct body_moments *moments, int dim, const double low[3],
			  const double high[3])
{
	double volume = 1.0, middle[3] = {0.0}, square[3] = {0.0};
	for (int a = 0; a < dim; a++) {
		const double side = high[a] - low[a];
		volume *= side;
		middle[a] = 0.5 * (low[a] + high[a]);
		square[a] = side * side / 12.0;
	}
	moments->volume += volume;
	for (int a = 0; a < dim; a++) {
		moments->first[a] += volume * middle[a];
		moments->second[a][a] += volume * square[a];
		for (int b = 0; b < dim; b++)
			moments->second[a][b] += volume * (middle[a] * middle[b]);
	}
}

void body_moments_center(struct body_moments *moments, const double origin[3], double center[3])
{
	double away[3];
	for (int a = 0; a < 3; a++) {
		away[a] = moments->volume > 0.0 ? moments->first[a] / moments->volume : 0.0;
		center[a] = origin[a] + away[a];
		moments->first[a] = 0.0;
	}
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			moments->second[a][b] -= moments->volume * (away[a] * away[b]);
}

static void add_part(struct walk *w, const double low[3], const double high[3])
{
	if (w->moments) {
		body_moments_add_box(w->moments, w->dim, low, high);
		return;
	}
	double square = 0.0;
	for (int a = 0; a < w->dim; a++) {
		const double center = w->center[a] - w->origin[a];
		const double far = fmax(fabs(low[a] - center), fabs(high[a] - center));
		square += far * far;
	}
	w->reach = fmax(w->reach, sqrt(square));
}

/* The part of a smallest cell: a column along the axis that the gradient is longest along. */
static void add_column(struct walk *w, const struct shape_sample *s, double low[3], double high[3])
{
	int axis = 0;
	for (int a = 1; a < w->dim; a++)
		axis = fabsf(s->gradient[a]) > fabsf(s->gradient[axis]) ? a : axis;
	const double slope = (double)s->gradient[axis];
	if (fabs(slope) > 0.0) {
		const double end = 0.5 * (low[axis] + high[axis]) - (double)s->distance / slope;
		if (slope > 0.0)
			high[axis] = fmin(high[axis], end);
		else
			low[axis] = fmax(low[axis], end);
		if (!(low[axis] < high[axis]))
			return;
	} else if (s->distance >= 0.0f) {
		return;
	}
	add_part(w, low, high);
}

static void visit(struct walk *w, const double middle[3], double half, int levels)
{
	double low[3] = {0.0}, high[3] = {0.0};
	f32 at[3] = {0.0f, 0.0f, 0.0f};
	for (int a = 0; a < w->dim; a++) {
		at[a] = (f32)(w->origin[a] + middle[a]);
		low[a] = middle[a] - half;
		high[a] = middle[a] + half;
	}
	const struct shape_sample s =
		shape_evaluate(w->dim, w->program->ops, (int)w->program->op_count,
			       w->program->points, at[0], at[1], at[2]);
	const double across = half * sqrt((double)w->dim) * (1.0 + 1e-5);
	if ((double)s.distance > across)
		return;
	if ((double)s.distance < -across) {
		add_part(w, low, high);
		return;
	}
	if (levels == 0) {
		add_column(w, &s, low, high);
		return;
	}
	for (int child = 0; child < 1 << w->dim; child++) {
		double part[3] = {0.0};
		for (int a = 0; a < w->dim; a++)
			part[a] = middle[a] + (child >> a & 1 ? 0.5 : -0.5) * half;
		visit(w, part, 0.5 * half, levels - 1);
	}
}

static void start(struct walk *w, const double low[3], const double high[3], int levels)
{
	static const double middle[3] = {0.0};
	double half = 0.0;
	for (int a = 0; a < w->dim; a++) {
		w->origin[a] = 0.5 * (low[a] + high[a]);
		half = fmax(half, 0.5 * (high[a] - low[a]));
	}
	if (half > 0.0)
		visit(w, middle, half, levels);
}

void body_quadrature(const struct shape_program *program, int dim, const double low[3],
		     const double high[3], int levels, struct body_moments *moments)
{
	struct walk w = {.program = program, .dim = dim, .moments = moments};
	*moments = (struct body_moments){0};
	start(&w, low, high, levels);
}

double body_quadrature_reach(const struct shape_program *program, int dim, const double low[3],
			     const double high[3], int levels, const double center[3])
{
	struct walk w = {.program = program, .dim = dim};
	for (int a = 0; a < dim; a++)
		w.center[a] = center[a];
	start(&w, low, high, levels);
	return w.reach;
}
