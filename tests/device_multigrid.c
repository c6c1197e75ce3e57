/*
 * The multigrid cycle on a device as a preconditioner of conjugate gradients: restriction is the
 * transpose of prolongation, the V-cycle is symmetric and positive, coarse operators are what they
 * should be, and the number of iterations does not grow with the grid.
 */
#include "solve_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages.h"

#define EPS 0x1p-24

static const struct blend {
	const char *name;
	double solid, air, closed;
} blends[] = {
	{"full", 0.0, 0.0, 0.0},	   {"partly open", 0.0, 0.0, 0.2},
	{"mostly liquid", 0.05, 0.1, 0.1}, {"pockets", 0.4, 0.05, 0.2},
	{"half air", 0.1, 0.5, 0.1},
};
#define BLENDS (sizeof(blends) / sizeof(blends[0]))

static size_t cells_of(const struct mg_level *l)
{
	return (size_t)l->nx * (size_t)l->ny * (size_t)l->nz;
}

/* Odd sizes: the last coarse cells stick out of the box.  A solid lets coarse cells have several
 * parts; the faces that it closes are not used. */
static struct fixture make(bool solid)
{
	const char *solids =
		!solid	   ? ""
		: DIM == 2 ? "solids: [{sphere: {center: [0.5, 0.5], radius: 0.1}}]\n"
			   : "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.1}}]\n";
	return DIM == 2 ? fixture_make(
				  "domain: {size: [4.7, 3.3], cells: 47, walls: {y+: open}}\n%s",
				  solids)
			: fixture_make("domain: {size: [1.3, 1.1, 0.7], cells: 13,"
				       " walls: {y+: open}}\n%s",
				       solids);
}

/* First further part * 4 + number of further parts of a cell. */
static uint32_t parts_at(const struct mg_level *l, const uint32_t *parts, int i, int j, int k)
{
	return parts[(int)level_at(l, i, j, k) + l->coarse_shift] & 0x3fffffffu;
}

/* Further parts of a level's cells that are in use. */
static size_t extras_of(const struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	size_t used = 0;
	if (!mg->split || n == 0)
		return 0;
	uint32_t *parts = fixture_read(&mg->parts, mg->parts.bytes);
	for (size_t cell = 0; cell < cells_of(l); cell++) {
		const int i = (int)(cell % (size_t)l->nx),
			  j = (int)(cell / (size_t)l->nx % (size_t)l->ny),
			  k = (int)(cell / (size_t)l->nx / (size_t)l->ny);
		const uint32_t p = parts_at(l, parts, i, j, k);
		if ((p & 3) && (p >> 2) + (p & 3) > used)
			used = (p >> 2) + (p & 3);
	}
	test_free(parts);
	return used;
}

/* Which of them have a positive diagonal. */
static bool *unknown_extras(const struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	const size_t used = extras_of(mg, n);
	bool *unknown = test_calloc(used + 1, sizeof(bool));
	if (!used)
		return unknown;
	uint32_t *parts = fixture_read(&mg->parts, mg->parts.bytes);
	float *row = fixture_read(&mg->row, mg->row.bytes);
	float *excess = fixture_read(&mg->excess, mg->excess.bytes);
	for (size_t cell = 0; cell < cells_of(l); cell++) {
		const int i = (int)(cell % (size_t)l->nx),
			  j = (int)(cell / (size_t)l->nx % (size_t)l->ny),
			  k = (int)(cell / (size_t)l->nx / (size_t)l->ny);
		const uint32_t p = parts_at(l, parts, i, j, k);
		for (size_t e = p >> 2; e < (p >> 2) + (p & 3); e++) {
			const float *links = row + ((size_t)l->row_offset + e) * 5 * DIM;
			unknown[e] |= excess[(size_t)l->extra_offset + e] > 0.0f;
			for (size_t a = 0; a < DIM; a++) {
				for (size_t t = 0; t < 4; t++)
					unknown[e] |= links[4 * a + t] > 0.0f;
				unknown[e] |= links[4 * DIM + a] > 0.0f;
			}
			/* Links of two extras are in the row of the lower one. */
			for (size_t a = 0; a < DIM; a++) {
				if (a == 0   ? i + 1 == l->nx
				    : a == 1 ? j + 1 == l->ny
					     : k + 1 == l->nz)
					continue;
				const uint32_t next = parts_at(l, parts, i + (a == 0), j + (a == 1),
							       k + (a == 2));
				for (size_t t = 1; t <= (next & 3); t++)
					unknown[(next >> 2) + t - 1] |= links[4 * a + t] > 0.0f;
			}
		}
	}
	test_free(parts);
	test_free(row);
	test_free(excess);
	return unknown;
}

static void extras_write(const struct multigrid *mg, int n, struct clx_buffer *buffer,
			 const double *values, size_t count)
{
	float *all = fixture_read(buffer, buffer->bytes);
	for (size_t e = 0; e < count; e++)
		all[(size_t)mg->levels[n].extra_offset + e] = (float)values[e];
	fixture_write(buffer, all, buffer->bytes);
	test_free(all);
}

static void extras_read(const struct multigrid *mg, int n, const struct clx_buffer *buffer,
			double *values, size_t count)
{
	float *all = fixture_read(buffer, buffer->bytes);
	for (size_t e = 0; e < count; e++)
		values[e] = (double)all[(size_t)mg->levels[n].extra_offset + e];
	test_free(all);
}

static double dot_cells(const double *a, const double *b, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Cells of a level with a positive diagonal. */
static bool *unknowns_of(const struct multigrid *mg, const struct mg_level *l)
{
	const size_t total = (size_t)mg->total;
	bool *unknown = test_calloc(cells_of(l), sizeof(bool));
	float *link = links_read(mg);
	float *excess = fixture_read(&mg->excess, total * sizeof(float));
	for (size_t n = 0; n < cells_of(l); n++) {
		int i = (int)(n % (size_t)l->nx), j = (int)(n / (size_t)l->nx % (size_t)l->ny);
		int k = (int)(n / (size_t)l->nx / (size_t)l->ny);
		size_t at = level_at(l, i, j, k);
		float diagonal = excess[at];
		for (size_t a = 0; a < DIM; a++) {
			size_t below = level_at(l, i - (a == 0), j - (a == 1), k - (a == 2));
			diagonal += link[a * total + at];
			if (a == 0 ? i > 0 : a == 1 ? j > 0 : k > 0)
				diagonal += link[a * total + below];
		}
		unknown[n] = diagonal > 0.0f;
	}
	test_free(link);
	test_free(excess);
	return unknown;
}

/* Room for so many further parts per level. */
#define SCARCE 3
static void leave_room(struct multigrid *mg, i32 extras)
{
	for (int n = 1; n < mg->count; n++)
		mg->levels[n].extras = extras;
	assert_true(clx_write(mg->cl, &mg->level_table, 0,
			      (size_t)mg->count * sizeof(struct mg_level), mg->levels));
}

/* <P c, f> = <c, R f> for random c, f on every pair of levels, further parts included.  Returns how
 * many of those there were. */
static size_t check_transfers(struct sim *sim, uint64_t *random)
{
	struct multigrid *mg = &sim->solver->mg;
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
		for (size_t i = 0; i < nf; i++)
			f[i] = (i < cells ? unknown[i] : extra_unknown[i - cells])
				       ? (double)(float)fixture_between(random, -1.0, 1.0)
				       : 0.0;
		/* What is no unknown holds 0 on all levels; transfers rely on it. */
		for (size_t i = 0; i < nc; i++)
			c[i] = (i < coarse_cells ? coarse_unknown[i]
						 : coarse_extra[i - coarse_cells])
				       ? (double)(float)fixture_between(random, -1.0, 1.0)
				       : 0.0;
		level_write(fine, &mg->b, f);
		extras_write(mg, n, &mg->b, f + cells, nf - cells);
		level_write(fine, &mg->x, pc); /* zero: prolongation adds */
		extras_write(mg, n, &mg->x, pc + cells, nf - cells);
		level_write(coarse, &mg->x, c);
		extras_write(mg, n + 1, &mg->x, c + coarse_cells, nc - coarse_cells);
		assert_true(multigrid_restrict(mg, n + 1, false));
		assert_true(multigrid_prolong(mg, n, true));
		level_read(coarse, &mg->b, rf);
		extras_read(mg, n + 1, &mg->b, rf + coarse_cells, nc - coarse_cells);
		level_read(fine, &mg->x, pc);
		extras_read(mg, n, &mg->x, pc + cells, nf - cells);
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
			leave_room(&f.sim->solver->mg, SCARCE);
		struct mixture m = mixture_make(&f.sim->grid, blend->solid, blend->air,
						blend->closed, &random);
		solve_prepare(f.sim, &m, &op);
		size_t extras = check_transfers(f.sim, &random);
		/* Closed faces at random cut blocks apart; without any nothing is cut. */
		assert_int_equal(extras > 0, solid && blend->closed + blend->solid > 0.0);
		/* What finds no room stays in one part. */
		if (scarce)
			assert_true(extras <= SCARCE * (size_t)f.sim->solver->mg.count);
		else if (solid && extras)
			assert_true(extras > SCARCE * (size_t)f.sim->solver->mg.count);
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
		const size_t i = cell % (size_t)fine->nx,
			     j = cell / (size_t)fine->nx % (size_t)fine->ny;
		const size_t k = cell / (size_t)fine->nx / (size_t)fine->ny;
		if (below[cell])
			liquid[((k / 2) * (size_t)l->ny + j / 2) * (size_t)l->nx + i / 2] = true;
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
		    liquid[((size_t)k * (size_t)fine->ny + (size_t)j) * (size_t)fine->nx +
			   (size_t)i])
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
	struct multigrid *mg = &f.sim->solver->mg;
	struct mixture m = mixture_make(&f.sim->grid, 0.1, 0.2, 0.1, &random);
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
			int place[3] = {(int)(cell % (size_t)fine->nx),
					(int)(cell / (size_t)fine->nx % (size_t)fine->ny),
					(int)(cell / (size_t)fine->nx / (size_t)fine->ny)};
			size_t at = level_at(fine, place[0], place[1], place[2]);
			size_t parent = ((size_t)(place[2] / 2) * (size_t)coarse->ny +
					 (size_t)(place[1] / 2)) *
						(size_t)coarse->nx +
					(size_t)(place[0] / 2);
			ties[parent] += (double)excess[at];
			/* A link between cells of two parents joins the parents. */
			for (size_t a = 0; a < DIM; a++)
				if (place[a] % 2 == 1)
					links[a * cells_of(coarse) + parent] +=
						(double)link[a * total + at];
		}
		for (size_t cell = 0; cell < cells_of(coarse); cell++) {
			const int place[3] = {
				(int)(cell % (size_t)coarse->nx),
				(int)(cell / (size_t)coarse->nx % (size_t)coarse->ny),
				(int)(cell / (size_t)coarse->nx / (size_t)coarse->ny)};
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
	struct multigrid *mg = &sim->solver->mg;
	assert_true(clx_zero(sim->cl, &mg->state, 0, mg->state.bytes));
	solve_write(sim, &mg->b, v);
	assert_true(multigrid_v_cycle(mg));
	solve_read(sim, &mg->x, z);
}

/* The levels as launches of their own instead of in one work-group: the same bits. */
static void check_launches(struct sim *sim, const double *v, const double *mv)
{
	struct multigrid *mg = &sim->solver->mg;
	const int small = mg->small_from;
	const size_t lattice = (size_t)sim->grid.lattice;
	double *by_launches = test_calloc(lattice, sizeof(double));
	mg->small_from = mg->count - 1;
	cycle(sim, v, by_launches);
	mg->small_from = small;
	assert_memory_equal(by_launches, mv, lattice * sizeof(double));
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
		const size_t lattice = (size_t)f.sim->grid.lattice;
		struct mixture m = mixture_make(&f.sim->grid, blend->solid, blend->air,
						blend->closed, &random);
		double *v = test_calloc(4 * lattice, sizeof(double));
		double *w = v + lattice, *mv = w + lattice, *mw = mv + lattice;
		solve_prepare(f.sim, &m, &op);
		/* Once with coarse levels visited twice, whatever the walls. */
		f.sim->solver->mg.twice = n >= 2 * BLENDS;
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

/* ---- iterations --------------------------------------------------------------------------- */

/* A pool with waves on it, or flat, at rest before gravity and noise. */
static int pool_iterations(int cells, bool row, double noise)
{
	uint64_t random = 4;
	struct reference_operator op;
	struct fixture f = DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: %d}\n", cells)
				    : fixture_make("domain: {size: [1, 1, 1], cells: %d}\n", cells);
	struct sim *sim = f.sim;
	const struct grid *g = &sim->grid;
	const size_t lattice = (size_t)g->lattice;
	struct mixture m = mixture_make(g, 0.0, 1.0, 0.0, &random);
	FOR_CELLS(g, i, j, k, at)
	{
		double x = (i + 0.5) / cells, y = (j + 0.5) / cells, z = (k + 0.5) / cells;
		double height = 0.53 + 0.06 * cos(5.0 * x) * (DIM == 3 ? cos(4.0 * z) : 1.0);
		/* The top row of cells is alone in its coarse cell on all levels. */
		if (row)
			height = 0.5 + 1.2 / cells;
		m.phi[at] = (float)(y - height);
		m.type[at] = m.phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
	}
	solve_prepare(sim, &m, &op);
	double *b = test_calloc(2 * lattice, sizeof(double)), *q = b + lattice;
	/* Minus the flux of a fall of 1 m/s: at the floor alone; and noise. */
	FOR_CELLS(g, i, j, k, at)
	if (m.type[at] == CELL_LIQUID)
		b[at] = (j == 0 ? 1.0 : 0.0) + noise * fixture_between(&random, -1.0, 1.0);
	struct solve_result r = solve_run(sim, &op, b, q, 1e-6, 100);
	assert_false(r.failed);
	assert_true(r.residual <= 1.01e-6);
	test_free(b);
	reference_operator_finish(&op);
	mixture_free(&m);
	fixture_free(&f);
	return r.iterations;
}

/* V(2,2), residual 1e-6. */
#define MOST_ITERATIONS (DIM == 2 ? 12 : 9)

static void test_iterations(void **state)
{
	(void)state;
	int first = 0;
	static const int sizes[] = {DIM == 2 ? 64 : 16, DIM == 2 ? 128 : 32, DIM == 2 ? 256 : 64};
	for (int n = 0; n < 3; n++) {
		int smooth = pool_iterations(sizes[n], false, 0.0);
		int rough = pool_iterations(sizes[n], false, 0.1);
		int row = pool_iterations(sizes[n], true, 0.1);
		print_message("pool, %d cells per axis: %d iterations, with noise %d, with a"
			      " single row of cells on top %d\n",
			      sizes[n], smooth, rough, row);
		assert_in_range(smooth, 1, MOST_ITERATIONS);
		assert_in_range(rough, 1, MOST_ITERATIONS);
		assert_in_range(row, 1, MOST_ITERATIONS);
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
	uint64_t random = 5;
	struct reference_operator op;
	struct fixture f =
		DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: %d}\n"
					"solids: [{sphere: {center: [0.5, 0.5], radius: 0.1}}]\n",
					cells)
			 : fixture_make(
				   "domain: {size: [1, 1, 1], cells: %d}\n"
				   "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.1}}]\n",
				   cells);
	struct sim *sim = f.sim;
	const struct grid *g = &sim->grid;
	const size_t lattice = (size_t)g->lattice;
	struct mixture m = mixture_make(g, 0.0, 1.0, 0.0, &random);
	const int middle = cells / 2 + offset;
	FOR_CELLS(g, i, j, k, at)
	{
		const double height = baffles || i < middle ? 0.63 : 0.41;
		m.phi[at] = (float)((j + 0.5) / cells - height);
		m.type[at] = m.phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
	}
	if (!baffles)
		close_plane(g, &m, middle, -1, -1);
	for (int n = 1; baffles && n * cells / 8 + offset < cells; n++)
		close_plane(g, &m, n * cells / 8 + offset, n * 37 % (cells / 2), n * 53 % g->nz);
	solve_prepare(sim, &m, &op);
	double *b = test_calloc(2 * lattice, sizeof(double)), *q = b + lattice;
	FOR_CELLS(g, i, j, k, at)
	if (m.type[at] == CELL_LIQUID)
		b[at] = (j == 0 ? 1.0 : 0.0) + 0.1 * fixture_between(&random, -1.0, 1.0);
	struct solve_result r = solve_run(sim, &op, b, q, 1e-6, 100);
	assert_false(r.failed);
	assert_true(r.residual <= 1.01e-6);
	test_free(b);
	reference_operator_finish(&op);
	mixture_free(&m);
	fixture_free(&f);
	return r.iterations;
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
	uint64_t random = 9;
	struct reference_operator op;
	struct fixture f =
		DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: %d}\n%s", cells, discs)
			 : fixture_make("domain: {size: [1, 1, 1], cells: %d}\n%s", cells, balls);
	struct sim *sim = f.sim;
	const struct grid *g = &sim->grid;
	const size_t lattice = (size_t)g->lattice,
		     step[] = {1, (size_t)g->px, (size_t)(g->px * g->py)};
	struct mixture m = mixture_make(g, 0.0, 1.0, 0.0, &random);
	uint16_t *open = fixture_read(&sim->open_fraction, DIM * lattice * sizeof(*open));
	memcpy(m.open, open, DIM * lattice * sizeof(*open));
	FOR_CELLS(g, i, j, k, at)
	{
		bool any = false;
		for (size_t a = 0; a < DIM; a++)
			any |= open[a * lattice + at] || open[a * lattice + at + step[a]];
		m.phi[at] = (float)((j + 0.5) / cells - 0.503);
		m.type[at] = !any ? CELL_SOLID : m.phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
	}
	solve_prepare(sim, &m, &op);
	sim->solver->mg.sweeps = sweeps;
	double *b = test_calloc(2 * lattice, sizeof(double)), *q = b + lattice;
	FOR_CELLS(g, i, j, k, at)
	if (m.type[at] == CELL_LIQUID)
		b[at] = (j == 0 ? 1.0 : 0.0) + 0.1 * fixture_between(&random, -1.0, 1.0);
	struct solve_result r = solve_run(sim, &op, b, q, 1e-6, 100);
	assert_false(r.failed);
	assert_true(r.residual <= 1.01e-6);
	test_free(open);
	test_free(b);
	reference_operator_finish(&op);
	mixture_free(&m);
	fixture_free(&f);
	return r.iterations;
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

/* Random mixtures far larger than those that dense factors can follow: coarse cells hold whatever
 * pockets, channels and walls there are, and a cycle that visits them twice must stay positive. */
static int blend_iterations(const struct blend *blend, int cells, bool twice)
{
	uint64_t random = 7;
	struct reference_operator op;
	struct fixture f =
		DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: %d, walls: {y+: open}}\n"
					"solids: [{sphere: {center: [0.5, 0.5], radius: 0.1}}]\n",
					cells)
			 : fixture_make(
				   "domain: {size: [1, 1, 1], cells: %d, walls: {y+: open}}\n"
				   "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.1}}]\n",
				   cells);
	const size_t lattice = (size_t)f.sim->grid.lattice;
	struct mixture m =
		mixture_make(&f.sim->grid, blend->solid, blend->air, blend->closed, &random);
	double *b = test_calloc(2 * lattice, sizeof(double)), *q = b + lattice;
	solve_prepare(f.sim, &m, &op);
	f.sim->solver->mg.twice = twice;
	solve_random(&op, b, &random);
	reference_remove_means(&op, b);
	struct solve_result r = solve_run(f.sim, &op, b, q, 1e-6, 200);
	assert_false(r.failed);
	if (!(r.residual <= 1.01e-6))
		fail_msg("%s, %d cells: %.2g after %d iterations", blend->name, cells, r.residual,
			 r.iterations);
	test_free(b);
	reference_operator_finish(&op);
	mixture_free(&m);
	fixture_free(&f);
	return r.iterations;
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
	struct multigrid *mg = &f.sim->solver->mg;
	const size_t lattice = (size_t)f.sim->grid.lattice, total = (size_t)mg->total;
	struct mixture m = mixture_make(&f.sim->grid, 0.05, 0.1, 0.1, &random);
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
	for (size_t n = (size_t)soft->row_offset * 5 * DIM; n < mg->row.bytes / sizeof(float); n++)
		row[n] *= 1e-3f;
	coarse_links_write(mg, link);
	fixture_write(&mg->excess, excess, mg->excess.bytes);
	fixture_write(&mg->row, row, mg->row.bytes);
	mg->twice = true;
	/* Smooth: coarse levels have most to correct. */
	for (size_t at = 0; at < lattice; at++)
		b[at] = op.unknown[at] ? 1.0 : 0.0;
	struct solve_result r = solve_run(f.sim, &op, b, q, 1e-6, 100);
	print_message("coarse operators a thousandth of what they should be: %d iterations\n",
		      r.iterations);
	assert_false(r.failed);
	assert_true(r.residual <= 1.01e-6);
	assert_false(mg->twice);
	/* Both together keep to the limit. */
	mg->twice = true;
	r = solve_run(f.sim, &op, b, q, 1e-6, 10);
	assert_false(mg->twice);
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
		cmocka_unit_test(test_transfers), cmocka_unit_test(test_coarse_operators),
		cmocka_unit_test(test_symmetric), cmocka_unit_test(test_iterations),
		cmocka_unit_test(test_round),	  cmocka_unit_test(test_walls),
		cmocka_unit_test(test_blends),	  cmocka_unit_test(test_overshoot),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
