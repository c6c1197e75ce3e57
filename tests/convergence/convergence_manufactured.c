/*
 * Orders of convergence of the pressure and of the velocity correction on manufactured solutions
 * with curved, off-centre boundaries, and the same cases as in the published tables
 * (tests/data/poisson_irregular_published_errors.csv).
 *
 * Free surfaces (Dirichlet) by the ghost fluid, solids (Neumann) by open fractions.  The solver is
 * given the truncation error of the exact pressure, so that it finds the error itself: the problem
 * is linear, and neither single precision nor the tolerance is then in the way of small errors.
 */
#include "manufactured.h"
#include "solve_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVELS 3
/* How the boundary falls between cells scatters the greatest errors, which come from few cut cells:
 * over several places, the same for all grids. */
#define PLACES 3
#define PLACES_FULL 12

struct test_case {
	struct manufactured problem;
	int coarsest, coarsest_full;	/* cells along an axis */
	const char *published, *method; /* in the table, NULL: not there */
	double at_most;			/* times the published error */
};

enum { PRESSURE = MANUFACTURED_PRESSURE, VELOCITY = MANUFACTURED_VELOCITY };
#define KINDS MANUFACTURED_KINDS
struct errors {
	double mean[KINDS][LEVELS], greatest[KINDS][LEVELS];
};

static void measure(const struct manufactured *p, int cells, struct manufactured_errors *e)
{
	char *text = manufactured_scene(p, cells);
	assert_non_null(text);
	struct fixture fix = fixture_make("%s", text);
	free(text);
	const struct grid *g = &fix.sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	struct mixture m = {.open = fixture_read(&fix.sim->solids.open_fraction,
						 lattice * DIM * sizeof(uint16_t))};
	struct manufactured_fields f;
	struct reference_operator op;
	double *error = test_calloc(2 * lattice, sizeof(double)), *defect = error + lattice;
	assert_true(manufactured_fill(p, g, m.open, &f));
	m.phi = f.phi;
	m.type = f.type;
	solve_prepare(fix.sim, &m, &op);
	reference_apply(&op, f.pressure, defect);
	for (size_t at = 0; at < lattice; at++) {
		assert_true(op.unknown[at] == (f.type[at] == CELL_LIQUID));
		defect[at] = op.unknown[at] ? defect[at] - f.rhs[at] : 0.0;
	}
	struct solve_result r = solve_run(&fix.sim->poisson, &op, defect, error, 1e-6, 200);
	assert_false(r.failed);
	assert_true(r.residual < 1e-5);
	manufactured_add_errors(p, g, &f, error, e);
	reference_operator_finish(&op);
	test_free(error);
	test_free(m.open);
	manufactured_free(&f);
	fixture_free(&fix);
}

/* ---- bars --------------------------------------------------------------------------------- */

static double order_of(const double *error)
{
	return log2(error[0] / error[LEVELS - 1]) / (LEVELS - 1);
}

static void report(const struct test_case *c, int coarsest, const struct errors *e)
{
	static const char *const kinds[] = {"pressure", "velocity"};
	for (int kind = 0; kind < KINDS; kind++)
		for (int n = 0; n < LEVELS; n++) {
			print_message("%s, %s, %3d cells: mean %.3e, greatest %.3e",
				      c->problem.name, kinds[kind], coarsest << n, e->mean[kind][n],
				      e->greatest[kind][n]);
			if (n)
				print_message(
					", orders %.2f %.2f",
					log2(e->mean[kind][n - 1] / e->mean[kind][n]),
					log2(e->greatest[kind][n - 1] / e->greatest[kind][n]));
			print_message("\n");
		}
}

/* An error of the published table (tests/data): of the rows that start with `test` and hold
 * `method`, the one of a norm at N cells or N + 1 points; NaN if there is none. */
static double published_error(const char *test, const char *method, int cells, const char *norm)
{
	char path[512], line[512];
	double found = (double)NAN;
	const char *root = getenv("FRESHET_SOURCE");
	snprintf(path, sizeof(path), "%s/tests/data/poisson_irregular_published_errors.csv",
		 root ? root : ".");
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char its_method[128], its_norm[64];
		int n;
		double error;
		if (strncmp(line, test, strlen(test)) == 0 &&
		    sscanf(line, "%*[^,],%*[^,],%*d,%127[^,],%d,%63[^,],%lf", its_method, &n,
			   its_norm, &error) == 4 &&
		    strstr(its_method, method) && (n == cells || n == cells + 1) &&
		    strcmp(its_norm, norm) == 0)
			found = error;
	}
	fclose(file);
	return found;
}

/* The pressure against the published errors. */
static void compare(const struct test_case *c, int coarsest, const struct errors *e)
{
	static const char *const norms[] = {"L1", "Linf"};
	for (int n = 0; c->published && n < LEVELS; n++)
		for (int norm = 0; norm < 2; norm++) {
			const double error = norm ? e->greatest[PRESSURE][n] : e->mean[PRESSURE][n];
			const double theirs = published_error(c->published, c->method,
							      coarsest << n, norms[norm]);
			if (isnan(theirs))
				continue;
			print_message("%s, %3d cells: %s %.3e, %s %.3e, ratio %.2f\n",
				      c->problem.name, coarsest << n, norms[norm], error, c->method,
				      theirs, error / theirs);
			assert_true(error <= c->at_most * theirs);
		}
}

static void check(const struct test_case *c)
{
	struct errors e;
	const int coarsest = fixture_full() ? c->coarsest_full : c->coarsest;
	for (int n = 0; n < LEVELS; n++) {
		struct manufactured_errors sums = {0};
		const int places = fixture_full() ? PLACES_FULL : PLACES;
		for (int place = 0; place < places; place++) {
			struct manufactured moved = c->problem;
			const int third = place % 3, more = place / 3;
			/* By 0, 1/3 and 2/3 of a cell, in another order along each axis, and
			 * every three more by other twelfths. */
			for (int a = 0; a < DIM; a++)
				moved.centre[a] += moved.size / (coarsest << n) *
						   ((third + a * third * third) % 3 / 3.0 +
						    (a + 1) * more % 4 / 12.0);
			measure(&moved, coarsest << n, &sums);
		}
		for (int kind = 0; kind < KINDS; kind++) {
			e.mean[kind][n] = sums.sum[kind] / sums.count[kind];
			e.greatest[kind][n] = sums.greatest[kind];
		}
	}
	report(c, coarsest, &e);
	compare(c, coarsest, &e);
	assert_true(order_of(e.mean[PRESSURE]) >= 1.8);
	assert_true(order_of(e.greatest[PRESSURE]) >= 1.8);
	assert_true(order_of(e.mean[VELOCITY]) >= 0.9);
	assert_true(order_of(e.greatest[VELOCITY]) >= 0.9);
}

#define COLELLA_IN "2D r<0.30+0.15cos6th"
#define COLELLA_OUT "2D r>0.25+0.05cos6th"
#if DIM == 2
#define STAR                                                            \
	{                                                               \
		MANUFACTURED_STAR_MIDDLE, MANUFACTURED_STAR_MIDDLE, 0.0 \
	} /* off the middle, as published */
#define OFF                       \
	{                         \
		0.487, 0.519, 0.0 \
	}
static const struct test_case cases[] = {
	/* Theirs reaches third order with values on the boundary itself: a bound of 20 only guards.
	 */
	{{"r^4 cos 3t in a star", 2, false, 1.0, OFF, manufactured_star_inside,
	  manufactured_quartic, true},
	 80,
	 128,
	 COLELLA_IN,
	 "Johansen",
	 20.0},
	{{"r^4 cos 3t around a star", 2, true, 1.0, OFF, manufactured_star_outside,
	  manufactured_quartic, true},
	 32,
	 64,
	 COLELLA_OUT,
	 "Basilisk",
	 1.5},
	{{"x^2 + y^2 in a star", 2, false, 2.0, STAR, manufactured_star_of_five,
	  manufactured_paraboloid, true},
	 50,
	 100,
	 "2D star",
	 "Gibou-Fedkiw",
	 1.1},
	{{"exp(-r^2) in a disc", 2, false, 1.0, OFF, manufactured_round, manufactured_bell, false},
	 32,
	 64,
	 NULL,
	 NULL,
	 0.0},
	{{"exp(-r^2) around a disc", 2, true, 1.0, OFF, manufactured_round, manufactured_bell,
	  false},
	 32,
	 64,
	 NULL,
	 NULL,
	 0.0},
};
#else
#define OFF                         \
	{                           \
		0.487, 0.519, 0.506 \
	}
static const struct test_case cases[] = {
	{{"exp(-r^2) in a ball", 3, false, 1.0, OFF, manufactured_round, manufactured_bell, false},
	 16,
	 32,
	 NULL,
	 NULL,
	 0.0},
	{{"exp(-r^2) around a ball", 3, true, 1.0, OFF, manufactured_round, manufactured_bell,
	  false},
	 16,
	 32,
	 NULL,
	 NULL,
	 0.0},
};
#endif

static void test_problem(void **state)
{
	check(*state);
}

int main(int argc, char **argv)
{
	enum { COUNT = sizeof(cases) / sizeof(cases[0]) };
	struct test_case copies[COUNT];
	struct CMUnitTest tests[COUNT];
	for (int n = 0; n < COUNT; n++) {
		copies[n] = cases[n];
		tests[n] = (struct CMUnitTest){.name = cases[n].problem.name,
					       .test_func = test_problem,
					       .initial_state = &copies[n]};
	}
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return _cmocka_run_group_tests("manufactured", tests, COUNT, fixture_open, fixture_close);
}
