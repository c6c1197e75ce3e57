/*
 * host/lattice/reduce.c on a device: sums against double precision, extrema and counts against the
 * host's, and the properties of the state hash.
 */
#include "stage_fixture.h"

#include <math.h>
#include <string.h>

#include "poisson.h"
#include "statistics.h"

static struct fixture make(int cells, const char *transfer)
{
	return DIM == 2
		       ? fixture_make("domain: {size: [1, 1], cells: %d}\n"
				      "liquid: {transfer: %s, density: 900}\n"
				      "gravity: [0.5, -9.81]\n"
				      "liquids: [{sphere: {center: [0.47, 0.52], radius: 0.31}}]\n",
				      cells, transfer)
		       : fixture_make(
				 "domain: {size: [1, 1, 1], cells: %d}\n"
				 "liquid: {transfer: %s, density: 900}\n"
				 "gravity: [0.5, -9.81, 0.25]\n"
				 "liquids: [{sphere: {center: [0.47, 0.52, 0.5], radius: 0.31}}]\n",
				 cells, transfer);
}

struct copy {
	size_t count, stride;
	float *x, *v;
	u32 *id;
};

static struct copy read_copy(const struct sim *sim)
{
	const struct particle_set *now = &sim->particles.now;
	struct copy c = {.count = sim->particles.count, .stride = sim->particles.capacity};
	c.x = fixture_read(&now->position, c.stride * DIM * sizeof(float));
	c.v = fixture_read(&now->velocity, c.stride * DIM * sizeof(float));
	c.id = fixture_read(&now->id, c.stride * sizeof(u32));
	return c;
}

static void write_copy(struct sim *sim, const struct copy *c)
{
	struct particle_set *now = &sim->particles.now;
	fixture_write(&now->position, c->x, c->stride * DIM * sizeof(float));
	fixture_write(&now->velocity, c->v, c->stride * DIM * sizeof(float));
	fixture_write(&now->id, c->id, c->stride * sizeof(u32));
}

static void free_copy(struct copy *c)
{
	test_free(c->x);
	test_free(c->v);
	test_free(c->id);
}

/* Velocities over ten decades, of both signs. */
static void stir(struct sim *sim, uint64_t *random)
{
	struct copy c = read_copy(sim);
	for (size_t n = 0; n < c.count; n++)
		for (size_t a = 0; a < DIM; a++)
			c.v[a * c.stride + n] =
				(float)(fixture_between(random, -1.0, 1.0) *
					pow(10.0, fixture_between(random, -8.0, 2.0)));
	write_copy(sim, &c);
	free_copy(&c);
}

/* Sums in float pairs keep about 2^-45 of the sum of magnitudes. */
static void assert_sum(double got, double expected, double magnitudes)
{
	if (fabs(got - expected) > 0x1p-44 * magnitudes)
		fail_msg("sum %.17g, not %.17g; magnitudes %g", got, expected, magnitudes);
}

static void check_sums(struct sim *sim)
{
	struct copy c = read_copy(sim);
	double kinetic = 0.0, potential = 0.0, potential_size = 0.0, momentum[3] = {0.0};
	double momentum_size[3] = {0.0}, fastest = 0.0;
	for (size_t n = 0; n < c.count; n++) {
		float square = 0.0f;
		for (size_t a = 0; a < DIM; a++) {
			float v = c.v[a * c.stride + n];
			double fall =
				-sim->scene->gravity[0].value[a] * (double)c.x[a * c.stride + n];
			square += v * v; /* the particle's own energy is a float */
			potential += fall;
			potential_size += fabs(fall);
			momentum[a] += (double)v;
			momentum_size[a] += fabs((double)v);
		}
		kinetic += (double)(0.5f * square);
		fastest = fmax(fastest, (double)square);
	}
	const struct step_report *r = &sim->stats.report;
	const double h = (double)sim->lattice.grid.h;
	const double mass = 900.0 * (DIM == 2 ? h * h : h * h * h) / sim->scene->particles_per_cell;
	assert_sum(r->kinetic_energy / mass, kinetic, kinetic);
	assert_sum(r->potential_energy / mass, potential, potential_size);
	for (int a = 0; a < 3; a++)
		assert_sum(r->momentum[a] / mass, momentum[a], momentum_size[a]);
	assert_true(fabs(r->max_speed - sqrt(fastest)) <= 1e-7 * sqrt(fastest));
	assert_int_equal(sim->stats.particles, c.count);
	free_copy(&c);
}

static void check_counts(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const struct step_report *r = &sim->stats.report;
	uint8_t *type = fixture_read(&sim->cell_type, (size_t)g->lattice);
	struct copy c = read_copy(sim);
	u32 *held = test_calloc((size_t)g->lattice, sizeof(u32));
	u32 liquid = 0, interior = 0, empty = 0, most = 0, fewest = UINT32_MAX;
	for (size_t n = 0; n < c.count; n++) {
		int cell[3] = {0};
		for (size_t a = 0; a < DIM; a++)
			cell[a] = (int)floorf(c.x[a * c.stride + n] * g->inv_h);
		held[fixture_at(g, cell[0], cell[1], cell[2])]++;
	}
	FOR_CELLS(g, i, j, k, at)
	{
		bool inside = true;
		most = held[at] > most ? held[at] : most;
		fewest = held[at] && held[at] < fewest ? held[at] : fewest;
		if (type[at] != CELL_LIQUID)
			continue;
		for (int c3 = k - (DIM == 3); c3 <= k + (DIM == 3); c3++)
			for (int b = j - 1; b <= j + 1; b++)
				for (int a = i - 1; a <= i + 1; a++)
					inside &= a >= 0 && b >= 0 && c3 >= 0 && a < g->nx &&
						  b < g->ny && c3 < g->nz &&
						  type[fixture_at(g, a, b, c3)] == CELL_LIQUID;
		liquid++;
		interior += inside;
		empty += inside && !held[at];
	}
	assert_int_equal(r->liquid_cells, liquid);
	assert_int_equal(r->interior_cells, interior);
	assert_int_equal(r->interior_empty, empty);
	assert_int_equal(r->max_ppc, most);
	assert_int_equal(r->min_ppc, fewest);
	assert_true(empty > 0);
	test_free(type);
	test_free(held);
	free_copy(&c);
}

/* Several lengths: below and above the chunks of 1024 and their groups of 8. */
static void test_sums(void **state)
{
	(void)state;
	static const int sizes[] = {DIM == 2 ? 4 : 3, DIM == 2 ? 16 : 7, DIM == 2 ? 64 : 20};
	uint64_t random = 1;
	for (int n = 0; n < 3; n++) {
		struct fixture f = make(sizes[n], "flip");
		stir(f.sim, &random);
		assert_true(sim_measure(f.sim));
		check_sums(f.sim);
		fixture_free(&f);
	}
}

static void test_counts(void **state)
{
	(void)state;
	struct fixture f = make(DIM == 2 ? 40 : 20, "flip");
	/* Some cells of the bulk lose all their particles to their neighbours. */
	struct copy c = read_copy(f.sim);
	const double h = (double)f.sim->lattice.grid.h;
	for (size_t n = 0; n < c.count; n++) {
		int cell = (int)floor((double)c.x[n] / h);
		if (cell % 5 == 2 && (int)floor((double)c.x[c.stride + n] / h) % 5 == 2)
			c.x[n] += (float)h;
	}
	write_copy(f.sim, &c);
	free_copy(&c);
	assert_true(sim_measure(f.sim));
	check_counts(f.sim);
	fixture_free(&f);
}

/* Area or volume under phi: exact for planes along the axes; of a disc or ball to 1 %. */
static void test_volume(void **state)
{
	(void)state;
	struct fixture f = make(DIM == 2 ? 48 : 24, "flip");
	struct sim *sim = f.sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	const double h = (double)g->h, radius = 0.37, middle[3] = {0.49, 0.53, 0.47};
	const double ball = DIM == 2 ? 3.14159265358979 * radius * radius
				     : 4.0 / 3.0 * 3.14159265358979 * pow(radius, 3);
	float *phi = test_calloc(lattice, sizeof(float));
	assert_true(sim_measure(sim));
	for (int shape = 0; shape < 4; shape++) {
		double expected = shape < 3 ? 0.413 : ball;
		if (shape == 2 && DIM == 2)
			continue;
		FOR_CELLS(g, i, j, k, at)
		{
			double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h}, square = 0.0;
			for (int a = 0; a < DIM; a++)
				square += (x[a] - middle[a]) * (x[a] - middle[a]);
			phi[at] = (float)(shape < 3 ? x[shape] - 0.413 : sqrt(square) - radius);
		}
		uint8_t *type = test_calloc(lattice, 1);
		memset(type, CELL_SOLID, lattice);
		FOR_CELLS(g, i, j, k, at)
		type[at] = phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
		fixture_write(&sim->phi, phi, lattice * sizeof(float));
		fixture_write(&sim->cell_type, type, lattice);
		assert_true(statistics_cells(sim) && statistics_state(sim));
		assert_true(fabs(sim->stats.report.volume - expected) <=
			    (shape < 3 ? 1e-6 : 0.01) * expected);
		test_free(type);
	}
	test_free(phi);
	fixture_free(&f);
}

/* ---- hash --------------------------------------------------------------------------------- */

static u64 hash_of(struct sim *sim, int frame)
{
	u64 hash = 0;
	assert_true(statistics_hash(sim, frame, &hash));
	return hash;
}

static void swap(struct copy *c, size_t a, size_t b)
{
	for (size_t axis = 0; axis < DIM; axis++) {
		float x = c->x[axis * c->stride + a], v = c->v[axis * c->stride + a];
		c->x[axis * c->stride + a] = c->x[axis * c->stride + b];
		c->v[axis * c->stride + a] = c->v[axis * c->stride + b];
		c->x[axis * c->stride + b] = x;
		c->v[axis * c->stride + b] = v;
	}
	u32 id = c->id[a];
	c->id[a] = c->id[b];
	c->id[b] = id;
}

/* Does not depend on the order; does on every word, on ids and on the frame; -0 is +0. */
static void test_hash(void **state)
{
	(void)state;
	uint64_t random = 2;
	struct fixture f = make(DIM == 2 ? 40 : 12, "flip");
	stir(f.sim, &random);
	struct copy c = read_copy(f.sim);
	c.v[3] = 0.0f;
	write_copy(f.sim, &c);
	const u64 hash = hash_of(f.sim, 7);
	assert_true(hash_of(f.sim, 7) == hash);
	assert_true(hash_of(f.sim, 8) != hash);
	for (size_t n = 0; n < c.count; n += 2)
		swap(&c, n, (size_t)(fixture_random(&random) * (double)c.count));
	write_copy(f.sim, &c);
	assert_true(hash_of(f.sim, 7) == hash);

	size_t zero = 0;
	while (c.v[zero] != 0.0f)
		zero++;
	c.v[zero] = -0.0f;
	write_copy(f.sim, &c);
	assert_true(hash_of(f.sim, 7) == hash);

	for (size_t n = 0; n < 2 * DIM; n++) {
		float *value = (n < DIM ? c.x : c.v) + n % DIM * c.stride + c.count / 3;
		float before = *value;
		*value = nextafterf(before, 1e9f);
		write_copy(f.sim, &c);
		assert_true(hash_of(f.sim, 7) != hash);
		*value = before;
	}
	/* Two particles exchange their velocities: the same words, elsewhere. */
	float v = c.v[0];
	c.v[0] = c.v[1];
	c.v[1] = v;
	write_copy(f.sim, &c);
	assert_true(hash_of(f.sim, 7) != hash);
	c.v[1] = c.v[0];
	c.v[0] = v;
	u32 id = c.id[0];
	c.id[0] = c.id[1];
	c.id[1] = id;
	write_copy(f.sim, &c);
	assert_true(hash_of(f.sim, 7) != hash);
	free_copy(&c);
	fixture_free(&f);
}

/* Affine matrices count with APIC, and only then. */
static void test_hash_affine(void **state)
{
	(void)state;
	struct fixture f = make(8, "apic");
	const size_t n = f.sim->particles.capacity * DIM * DIM;
	const u64 hash = hash_of(f.sim, 0);
	float *affine = test_calloc(n, sizeof(float));
	affine[n - 1] = 1e-20f;
	fixture_write(&f.sim->particles.now.affine, affine, n * sizeof(float));
	assert_true(hash_of(f.sim, 0) != hash);
	test_free(affine);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),	    cmocka_unit_test(test_counts),
		cmocka_unit_test(test_volume),	    cmocka_unit_test(test_hash),
		cmocka_unit_test(test_hash_affine),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
