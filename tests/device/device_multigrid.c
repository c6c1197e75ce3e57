/*
 * The multigrid cycle on a device as a preconditioner of conjugate gradients: restriction is the
 * transpose of prolongation, the V-cycle is symmetric and positive, coarse operators are what they
 * should be.  device_multigrid_iterations.c counts iterations.
 */
#include "multigrid_unknowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* <P c, f> = <c, R f> for random c, f on every pair of levels, further parts included.  Returns how
 * many of those there were. */
static size_t check_transfers(struct sim *sim, uint64_t *random)
{
	struct multigrid *mg = &sim->poisson.mg;
	size_t extras = 0;
	assert_true(clx_zero(sim->cl, &mg->state, 0, mg->state.bytes));
	for (int n = 0; n + 1 < mg->count; n++) {
		const struct mg_level *fine = &mg->levels[n], *coarse = &mg->levels[n + 1];
		const size_t cells = cells_of(fine), coarse_cells = cells_of(coarse);
		const size_t nf = cells + extras_of(mg, n);
		const size_t nc = coarse_cells + extras_of(mg, n + 1);
		double *f = test_calloc(nf, sizeof(double)), *pc = test_calloc(nf, sizeof(double));
		double *c = test_calloc(nc, sizeof(double)), *rf = test_calloc(nc, sizeof(double));
		bool *unknown = unknowns_of(mg, fine), *extra_unknown = unknown_extras(mg, n);
		bool *coarse_unknown = unknowns_of(mg, coarse),
		     *coarse_extra = unknown_extras(mg, n + 1);
		extras += nc - coarse_cells;
		random_vector(f, unknown, cells, extra_unknown, nf, random);
		/* What is no unknown holds 0 on all levels; transfers rely on it. */
		random_vector(c, coarse_unknown, coarse_cells, coarse_extra, nc, random);
		whole_write(mg, n, &mg->b, f, nf);
		whole_write(mg, n, &mg->x, pc, nf); /* zero: prolongation adds */
		whole_write(mg, n + 1, &mg->x, c, nc);
		assert_true(multigrid_restrict(mg, n + 1, false));
		assert_true(multigrid_prolong(mg, n, true));
		whole_read(mg, n + 1, &mg->b, rf, nc);
		whole_read(mg, n, &mg->x, pc, nf);
		double left = dot_cells(pc, f, nf), right = dot_cells(c, rf, nc);
		/* Sums of up to 27 * 2^DIM products, each with a few roundings. */
		double scale = sqrt(dot_cells(pc, pc, nf) * dot_cells(f, f, nf));
		if (fabs(left - right) > 64.0 * EPS * scale)
			fail_msg("level %d: <P c, f> = %.9g, <c, R f> = %.9g", n, left, right);
		assert_true(dot_cells(pc, pc, nf) > 0.0 || dot_cells(f, f, nf) == 0.0);
		test_free(f);
		test_free(pc);
		test_free(c);
		test_free(coarse_unknown);
		test_free(coarse_extra);
		test_free(rf);
		test_free(unknown);
		test_free(extra_unknown);
	}
	return extras;
}

static void test_transfers(void **state)
{
	(void)state;
	uint64_t random = 1;
	for (size_t n = 0; n < 3 * BLENDS; n++) {
		const struct blend *blend = &blends[n % BLENDS];
		const bool solid = n >= BLENDS, scarce = n >= 2 * BLENDS;
		struct reference_operator op;
		struct fixture f = make(solid);
		if (scarce)
			leave_room(&f.sim->poisson.mg, SCARCE);
		struct mixture m = mixture_make(&f.sim->lattice.grid, blend->solid, blend->air,
						blend->closed, &random);
		solve_prepare(f.sim, &m, &op);
		size_t extras = check_transfers(f.sim, &random);
		/* Closed faces at random cut blocks apart; without any nothing is cut. */
		assert_int_equal(extras > 0, solid && blend->closed + blend->solid > 0.0);
		/* What finds no room stays in one part. */
		if (scarce)
			assert_true(extras <= SCARCE * (size_t)f.sim->poisson.mg.count);
		else if (solid && extras)
			assert_true(extras > SCARCE * (size_t)f.sim->poisson.mg.count);
		reference_operator_finish(&op);
		mixture_free(&m);
		fixture_free(&f);
	}
}

/* Cells of a level that hold liquid: unknowns of level 0, above it any child.  below: of the finer
 * level. */
static bool *liquid_of(const struct multigrid *mg, int n, const bool *below)
{
	const struct mg_level *l = &mg->levels[n], *fine = &mg->levels[n > 0 ? n - 1 : 0];
	if (n == 0)
		return unknowns_of(mg, l);
	bool *liquid = test_calloc(cells_of(l), sizeof(bool));
	for (size_t cell = 0; cell < cells_of(fine); cell++) {
		int p[3];
		place_of(fine, cell, p);
		if (below[cell])
			liquid[number_of(l, p[0] / 2, p[1] / 2, p[2] / 2)] = true;
	}
	return liquid;
}

/* Layers of liquid children of coarse cell (i,j,k) along axis a: 1 or 2. */
static int layers_of(const struct mg_level *fine, const bool *liquid, const int coarse[3], size_t a)
{
	bool seen[2] = {false, false};
	for (int q = 0; q < 1 << DIM; q++) {
		const int i = 2 * coarse[0] + (q & 1), j = 2 * coarse[1] + (q >> 1 & 1);
		const int k = 2 * coarse[2] + (q >> 2);
		if (i < fine->nx && j < fine->ny && k < fine->nz &&
		    liquid[number_of(fine, i, j, k)])
			seen[q >> a & 1] = true;
	}
	return seen[0] && seen[1] ? 2 : 1;
}

/* Coarse links and excesses: the sum of the fine ones they cover over the distance, in fine cells,
 * of the unknowns' layers; ties of cells of one layer along some axis whole, else half. */
static void test_coarse_operators(void **state)
{
	(void)state;
	uint64_t random = 2;
	struct reference_operator op;
	struct fixture f = make(false);
	struct multigrid *mg = &f.sim->poisson.mg;
	struct mixture m = mixture_make(&f.sim->lattice.grid, 0.1, 0.2, 0.1, &random);
	solve_prepare(f.sim, &m, &op);
	const size_t total = (size_t)mg->total;
	float *link = links_read(mg);
	float *excess = fixture_read(&mg->excess, total * sizeof(float));
	bool *liquid = liquid_of(mg, 0, NULL);
	for (int n = 0; n + 1 < mg->count; n++) {
		const struct mg_level *fine = &mg->levels[n], *coarse = &mg->levels[n + 1];
		double *ties = test_calloc(cells_of(coarse), sizeof(double));
		double *links = test_calloc(cells_of(coarse) * DIM, sizeof(double));
		for (size_t cell = 0; cell < cells_of(fine); cell++) {
			int place[3];
			place_of(fine, cell, place);
			size_t at = level_at(fine, place[0], place[1], place[2]);
			size_t parent = number_of(coarse, place[0] / 2, place[1] / 2, place[2] / 2);
			ties[parent] += (double)excess[at];
			/* A link between cells of two parents joins the parents. */
			for (size_t a = 0; a < DIM; a++)
				if (place[a] % 2 == 1)
					links[a * cells_of(coarse) + parent] +=
						(double)link[a * total + at];
		}
		for (size_t cell = 0; cell < cells_of(coarse); cell++) {
			int place[3];
			place_of(coarse, cell, place);
			size_t at = level_at(coarse, place[0], place[1], place[2]);
			bool single = false;
			for (size_t a = 0; a < DIM; a++) {
				int next[3] = {place[0], place[1], place[2]};
				next[a]++;
				int own = layers_of(fine, liquid, place, a);
				double distance = 0.5 * (own + layers_of(fine, liquid, next, a));
				double expected = links[a * cells_of(coarse) + cell] / distance;
				single |= own == 1;
				assert_true(fabs((double)link[a * total + at] - expected) <=
					    8.0 * EPS * expected);
			}
			double tied = (single ? 1.0 : 0.5) * ties[cell];
			assert_true(fabs((double)excess[at] - tied) <= 8.0 * EPS * tied);
		}
		bool *above = liquid_of(mg, n + 1, liquid);
		test_free(liquid);
		liquid = above;
		test_free(ties);
		test_free(links);
	}
	test_free(liquid);
	test_free(link);
	test_free(excess);
	reference_operator_finish(&op);
	mixture_free(&m);
	fixture_free(&f);
}

/* z = M v. */
static void cycle(struct sim *sim, const double *v, double *z)
{
	struct multigrid *mg = &sim->poisson.mg;
	assert_true(clx_zero(sim->cl, &mg->state, 0, mg->state.bytes));
	solve_write(&sim->poisson, &mg->b, v);
	assert_true(multigrid_v_cycle(mg));
	solve_read(&sim->poisson, &mg->x, z);
}

/* The levels as launches of their own instead of in one work-group, half-sweep by half-sweep or in
 * two for a level: the same bits. */
static void check_launches(struct sim *sim, const double *v, const double *mv)
{
	struct multigrid *mg = &sim->poisson.mg;
	const int small = mg->group_from;
	const bool tiles = mg->tiles;
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	double *by_launches = test_calloc(lattice, sizeof(double));
	mg->group_from = mg->count - 1;
	for (int by_tiles = 0; by_tiles < 2; by_tiles++) {
		mg->tiles = by_tiles;
		cycle(sim, v, by_launches);
		assert_memory_equal(by_launches, mv, lattice * sizeof(double));
	}
	mg->tiles = tiles;
	mg->group_from = small;
	test_free(by_launches);
}

static void test_symmetric(void **state)
{
	(void)state;
	uint64_t random = 3;
	for (size_t n = 0; n < 3 * BLENDS; n++) {
		const struct blend *blend = &blends[n % BLENDS];
		struct reference_operator op;
		struct fixture f = make(n >= BLENDS);
		const size_t lattice = (size_t)f.sim->lattice.grid.lattice;
		struct mixture m = mixture_make(&f.sim->lattice.grid, blend->solid, blend->air,
						blend->closed, &random);
		double *v = test_calloc(4 * lattice, sizeof(double));
		double *w = v + lattice, *mv = w + lattice, *mw = mv + lattice;
		solve_prepare(f.sim, &m, &op);
		/* Once with coarse levels visited twice, whatever the walls. */
		f.sim->poisson.mg.many_walls = n >= 2 * BLENDS;
		for (int round = 0; round < 4; round++) {
			solve_random(&op, v, &random);
			solve_random(&op, w, &random);
			reference_remove_means(&op, v);
			reference_remove_means(&op, w);
			cycle(f.sim, v, mv);
			cycle(f.sim, w, mw);
			check_launches(f.sim, v, mv);
			reference_remove_means(&op, mv);
			reference_remove_means(&op, mw);
			double left = solve_dot(&op, w, mv), right = solve_dot(&op, v, mw);
			double scale = sqrt(solve_dot(&op, w, w) * solve_dot(&op, mv, mv));
			/* Some thousand roundings that mostly cancel. */
			if (fabs(left - right) > 1e-5 * scale)
				fail_msg("%s: <w, M v> = %.9g, <v, M w> = %.9g, scale %g",
					 blend->name, left, right, scale);
			assert_true(solve_dot(&op, v, mv) > 0.0);
			assert_true(solve_dot(&op, w, mw) > 0.0);
		}
		test_free(v);
		reference_operator_finish(&op);
		mixture_free(&m);
		fixture_free(&f);
	}
}

/* On a grid of more than 4096 cells, where a coarse level is the first that is visited twice:
 * whichever levels one work-group takes, a cycle has the same bits. */
static void check_spread(bool solid, double closed)
{
	uint64_t random = 5;
	struct reference_operator op;
	/* A ball far from everything gives coarse cells room for parts; faces are closed at random.
	 */
	struct fixture f = fixture_make(
		DIM == 2 ? "domain: {size: [6.7, 6.5], cells: 67, walls: {y+: open}}\n%s"
			 : "domain: {size: [1.7, 1.7, 1.5], cells: 17, walls: {y+: open}}\n%s",
		!solid	   ? ""
		: DIM == 2 ? "solids: [{sphere: {center: [1, 1], radius: 0.3}}]\n"
			   : "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.3}}]\n");
	struct multigrid *mg = &f.sim->poisson.mg;
	const size_t lattice = (size_t)f.sim->lattice.grid.lattice;
	struct mixture m = mixture_make(&f.sim->lattice.grid, 0.0, 0.3, closed, &random);
	double *v = test_calloc(3 * lattice, sizeof(double)), *mv = v + lattice;
	double *other = mv + lattice;
	solve_prepare(f.sim, &m, &op);
	solve_random(&op, v, &random);
	assert_int_equal(mg->revisited, 1);
	assert_int_equal(mg->further > 0, solid);
	for (int repeat = 0; repeat < 4; repeat++) {
		/* 2, or 1 or 3 sweeps on either side. */
		mg->sweeps = repeat == 2 ? 1 : repeat == 3 ? 3 : 2;
		mg->use = repeat > 0 ? MULTIGRID_PRECONDITIONER : MULTIGRID_ALONE;
		mg->tiles = false;
		mg->group_from = mg->revisited;
		cycle(f.sim, v, mv);
		assert_true(solve_dot(&op, mv, mv) > 0.0);
		multigrid_spread(mg);
		assert_true(mg->group_from > mg->revisited);
		for (; mg->group_from < mg->count; mg->group_from++)
			for (int tiles = 0; tiles < 2; tiles++) {
				mg->tiles = tiles;
				cycle(f.sim, v, other);
				assert_memory_equal(other, mv, lattice * sizeof(double));
			}
	}
	test_free(v);
	reference_operator_finish(&op);
	mixture_free(&m);
	fixture_free(&f);
}

static void test_spread(void **state)
{
	(void)state;
	check_spread(false, 0.0);
	check_spread(true, 0.4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_transfers),
		cmocka_unit_test(test_coarse_operators),
		cmocka_unit_test(test_symmetric),
		cmocka_unit_test(test_spread),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
