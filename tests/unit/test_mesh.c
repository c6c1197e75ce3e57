/* Meshes as shapes: files, health, sheets, what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh_scene.h"

/* ---- files and health --------------------------------------------------------------------- */

static void assert_sound_box(const struct scene *scene, double volume)
{
	const struct mesh_shape *mesh = shape_of(scene);
	assert_int_equal(mesh->health.triangles, 12);
	assert_int_equal(mesh->health.vertices, 8);
	assert_int_equal(mesh->health.edges, 18);
	for (size_t f = 0; f < MESH_FAULT_COUNT; f++) {
		const struct mesh_fault *fault =
			(const void *)((const char *)&mesh->health + mesh_fault_names[f].offset);
		assert_int_equal(fault->count, 0);
	}
	assert_false(mesh->sheet);
	assert_true(fabs(mesh->volume / volume - 1.0) < 1e-6);
}

static void test_formats(void **state)
{
	(void)state;
	static const char *const files[] = {"box.obj", "box.PLY", "box.stl"};
	struct made box = made_box(0.5, 0.25, 0.125);
	made_write_obj(&box, files[0]);
	made_write_ply(&box, files[1]);
	made_write_stl(&box, files[2]);
	for (int i = 0; i < 3; i++) {
		struct scene *scene = read_mesh(files[i], "");
		assert_sound_box(scene, 0.5 * 0.25 * 0.125);
		char *json = scene_to_json(scene, 0);
		struct scene *again = read_good(json);
		assert_memory_equal(again->solids[0].shape.points, scene->solids[0].shape.points,
				    2 * scene->solids[0].shape.point_count * sizeof(float));
		scene_free(again);
		free(json);
		scene_free(scene);
		remove(files[i]);
	}
	made_free(&box);
}

/* Four corners a face, as most programs write them, and a path of its own. */
static void test_polygons(void **state)
{
	(void)state;
	FILE *file = made_open("quads.obj");
	fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
	      "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n",
	      file);
	made_close(file);
	struct scene *scene = read_mesh("quads.obj", ", scale: 0.5");
	assert_sound_box(scene, 0.125);
	scene_free(scene);
	remove("quads.obj");
}

static void test_place(void **state)
{
	(void)state;
	/* Scaled, then turned by a right angle about z (x to y, y to -x), then moved. */
	static const double low[3] = {0.75 - 0.5, 0.125, 0.25}, high[3] = {0.75, 0.375, 0.5};
	struct made box = made_box(1, 1, 1);
	made_write_obj(&box, "box.obj");
	struct scene *scene = read_mesh("box.obj", ", scale: [0.25, 0.5, 0.25], rotate: [0, 0, "
						   "1.5707963267948966], translate: [0.75, 0.125, "
						   "0.25]");
	assert_sound_box(scene, 0.25 * 0.5 * 0.25);
	for (int axis = 0; axis < 3; axis++) {
		assert_true(fabs(shape_of(scene)->low[axis] - low[axis]) < 1e-6);
		assert_true(fabs(shape_of(scene)->high[axis] - high[axis]) < 1e-6);
	}
	scene_free(scene);
	/* A mirror turns all triangles around; nothing else. */
	scene = read_mesh("box.obj", ", scale: [-0.5, 0.5, 0.5], translate: [0.75, 0.25, 0.25]");
	assert_sound_box(scene, 0.125);
	assert_true(value_of(scene, (double[3]){0.5, 0.5, 0.5}) < 0.0);
	scene_free(scene);
	remove("box.obj");
	made_free(&box);
}

static void test_health(void **state)
{
	(void)state;
	struct made m = made_box(0.5, 0.5, 0.5);
	/* One triangle turned; one twice; one without area; one missing; a fin on an edge; a vertex
	 * of none. */
	uint32_t *t = m.triangles[3];
	const uint32_t kept = t[1];
	t[1] = t[2];
	t[2] = kept;
	made_triangle(&m, m.triangles[5][1], m.triangles[5][2], m.triangles[5][0]);
	made_triangle(&m, 0, 1, 1);
	made_triangle(&m, 6, 7, made_vertex(&m, 0.25, 0.75, 0.75));
	made_vertex(&m, 3, 4, 5);
	m.triangles[0][0] = m.triangles[11][0];
	memcpy(m.triangles[0], m.triangles[--m.triangle_count], sizeof(*m.triangles));
	made_write_ply(&m, "dirty.ply");
	struct scene *scene = read_mesh("dirty.ply", "");
	const struct mesh_health *h = &shape_of(scene)->health;
	assert_int_equal(h->triangles, 12);
	assert_int_equal(h->vertices, 9);
	/* Three of the missing triangle, two of the fin. */
	assert_int_equal(h->open.count, 5);
	assert_int_equal(h->crowded.count, 1);
	assert_true(fabs(h->crowded.place[1] - 0.5) < 1e-6 &&
		    fabs(h->crowded.place[2] - 0.5) < 1e-6);
	assert_int_equal(h->flipped.count, 3);
	assert_int_equal(h->doubled.count, 1);
	assert_int_equal(h->flat.count, 1);
	assert_int_equal(h->stray.count, 1);
	assert_true(h->stray.place[0] > 2.9);
	scene_free(scene);
	remove("dirty.ply");
	made_free(&m);
}

/* ---- sheets -------------------------------------------------------------------------------- */

static struct made made_sheet(int n)
{
	struct made m = made_empty();
	for (int j = 0; j <= n; j++)
		for (int i = 0; i <= n; i++)
			made_vertex(&m, (double)i / n, 0.5 + 0.1 * sin(6.0 * i / n), (double)j / n);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			const uint32_t a = (uint32_t)(j * (n + 1) + i), b = a + (uint32_t)n + 1;
			made_triangle(&m, a, b, a + 1);
			made_triangle(&m, a + 1, b, b + 1);
		}
	return m;
}

static void test_sheets(void **state)
{
	(void)state;
	struct made sheet = made_sheet(20), ball = made_icosphere(3);
	uint32_t random = 3;
	made_write_obj(&sheet, "sheet.obj");
	made_place(&ball, 0.3, 0.5, 0.5, 0.5);
	made_write_obj(&ball, "ball.obj");
	/* The half of a ball, finely: few edges are open. */
	struct made half = made_icosphere(5);
	size_t kept = 0;
	for (size_t t = 0; t < half.triangle_count; t++)
		if (half.vertices[half.triangles[t][0]][1] < 0.0)
			memcpy(half.triangles[kept++], half.triangles[t], sizeof(*half.triangles));
	half.triangle_count = kept;
	made_place(&half, 0.3, 0.5, 0.5, 0.5);
	made_write_obj(&half, "half.obj");
	static const struct {
		const char *file, *more;
	} sheets[] = {{"sheet.obj", ""}, {"ball.obj", ", thin: true"}, {"half.obj", ""}};
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++) {
		struct scene *scene = read_mesh(sheets[i].file, sheets[i].more);
		assert_true(shape_of(scene)->sheet);
		for (int n = 0; n < 20000; n++) {
			const double x[3] = {made_random(&random), made_random(&random),
					     made_random(&random)};
			assert_true(value_of(scene, x) >= 0.0);
		}
		scene_free(scene);
	}
	struct scene *scene = read_mesh("half.obj", ", thin: false");
	assert_false(shape_of(scene)->sheet);
	scene_free(scene);
	made_free(&half);
	made_free(&ball);
	made_free(&sheet);
	assert_refused(
		"domain: {size: [1, 1, 1], cells: 16}\nliquids: [{mesh: {file: half.obj}}]\n",
		"scene.yaml:2:18: 'liquids.0.mesh' is not closed, so that it holds no");
	assert_refused("domain: {size: [1, 1, 1], cells: 16}\nliquids: [{mesh: {file: ball.obj, "
		       "thin: true}}]\n",
		       "scene.yaml:2:18: 'liquids.0.mesh' is a sheet ('thin: true'), which holds");
	remove("half.obj");
	remove("ball.obj");
	remove("sheet.obj");
}

/* ---- what is refused ----------------------------------------------------------------------- */

static void write_text(const char *path, const char *content)
{
	FILE *file = made_open(path);
	fputs(content, file);
	made_close(file);
}

#define SOLID(mesh) "domain: {size: [1, 1, 1], cells: 8}\nsolids: [{mesh: {" mesh "}}]\n"

static void test_refusals(void **state)
{
	(void)state;
	static const struct refusal table[] = {
		{"domain: {size: [1, 1], cells: 8}\nsolids: [{mesh: {file: box.obj}}]\n",
		 "scene.yaml:2:17: 'solids.0.mesh' is a shape of 3D scenes only"},
		{SOLID("scale: 2"), "scene.yaml:2:17: "},
		{SOLID("file: none.obj"),
		 "scene.yaml:2:24: 'solids.0.mesh.file': the file 'none.obj' cannot be opened"},
		{SOLID("file: []"), "scene.yaml:2:24: 'solids.0.mesh.file' must be the name of"},
		{SOLID("file: box.fbx"),
		 "scene.yaml:2:24: 'solids.0.mesh.file': the file 'box.fbx' is not of a kind"},
		{SOLID("file: box"), "scene.yaml:2:24: "},
		{SOLID("file: box.obj, scale: 0"), "scene.yaml:2:40: 'solids.0.mesh.scale' is 0"},
		{SOLID("file: box.obj, scale: [1, 2]"), "scene.yaml:2:40: "},
		{SOLID("file: box.obj, scale: .inf"), "scene.yaml:2:40: "},
		{SOLID("file: box.obj, rotate: 1"), "scene.yaml:2:41: "},
		{SOLID("file: box.obj, translate: [1, 2, 1e9]"), "scene.yaml:2:51: "},
		{SOLID("file: box.obj, thin: maybe"), "scene.yaml:2:39: "},
		{SOLID("file: box.obj, hash: abc"),
		 "scene.yaml:2:39: 'solids.0.mesh.hash' must be 16 hexadecimal digits"},
		{SOLID("file: box.obj, hash: \"0123456789abcdef\""),
		 "scene.yaml:2:39: 'solids.0.mesh.hash' is not that of the file"},
		{SOLID("file: box.obj, scale: 1e6, translate: [1e6, 0, 0]"),
		 "scene.yaml:2:17: 'solids.0.mesh' has vertices further than 1e6 m away"},
		{SOLID("file: box.obj, size: 1"), "scene.yaml:2:33: unknown key 'size'"},
		{SOLID("file: flat.obj"), "scene.yaml:2:17: 'solids.0.mesh' has no triangle with"},
		{SOLID("file: empty.obj"),
		 "scene.yaml:2:24: 'solids.0.mesh.file': the file 'empty.obj' is empty"},
		{SOLID("file: text.ply"), "scene.yaml:2:24: 'solids.0.mesh.file': the file '"},
		{SOLID("file: points.ply"), "scene.yaml:2:24: 'solids.0.mesh.file': the file '"},
	};
	struct made box = made_box(0.5, 0.5, 0.5);
	made_write_obj(&box, "box.obj");
	made_free(&box);
	write_text("box", "v 0 0 0\n");
	write_text("box.fbx", "no mesh\n");
	write_text("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
	write_text("empty.obj", "");
	write_text("text.ply", "this is no mesh\n");
	write_text("points.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
				 "property float y\nproperty float z\nend_header\n0 0 0\n");
	REFUSE_ALL(table);
	static const char *const files[] = {"box.obj",	 "box",	     "box.fbx",	  "flat.obj",
					    "empty.obj", "text.ply", "points.ply"};
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		remove(files[i]);
}

/* A parser that crashes is a message. */
static void test_crash(void **state)
{
	(void)state;
	struct made box = made_box(0.5, 0.5, 0.5);
	made_write_obj(&box, "box.obj");
	assert_int_equal(setenv("FRESHET_FAULT", "parser:1", 1), 0);
	assert_refused(SOLID("file: box.obj"), "scene.yaml:2:24: 'solids.0.mesh.file': the file '");
	assert_message("", "makes the reader of meshes crash (signal 6)");
	assert_int_equal(unsetenv("FRESHET_FAULT"), 0);
	scene_free(read_good(SOLID("file: box.obj")));
	remove("box.obj");
	made_free(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats), cmocka_unit_test(test_polygons),
		cmocka_unit_test(test_place),	cmocka_unit_test(test_health),
		cmocka_unit_test(test_sheets),	cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_crash),
	};
	return cmocka_run_group_tests_name("mesh", tests, fixture_enter, fixture_leave);
}
