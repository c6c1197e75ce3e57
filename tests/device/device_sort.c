/*
 * The sort of host/stages/particles.c on a device: a permutation, in the order of cells and then of
 * ids, with every array taken along; crowded cells; removed particles.
 */
#include "stage_fixture.h"

#include <math.h>

#include "particles.h"
#include "transfer.h"

static struct fixture make(int per_cell)
{
	return fixture_make("domain: {size: [%s], cells: 22}\n"
			    "gravity: [%s]\n"
			    "liquid: {transfer: apic, particles_per_cell: %d}\n"
			    "liquids: [{half_space: {point: [%s], normal: [1, %s]}}]\n",
			    DIM == 2 ? "1.1, 0.65" : "1.1, 0.65, 0.35",
			    DIM == 2 ? "0, 0" : "0, 0, 0", per_cell, DIM == 2 ? "2, 0" : "2, 0, 0",
			    DIM == 2 ? "0" : "0, 0");
}

/* One copy of all particles on the host; `rest`: the other attributes that it carries, which no
 * stage need know for the sort to take them along. */
struct copy {
	size_t count, stride;
	float *x, *v, *rest[ATTRIBUTE_COUNT];
	u32 *id;
};

static bool is_of_rest(enum particle_attribute a)
{
	return attribute_rows[a].on_device && a != ATTRIBUTE_POSITION && a != ATTRIBUTE_VELOCITY &&
	       a != ATTRIBUTE_ID;
}

static struct copy read_copy(struct sim *sim)
{
	struct particle_set *now = &sim->particles.now;
	struct copy c = {.count = sim->particles.count, .stride = sim->particles.capacity};
	c.x = fixture_read(&now->position, c.stride * DIM * sizeof(float));
	c.v = fixture_read(&now->velocity, c.stride * DIM * sizeof(float));
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (is_of_rest(a) && (sim->particles.carried & ATTRIBUTE_BIT(a)))
			c.rest[a] =
				fixture_read(particle_set_values(now, a),
					     c.stride * attribute_columns(a, DIM) * sizeof(float));
	c.id = fixture_read(&now->id, c.stride * sizeof(u32));
	return c;
}

static void write_copy(struct sim *sim, const struct copy *c)
{
	struct particle_set *now = &sim->particles.now;
	fixture_write(&now->position, c->x, c->stride * DIM * sizeof(float));
	fixture_write(&now->velocity, c->v, c->stride * DIM * sizeof(float));
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (c->rest[a])
			fixture_write(particle_set_values(now, a), c->rest[a],
				      c->stride * attribute_columns(a, DIM) * sizeof(float));
	fixture_write(&now->id, c->id, c->stride * sizeof(u32));
}

static void free_copy(struct copy *c)
{
	test_free(c->x);
	test_free(c->v);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		test_free(c->rest[a]);
	test_free(c->id);
}

/* What a particle with this id holds in column `n`: any float that tells ids and columns apart. */
static float tag(u32 id, size_t n)
{
	return (float)id + (float)n / 32.0f;
}

/* The tag of column `c` of an attribute; columns are counted on from one to the next. */
static float tag_of(u32 id, enum particle_attribute a, size_t c)
{
	for (enum particle_attribute b = ATTRIBUTE_POSITION; b < a; b++)
		c += is_of_rest(b) ? attribute_columns(b, DIM) : 0;
	return tag(id, DIM + c);
}

/* Random places (some on walls), ids shuffled, the other floats tagged by id. */
static void scramble(struct copy *c, const struct scene *scene, uint64_t *random)
{
	for (size_t n = 0; n < c->count; n++)
		c->id[n] = (u32)n;
	for (size_t n = c->count; n-- > 1;) {
		size_t m = (size_t)(fixture_random(random) * (double)(n + 1));
		u32 id = c->id[n];
		c->id[n] = c->id[m];
		c->id[m] = id;
	}
	for (size_t n = 0; n < c->count; n++) {
		for (size_t a = 0; a < DIM; a++) {
			double x = fixture_random(random);
			x = n % 97 == 0 ? floor(2.0 * x) : x;
			c->x[a * c->stride + n] = (float)(x * scene->size[a]);
			c->v[a * c->stride + n] = tag(c->id[n], a);
		}
		for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
			for (size_t b = 0; c->rest[a] && b < attribute_columns(a, DIM); b++)
				c->rest[a][b * c->stride + n] = tag_of(c->id[n], a, b);
	}
}

/* Sort key of a place: blocks of 8 x 8 or 4 x 4 x 4 cells row by row, cells row by row inside. */
static int key_of(const struct grid *g, const struct copy *c, size_t n)
{
	int cell[3] = {0}, cells[3], blocks[3] = {g->bx, g->by, g->bz};
	const int edge = DIM == 2 ? 8 : 4;
	int block = 0, inside = 0;
	fixture_cells(g, cells);
	for (size_t a = 0; a < DIM; a++) {
		cell[a] = (int)floorf(c->x[a * c->stride + n] * g->inv_h);
		cell[a] = cell[a] < 0 ? 0 : cell[a] >= cells[a] ? cells[a] - 1 : cell[a];
	}
	for (int a = DIM - 1; a >= 0; a--) {
		block = block * blocks[a] + cell[a] / edge;
		inside = inside * edge + cell[a] % edge;
	}
	return block * 64 + inside;
}

/* x0: place by id before the sort. */
static void check_sorted(struct sim *sim, const float *x0, size_t living)
{
	const struct grid *g = &sim->lattice.grid;
	struct copy c = read_copy(sim);
	u32 *start = fixture_read(&sim->particles.cell_start, ((size_t)g->keys + 1) * sizeof(u32));
	uint8_t *seen = test_calloc(c.stride, 1);
	int before = -1;
	assert_int_equal(sim->particles.count, living);
	for (size_t n = 0; n < living; n++) {
		int key = key_of(g, &c, n);
		u32 id = c.id[n];
		assert_true(id < c.stride && !seen[id]);
		seen[id] = 1;
		assert_true(key > before || (key == before && id > c.id[n - 1]));
		before = key;
		assert_in_range(n, start[key], start[key + 1] - 1);
		for (size_t a = 0; a < DIM; a++) {
			assert_true(c.x[a * c.stride + n] == x0[a * c.stride + id]);
			assert_true(c.v[a * c.stride + n] == tag(id, a));
		}
		for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
			for (size_t b = 0; c.rest[a] && b < attribute_columns(a, DIM); b++)
				assert_true(c.rest[a][b * c.stride + n] == tag_of(id, a, b));
	}
	assert_int_equal(start[g->keys], living);
	test_free(start);
	test_free(seen);
	free_copy(&c);
}

static float *places_by_id(const struct copy *c)
{
	float *x0 = test_calloc(c->stride * DIM, sizeof(float));
	for (size_t n = 0; n < c->count; n++)
		for (size_t a = 0; a < DIM; a++)
			x0[a * c->stride + c->id[n]] = c->x[a * c->stride + n];
	return x0;
}

static void test_random(void **state)
{
	(void)state;
	uint64_t random = 1;
	struct fixture f = make(DIM == 2 ? 4 : 8);
	struct copy c = read_copy(f.sim);
	scramble(&c, f.scene, &random);
	write_copy(f.sim, &c);
	float *x0 = places_by_id(&c);
	assert_true(particles_sort(f.sim));
	check_sorted(f.sim, x0, c.count);
	/* Sorted input, and input that is nearly sorted, end the same way. */
	assert_true(particles_sort(f.sim));
	check_sorted(f.sim, x0, c.count);
	struct copy moved = read_copy(f.sim);
	for (size_t n = 0; n < moved.count; n += 3) {
		moved.x[n] = fminf(moved.x[n] + 0.7f * f.sim->lattice.grid.h,
				   f.sim->lattice.grid.size_x);
		x0[moved.id[n]] = moved.x[n];
	}
	write_copy(f.sim, &moved);
	assert_true(particles_sort(f.sim));
	check_sorted(f.sim, x0, c.count);
	free_copy(&moved);
	free_copy(&c);
	test_free(x0);
	fixture_free(&f);
}

static void test_removed(void **state)
{
	(void)state;
	uint64_t random = 2;
	struct fixture f = make(4);
	struct copy c = read_copy(f.sim);
	size_t living = c.count;
	scramble(&c, f.scene, &random);
	float *x0 = places_by_id(&c);
	for (size_t n = 0; n < c.count; n += 5) {
		c.id[n] = ID_REMOVED;
		living--;
	}
	write_copy(f.sim, &c);
	assert_true(particles_sort(f.sim));
	check_sorted(f.sim, x0, living);
	free_copy(&c);
	test_free(x0);
	fixture_free(&f);
}

/* Cells with 1, 64, 65, 1000 particles, and one with most of 200 000: counts around the change of
 * algorithm, and far beyond what a cell should ever hold. */
static void test_crowded(void **state)
{
	(void)state;
	static const size_t crowds[] = {1, 2, 63, 64, 65, 66, 1000};
	uint64_t random = 3;
	struct fixture f = make(64);
	struct copy c = read_copy(f.sim);
	const float h = f.sim->lattice.grid.h;
	size_t n = 0;
	assert_true(c.count > 18000);
	scramble(&c, f.scene, &random);
	for (size_t crowd = 0; crowd < sizeof(crowds) / sizeof(crowds[0]); crowd++)
		for (size_t m = 0; m < crowds[crowd]; m++, n++) {
			c.x[n] = ((float)(2 * crowd) + 0.5f) * h;
			c.x[c.stride + n] = 0.5f * h;
		}
	for (; n < c.count; n++)
		for (size_t a = 0; a < DIM; a++)
			c.x[a * c.stride + n] = 4.5f * h;
	for (n = 0; DIM == 3 && n < c.count; n++)
		c.x[(size_t)2 % DIM * c.stride + n] = 4.5f * h;
	write_copy(f.sim, &c);
	float *x0 = places_by_id(&c);
	assert_true(lattice_set_scalar(&f.sim->lattice, SCALAR_FEWEST_PPC, 0));
	assert_true(particles_sort(f.sim));
	check_sorted(f.sim, x0, c.count);
	assert_int_equal(f.sim->lattice.host_scalars[SCALAR_MAX_PPC], c.count - 1261);
	assert_int_equal(~f.sim->lattice.host_scalars[SCALAR_FEWEST_PPC], 1);
	free_copy(&c);
	test_free(x0);
	fixture_free(&f);
}

/* 200 000 particles at one spot: the transfers keep their velocity, on every path. */
static void test_one_spot(void **state)
{
	(void)state;
	static const char *const paths[] = {"block", "brick"};
	static const float v[3] = {1.0f / 3.0f, -1.0f / 7.0f, 1.0f / 9.0f};
	const int steps = DIM == 2 || fixture_full() ? 3 : 1;
	float *first = NULL;
	size_t faces = 0;
	for (int path = 0; path < 2; path++) {
		fixture_reopen(paths[path]);
		struct fixture f = fixture_make(
			DIM == 2 ? "domain: {size: [1, 1], cells: 56}\n"
				   "liquid: {particles_per_cell: 64}\n"
				   "liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n"
				   "gravity: [0, 0]\n"
				 : "domain: {size: [1, 1, 1], cells: 15}\n"
				   "liquid: {particles_per_cell: 60}\n"
				   "liquids: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n"
				   "gravity: [0, 0, 0]\n");
		struct sim *sim = f.sim;
		struct copy c = {.count = sim->particles.count, .stride = sim->particles.capacity};
		assert_true(c.count >= 200000);
		c.x = fixture_read(&sim->particles.now.position, c.stride * DIM * sizeof(float));
		c.v = fixture_read(&sim->particles.now.velocity, c.stride * DIM * sizeof(float));
		for (size_t n = 0; n < c.count; n++)
			for (size_t a = 0; a < DIM; a++) {
				c.x[a * c.stride + n] = 0.51f;
				c.v[a * c.stride + n] = v[a];
			}
		fixture_write(&sim->particles.now.position, c.x, c.stride * DIM * sizeof(float));
		fixture_write(&sim->particles.now.velocity, c.v, c.stride * DIM * sizeof(float));
		faces = (size_t)sim->lattice.grid.lattice * DIM;
		assert_true(particles_sort(sim) && transfer_p2g(sim));
		float *u = fixture_read(&sim->u_face, faces * sizeof(float));
		uint8_t *valid = fixture_read(&sim->valid, (size_t)sim->lattice.grid.lattice);
		size_t count = 0;
		for (size_t n = 0; n < faces; n++) {
			size_t axis = n / (size_t)sim->lattice.grid.lattice;
			if (!(valid[n % (size_t)sim->lattice.grid.lattice] >> axis & 1))
				continue;
			count++;
			assert_true(fabs((double)(u[n] - v[axis])) <= 1e-4);
		}
		assert_int_equal(count, DIM << DIM);
		if (!first) {
			first = u;
		} else {
			assert_memory_equal(first, u, faces * sizeof(float));
			test_free(u);
		}
		/* The whole step too: nothing hangs, nothing speeds up. */
		for (int step = 0; step < steps && path == 0; step++)
			assert_true(sim_substep(sim));
		float *after =
			fixture_read(&sim->particles.now.velocity, c.stride * DIM * sizeof(float));
		for (size_t n = 0; n < c.count; n++)
			for (size_t a = 0; a < DIM; a++)
				assert_true(fabs((double)(after[a * c.stride + n] - v[a])) <= 1e-4);
		test_free(after);
		test_free(valid);
		test_free(c.x);
		test_free(c.v);
		fixture_free(&f);
	}
	test_free(first);
	fixture_reopen(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_one_spot),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
