/* The scene reader: good scenes, defaults. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_fixture.h"

/* ---- good scenes ------------------------------------------------------------------------ */

static void test_defaults_2d(void **state)
{
	(void)state;
	struct scene *s = read_good("domain: {size: [2, 1], cells: 256}\n"
				    "liquids:\n- {box: {min: [0, 0], max: [0.5, 0.25]}}\n"
				    "solids:\n- {sphere: {center: [1.5, 0.5], radius: 0.25}}\n");
	assert_string_equal(s->path, "scene.yaml");
	assert_string_equal(s->name, "scene");
	assert_int_equal(s->dim, 2);
	assert_int_equal(s->cells[0], 256);
	assert_int_equal(s->cells[1], 128);
	assert_int_equal(s->cells[2], 1);
	assert_true(s->h == 1.0 / 128);
	for (int side = 0; side < 6; side++)
		assert_false(s->open[side]);
	assert_int_equal(s->time.frames, 120);
	assert_true(s->time.fps == 24 && s->time.cfl == 1 && s->time.max_dt == 0.02);
	assert_true(s->time.dt == 0);
	assert_int_equal(s->gravity_count, 1);
	assert_true(s->gravity[0].value[0] == 0 && s->gravity[0].value[1] == -9.81);
	assert_true(s->density == 1000 && s->flip_ratio == 0.97);
	assert_int_equal(s->particles_per_cell, 4);
	assert_int_equal(s->transfer, TRANSFER_FLIP);
	assert_int_equal(s->solver.pressure, SOLVER_MGPCG);
	assert_int_equal(s->solver.advection, ADVECTION_RK2);
	assert_int_equal(s->solver.drift, DRIFT_POSITION);
	assert_true(s->solver.tolerance == 1e-5 && s->solver.separation);
	assert_int_equal(s->solver.max_iterations, 200);
	assert_int_equal(s->liquid_count, 1);
	const struct scene_liquid *liquid = &s->liquids[0];
	assert_string_equal(liquid->name, "liquid 0");
	assert_true(liquid->jitter == 1 && liquid->seed == 1);
	assert_true(liquid->pivot[0] == 0.25 && liquid->pivot[1] == 0.125);
	assert_int_equal(liquid->shape.op_count, 1);
	assert_int_equal(liquid->shape.ops[0].kind, SHAPE_BOX);
	assert_true(liquid->shape.ops[0].a[3] == 0.5f && liquid->shape.ops[0].a[4] == 0.25f);
	assert_int_equal(s->solid_count, 1);
	assert_true(s->solids[0].free_slip);
	assert_int_equal(s->solids[0].shape.ops[0].kind, SHAPE_SPHERE);
	assert_true(s->solids[0].shape.ops[0].a[3] == 0.25f);
	assert_true(s->output.stats);
	assert_false(s->output.png);
	assert_int_equal(s->output.probe_count, 0);
	assert_int_equal(s->output.checkpoint_every, 0);
	assert_int_equal(s->output.particles_every, 0);
	assert_int_equal(s->output.fields_every, 0);
	assert_false(s->camera.given);
	scene_free(s);
}

static void assert_range(const struct scene *s, enum scene_view view, double low, double high)
{
	const double *range = s->output.png_range[view];
	assert_true(fabs(range[0] - low) <= 1e-6 * fabs(low));
	assert_true(fabs(range[1] - high) <= 1e-6 * fabs(high));
}

/* The speed of liquid that falls from its own height, whatever the box's; sqrt(2 g H)
 * is 1.40, 4.43, 6.26 and 14.0 m/s for H of 0.1, 1, 2 and 10 m. */
static void test_fast(void **state)
{
	(void)state;
#define TOWER "domain: {size: [1, 10], cells: 4}\n"
#define BOX(low, high) "{box: {min: [0, " low "], max: [1, " high "]}"
	static const struct {
		const char *text;
		double square; /* of the speed */
	} rows[] = {
		{TOWER, 2 * 9.81 * 10},
		{TOWER "liquids: [" BOX("0", "0.1") "}]\n", 2 * 9.81 * 0.1},
		{TOWER "liquids: [" BOX("-5", "0.1") "}]\n", 2 * 9.81 * 0.1},
		{TOWER "liquids: [" BOX("0", "50") "}]\n", 2 * 9.81 * 10},
		/* It falls to the floor: its top is what counts, not its height. */
		{TOWER "liquids: [" BOX("1.8", "2") "}]\n", 2 * 9.81 * 2},
		{TOWER "liquids: [{sphere: {center: [0.5, 1.5], radius: 0.5}}]\n", 2 * 9.81 * 2},
		/* Points may be anywhere: nothing is known of them until their file is read. */
		{TOWER "liquids: [{points: {file: a.ply}}, " BOX("0", "1") "}]\n", 2 * 9.81 * 10},
		{TOWER "gravity: [0, 0]\nliquids: [{points: {file: a.ply}, angular_velocity: 2}]\n",
		 1 + 10 * 10},
		/* Of several the fastest: at rest from 2 m, or with 4 m/s from 1 m. */
		{TOWER "liquids: [" BOX("0", "1") "}, " BOX("1", "2") "}]\n", 2 * 9.81 * 2},
		{TOWER "liquids: [" BOX("0", "1") ", velocity: [4, 0]}, " BOX("1", "2") "}]\n",
		 2 * 9.81 * 2},
		{TOWER "liquids: [" BOX("0", "1") ", velocity: [0, 5]}, " BOX("1", "2") "}]\n",
		 25 + 2 * 9.81 * 1},
		/* Upwards, sideways and aslant. */
		{TOWER "gravity: [0, 2]\nliquids: [" BOX("9", "10") "}]\n", 2 * 2 * 1},
		{TOWER "gravity: [3, 0]\nliquids: [{box: {min: [0.75, 0], max: [1, 10]}}]\n",
		 2 * 3 * 0.25},
		{TOWER "gravity: [-3, -4]\nliquids: [{box: {min: [0, 0], max: [0.5, 2]}}]\n",
		 2 * (3 * 0.5 + 4 * 2)},
		/* Of gravity that changes, what gives most. */
		{TOWER "gravity: [{time: 0, g: [0, -1]}, {time: 1, g: [0, 2]}]\n"
		       "liquids: [" BOX("0", "1") "}]\n",
		 2 * 2 * 10},
		/* Weightless: what it has, or a box's height in a second. */
		{TOWER "gravity: [0, 0]\nliquids: [" BOX("0", "1") ", velocity: [0.3, 0.4]}]\n",
		 0.25},
		{TOWER "gravity: [0, 0]\nliquids: [" BOX("0", "1") "}]\n", 100},
		{TOWER "gravity: [0, 0]\n", 100},
		/* Shaken: it may be anywhere. */
		{TOWER "frame: {sway: {amplitude: [0.1, 0], frequency: 1}}\n"
		       "liquids: [" BOX("0", "1") "}]\n",
		 2 * 9.81 * 10},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct scene *s = read_good(rows[i].text);
		const double fast = scene_fast_speed(s);
		if (!(fabs(fast * fast - rows[i].square) < 1e-6 * rows[i].square))
			fail_msg("%.17g for\n%s", fast * fast, rows[i].text);
		scene_free(s);
	}
	/* Rounded up to 1, 2 or 5 times a power of ten; what stops it has ½ ρ u², ρ g H at rest. */
	struct scene *s = read_good(TOWER "liquids: [" BOX("0", "0.1") "}]\n");
	assert_range(s, VIEW_SPEED, 0, 2);
	assert_range(s, VIEW_PRESSURE, 0, 1000);
	scene_free(s);
}

/* A fall of 1 m ends at 4.4 m/s, which stops at 9810 Pa; with 4 m/s at its start 6.0 and 17 810. */
static void test_ranges(void **state)
{
	(void)state;
	struct scene *s = read_good(HEAD_3D);
	assert_range(s, VIEW_SPEED, 0, 5);
	assert_range(s, VIEW_PRESSURE, 0, 10000);
	assert_range(s, VIEW_LEVELSET, -0.5, 0.5);
	scene_free(s);
	s = read_good("domain: {size: [0.3, 1], cells: [3, 10]}\n"
		      "liquids: [{box: {min: [0, 0], max: [1, 1]}, velocity: [0, -4]}]\n");
	assert_range(s, VIEW_SPEED, 0, 10);
	assert_range(s, VIEW_PRESSURE, 0, 20000);
	assert_range(s, VIEW_LEVELSET, -0.2, 0.2);
	scene_free(s);
	/* Half a diagonal of 0.5 m at 20 rad/s is 10 m/s, with 3 m/s along 13. */
	s = read_good("domain: {size: [1, 1], cells: 10}\ngravity: [0, 0]\nliquids:\n"
		      "- {box: {min: [0.1, 0.2], max: [0.7, 1]}, velocity: [0, 3],\n"
		      "   angular_velocity: -20}\n");
	assert_range(s, VIEW_SPEED, 0, 20);
	scene_free(s);
	s = read_good(HEAD_2D "output: {png: {ranges: {speed: [1, 3.5], pressure: [-100, 200],\n"
			      "  levelset: [-0.25, 0.25]}}}\n");
	assert_range(s, VIEW_SPEED, 1, 3.5);
	assert_range(s, VIEW_PRESSURE, -100, 200);
	assert_range(s, VIEW_LEVELSET, -0.25, 0.25);
	scene_free(s);
}

static void test_defaults_3d(void **state)
{
	(void)state;
	struct scene *s = read_good(HEAD_3D "output: {png: {}}\n");
	assert_int_equal(s->dim, 3);
	assert_int_equal(s->cells[2], 8);
	assert_int_equal(s->particles_per_cell, 8);
	assert_int_equal(s->liquid_count, 0);
	assert_true(s->output.png);
	assert_int_equal(s->output.png_view, VIEW_PARTICLES);
	assert_int_equal(s->output.png_every, 1);
	assert_false(s->camera.given);
	assert_true(s->camera.target[0] == 0.5 && s->camera.up[1] == 1 && s->camera.fov == 40);
	scene_free(s);
}

static void test_every_key(void **state)
{
	(void)state;
	struct scene *s = read_good(
		"version: 1\n"
		"name: \"everything \\u00fc\"\n"
		"domain: {size: [1, 2], cells: [8, 16], walls: {x-: open, x+: closed, y+: open}}\n"
		"time: {frames: 7, fps: 30, cfl: 2, max_dt: 0.5, dt: 1e-3}\n"
		"gravity: [{time: 0, g: [0, -10]}, {time: 2, g: [4, 0]}]\n"
		"liquid: {density: 900, particles_per_cell: 9, jitter: 0.5, seed: 4294967295,\n"
		"  transfer: apic, flip_ratio: 1}\n"
		"solver: {pressure: gauss-seidel, tolerance: 1e-14, max_iterations: 1, sweeps: 3,\n"
		"  v_cycles: 1, full_cycles: 2, over_relaxation: 1.5, advection: rk4,\n"
		"  drift: none, separation: false}\n"
		"liquids:\n"
		"- {name: one, sphere: {center: [0.5, 0.5], radius: 0.25}, velocity: [1, -2],\n"
		"  angular_velocity: 3, color: \"#01fE80\", jitter: 0, seed: 5, density: 900}\n"
		"- {polygon: {points: [[0, 1], [1, 1], [0.5, 1.5]]}}\n"
		"solids:\n"
		"- {name: plate, box: {min: [0, 0.5], max: [1, 0.5]}, slip: none,\n"
		"  wall_law: {roughness: 0.01}}\n"
		"output: {stats: false, png: {size: [64, 32], view: cells, every: 3,\n"
		"    time_stamp: true, scale_bar: true},\n"
		"  probes: [{name: p, point: [0.5, 1], quantity: velocity}, {column: [0.25]}]}\n");
	assert_string_equal(s->name, "everything \xc3\xbc");
	assert_true(s->open[WALL_X_LOW] && !s->open[WALL_X_HIGH] && !s->open[WALL_Y_LOW] &&
		    s->open[WALL_Y_HIGH]);
	assert_int_equal(s->time.frames, 7);
	assert_true(s->time.fps == 30 && s->time.cfl == 2 && s->time.max_dt == 0.5 &&
		    s->time.dt == 1e-3);
	assert_true(s->density == 900 && s->flip_ratio == 1);
	assert_int_equal(s->particles_per_cell, 9);
	assert_int_equal(s->transfer, TRANSFER_APIC);
	assert_int_equal(s->solver.pressure, SOLVER_GAUSS_SEIDEL);
	assert_true(s->solver.tolerance == 1e-14 && s->solver.over_relaxation == 1.5);
	assert_int_equal(s->solver.sweeps, 3);
	assert_int_equal(s->solver.v_cycles, 1);
	assert_int_equal(s->solver.full_cycles, 2);
	assert_int_equal(s->solver.advection, ADVECTION_RK4);
	assert_int_equal(s->solver.drift, DRIFT_NONE);
	assert_false(s->solver.separation);
	const struct scene_liquid *one = &s->liquids[0], *two = &s->liquids[1];
	assert_string_equal(one->name, "one");
	assert_true(one->velocity[0] == 1 && one->velocity[1] == -2 && one->velocity[2] == 0);
	assert_true(one->angular_velocity[0] == 0 && one->angular_velocity[2] == 3);
	assert_int_equal(one->color[0], 0x01);
	assert_int_equal(one->color[1], 0xfe);
	assert_int_equal(one->color[2], 0x80);
	assert_true(one->jitter == 0 && one->seed == 5);
	assert_true(two->jitter == 0.5 && two->seed == 4294967295u);
	assert_int_equal(two->shape.ops[0].kind, SHAPE_POLYGON);
	assert_int_equal(two->shape.ops[0].first, 0);
	assert_int_equal(two->shape.ops[0].count, 3);
	assert_true(two->shape.points[4] == 0.5f && two->shape.points[5] == 1.5f);
	assert_true(two->pivot[0] == 0.5 && two->pivot[1] == 1.25);
	assert_false(s->solids[0].free_slip);
	assert_int_equal(s->solids[0].wall_law.kind, WALL_LAW_ROUGH);
	assert_true(s->solids[0].wall_law.roughness == 0.01);
	assert_int_equal(s->wall_law.kind, WALL_LAW_NONE);
	assert_true(scene_has_friction(s) && s->viscosity == 1e-6);
	assert_false(s->output.stats);
	assert_int_equal(s->output.png_size[0], 64);
	assert_int_equal(s->output.png_view, VIEW_CELLS);
	assert_int_equal(s->output.png_every, 3);
	assert_true(s->output.png_time_stamp && s->output.png_scale_bar);
	assert_int_equal(s->output.probe_count, 2);
	assert_int_equal(s->output.probes[0].quantity, QUANTITY_VELOCITY);
	assert_true(s->output.probes[0].point[1] == 1);
	assert_int_equal(s->output.probes[1].quantity, QUANTITY_HEIGHT);
	assert_true(s->output.probes[1].point[0] == 0.25);

	double g[3];
	scene_gravity(s, -1, g);
	assert_true(g[0] == 0 && g[1] == -10);
	scene_gravity(s, 0.5, g);
	assert_true(g[0] == 1 && g[1] == -7.5);
	scene_gravity(s, 3, g);
	assert_true(g[0] == 4 && g[1] == 0);
	scene_free(s);
}

/* Distances in reverse Polish order; lists combine from left to right. */
static void test_shape_program(void **state)
{
	(void)state;
	struct scene *s = read_good(
		HEAD_3D
		"liquids:\n"
		"- difference:\n"
		"  - union: [{sphere: {center: [0, 0, 0], radius: 1}},\n"
		"            {capsule: {a: [0, 0, 0], b: [1, 0, 0], radius: 0.5}},\n"
		"            {cylinder: {a: [0, 0, 0], b: [0, 1, 0], radius: 0.25}}]\n"
		"  - {intersection: [{half_space: {point: [0, 0, 0], normal: [0, 3, 4]}}],\n"
		"     invert: true}\n"
		"  invert: true\n");
	static const int expected[] = {SHAPE_SPHERE,   SHAPE_CAPSULE,	 SHAPE_UNION,
				       SHAPE_CYLINDER, SHAPE_UNION,	 SHAPE_HALF_SPACE,
				       SHAPE_INVERT,   SHAPE_DIFFERENCE, SHAPE_INVERT};
	const struct shape_program *shape = &s->liquids[0].shape;
	assert_int_equal(shape->op_count, sizeof(expected) / sizeof(*expected));
	for (size_t i = 0; i < shape->op_count; i++)
		assert_int_equal(shape->ops[i].kind, expected[i]);
	assert_true(shape->ops[5].a[4] == 0.6f && shape->ops[5].a[5] == 0.8f);
	scene_free(s);
}

/* The centre of the finite part of the bounding box inside the domain. */
static void test_pivot(void **state)
{
	(void)state;
	struct scene *s = read_good(
		HEAD_3D "liquids:\n"
			"- {half_space: {point: [0, 0.25, 0], normal: [0, 2, 0]}}\n"
			"- {half_space: {point: [0, 0.25, 0], normal: [0, 2, 0]}, invert: true}\n"
			"- {cylinder: {a: [0.25, 0.5, 0.5], b: [0.75, 0.5, 0.5], radius: 0.25}}\n"
			"- {sphere: {center: [1, 0.5, 0.5], radius: 0.5}}\n");
	assert_true(s->liquids[0].pivot[0] == 0.5 && s->liquids[0].pivot[1] == 0.125);
	assert_true(s->liquids[1].pivot[0] == 0.5 && s->liquids[1].pivot[1] == 0.625);
	assert_true(s->liquids[2].pivot[0] == 0.5 && s->liquids[2].pivot[1] == 0.5);
	assert_true(s->liquids[3].pivot[0] == 0.75 && s->liquids[3].pivot[1] == 0.5);
	scene_free(s);
}

/* Sizes that are whole numbers of cells but for rounding are taken as such. */
static void test_cells_are_rounded(void **state)
{
	(void)state;
	static const struct {
		const char *size, *cell;
		int cells;
	} cases[] = {
		{"5.0", "0.1", 50},    {"0.3", "0.1", 3},	{"0.7", "0.1", 7},
		{"1.1", "0.1", 11},    {"2.9", "0.1", 29},	{"1", "0.333333333333", 3},
		{"1", "0.3333333", 3}, {"50.0000011", "1", 50},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[128];
		snprintf(text, sizeof(text), "domain: {size: [%s, %s], cell_size: %s}\n",
			 cases[i].size, cases[i].size, cases[i].cell);
		struct scene *s = read_good(text);
		assert_int_equal(s->cells[0], cases[i].cells);
		assert_int_equal(s->cells[1], cases[i].cells);
		assert_true(s->size[0] == strtod(cases[i].size, NULL));
		assert_true(s->h == s->size[0] / cases[i].cells);
		scene_free(s);
	}
	assert_refused("domain: {size: [2.0, 1.05],\n  cell_size: 0.1}\n",
		       "scene.yaml:1:22: 'domain.size.1' (y) is 1.05 m, which is 10.5 cells of 0.1 "
		       "m; cells are square, so it must be a whole number of them (nearest: 1 and "
		       "1.1 fit)");
	assert_refused("domain: {size: [1, 0.04], cells: 10}\n",
		       "scene.yaml:1:20: 'domain.size.1' (y) is 0.04 m, which is 0.4 cells of 0.1 "
		       "m; cells are square, so it must be a whole number of them (nearest: the "
		       "smallest that fits is 0.1)");
	assert_refused("domain: {size: [2, 1], cells: [8, 5]}\n",
		       "scene.yaml:1:35: 'domain.cells.1' is 5, but cells are square: 1 m is 4 "
		       "cells of 0.25 m (a size of 1.25 m would fit)");
}

/* The scenes that come with the program, and what they promise about the thesis and the paper. */
static void test_shipped_scenes(void **state)
{
	(void)state;
	static const char *const names[] = {
		"dam_break_2d",	 "dam_break_3d", "half_disc_drop",   "droplet",
		"droplet_40x30", "full_box",	 "dam_break_marten", "dam_break_marten_40x30",
		"tank_obstacle", "hydrostatic",	 "two_liquids_3d",   "half_disc_drop_pcg_ic",
		"sloshing_2d",
	};
	const char *source = getenv("FRESHET_SOURCE");
	assert_non_null(source);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char path[1024];
		snprintf(path, sizeof(path), "%s/scenes/%s.yaml", source, names[i]);
		struct scene *s = read_file(path, NULL, 0);
		if (!s)
			fail_msg("%s: %s", path, fixture_messages);
		if (strcmp(names[i], "half_disc_drop") == 0) {
			assert_int_equal(s->cells[0], 128);
			assert_int_equal(s->time.frames, 165);
			assert_int_equal(s->solver.sweeps, 10);
		}
		if (strncmp(names[i], "droplet", 7) == 0 ||
		    strncmp(names[i], "dam_break_m", 11) == 0) {
			assert_int_equal(s->solver.pressure, SOLVER_GAUSS_SEIDEL);
			assert_int_equal(s->solver.max_iterations, 20);
			assert_true(fabs(s->h - 0.2) < 1e-12 && s->time.dt == 0.01);
		}
		scene_free(s);
	}
}

/* Numbers have a point in every locale; passes trivially where no such locale is installed. */
static void test_locale(void **state)
{
	(void)state;
	static const char *const names[] = {"de_DE.UTF-8", "de_DE", "pl_PL.UTF-8", "fr_FR.UTF-8"};
	bool found = false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !found; i++)
		found = setlocale(LC_ALL, names[i]) != NULL;
	if (!found)
		skip();
	struct scene *s = read_good("domain: {size: [0.5, 0.5], cells: 8}\n");
	char *json = scene_to_json(s, 0);
	const bool good = s->size[0] == 0.5 && strstr(json, "\"size\": [0.5, 0.5]") != NULL;
	free(json);
	scene_free(s);
	setlocale(LC_ALL, "C");
	assert_true(good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults_2d),    cmocka_unit_test(test_defaults_3d),
		cmocka_unit_test(test_fast),	       cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_every_key),      cmocka_unit_test(test_shape_program),
		cmocka_unit_test(test_pivot),	       cmocka_unit_test(test_cells_are_rounded),
		cmocka_unit_test(test_shipped_scenes), cmocka_unit_test(test_locale),
	};
	return cmocka_run_group_tests_name("scene", tests, fixture_enter, fixture_leave);
}
