/*
 * The pressure equation on a device: coefficients, right-hand side and product against double
 * precision, the projected velocity, and the labels of components against a walk over the cells; on
 * random mixtures of liquid, air, solids and partly open faces.  The solvers: device_mixtures.c.
 */
#include "solve_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "pressure.h"

#define EPS 0x1p-24

/* An empty box of cells of 0.1 m; open walls are a bit per enum wall_side. */
static struct fixture make(const int cells[3], int open_walls, const char *solver)
{
	static const char *const names[] = {"x-", "x+", "y-", "y+", "z-", "z+"};
	char walls[128] = "", size[64] = "", count[64] = "";
	for (int side = 0; side < 2 * DIM; side++)
		if (open_walls >> side & 1)
			snprintf(walls + strlen(walls), sizeof(walls) - strlen(walls), "%s%s: open",
				 walls[0] ? ", " : "", names[side]);
	for (int a = 0; a < DIM; a++) {
		const char *comma = a ? ", " : "";
		snprintf(size + strlen(size), sizeof(size) - strlen(size), "%s%g", comma,
			 0.1 * cells[a]);
		snprintf(count + strlen(count), sizeof(count) - strlen(count), "%s%d", comma,
			 cells[a]);
	}
	return fixture_make("domain: {size: [%s], cells: [%s], walls: {%s}}\n"
			    "solver: {%s}\n",
			    size, count, walls, solver);
}

/* What the random mixtures are made of. */
static const struct blend {
	const char *name;
	double solid, air, closed;
	int open_walls;
} blends[] = {
	{"full box", 0.0, 0.0, 0.0, 0},
	{"full box, open top", 0.0, 0.0, 0.0, 1 << WALL_Y_HIGH},
	{"partly open faces", 0.0, 0.0, 0.3, 0},
	{"mostly liquid", 0.1, 0.1, 0.1, 1 << WALL_X_LOW},
	{"sealed pockets", 0.45, 0.02, 0.2, 0},
	{"half air", 0.1, 0.5, 0.1, 0},
	{"spray", 0.05, 0.9, 0.1, 1 << WALL_Y_LOW},
	{"closed faces", 0.0, 0.05, 0.45, 0},
};
#define BLENDS (sizeof(blends) / sizeof(blends[0]))

#if DIM == 2
static const int sizes[][3] = {{12, 9, 1}, {7, 13, 1}, {1, 9, 1}};
#else
static const int sizes[][3] = {{5, 6, 4}, {4, 3, 7}, {2, 1, 9}};
#endif
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static struct mixture blend_make(const struct sim *sim, const struct blend *b, uint64_t *random)
{
	return mixture_make(&sim->lattice.grid, b->solid, b->air, b->closed, random);
}

static double *vector(const struct sim *sim)
{
	return test_calloc((size_t)sim->lattice.grid.lattice, sizeof(double));
}

/* ---- operator ----------------------------------------------------------------------------- */

/* Every element of links and excesses of the finest level, halos and gaps included. */
static void check_coefficients(const struct sim *sim, const struct reference_operator *op)
{
	const struct multigrid *mg = &sim->poisson.mg;
	const size_t total = (size_t)mg->total, finest = (size_t)mg->finest;
	float *link = links_read(mg);
	float *excess = fixture_read(&mg->excess, total * sizeof(float));
	double *expected = test_calloc(finest * (DIM + 1), sizeof(double));
	FOR_CELLS(&sim->lattice.grid, i, j, k, at)
	{
		size_t place = level_at(&mg->levels[0], i, j, k);
		for (size_t a = 0; a < DIM; a++)
			expected[a * finest + place] = op->link[a][at];
		expected[DIM * finest + place] = op->excess[at];
	}
	for (size_t n = 0; n < finest * (DIM + 1); n++) {
		double got = (double)(n < finest * DIM ? link[n / finest * total + n % finest]
						       : excess[n - finest * DIM]);
		/* theta is a quotient of floats, up to DIM * 2 of them are added; a clamped
		 * 0.05 is itself rounded */
		if (fabs(got - expected[n]) > 16.0 * EPS * expected[n])
			fail_msg("element %zu: %.9g, not %.9g", n, got, expected[n]);
	}
	test_free(link);
	test_free(excess);
	test_free(expected);
}

/* A v on the device. */
static void device_apply(struct sim *sim, const double *v, double *result)
{
	struct multigrid *mg = &sim->poisson.mg;
	assert_true(clx_zero(sim->cl, &mg->state, 0, mg->state.bytes) &&
		    clx_zero(sim->cl, &mg->b, 0, mg->b.bytes));
	solve_write(&sim->poisson, &mg->x, v);
	assert_true(LAUNCH(sim->cl, cg_multiply, MG_RANGE(mg, 0, 2), MG_LIST(mg, 0),
			   .l = &mg->levels[0], .open = &mg->open, .excess = &mg->excess,
			   .s = &mg->x, .q = &mg->b, .state = &mg->state));
	solve_read(&sim->poisson, &mg->b, result);
}

static void check_product(struct sim *sim, const struct reference_operator *op, uint64_t *random)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	double *v = vector(sim), *w = vector(sim), *av = vector(sim), *aw = vector(sim);
	double *expected = vector(sim);
	solve_random(op, v, random);
	solve_random(op, w, random);
	device_apply(sim, v, av);
	device_apply(sim, w, aw);
	reference_apply(op, v, expected);
	double bound = 0.0;
	for (size_t n = 0; n < lattice; n++) {
		/* |v| <= 1, diagonals up to 20 per side */
		double scale = (op->excess[n] + 2.0 * DIM) * 16.0 * EPS;
		bound = fmax(bound, scale);
		assert_true(fabs(av[n] - (op->unknown[n] ? expected[n] : 0.0)) <= scale);
	}
	assert_true(fabs(solve_dot(op, w, av) - solve_dot(op, v, aw)) <= bound * (double)lattice);
	test_free(v);
	test_free(w);
	test_free(av);
	test_free(aw);
	test_free(expected);
}

/* Random forces, uniform or not; slopes are below 0.02 m/s per cell. */
static struct kick random_kick(uint64_t *random, bool varies)
{
	struct kick kick = {.varies = varies};
	for (int c = 0; c < DIM; c++) {
		kick.first[c] = (float)fixture_between(random, -0.5, 0.5);
		for (int a = 0; a < DIM && varies; a++)
			kick.slope[3 * c + a] = (float)fixture_between(random, -0.02, 0.02);
	}
	return kick;
}

/* What forces add to a face, as shared.h defines it, in single precision. */
static float kick_at(const struct kick *kick, size_t c, int i, int j, int k)
{
	float dv = kick->first[c];
	if (!kick->varies)
		return dv;
	dv += (float)i * kick->slope[3 * c];
	dv += (float)j * kick->slope[3 * c + 1];
	return DIM == 3 ? dv + (float)k * kick->slope[3 * c + 2] : dv;
}

/* b = minus the flux over open faces, from random face velocities and what forces add to them. */
static void check_rhs(struct sim *sim, const struct mixture *m, uint64_t *random)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	struct poisson *p = &sim->poisson;
	float *u = test_calloc(lattice * DIM, sizeof(float));
	const struct kick kick = random_kick(random, fixture_between(random, 0.0, 1.0) > 0.3);
	double *b = vector(sim);
	for (size_t n = 0; n < lattice * DIM; n++)
		u[n] = (float)fixture_between(random, -2.0, 2.0);
	fixture_write(&sim->u_face, u, lattice * DIM * sizeof(float));
	const i32 none = 0;
	assert_true(LAUNCH(sim->cl, pressure_rhs, bricks_level(p->mg.bricks, 0), MG_LIST(&p->mg, 0),
			   .g = g, .level = &p->mg.levels[0], .cell_type = &sim->cell_type,
			   .phi = &sim->phi, .open_fraction = &sim->solids.open_fraction,
			   .opened = &sim->opened, .u_face = &sim->u_face, .kick = &kick,
			   .flow = &sim->flow, .has_flow = I32(none), .b = &p->rhs));
	solve_read(&sim->poisson, &p->rhs, b);
	FOR_CELLS(g, i, j, k, at)
	{
		double flux = 0.0;
		for (size_t a = 0; a < DIM; a++)
			for (int side = 0; side < 2; side++) {
				size_t face = a * lattice + at +
					      (size_t)side * fixture_at(g, a == 0, a == 1, a == 2);
				flux += (side ? 1.0 : -1.0) * m->open[face] / FRACTION_ONE *
					((double)u[face] + (double)kick_at(&kick, a,
									   i + (side && a == 0),
									   j + (side && a == 1),
									   k + (side && a == 2)));
			}
		double expected = m->type[at] == CELL_LIQUID ? -flux : 0.0;
		assert_true(fabs(b[at] - expected) <= 2.0 * DIM * 2.75 * 4.0 * EPS);
	}
	test_free(u);
	test_free(b);
}

static void test_operator(void **state)
{
	(void)state;
	uint64_t random = 1;
	for (size_t n = 0; n < BLENDS * SIZES; n++) {
		const struct blend *blend = &blends[n / SIZES];
		struct reference_operator op;
		struct fixture f = make(sizes[n % SIZES], blend->open_walls, "");
		struct mixture m = blend_make(f.sim, blend, &random);
		solve_prepare(f.sim, &m, &op);
		check_coefficients(f.sim, &op);
		check_product(f.sim, &op, &random);
		check_rhs(f.sim, &m, &random);
		reference_operator_finish(&op);
		mixture_free(&m);
		fixture_free(&f);
	}
}

/* ---- solvers ------------------------------------------------------------------------------ */

/* Nothing to do: no liquid, or no divergence. */
static void test_nothing(void **state)
{
	(void)state;
	uint64_t random = 3;
	struct fixture f = make(sizes[0], 0, "");
	double *b = vector(f.sim), *q = vector(f.sim);
	for (int air = 0; air < 2; air++) {
		struct reference_operator op;
		struct mixture m = mixture_make(&f.sim->lattice.grid, 0.0, air, 0.0, &random);
		solve_prepare(f.sim, &m, &op);
		struct solve_result r = solve_run(&f.sim->poisson, &op, b, q, 1e-6, 100);
		assert_int_equal(r.iterations, 0);
		assert_false(r.failed);
		assert_true(r.reported == 0.0);
		for (int n = 0; n < f.sim->lattice.grid.lattice; n++)
			assert_true(q[n] == 0.0);
		reference_operator_finish(&op);
		mixture_free(&m);
	}
	test_free(b);
	test_free(q);
	fixture_free(&f);
}

/* ---- projection --------------------------------------------------------------------------- */

/* 2-norm of the flux of u_face + kick out of liquid cells, in double. */
static double divergence(const struct sim *sim, const struct mixture *m, const struct kick *kick)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	float *u = fixture_read(&sim->u_face, lattice * DIM * sizeof(float));
	double square = 0.0;
	FOR_CELLS(g, i, j, k, at)
	{
		double flux = 0.0;
		for (size_t a = 0; a < DIM && m->type[at] == CELL_LIQUID; a++)
			for (int side = 0; side < 2; side++) {
				size_t face = a * lattice + at +
					      (size_t)side * fixture_at(g, a == 0, a == 1, a == 2);
				flux += (side ? 1.0 : -1.0) * m->open[face] / FRACTION_ONE *
					((double)u[face] + (double)kick_at(kick, a,
									   i + (side && a == 0),
									   j + (side && a == 1),
									   k + (side && a == 2)));
			}
		square += flux * flux;
	}
	test_free(u);
	return sqrt(square);
}

/* delta = u_new - u_old, in float; faces that touch no liquid got the forces alone, if they had a
 * value. */
static void check_delta(const struct sim *sim, const struct mixture *m, const float *old,
			const uint8_t *valid)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	float *u = fixture_read(&sim->u_face, lattice * DIM * sizeof(float));
	float *delta = fixture_read(&sim->delta, lattice * DIM * sizeof(float));
	FOR_CELLS(g, i, j, k, at)
	{
		const int here[3] = {i, j, k};
		for (size_t a = 0; a < DIM; a++) {
			size_t face = a * lattice + at;
			assert_true(delta[face] == u[face] - old[face]);
			const bool dry =
				here[a] > 0 && m->type[at] != CELL_LIQUID &&
				m->type[at - fixture_at(g, a == 0, a == 1, a == 2)] != CELL_LIQUID;
			const bool known = valid[at] >> a & 1;
			if (dry)
				assert_true(u[face] ==
					    (known ? old[face] + kick_at(&sim->kick, a, i, j, k)
						   : old[face]));
		}
	}
	test_free(u);
	test_free(delta);
}

static void test_project(void **state)
{
	(void)state;
	static const struct kick still;
	uint64_t random = 9;
	for (size_t n = 0; n < BLENDS * SIZES; n++) {
		const struct blend *blend = &blends[n / SIZES];
		struct fixture f = make(sizes[n % SIZES], blend->open_walls,
					"separation: false, tolerance: 1e-6");
		const size_t lattice = (size_t)f.sim->lattice.grid.lattice;
		struct mixture m = blend_make(f.sim, blend, &random);
		mixture_write(&m, f.sim);
		float *u = test_calloc(lattice * DIM, sizeof(float));
		for (size_t face = 0; face < lattice * DIM; face++)
			u[face] = (float)fixture_between(&random, -2.0, 2.0);
		fixture_write(&f.sim->u_face, u, lattice * DIM * sizeof(float));
		uint8_t *valid = test_calloc(lattice, 1);
		for (size_t at = 0; at < lattice; at++)
			valid[at] = (uint8_t)fixture_between(&random, 0.0, 8.0);
		fixture_write(&f.sim->valid, valid, lattice);
		f.sim->kick = random_kick(&random, n % 2 == 1);
		double before = divergence(f.sim, &m, &f.sim->kick);
		f.sim->dt = 0.01;
		f.sim->dt_f = 0.01f;
		assert_true(pressure_project(f.sim));
		/* Large corrections at small theta leave their rounding. */
		double after = divergence(f.sim, &m, &still);
		if (after > (1e-6 + 100.0 * EPS) * before)
			fail_msg("%s: divergence %g before, %g after", blend->name, before, after);
		check_delta(f.sim, &m, u, valid);
		test_free(valid);
		test_free(u);
		mixture_free(&m);
		fixture_free(&f);
	}
}

/* ---- components --------------------------------------------------------------------------- */

static void check_labels(struct sim *sim, const struct mixture *m)
{
	const struct grid g = sim->lattice.grid;
	const size_t lattice = (size_t)g.lattice;
	union u32_buffer label = {0}, root = {0}, marks = {0};
	assert_true(clx_alloc(sim->cl, &label, "label", lattice) &&
		    clx_alloc(sim->cl, &root, "root", lattice) &&
		    clx_alloc(sim->cl, &marks, "tied", lattice));
	mixture_write(m, sim);
	assert_true(
		LAUNCH(sim->cl, components_init, clx_range3((size_t)g.py, (size_t)g.pz, 1), .g = &g,
		       .cell_type = &sim->cell_type, .open_fraction = &sim->solids.open_fraction,
		       .label = &label, .tied = &marks, .scalars = &sim->lattice.scalars) &&
		LAUNCH(sim->cl, components_join, lattice_points(&sim->lattice), .g = &g,
		       .cell_type = &sim->cell_type, .open_fraction = &sim->solids.open_fraction,
		       .label = &label) &&
		LAUNCH(sim->cl, components_flatten, lattice_points(&sim->lattice), .g = &g,
		       .cell_type = &sim->cell_type, .open_fraction = &sim->solids.open_fraction,
		       .opened = &sim->opened, .label = &label, .root = &root, .tied = &marks));
	u32 *got = fixture_read(&root, lattice * sizeof(u32));
	u32 *expected = test_calloc(lattice, sizeof(u32));
	reference_label(&g, DIM, m->type, m->open, expected);
	assert_memory_equal(got, expected, lattice * sizeof(u32));

	/* The counts, and the numbers of components without a tie. */
	struct reference_operator op;
	solve_prepare(sim, m, &op);
	u32 liquid = 0, air = 0, singular = 0;
	u32 *number = test_calloc(lattice, sizeof(u32));
	for (size_t n = 0; n < lattice; n++) {
		bool tied = false;
		number[n] = SEALED_NONE;
		if (expected[n] != n)
			continue;
		air += m->type[n] == CELL_AIR;
		if (m->type[n] != CELL_LIQUID)
			continue;
		liquid++;
		for (size_t other = n; other < lattice; other++)
			tied |= expected[other] == n && op.excess[other] > 0.0;
		if (!tied)
			number[n] = singular++;
	}
	assert_int_equal(sim->lattice.host_scalars[SCALAR_COMPONENTS], liquid);
	assert_int_equal(sim->lattice.host_scalars[SCALAR_AIR_REGIONS], air);
	assert_int_equal(sim->lattice.host_scalars[SCALAR_SINGULAR_COMPONENTS], singular);
	uint16_t *index = fixture_read(&sim->poisson.component, lattice * sizeof(*index));
	for (size_t n = 0; n < lattice; n++)
		assert_int_equal(index[n],
				 m->type[n] == CELL_LIQUID ? number[expected[n]] : SEALED_NONE);
	reference_operator_finish(&op);
	test_free(got);
	test_free(expected);
	test_free(number);
	test_free(index);
	clx_free(sim->cl, &label);
	clx_free(sim->cl, &root);
	clx_free(sim->cl, &marks);
}

/* Near the percolation threshold components are long and winding. */
static void test_components(void **state)
{
	(void)state;
	static const int large[3] = {DIM == 2 ? 90 : 20, DIM == 2 ? 70 : 18, DIM == 2 ? 1 : 23};
	uint64_t random = 21;
	struct fixture f = make(large, 0, "");
	const struct blend winding[] = {
		{"", 0.1, 0.4, 0.05, 0}, {"", 0.0, 0.5, 0.2, 0}, {"", 0.3, 0.1, 0.1, 0},
		{"", 0.7, 0.0, 0.0, 0},	 {"", 0.0, 0.0, 0.0, 0}, {"", 1.0, 0.0, 0.0, 0},
	};
	for (size_t n = 0; n < sizeof(winding) / sizeof(winding[0]); n++) {
		struct mixture m = blend_make(f.sim, &winding[n], &random);
		check_labels(f.sim, &m);
		mixture_free(&m);
	}
	fixture_free(&f);
}

/* As many sealed bodies as have numbers, of two cells each; and one more. */
static void test_most_components(void **state)
{
	(void)state;
	static const int wide[3] = {512, 258, 1};
	if (DIM != 2)
		return;
	struct fixture f = make(wide, 0, "");
	struct sim *sim = f.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	struct mixture m = {
		.phi = test_calloc(lattice, sizeof(float)),
		.type = test_malloc(lattice),
		.open = test_calloc(lattice * DIM, sizeof(uint16_t)),
	};
	size_t *first = test_calloc(SEALED_MOST + 1, sizeof(size_t));
	memset(m.type, CELL_SOLID, lattice);
	for (u32 n = 0; n <= SEALED_MOST; n++) {
		const size_t at = fixture_at(g, 2 * (int)(n % 256), (int)(n / 256), 0);
		first[n] = at;
		if (n < SEALED_MOST) {
			m.type[at] = m.type[at + 1] = CELL_LIQUID;
			m.phi[at] = m.phi[at + 1] = -0.5f * g->h;
			m.open[at + 1] = FRACTION_ONE;
		}
	}
	mixture_write(&m, sim);
	assert_true(poisson_build_operator(&sim->poisson) && components_label(&sim->poisson));
	assert_int_equal(sim->lattice.host_scalars[SCALAR_SINGULAR_COMPONENTS], SEALED_MOST);
	uint16_t *index = fixture_read(&sim->poisson.component, lattice * sizeof(*index));
	for (u32 n = 0; n < SEALED_MOST; n++) {
		assert_int_equal(index[first[n]], n);
		assert_int_equal(index[first[n] + 1], n);
	}
	assert_int_equal(index[first[SEALED_MOST]], SEALED_NONE);
	m.type[first[SEALED_MOST]] = m.type[first[SEALED_MOST] + 1] = CELL_LIQUID;
	m.open[first[SEALED_MOST] + 1] = FRACTION_ONE;
	mixture_write(&m, sim);
	assert_true(poisson_build_operator(&sim->poisson));
	assert_false(components_label(&sim->poisson));
	test_free(index);
	test_free(first);
	mixture_free(&m);
	fixture_free(&f);
}

/* ---- means of components ------------------------------------------------------------------ */

/* However the cells are shared out, the same bits; and what is left has no mean. */
static void check_means(struct sim *sim, const struct reference_operator *op, uint64_t *random)
{
	const int nx = sim->lattice.grid.nx, rows = sim->lattice.grid.ny * sim->lattice.grid.nz;
	const struct components_share shares[] = {
		{nx, rows}, {nx, 7}, {32, 1}, {1, 1}, {5, 3}, {32, 1000}, {nx + 9, 2},
	};
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	union f32_buffer *b = &sim->poisson.mg.b;
	double *v = vector(sim), *first = vector(sim), *got = vector(sim);
	solve_random(op, v, random);
	for (size_t n = 0; n < lattice; n++)
		v[n] = op->unknown[n] ? v[n] + 0.7 : 0.0;
	for (size_t n = 0; n < sizeof(shares) / sizeof(shares[0]); n++) {
		solve_write(&sim->poisson, b, v);
		assert_true(components_project_by(&sim->poisson, b, shares[n]));
		solve_read(&sim->poisson, b, n ? got : first);
		if (n)
			assert_memory_equal(got, first, lattice * sizeof(double));
	}
	/* In whole units of 2^-29 of values below 2, and a rounding of mean and difference. */
	reference_remove_means(op, v);
	for (size_t n = 0; n < lattice; n++)
		if (op->unknown[n] && fabs(first[n] - v[n]) > 8.0 * EPS)
			fail_msg("%zu: %.9g, without its mean %.9g", n, first[n], v[n]);
	test_free(v);
	test_free(first);
	test_free(got);
}

static void test_means(void **state)
{
	(void)state;
	static const int cells[][3] = {
		{DIM == 2 ? 65 : 33, DIM == 2 ? 23 : 7, DIM == 2 ? 1 : 5},
		{40, DIM == 2 ? 9 : 6, DIM == 2 ? 1 : 3},
		{1, 31, 1},
	};
	uint64_t random = 27;
	u32 most = 0;
	for (size_t n = 0; n < sizeof(cells) / sizeof(cells[0]); n++) {
		struct fixture f = make(cells[n], 0, "");
		for (size_t b = 0; b <= BLENDS; b++) {
			static const struct blend crumbs = {"", 0.7, 0.0, 0.2, 0};
			struct reference_operator op;
			struct mixture m =
				blend_make(f.sim, b < BLENDS ? &blends[b] : &crumbs, &random);
			solve_prepare(f.sim, &m, &op);
			most = f.sim->poisson.singular > most ? f.sim->poisson.singular : most;
			check_means(f.sim, &op, &random);
			reference_operator_finish(&op);
			mixture_free(&m);
		}
		fixture_free(&f);
	}
	assert_true(most > 20);
}

/* Every cell is some work-item's, whose loops are short; and there are few groups. */
static void test_shares(void **state)
{
	(void)state;
	static const int grids[][3] = {{1, 1, 1},	{64, 64, 64},	 {256, 256, 256},
				       {512, 512, 512}, {2048, 2048, 1}, {30000, 20, 1},
				       {3, 40000, 1},	{1, 700, 700}};
	static const u32 units[] = {0, 1, 2, 128};
	for (size_t n = 0; n < sizeof(grids) / sizeof(grids[0]); n++)
		for (size_t u = 0; u < 2 * sizeof(units) / sizeof(units[0]); u++) {
			const bool is_cpu = u % 2;
			const struct grid g = {
				.nx = grids[n][0], .ny = grids[n][1], .nz = grids[n][2]};
			const struct components_share s = components_share_rows(
				&g, is_cpu ? CLX_PATH_CPU : CLX_PATH_GPU, units[u / 2]);
			const long groups = ((long)g.ny * g.nz + s.rows - 1) / s.rows;
			assert_true(s.cells >= 1 && s.rows >= 1);
			/* 65535 turns in all, in three loops */
			assert_true((long)s.cells * s.rows * 3 + 4L * s.rows <= 65535);
			/* 65535 on some GPUs */
			assert_true(is_cpu || groups <= 65535);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operator),	cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_project),		cmocka_unit_test(test_components),
		cmocka_unit_test(test_most_components), cmocka_unit_test(test_means),
		cmocka_unit_test(test_shares),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
