/* Manufactured solutions on a grid: fields of the discrete equation, errors of its solution. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manufactured.h"
#include "message.h"

/* Least depth of a liquid cell, in cells, as in kernels/common/faces.h. */
#define MIN_DEPTH 3e-4

static size_t lattice_at(const struct grid *g, i32 i, i32 j, i32 k)
{
	return ((size_t)k * (size_t)g->py + (size_t)j) * (size_t)g->px + (size_t)i;
}

static size_t stride_of(const struct grid *g, int a)
{
	return lattice_at(g, a == 0, a == 1, a == 2);
}

/* A cell of the grid: its place, lattice index and centre. */
struct cell {
	i32 at[3];
	size_t n;
	double x[3];
};

/* The next cell; false after the last.  Starts from a zeroed cell with at[0] = -1. */
static bool next_cell(const struct grid *g, int dim, struct cell *c)
{
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	int a = 0;
	while (a < 3 && ++c->at[a] == cells[a])
		c->at[a++] = 0;
	c->n = lattice_at(g, c->at[0], c->at[1], c->at[2]);
	for (int b = 0; b < dim; b++)
		c->x[b] = (c->at[b] + 0.5) * (double)g->h;
	return a < 3;
}

#define FOR_CELLS(g, dim, c) for (struct cell c = {.at = {-1, 0, 0}}; next_cell(g, dim, &(c));)

static uint8_t type_of(const struct manufactured *p, const struct grid *g, const uint16_t *open,
		       const struct manufactured_fields *f, size_t at)
{
	bool any = false;
	for (int a = 0; a < p->dim; a++)
		for (size_t side = 0; side < 2; side++)
			any |= open[(size_t)a * (size_t)g->lattice + at + side * stride_of(g, a)] !=
			       0;
	return !any ? CELL_SOLID : f->phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
}

/* What the face on `side` along a of a liquid cell adds. */
static void add_face(const struct manufactured *p, const struct grid *g, const uint16_t *open,
		     struct manufactured_fields *f, const struct cell *c, int a, int side)
{
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	const double h = (double)g->h, sign = side ? 1.0 : -1.0;
	const size_t stride = stride_of(g, a), at = c->n;
	const size_t slot = (size_t)a * (size_t)g->lattice + at + (size_t)side * stride;
	const double area = (double)open[slot] / FRACTION_ONE, *x = c->x;
	double face[3] = {x[0], x[1], x[2]}, to[3] = {x[0], x[1], x[2]}, g3[3], on[3];
	face[a] += 0.5 * sign * h;
	to[a] += sign * h;
	if (area <= 0.0)
		return;
	if (p->solid) {
		if (isnan(f->gradient[slot]))
			f->gradient[slot] = manufactured_open_mean(p, face, a, h);
		const double flux = sign * area * h * f->gradient[slot];
		f->rhs[at] -= flux;
		f->defect[at] += flux;
	} else {
		manufactured_pressure(p, face, g3, NULL);
		f->gradient[slot] = g3[a];
	}
	const size_t neighbour = side ? at + stride : at - stride;
	if (c->at[a] == (side ? cells[a] - 1 : 0)) {
		f->beyond_at[slot] = 0.5;
		f->beyond[slot] = manufactured_pressure(p, face, NULL, NULL);
		/* With the value that makes the box's flux exact the boundary alone counts. */
		if (p->published)
			f->beyond[slot] = manufactured_pressure(p, x, NULL, NULL) +
					  0.5 * sign * h * f->gradient[slot];
	} else if (f->type[neighbour] == CELL_AIR) {
		const double inside = fmin((double)f->phi[at], -MIN_DEPTH * h);
		const double beyond = (double)f->phi[neighbour];
		f->beyond_at[slot] = inside / (inside - beyond);
		manufactured_crossing(p, x, to, on);
		if (p->published)
			on[a] = x[a] + sign * h * f->beyond_at[slot];
		f->beyond[slot] = manufactured_pressure(p, on, NULL, NULL);
	} else {
		f->defect[at] += area * (f->pressure[at] - f->pressure[neighbour]);
		return;
	}
	f->rhs[at] += area * f->beyond[slot] / f->beyond_at[slot];
	f->defect[at] += area * (f->pressure[at] - f->beyond[slot]) / f->beyond_at[slot];
}

bool manufactured_fill(const struct manufactured *p, const struct grid *g, const uint16_t *open,
		       struct manufactured_fields *f)
{
	const size_t lattice = (size_t)g->lattice, faces = (size_t)p->dim * lattice;
	const double h = (double)g->h;
	double *memory = calloc(3 * lattice + 3 * faces, sizeof(double));
	*f = (struct manufactured_fields){.phi = calloc(lattice, sizeof(f32)),
					  .type = calloc(lattice, 1),
					  .pressure = memory};
	if (!memory || !f->phi || !f->type)
		return message_error("out of memory for the fields of %zu cells", lattice);
	f->rhs = memory + lattice;
	f->defect = f->rhs + lattice;
	f->gradient = f->defect + lattice;
	f->beyond = f->gradient + faces;
	f->beyond_at = f->beyond + faces;
	memset(f->type, CELL_SOLID, lattice);
	for (size_t n = 0; n < 2 * faces; n++)
		f->gradient[n] = (double)NAN; /* and beyond */
	FOR_CELLS(g, p->dim, c)
	{
		f->phi[c.n] = p->solid ? -g->h : (f32)-manufactured_distance(p, c.x, 1.2 * h);
		f->type[c.n] = type_of(p, g, open, f, c.n);
		f->pressure[c.n] = manufactured_pressure(p, c.x, NULL, NULL);
	}
	FOR_CELLS(g, p->dim, c)
	{
		if (f->type[c.n] != CELL_LIQUID)
			continue;
		if (!p->solid) {
			double laplacian;
			manufactured_pressure(p, c.x, NULL, &laplacian);
			f->rhs[c.n] = -h * h * laplacian;
			f->defect[c.n] = h * h * laplacian;
		}
		for (int a = 0; a < p->dim; a++)
			for (int side = 0; side < 2; side++)
				add_face(p, g, open, f, &c, a, side);
	}
	return true;
}

void manufactured_free(struct manufactured_fields *f)
{
	free(f->phi);
	free(f->type);
	free(f->pressure);
	*f = (struct manufactured_fields){0};
}

/* ---- errors ------------------------------------------------------------------------------- */

static void add_error(struct manufactured_errors *e, int kind, double error)
{
	e->sum[kind] += fabs(error);
	e->greatest[kind] = fmax(e->greatest[kind], fabs(error));
	e->count[kind] += 1.0;
}

/* (high - low)/theta of the found pressure against the exact gradient, at the faces of a cell. */
static void add_faces(const struct manufactured *p, const struct grid *g,
		      const struct manufactured_fields *f, const double *error, size_t at,
		      struct manufactured_errors *e)
{
	for (int a = 0; a < p->dim; a++)
		for (int side = 0; side < 2; side++) {
			const size_t stride = stride_of(g, a);
			const size_t slot =
				(size_t)a * (size_t)g->lattice + at + (size_t)side * stride;
			const double found = f->pressure[at] - error[at];
			double difference, theta = 1.0;
			if (isnan(f->gradient[slot]))
				continue;
			if (!isnan(f->beyond[slot])) {
				difference = (side ? 1.0 : -1.0) * (f->beyond[slot] - found);
				theta = f->beyond_at[slot];
			} else if (side == 1) {
				difference = f->pressure[at + stride] - error[at + stride] - found;
			} else {
				continue; /* seen from the other cell */
			}
			add_error(e, MANUFACTURED_VELOCITY,
				  difference / (theta * (double)g->h) - f->gradient[slot]);
		}
}

void manufactured_add_errors(const struct manufactured *p, const struct grid *g,
			     const struct manufactured_fields *f, const double *error,
			     struct manufactured_errors *e)
{
	FOR_CELLS(g, p->dim, c)
	{
		if (f->type[c.n] != CELL_LIQUID)
			continue;
		/* A centre in the solid stands for what little of its cell is open. */
		if (manufactured_shape(p, c.x) > 0.0)
			add_error(e, MANUFACTURED_PRESSURE, error[c.n]);
		add_faces(p, g, f, error, c.n, e);
	}
}
