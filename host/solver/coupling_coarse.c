/* The coarse matrix of deflation, E = Z^T A Z + sum of (J^T Z)^T C (J^T Z), and its inverse: in
 * double, of + - * / and sqrt in a fixed order.  Bodies whose columns do not meet, directly or by
 * others, have inverses of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coupling.h"
#include "message.h"

/* A column that is this close to those before it, in parts of its own energy, is left out.  Columns
 * are single precision: with 1e-7 rounding led where three boxes stood on each other in water, and
 * the solve failed; 1e-3 does as well as this. */
#define LEAST_PIVOT 1e-5

struct coarse {
	size_t count, axes, block;
	i32 *cluster; /* [count]: the least body of each one's */
	i32 *unknown; /* [count] */
	struct coupling_row *row;
	f32 *inverse;
	size_t entries;
	double *matrix; /* of a cluster, and a row to work in */
	struct pair *energy, *met;
};

static i32 root_of(i32 *cluster, i32 b)
{
	while (cluster[b] != b)
		b = cluster[b];
	return b;
}

static void join(i32 *cluster, i32 a, i32 b)
{
	a = root_of(cluster, a);
	b = root_of(cluster, b);
	cluster[a > b ? a : b] = a > b ? b : a;
}

static double value_of(const struct pair *p)
{
	return (double)p->high + (double)p->low;
}

/* Clusters one after the other, in each bodies in order; where each one's part of `inverse` is. */
static bool number_unknowns(struct coarse *o, const struct coupling_pair *pairs, i32 count)
{
	for (size_t b = 0; b < o->count; b++)
		o->cluster[b] = (i32)b;
	for (i32 p = 0; p < count; p++)
		join(o->cluster, pairs[p].row, pairs[p].column);
	size_t next = 0;
	o->entries = 0;
	for (i32 lead = 0; lead < (i32)o->count; lead++) {
		if (root_of(o->cluster, lead) != lead)
			continue;
		const size_t first = next;
		for (i32 b = lead; b < (i32)o->count; b++) {
			if (root_of(o->cluster, b) != lead)
				continue;
			o->unknown[b] = (i32)next;
			next += o->axes;
		}
		const size_t n = next - first;
		for (size_t u = first; u < next; u++)
			o->row[u] = (struct coupling_row){(i32)first, (i32)n,
							  (i32)(o->entries + (u - first) * n)};
		if (n * n > (size_t)INT32_MAX - o->entries)
			return message_error("too many bodies close together");
		o->entries += n * n;
	}
	return true;
}

static size_t largest(const struct coarse *o)
{
	size_t most = 0;
	for (size_t u = 0; u < o->count * o->axes; u++)
		most = (size_t)o->row[u].count > most ? (size_t)o->row[u].count : most;
	return most;
}

/* Adds block m[axes][axes] at bodies a, b of a cluster of n unknowns from `first` on. */
static void add_block(const struct coarse *o, double *matrix, size_t n, size_t first, i32 a, i32 b,
		      const double *m)
{
	const size_t at = (size_t)o->unknown[a] - first, to = (size_t)o->unknown[b] - first;
	for (size_t i = 0; i < o->axes; i++)
		for (size_t j = 0; j < o->axes; j++)
			matrix[(at + i) * n + to + j] += m[i * o->axes + j];
}

/* (J^T Z_a)^T C (J^T Z_b) of body `of`. */
static void push_block(const struct coarse *o, const f32 *inverse, const struct pair *left,
		       const struct pair *right, double *m)
{
	double product[COUPLING_MOST_AXES * COUPLING_MOST_AXES];
	const size_t n = o->axes;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			product[i * n + j] = 0.0;
			for (size_t k = 0; k < n; k++)
				product[i * n + j] +=
					(double)inverse[i * n + k] * value_of(&right[k * n + j]);
		}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			m[i * n + j] = 0.0;
			for (size_t k = 0; k < n; k++)
				m[i * n + j] += value_of(&left[k * n + i]) * product[k * n + j];
		}
}

/* The matrix of the cluster of `lead`. */
static void assemble(const struct coarse *o, const struct coupling *c, i32 lead,
		     const struct coupling_pair *overlap, const struct coupling_pair *meet)
{
	const size_t first = (size_t)o->unknown[lead], n = (size_t)o->row[first].count;
	double m[COUPLING_MOST_AXES * COUPLING_MOST_AXES];
	memset(o->matrix, 0, n * n * sizeof(*o->matrix));
	for (i32 p = 0; p < c->overlaps; p++) {
		const i32 a = overlap[p].row, b = overlap[p].column;
		if (root_of(o->cluster, a) != lead)
			continue;
		for (size_t i = 0; i < o->block; i++)
			m[i] = value_of(&o->energy[(size_t)p * o->block + i]);
		add_block(o, o->matrix, n, first, a, b, m);
		if (a == b)
			continue;
		for (size_t i = 0; i < o->axes; i++)
			for (size_t j = 0; j < o->axes; j++)
				m[j * o->axes + i] = value_of(
					&o->energy[(size_t)p * o->block + i * o->axes + j]);
		add_block(o, o->matrix, n, first, b, a, m);
	}
	/* Pairs are in order of columns; all pairs of one surface. */
	for (i32 p = 0; p < c->meets; p++) {
		const i32 of = meet[p].row;
		if (root_of(o->cluster, of) != lead)
			continue;
		for (i32 q = 0; q < c->meets; q++) {
			if (meet[q].row != of)
				continue;
			push_block(o, c->inverse_now + (size_t)of * o->block,
				   o->met + (size_t)p * o->block, o->met + (size_t)q * o->block, m);
			add_block(o, o->matrix, n, first, meet[p].column, meet[q].column, m);
		}
	}
}

/* L of L L^T; rows of what is left out are 0.  In place; the upper part is not looked at. */
static void factorise(double *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const double own = a[i * n + i];
		for (size_t j = 0; j < i; j++) {
			double sum = a[i * n + j];
			for (size_t k = 0; k < j; k++)
				sum -= a[i * n + k] * a[j * n + k];
			const double pivot = a[j * n + j];
			a[i * n + j] = pivot > 0.0 ? sum / pivot : 0.0;
		}
		double rest = own;
		for (size_t k = 0; k < i; k++)
			rest -= a[i * n + k] * a[i * n + k];
		const bool stays = rest > LEAST_PIVOT * own && own > 0.0;
		a[i * n + i] = stays ? sqrt(rest) : 0.0;
		for (size_t k = 0; k < i && !stays; k++)
			a[i * n + k] = 0.0;
	}
}

/* inverse = L^-T L^-1; `l` becomes L^-1; sum: [n]. */
static void invert(double *l, size_t n, double *sum, f32 *inverse)
{
	for (size_t j = 0; j < n; j++) {
		const double pivot = l[j * n + j];
		l[j * n + j] = pivot > 0.0 ? 1.0 / pivot : 0.0;
	}
	for (size_t i = 0; i < n; i++) {
		double *row = l + i * n;
		for (size_t j = 0; j < i; j++)
			sum[j] = 0.0;
		for (size_t k = 0; k < i; k++)
			for (size_t j = 0; j <= k; j++)
				sum[j] += row[k] * l[k * n + j];
		for (size_t j = 0; j < i; j++)
			row[j] = -row[i] * sum[j];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double product = 0.0;
			for (size_t k = i; k < n; k++)
				product += l[k * n + i] * l[k * n + j];
			inverse[i * n + j] = inverse[j * n + i] = (f32)product;
		}
}

static bool send(struct coupling *c, const struct coarse *o)
{
	struct clx *cl = c->lattice->cl;
	if (o->entries > c->coarse_room) {
		clx_free(cl, &c->coarse);
		c->coarse_room = 0;
		if (!clx_alloc(cl, &c->coarse, "inverse of the coarse matrix",
			       o->entries + o->entries / 2))
			return false;
		c->coarse_room = o->entries + o->entries / 2;
	}
	return clx_write(cl, &c->coarse, 0, o->entries * sizeof(f32), o->inverse) &&
	       clx_write(cl, &c->row, 0, o->count * o->axes * sizeof(*o->row), o->row) &&
	       clx_write(cl, &c->unknown, 0, o->count * sizeof(i32), o->unknown);
}

static bool work(struct coupling *c, struct coarse *o, const struct coupling_pair *overlap,
		 const struct coupling_pair *meet)
{
	struct clx *cl = c->lattice->cl;
	const size_t energy = (size_t)c->overlaps * o->block * sizeof(*o->energy),
		     met = (size_t)c->meets * o->block * sizeof(*o->met);
	o->cluster = malloc(o->count * sizeof(*o->cluster));
	o->unknown = malloc(o->count * sizeof(*o->unknown));
	o->row = malloc(o->count * o->axes * sizeof(*o->row));
	o->energy = malloc(energy);
	o->met = malloc(met);
	if (!o->cluster || !o->unknown || !o->row || !o->energy || !o->met)
		return message_memory(energy + met, "products of bodies' columns");
	if (!number_unknowns(o, overlap, c->overlaps))
		return false;
	const size_t n = largest(o);
	o->inverse = malloc(o->entries * sizeof(*o->inverse));
	o->matrix = malloc((n + 1) * n * sizeof(*o->matrix));
	if (!o->inverse || !o->matrix)
		return message_memory(n * n * sizeof(*o->matrix), "the coarse matrix of bodies");
	if (!clx_read(cl, &c->energy, 0, energy, o->energy) ||
	    !clx_read(cl, &c->met, 0, met, o->met))
		return false;
	for (i32 lead = 0; lead < (i32)o->count; lead++) {
		if (root_of(o->cluster, lead) != lead)
			continue;
		const struct coupling_row *row = &o->row[o->unknown[lead]];
		assemble(o, c, lead, overlap, meet);
		factorise(o->matrix, (size_t)row->count);
		invert(o->matrix, (size_t)row->count, o->matrix + n * n, o->inverse + row->entry);
	}
	return send(c, o);
}

bool coupling_invert(struct coupling *c, const struct coupling_pair *overlap,
		     const struct coupling_pair *meet)
{
	const int dim = c->lattice->dim;
	struct coarse o = {
		.count = c->count,
		.axes = (size_t)COUPLING_AXES(dim),
		.block = (size_t)COUPLING_BLOCK(dim),
	};
	const bool ok = work(c, &o, overlap, meet);
	free(o.cluster);
	free(o.unknown);
	free(o.row);
	free(o.energy);
	free(o.met);
	free(o.inverse);
	free(o.matrix);
	return ok;
}
