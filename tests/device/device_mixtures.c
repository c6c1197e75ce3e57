/*
 * Every pressure solver on hundreds of small random mixtures of liquid, air and solids, with
 * pockets, chambers, baffles and features of one cell, against a dense direct solve; right-hand
 * sides that no pressure can meet included.  The same bits however many iterations the host
 * enqueues at once.
 */
#include "solve_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EPS 0x1p-24

/* ---- mixtures ----------------------------------------------------------------------------- */

static const struct kind {
	const char *name;
	double solid, air, closed; /* of mixture_make() */
	int open_walls;
	int slabs, plates; /* at most: boxes of one type; planes of closed faces */
	double holes;	   /* chance that a plate has a hole of one cell */
} kinds[] = {
	{"full box", 0.0, 0.0, 0.0, 0, 0, 0, 0.0},
	{"full box, open top", 0.0, 0.0, 0.0, 1 << WALL_Y_HIGH, 0, 0, 0.0},
	{"partly open faces", 0.0, 0.0, 0.3, 0, 0, 0, 0.0},
	{"mostly liquid", 0.1, 0.1, 0.1, 1 << WALL_X_LOW, 0, 0, 0.0},
	{"sealed pockets", DIM == 2 ? 0.45 : 0.65, 0.02, 0.2, 0, 0, 0, 0.0},
	{"half air", 0.1, 0.5, 0.1, 0, 0, 0, 0.0},
	{"spray", 0.05, 0.9, 0.1, 1 << WALL_Y_LOW, 0, 0, 0.0},
	{"closed faces", 0.0, 0.05, 0.45, 0, 0, 0, 0.0},
	{"slabs in liquid", 0.0, 0.0, 0.0, 1 << WALL_Y_HIGH, 6, 0, 0.0},
	{"chambers", 0.0, 0.03, 0.0, 0, 0, 5, 0.3},
	{"baffles", 0.0, 0.0, 0.05, 1 << WALL_Y_HIGH, 1, 4, 1.0},
	{"slabs and plates", 0.05, 0.1, 0.1, 0, 8, 3, 0.7},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

#if DIM == 2
static const int sizes[][3] = {{12, 9, 1}, {7, 13, 1}, {16, 6, 1}, {11, 10, 1}, {1, 24, 1}};
#else
static const int sizes[][3] = {{5, 6, 4}, {4, 3, 7}, {8, 2, 6}, {3, 5, 7}, {2, 1, 12}};
#endif
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static int below(int n, uint64_t *random)
{
	return (int)fixture_between(random, 0.0, n);
}

static size_t stride_of(const struct grid *g, int axis)
{
	return fixture_at(g, axis == 0, axis == 1, axis == 2);
}

/* A box of one type, often one cell thick.  Solid cells stay solid. */
static void add_slab(const struct grid *g, struct mixture *m, uint64_t *random)
{
	static const uint8_t types[] = {CELL_SOLID, CELL_AIR, CELL_LIQUID, CELL_AIR};
	const uint8_t type = types[below(4, random)];
	int cells[3], low[3], high[3];
	fixture_cells(g, cells);
	for (int a = 0; a < 3; a++) {
		low[a] = below(cells[a], random);
		high[a] = fixture_random(random) < 0.5 ? low[a] + 1
						       : low[a] + 1 + below(cells[a], random);
	}
	FOR_CELLS(g, i, j, k, at)
	{
		if (i < low[0] || j < low[1] || k < low[2] || i >= high[0] || j >= high[1] ||
		    k >= high[2] || m->type[at] == CELL_SOLID)
			continue;
		m->type[at] = type;
		m->phi[at] = type == CELL_LIQUID ? -fabsf(m->phi[at]) : fabsf(m->phi[at]);
	}
}

/* Closes all faces of a plane across the box, but for a hole if there is one. */
static void add_plate(const struct grid *g, struct mixture *m, double holes, uint64_t *random)
{
	int cells[3];
	fixture_cells(g, cells);
	const int axis = below(DIM, random), plane = below(cells[axis], random);
	const bool hole = fixture_random(random) < holes;
	const int open[3] = {below(cells[0], random), below(cells[1], random),
			     below(cells[2], random)};
	FOR_CELLS(g, i, j, k, at)
	{
		const int cell[3] = {i, j, k};
		bool in_hole = hole;
		for (int a = 0; a < 3; a++)
			in_hole = in_hole && (a == axis || cell[a] == open[a]);
		if (cell[axis] == plane && plane > 0 && !in_hole)
			m->open[(size_t)axis * (size_t)g->lattice + at] = 0;
	}
}

/* Closes the faces of solid cells; cells without an open face become solid. */
static void settle(const struct grid *g, struct mixture *m)
{
	for (int pass = 0; pass < 2; pass++)
		FOR_CELLS(g, i, j, k, at)
		{
			bool any = false;
			for (int a = 0; a < DIM; a++)
				for (size_t side = 0; side < 2; side++) {
					uint16_t *open = &m->open[(size_t)a * (size_t)g->lattice +
								  at + side * stride_of(g, a)];
					if (m->type[at] == CELL_SOLID)
						*open = 0;
					any = any || *open != 0;
				}
			if (!any)
				m->type[at] = CELL_SOLID;
		}
}

static struct mixture make_mixture(const struct grid *g, const struct kind *kind, uint64_t *random)
{
	struct mixture m = mixture_make(g, kind->solid, kind->air, kind->closed, random);
	for (int n = kind->slabs ? 1 + below(kind->slabs, random) : 0; n > 0; n--)
		add_slab(g, &m, random);
	for (int n = kind->plates ? 1 + below(kind->plates, random) : 0; n > 0; n--)
		add_plate(g, &m, kind->holes, random);
	settle(g, &m);
	return m;
}

/* Noise; noise on an inflow everywhere, which sealed components cannot take; an inflow alone. */
static void make_rhs(const struct reference_operator *op, size_t which, double *b, uint64_t *random)
{
	for (int n = 0; n < op->grid->lattice; n++) {
		double noise = fixture_between(random, -1.0, 1.0);
		double value = which == 0 ? noise : which == 1 ? 3.0 + noise : 0.7;
		b[n] = op->unknown[n] ? (double)(float)value : 0.0;
	}
}

/* ---- solvers ------------------------------------------------------------------------------ */

static const struct solver {
	const char *name;
	enum scene_solver kind;
	int sweeps, max_iterations;
	double tolerance;
	size_t every; /* mixtures that the short form solves: the slow ones take few */
} solvers[] = {
	{"mgpcg", SOLVER_MGPCG, 2, 200, 1e-6, 1},
	{"mgpcg, one sweep", SOLVER_MGPCG, 1, 200, 1e-6, 3},
	{"cg", SOLVER_CG, 2, 1000, 1e-6, 1},
	{"pcg-ic", SOLVER_PCG_IC, 2, 1000, 1e-9, 1},
	{"multigrid", SOLVER_MULTIGRID, 10, 104, 1e-5, 1},
	{"gauss-seidel", SOLVER_GAUSS_SEIDEL, 2, 10000, 1e-5, 3},
	{"jacobi", SOLVER_JACOBI, 2, 100000, 1e-4, 7},
};
#define SOLVERS (sizeof(solvers) / sizeof(solvers[0]))

/* A mixture on the device with its exact solution. */
struct problem {
	struct fixture *f;
	struct reference_operator op;
	char what[128];
	double *b, *exact; /* [lattice], b as the solvers get it */
	double condition, size;
	double rounding; /* of the means that are taken out of b, relative */
};

static void choose(struct fixture *f, const struct solver *solver)
{
	f->scene->solver.pressure = solver->kind;
	f->scene->solver.tolerance = solver->tolerance;
	f->scene->solver.max_iterations = solver->max_iterations;
	f->scene->solver.full_cycles = 4;
	f->scene->solver.v_cycles = solver->max_iterations - 4;
	f->scene->solver.over_relaxation = 1.5;
	f->sim->poisson.mg.sweeps = solver->sweeps;
}

/* q = the solution from q = 0, high and low parts added. */
static struct solve_result solve(const struct problem *p, const struct solver *solver, double *q)
{
	struct sim *sim = p->f->sim;
	struct poisson *solving = &sim->poisson;
	choose(p->f, solver);
	assert_true(clx_zero(sim->cl, &solving->solution, 0, solving->solution.bytes) &&
		    clx_zero(sim->cl, &solving->solution_low, 0, solving->solution_low.bytes));
	return solve_run(&sim->poisson, &p->op, p->b, q, solver->tolerance, solver->max_iterations);
}

/* Ends below the tolerance by its own account and in truth, and at the direct solution as far as
 * the condition number lets the residual say.  False where multigrid alone ended above it. */
static bool check_solver(const struct problem *p, const struct solver *solver)
{
	const size_t lattice = (size_t)p->op.grid->lattice;
	/* The reference solver rounds nothing but q, to 48 bits. */
	const double rounding =
		solver->kind == SOLVER_PCG_IC ? 0x1p-46 * p->condition : p->rounding;
	double *q = test_calloc(2 * lattice, sizeof(double)), *again = q + lattice, error = 0.0;
	p->f->sim->poisson.expected[POISSON_PRESSURE][POISSON_FROM_ZERO] = 0;
	struct solve_result r = solve(p, solver, q);
	p->f->sim->poisson.expected[POISSON_PRESSURE][POISSON_FROM_ZERO] = 1 + r.iterations / 2;
	struct solve_result repeated = solve(p, solver, again);
	if (memcmp(q, again, lattice * sizeof(double)) != 0 || r.iterations != repeated.iterations)
		fail_msg("%s, %s: other bits when repeated", solver->name, p->what);
	reference_remove_means(&p->op, q);
	for (size_t n = 0; n < lattice; n++) {
		if (!isfinite(q[n]))
			fail_msg("%s, %s: not finite", solver->name, p->what);
		error += p->op.unknown[n] ? (q[n] - p->exact[n]) * (q[n] - p->exact[n]) : 0.0;
	}
	/* Multigrid alone may be slow where coarse levels do not see a wall; it must say so. */
	const bool slow = solver->kind == SOLVER_MULTIGRID && r.reported > solver->tolerance;
	if (r.failed ||
	    (!slow &&
	     (r.reported > solver->tolerance || r.residual > solver->tolerance + rounding)) ||
	    fabs(r.residual - r.reported) > 0.01 * solver->tolerance + rounding)
		fail_msg("%s, %s: %d iterations, residual %g, reported %g%s", solver->name, p->what,
			 r.iterations, r.residual, r.reported, r.failed ? ", failed" : "");
	if (sqrt(error) > p->condition * (r.residual + rounding) * p->size)
		fail_msg("%s, %s: error %g of %g, residual %g, condition %g", solver->name, p->what,
			 sqrt(error), p->size, r.residual, p->condition);
	test_free(q);
	return !slow;
}

/* Nothing is left of an inflow alone where no component is tied. */
static bool is_rest(const struct reference_operator *op, const double *b)
{
	double *projected = test_malloc((size_t)op->grid->lattice * sizeof(double));
	memcpy(projected, b, (size_t)op->grid->lattice * sizeof(double));
	reference_remove_means(op, projected);
	const bool rest = solve_dot(op, projected, projected) <= 1e-20;
	test_free(projected);
	return rest;
}

static void check_rest(const struct problem *p, const struct solver *solver)
{
	double *q = test_calloc((size_t)p->op.grid->lattice, sizeof(double));
	struct solve_result r = solve(p, solver, q);
	if (r.failed || r.iterations > 1)
		fail_msg("%s, %s: %d iterations for nothing%s", solver->name, p->what, r.iterations,
			 r.failed ? ", failed" : "");
	for (int n = 0; n < p->op.grid->lattice; n++)
		if (!(fabs(q[n]) <= 1e-5))
			fail_msg("%s, %s: pressure %g out of nothing", solver->name, p->what, q[n]);
	test_free(q);
}

/* ---- the tests ---------------------------------------------------------------------------- */

/* What the mixtures were, to see that they are what they should be. */
struct tally {
	int mixtures, ten_unknowns, sealed, many_pockets, incompatible, rest, slow;
};

static void count(struct tally *tally, const struct reference_operator *op, size_t rhs, bool rest)
{
	int unknowns = 0, singular = 0;
	for (int n = 0; n < op->grid->lattice; n++)
		unknowns += op->unknown[n];
	for (int c = 0; c < op->components; c++)
		singular += !op->tied[c];
	tally->mixtures++;
	tally->ten_unknowns += unknowns >= 10;
	tally->sealed += singular > 0;
	tally->many_pockets += singular >= 4;
	tally->incompatible += singular > 0 && rhs > 0;
	tally->rest += rest;
}

/* The excesses as the device has them: device_pressure.c checks these roundings.  Links are exact.
 */
static void use_device_excess(const struct sim *sim, struct reference_operator *op)
{
	double *excess = test_calloc((size_t)sim->lattice.grid.lattice, sizeof(double));
	solve_read(&sim->poisson, &sim->poisson.mg.excess, excess);
	for (int n = 0; n < sim->lattice.grid.lattice; n++)
		op->excess[n] = excess[n];
	test_free(excess);
}

static void check_mixture(struct fixture *f, size_t number, uint64_t *random, struct tally *tally)
{
	const struct kind *kind = &kinds[number % KINDS];
	const size_t lattice = (size_t)f->sim->lattice.grid.lattice, rhs = number / 2 % 3;
	struct problem p = {.f = f};
	f->sim->lattice.grid.open_walls = kind->open_walls;
	struct mixture m = make_mixture(&f->sim->lattice.grid, kind, random);
	snprintf(p.what, sizeof(p.what), "mixture %zu (%s, %d x %d x %d)", number, kind->name,
		 f->sim->lattice.grid.nx, f->sim->lattice.grid.ny, f->sim->lattice.grid.nz);
	solve_prepare(f->sim, &m, &p.op);
	use_device_excess(f->sim, &p.op);
	p.b = test_calloc(2 * lattice, sizeof(double));
	p.exact = p.b + lattice;
	make_rhs(&p.op, rhs, p.b, random);
	const bool rest = is_rest(&p.op, p.b);
	double *projected = test_malloc(lattice * sizeof(double));
	memcpy(projected, p.b, lattice * sizeof(double));
	reference_remove_means(&p.op, projected);
	reference_solve(&p.op, projected, p.exact, &p.condition);
	p.size = sqrt(solve_dot(&p.op, p.exact, p.exact));
	p.rounding =
		2.0 * EPS *
		(1.0 + sqrt(solve_dot(&p.op, p.b, p.b) / solve_dot(&p.op, projected, projected)));
	count(tally, &p.op, rhs, rest);
	for (size_t s = 0; s < SOLVERS; s++) {
		if (number % solvers[s].every != 0 && !fixture_full())
			continue;
		if (rest)
			check_rest(&p, &solvers[s]);
		else
			tally->slow += !check_solver(&p, &solvers[s]);
	}
	test_free(projected);
	test_free(p.b);
	reference_operator_finish(&p.op);
	mixture_free(&m);
}

static void test_mixtures(void **state)
{
	(void)state;
	const size_t mixtures = fixture_full() ? 400 : 60;
	/* Half of them in scenes with a solid, whose own faces are not used: then coarse cells may
	 * have several parts (kernels/multigrid/mg_parts.h). */
	static const char *const solids[] = {
		"", DIM == 2 ? "solids: [{sphere: {center: [0, 0], radius: 0.15}}]\n"
			     : "solids: [{sphere: {center: [0, 0, 0], radius: 0.15}}]\n"};
	struct fixture f[2][SIZES];
	struct tally tally = {0};
	uint64_t random = 5;
	for (size_t s = 0; s < 2 * SIZES; s++) {
		const int *n = sizes[s % SIZES];
		f[s / SIZES][s % SIZES] =
			DIM == 2 ? fixture_make("domain: {size: [%g, %g], cells: [%d, %d]}\n%s",
						0.1 * n[0], 0.1 * n[1], n[0], n[1],
						solids[s / SIZES])
				 : fixture_make(
					   "domain: {size: [%g, %g, %g], cells: [%d, %d, %d]}\n%s",
					   0.1 * n[0], 0.1 * n[1], 0.1 * n[2], n[0], n[1], n[2],
					   solids[s / SIZES]);
	}
	for (size_t n = 0; n < mixtures; n++)
		check_mixture(&f[(n + n / KINDS) % 2][n / KINDS % SIZES], n, &random, &tally);
	for (size_t s = 0; s < 2 * SIZES; s++)
		fixture_free(&f[s / SIZES][s % SIZES]);
	print_message("%d mixtures: %d of ten unknowns or more, %d with sealed components (%d of "
		      "four or more), %d right-hand sides that cannot be met, %d with nothing to "
		      "do; multigrid alone ended early on %d\n",
		      tally.mixtures, tally.ten_unknowns, tally.sealed, tally.many_pockets,
		      tally.incompatible, tally.rest, tally.slow);
	assert_true(10 * tally.ten_unknowns >= 8 * tally.mixtures);
	assert_true(4 * tally.sealed >= tally.mixtures);
	assert_true(12 * tally.many_pockets >= tally.mixtures);
	assert_true(5 * tally.incompatible >= tally.mixtures);
	assert_true(tally.rest > 0);
	assert_int_equal(tally.slow, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mixtures)};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
