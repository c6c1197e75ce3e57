/*
 * host/surface/surface.c on a device: the same bits as the kernels run as plain C, whatever moved
 * the particles out of order; meshes that are whole; nothing of the simulation changed.
 */
#include "full.h"
#include "stage_fixture.h"

#include <math.h>
#include <string.h>

#include "mesh_check.h"
#include "render.h"
#include "sim_copies.h"
#include "statistics.h"
#include "surface.h"

#include "native_surface_support.h"

#define SCENE                                                                                     \
	(DIM == 2 ? "domain: {size: [2, 1.5], cells: 32, walls: {y+: open}}\n"                    \
		    "liquids: [{box: {min: [0, 0], max: [2, 0.51]}},"                             \
		    " {sphere: {center: [0.6, 1.0], radius: 0.21}, velocity: [1, -2]}]\n"         \
		    "solids: [{sphere: {center: [1.3, 0.55], radius: 0.22}}]\n"                   \
		    "output: {surface: {method: %s, resolution: %d}}\n"                           \
		  : "domain: {size: [1, 1.25, 0.75], cells: 16, walls: {y+: open}}\n"             \
		    "liquids: [{box: {min: [0, 0, 0], max: [1, 0.51, 0.75]}},"                    \
		    " {sphere: {center: [0.3, 0.9, 0.4], radius: 0.15}, velocity: [1, -2, 0]}]\n" \
		    "solids: [{sphere: {center: [0.6, 0.55, 0.4], radius: 0.2}}]\n"               \
		    "output: {surface: {method: %s, resolution: %d}}\n")

/* Particles as the device holds them, in the order of their ids, then sorted here. */
static struct cloud cloud_of(const struct sim *sim)
{
	struct cloud c = {.g = sim->lattice.grid, .ppc = sim->scene->particles_per_cell};
	const size_t stride = sim->particles.capacity;
	float *x = fixture_read(&sim->particles.now.position, stride * DIM * sizeof(*x));
	u32 *id = fixture_read(&sim->particles.now.id, stride * sizeof(*id));
	const u32 living = sim->particles.count;
	u32 *at = calloc((size_t)living + 1, sizeof(*at));
	for (u32 p = 0; p < living; p++)
		if (id[p] != ID_REMOVED)
			at[id[p]] = p + 1;
	c.position = malloc((size_t)living * DIM * sizeof(*c.position));
	for (u32 n = 0; n < living; n++)
		c.count += at[n] > 0;
	for (u32 n = 0, to = 0; n < living; n++) {
		if (at[n] == 0)
			continue;
		for (size_t a = 0; a < DIM; a++)
			c.position[a * (size_t)c.count + to] = x[a * stride + at[n] - 1];
		to++;
	}
	cloud_sort(&c);
	c.ops = fixture_read(&sim->solids.ops, sim->solids.op_count * sizeof(*c.ops));
	c.op_count = (int)sim->solids.op_count;
	test_free(x);
	test_free(id);
	free(at);
	return c;
}

static void check_state(const char *method, int fine)
{
	struct fixture f = fixture_make(SCENE, method, fine);
	struct surface s = {0};
	u64 before = 0, after = 0;
	for (int n = 0; n < 3; n++)
		assert_true(sim_substep(f.sim));
	assert_true(statistics_hash(f.sim, 7, &before));
	/* What is told without a device is what is held. */
	const u64 others = clx_memory_in_use(f.sim->cl);
	uint64_t told = 0;
	assert_true(surface_memory(f.sim->scene, f.sim->particles.capacity, &told));
	assert_true(surface_init(&s, subject_of(f.sim)));
	assert_true(clx_memory_in_use(f.sim->cl) - others == told);
	/* The scratch may hold anything. */
	float *level = NULL;
	for (int round = 0; round < 2; round++) {
		assert_true(surface_update(&s));
		test_free(level);
		level = fixture_read(&s.level, (size_t)s.grid.count * sizeof(*level));
	}
	assert_true(statistics_hash(f.sim, 7, &after));
	assert_true(before == after);

	struct cloud c = cloud_of(f.sim);
	const struct surface_grid grid = cloud_lattice(&c, fine, (int)s.grid.method);
	assert_memory_equal(&grid, &s.grid, sizeof(grid));
	float *native = cloud_level(&c, grid);
	assert_memory_equal(level, native, (size_t)grid.count * sizeof(*level));
	free(native);
	test_free((void *)(uintptr_t)c.ops);
	cloud_free(&c);

	struct mesh mesh, again;
	assert_true(surface_mesh(&s, &mesh));
	{
		const double least =
			1e-12 * (double)grid.spacing * (DIM == 3 ? (double)grid.spacing : 1.0);
		const struct mesh_faults faults =
			mesh_check(mesh.vertex, mesh.vertex + 3, 9, mesh.vertices, mesh.face,
				   mesh.faces, mesh.corners, least);
		assert_int_equal(mesh.corners, DIM);
		assert_true(mesh.faces > (DIM == 3 ? 1000 : 100));
		assert_int_equal(faults.bad_edges, 0);
		assert_int_equal(faults.bad_vertices, 0);
		assert_int_equal(faults.small, 0);
		assert_true(faults.volume > 0.0);
		/* Vertices of the ball above the pool move as it does. */
		for (size_t v = 0; v < mesh.vertices; v++) {
			const float *x = mesh.vertex + 9 * v;
			if (x[1] < 0.8f)
				continue;
			assert_true(fabsf(x[6] - 1.0f) < 0.05f);
			assert_true(x[7] < -2.0f &&
				    x[7] > -2.0f - 9.81f * (f32)f.sim->time - 0.05f);
			assert_true(fabsf(x[8]) < 0.05f);
		}
		assert_true(surface_update(&s) && surface_mesh(&s, &again));
		assert_int_equal(mesh.vertices, again.vertices);
		assert_int_equal(mesh.faces, again.faces);
		assert_memory_equal(mesh.vertex, again.vertex,
				    9 * (size_t)mesh.vertices * sizeof(f32));
		assert_memory_equal(mesh.face, again.face, DIM * (size_t)mesh.faces * sizeof(u32));
		mesh_free(&again);
	}
	mesh_free(&mesh);
	test_free(level);
	surface_finish(&s);
	fixture_free(&f);
}

static void test_averaged(void **state)
{
	(void)state;
	check_state("averaged", 1);
}

static void test_blobs(void **state)
{
	(void)state;
	check_state("blobs", 2);
}

static void test_anisotropic(void **state)
{
	(void)state;
	check_state("anisotropic", 2);
}

static const char *const methods[] = {"averaged", "blobs", "anisotropic"};
#define KINDS 6 /* methods at one, then at two intervals per cell */

/* A surface of some kind, of the present particles. */
static struct surface surface_of(const struct fixture *f, int kind)
{
	struct surface s = {0};
	f->scene->output.surface.method = (enum surface_method)(kind / 2);
	f->scene->output.surface.resolution = 1 + kind % 2;
	assert_true(surface_init(&s, subject_of(f->sim)) && surface_update(&s));
	return s;
}

/* A dam breaks and its wave turns over: what any surface's mesh encloses is the particles' volume
 * within 3 %.  FRESHET_TEST_FULL=1: twice the cells per axis. */
static void test_wave(void **state)
{
	(void)state;
	const int cells = (tests_are_full() ? 2 : 1) * (DIM == 2 ? 64 : 32);
	struct fixture f = fixture_make("domain: {size: %s, cells: %d}\n"
					"liquids: [{box: {min: %s, max: %s}}]\n",
					DIM == 2 ? "[2, 1]" : "[2, 1, 1]", cells,
					DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
					DIM == 2 ? "[0.5, 0.5]" : "[0.5, 0.5, 1]");
	const struct scene *scene = f.scene;
	for (int moment = 1; moment <= 3; moment++) {
		while (f.sim->time < 0.5 * moment)
			assert_true(sim_substep(f.sim));
		for (int kind = 0; kind < KINDS; kind++) {
			struct surface s = surface_of(&f, kind);
			struct mesh mesh;
			assert_true(surface_mesh(&s, &mesh));
			const struct mesh_faults faults =
				mesh_check(mesh.vertex, NULL, 9, mesh.vertices, mesh.face,
					   mesh.faces, DIM, 0.0);
			const double particles = (double)f.sim->particles.count *
						 pow(scene->h, DIM) / scene->particles_per_cell;
			const double off = faults.volume / particles - 1.0;
			print_message("wave at %.1f s, %s, resolution %d: volume %+.4f\n",
				      0.5 * moment, methods[kind / 2], 1 + kind % 2, off);
			assert_true(absolute(off) < 0.03);
			assert_int_equal(faults.bad_edges + faults.bad_vertices, 0);
			mesh_free(&mesh);
			surface_finish(&s);
		}
	}
	fixture_free(&f);
}

/* Height of the surface over a node of the floor, cells. */
static double height_of(const struct surface_grid s, const float *level, int i, int k)
{
	int j = s.ny - 1;
	while (j > 0 && level[surface_index(s, i, j, k)] >= 0.0f)
		j--;
	const double low = (double)level[surface_index(s, i, j, k)];
	const double high = (double)level[surface_index(s, i, j + 1, k)];
	return (j + low / (low - high)) / s.fine;
}

/* A tank of jittered particles comes to rest: any surface is flat, in the middle as at walls and in
 * corners: nowhere 0.1 h off its mean, which is the height of so many particles within 0.1 h.
 * FRESHET_TEST_FULL=1: more heights, a longer rest. */
static void test_settled(void **state)
{
	(void)state;
	static const double levels[] = {DIM == 2 ? 0.34 : 0.37, DIM == 2 ? 0.33 : 0.34, 0.30};
	const int runs = tests_are_full() ? 3 : 1;
	for (int run = 0; run < runs; run++) {
		struct fixture f =
			DIM == 2 ? fixture_make("domain: {size: [1, 0.5], cells: 48}\n"
						"liquids: [{box: {min: [0, 0], max: [1, %g]}}]\n",
						levels[run])
				 : fixture_make("domain: {size: [1, 0.5, 1], cells: 16}\n"
						"liquids: [{box: {min: [0, 0, 0],"
						" max: [1, %g, 1]}}]\n",
						levels[run]);
		while (f.sim->time < (tests_are_full() ? 6.0 : 4.0))
			assert_true(sim_substep(f.sim));
		const struct grid g = f.sim->lattice.grid;
		const double exact = (double)f.sim->particles.count / f.scene->particles_per_cell /
				     (g.nx * g.nz);
		for (int kind = 0; kind < KINDS; kind++) {
			struct surface s = surface_of(&f, kind);
			const struct surface_grid n = s.grid;
			float *level = fixture_read(&s.level, (size_t)n.count * sizeof(*level));
			double sum = 0.0, low = 1e9, high = 0.0;
			for (int k = 0; k <= n.nz; k++)
				for (int i = 0; i <= n.nx; i++) {
					const double height = height_of(n, level, i, k);
					sum += height;
					low = fmin(low, height);
					high = fmax(high, height);
				}
			const double mean = sum / ((n.nx + 1) * (n.nz + 1));
			print_message(
				"settled, %s, resolution %d: %+.3f h, bumps %+.3f h, %+.3f h\n",
				methods[kind / 2], n.fine, mean - exact, low - mean, high - mean);
			assert_true(absolute(mean - exact) <= 0.1);
			assert_true(high - mean <= 0.1 && mean - low <= 0.1);
			test_free(level);
			surface_finish(&s);
		}
		fixture_free(&f);
	}
}

/* No liquid at all. */
static void test_empty(void **state)
{
	(void)state;
	struct fixture f =
		fixture_make("domain: {size: %s, cells: 4}\n", DIM == 2 ? "[1, 1]" : "[1, 1, 1]");
	struct surface s = {0};
	struct mesh mesh;
	assert_true(surface_init(&s, subject_of(f.sim)) && surface_update(&s));
	assert_true(surface_mesh(&s, &mesh));
	assert_int_equal(mesh.vertices, 0);
	assert_int_equal(mesh.faces, 0);
	mesh_free(&mesh);
	surface_finish(&s);
	fixture_free(&f);
}

/* ---- pictures --------------------------------------------------------------------------- */

#define PICTURE 64
/* A regular seed: the surface is flat. */
#define POOL                                                                                 \
	"domain: {size: %s, cells: 8}\nliquid: {jitter: 0}\nliquids: [{box: {min: %s, max: " \
	"%s}}]\n"                                                                            \
	"%s"

static struct image draw(const char *liquid_high)
{
	struct fixture f = fixture_make(
		POOL, DIM == 2 ? "[1, 1]" : "[1, 1, 1]", DIM == 2 ? "[0, 0]" : "[0, 0, 0]",
		liquid_high,
		DIM == 2 ? "" : "camera: {eye: [0.5, 0.5, 4], target: [0.5, 0.5, 0], fov: 20}\n");
	struct image image = {0}, again = {0};
	struct render *r = render_create(subject_of(f.sim), (const int[2]){PICTURE, PICTURE},
					 VIEW_SURFACE, NULL);
	u64 before = 0, after = 0;
	assert_non_null(r);
	assert_true(statistics_hash(f.sim, 0, &before));
	assert_true(render_frame(r, &image) && render_frame(r, &again));
	assert_true(statistics_hash(f.sim, 0, &after));
	assert_true(before == after);
	assert_memory_equal(image.rgb, again.rgb, 3 * PICTURE * PICTURE);
	image_finish(&again);
	render_destroy(r);
	fixture_free(&f);
	return image;
}

/* A pool seen from the front, the eye at the height of its surface: the picture changes below the
 * middle row, and nowhere above. */
static void test_picture(void **state)
{
	(void)state;
	struct image wet = draw(DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 1]");
	struct image dry = draw(DIM == 2 ? "[1, 1e-6]" : "[1, 1e-6, 1]");
	int above = 0, below = 0, seen = 0;
	for (int y = 0; y < PICTURE; y++)
		for (int x = 0; x < PICTURE; x++) {
			const size_t at = 3 * ((size_t)y * PICTURE + (size_t)x);
			int most = 0;
			for (size_t c = 0; c < 3; c++) {
				const int d = abs(wet.rgb[at + c] - dry.rgb[at + c]);
				most = d > most ? d : most;
			}
			/* The surface is within a tenth of a cell, less than a pixel. */
			if (y < PICTURE / 2 - 1)
				above += most > 2;
			else if (y > PICTURE / 2 + 1 && y < PICTURE * 3 / 4 && x > PICTURE / 4 &&
				 x < PICTURE * 3 / 4) {
				below += most > 12;
				seen++;
			}
		}
	assert_int_equal(above, 0);
	assert_true(seen > 300 && below > seen * 99 / 100);
	image_finish(&wet);
	image_finish(&dry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_averaged),    cmocka_unit_test(test_blobs),
		cmocka_unit_test(test_anisotropic), cmocka_unit_test(test_wave),
		cmocka_unit_test(test_settled),	    cmocka_unit_test(test_empty),
		cmocka_unit_test(test_picture),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
