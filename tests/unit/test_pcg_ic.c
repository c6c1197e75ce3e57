/*
 * Conjugate gradients with an incomplete Cholesky factor, on the host alone: against a dense direct
 * solve, plain conjugate gradients and what the method promises.
 */
#include <math.h>
#include <string.h>

#include "pcg_ic.h"
#include "reference.h"
#include "stage_fixture.h"

/* A box of cells with links and excesses, x fastest. */
struct box {
	i32 cells[3];
	size_t count;
	f32 *link[3], *excess, *b;
	double *q;
};

static struct box box_make(int nx, int ny, int nz)
{
	struct box box = {.cells = {nx, ny, nz}, .count = (size_t)nx * (size_t)ny * (size_t)nz};
	for (int a = 0; a < DIM; a++)
		box.link[a] = test_calloc(box.count, sizeof(f32));
	box.excess = test_calloc(box.count, sizeof(f32));
	box.b = test_calloc(box.count, sizeof(f32));
	box.q = test_calloc(box.count, sizeof(double));
	return box;
}

static void box_free(struct box *box)
{
	for (int a = 0; a < DIM; a++)
		test_free(box->link[a]);
	test_free(box->excess);
	test_free(box->b);
	test_free(box->q);
}

static struct pcg_ic *box_matrix(const struct box *box, double modified)
{
	const f32 *const link[3] = {box->link[0], box->link[1], box->link[2]};
	struct pcg_ic *p = pcg_ic_create(box->cells, DIM, link, box->excess, modified);
	assert_non_null(p);
	return p;
}

/* From q = 0. */
static struct pcg_ic_result box_solve(struct box *box, double modified, double tolerance, int limit)
{
	struct pcg_ic *p = box_matrix(box, modified);
	memset(box->q, 0, box->count * sizeof(double));
	struct pcg_ic_result r = pcg_ic_solve(p, box->b, box->q, tolerance, limit);
	pcg_ic_free(p);
	return r;
}

/* ---- against a direct solve --------------------------------------------------------------- */

static struct grid grid_of(const int cells[3])
{
	struct grid g = {.nx = cells[0], .ny = cells[1], .nz = cells[2]};
	g.px = g.nx + 1;
	g.py = g.ny + 1;
	g.pz = DIM == 3 ? g.nz + 1 : 1;
	g.lattice = g.px * g.py * g.pz;
	g.h = 0.1f;
	return g;
}

/* The operator of a mixture as floats, in both. */
static struct box box_of_mixture(struct reference_operator *op, const struct grid *g,
				 const struct mixture *m)
{
	struct box box = box_make(g->nx, g->ny, g->nz);
	size_t cell = 0;
	reference_operator_init(op, g, DIM, m->phi, m->type, m->open);
	FOR_CELLS(g, i, j, k, at)
	{
		box.excess[cell] = (f32)op->excess[at];
		op->excess[at] = (double)box.excess[cell];
		for (int a = 0; a < DIM; a++) {
			box.link[a][cell] = (f32)op->link[a][at];
			op->link[a][at] = (double)box.link[a][cell];
		}
		cell++;
	}
	return box;
}

/* A right-hand side whose means are not 0: q must be that of b without them. */
static void check_mixture(const struct grid *g, const struct mixture *m, const char *what,
			  uint64_t *random)
{
	const size_t lattice = (size_t)g->lattice;
	struct reference_operator op;
	struct box box = box_of_mixture(&op, g, m);
	double *b = test_calloc(lattice, sizeof(double));
	double *exact = test_calloc(lattice, sizeof(double));
	double condition, error = 0.0, size = 0.0;
	size_t cell = 0;
	FOR_CELLS(g, i, j, k, at)
	{
		if (op.unknown[at])
			box.b[cell] = (f32)fixture_between(random, -1.0, 2.0);
		b[at] = (double)box.b[cell++];
	}
	reference_remove_means(&op, b);
	reference_solve(&op, b, exact, &condition);
	struct pcg_ic_result r = box_solve(&box, PCG_IC_MODIFIED, 1e-12, 10000);
	cell = 0;
	FOR_CELLS(g, i, j, k, at)
	{
		error += (box.q[cell] - exact[at]) * (box.q[cell] - exact[at]);
		size += exact[at] * exact[at];
		cell++;
	}
	/* The direct solution's own rounding: n condition 2^-53. */
	if (r.stalled || r.residual > 1e-12 ||
	    sqrt(error) > condition * (1e-12 + (double)lattice * 0x1p-53) * sqrt(size))
		fail_msg("%s: %d iterations, residual %g, error %g of %g, condition %g%s", what,
			 r.iterations, r.residual, sqrt(error), sqrt(size), condition,
			 r.stalled ? ", stalled" : "");
	test_free(b);
	test_free(exact);
	box_free(&box);
	reference_operator_finish(&op);
}

static void test_direct(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double solid, air, closed;
	} blends[] = {
		{"full box", 0.0, 0.0, 0.0},	     {"partly open", 0.0, 0.0, 0.3},
		{"mostly liquid", 0.1, 0.1, 0.1},    {"half air", 0.1, 0.5, 0.1},
		{"sealed pockets", 0.45, 0.02, 0.2}, {"spray", 0.05, 0.9, 0.1},
		{"nothing", 1.0, 0.0, 0.0},
	};
	static const int sizes[][3] = {
		{DIM == 2 ? 12 : 5, DIM == 2 ? 9 : 6, DIM == 2 ? 1 : 4},
		{1, 11, 1},
		{DIM == 2 ? 17 : 3, 5, DIM == 2 ? 1 : 7},
	};
	uint64_t random = 11;
	for (size_t n = 0; n < 7 * 3 * 4; n++) {
		struct grid g = grid_of(sizes[n / 7 % 3]);
		struct mixture m = mixture_make(&g, blends[n % 7].solid, blends[n % 7].air,
						blends[n % 7].closed, &random);
		check_mixture(&g, &m, blends[n % 7].name, &random);
		mixture_free(&m);
	}
}

/* Along a line nothing fills in: the factor is exact, and one iteration is enough. */
static void test_line(void **state)
{
	(void)state;
	uint64_t random = 12;
	for (int axis = 0; axis < DIM; axis++) {
		struct box box =
			box_make(axis == 0 ? 60 : 1, axis == 1 ? 60 : 1, axis == 2 ? 60 : 1);
		for (size_t n = 0; n < box.count; n++) {
			box.link[axis][n] = (f32)fixture_between(&random, 0.1, 1.0);
			box.excess[n] = (f32)fixture_between(&random, 0.5, 1.0);
			box.b[n] = (f32)fixture_between(&random, -1.0, 1.0);
		}
		struct pcg_ic_result r = box_solve(&box, PCG_IC_MODIFIED, 1e-12, 10);
		assert_int_equal(r.iterations, 1);
		box_free(&box);
	}
}

/* ---- iterations --------------------------------------------------------------------------- */

static size_t at_of(const struct box *box, int i, int j, int k)
{
	return ((size_t)k * (size_t)box->cells[1] + (size_t)j) * (size_t)box->cells[0] + (size_t)i;
}

/* The unit box of n^DIM cells; p = 0 on all sides, or on the upper y side alone. */
static struct box poisson(int n, bool open_top_alone)
{
	struct box box = box_make(n, n, DIM == 3 ? n : 1);
	uint64_t random = 13;
	for (size_t cell = 0; cell < box.count; cell++) {
		const size_t x = cell % (size_t)n, y = cell / (size_t)n % (size_t)n,
			     z = cell / (size_t)n / (size_t)n;
		const size_t place[3] = {x, y, z}, last = (size_t)n - 1;
		for (int a = 0; a < DIM; a++) {
			box.link[a][cell] = place[a] < last ? 1.0f : 0.0f;
			if (!open_top_alone && place[a] == 0)
				box.excess[cell] += 2.0f;
			if (place[a] == last && (!open_top_alone || a == 1))
				box.excess[cell] += 2.0f;
		}
		box.b[cell] = (f32)fixture_between(&random, -1.0, 1.0);
	}
	return box;
}

static void apply(const struct box *box, const double *q, double *result)
{
	for (int k = 0; k < box->cells[2]; k++)
		for (int j = 0; j < box->cells[1]; j++)
			for (int i = 0; i < box->cells[0]; i++) {
				const size_t at = at_of(box, i, j, k);
				const int place[3] = {i, j, k};
				double sum = (double)box->excess[at] * q[at];
				for (int a = 0; a < DIM; a++) {
					const size_t step = at_of(box, a == 0, a == 1, a == 2);
					if (place[a] > 0)
						sum += (double)box->link[a][at - step] *
						       (q[at] - q[at - step]);
					if (place[a] + 1 < box->cells[a])
						sum += (double)box->link[a][at] *
						       (q[at] - q[at + step]);
				}
				result[at] = sum;
			}
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Iterations of conjugate gradients without a preconditioner (Hestenes & Stiefel 1952). */
static int plain_iterations(const struct box *box, double tolerance)
{
	const size_t n = box->count;
	double *r = test_calloc(3 * n, sizeof(double)), *s = r + n, *as = s + n;
	for (size_t i = 0; i < n; i++)
		r[i] = s[i] = (double)box->b[i];
	const double bb = dot(r, r, n);
	double rr = bb;
	int iterations = 0;
	for (; rr > tolerance * tolerance * bb && iterations < 10000; iterations++) {
		apply(box, s, as);
		const double alpha = rr / dot(s, as, n), before = rr;
		for (size_t i = 0; i < n; i++)
			r[i] -= alpha * as[i];
		rr = dot(r, r, n);
		for (size_t i = 0; i < n; i++)
			s[i] = r[i] + rr / before * s[i];
	}
	test_free(r);
	return iterations;
}

/* Fewer than IC(0), which needs fewer than none.  With exact row sums and p = 0 on all sides the
 * iterations grow by sqrt 2 when cells double, not by 2 (Gustafsson 1978). */
static void test_iterations(void **state)
{
	(void)state;
	for (int top = 0; top < 2; top++) {
		int before = 0;
		for (int n = DIM == 2 ? 32 : 12; n <= (DIM == 2 ? 128 : 48); n *= 2) {
			struct box box = poisson(n, top);
			int mic = box_solve(&box, PCG_IC_MODIFIED, 1e-6, 10000).iterations;
			int ic = box_solve(&box, 0.0, 1e-6, 10000).iterations;
			int plain = plain_iterations(&box, 1e-6);
			print_message("%s, %d cells per axis: MIC(0) %d, IC(0) %d, CG %d\n",
				      top ? "open top" : "open box", n, mic, ic, plain);
			assert_in_range(mic, 1, ic - 1);
			assert_in_range(ic, 1, plain - 1);
			int exact = box_solve(&box, 1.0, 1e-6, 10000).iterations;
			if (before && !top)
				assert_true(exact <= 1.5 * before + 1.0);
			before = exact;
			box_free(&box);
		}
	}
}

/* ---- ends --------------------------------------------------------------------------------- */

/* The residual that is told is the true one. */
static double true_residual(const struct box *box)
{
	double *r = test_calloc(2 * box->count, sizeof(double)), *b = r + box->count;
	apply(box, box->q, r);
	for (size_t n = 0; n < box->count; n++) {
		b[n] = (double)box->b[n];
		r[n] = b[n] - r[n];
	}
	double residual = sqrt(dot(r, r, box->count) / dot(b, b, box->count));
	test_free(r);
	return residual;
}

static void test_ends(void **state)
{
	(void)state;
	struct box box = poisson(DIM == 2 ? 32 : 12, true);
	/* the limit */
	struct pcg_ic_result r = box_solve(&box, PCG_IC_MODIFIED, 1e-10, 3);
	assert_int_equal(r.iterations, 3);
	assert_true(r.residual > 1e-10 && !r.stalled);
	assert_true(fabs(r.residual / true_residual(&box) - 1.0) <= 1e-9);
	/* the rest from where it stopped */
	struct pcg_ic *p = box_matrix(&box, PCG_IC_MODIFIED);
	r = pcg_ic_solve(p, box.b, box.q, 1e-10, 10000);
	assert_true(r.residual <= 1e-10 && true_residual(&box) <= 1.001e-10);
	assert_int_equal(pcg_ic_solve(p, box.b, box.q, 1e-10, 10000).iterations, 0);
	/* less than rounding allows */
	r = pcg_ic_solve(p, box.b, box.q, 1e-30, 10000);
	assert_true(r.stalled && r.iterations < 1000 && r.residual < 1e-13);
	/* b = 0, and fluxes that count as rest */
	for (int tiny = 0; tiny < 2; tiny++) {
		memset(box.q, 0, box.count * sizeof(double));
		for (size_t n = 0; n < box.count; n++)
			box.b[n] = tiny ? 1e-12f : 0.0f;
		r = pcg_ic_solve(p, box.b, box.q, 1e-6, 100);
		assert_int_equal(r.iterations, 0);
		assert_true(r.residual == 0.0);
		for (size_t n = 0; n < box.count; n++)
			assert_true(box.q[n] == 0.0);
	}
	/* not a number is no success */
	box.b[0] = NAN;
	r = pcg_ic_solve(p, box.b, box.q, 1e-6, 100);
	assert_int_equal(r.iterations, 0);
	assert_false(r.bb < (double)INFINITY);
	pcg_ic_free(p);
	box_free(&box);
}

/* A closed box that is filled evenly: no pressure can help, none is made up.  And the same flow
 * with and without such a filling gives the same pressure. */
static void test_incompatible(void **state)
{
	(void)state;
	struct box box = poisson(DIM == 2 ? 20 : 9, true);
	double *q = test_calloc(box.count, sizeof(double)), largest = 0.0, sum = 0.0;
	memset(box.excess, 0, box.count * sizeof(f32));
	for (int filled = 0; filled < 2; filled++) {
		/* Multiples of 2^-10 below 2: adding 1 rounds nothing. */
		for (size_t n = 0; n < box.count; n++)
			box.b[n] = (f32)(rint((double)box.b[n] * 1024.0) / 1024.0) + (f32)filled;
		struct pcg_ic_result r = box_solve(&box, PCG_IC_MODIFIED, 1e-12, 1000);
		assert_true(r.residual <= 1e-12);
		for (size_t n = 0; n < box.count; n++) {
			largest = fmax(largest, fabs(box.q[n]));
			sum += box.q[n];
			if (filled)
				assert_true(fabs(box.q[n] - q[n]) <= 1e-9 * largest);
		}
		assert_true(fabs(sum) <= 1e-12 * largest * (double)box.count);
		memcpy(q, box.q, box.count * sizeof(double));
	}
	for (size_t n = 0; n < box.count; n++)
		box.b[n] = 0.3f;
	struct pcg_ic_result r = box_solve(&box, PCG_IC_MODIFIED, 1e-12, 1000);
	assert_int_equal(r.iterations, 0);
	assert_true(r.residual == 0.0);
	for (size_t n = 0; n < box.count; n++)
		assert_true(box.q[n] == 0.0);
	test_free(q);
	box_free(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct),	     cmocka_unit_test(test_line),
		cmocka_unit_test(test_iterations),   cmocka_unit_test(test_ends),
		cmocka_unit_test(test_incompatible),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
