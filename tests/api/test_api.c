/* The public interface: motion, particles in and out, fields, hashes, lifetimes. */
#include <pthread.h>

#include "api_support.h"

static float start_x[3 * MOST], start_v[3 * MOST];

/* A block of uniform velocity in weightless air moves on as it is, with every transfer. */
static void check_uniform_motion(int dim, const char *transfer)
{
	char text[400];
	snprintf(text, sizeof(text),
		 "domain: {size: %s, cells: 16}\ngravity: %s\n"
		 "time: {fps: 20}\nliquid: {transfer: %s}\nsolver: {drift: none}\n",
		 dim == 3 ? "[1, 1, 1]" : "[1, 1]", dim == 3 ? "[0, 0, 0]" : "[0, 0]", transfer);
	const int n[3] = {8, 12, 10};
	const float low[3] = {0.25f, 0.25f, 0.3125f}, v[3] = {0.75f, -0.5f, 0.25f};
	struct freshet_particles block = {0};
	add_block(&block, start_x, start_v, dim, n, low, 1.0f / 32, v);
	struct freshet_simulation *simulation = simulation_of(dim, text, &block);
	assert_true(freshet_simulation_step_frame(simulation));
	assert_true(freshet_simulation_step_frame(simulation));
	assert_int_equal(freshet_simulation_frame(simulation), 2);
	assert_float_equal((float)freshet_simulation_time(simulation), 0.1f, 1e-7f);
	assert_int_equal(read_all(simulation), block.count);
	for (size_t p = 0; p < block.count; p++)
		for (size_t a = 0; a < (size_t)dim; a++) {
			const size_t at = p * (size_t)dim + a;
			assert_int_equal(ids[p], p);
			/* 1e-3 h */
			assert_float_equal(positions[at], start_x[at] + 0.1f * v[a], 6e-5f);
			assert_float_equal(velocities[at], v[a], 1e-4f);
		}
	struct freshet_statistics now;
	freshet_simulation_statistics(simulation, &now);
	assert_int_equal(now.particles, block.count);
	assert_true(now.frame_end && now.substep > 0 && now.dt > 0);
	/* a particle weighs rho h^dim / particles_per_cell */
	const double mass = (double)block.count * 1000.0 / (dim == 3 ? 8 * 4096.0 : 4 * 256.0);
	for (int a = 0; a < dim; a++)
		assert_float_equal((float)(now.momentum[a] / mass), v[a], 1e-4f);
	freshet_simulation_destroy(simulation);
}

static void test_uniform_motion(void **state)
{
	(void)state;
	check_uniform_motion(2, "flip");
	check_uniform_motion(2, "pic");
	check_uniform_motion(2, "apic");
	check_uniform_motion(3, "flip");
	check_uniform_motion(3, "apic");
}

/* Two drops of different liquids, given alternately: ids go by liquid, and each drop falls along
 * the scheme's own path x0 + v t - g t (t + dt) / 2. */
static void test_two_drops(void **state)
{
	(void)state;
	static const char text[] = "domain: {size: [2, 1], cells: [64, 32]}\n"
				   "time: {fps: 10, dt: 0.0125}\nsolver: {drift: none}\n"
				   "liquids:\n"
				   "  - {name: a, sphere: {center: [0.1, 0.1], radius: 0.1}}\n"
				   "  - {name: b, sphere: {center: [0.1, 0.1], radius: 0.1}}\n";
	const int n[3] = {8, 8, 1};
	const float low[2][3] = {{0.25f, 0.5f}, {1.25f, 0.625f}};
	const float v[2][3] = {{0.5f, 0.0f}, {-1.0f, 0.25f}};
	static float x[2][2 * 64], u[2][2 * 64], mixed_x[4 * 64], mixed_u[4 * 64];
	static uint8_t of[128];
	struct freshet_particles drops[2] = {{0}}, both = {.count = 128,
							   .positions = mixed_x,
							   .velocities = mixed_u,
							   .liquids = of};
	for (int d = 0; d < 2; d++)
		add_block(&drops[d], x[d], u[d], 2, n, low[d], 1.0f / 64, v[d]);
	for (size_t p = 0; p < 128; p++) {
		const size_t d = 1 - p % 2;
		of[p] = (uint8_t)d;
		memcpy(mixed_x + 2 * p, x[d] + p / 2 * 2, 2 * sizeof(float));
		memcpy(mixed_u + 2 * p, u[d] + p / 2 * 2, 2 * sizeof(float));
	}
	struct freshet_simulation *simulation = simulation_of(2, text, &both);
	struct freshet_statistics now;
	freshet_simulation_statistics(simulation, &now);
	assert_int_equal(now.components, 2);
	assert_int_equal(now.air_regions, 1);
	assert_true(freshet_simulation_step_frame(simulation));
	assert_int_equal(read_all(simulation), 128);
	for (size_t p = 0; p < 128; p++) {
		const size_t d = p / 64;
		const float fallen = 0.5f * 9.81f * 0.1f * (0.1f + 0.0125f);
		const float *from = x[d] + p % 64 * 2;
		assert_int_equal(ids[p], p);
		assert_int_equal(liquids[p], d);
		assert_float_equal(positions[2 * p], from[0] + 0.1f * v[d][0], 1e-4f);
		assert_float_equal(positions[2 * p + 1], from[1] + 0.1f * v[d][1] - fallen, 1e-4f);
	}
	freshet_simulation_destroy(simulation);
}

/* The particles of a scene given back to it: the same bits from then on, also by a restart. */
static void check_same_hash(int dim, const char *text)
{
	struct freshet_simulation *seeded = simulation_of(dim, text, NULL);
	const uint64_t first = hash_of(seeded);
	struct freshet_particles given = {.count = read_all(seeded)};
	memcpy(start_x, positions, sizeof(positions));
	memcpy(start_v, velocities, sizeof(velocities));
	given.positions = start_x;
	given.velocities = start_v;
	given.liquids = liquids;
	assert_true(given.count > 100);
	struct freshet_simulation *loaded = simulation_of(dim, text, &given);
	assert_true(hash_of(loaded) == first);
	for (int frame = 0; frame < 3; frame++) {
		assert_true(freshet_simulation_step_frame(seeded));
		assert_true(freshet_simulation_step_frame(loaded));
		assert_true(hash_of(loaded) == hash_of(seeded));
	}
	const uint64_t last = hash_of(seeded);
	assert_true(last != first);

	assert_true(freshet_simulation_restart(loaded, &given));
	assert_int_equal(freshet_simulation_frame(loaded), 0);
	assert_true(hash_of(loaded) == first);
	for (int frame = 0; frame < 3; frame++)
		assert_true(freshet_simulation_step_frame(loaded));
	assert_true(hash_of(loaded) == last);

	/* One bit of one velocity is another state. */
	start_v[7] += 1e-7f;
	assert_true(freshet_simulation_restart(loaded, &given));
	assert_true(hash_of(loaded) != first);
	freshet_simulation_destroy(seeded);
	freshet_simulation_destroy(loaded);
}

static void test_same_hash(void **state)
{
	(void)state;
	check_same_hash(2, "domain: {size: [1, 1], cells: 32, walls: {x+: open}}\n"
			   "liquids:\n"
			   "  - {box: {min: [0, 0], max: [0.4, 0.6]}, velocity: [1, 0]}\n"
			   "  - {sphere: {center: [0.7, 0.7], radius: 0.15}, angular_velocity: 9}\n"
			   "solids: [{sphere: {center: [0.7, 0.2], radius: 0.12}}]\n");
	check_same_hash(3, "domain: {size: [1, 1, 0.5], cells: [12, 12, 6]}\n"
			   "liquid: {transfer: apic}\n"
			   "liquids: [{box: {min: [0, 0, 0], max: [0.4, 0.6, 0.5]}}]\n");
}

/* Affine matrices come back as they were given, row by row. */
static void test_affine(void **state)
{
	(void)state;
	static const float x[] = {0.5f, 0.5f, 0.5f}, c[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	const struct freshet_particles one = {.count = 1, .positions = x, .affine = c};
	struct freshet_simulation *simulation = simulation_of(
		3, "domain: {size: [1, 1, 1], cells: 4}\nliquid: {transfer: apic}\n", &one);
	assert_int_equal(read_all(simulation), 1);
	assert_memory_equal(affine, c, sizeof(c));
	assert_memory_equal(positions, x, sizeof(x));
	freshet_simulation_destroy(simulation);
}

/* What leaves through an open wall is gone, the others keep their ids. */
static void test_leaving(void **state)
{
	(void)state;
	const int n[3] = {4, 4, 1};
	const float left[3] = {0.1f, 0.4f}, right[3] = {0.8f, 0.4f};
	const float still[3] = {0.0f, 0.0f}, fast[3] = {4.0f, 0.0f};
	struct freshet_particles drops = {0};
	add_block(&drops, start_x, start_v, 2, n, right, 1.0f / 32, fast);
	add_block(&drops, start_x, start_v, 2, n, left, 1.0f / 32, still);
	struct freshet_simulation *simulation =
		simulation_of(2,
			      "domain: {size: [1, 1], cells: 16, walls: {x+: open}}\n"
			      "gravity: [0, 0]\ntime: {fps: 10}\n",
			      &drops);
	struct freshet_statistics now;
	assert_true(freshet_simulation_step_frame(simulation));
	assert_int_equal(read_all(simulation), 16);
	assert_int_equal(ids[0], 16);
	freshet_simulation_statistics(simulation, &now);
	assert_int_equal(now.removed, 16);
	freshet_simulation_destroy(simulation);
}

static void test_no_particles(void **state)
{
	(void)state;
	static const float x[] = {0.3f, 0.3f};
	const struct freshet_particles none = {.capacity = 1}, one = {.count = 1, .positions = x};
	struct freshet_simulation *simulation =
		simulation_of(2, "domain: {size: [1, 1], cells: 8}\n", &none);
	assert_true(freshet_simulation_step_frame(simulation));
	assert_int_equal(read_all(simulation), 0);
	assert_true(hash_of(simulation) == 0);
	assert_true(freshet_simulation_restart(simulation, &one));
	assert_int_equal(read_all(simulation), 1);
	freshet_simulation_destroy(simulation);
}

static float field[4096];

/* Reads a field whose shape must be {nz, ny, nx}. */
static void read_shape(struct freshet_simulation *simulation, enum freshet_field which, size_t nz,
		       size_t ny, size_t nx)
{
	size_t shape[3];
	freshet_simulation_field_shape(simulation, which, shape);
	assert_int_equal(shape[0], nz);
	assert_int_equal(shape[1], ny);
	assert_int_equal(shape[2], nx);
	assert_true(freshet_simulation_read_field(simulation, which, field, nz * ny * nx));
}

/* A full pool over a box that fills the cells 4 <= i < 8, j < 2, in 2D: values by place. */
static void test_fields_2d(void **state)
{
	(void)state;
	struct freshet_simulation *simulation =
		simulation_of(2,
			      "domain: {size: [1.5, 1], cells: [12, 8]}\n"
			      "time: {dt: 0.01}\nliquid: {jitter: 0}\n"
			      "liquids: [{box: {min: [0, 0], max: [1.5, 0.75]}}]\n"
			      "solids: [{box: {min: [0.5, -1], max: [1, 0.25]}}]\n",
			      NULL);
	assert_true(freshet_simulation_step(simulation));
	read_shape(simulation, FRESHET_CELL_TYPE, 1, 8, 12);
	for (int j = 0; j < 8; j++)
		for (int i = 0; i < 12; i++)
			assert_int_equal(field[12 * j + i], i >= 4 && i < 8 && j < 2 ? 2
							    : j < 6		     ? 1
										     : 0);
	read_shape(simulation, FRESHET_LEVEL_SET, 1, 8, 12);
	for (int i = 0; i < 12; i++) /* the surface is at y = 6 h */
		assert_float_equal(field[12 * 5 + i], -0.5f * 0.125f, 0.1f * 0.125f);
	read_shape(simulation, FRESHET_PRESSURE, 1, 8, 12);
	for (int j = 0; j < 6; j++) /* within a tenth of a cell of rho g (depth) */
		assert_float_equal(field[12 * j + 1],
				   9810.0f * (0.75f - ((float)j + 0.5f) * 0.125f),
				   0.1f * 9810.0f * 0.125f);
	assert_true(field[12 * 7 + 1] == 0.0f);
	read_shape(simulation, FRESHET_OPEN_X, 1, 8, 13);
	for (int j = 0; j < 8; j++)
		for (int i = 0; i < 13; i++)
			assert_true(
				field[13 * j + i] ==
				(i == 0 || i == 12 || (i >= 4 && i <= 8 && j < 2) ? 0.0f : 1.0f));
	read_shape(simulation, FRESHET_OPEN_Y, 1, 9, 12);
	for (int j = 0; j < 9; j++)
		for (int i = 0; i < 12; i++)
			assert_true(
				field[12 * j + i] ==
				(j == 0 || j == 8 || (i >= 4 && i < 8 && j <= 2) ? 0.0f : 1.0f));
	read_shape(simulation, FRESHET_KNOWN_X, 1, 8, 13);
	for (int i = 0; i < 13; i++)
		assert_true(field[13 * 4 + i] == 1.0f); /* through the liquid, walls too */
	freshet_simulation_destroy(simulation);
}

/* A slab of moving liquid in 3D with three different edge lengths: velocities by place. */
static void test_fields_3d(void **state)
{
	(void)state;
	const int n[3] = {8, 8, 8}; /* the cells 4..7, 3..6, 2..5 */
	const float low[3] = {0.4f, 0.3f, 0.2f}, v[3] = {0.3f, 0.2f, -0.1f};
	struct freshet_particles block = {0};
	add_block(&block, start_x, start_v, 3, n, low, 0.05f, v);
	struct freshet_simulation *simulation =
		simulation_of(3,
			      "domain: {size: [1.2, 1.0, 0.9], cells: [12, 10, 9]}\n"
			      "gravity: [0, 0, 0]\ntime: {dt: 0.001}\n",
			      &block);
	assert_true(freshet_simulation_step(simulation));
	for (int a = 0; a < 3; a++) {
		const int nx = 12 + (a == 0), ny = 10 + (a == 1), nz = 9 + (a == 2);
		read_shape(simulation, (enum freshet_field)(FRESHET_VELOCITY_X + a), (size_t)nz,
			   (size_t)ny, (size_t)nx);
		for (int k = 3; k < 5; k++)
			for (int j = 4; j < 6; j++)
				for (int i = 5; i < 7; i++)
					assert_float_equal(field[(k * ny + j) * nx + i], v[a],
							   1e-5f);
		assert_true(field[0] == 0.0f); /* far from the liquid */
		read_shape(simulation, (enum freshet_field)(FRESHET_KNOWN_X + a), (size_t)nz,
			   (size_t)ny, (size_t)nx);
		assert_true(field[(4 * ny + 5) * nx + 6] == 1.0f);
		assert_true(field[(8 * ny + 9) * nx + 11] == 0.0f);
	}
	/* Liquid in the block, whose edges the level set rounds off, and nowhere else. */
	read_shape(simulation, FRESHET_CELL_TYPE, 9, 10, 12);
	for (int k = 0; k < 9; k++)
		for (int j = 0; j < 10; j++)
			for (int i = 0; i < 12; i++) {
				const bool x = i >= 4 && i < 8, y = j >= 3 && j < 7,
					   z = k >= 2 && k < 6;
				const int middle = (i == 5 || i == 6) + (j == 4 || j == 5) +
						   (k == 3 || k == 4);
				const float type = field[(k * 10 + j) * 12 + i];
				if (!x || !y || !z || middle > 1)
					assert_true(type == (x && y && z ? 1.0f : 0.0f));
			}
	freshet_simulation_destroy(simulation);
}

static const char dam[] = "domain: {size: [1, 1], cells: 16}\n"
			  "liquids: [{box: {min: [0, 0], max: [0.4, 0.6]}}]\n";

/* Simulations of one context do not touch each other, and outlive what they were made from. */
static void test_lifetimes(void **state)
{
	(void)state;
	struct freshet_scene *scene = scene_of(dam);
	struct freshet_context *context = freshet_context_create(NULL, 2);
	struct freshet_simulation *one = freshet_simulation_create(context, scene);
	assert_true(one && freshet_simulation_step_frame(one) &&
		    freshet_simulation_step_frame(one));
	const uint64_t alone = hash_of(one);
	const uint64_t memory = freshet_simulation_memory(one);
	uint64_t expected = 0, largest = 0;
	assert_true(freshet_scene_memory(scene, freshet_simulation_particle_count(one), &expected,
					 &largest));
	assert_true(memory == expected && largest < expected);
	freshet_simulation_destroy(one);

	struct freshet_simulation *a = freshet_simulation_create(context, scene);
	struct freshet_simulation *b = freshet_simulation_create(context, scene);
	freshet_scene_destroy(scene);
	freshet_context_destroy(context);
	assert_true(freshet_simulation_memory(a) == 2 * memory);
	for (int frame = 0; frame < 2; frame++)
		assert_true(freshet_simulation_step_frame(a) && freshet_simulation_step_frame(b));
	assert_true(hash_of(a) == alone && hash_of(b) == alone);
	freshet_simulation_destroy(b);
	assert_true(freshet_simulation_memory(a) == memory);
	freshet_simulation_destroy(a);
}

static void *run_alone(void *result)
{
	struct freshet_scene *scene = freshet_scene_parse(dam, strlen(dam), NULL);
	struct freshet_context *context = freshet_context_create(NULL, 2);
	struct freshet_simulation *simulation = freshet_simulation_create(context, scene);
	for (int frame = 0; simulation && frame < 2; frame++)
		freshet_simulation_step_frame(simulation);
	freshet_simulation_hash(simulation, result);
	freshet_simulation_destroy(simulation);
	freshet_context_destroy(context);
	freshet_scene_destroy(scene);
	return NULL;
}

/* Threads with a context each, at once; and each has its own last error. */
static void test_threads(void **state)
{
	(void)state;
	pthread_t threads[2];
	uint64_t hashes[2] = {0, 1}, alone = 0;
	run_alone(&alone);
	assert_null(freshet_context_create(NULL, 5));
	for (int t = 0; t < 2; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, run_alone, &hashes[t]), 0);
	for (int t = 0; t < 2; t++)
		assert_int_equal(pthread_join(threads[t], NULL), 0);
	assert_true(alone != 0 && hashes[0] == alone && hashes[1] == alone);
	assert_non_null(strstr(freshet_error_message(), "not 5"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uniform_motion), cmocka_unit_test(test_two_drops),
		cmocka_unit_test(test_same_hash),      cmocka_unit_test(test_affine),
		cmocka_unit_test(test_leaving),	       cmocka_unit_test(test_no_particles),
		cmocka_unit_test(test_fields_2d),      cmocka_unit_test(test_fields_3d),
		cmocka_unit_test(test_lifetimes),      cmocka_unit_test(test_threads),
	};
	return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
