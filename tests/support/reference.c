#include "reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);
	if (!memory) {
		fprintf(stderr, "reference: out of memory\n");
		abort();
	}
	return memory;
}

static size_t index_at(const struct grid *g, int i, int j, int k)
{
	return ((size_t)k * (size_t)g->py + (size_t)j) * (size_t)g->px + (size_t)i;
}

static size_t stride_of(const struct grid *g, int axis)
{
	return index_at(g, axis == 0, axis == 1, axis == 2);
}

static int cells_along(const struct grid *g, int axis)
{
	return axis == 0 ? g->nx : axis == 1 ? g->ny : g->nz;
}

/* ---- transfers ---------------------------------------------------------------------------- */

/* Lower sample of component c along every axis and the upper one's weight. */
static size_t locate(const struct grid *g, int dim, int c, const double x[3], double upper[3])
{
	size_t base = 0;
	for (int a = 0; a < dim; a++) {
		int last = cells_along(g, a) - (a == c ? 0 : 1);
		double at = x[a] / (double)g->h - (a == c ? 0.0 : 0.5);
		at = fmin(fmax(at, 0.0), last);
		int low = (int)fmin(floor(at), fmax(last - 1, 0));
		upper[a] = at - low;
		base += (size_t)low * stride_of(g, a);
	}
	return base;
}

static double corner_weight(int dim, int corner, const double upper[3])
{
	double weight = 1.0;
	for (int a = 0; a < dim; a++)
		weight *= corner >> a & 1 ? upper[a] : 1.0 - upper[a];
	return weight;
}

static size_t corner_offset(const struct grid *g, int dim, int c, int corner)
{
	size_t offset = 0;
	for (int a = 0; a < dim; a++)
		if (corner >> a & 1 && cells_along(g, a) - (a == c ? 0 : 1) > 0)
			offset += stride_of(g, a);
	return offset;
}

static void splat_component(const struct grid *g, int dim, int c,
			    const struct reference_particles *p, size_t n,
			    const struct reference_faces *f)
{
	double x[3] = {0.0}, upper[3];
	for (int a = 0; a < dim; a++)
		x[a] = (double)p->position[(size_t)a * p->stride + n];
	size_t base = (size_t)c * (size_t)g->lattice + locate(g, dim, c, x, upper);
	for (int corner = 0; corner < 1 << dim; corner++) {
		size_t face = base + corner_offset(g, dim, c, corner);
		double weight = corner_weight(dim, corner, upper);
		double v = (double)p->velocity[(size_t)c * p->stride + n];
		for (int a = 0; p->affine && a < dim; a++)
			v += (double)p->affine[(size_t)(c * dim + a) * p->stride + n] *
			     ((corner >> a & 1) - upper[a]) * (double)g->h;
		f->weight[face] += weight;
		f->momentum[face] += weight * v;
		f->contributions[face] += 1.0;
	}
}

void reference_splat(const struct grid *g, int dim, const struct reference_particles *p,
		     const struct reference_faces *f)
{
	for (size_t n = 0; n < p->count; n++)
		for (int c = 0; c < dim; c++)
			splat_component(g, dim, c, p, n, f);
}

double reference_sample(const struct grid *g, int dim, int c, const float *field, const double x[3],
			double gradient[3])
{
	double upper[3], value = 0.0;
	size_t base = locate(g, dim, c, x, upper);
	for (int a = 0; gradient && a < dim; a++)
		gradient[a] = 0.0;
	for (int corner = 0; corner < 1 << dim; corner++) {
		double sample = (double)field[base + corner_offset(g, dim, c, corner)];
		value += corner_weight(dim, corner, upper) * sample;
		for (int a = 0; gradient && a < dim; a++) {
			double along[3] = {upper[0], upper[1], upper[2]};
			along[a] = corner >> a & 1 ? 1.0 : 0.0;
			gradient[a] += (corner >> a & 1 ? 1.0 : -1.0) *
				       corner_weight(dim, corner, along) * sample / (double)g->h;
		}
	}
	return value;
}

/* Adds the kernel of a particle or image at x[], in cells, to the cells around. */
static void add_kernel(const struct grid *g, int dim, const double x[3], double *sum, double *count)
{
	int low[3] = {0}, high[3] = {0};
	for (int a = 0; a < dim; a++) {
		low[a] = (int)fmax(floor(x[a]) - 3.0, 0.0);
		high[a] = (int)fmin(floor(x[a]) + 3.0, cells_along(g, a) - 1);
	}
	for (int k = low[2]; k <= high[2]; k++)
		for (int j = low[1]; j <= high[1]; j++)
			for (int i = low[0]; i <= high[0]; i++) {
				double dx = i + 0.5 - x[0], dy = j + 0.5 - x[1];
				double dz = k + 0.5 - x[2];
				double t = 1.0 - (dx * dx + dy * dy + dz * dz) / 4.0;
				if (t <= 0.0)
					continue;
				sum[index_at(g, i, j, k)] += t * t * t;
				count[index_at(g, i, j, k)] += 1.0;
			}
}

void reference_density(const struct grid *g, int dim, const struct reference_particles *p,
		       double *sum, double *count)
{
	const int ways = dim == 3 ? 27 : 9;
	for (size_t n = 0; n < p->count; n++)
		/* Per axis the particle, and its image in the low and in the high wall. */
		for (int way = 0; way < ways; way++) {
			double x[3] = {0.0, 0.0, 0.5};
			bool there = true;
			for (int a = 0, digits = way; a < dim; a++, digits /= 3) {
				const int wall = 2 * a + (digits % 3 == 2);
				x[a] = (double)p->position[(size_t)a * p->stride + n] /
				       (double)g->h;
				if (digits % 3 == 0)
					continue;
				there = there && !(g->open_walls >> wall & 1);
				x[a] = digits % 3 == 1 ? -x[a] : 2.0 * cells_along(g, a) - x[a];
			}
			if (there)
				add_kernel(g, dim, x, sum, count);
		}
}

/* ---- pressure ----------------------------------------------------------------------------- */

#define WALL_THETA 0.5

struct cell {
	int i, j, k;
	size_t at;
};

/* The cell beyond a face; false if outside the box. */
static int neighbour_of(const struct grid *g, const struct cell *c, int axis, int side,
			struct cell *other)
{
	int place[3] = {c->i, c->j, c->k};
	place[axis] += side ? 1 : -1;
	if (place[axis] < 0 || place[axis] >= cells_along(g, axis))
		return 0;
	*other = (struct cell){place[0], place[1], place[2],
			       index_at(g, place[0], place[1], place[2])};
	return 1;
}

#define FOR_CELLS(g, c)                                                                 \
	for (struct cell c = {0}; c.k < (g)->nz; c.k++)                                 \
		for (c.j = 0; c.j < (g)->ny; c.j++)                                     \
			for (c.i = 0, c.at = index_at((g), 0, c.j, c.k); c.i < (g)->nx; \
			     c.i++, c.at++)

static void add_face(struct reference_operator *op, const struct cell *c, int axis, int side,
		     const float *phi, const unsigned char *type, double area)
{
	struct cell other;
	if (area <= 0.0)
		return;
	if (!neighbour_of(op->grid, c, axis, side, &other)) {
		op->excess[c->at] += area / WALL_THETA;
	} else if (type[other.at] == CELL_LIQUID) {
		if (side == 1)
			op->link[axis][c->at] = area;
	} else {
		const double least = -REFERENCE_MIN_DEPTH * (double)op->grid->h;
		double inside = fmin((double)phi[c->at], least);
		double outside = fmax((double)phi[other.at], 0.0);
		op->excess[c->at] += area * (inside - outside) / inside;
	}
}

static double diagonal_of(const struct reference_operator *op, const struct cell *c)
{
	double sum = op->excess[c->at];
	for (int a = 0; a < op->dim; a++) {
		struct cell below;
		sum += op->link[a][c->at];
		if (neighbour_of(op->grid, c, a, 0, &below))
			sum += op->link[a][below.at];
	}
	return sum;
}

/* Gives every unknown the number of its component, by walking over links. */
static void number_components(struct reference_operator *op)
{
	const struct grid *g = op->grid;
	struct cell *stack = allocate((size_t)g->lattice, sizeof(*stack));
	op->tied = allocate((size_t)g->lattice, 1);
	for (int n = 0; n < g->lattice; n++)
		op->component[n] = -1;
	FOR_CELLS(g, start)
	{
		size_t height = 0;
		if (!op->unknown[start.at] || op->component[start.at] >= 0)
			continue;
		op->component[start.at] = op->components;
		stack[height++] = start;
		while (height) {
			struct cell c = stack[--height], other;
			op->tied[op->components] |= op->excess[c.at] > 0.0;
			for (int a = 0; a < op->dim; a++)
				for (int side = 0; side < 2; side++) {
					if (!neighbour_of(g, &c, a, side, &other) ||
					    op->link[a][side ? c.at : other.at] <= 0.0 ||
					    op->component[other.at] >= 0)
						continue;
					op->component[other.at] = op->components;
					stack[height++] = other;
				}
		}
		op->components++;
	}
	free(stack);
}

void reference_operator_init(struct reference_operator *op, const struct grid *g, int dim,
			     const float *phi, const unsigned char *type,
			     const unsigned short *open)
{
	const size_t lattice = (size_t)g->lattice;
	*op = (struct reference_operator){.grid = g, .dim = dim};
	op->excess = allocate(lattice, sizeof(double));
	op->unknown = allocate(lattice, 1);
	op->component = allocate(lattice, sizeof(int));
	for (int a = 0; a < 3; a++)
		op->link[a] = allocate(lattice, sizeof(double));
	FOR_CELLS(g, c)
	for (int a = 0; a < dim && type[c.at] == CELL_LIQUID; a++)
		for (int side = 0; side < 2; side++) {
			size_t face = (size_t)a * lattice + c.at + (size_t)side * stride_of(g, a);
			add_face(op, &c, a, side, phi, type, open[face] / (double)FRACTION_ONE);
		}
	FOR_CELLS(g, c)
	op->unknown[c.at] = type[c.at] == CELL_LIQUID && diagonal_of(op, &c) > 0.0;
	number_components(op);
}

void reference_operator_finish(struct reference_operator *op)
{
	free(op->excess);
	free(op->unknown);
	free(op->component);
	free(op->tied);
	for (int a = 0; a < 3; a++)
		free(op->link[a]);
	*op = (struct reference_operator){0};
}

void reference_apply(const struct reference_operator *op, const double *q, double *result)
{
	FOR_CELLS(op->grid, c)
	{
		double sum = op->excess[c.at] * q[c.at];
		for (int a = 0; a < op->dim; a++)
			for (int side = 0; side < 2; side++) {
				struct cell other;
				if (neighbour_of(op->grid, &c, a, side, &other))
					sum += op->link[a][side ? c.at : other.at] *
					       (q[c.at] - q[other.at]);
			}
		result[c.at] = sum;
	}
}

void reference_remove_means(const struct reference_operator *op, double *q)
{
	double *sum = allocate((size_t)op->components, sizeof(double));
	double *count = allocate((size_t)op->components, sizeof(double));
	for (int n = 0; n < op->grid->lattice; n++)
		if (op->component[n] >= 0) {
			sum[op->component[n]] += q[n];
			count[op->component[n]] += 1.0;
		}
	for (int n = 0; n < op->grid->lattice; n++)
		if (op->component[n] >= 0 && !op->tied[op->component[n]])
			q[n] -= sum[op->component[n]] / count[op->component[n]];
	free(sum);
	free(count);
}

/* The matrix of the unknowns with one unknown of every untied component held at 0. */
struct dense {
	int n;
	int *row_of;	/* [lattice], -1: none */
	double *factor; /* lower triangle, row-major */
};

static void dense_fill(const struct reference_operator *op, struct dense *d)
{
	const struct grid *g = op->grid;
	unsigned char *held = allocate((size_t)op->components, 1);
	d->n = 0;
	d->row_of = allocate((size_t)g->lattice, sizeof(int));
	for (int n = 0; n < g->lattice; n++) {
		int component = op->component[n];
		d->row_of[n] = -1;
		if (component < 0)
			continue;
		if (!op->tied[component] && !held[component])
			held[component] = 1;
		else
			d->row_of[n] = d->n++;
	}
	d->factor = allocate((size_t)d->n * (size_t)d->n, sizeof(double));
	FOR_CELLS(g, c)
	{
		int row = d->row_of[c.at];
		if (row < 0)
			continue;
		d->factor[(size_t)row * (size_t)d->n + (size_t)row] = diagonal_of(op, &c);
		for (int a = 0; a < op->dim; a++) {
			struct cell below;
			if (!neighbour_of(g, &c, a, 0, &below) || d->row_of[below.at] < 0)
				continue;
			d->factor[(size_t)row * (size_t)d->n + (size_t)d->row_of[below.at]] =
				-op->link[a][below.at];
		}
	}
	free(held);
}

static void dense_factorise(struct dense *d)
{
	const size_t n = (size_t)d->n;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = d->factor[i * n + j];
			for (size_t k = 0; k < j; k++)
				sum -= d->factor[i * n + k] * d->factor[j * n + k];
			if (i == j && !(sum > 0.0)) {
				fprintf(stderr, "reference: matrix not positive definite\n");
				abort();
			}
			d->factor[i * n + j] = i == j ? sqrt(sum) : sum / d->factor[j * n + j];
		}
}

/* v = A^-1 v in rows. */
static void dense_solve(const struct dense *d, double *v)
{
	const size_t n = (size_t)d->n;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++)
			v[i] -= d->factor[i * n + k] * v[k];
		v[i] /= d->factor[i * n + i];
	}
	for (size_t i = n; i-- > 0;) {
		for (size_t k = i + 1; k < n; k++)
			v[i] -= d->factor[k * n + i] * v[k];
		v[i] /= d->factor[i * n + i];
	}
}

static void solve_with(const struct reference_operator *op, const struct dense *d, const double *b,
		       double *q)
{
	double *rows = allocate((size_t)d->n, sizeof(double));
	for (int n = 0; n < op->grid->lattice; n++)
		if (d->row_of[n] >= 0)
			rows[d->row_of[n]] = b[n];
	dense_solve(d, rows);
	for (int n = 0; n < op->grid->lattice; n++)
		q[n] = d->row_of[n] >= 0 ? rows[d->row_of[n]] : 0.0;
	reference_remove_means(op, q);
	free(rows);
}

/* Greatest eigenvalue (Gershgorin) over the least (inverse iteration). */
static double condition_of(const struct reference_operator *op, const struct dense *d)
{
	const size_t lattice = (size_t)op->grid->lattice;
	double *v = allocate(lattice, sizeof(double)), *w = allocate(lattice, sizeof(double));
	double greatest = 0.0, inverse = 0.0;
	FOR_CELLS(op->grid, c)
	{
		if (!op->unknown[c.at])
			continue;
		greatest = fmax(greatest, 2.0 * diagonal_of(op, &c));
		v[c.at] = 1.0 + 0.5 * sin(12.9898 * (double)c.at);
	}
	reference_remove_means(op, v);
	for (int round = 0; round < 60; round++) {
		double before = 0.0, after = 0.0;
		for (size_t n = 0; n < lattice; n++)
			before += v[n] * v[n];
		solve_with(op, d, v, w);
		for (size_t n = 0; n < lattice; n++)
			after += w[n] * w[n];
		inverse = before > 0.0 ? sqrt(after / before) : 0.0;
		for (size_t n = 0; n < lattice; n++)
			v[n] = after > 0.0 ? w[n] / sqrt(after) : 0.0;
	}
	free(v);
	free(w);
	/* Inverse iteration comes from below: leave room. */
	return 1.1 * greatest * inverse;
}

void reference_solve(const struct reference_operator *op, const double *b, double *q,
		     double *condition)
{
	struct dense d;
	dense_fill(op, &d);
	dense_factorise(&d);
	solve_with(op, &d, b, q);
	if (condition)
		*condition = condition_of(op, &d);
	free(d.row_of);
	free(d.factor);
}

void reference_label(const struct grid *g, int dim, const unsigned char *type,
		     const unsigned short *open, u32 *label)
{
	struct cell *stack = allocate((size_t)g->lattice, sizeof(*stack));
	memset(label, 0xff, (size_t)g->lattice * sizeof(*label));
	/* Starting cells come in order of their index, so each is the least of its component. */
	FOR_CELLS(g, start)
	{
		size_t height = 0;
		if (type[start.at] == CELL_SOLID || label[start.at] != UINT32_MAX)
			continue;
		label[start.at] = (u32)start.at;
		stack[height++] = start;
		while (height) {
			struct cell c = stack[--height], other;
			for (int a = 0; a < dim; a++)
				for (int side = 0; side < 2; side++) {
					size_t face = (size_t)a * (size_t)g->lattice + c.at +
						      (size_t)side * stride_of(g, a);
					if (!neighbour_of(g, &c, a, side, &other) || !open[face] ||
					    type[other.at] != type[c.at] ||
					    label[other.at] != UINT32_MAX)
						continue;
					label[other.at] = (u32)start.at;
					stack[height++] = other;
				}
		}
	}
	free(stack);
}
