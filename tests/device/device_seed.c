/*
 * stages/seed.c on a device, 2D and 3D: numbers, places, order, velocities, and the bits that the
 * kernels give as plain C.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "seed.h"
#include "solids.h"

#include "cl_native.h"

#include "seed.cl"

#include "device_support.h"

#define CELLS 16
#define POWER(n) (DIM == 2 ? (n) * (n) : (n) * (n) * (n))

/* The unit box of CELLS^DIM cells, empty: as much of a sim as seeding needs. */
static void make_sim(struct scene *scene, struct sim *sim)
{
	memset(scene, 0, sizeof(*scene));
	memset(sim, 0, sizeof(*sim));
	scene->dim = DIM;
	scene->h = 1.0 / CELLS;
	scene->particles_per_cell = DIM == 2 ? 4 : 8;
	for (int axis = 0; axis < 3; ++axis) {
		scene->cells[axis] = axis < DIM ? CELLS : 1;
		scene->size[axis] = axis < DIM ? 1.0 : scene->h;
	}
	sim->scene = scene;
	sim->cl = device;
	sim->dim = DIM;
}

static bool make_solids(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	make_lattice(&sim->lattice, CELLS, 0);
	solids_init(&sim->solids, &sim->lattice, scene->solids, scene->solid_count, scene->h);
	return solids_create(&sim->solids);
}

static void free_solids(struct sim *sim)
{
	solids_destroy(&sim->solids);
	free_lattice(&sim->lattice);
}

struct seeds {
	u32 count;
	float *x, *v; /* [DIM][count] */
	u32 *id;
	struct id_ranges *ranges; /* the simulation's, freed with these */
};

/* Runs solids and seeding for a scene, reads the particles back, frees the device's part. */
static struct seeds seed(struct sim *sim)
{
	struct seeds s = {.ranges = &sim->particles.ids};
	struct particle_set *now = &sim->particles.now;
	uint64_t before = clx_memory_in_use(device);
	assert_true(make_solids(sim));
	/* What was in the scratch before must not matter. */
	const size_t scratch = seed_scratch_bytes(&sim->lattice.grid);
	unsigned char *rubbish = test_malloc(scratch);
	memset(rubbish, 0xab, scratch);
	assert_true(clx_alloc(device, &sim->scratch, "scratch", scratch) &&
		    clx_write(device, &sim->scratch, 0, scratch, rubbish));
	test_free(rubbish);
	assert_true(seed_count(sim, &s.count));
	const size_t n = s.count ? s.count : 1;
	sim->particles.capacity = (u32)n;
	assert_true(clx_alloc(device, &now->position, "x", n * DIM) &&
		    clx_alloc(device, &now->velocity, "v", n * DIM) &&
		    clx_alloc(device, &now->id, "id", n));
	assert_true(seed_particles(sim));
	assert_int_equal(sim->particles.count, s.count);
	s.x = test_malloc(n * DIM * sizeof(float));
	s.v = test_malloc(n * DIM * sizeof(float));
	s.id = test_malloc(n * sizeof(u32));
	assert_true(clx_read(device, &now->position, 0, n * DIM * sizeof(float), s.x) &&
		    clx_read(device, &now->velocity, 0, n * DIM * sizeof(float), s.v) &&
		    clx_read(device, &now->id, 0, n * sizeof(u32), s.id));
	clx_free(device, &now->position);
	clx_free(device, &now->velocity);
	clx_free(device, &now->id);
	clx_free(device, &sim->scratch);
	free_solids(sim);
	assert_true(clx_memory_in_use(device) == before);
	for (u32 p = 0; p < s.count; ++p)
		assert_int_equal(s.id[p], p);
	return s;
}

static void free_seeds(struct seeds *s)
{
	test_free(s->x);
	test_free(s->v);
	test_free(s->id);
	id_ranges_free(s->ranges);
}

/* Cell of a particle, i + n (j + n k). */
static int cell_of(const struct seeds *s, u32 p)
{
	int cell = 0;
	for (int axis = DIM - 1; axis >= 0; --axis)
		cell = cell * CELLS + (int)(s->x[(u32)axis * s->count + p] * (float)CELLS);
	return cell;
}

static struct shape_op cube(double low, double high)
{
	struct shape_op op = {.kind = SHAPE_BOX};
	for (int axis = 0; axis < DIM; ++axis) {
		op.a[axis] = (float)low;
		op.a[axis + 3] = (float)high;
	}
	return op;
}

/* An aligned cube holds exactly its cells' particles, in order of cells, one per sub-cell. */
static void test_aligned(void **state)
{
	(void)state;
	struct scene scene;
	struct sim sim;
	struct shape_op box = cube(0.25, 0.75);
	struct scene_liquid liquid = {.shape = program_of(&box, 1), .jitter = 1.0, .seed = 1};
	make_sim(&scene, &sim);
	scene.liquids = &liquid;
	scene.liquid_count = 1;
	struct seeds s = seed(&sim);
	assert_int_equal(s.count, POWER(CELLS / 2) * (DIM == 2 ? 4 : 8));
	assert_int_equal(sim.particles.ids.count, 1);
	assert_int_equal(sim.particles.ids.range[0].first, 0);
	assert_int_equal(sim.particles.ids.end, s.count);
	double mean = 0.0, square = 0.0;
	for (u32 p = 0; p < s.count; ++p) {
		if (p > 0)
			assert_true(cell_of(&s, p) >= cell_of(&s, p - 1));
		for (u32 axis = 0; axis < DIM; ++axis) {
			float sub = s.x[axis * s.count + p] * (float)(2 * CELLS);
			float middle = floorf(sub) + 0.5f;
			/* the k-th particle of a cell is in its k-th sub-cell, x fastest */
			assert_int_equal((int)sub & 1, p >> axis & 1);
			mean += (double)(sub - middle) / (s.count * DIM);
			square += (double)((sub - middle) * (sub - middle)) / (s.count * DIM);
		}
	}
	/* uniform in the sub-cell: mean 0, variance 1/12, within 4 standard errors of both */
	double error = 4.0 / (sqrt)((double)s.count * DIM);
	assert_true(absolute(mean) < error * 0.289);
	assert_true(absolute(square - 1.0 / 12.0) < error * 0.0745);
	free_seeds(&s);
}

/* No jitter: the middles of the sub-cells.  Counts that are no square or cube: exactly so many, in
 * different sub-cells, no sub-cell favoured. */
static void test_counts(void **state)
{
	(void)state;
	static const int counts[] = {1, 3, 5, 9, 12};
	for (int c = 0; c < 5; ++c) {
		struct scene scene;
		struct sim sim;
		struct shape_op box = cube(-1.0, 2.0);
		struct scene_liquid liquid = {.shape = program_of(&box, 1), .seed = 3};
		int divisions = 1, ppc = counts[c], used[64] = {0};
		while (POWER(divisions) < ppc)
			++divisions;
		make_sim(&scene, &sim);
		scene.liquids = &liquid;
		scene.liquid_count = 1;
		scene.particles_per_cell = ppc;
		struct seeds s = seed(&sim);
		assert_int_equal(s.count, POWER(CELLS) * ppc);
		int last = -1;
		for (u32 p = 0; p < s.count; ++p) {
			int place = 0;
			assert_int_equal(cell_of(&s, p), p / (u32)ppc);
			for (int axis = DIM - 1; axis >= 0; --axis) {
				float cells = s.x[(u32)axis * s.count + p] * (float)CELLS;
				float sub = (cells - floorf(cells)) * (float)divisions;
				assert_true(absolute((double)(sub - floorf(sub)) - 0.5) < 1e-4);
				place = place * divisions + (int)sub;
			}
			if (p % (u32)ppc == 0)
				last = -1;
			assert_true(place > last);
			last = place;
			++used[place];
		}
		/* binomial: within 5 standard deviations */
		double share = (double)ppc / POWER(divisions);
		double spread = 5.0 * (sqrt)(POWER(CELLS) * share * (1.0 - share));
		for (int n = 0; n < POWER(divisions); ++n)
			assert_true(absolute(used[n] - POWER(CELLS) * share) <= spread);
		free_seeds(&s);
	}
}

/* The first liquid wins where two overlap; solids win over both, and what they hold is counted;
 * velocities turn about the pivot. */
static void test_precedence(void **state)
{
	(void)state;
	struct scene scene;
	struct sim sim;
	const int ppc = DIM == 2 ? 4 : 8;
	struct shape_op low = cube(0.0, 0.5), high = cube(0.25, 1.0), block = cube(0.375, 0.625);
	struct scene_liquid liquids[2] = {
		{.shape = program_of(&low, 1),
		 .velocity = {1.0, -2.0, 3.0},
		 .jitter = 1.0,
		 .seed = 1},
		{.shape = program_of(&high, 1),
		 .angular_velocity = {DIM == 3 ? 0.5 : 0.0, DIM == 3 ? -1.0 : 0.0, 2.0},
		 .pivot = {0.25, 0.5, DIM == 3 ? 0.75 : 0.0},
		 .jitter = 1.0,
		 .seed = 1},
	};
	struct scene_solid solid = {.shape = program_of(&block, 1)};
	make_sim(&scene, &sim);
	scene.liquids = liquids;
	scene.liquid_count = 2;
	scene.solids = &solid;
	scene.solid_count = 1;
	struct seeds s = seed(&sim);
	/* cells: low 8^d; high 12^d less the 4^d they share; the block takes 2^d of low, and of its
	 * 4^d cells the rest from high */
	int first = (POWER(8) - POWER(2)) * ppc;
	int second = (POWER(12) - POWER(4) - (POWER(4) - POWER(2))) * ppc;
	assert_int_equal(sim.particles.ids.count, 2);
	assert_int_equal(sim.particles.ids.range[1].first, first);
	assert_int_equal(sim.particles.ids.range[1].liquid, 1);
	assert_int_equal(sim.particles.ids.end, first + second);
	assert_int_equal(sim.seeds_in_solids, POWER(4) * ppc);
	assert_non_null(strstr(last_message, "seeds dropped: inside solids"));
	for (u32 p = 0; p < s.count; ++p) {
		double x[3] = {0.0}, v[3] = {0.0};
		for (u32 axis = 0; axis < DIM; ++axis) {
			x[axis] = (double)s.x[axis * s.count + p];
			v[axis] = (double)s.v[axis * s.count + p];
		}
		assert_true(shape_distance(DIM, &block, 1, NULL, (float)x[0], (float)x[1],
					   (float)x[2]) > 0.0f);
		bool in_low = shape_distance(DIM, &low, 1, NULL, (float)x[0], (float)x[1],
					     (float)x[2]) < 0.0f;
		assert_int_equal(in_low, p < (u32)first);
		const double *w = liquids[1].angular_velocity, *pivot = liquids[1].pivot;
		double r[3] = {x[0] - pivot[0], x[1] - pivot[1], x[2] - pivot[2]};
		double wanted[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2],
				    w[0] * r[1] - w[1] * r[0]};
		for (u32 axis = 0; axis < DIM; ++axis)
			assert_true(absolute(v[axis] - (in_low ? liquids[0].velocity[axis]
							       : wanted[axis])) < 1e-6);
	}
	free_seeds(&s);
}

/* The device's bits are those of the kernel as plain C; another seed gives others. */
static void test_bits(void **state)
{
	(void)state;
	struct scene scene;
	struct sim sim;
	struct shape_op ball = {.kind = SHAPE_SPHERE,
				.a = {0.47f, 0.52f, DIM == 3 ? 0.44f : 0.0f, 0.33f}};
	struct scene_liquid liquid = {.shape = program_of(&ball, 1),
				      .velocity = {0.3, 0.1, 0.0},
				      .angular_velocity = {0.0, 0.0, 1.1},
				      .pivot = {0.47, 0.52, 0.0},
				      .jitter = 0.7,
				      .seed = 1};
	make_sim(&scene, &sim);
	scene.liquids = &liquid;
	scene.liquid_count = 1;
	scene.particles_per_cell = DIM == 2 ? 5 : 9;
	struct seeds s = seed(&sim), same = seed(&sim);
	liquid.seed = 2;
	struct seeds other = seed(&sim);
	assert_memory_equal(s.x, same.x, s.count * DIM * sizeof(float));
	assert_memory_not_equal(s.x, other.x,
				(s.count < other.count ? s.count : other.count) * sizeof(float));

	const struct seed_params p = {.seed = 1,
				      .particles_per_cell = scene.particles_per_cell,
				      .divisions = 3,
				      .jitter = 0.7f,
				      .velocity = {0.3f, 0.1f, 0.0f},
				      .angular_velocity = {0.0f, 0.0f, 1.1f},
				      .pivot = {0.47f, 0.52f, 0.0f}};
	const i32 end = 1;
	u32 counts[POWER(CELLS) + 1] = {0}, totals[SEED_TOTALS] = {0}, sum = 0;
	float *x = test_calloc(s.count * DIM, sizeof(float));
	float *v = test_calloc(s.count * DIM, sizeof(float));
	u32 *id = test_calloc(s.count, sizeof(u32));
	for (int pass = 0; pass < 2; ++pass) {
		for (size_t cell = 0; cell < POWER(CELLS); ++cell) {
			native_id[0] = cell % CELLS;
			native_id[1] = cell / CELLS % CELLS;
			native_id[2] = cell / CELLS / CELLS;
			if (pass == 0)
				seed_count_cells(sim.lattice.grid, p, &ball, NULL, &end, NULL, 0,
						 NULL, counts, totals);
			else
				seed_write_cells(sim.lattice.grid, p, &ball, NULL, &end, NULL, 0,
						 NULL, counts, 0, s.count, x, v, id);
		}
		for (size_t cell = 0; cell <= POWER(CELLS) && pass == 0; ++cell) {
			u32 count = counts[cell];
			counts[cell] = sum;
			sum += count;
		}
	}
	assert_int_equal(sum, s.count);
	assert_int_equal(totals[SEED_KEPT_LOW], s.count);
	assert_memory_equal(x, s.x, s.count * DIM * sizeof(float));
	assert_memory_equal(v, s.v, s.count * DIM * sizeof(float));
	test_free(x);
	test_free(v);
	test_free(id);
	free_seeds(&s);
	free_seeds(&same);
	free_seeds(&other);
}

static void test_limits(void **state)
{
	(void)state;
	static struct scene_liquid liquids[SEED_MAX_LIQUIDS + 1];
	struct scene scene;
	struct sim sim;
	struct shape_op box = cube(0.25, 0.75);
	u32 total = 7;
	make_sim(&scene, &sim);
	struct seeds none = seed(&sim);
	assert_int_equal(none.count, 0);
	free_seeds(&none);
	for (int l = 0; l <= SEED_MAX_LIQUIDS; ++l)
		liquids[l].shape = program_of(&box, 1);
	scene.liquids = liquids;
	scene.liquid_count = SEED_MAX_LIQUIDS;
	struct seeds full = seed(&sim); /* the first takes it all */
	assert_int_equal(sim.particles.ids.count, 1);
	assert_int_equal(sim.particles.ids.end, full.count);
	free_seeds(&full);
	scene.liquid_count = SEED_MAX_LIQUIDS + 1;
	assert_true(make_solids(&sim));
	assert_false(seed_count(&sim, &total));
	assert_non_null(strstr(last_message, "65 liquids"));
	free_solids(&sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aligned),	   cmocka_unit_test(test_counts),
		cmocka_unit_test(test_precedence), cmocka_unit_test(test_bits),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
