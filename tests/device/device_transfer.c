/*
 * host/stages/transfer.c on a device: P2G and G2P against double precision, exact invariants of the
 * integer splat, and equal bits on every splat path.
 *
 * Quantisation (host/stages/transfer.c): where at most 2^c particles can meet at a face, weights
 * are multiples of 2^-min(20, 30 - c), velocities of the speed bound (a power of two) times 2^-30.
 */
#include "stage_fixture.h"

#include <math.h>

#include "bits.h"
#include "levelset.h"
#include "particles.h"
#include "reference.h"
#include "transfer.h"

#define EPS 0x1p-24 /* of float: half a unit in the last place of 1 */
#define VELOCITY_BITS 30
#define CORNERS (1 << DIM)

static const char *const axis_list = DIM == 2 ? "1.5, 1" : "1.5, 1, 1.25";
/* Cells of 1/16 m: 24 x 16 (x 20). */
#define CELLS_X 24

struct particles_copy {
	size_t count, stride;
	float *position, *velocity, *affine; /* affine NULL unless APIC */
};

static struct fixture make(const char *transfer)
{
	return fixture_make("domain: {size: [%s], cells: %d}\n"
			    "gravity: [%s]\n"
			    "liquid: {transfer: %s, flip_ratio: 0.9}\n"
			    "liquids: [{half_space: {point: [%s], normal: [1, 0%s]}}]\n",
			    axis_list, CELLS_X, DIM == 2 ? "0, 0" : "0, 0, 0", transfer,
			    DIM == 2 ? "1, 0" : "1, 0, 0", DIM == 2 ? "" : ", 0");
}

static struct particles_copy copy_of(const struct sim *sim)
{
	const struct particles *p = &sim->particles;
	struct particles_copy c = {.count = p->count, .stride = p->capacity};
	c.position = fixture_read(&p->now.position, c.stride * DIM * sizeof(float));
	c.velocity = fixture_read(&p->now.velocity, c.stride * DIM * sizeof(float));
	if (sim->scene->transfer == TRANSFER_APIC)
		c.affine = fixture_read(&p->now.affine, c.stride * DIM * DIM * sizeof(float));
	return c;
}

static void free_copy(struct particles_copy *c)
{
	test_free(c->position);
	test_free(c->velocity);
	if (c->affine)
		test_free(c->affine);
}

/* Random places all over the box (corners and walls included), random motion. */
static void scatter(struct sim *sim, uint64_t *random)
{
	struct particles_copy c = copy_of(sim);
	const double size[3] = {sim->scene->size[0], sim->scene->size[1], sim->scene->size[2]};
	for (size_t n = 0; n < c.count; n++)
		for (size_t a = 0; a < DIM; a++) {
			double x = fixture_random(random);
			x = n % 50 == 0 ? floor(2.0 * x) : x;
			c.position[a * c.stride + n] = (float)(x * size[a]);
			c.velocity[a * c.stride + n] = (float)fixture_between(random, -3.0, 2.0);
			for (size_t b = 0; c.affine && b < DIM; b++)
				c.affine[(a * DIM + b) * c.stride + n] =
					(float)fixture_between(random, -9.0, 9.0);
		}
	fixture_write(&sim->particles.now.position, c.position, c.stride * DIM * sizeof(float));
	fixture_write(&sim->particles.now.velocity, c.velocity, c.stride * DIM * sizeof(float));
	if (c.affine)
		fixture_write(&sim->particles.now.affine, c.affine,
			      c.stride * DIM * DIM * sizeof(float));
	free_copy(&c);
	assert_true(particles_sort(sim));
}

static double speed_bound(const struct sim *sim)
{
	return (double)float_from_bits(sim->lattice.host_scalars[SCALAR_SPEED_BOUND]);
}

/* Particles of 2 x 3 (x 3) cells reach a face. */
static int weight_bits(const struct sim *sim)
{
	int c = 0;
	while ((u64)1 << c < (u64)sim->lattice.host_scalars[SCALAR_MAX_PPC] * (DIM == 3 ? 18 : 6))
		c++;
	return c <= 10 ? 20 : 30 - c;
}

/* |u - reference| per face, from the quantisation and the rounding of positions. */
static void check_faces(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t faces = (size_t)g->lattice * DIM;
	struct particles_copy c = copy_of(sim);
	const struct reference_particles p = {c.count, c.stride, c.position, c.velocity, c.affine};
	double *memory = test_calloc(3 * faces, sizeof(double));
	const struct reference_faces f = {memory, memory + faces, memory + 2 * faces};
	reference_splat(g, DIM, &p, &f);

	float *u = fixture_read(&sim->u_face, faces * sizeof(float));
	uint8_t *valid = fixture_read(&sim->valid, (size_t)g->lattice);
	/* A speed bound between 2^(e-1) and 2^e gives units of 2^(e-30). */
	const double velocity_unit = 2.0 * speed_bound(sim) * pow(2.0, -VELOCITY_BITS);
	/* Rounding of all corners but the last adds up in the last; the place of a particle among
	 * the samples is known to EPS of the largest index, twice rounded. */
	const double place = 2.0 * CELLS_X * EPS;
	const double weight_error =
		ldexp(0.5 * (CORNERS - 1), -weight_bits(sim)) + DIM * (place + 4.0 * EPS);
	const double affine_error = c.affine ? DIM * 9.0 * (double)g->h * place : 0.0;
	size_t checked = 0;
	for (size_t n = 0; n < faces; n++) {
		bool is_valid = valid[n % (size_t)g->lattice] >> (n / (size_t)g->lattice) & 1;
		double doubt = f.contributions[n] * weight_error;
		if (f.weight[n] > 0x1p-10 + doubt)
			assert_true(is_valid);
		if (f.weight[n] < 0x1p-10 - doubt)
			assert_false(is_valid);
		if (!is_valid) {
			assert_true(u[n] == 0.0f);
			continue;
		}
		double mean = f.momentum[n] / f.weight[n];
		/* sum |dW| |v - mean| / sum W, with |v - mean| at most twice the bound */
		double bound = 0.5 * velocity_unit + affine_error + 8.0 * EPS * speed_bound(sim) +
			       doubt * 2.0 * speed_bound(sim) / (f.weight[n] - doubt);
		if (doubt > 0.5 * f.weight[n])
			continue;
		if (fabs((double)u[n] - mean) > bound)
			fail_msg("face %zu: %.9g, not %.9g: off by %g, allowed %g", n, (double)u[n],
				 mean, fabs((double)u[n] - mean), bound);
		checked++;
	}
	assert_true(checked > faces / 2);
	test_free(memory);
	test_free(u);
	test_free(valid);
	free_copy(&c);
}

/* The sums of all faces: weights exactly one per particle, momentum to half a velocity unit. */
static void check_totals(struct sim *sim)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	struct particles_copy c = copy_of(sim);
	int32_t *w = fixture_read(&sim->sum_w, lattice * DIM * sizeof(*w));
	int64_t *wv = fixture_read(&sim->sum_wv, lattice * DIM * sizeof(*wv));
	int exponent;
	frexp(speed_bound(sim), &exponent);
	const double unit = ldexp(1.0, exponent - VELOCITY_BITS);
	for (size_t a = 0; a < DIM; a++) {
		int64_t weight = 0;
		double momentum = 0.0, expected = 0.0;
		for (size_t n = 0; n < lattice; n++) {
			weight += w[a * lattice + n];
			momentum += (double)wv[a * lattice + n];
		}
		for (size_t n = 0; n < c.count; n++)
			expected += (double)c.velocity[a * c.stride + n];
		assert_true(weight == (int64_t)c.count << weight_bits(sim));
		if (!c.affine)
			assert_true(fabs(ldexp(momentum * unit, -weight_bits(sim)) - expected) <=
				    (double)c.count * 0.5 * unit);
	}
	test_free(w);
	test_free(wv);
	free_copy(&c);
}

static void check_p2g(const char *transfer)
{
	uint64_t random = 7;
	struct fixture f = make(transfer);
	scatter(f.sim, &random);
	assert_true(transfer_p2g(f.sim));
	check_faces(f.sim);
	check_totals(f.sim);
	fixture_free(&f);
}

static void test_p2g_flip(void **state)
{
	(void)state;
	check_p2g("flip");
}

static void test_p2g_apic(void **state)
{
	(void)state;
	check_p2g("apic");
}

/* A constant velocity reaches every face and comes back to every particle: to half a velocity unit
 * and the rounding of the division. */
static void test_constant(void **state)
{
	(void)state;
	static const float v[3] = {1.0f / 3.0f, -1.0f / 7.0f, 2.0f / 11.0f};
	static const char *const kinds[] = {"pic", "flip", "apic"};
	for (int kind = 0; kind < 3; kind++) {
		uint64_t random = 3;
		struct fixture f = make(kinds[kind]);
		struct sim *sim = f.sim;
		scatter(sim, &random);
		struct particles_copy c = copy_of(sim);
		for (size_t n = 0; n < c.count * DIM; n++)
			c.velocity[n / c.count * c.stride + n % c.count] = v[n / c.count];
		fixture_write(&sim->particles.now.velocity, c.velocity,
			      c.stride * DIM * sizeof(float));
		assert_true(clx_zero(sim->cl, &sim->particles.now.affine, 0,
				     sim->particles.now.affine.bytes));
		free_copy(&c);
		assert_true(particles_sort(sim) && transfer_p2g(sim));

		const size_t lattice = (size_t)sim->lattice.grid.lattice;
		const double bound = ldexp(0.5, -VELOCITY_BITS) + EPS;
		float *u = fixture_read(&sim->u_face, lattice * DIM * sizeof(float));
		uint8_t *valid = fixture_read(&sim->valid, lattice);
		for (size_t n = 0; n < lattice * DIM; n++)
			if (valid[n % lattice] >> (n / lattice) & 1)
				assert_true(fabs((double)(u[n] - v[n / lattice])) <= bound);
		/* Faces without a value take part in no interpolation here. */
		for (size_t n = 0; n < lattice * DIM; n++)
			u[n] = valid[n % lattice] >> (n / lattice) & 1 ? u[n] : v[n / lattice];
		fixture_write(&sim->u_face, u, lattice * DIM * sizeof(float));
		assert_true(clx_zero(sim->cl, &sim->delta, 0, sim->delta.bytes));
		sim->dt = 1.0 / 240.0;
		assert_true(transfer_g2p(sim));
		c = copy_of(sim);
		for (size_t n = 0; n < c.count * DIM; n++)
			assert_true(fabs((double)(c.velocity[n / c.count * c.stride + n % c.count] -
						  v[n / c.count])) <= bound + 4.0 * EPS);
		test_free(u);
		test_free(valid);
		free_copy(&c);
		fixture_free(&f);
	}
}

/* Random face fields: velocity, blended change and gradient at every particle. */
static void check_g2p(const char *transfer)
{
	uint64_t random = 11;
	struct fixture f = make(transfer);
	struct sim *sim = f.sim;
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	const enum scene_transfer kind = sim->scene->transfer;
	scatter(sim, &random);
	float *u = test_calloc(lattice * DIM, sizeof(float));
	float *delta = test_calloc(lattice * DIM, sizeof(float));
	for (size_t n = 0; n < lattice * DIM; n++) {
		u[n] = (float)fixture_between(&random, -2.0, 3.0);
		delta[n] = (float)fixture_between(&random, -1.0, 1.0);
	}
	fixture_write(&sim->u_face, u, lattice * DIM * sizeof(float));
	fixture_write(&sim->delta, delta, lattice * DIM * sizeof(float));
	struct particles_copy before = copy_of(sim);
	sim->dt = 1.0 / 120.0; /* twice the step that flip_ratio is given for */
	assert_true(transfer_g2p(sim));
	struct particles_copy after = copy_of(sim);

	const double flip = kind == TRANSFER_FLIP ? 0.9 * 0.9 : 0.0;
	/* Neighbouring samples differ by up to 5. */
	const double place = 2.0 * CELLS_X * EPS;
	const double bound = DIM * 5.0 * (place + 8.0 * EPS) + 8.0 * EPS * 5.0;
	for (size_t n = 0; n < before.count; n++)
		for (size_t a = 0; a < DIM; a++) {
			double x[3] = {0.0}, gradient[3];
			for (size_t b = 0; b < DIM; b++)
				x[b] = (double)before.position[b * before.stride + n];
			double value = reference_sample(&sim->lattice.grid, DIM, (int)a,
							u + a * lattice, x, gradient);
			double change = reference_sample(&sim->lattice.grid, DIM, (int)a,
							 delta + a * lattice, x, NULL);
			double v = (double)before.velocity[a * before.stride + n];
			double expected = flip * (v + change) + (1.0 - flip) * value;
			double got = (double)after.velocity[a * before.stride + n];
			if (fabs(got - expected) > bound)
				fail_msg("particle %zu, axis %zu: %.9g, not %.9g", n, a, got,
					 expected);
			for (size_t b = 0; after.affine && b < DIM; b++)
				assert_true(fabs((double)after
							 .affine[(a * DIM + b) * after.stride + n] -
						 gradient[b]) <=
					    2.0 * bound * (double)sim->lattice.grid.inv_h);
		}
	test_free(u);
	test_free(delta);
	free_copy(&before);
	free_copy(&after);
	fixture_free(&f);
}

static void test_g2p(void **state)
{
	(void)state;
	check_g2p("pic");
	check_g2p("flip");
	check_g2p("apic");
}

/* A linear field survives APIC's P2G and G2P (Jiang et al. 2015) wherever all faces around a
 * particle have its value. */
static void test_linear(void **state)
{
	(void)state;
	static const double slope[3][3] = {{0.7, -1.1, 0.4}, {0.3, -0.5, 0.9}, {-0.8, 0.6, -0.2}};
	static const double start[3] = {0.3, -0.2, 0.1};
	uint64_t random = 5;
	struct fixture f = make("apic");
	struct sim *sim = f.sim;
	const double h = (double)sim->lattice.grid.h;
	scatter(sim, &random);
	struct particles_copy c = copy_of(sim);
	for (size_t n = 0; n < c.count; n++)
		for (size_t a = 0; a < DIM; a++) {
			/* Beyond the outermost samples fields are constant: stay away from walls,
			 * and not on a face, where a gradient needs the other side too. */
			float *x = &c.position[a * c.stride + n];
			double size = sim->scene->size[a];
			*x = (float)fmin(fmax((double)*x, 1.1 * h), size - 1.1 * h);
		}
	for (size_t n = 0; n < c.count; n++)
		for (size_t a = 0; a < DIM; a++) {
			double v = start[a];
			for (size_t b = 0; b < DIM; b++) {
				v += slope[a][b] * (double)c.position[b * c.stride + n];
				c.affine[(a * DIM + b) * c.stride + n] = (float)slope[a][b];
			}
			c.velocity[a * c.stride + n] = (float)v;
		}
	fixture_write(&sim->particles.now.position, c.position, c.stride * DIM * sizeof(float));
	fixture_write(&sim->particles.now.velocity, c.velocity, c.stride * DIM * sizeof(float));
	fixture_write(&sim->particles.now.affine, c.affine, c.stride * DIM * DIM * sizeof(float));
	free_copy(&c);
	assert_true(particles_sort(sim));
	struct particles_copy before = copy_of(sim);
	assert_true(transfer_p2g(sim));

	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	uint8_t *valid = fixture_read(&sim->valid, lattice);
	assert_true(transfer_g2p(sim));
	struct particles_copy after = copy_of(sim);
	float *mask = test_calloc(lattice * DIM, sizeof(float));
	for (size_t n = 0; n < lattice * DIM; n++)
		mask[n] = valid[n % lattice] >> (n / lattice) & 1 ? 0.0f : 1.0f;
	size_t checked = 0;
	for (size_t n = 0; n < before.count; n++)
		for (size_t a = 0; a < DIM; a++) {
			double x[3] = {0.0};
			for (size_t b = 0; b < DIM; b++)
				x[b] = (double)before.position[b * before.stride + n];
			if (reference_sample(&sim->lattice.grid, DIM, (int)a, mask + a * lattice, x,
					     NULL) > 0.0)
				continue;
			checked++;
			assert_true(fabs((double)(after.velocity[a * after.stride + n] -
						  before.velocity[a * after.stride + n])) < 1e-6);
			for (size_t b = 0; b < DIM; b++)
				assert_true(fabs((double)after
							 .affine[(a * DIM + b) * after.stride + n] -
						 slope[a][b]) < 2e-6 / h);
		}
	assert_true(checked > before.count);
	test_free(valid);
	test_free(mask);
	free_copy(&before);
	free_copy(&after);
	fixture_free(&f);
}

/* ---- splat paths -------------------------------------------------------------------------- */

struct sums {
	void *u, *valid, *density;
};

static struct sums splat_by(const char *path, const char *transfer)
{
	struct sums s;
	uint64_t random = 13;
	fixture_reopen(path);
	struct fixture f = make(transfer);
	const size_t lattice = (size_t)f.sim->lattice.grid.lattice;
	scatter(f.sim, &random);
	assert_true(transfer_p2g(f.sim));
	s.u = fixture_read(&f.sim->u_face, lattice * DIM * sizeof(float));
	s.valid = fixture_read(&f.sim->valid, lattice);
	assert_true(levelset_update(f.sim));
	s.density = fixture_read(&f.sim->density, lattice * sizeof(u32));
	fixture_free(&f);
	return s;
}

static void free_sums(struct sums *s)
{
	test_free(s->u);
	test_free(s->valid);
	test_free(s->density);
}

static void test_paths(void **state)
{
	(void)state;
	static const char *const kinds[] = {"flip", "apic"};
	for (int kind = 0; kind < 2; kind++) {
		struct fixture f = make("flip");
		const size_t lattice = (size_t)f.sim->lattice.grid.lattice;
		fixture_free(&f);
		struct sums block = splat_by("block", kinds[kind]);
		struct sums brick = splat_by("brick", kinds[kind]);
		assert_memory_equal(block.u, brick.u, lattice * DIM * sizeof(float));
		assert_memory_equal(block.valid, brick.valid, lattice);
		assert_memory_equal(block.density, brick.density, lattice * sizeof(u32));
		free_sums(&brick);
		free_sums(&block);
	}
	fixture_reopen(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_p2g_flip), cmocka_unit_test(test_p2g_apic),
		cmocka_unit_test(test_constant), cmocka_unit_test(test_g2p),
		cmocka_unit_test(test_linear),	 cmocka_unit_test(test_paths),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
