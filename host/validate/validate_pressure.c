/* Orders of the pressure on curved boundaries, and its errors against published ones. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "manufactured.h"
#include "trial.h"

#define GRIDS 3 /* from the first to the last: the order */
/* How the boundary falls between cells scatters the greatest errors: over several places. */
#define PLACES 3
/* Of the defect, so far below any error of the grids; far more iterations than that takes. */
#define TOLERANCE 1e-9
#define MOST_ITERATIONS 200

/* ---- one solve ---------------------------------------------------------------------------- */

/* The lattice from a vector of the solver, adding to what is there. */
static bool add_solution(const struct poisson *p, const union f32_buffer *vector, double *lattice)
{
	const struct grid *g = &p->lattice->grid;
	f32 *values = malloc(vector->bytes);
	if (!values)
		return message_error("out of memory for %zu bytes", vector->bytes);
	const bool ok = clx_read(p->lattice->cl, vector, 0, vector->bytes, values);
	for (i32 k = 0; ok && k < g->nz; k++)
		for (i32 j = 0; j < g->ny; j++)
			for (i32 i = 0; i < g->nx; i++)
				lattice[(k * g->py + j) * g->px + i] += (double)values[multigrid_at(
					&p->mg.levels[0], p->lattice->dim, i, j, k)];
	free(values);
	return ok;
}

static bool write_rhs(struct poisson *p, const double *lattice)
{
	const struct grid *g = &p->lattice->grid;
	union f32_buffer *rhs = &p->rhs;
	f32 *values = calloc(rhs->bytes, 1);
	if (!values)
		return message_error("out of memory for %zu bytes", rhs->bytes);
	for (i32 k = 0; k < g->nz; k++)
		for (i32 j = 0; j < g->ny; j++)
			for (i32 i = 0; i < g->nx; i++)
				values[multigrid_at(&p->mg.levels[0], p->lattice->dim, i, j, k)] =
					(f32)lattice[(k * g->py + j) * g->px + i];
	const bool ok = clx_write(p->lattice->cl, rhs, 0, rhs->bytes, values);
	free(values);
	return ok;
}

/*
 * error = exact - discrete solution at the cells, by the scene's solver.  The problem is linear: it
 * is given the defect of the exact pressure, so that rounding is small against the error too. */
static bool solve_defect(struct trial *trial, const struct manufactured_fields *f, double *error,
			 int *iterations)
{
	struct poisson *p = trial_poisson(trial);
	struct poisson_result result;
	if (!trial_write(trial, TRIAL_PHI, f->phi) || !trial_write(trial, TRIAL_CELL_TYPE, f->type))
		return false;
	/* A substep starts with its counts at zero. */
	for (int count = SCALAR_COMPONENTS; count <= SCALAR_AIR_REGIONS; count++)
		if (!lattice_set_scalar(p->lattice, (enum scalar)count, 0))
			return false;
	if (!poisson_build_operator(p) || !components_label(p) ||
	    !poisson_begin(p, POISSON_PRESSURE) || !write_rhs(p, f->defect) ||
	    !poisson_solve(p, false, TOLERANCE, MOST_ITERATIONS, &result))
		return false;
	*iterations = result.iterations;
	if (result.failed)
		return message_error("the pressure solve failed: residual %g after %d iterations",
				     result.residual, result.iterations);
	return add_solution(p, &p->solution, error) && add_solution(p, &p->solution_low, error);
}

static bool add_problem_errors(struct validate *v, const struct manufactured *p, int cells,
			       struct manufactured_errors *e, int *iterations)
{
	struct manufactured_fields f = {0};
	char *text = manufactured_scene(p, cells);
	struct trial *trial = text ? trial_open_text(v, p->name, text) : NULL;
	uint16_t *open = trial ? trial_read(trial, TRIAL_OPEN_FRACTION) : NULL;
	double *error = trial ? calloc((size_t)trial->grid->lattice, sizeof(*error)) : NULL;
	int taken = 0;
	const bool ok = open && error && manufactured_fill(p, trial->grid, open, &f) &&
			solve_defect(trial, &f, error, &taken);
	if (ok)
		manufactured_add_errors(p, trial->grid, &f, error, e);
	*iterations = taken > *iterations ? taken : *iterations;
	manufactured_free(&f);
	free(error);
	free(open);
	free(text);
	trial_close(trial);
	return ok;
}

/* ---- criteria ----------------------------------------------------------------------------- */

struct order_case {
	struct manufactured problem;
	int coarsest;	     /* cells along an axis, at the usual level */
	const char *table;   /* published errors, or NULL */
	const char *method;  /* whose */
	const char *columns; /* of the table: "L1 Linf", "Linf" */
	double at_most;	     /* times the published error; 0: no band */
};

struct order_result {
	double mean[MANUFACTURED_KINDS][GRIDS], greatest[MANUFACTURED_KINDS][GRIDS];
};

/* Against the published error at this resolution, if there is one. */
static bool compare_published(struct validate *v, const struct order_case *c, int cells,
			      const char *norm, double error)
{
	struct curve table = {0};
	char origin[VALIDATE_TEXT];
	if (!c->table || !strstr(c->columns, norm))
		return true;
	if (!curve_read(c->table, "N", norm, cells, cells, &table)) {
		curve_free(&table);
		return false;
	}
	if (table.count == 1 && c->at_most > 0.0) {
		snprintf(origin, sizeof(origin), "%.2g times that of %s (the project's own)",
			 c->at_most, c->method);
		validate_band(v, "", error, table.y[0], -(double)INFINITY, c->at_most * table.y[0],
			      origin, "%s, %d cells: pressure %s", c->problem.name, cells, norm);
	} else if (table.count == 1) {
		validate_note(v, "", error, table.y[0], c->method, "%s, %d cells: pressure %s",
			      c->problem.name, cells, norm);
	}
	curve_free(&table);
	return true;
}

static void check_orders(struct validate *v, const struct order_case *c,
			 const struct order_result *r)
{
	static const char *const kinds[MANUFACTURED_KINDS] = {"pressure", "velocity"};
	static const double least[MANUFACTURED_KINDS] = {1.8, 0.9};
	for (int kind = 0; kind < MANUFACTURED_KINDS; kind++)
		for (int norm = 0; norm < 2; norm++) {
			const double *e = norm ? r->greatest[kind] : r->mean[kind];
			validate_band(v, "", log2(e[0] / e[GRIDS - 1]) / (GRIDS - 1),
				      kind == MANUFACTURED_PRESSURE ? 2.0 : 1.0, least[kind],
				      (double)INFINITY,
				      kind == MANUFACTURED_PRESSURE
					      ? "1.8 (validation set, 9; Gibou 2.0)"
					      : "0.9 (validation set, 9; Ng et al.: at most 1)",
				      "%s: order of the %s, %s", c->problem.name, kinds[kind],
				      norm ? "Linf" : "L1");
		}
}

static bool check_case(struct validate *v, const struct order_case *c, int coarsest,
		       struct order_result *r)
{
	int iterations = 0;
	for (int n = 0; n < GRIDS; n++) {
		const int cells = coarsest << n;
		struct manufactured_errors e = {0};
		for (int place = 0; place < PLACES; place++) {
			struct manufactured moved = c->problem;
			/* By 0, 1/3 and 2/3 of a cell, in another order along each axis. */
			for (int a = 0; a < moved.dim; a++)
				moved.centre[a] += moved.size / cells *
						   ((place + a * place * place) % 3) / 3.0;
			if (!add_problem_errors(v, &moved, cells, &e, &iterations))
				return false;
		}
		for (int kind = 0; kind < MANUFACTURED_KINDS; kind++) {
			r->mean[kind][n] = e.sum[kind] / e.count[kind];
			r->greatest[kind][n] = e.greatest[kind];
		}
		if (!compare_published(v, c, cells, "L1", r->mean[MANUFACTURED_PRESSURE][n]) ||
		    !compare_published(v, c, cells, "Linf", r->greatest[MANUFACTURED_PRESSURE][n]))
			return false;
	}
	check_orders(v, c, r);
	validate_note(v, "", iterations, (double)NAN, "tolerance 1e-9",
		      "%s: most iterations of a solve", c->problem.name);
	return true;
}

#define CASES_MOST 5

static bool run_orders(struct validate *v, const struct order_case *cases, int count)
{
	double x[CASES_MOST][GRIDS], y[CASES_MOST][GRIDS];
	struct plot plot = {.title = "GREATEST ERROR OF THE PRESSURE",
			    .x_label = "LOG2 OF THE CELLS",
			    .y_label = "LOG10 OF THE ERROR"};
	for (int n = 0; n < count; n++) {
		struct order_result r;
		const int coarsest = (cases[n].coarsest << (v->level - 1)) / 2;
		if (!check_case(v, &cases[n], coarsest, &r))
			return false;
		for (int grid = 0; grid < GRIDS; grid++) {
			x[n][grid] = log2(coarsest << grid);
			y[n][grid] = log10(r.greatest[MANUFACTURED_PRESSURE][grid]);
		}
		plot_add(&plot, cases[n].problem.name, PLOT_LINE, x[n], y[n], GRIDS);
	}
	return validate_figure(v, "errors", &plot,
			       "Greatest error of the pressure against the grid.");
}

#define OFF                       \
	{                         \
		0.487, 0.519, 0.0 \
	}
#define OFF_3D                      \
	{                           \
		0.487, 0.519, 0.506 \
	}
#define STAR                                                            \
	{                                                               \
		MANUFACTURED_STAR_MIDDLE, MANUFACTURED_STAR_MIDDLE, 0.0 \
	}

static bool run_poisson(struct validate *v)
{
	static const struct order_case cases[CASES_MOST] = {
		{{"x^2 + y^2 in a star", 2, false, 2.0, STAR, manufactured_star_of_five,
		  manufactured_paraboloid, true},
		 50,
		 "poisson_star_errors.csv",
		 "Gibou et al. 2002",
		 "L1 Linf",
		 1.1},
		{{"r^4 cos 3t around a star", 2, true, 1.0, OFF, manufactured_star_outside,
		  manufactured_quartic, true},
		 32,
		 "poisson_around_errors.csv",
		 "Basilisk",
		 "L1 Linf",
		 1.5},
		/* Third order there, with values on the boundary itself and an operator that is not
		   symmetric. */
		{{"r^4 cos 3t in a star", 2, false, 1.0, OFF, manufactured_star_inside,
		  manufactured_quartic, true},
		 80,
		 "poisson_inside_errors.csv",
		 "Johansen & Colella 1998, not symmetric, of third order",
		 "Linf",
		 0.0},
		{{"exp(-r^2) in a disc", 2, false, 1.0, OFF, manufactured_round, manufactured_bell,
		  false},
		 32,
		 NULL,
		 NULL,
		 NULL,
		 0.0},
		{{"exp(-r^2) around a disc", 2, true, 1.0, OFF, manufactured_round,
		  manufactured_bell, false},
		 32,
		 NULL,
		 NULL,
		 NULL,
		 0.0},
	};
	return run_orders(v, cases, CASES_MOST);
}

static bool run_poisson_3d(struct validate *v)
{
	static const struct order_case cases[] = {
		{{"exp(-r^2) in a ball", 3, false, 1.0, OFF_3D, manufactured_round,
		  manufactured_bell, false},
		 16,
		 NULL,
		 NULL,
		 NULL,
		 0.0},
		{{"exp(-r^2) around a ball", 3, true, 1.0, OFF_3D, manufactured_round,
		  manufactured_bell, false},
		 16,
		 NULL,
		 NULL,
		 NULL,
		 0.0},
	};
	return run_orders(v, cases, 2);
}

const struct validate_case validate_poisson = {
	.name = "poisson",
	.title = "orders of the pressure at curved surfaces and solids",
	.dim = 2,
	.time = "50 s",
	.source = "exact solutions; published errors, Gibou et al. 2002, Johansen & Colella 1998, "
		  "Basilisk",
	.run = run_poisson,
};

const struct validate_case validate_poisson_3d = {
	.name = "poisson-3d",
	.title = "orders of the pressure at balls",
	.dim = 3,
	.time = "20 s",
	.source = "exact solutions",
	.run = run_poisson_3d,
};
