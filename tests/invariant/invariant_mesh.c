/*
 * Meshes as solids on a device, 3D: a ball of triangles leaves the room that a ball leaves; random
 * paths through the collision of advection pass neither a sheet nor a closed mesh, and do pass one
 * with a hole in it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "particle_set.h"
#include "scene.h"
#include "shape.h"
#include "solids.h"

#include "native_field.h"

#include "device_support.h"

/* In double from here on. */
#undef sqrt
#undef fabs

#include "full.h"
#include "mesh_make.h"
#include "temporary.h"

#define CELLS 20
#define PATHS 50000 /* of a launch */

/* Two million paths in the long form. */
static uint32_t launches(void)
{
	return tests_are_full() ? 40 : 6;
}

static char folder[TEMPORARY_PATH];

struct world {
	struct lattice lattice;
	struct solids solids;
	struct scene *scene;
};

static void make_world(struct world *w, const char *solid)
{
	char text[600];
	snprintf(text, sizeof(text), "domain: {size: [1, 1, 1], cells: %d}\nsolids: [{%s}]\n",
		 CELLS, solid);
	w->scene = scene_read_text(text, strlen(text), "invariant_mesh");
	if (!w->scene)
		fail_msg("%s", last_message);
	make_lattice(&w->lattice, CELLS, 0);
	solids_init(&w->solids, &w->lattice, w->scene->solids, 1, 1.0 / CELLS);
	assert_true(solids_create(&w->solids));
}

static void free_world(struct world *w)
{
	solids_destroy(&w->solids);
	free_lattice(&w->lattice);
	scene_free(w->scene);
}

static float distance_at(const struct world *w, const double x[3])
{
	const struct shape_program *p = &w->scene->solids[0].shape;
	return shape_distance(3, p->ops, (int)p->op_count, p->points, (f32)x[0], (f32)x[1],
			      (f32)x[2]);
}

/* ---- a ball is a ball ---------------------------------------------------------------------- */

static void assert_alike(const struct clx_buffer *a, const struct clx_buffer *b, size_t count,
			 int most)
{
	uint16_t *x = test_malloc(count * sizeof(*x)), *y = test_malloc(count * sizeof(*y));
	assert_true(clx_read_raw(device, a, 0, count * sizeof(*x), x) &&
		    clx_read_raw(device, b, 0, count * sizeof(*y), y));
	for (size_t n = 0; n < count; n++) {
		assert_int_equal(x[n] == 0, y[n] == 0);
		assert_true(abs((int)x[n] - (int)y[n]) <= most);
	}
	test_free(y);
	test_free(x);
}

static double volume_of(const struct made *m)
{
	double volume = 0.0;
	for (size_t t = 0; t < m->triangle_count; t++) {
		const double *a = m->vertices[m->triangles[t][0]],
			     *b = m->vertices[m->triangles[t][1]],
			     *c = m->vertices[m->triangles[t][2]];
		for (int i = 0; i < 3; i++) {
			const int j = (i + 1) % 3, k = (i + 2) % 3;
			volume += a[i] * (b[j] * c[k] - b[k] * c[j]) / 6.0;
		}
	}
	return volume;
}

static void test_ball_is_a_ball(void **state)
{
	(void)state;
	struct world mesh, exact;
	const double radius = 0.21, whole = 4.0 / 3.0 * 3.14159265358979;
	struct made ball = made_icosphere(5);
	/* Of a ball's volume. */
	made_place(&ball, radius * pow(whole / volume_of(&ball), 1.0 / 3.0), 0.0, 0.0, 0.0);
	made_write_ply(&ball, "ball.ply");
	made_free(&ball);
	make_world(&mesh, "mesh: {file: ball.ply, translate: [0.513, 0.487, 0.529]}");
	make_world(&exact, "sphere: {center: [0.513, 0.487, 0.529], radius: 0.21}");
	assert_false(mesh.scene->solids[0].shape.meshes[0].sheet);
	const size_t points = (size_t)mesh.lattice.grid.lattice;
	const int most = (int)(2e-3 * FRACTION_ONE);
	assert_alike(&mesh.solids.open_fraction.raw, &exact.solids.open_fraction.raw, 3 * points,
		     most);
	assert_alike(&mesh.solids.volume_open.raw, &exact.solids.volume_open.raw, points, most);
	assert_alike(&mesh.solids.kernel_open.raw, &exact.solids.kernel_open.raw, points, most);
	assert_int_equal(mesh.solids.split, exact.solids.split);
	free_world(&exact);
	free_world(&mesh);
	remove("ball.ply");
}

/* ---- nothing passes ------------------------------------------------------------------------ */

struct paths {
	union f32_buffer u_face, position, velocity;
	union u32_buffer id;
	float from[3][PATHS], to[3][PATHS];
};
static struct paths paths;

static void make_paths(const struct world *w)
{
	static uint32_t ids[PATHS];
	for (uint32_t p = 0; p < PATHS; p++)
		ids[p] = p;
	assert_true(clx_alloc(device, &paths.u_face, "u", 3 * (size_t)w->lattice.grid.lattice) &&
		    clx_alloc(device, &paths.position, "x", 3 * PATHS) &&
		    clx_alloc(device, &paths.velocity, "v", 3 * PATHS) &&
		    clx_alloc(device, &paths.id, "id", PATHS) &&
		    clx_write(device, &paths.id, 0, sizeof(ids), ids));
}

static void free_paths(void)
{
	clx_free(device, &paths.u_face);
	clx_free(device, &paths.position);
	clx_free(device, &paths.velocity);
	clx_free(device, &paths.id);
}

/* From paths.from to paths.to along one way, with collision. */
static void move(struct world *w, const double way[3], uint32_t salt)
{
	const struct grid g = w->lattice.grid;
	const i32 order = 1, stride = PATHS, n = PATHS, ops = (i32)w->solids.op_count, one = 1;
	const f32 dt = 1.0f;
	float *u = test_malloc(3 * (size_t)g.lattice * sizeof(*u));
	for (int i = 0; i < 3 * g.lattice; i++)
		u[i] = (float)way[i / g.lattice];
	assert_true(clx_write(device, &paths.u_face, 0, 3 * (size_t)g.lattice * sizeof(*u), u) &&
		    clx_write(device, &paths.position, 0, sizeof(paths.from), paths.from) &&
		    LAUNCH(device, particles_advect, clx_range1(PATHS), .g = &g,
			   .u_face = &paths.u_face, .order = I32(order), .dt = F32(dt),
			   .salt = U32(salt), .position = &paths.position,
			   .velocity = &paths.velocity, .id = &paths.id, .stride = I32(stride),
			   .n = I32(n), .ops = &w->solids.ops, .op_count = I32(ops),
			   .points = &w->solids.points, .solid_phi = &w->solids.phi,
			   .solid_slip = &w->solids.slip, .solid_count = I32(one),
			   .scalars = &w->lattice.scalars) &&
		    clx_read(device, &paths.position, 0, sizeof(paths.to), paths.to));
	test_free(u);
}

/* How many of all paths end on another side than they began; side(): 1, -1. */
static unsigned count_leaks(struct world *w, const struct made *m,
			    int (*side)(const struct made *m, const double x[3]),
			    void (*start)(const struct made *m, uint32_t *random, double x[3]))
{
	uint32_t random = 17;
	unsigned leaks = 0, stopped = 0;
	const double h = 1.0 / CELLS;
	make_paths(w);
	for (uint32_t launch = 0; launch < launches(); launch++) {
		double way[3], length = 0.0;
		for (int axis = 0; axis < 3; axis++) {
			way[axis] = made_random(&random) - 0.5;
			length += way[axis] * way[axis];
		}
		const double scale = (launch % 2 ? 6.0 : 1.5) * h * made_random(&random);
		for (int axis = 0; axis < 3; axis++)
			way[axis] *= scale / sqrt(length);
		for (size_t p = 0; p < PATHS; p++) {
			double x[3];
			do {
				start(m, &random, x);
				for (int axis = 0; axis < 3; axis++) {
					x[axis] = fmin(fmax(x[axis], 0.02), 0.98);
					x[axis] = (double)(float)x[axis];
					paths.from[axis][p] = (float)x[axis];
				}
			} while (!(distance_at(w, x) > 1e-5f));
		}
		move(w, way, launch);
		for (size_t p = 0; p < PATHS; p++) {
			double from[3], to[3], fell = 0.0;
			for (int axis = 0; axis < 3; axis++) {
				from[axis] = (double)paths.from[axis][p];
				to[axis] = (double)paths.to[axis][p];
				fell += fabs(to[axis] - from[axis] - way[axis]);
			}
			leaks += side(m, from) != side(m, to);
			stopped += fell > 1e-4;
		}
	}
	free_paths();
	/* They do try. */
	assert_true(stopped > PATHS * launches() / 20);
	return leaks;
}

/* A sheet across the box, folded along z. */
#define FOLDS 24
static struct made make_sheet(void)
{
	struct made m = made_empty();
	for (int j = 0; j <= FOLDS; j++)
		for (int i = 0; i <= FOLDS; i++) {
			const double x = -0.1 + 1.2 * i / FOLDS;
			made_vertex(&m, (double)(float)x,
				    (double)(float)(0.5 + 0.15 * sin(9.0 * x) + 0.02 * (i % 2)),
				    (double)(float)(-0.1 + 1.2 * j / FOLDS));
		}
	for (int j = 0; j < FOLDS; j++)
		for (int i = 0; i < FOLDS; i++) {
			const uint32_t a = (uint32_t)(j * (FOLDS + 1) + i), b = a + FOLDS + 1;
			made_triangle(&m, a, b, a + 1);
			made_triangle(&m, a + 1, b, b + 1);
		}
	return m;
}

static double height_at(const struct made *m, double x)
{
	int i = 0;
	while (i < FOLDS - 1 && m->vertices[i + 1][0] <= x)
		i++;
	const double *a = m->vertices[i], *b = m->vertices[i + 1];
	return a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
}

static int side_of_sheet(const struct made *m, const double x[3])
{
	return x[1] > height_at(m, x[0]) ? 1 : -1;
}

/* From far away to a thousandth of a cell. */
static double some_distance(uint32_t *random)
{
	return 2.0 / CELLS * pow(1e-4, made_random(random));
}

static void start_at_sheet(const struct made *m, uint32_t *random, double x[3])
{
	for (int axis = 0; axis < 3; axis++)
		x[axis] = made_random(random);
	const double off = some_distance(random);
	x[1] = height_at(m, x[0]) + (made_random(random) < 0.5 ? off : -off);
}

static void test_sheet_holds(void **state)
{
	(void)state;
	struct world w;
	struct made m = make_sheet();
	made_write_obj(&m, "sheet.obj");
	make_world(&w, "mesh: {file: sheet.obj}");
	assert_true(w.scene->solids[0].shape.meshes[0].sheet);
	assert_int_equal(count_leaks(&w, &m, side_of_sheet, start_at_sheet), 0);
	free_world(&w);
	/* What has a hole leaks, and this test sees it. */
	struct made torn = make_sheet();
	uint32_t *middle = torn.triangles[FOLDS * (FOLDS + 1)];
	middle[1] = middle[0];
	made_write_obj(&torn, "sheet.obj");
	make_world(&w, "mesh: {file: sheet.obj}");
	assert_int_equal(w.scene->solids[0].shape.meshes[0].health.flat.count, 1);
	assert_true(count_leaks(&w, &m, side_of_sheet, start_at_sheet) > 0);
	free_world(&w);
	made_free(&torn);
	made_free(&m);
	remove("sheet.obj");
}

/* Of a convex body: -1 behind all its triangles. */
static int side_of_ball(const struct made *m, const double x[3])
{
	for (size_t t = 0; t < m->triangle_count; t++) {
		const double *a = m->vertices[m->triangles[t][0]],
			     *b = m->vertices[m->triangles[t][1]],
			     *c = m->vertices[m->triangles[t][2]];
		double volume = 0.0;
		for (int i = 0; i < 3; i++) {
			const int j = (i + 1) % 3, k = (i + 2) % 3;
			volume += (x[i] - a[i]) *
				  ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]));
		}
		if (volume > 0.0)
			return 1;
	}
	return -1;
}

static void start_at_ball(const struct made *m, uint32_t *random, double x[3])
{
	double way[3], length = 0.0;
	(void)m;
	for (int axis = 0; axis < 3; axis++) {
		way[axis] = made_random(random) - 0.5;
		length += way[axis] * way[axis];
	}
	const double radius = 0.3 + some_distance(random);
	for (int axis = 0; axis < 3; axis++)
		x[axis] = 0.5 + way[axis] / sqrt(length) * radius;
}

static void test_ball_holds(void **state)
{
	(void)state;
	struct world w;
	struct made m = made_icosphere(1);
	made_place(&m, 0.3, 0.5, 0.5, 0.5);
	for (size_t v = 0; v < m.vertex_count; v++)
		for (int axis = 0; axis < 3; axis++)
			m.vertices[v][axis] = (double)(float)m.vertices[v][axis];
	assert_int_equal(side_of_ball(&m, (double[3]){0.5, 0.5, 0.5}), -1);
	made_write_stl(&m, "ball.stl");
	make_world(&w, "mesh: {file: ball.stl}");
	assert_int_equal(count_leaks(&w, &m, side_of_ball, start_at_ball), 0);
	free_world(&w);
	made_free(&m);
	remove("ball.stl");
}

static int enter(void **state)
{
	if (open_device(state) != 0 || !temporary_folder(folder, "mesh") || chdir(folder) != 0)
		return -1;
	clx_use(device, CLX_MESHES);
	return 0;
}

static int leave(void **state)
{
	return chdir("/") != 0 || rmdir(folder) != 0 || close_device(state) != 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ball_is_a_ball),
		cmocka_unit_test(test_sheet_holds),
		cmocka_unit_test(test_ball_holds),
	};
	return cmocka_run_group_tests_name("mesh", tests, enter, leave);
}
