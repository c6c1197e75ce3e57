/*
 * Order of convergence of the pressure on curved, off-centre geometry: a free surface by the ghost
 * fluid (Gibou et al. 2002), solids by open fractions (Ng, Min & Gibou 2009).
 */
#include "solve_fixture.h"

#include <math.h>
#include <string.h>

#include "components.h"
#include "state.h"

#define PI 3.14159265358979323846
#define LEVELS 3

struct errors {
	double mean[LEVELS], greatest[LEVELS];
};

static void report(const char *what, int coarsest, const struct errors *e)
{
	for (int n = 0; n < LEVELS; n++) {
		print_message("%s, %3d cells: mean error %.3e, greatest %.3e", what, coarsest << n,
			      e->mean[n], e->greatest[n]);
		if (n)
			print_message(", orders %.2f %.2f", log2(e->mean[n - 1] / e->mean[n]),
				      log2(e->greatest[n - 1] / e->greatest[n]));
		print_message("\n");
	}
}

/* From n to 4n cells. */
static double order_of(const double *error)
{
	return log2(error[0] / error[LEVELS - 1]) / (LEVELS - 1);
}

static int coarsest_grid(void)
{
	return fixture_full() ? (DIM == 2 ? 64 : 24) : (DIM == 2 ? 32 : 16);
}

/* Solves for b and compares with the exact pressure where that is a number. */
static void measure(struct sim *sim, const struct mixture *m, const double *b, const double *exact,
		    struct errors *e, int n)
{
	struct reference_operator op;
	double *q = test_calloc((size_t)sim->lattice.grid.lattice, sizeof(double)), count = 0.0;
	solve_prepare(sim, m, &op);
	struct solve_result r = solve_run(&sim->poisson, &op, b, q, 1e-7, 100);
	assert_false(r.failed);
	assert_true(r.residual < 1e-6);
	e->mean[n] = e->greatest[n] = 0.0;
	for (int at = 0; at < sim->lattice.grid.lattice; at++) {
		if (!op.unknown[at] || isnan(exact[at]))
			continue;
		double error = fabs(q[at] - exact[at]);
		e->mean[n] += error;
		e->greatest[n] = fmax(e->greatest[n], error);
		count += 1.0;
	}
	e->mean[n] /= count;
	reference_operator_finish(&op);
	test_free(q);
}

/* ---- free surface ------------------------------------------------------------------------- */

/* A disc or ball of liquid off the middle of the box; p = (R^2 - r^2) w, w = exp(k.x), which is 0
 * on its surface. */
static const double ball[3] = {0.47, 0.53, 0.515}, wave[3] = {1.1, -0.7, 0.6};
#define BALL_RADIUS 0.337

static double ball_pressure(const double x[3], double *laplacian)
{
	double square = 0.0, along = 0.0, across = 0.0, k2 = 0.0;
	for (int a = 0; a < DIM; a++) {
		square += (x[a] - ball[a]) * (x[a] - ball[a]);
		along += wave[a] * x[a];
		across += wave[a] * (x[a] - ball[a]);
		k2 += wave[a] * wave[a];
	}
	const double w = exp(along), bowl = BALL_RADIUS * BALL_RADIUS - square;
	*laplacian = w * (-2.0 * DIM - 4.0 * across + bowl * k2);
	return bowl * w;
}

static void solve_ball(int cells, struct errors *e, int n)
{
	uint64_t random = 1;
	struct fixture f = DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: %d}\n", cells)
				    : fixture_make("domain: {size: [1, 1, 1], cells: %d}\n", cells);
	const struct grid *g = &f.sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	const double h = 1.0 / cells;
	struct mixture m = mixture_make(g, 0.0, 1.0, 0.0, &random);
	double *b = test_calloc(2 * lattice, sizeof(double)), *exact = b + lattice;
	FOR_CELLS(g, i, j, k, at)
	{
		const double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
		double square = 0.0, laplacian;
		for (int a = 0; a < DIM; a++)
			square += (x[a] - ball[a]) * (x[a] - ball[a]);
		m.phi[at] = (float)(sqrt(square) - BALL_RADIUS);
		m.type[at] = m.phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
		exact[at] = ball_pressure(x, &laplacian);
		b[at] = m.type[at] == CELL_LIQUID ? -h * h * laplacian : 0.0;
	}
	measure(f.sim, &m, b, exact, e, n);
	test_free(b);
	mixture_free(&m);
	fixture_free(&f);
}

static void test_free_surface(void **state)
{
	(void)state;
	struct errors e;
	const int coarsest = coarsest_grid();
	for (int n = 0; n < LEVELS; n++)
		solve_ball(coarsest << n, &e, n);
	report("free surface", coarsest, &e);
	/* How the surface falls between cells scatters the orders of single steps. */
	assert_true(order_of(e.mean) >= 1.8);
	assert_true(order_of(e.greatest) >= 1.8);
}

/* ---- solids ------------------------------------------------------------------------------- */

/* A solid disc or ball off the middle of a box with open walls: p = prod sin(pi x), 0 at the
 * walls, and a velocity h grad p + U before the projection, with U the potential flow around the
 * solid: no divergence, no flux into it.  The projection must give p back. */
static const double solid[3] = {0.46, 0.53, 0.515};
#define SOLID_RADIUS 0.213

static double solid_pressure(const double x[3], double gradient[3])
{
	double p = 1.0;
	for (int a = 0; a < DIM; a++)
		p *= sin(PI * x[a]);
	for (int a = 0; a < DIM; a++)
		gradient[a] = p * PI * cos(PI * x[a]) / sin(PI * x[a]);
	return p;
}

/* Flow along x with speed 1 far away: a uniform flow and a dipole. */
static void potential_flow(const double x[3], double u[3])
{
	double square = 0.0, d[3] = {0.0};
	for (int a = 0; a < DIM; a++) {
		d[a] = x[a] - solid[a];
		square += d[a] * d[a];
	}
	const double r = fmax(sqrt(square), 0.5 * SOLID_RADIUS);
	const double dipole = DIM == 2 ? pow(SOLID_RADIUS, 2) / pow(r, 2)
				       : 0.5 * pow(SOLID_RADIUS, 3) / pow(r, 3);
	for (int a = 0; a < DIM; a++)
		u[a] = (a == 0 ? 1.0 + dipole : 0.0) - DIM * dipole * d[0] * d[a] / (r * r);
}

/* Component a of the flow, mean over the open part of the face with centre x. */
static double mean_flow(const double x[3], int a, double h)
{
	const int parts = DIM == 2 ? 200 : 24;
	const int across = a == 0 ? 1 : 0, up = a == 2 ? 1 : 2;
	double u[3], open = 0.0, sum = 0.0;
	for (int m = 0; m < (DIM == 3 ? parts : 1); m++)
		for (int n = 0; n < parts; n++) {
			double y[3] = {x[0], x[1], x[2]}, square = 0.0;
			y[across] += ((n + 0.5) / parts - 0.5) * h;
			if (DIM == 3)
				y[up] += ((m + 0.5) / parts - 0.5) * h;
			for (int c = 0; c < DIM; c++)
				square += (y[c] - solid[c]) * (y[c] - solid[c]);
			const double parts_out = (sqrt(square) - SOLID_RADIUS) * parts / h;
			const double weight = fmin(fmax(parts_out + 0.5, 0.0), 1.0);
			potential_flow(y, u);
			open += weight;
			sum += weight * u[a];
		}
	potential_flow(x, u);
	return open > 0.0 ? sum / open : u[a];
}

/* The velocity of a face is its mean over the open part, or with `centred` its value at the
 * centre. */
static void solve_around(int cells, bool centred, struct errors *e, int n)
{
	struct fixture f =
		DIM == 2 ? fixture_make("domain: {size: [1, 1], cells: %d, walls: {x-: open,"
					" x+: open, y-: open, y+: open}}\n"
					"solids: [{sphere: {center: [%g, %g], radius: %g}}]\n",
					cells, solid[0], solid[1], SOLID_RADIUS)
			 : fixture_make("domain: {size: [1, 1, 1], cells: %d, walls: {x-: open,"
					" x+: open, y-: open, y+: open, z-: open, z+: open}}\n"
					"solids: [{sphere: {center: [%g, %g, %g], radius: %g}}]\n",
					cells, solid[0], solid[1], solid[2], SOLID_RADIUS);
	struct sim *sim = f.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	const double h = 1.0 / cells;
	struct mixture m = {
		.phi = test_calloc(lattice, sizeof(float)),
		.type = test_calloc(lattice, 1),
		.open = fixture_read(&sim->solids.open_fraction, lattice * DIM * sizeof(uint16_t)),
	};
	double *b = test_calloc(2 * lattice, sizeof(double)), *exact = b + lattice;
	memset(m.type, CELL_SOLID, lattice);
	FOR_CELLS(g, i, j, k, at)
	{
		double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h}, gradient[3], u[3];
		const double centre[3] = {x[0], x[1], x[2]};
		bool any = false;
		double flux = 0.0;
		m.phi[at] = -g->h;
		exact[at] = solid_pressure(x, gradient);
		for (int a = 0; a < DIM; a++)
			for (int side = 0; side < 2; side++) {
				size_t face = (size_t)a * lattice + at +
					      (size_t)side * fixture_at(g, a == 0, a == 1, a == 2);
				x[a] = centre[a] + (side - 0.5) * h;
				solid_pressure(x, gradient);
				potential_flow(x, u);
				if (!centred && m.open[face] != 0 && m.open[face] != FRACTION_ONE)
					u[a] = mean_flow(x, a, h);
				/* At the walls of the box sin(pi x) is 0: the limit of the
				 * gradient. */
				if (x[a] < 0.25 * h || x[a] > 1.0 - 0.25 * h) {
					gradient[a] = PI * (side ? -1.0 : 1.0);
					for (int c = 0; c < DIM; c++)
						gradient[a] *= c == a ? 1.0 : sin(PI * x[c]);
				}
				flux += (side ? 1.0 : -1.0) * m.open[face] / FRACTION_ONE * h *
					(gradient[a] + u[a]);
				any |= m.open[face] != 0;
				x[a] = centre[a];
			}
		m.type[at] = any ? CELL_LIQUID : CELL_SOLID;
		b[at] = any ? -flux : 0.0;
		/* A centre in the solid stands for what little of its cell is open. */
		double square = 0.0;
		for (int a = 0; a < DIM; a++)
			square += (centre[a] - solid[a]) * (centre[a] - solid[a]);
		if (square < SOLID_RADIUS * SOLID_RADIUS)
			exact[at] = (double)NAN;
	}
	measure(sim, &m, b, exact, e, n);
	test_free(b);
	mixture_free(&m);
	fixture_free(&f);
}

static void test_open_fractions(void **state)
{
	(void)state;
	struct errors e;
	const int coarsest = coarsest_grid();
	for (int n = 0; n < LEVELS; n++)
		solve_around(coarsest << n, false, &e, n);
	report("open fractions", coarsest, &e);
	assert_true(order_of(e.mean) >= 1.8);
	assert_true(order_of(e.greatest) >= 1.8);
}

/* A flux that is off by O(h) on partly open faces leaves an error of C h^2 beside the solid, with C
 * by how the faces are cut.  A ball of 3 cells holds few cuts and rarely the worst, so in 3D the
 * greatest error falls more slowly than h^2 at first (docs/results/pressure_orders.md). */
static void test_centred_velocities(void **state)
{
	(void)state;
	struct errors e;
	const int coarsest = coarsest_grid();
	for (int n = 0; n < LEVELS; n++)
		solve_around(coarsest << n, true, &e, n);
	report("open fractions, centred", coarsest, &e);
	assert_true(order_of(e.mean) >= 1.8);
	assert_true(order_of(e.greatest) >= (DIM == 2 ? 1.8 : 1.5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_surface),
		cmocka_unit_test(test_open_fractions),
		cmocka_unit_test(test_centred_velocities),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
