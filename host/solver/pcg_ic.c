#include "pcg_ic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "mg_state.h"

/* A pivot below this share of its diagonal is replaced by the diagonal (Bridson's safety). */
#define SAFETY 0.25

/* Sums run in this many lanes, lane t taking elements t, t + 8, ... */
#define LANES 8

#define NONE 0xffffffffu

/* Unknowns are numbered in cell order.  Vectors have n + 1 elements; number n stands for "no
 * neighbour", where links and values are 0. */
struct pcg_ic {
	int dim;
	size_t cells, n;
	u32 *cell;			/* [n] */
	u32 *lower[3], *upper[3];	/* [n], numbers of neighbours */
	f32 *link[3];			/* [n+1], to the upper neighbour */
	f32 *excess;			/* [n] */
	double *diagonal, *pivot;	/* [n], [n+1]; pivot: reciprocal */
	u32 *component;			/* [n], number of a singular component or NONE */
	u32 singular;			/* such components */
	double *mean, *members;		/* [singular] */
	double *b, *q, *r, *z, *s, *as; /* [n+1] */
};

void pcg_ic_free(struct pcg_ic *p)
{
	if (!p)
		return;
	for (int a = 0; a < 3; a++) {
		free(p->lower[a]);
		free(p->upper[a]);
		free(p->link[a]);
	}
	double *vectors[] = {p->diagonal, p->pivot, p->mean, p->members, p->b,
			     p->q,	  p->r,	    p->z,    p->s,	 p->as};
	for (size_t v = 0; v < sizeof(vectors) / sizeof(vectors[0]); v++)
		free(vectors[v]);
	free(p->cell);
	free(p->excess);
	free(p->component);
	free(p);
}

/* ---- matrix ------------------------------------------------------------------------------- */

struct box {
	const i32 *cells;
	const f32 *const *link;
	const f32 *excess;
	size_t count, stride[3];
	int dim;
};

static struct box box_of(const i32 cells[3], int dim, const f32 *const link[3], const f32 *excess)
{
	const size_t x = (size_t)cells[0], y = (size_t)cells[1], z = (size_t)cells[2];
	return (struct box){
		.cells = cells,
		.link = link,
		.excess = excess,
		.count = x * y * z,
		.stride = {1, x, x * y},
		.dim = dim,
	};
}

/* Has cell `at` a neighbour below or above along axis a? */
static bool has_lower(const struct box *box, size_t at, int a)
{
	return at / box->stride[a] % (size_t)box->cells[a] > 0;
}

static bool has_upper(const struct box *box, size_t at, int a)
{
	return at / box->stride[a] % (size_t)box->cells[a] + 1 < (size_t)box->cells[a];
}

static double diagonal_of(const struct box *box, size_t at)
{
	double sum = (double)box->excess[at];
	for (int a = 0; a < box->dim; a++) {
		if (has_upper(box, at, a))
			sum += (double)box->link[a][at];
		if (has_lower(box, at, a))
			sum += (double)box->link[a][at - box->stride[a]];
	}
	return sum;
}

/* Memory for n unknowns; false where some is missing. */
static bool allocate(struct pcg_ic *p, size_t n)
{
	double **vectors[] = {&p->diagonal, &p->pivot, &p->b, &p->q, &p->r, &p->z, &p->s, &p->as};
	bool ok = true;
	p->n = n;
	for (size_t v = 0; v < sizeof(vectors) / sizeof(vectors[0]); v++) {
		*vectors[v] = calloc(n + 1, sizeof(double));
		ok = ok && *vectors[v];
	}
	for (int a = 0; a < p->dim; a++) {
		p->lower[a] = calloc(n + 1, sizeof(u32));
		p->upper[a] = calloc(n + 1, sizeof(u32));
		p->link[a] = calloc(n + 1, sizeof(f32));
		ok = ok && p->lower[a] && p->upper[a] && p->link[a];
	}
	p->cell = calloc(n + 1, sizeof(u32));
	p->excess = calloc(n + 1, sizeof(f32));
	p->component = calloc(n + 1, sizeof(u32));
	return ok && p->cell && p->excess && p->component;
}

/* number: u32 [cells], the unknown of a cell or n. */
static void fill_matrix(struct pcg_ic *p, const struct box *box, const u32 *number)
{
	const u32 n = (u32)p->n;
	for (size_t at = 0; at < box->count; at++) {
		const u32 i = number[at];
		if (i == n)
			continue;
		p->cell[i] = (u32)at;
		p->excess[i] = box->excess[at];
		p->diagonal[i] = diagonal_of(box, at);
		for (int a = 0; a < p->dim; a++) {
			bool below =
				has_lower(box, at, a) && box->link[a][at - box->stride[a]] > 0.0f;
			bool above = has_upper(box, at, a) && box->link[a][at] > 0.0f;
			p->lower[a][i] = below ? number[at - box->stride[a]] : n;
			p->upper[a][i] = above ? number[at + box->stride[a]] : n;
			p->link[a][i] = above ? box->link[a][at] : 0.0f;
		}
	}
}

static u32 root_of(u32 *parent, u32 i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

/* Numbers the components without excess in the order of their first unknowns.  parent, tied:
 * scratch [n]. */
static bool find_singular(struct pcg_ic *p, u32 *parent, bool *tied)
{
	const size_t n = p->n;
	for (u32 i = 0; i < n; i++) {
		parent[i] = i;
		for (int a = 0; a < p->dim; a++) {
			if (p->lower[a][i] == n)
				continue;
			u32 one = root_of(parent, i), other = root_of(parent, p->lower[a][i]);
			parent[one > other ? one : other] = one > other ? other : one;
		}
	}
	for (u32 i = 0; i < n; i++)
		tied[root_of(parent, i)] |= p->excess[i] > 0.0f;
	/* A root comes before its members. */
	for (u32 i = 0; i < n; i++) {
		u32 root = root_of(parent, i);
		p->component[i] = tied[root]  ? NONE
				  : root == i ? p->singular++
					      : p->component[root];
	}
	p->mean = calloc((size_t)p->singular + 1, sizeof(double));
	p->members = calloc((size_t)p->singular + 1, sizeof(double));
	if (!p->mean || !p->members)
		return false;
	for (size_t i = 0; i < n; i++)
		if (p->component[i] != NONE)
			p->members[p->component[i]] += 1.0;
	return true;
}

/* What elimination of unknown m, below i along axis a, takes from i's diagonal: the square of the
 * link, and `modified` of the fill between i and m's other upper neighbours. */
static double eliminated(const struct pcg_ic *p, u32 m, int a, double modified)
{
	double link = (double)p->link[a][m], others = 0.0;
	for (int other = 0; other < p->dim; other++)
		if (other != a)
			others += (double)p->link[other][m];
	return link * (link + modified * others) * p->pivot[m];
}

static void factorise(struct pcg_ic *p, double modified)
{
	for (size_t i = 0; i < p->n; i++) {
		double e = p->diagonal[i];
		for (int a = 0; a < p->dim; a++)
			e -= eliminated(p, p->lower[a][i], a, modified);
		if (e < SAFETY * p->diagonal[i])
			e = p->diagonal[i];
		p->pivot[i] = 1.0 / e;
	}
}

static bool build(struct pcg_ic *p, const struct box *box, double modified)
{
	u32 n = 0;
	u32 *number = calloc(box->count + 1, sizeof(u32)), *parent = NULL;
	bool *tied = NULL;
	bool ok = number != NULL;
	for (size_t at = 0; ok && at < box->count; at++)
		n += diagonal_of(box, at) > 0.0;
	ok = ok && allocate(p, n);
	if (ok) {
		u32 next = 0;
		for (size_t at = 0; at < box->count; at++)
			number[at] = diagonal_of(box, at) > 0.0 ? next++ : n;
		fill_matrix(p, box, number);
		parent = calloc((size_t)n + 1, sizeof(u32));
		tied = calloc((size_t)n + 1, sizeof(bool));
		ok = parent && tied && find_singular(p, parent, tied);
	}
	if (ok)
		factorise(p, modified);
	free(number);
	free(parent);
	free(tied);
	return ok;
}

struct pcg_ic *pcg_ic_create(const i32 cells[3], int dim, const f32 *const link[3],
			     const f32 *excess, double modified)
{
	const struct box box = box_of(cells, dim, link, excess);
	struct pcg_ic *p = calloc(1, sizeof(*p));
	if (p) {
		p->dim = box.dim;
		p->cells = box.count;
		if (build(p, &box, modified))
			return p;
	}
	pcg_ic_free(p);
	message_error("pcg-ic: out of host memory for a matrix on %zu cells", box.count);
	return NULL;
}

/* ---- vectors ------------------------------------------------------------------------------ */

static double dot(const double *a, const double *b, size_t n)
{
	double lane[LANES] = {0.0}, sum = 0.0;
	size_t i = 0;
	for (; i + LANES <= n; i += LANES)
		for (size_t t = 0; t < LANES; t++)
			lane[t] += a[i + t] * b[i + t];
	for (size_t t = 0; i + t < n; t++)
		lane[t] += a[i + t] * b[i + t];
	for (size_t t = 0; t < LANES; t++)
		sum += lane[t];
	return sum;
}

static void remove_means(struct pcg_ic *p, double *v)
{
	if (p->singular == 0)
		return;
	memset(p->mean, 0, p->singular * sizeof(double));
	for (size_t i = 0; i < p->n; i++)
		if (p->component[i] != NONE)
			p->mean[p->component[i]] += v[i];
	for (u32 c = 0; c < p->singular; c++)
		p->mean[c] /= p->members[c];
	for (size_t i = 0; i < p->n; i++)
		if (p->component[i] != NONE)
			v[i] -= p->mean[p->component[i]];
}

/* as = A s; dim is a constant where this is called. */
static inline void multiply(struct pcg_ic *p, const int dim)
{
	const double *s = p->s;
	for (size_t i = 0; i < p->n; i++) {
		double sum = p->diagonal[i] * s[i];
		for (int a = 0; a < dim; a++) {
			const u32 low = p->lower[a][i], high = p->upper[a][i];
			sum -= (double)p->link[a][low] * s[low] + (double)p->link[a][i] * s[high];
		}
		p->as[i] = sum;
	}
}

/* r = b - A q by differences, which cancel less; its squared norm. */
static double true_residual(struct pcg_ic *p)
{
	const double *q = p->q;
	for (size_t i = 0; i < p->n; i++) {
		double sum = (double)p->excess[i] * q[i];
		for (int a = 0; a < p->dim; a++) {
			const u32 low = p->lower[a][i], high = p->upper[a][i];
			sum += (double)p->link[a][low] * (q[i] - q[low]) +
			       (double)p->link[a][i] * (q[i] - q[high]);
		}
		p->r[i] = p->b[i] - sum;
	}
	remove_means(p, p->r);
	return dot(p->r, p->r, p->n);
}

/* z = M r, M^-1 = (D + L) D^-1 (D + L^T): -L are the links, D the pivots. */
static inline void precondition(struct pcg_ic *p, const int dim)
{
	double *z = p->z;
	for (size_t i = 0; i < p->n; i++) {
		double sum = p->r[i];
		for (int a = 0; a < dim; a++) {
			const u32 low = p->lower[a][i];
			sum += (double)p->link[a][low] * z[low];
		}
		z[i] = sum * p->pivot[i];
	}
	for (size_t i = p->n; i-- > 0;) {
		double sum = 0.0;
		for (int a = 0; a < dim; a++)
			sum += (double)p->link[a][i] * z[p->upper[a][i]];
		z[i] += sum * p->pivot[i];
	}
	remove_means(p, z);
}

/* ---- conjugate gradients ------------------------------------------------------------------ */

/* One iteration; *rz is r.z of the last one, 0 to start afresh.  False if rounding leaves no
 * direction. */
static bool iterate(struct pcg_ic *p, double *rz)
{
	const size_t n = p->n;
	if (p->dim == 3)
		precondition(p, 3);
	else
		precondition(p, 2);
	const double now = dot(p->r, p->z, n);
	if (!(now > 0.0))
		return false;
	const double beta = *rz > 0.0 ? now / *rz : 0.0;
	*rz = now;
	for (size_t i = 0; i < n; i++)
		p->s[i] = p->z[i] + beta * p->s[i];
	if (p->dim == 3)
		multiply(p, 3);
	else
		multiply(p, 2);
	const double curvature = dot(p->s, p->as, n);
	if (!(curvature > 0.0))
		return false;
	const double alpha = now / curvature;
	for (size_t i = 0; i < n; i++) {
		p->q[i] += alpha * p->s[i];
		p->r[i] -= alpha * p->as[i];
	}
	return true;
}

static double peak(const double *v, size_t n)
{
	double most = 0.0;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(v[i]));
	return most;
}

/* Is the true residual r, with its r.r, small enough, in the mean and everywhere? */
static bool is_solved(const struct pcg_ic *p, double rr, double bb, double tolerance)
{
	return rr / bb <= tolerance * tolerance &&
	       peak(p->r, p->n) <= RESIDUAL_PEAK * tolerance * peak(p->b, p->n);
}

/* Iterates until done.  Only the residual computed from q ends it; where the one that is carried
 * along has left it, the search starts afresh (van der Vorst & Ye 2000). */
static void iterate_to_end(struct pcg_ic *p, double tolerance, int max_iterations,
			   struct pcg_ic_result *result)
{
	const double enough = tolerance * tolerance;
	double rr = true_residual(p), before = rr, rz = 0.0;
	while (!is_solved(p, rr, result->bb, tolerance) && result->iterations < max_iterations &&
	       !result->stalled) {
		bool moved = iterate(p, &rz);
		result->iterations++;
		double claimed = dot(p->r, p->r, p->n);
		rr = claimed;
		if (moved && claimed / result->bb > enough && result->iterations < max_iterations)
			continue;
		rr = true_residual(p);
		const bool drifted = claimed < 0.25 * rr;
		result->stalled = !moved || (drifted && rr > 0.9 * before);
		before = rr;
		if (drifted)
			rz = 0.0;
	}
	result->residual = sqrt(rr / result->bb);
	result->reached = is_solved(p, rr, result->bb, tolerance);
}

struct pcg_ic_result pcg_ic_solve(struct pcg_ic *p, const f32 *b, double *q, double tolerance,
				  int max_iterations)
{
	struct pcg_ic_result result = {0};
	for (size_t i = 0; i < p->n; i++) {
		p->b[i] = (double)b[p->cell[i]];
		p->q[i] = q[p->cell[i]];
	}
	remove_means(p, p->b);
	result.bb = dot(p->b, p->b, p->n);
	result.reached = !(result.bb > PCG_IC_REST);
	if (!result.reached)
		iterate_to_end(p, tolerance, max_iterations, &result);
	remove_means(p, p->q);
	for (size_t at = 0; at < p->cells; at++)
		q[at] = 0.0;
	for (size_t i = 0; i < p->n; i++)
		q[p->cell[i]] = p->q[i];
	return result;
}
