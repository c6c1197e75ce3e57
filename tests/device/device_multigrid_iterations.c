/*
 * Iterations of conjugate gradients with the multigrid cycle: they do not grow with the grid, nor
 * with what walls do to coarse cells, and a cycle that overshoots is noticed.
 */
#include "multigrid_support.h"

#include <math.h>
#include <string.h>

#include "state.h"

/* ---- a solve ------------------------------------------------------------------------------ */

struct pool {
	int cells;
	uint64_t random;
	struct fixture f;
	struct mixture m;
	struct reference_operator op;
	double *b, *q;
};

/* The unit box; walls: a key of the domain more. */
static struct pool pool_make(int cells, const char *walls, const char *solids,
			     const struct blend *blend, uint64_t seed)
{
	struct pool p = {.cells = cells, .random = seed};
	p.f = fixture_make(DIM == 2 ? "domain: {size: [1, 1], cells: %d%s}\n%s"
				    : "domain: {size: [1, 1, 1], cells: %d%s}\n%s",
			   cells, walls, solids);
	p.m = mixture_make(&p.f.sim->lattice.grid, blend->solid, blend->air, blend->closed,
			   &p.random);
	p.b = test_calloc(2 * (size_t)p.f.sim->lattice.grid.lattice, sizeof(double));
	p.q = p.b + p.f.sim->lattice.grid.lattice;
	return p;
}

/* All air, to be filled. */
static struct pool pool_of_air(int cells, const char *solids, uint64_t seed)
{
	static const struct blend air = {"air", 0.0, 1.0, 0.0};
	return pool_make(cells, "", solids, &air, seed);
}

static void pool_set(struct pool *p, size_t at, double phi)
{
	p->m.phi[at] = (float)phi;
	p->m.type[at] = p->m.phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
}

/* At rest before gravity: minus the flux of a fall of 1 m/s, at the floor alone; and noise. */
static void pool_prepare(struct pool *p, double noise)
{
	solve_prepare(p->f.sim, &p->m, &p->op);
	FOR_CELLS(&p->f.sim->lattice.grid, i, j, k, at)
	if (p->m.type[at] == CELL_LIQUID)
		p->b[at] = (j == 0 ? 1.0 : 0.0) + noise * fixture_between(&p->random, -1.0, 1.0);
}

static struct solve_result pool_solve(struct pool *p, int most)
{
	struct solve_result r = solve_run(&p->f.sim->poisson, &p->op, p->b, p->q, 1e-6, most);
	assert_false(r.failed);
	if (!(r.residual <= 1.01e-6))
		fail_msg("%d cells: %.2g after %d iterations", p->cells, r.residual, r.iterations);
	return r;
}

static void pool_free(struct pool *p)
{
	test_free(p->b);
	reference_operator_finish(&p->op);
	mixture_free(&p->m);
	fixture_free(&p->f);
}

static int pool_finish(struct pool *p, int most)
{
	const int iterations = pool_solve(p, most).iterations;
	pool_free(p);
	return iterations;
}

/* The same as a fraction, to the tolerance exactly: the residual falls by a factor from each
 * iteration to the next. */
static double pool_finish_exactly(struct pool *p, int most)
{
	const struct solve_result last = pool_solve(p, most);
	const struct solve_result before =
		solve_run(&p->f.sim->poisson, &p->op, p->b, p->q, 1e-6, last.iterations - 1);
	assert_int_equal(before.iterations, last.iterations - 1);
	assert_true(before.residual > last.residual);
	pool_free(p);
	return before.iterations +
	       log(before.residual / 1e-6) / log(before.residual / last.residual);
}

/* ---- iterations --------------------------------------------------------------------------- */

/* A pool with waves on it, or flat, at rest before gravity and noise. */
static double pool_iterations(int cells, bool row, double noise)
{
	struct pool p = pool_of_air(cells, "", 4);
	FOR_CELLS(&p.f.sim->lattice.grid, i, j, k, at)
	{
		double x = (i + 0.5) / cells, y = (j + 0.5) / cells, z = (k + 0.5) / cells;
		double height = 0.53 + 0.06 * cos(5.0 * x) * (DIM == 3 ? cos(4.0 * z) : 1.0);
		/* The top row of cells is alone in its coarse cell on all levels. */
		if (row)
			height = 0.5 + 1.2 / cells;
		pool_set(&p, at, y - height);
	}
	pool_prepare(&p, noise);
	return pool_finish_exactly(&p, 100);
}

/* V(2,2), residual 1e-6. */
#define MOST_ITERATIONS (DIM == 2 ? 12 : 9)

static void test_iterations(void **state)
{
	(void)state;
	double first = 0.0;
	static const int sizes[] = {DIM == 2 ? 64 : 16, DIM == 2 ? 128 : 32, DIM == 2 ? 256 : 64};
	for (int n = 0; n < 3; n++) {
		const double smooth = pool_iterations(sizes[n], false, 0.0);
		const double rough = pool_iterations(sizes[n], false, 0.1);
		const double row = pool_iterations(sizes[n], true, 0.1);
		print_message("pool, %d cells per axis: %.2f iterations, with noise %.2f, with a"
			      " single row of cells on top %.2f\n",
			      sizes[n], smooth, rough, row);
		assert_true(smooth <= MOST_ITERATIONS);
		assert_true(rough <= MOST_ITERATIONS);
		assert_true(row <= MOST_ITERATIONS);
		first = n ? first : rough;
		assert_true(rough <= 1.25 * first);
	}
}

/* Closes the x-faces of a plane of cells, but for one at (j, k) = hole. */
static void close_plane(const struct grid *g, struct mixture *m, int plane, int hole_j, int hole_k)
{
	for (int k = 0; k < g->nz; k++)
		for (int j = 0; j < g->ny; j++)
			if (j != hole_j || k != hole_k)
				m->open[fixture_at(g, plane, j, k)] = 0;
}

/* Two pools with a wall without thickness between them, or a row of walls with a hole of one cell
 * each, `offset` cells beside the planes of coarse cells. */
static int walled_iterations(int cells, int offset, bool baffles)
{
	struct pool p = pool_of_air(cells, MIDDLE_BALL, 5);
	const struct grid *g = &p.f.sim->lattice.grid;
	const int middle = cells / 2 + offset;
	FOR_CELLS(g, i, j, k, at)
	pool_set(&p, at, (j + 0.5) / cells - (baffles || i < middle ? 0.63 : 0.41));
	if (!baffles)
		close_plane(g, &p.m, middle, -1, -1);
	for (int n = 1; baffles && n * cells / 8 + offset < cells; n++)
		close_plane(g, &p.m, n * cells / 8 + offset, n * 37 % (cells / 2), n * 53 % g->nz);
	pool_prepare(&p, 0.1);
	return pool_finish(&p, 100);
}

/* Five spheres, some of which overlap, in a pool: cells cut to any size, some of which hang on by a
 * thousandth of a face. */
static int round_iterations(int cells, int sweeps)
{
	static const char *const discs = "solids: [{sphere: {center: [0.3, 0.2], radius: 0.12}},"
					 " {sphere: {center: [0.7, 0.25], radius: 0.15}},"
					 " {sphere: {center: [0.5, 0.35], radius: 0.08}},"
					 " {sphere: {center: [0.2, 0.15], radius: 0.1}},"
					 " {sphere: {center: [0.75, 0.1], radius: 0.09}}]\n";
	static const char *const balls =
		"solids: [{sphere: {center: [0.3, 0.2, 0.3], radius: 0.12}},"
		" {sphere: {center: [0.7, 0.25, 0.6], radius: 0.15}},"
		" {sphere: {center: [0.5, 0.35, 0.2], radius: 0.08}},"
		" {sphere: {center: [0.2, 0.15, 0.75], radius: 0.1}},"
		" {sphere: {center: [0.75, 0.1, 0.2], radius: 0.09}}]\n";
	struct pool p = pool_of_air(cells, DIM == 2 ? discs : balls, 9);
	struct sim *sim = p.f.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice,
		     step[] = {1, (size_t)g->px, (size_t)(g->px * g->py)};
	uint16_t *open = fixture_read(&sim->solids.open_fraction, DIM * lattice * sizeof(*open));
	memcpy(p.m.open, open, DIM * lattice * sizeof(*open));
	FOR_CELLS(g, i, j, k, at)
	{
		bool any = false;
		for (size_t a = 0; a < DIM; a++)
			any |= open[a * lattice + at] || open[a * lattice + at + step[a]];
		pool_set(&p, at, (j + 0.5) / cells - 0.503);
		if (!any)
			p.m.type[at] = CELL_SOLID;
	}
	test_free(open);
	pool_prepare(&p, 0.1);
	sim->poisson.mg.sweeps = sweeps;
	return pool_finish(&p, 100);
}

static void test_round(void **state)
{
	(void)state;
	static const int sizes[] = {DIM == 2 ? 128 : 32, DIM == 2 ? 256 : 64};
	int first[2] = {0, 0};
	for (int n = 0; n < 2; n++) {
		const int one = round_iterations(sizes[n], 1), two = round_iterations(sizes[n], 2);
		print_message("round solids, %d cells per axis: V(1,1) %d iterations, V(2,2) %d\n",
			      sizes[n], one, two);
		assert_in_range(one, 1, 14);
		assert_in_range(two, 1, MOST_ITERATIONS);
		first[0] = n ? first[0] : one;
		first[1] = n ? first[1] : two;
		assert_true(one <= 1.25 * first[0]);
		assert_true(two <= 1.25 * first[1]);
	}
}

static void test_walls(void **state)
{
	(void)state;
	const int cells = DIM == 2 ? 64 : 32;
	for (int offset = 0; offset < (fixture_full() ? 8 : 4); offset++) {
		int plate = walled_iterations(cells, offset, false);
		int baffles = walled_iterations(cells, offset, true);
		print_message("%d cells per axis, walls %d beside coarse planes: a plate %d"
			      " iterations, baffles %d\n",
			      cells, offset, plate, baffles);
		assert_in_range(plate, 1, 16);
		assert_in_range(baffles, 1, 20);
	}
}

/* A full closed tank of chambers: walls without thickness every quarter of the box along each axis
 * and a cell more, so that blocks of all levels straddle them, each chamber's face pierced by one
 * cell.  Where walls meet a block holds pieces of 2^DIM chambers. */
static double chambers_iterations(int cells, int offset, int sweeps)
{
	struct pool p = pool_of_air(cells, MIDDLE_BALL, 11);
	const struct grid *g = &p.f.sim->lattice.grid;
	const int room = cells / 4 + 1;
	FOR_CELLS(g, i, j, k, at)
	{
		const int here[3] = {i + offset, j + offset, k + offset};
		pool_set(&p, at, -1.0);
		for (size_t a = 0; a < DIM; a++) {
			bool hole = true;
			for (size_t b = 0; b < DIM; b++)
				hole &= b == a || here[b] % room == room / 2;
			if (here[a] % room == 0 && !hole)
				p.m.open[a * (size_t)g->lattice + at] = 0;
		}
	}
	/* Net fluxes of velocities: those out of a chamber go through its holes. */
	solve_prepare(p.f.sim, &p.m, &p.op);
	const size_t step[] = {1, (size_t)g->px, (size_t)(g->px * g->py)};
	FOR_CELLS(g, i, j, k, at)
	for (size_t a = 0; a < DIM; a++) {
		const double u = (a == 1 ? -1.0 : 0.0) + fixture_between(&p.random, -0.3, 0.3);
		if (!p.m.open[a * (size_t)g->lattice + at])
			continue;
		p.b[at] += u;
		p.b[at - step[a]] -= u;
	}
	p.f.sim->poisson.mg.sweeps = sweeps;
	return pool_finish_exactly(&p, 100);
}

static void test_chambers(void **state)
{
	(void)state;
	static const int sizes[] = {DIM == 2 ? 64 : 32, DIM == 2 ? 128 : 64, DIM == 2 ? 256 : 128};
	double first[2] = {0.0, 0.0};
	for (int n = 0; n < (fixture_full() ? 3 : 2); n++)
		for (int sweeps = 1; sweeps <= 2; sweeps++) {
			const double exactly = chambers_iterations(sizes[n], 1, sweeps);
			print_message("chambers, %d cells per axis: V(%d,%d) %.2f iterations\n",
				      sizes[n], sweeps, sweeps, exactly);
			assert_true(exactly <= (sweeps == 1 || DIM == 2 ? 12.0 : 9.0));
			first[sweeps - 1] = n ? first[sweeps - 1] : exactly;
			assert_true(exactly <= 1.25 * first[sweeps - 1]);
		}
	/* Wherever walls fall on the grid, at most what any scene may take; from 5 on there are
	 * chambers without a hole too. */
	for (int offset = 0; offset < 9; offset++) {
		const double one = chambers_iterations(sizes[0], offset, 1);
		print_message("walls %d beside: %.2f iterations\n", offset, one);
		assert_true(one <= 14.0);
	}
}

/* Random mixtures far larger than those that dense factors can follow: coarse cells hold whatever
 * pockets, channels and walls there are, and a cycle that visits them twice must stay positive. */
static int blend_iterations(const struct blend *blend, int cells, bool twice)
{
	struct pool p = pool_make(cells, ", walls: {y+: open}", MIDDLE_BALL, blend, 7);
	solve_prepare(p.f.sim, &p.m, &p.op);
	p.f.sim->poisson.mg.many_walls = twice;
	solve_random(&p.op, p.b, &p.random);
	reference_remove_means(&p.op, p.b);
	return pool_finish(&p, 200);
}

static void test_blends(void **state)
{
	(void)state;
	const int cells = DIM == 2 ? 128 : fixture_full() ? 48 : 24;
	for (size_t n = 0; n < BLENDS; n++)
		print_message("%s, %d cells per axis: %d iterations, with second visits %d\n",
			      blends[n].name, cells, blend_iterations(&blends[n], cells, false),
			      blend_iterations(&blends[n], cells, true));
}

/* From level 2 on operators are a thousand times too soft, so that corrections of level 1 overshoot
 * as much: visited twice it turns the sign of what it corrects, and the solve must notice and go
 * back to one visit. */
static void test_overshoot(void **state)
{
	(void)state;
	uint64_t random = 8;
	struct reference_operator op;
	struct fixture f = make(true);
	struct multigrid *mg = &f.sim->poisson.mg;
	const size_t lattice = (size_t)f.sim->lattice.grid.lattice, total = (size_t)mg->total;
	struct mixture m = mixture_make(&f.sim->lattice.grid, 0.05, 0.1, 0.1, &random);
	double *b = test_calloc(2 * lattice, sizeof(double)), *q = b + lattice;
	solve_prepare(f.sim, &m, &op);
	float *link = links_read(mg);
	float *excess = fixture_read(&mg->excess, mg->excess.bytes);
	float *row = fixture_read(&mg->row, mg->row.bytes);
	const struct mg_level *soft = &mg->levels[2];
	for (size_t at = (size_t)soft->offset; at < total; at++) {
		excess[at] *= 1e-3f;
		for (size_t a = 0; a < DIM; a++)
			link[a * total + at] *= 1e-3f;
	}
	for (size_t at = (size_t)soft->extra_offset; at < (size_t)mg->nodes; at++)
		excess[at] *= 1e-3f;
	for (size_t n = (size_t)soft->row_offset * (MOST_PARTS + 1) * DIM;
	     n < mg->row.bytes / sizeof(float); n++)
		row[n] *= 1e-3f;
	coarse_links_write(mg, link);
	fixture_write(&mg->excess, excess, mg->excess.bytes);
	fixture_write(&mg->row, row, mg->row.bytes);
	mg->many_walls = true;
	/* Smooth: coarse levels have most to correct. */
	for (size_t at = 0; at < lattice; at++)
		b[at] = op.unknown[at] ? 1.0 : 0.0;
	struct solve_result r = solve_run(&f.sim->poisson, &op, b, q, 1e-6, 100);
	print_message("coarse operators a thousandth of what they should be: %d iterations\n",
		      r.iterations);
	assert_false(r.failed);
	assert_true(r.residual <= 1.01e-6);
	assert_true(mg->plain);
	/* Both together keep to the limit. */
	mg->plain = false;
	r = solve_run(&f.sim->poisson, &op, b, q, 1e-6, 10);
	assert_true(mg->plain);
	assert_int_equal(r.iterations, 10);
	test_free(link);
	test_free(excess);
	test_free(row);
	test_free(b);
	reference_operator_finish(&op);
	mixture_free(&m);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_iterations), cmocka_unit_test(test_round),
		cmocka_unit_test(test_walls),	   cmocka_unit_test(test_chambers),
		cmocka_unit_test(test_blends),	   cmocka_unit_test(test_overshoot),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
