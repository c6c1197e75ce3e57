#include "solve_fixture.h"

#include <math.h>
#include <string.h>

#include "components.h"
#include "state.h"
#include "zero.h"

size_t level_at(const struct mg_level *level, int i, int j, int k)
{
	return multigrid_at(level, DIM, i, j, k);
}

static size_t level_cells(const struct mg_level *level)
{
	return (size_t)level->nx * (size_t)level->ny * (size_t)level->nz;
}

static void place_of(const struct mg_level *level, size_t cell, int place[3])
{
	place[0] = (int)(cell % (size_t)level->nx);
	place[1] = (int)(cell / (size_t)level->nx % (size_t)level->ny);
	place[2] = (int)(cell / (size_t)level->nx / (size_t)level->ny);
}

void level_read(const struct mg_level *level, const union f32_buffer *buffer, double *cells)
{
	float *values = fixture_read(buffer, buffer->bytes);
	for (size_t n = 0; n < level_cells(level); n++) {
		int place[3];
		place_of(level, n, place);
		cells[n] = (double)values[level_at(level, place[0], place[1], place[2])];
	}
	test_free(values);
}

void level_write(const struct mg_level *level, union f32_buffer *buffer, const double *cells)
{
	float *values = fixture_read(buffer, buffer->bytes);
	for (size_t n = 0; n < level_cells(level); n++) {
		int place[3];
		place_of(level, n, place);
		values[level_at(level, place[0], place[1], place[2])] = (float)cells[n];
	}
	fixture_write(buffer, values, buffer->bytes);
	test_free(values);
}

float *links_read(const struct multigrid *mg)
{
	const size_t total = (size_t)mg->total, finest = (size_t)mg->finest;
	const size_t coarse = total - finest;
	float *link = test_calloc(DIM * total, sizeof(float));
	uint16_t *open = fixture_read(&mg->open, mg->open.bytes);
	float *rest = fixture_read(&mg->link, mg->link.bytes);
	for (size_t a = 0; a < DIM; a++) {
		for (size_t at = 0; at < finest; at++)
			link[a * total + at] = (float)open[a * finest + at] / FRACTION_ONE;
		memcpy(link + a * total + finest, rest + a * coarse, coarse * sizeof(float));
	}
	test_free(open);
	test_free(rest);
	return link;
}

void coarse_links_write(struct multigrid *mg, const float *link)
{
	const size_t total = (size_t)mg->total, finest = (size_t)mg->finest;
	const size_t coarse = total - finest;
	float *rest = test_malloc(DIM * coarse * sizeof(float));
	for (size_t a = 0; a < DIM; a++)
		memcpy(rest + a * coarse, link + a * total + finest, coarse * sizeof(float));
	fixture_write(&mg->link, rest, DIM * coarse * sizeof(float));
	test_free(rest);
}

void solve_read(const struct poisson *p, const union f32_buffer *buffer, double *lattice)
{
	const struct mg_level *level = &p->mg.levels[0];
	float *values = fixture_read(buffer, buffer->bytes);
	memset(lattice, 0, (size_t)p->lattice->grid.lattice * sizeof(*lattice));
	FOR_CELLS(&p->lattice->grid, i, j, k, at)
	lattice[at] = (double)values[level_at(level, i, j, k)];
	test_free(values);
}

void solve_write(const struct poisson *p, union f32_buffer *buffer, const double *lattice)
{
	const struct mg_level *level = &p->mg.levels[0];
	float *values = fixture_read(buffer, buffer->bytes);
	FOR_CELLS(&p->lattice->grid, i, j, k, at)
	values[level_at(level, i, j, k)] = (float)lattice[at];
	fixture_write(buffer, values, buffer->bytes);
	test_free(values);
}

void solve_prepare(struct sim *sim, const struct mixture *m, struct reference_operator *op)
{
	mixture_write(m, sim);
	/* A substep starts with its counts at zero. */
	for (int count = SCALAR_COMPONENTS; count <= SCALAR_AIR_REGIONS; count++)
		assert_true(lattice_set_scalar(&sim->lattice, (enum scalar)count, 0));
	struct poisson *p = &sim->poisson;
	assert_true(poisson_build_operator(p) && components_label(p));
	/* For what is done without a solve, which would clear these. */
	assert_true(poisson_begin(p, p->purpose) &&
		    ZERO(sim->cl, ZERO_FIRST(&p->mg.x, p->rhs.bytes),
			 ZERO_FIRST(&p->mg.b, p->rhs.bytes), ZERO_ALL(&p->direction)));
	reference_operator_init(op, &sim->lattice.grid, DIM, m->phi, m->type, m->open);
}

double solve_dot(const struct reference_operator *op, const double *a, const double *b)
{
	double sum = 0.0;
	for (int n = 0; n < op->grid->lattice; n++)
		sum += op->unknown[n] ? a[n] * b[n] : 0.0;
	return sum;
}

void solve_random(const struct reference_operator *op, double *v, uint64_t *random)
{
	for (int n = 0; n < op->grid->lattice; n++)
		v[n] = op->unknown[n] ? (double)(float)fixture_between(random, -1.0, 1.0) : 0.0;
}

struct solve_result solve_run(struct poisson *p, const struct reference_operator *op,
			      const double *b, double *q, double tolerance, int max_iterations)
{
	const size_t lattice = (size_t)p->lattice->grid.lattice;
	struct solve_result r = {0};
	double *projected = test_malloc(lattice * sizeof(double));
	double *product = test_malloc(lattice * sizeof(double));
	double *low = test_malloc(lattice * sizeof(double));
	memcpy(projected, b, lattice * sizeof(double));
	reference_remove_means(op, projected);
	assert_true(poisson_begin(p, p->purpose));
	solve_write(p, &p->rhs, b);
	struct poisson_result solved;
	assert_true(poisson_solve(p, false, tolerance, max_iterations, &solved));
	r.iterations = solved.iterations;
	r.reported = solved.residual;
	r.failed = solved.failed;
	solve_read(p, &p->solution, q);
	solve_read(p, &p->solution_low, low);
	for (size_t n = 0; n < lattice; n++)
		q[n] += low[n];
	reference_apply(op, q, product);
	for (size_t n = 0; n < lattice; n++)
		product[n] = op->unknown[n] ? projected[n] - product[n] : 0.0;
	double bb = solve_dot(op, projected, projected);
	r.residual = bb > 0.0 ? sqrt(solve_dot(op, product, product) / bb) : 0.0;
	test_free(projected);
	test_free(product);
	test_free(low);
	return r;
}
