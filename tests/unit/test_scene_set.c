/* The scene reader: overrides of the command line, names, presets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_fixture.h"

static struct scene *read_set(const char *text, const char *set)
{
	return read_bytes(text, strlen(text), &set, 1);
}

static void test_overrides(void **state)
{
	(void)state;
	static const char text[] = "domain:\n  size: [1, 1]\n  cells: 8\n"
				   "liquids:\n- {box: {min: [0, 0], max: [1, 1]}}\n"
				   "solids:\n";
	static const char *const sets[] = {
		"domain.cell_size=0.25",
		"time.fps=50",
		"time.fps=60",
		"output.png.view=speed",
		"output.particles.format=ply",
		"output.fields.names=[levelset, velocity]",
		"liquids.0.velocity=[1, 2]",
		"liquids.1.sphere={center: [0, 0], radius: 0.5}",
		"solids.0.box.min=[0, 0]",
		"solids.0.box.max=[1, 0]",
		"domain.walls.y+=open",
		"name=\"a=b\"",
	};
	struct scene *s = read_bytes(text, strlen(text), sets, sizeof(sets) / sizeof(*sets));
	if (!s)
		fail_msg("%s", fixture_messages);
	assert_int_equal(s->cells[0], 4);
	assert_true(s->time.fps == 60);
	assert_true(s->output.png);
	assert_int_equal(s->output.png_view, VIEW_SPEED);
	assert_int_equal(s->output.particles_format, PARTICLES_PLY);
	assert_int_equal(s->output.particles_every, 1);
	assert_int_equal(s->output.fields_every, 10);
	assert_int_equal(s->output.fields, FIELD_LEVELSET | FIELD_VELOCITY);
	assert_true(s->liquids[0].velocity[1] == 2);
	assert_int_equal(s->liquid_count, 2);
	assert_int_equal(s->liquids[1].shape.ops[0].kind, SHAPE_SPHERE);
	assert_int_equal(s->solid_count, 1);
	assert_true(s->open[WALL_Y_HIGH]);
	assert_string_equal(s->name, "a=b");
	scene_free(s);

	static const struct refusal cases[] = {
		{"time.fsp=3",
		 "--set time.fsp=3: unknown key 'fsp' in 'time' (did you mean 'fps'?)"},
		{"time.fps=0", "--set time.fps=0: 'time.fps' is 0, out of range (allowed: 0.01 to "
			       "100000)"},
		{"time.fps=", "--set time.fps=: empty, nothing to read"},
		{"time.fps=[", "--set time.fps=[: not valid YAML: "},
		{"time.fps=&a 3", "--set time.fps=&a 3: anchors (&name) are not supported"},
		{"time", "--set time: expected key.path=value"},
		{"=3", "--set =3: the key must be names joined by single points"},
		{"time..fps=3", "--set time..fps=3: the key must be names joined by single points"},
		{"domain.cells.x=3",
		 "--set domain.cells.x=3: 'domain.cells' is a single value, it has "
		 "no 'x'"},
		{"liquids.2.velocity=[0, 0]",
		 "--set liquids.2.velocity=[0, 0]: 'liquids' is a list of "
		 "1: '2' is no index of it"},
		{"liquids.-1={}",
		 "--set liquids.-1={}: 'liquids' is a list of 1: '-1' is no index"},
	};
	static const char base[] = HEAD_2D "liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n";
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_null(read_set(base, cases[i].text));
		assert_message(cases[i].text, cases[i].expected);
		assert_int_equal(fixture_message_count, 1);
	}
}

/* One number of a list that the file does not have: the others are the default's. */
static void test_parts_of_defaults(void **state)
{
	(void)state;
	static const char *const sets[] = {
		"gravity.0=5",
		"output.png.size.1=99",
		"output.png.ranges.speed.0=0.25",
		"frame.center.1=0.75",
		"frame.sway={amplitude: [0.1, 0], frequency: 1}",
		"liquids.0.velocity.1=-2",
	};
	static const char text[] = "domain: {size: [2, 1], cells: 8}\ngravity:\n"
				   "liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n";
	struct scene *s = read_bytes(text, strlen(text), sets, sizeof(sets) / sizeof(*sets));
	if (!s)
		fail_msg("%s", fixture_messages);
	assert_true(s->gravity_count == 1 && s->gravity[0].value[0] == 5);
	assert_true(s->gravity[0].value[1] == -9.81 && s->gravity[0].value[2] == 0);
	assert_true(s->output.png_size[0] == 1280 && s->output.png_size[1] == 99);
	assert_true(s->output.png_range[VIEW_SPEED][0] == 0.25);
	assert_true(s->output.png_range[VIEW_SPEED][1] > 1);
	assert_true(s->motion.center[0] == 1 && s->motion.center[1] == 0.75);
	assert_true(s->liquids[0].velocity[0] == 0 && s->liquids[0].velocity[1] == -2);
	scene_free(s);

	static const char *const more[] = {
		"gravity.2=3",	  "gravity.0=1",    "camera.up.0=0.5",
		"camera.eye.1=7", "frame.axis.0=1", "frame.roll={amplitude: 0.1, frequency: 1}"};
	s = read_bytes(HEAD_3D, strlen(HEAD_3D), more, sizeof(more) / sizeof(*more));
	if (!s)
		fail_msg("%s", fixture_messages);
	assert_true(s->gravity[0].value[0] == 1 && s->gravity[0].value[1] == -9.81);
	assert_true(s->gravity[0].value[2] == 3);
	assert_true(s->camera.up[0] == 0.5 && s->camera.up[1] == 1 && s->camera.up[2] == 0);
	/* The default view is from 1.5 diagonals away, by (2, 2, 5)/5.745 off the middle. */
	assert_true(fabs(s->camera.eye[0] - 0.5 - 1.5 * sqrt(3) * 2 / 5.745) < 1e-12);
	assert_true(s->camera.eye[1] == 7);
	assert_true(fabs(s->motion.axis[0] - sqrt(0.5)) < 1e-12 && s->motion.axis[1] == 0);
	scene_free(s);

	/* What is out of range, and what is no vector. */
	static const struct refusal cases[] = {
		{"gravity.2=5",
		 "--set gravity.2=5: 'gravity' has 3 numbers, it needs 2 (2D scene)"},
		{"gravity.3=5",
		 "--set gravity.3=5: 'gravity' is a list of 0: '3' is no index of it"},
		{"gravity.0=fast", "--set gravity.0=fast: 'gravity.0' must be a number"},
		{"output.png.size.0=0.5",
		 "--set output.png.size.0=0.5: 'output.png.size.0' is 0.5"},
		{"output.probes={}", "--set output.probes={}: 'output.probes' must be a list"},
		{"liquids.1={}", "--set liquids.1={}: 'liquids' is a list of 0: '1' is no index"},
		{"liquids.1=5",
		 "--set liquids.1=5: 'liquids' is a list of 0: '1' is no index of it"},
		{"liquids.2=five",
		 "--set liquids.2=five: 'liquids' is a list of 0: '2' is no index"},
		{"solids.1=5", "--set solids.1=5: 'solids' is a list of 0: '1' is no index of it"},
		{"output.probes.2=5",
		 "--set output.probes.2=5: 'output.probes' is a list of 0: '2' is no index of it"},
		{"frame.motion.1=5",
		 "--set frame.motion.1=5: 'frame.motion' is a list of 0: '1' is no index of it"},
		{"solids.0.union.1=5",
		 "--set solids.0.union.1=5: 'solids.0.union' is a list of 0: '1' is no index of it"},
		{"solids.0.polygon.points.1=5",
		 "--set solids.0.polygon.points.1=5: 'solids.0.polygon.points' is a list of 0: '1' is "
		 "no index of it"},
		{"output.fields.names.1=cells",
		 "--set output.fields.names.1=cells: 'output.fields.names' is a list of 0: '1' is no "
		 "index of it (0 to 0, the last to append)"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_null(read_set(HEAD_2D, cases[i].text));
		assert_message(cases[i].text, cases[i].expected);
		assert_int_equal(fixture_message_count, 1);
	}
	/* A list in the file is as long as it is. */
	assert_null(read_set(HEAD_2D "gravity: [1]\n", "gravity.0=5"));
	assert_message("a short list", "scene.yaml:2:10: 'gravity' has 1 number, it needs 2");
	/* What has no default. */
	assert_null(read_set(HEAD_2D, "solids.0.sphere.center.1=5"));
	assert_message("centre", "--set solids.0.sphere.center.1=5: 'solids.0.sphere.center.0' is "
				 "given nowhere and has no default: give the whole list");
	assert_null(read_set("domain: {cells: 4}\n", "domain.size.1=5"));
	assert_message("size", "--set domain.size.1=5: 'domain.size.0' is given nowhere");
	assert_null(read_set("domain: {size: [1, 1]}\n", "domain.cells.0=5"));
	assert_message("cells", "--set domain.cells.0=5: 'domain.cells.1' is given nowhere");
}

#define MOST 200 /* characters of a name */

/* `before`, a text of `count` times `unit`, `after`. */
static struct scene *read_long(const char *before, const char *unit, size_t count,
			       const char *after)
{
	const size_t bytes = strlen(before) + count * strlen(unit) + strlen(after) + 1;
	char *text = malloc(bytes), *end = text;
	assert_non_null(text);
	end = stpcpy(end, before);
	for (size_t i = 0; i < count; i++)
		end = stpcpy(end, unit);
	stpcpy(end, after);
	struct scene *s = read_text(text);
	free(text);
	return s;
}

static void test_long_names(void **state)
{
	(void)state;
	static const char box[] = ", box: {min: [0, 0], max: [1, 1]}}]\n";
	static const struct {
		const char *before, *after, *refusal;
	} places[] = {
		{HEAD_2D "name: ", "\n", "scene.yaml:2:7: 'name' has "},
		{HEAD_2D "liquids: [{name: ", box, "scene.yaml:2:18: 'liquids.0.name' has "},
		{HEAD_2D "solids: [{name: ", box, "scene.yaml:2:17: 'solids.0.name' has "},
		{HEAD_2D "output: {probes: [{quantity: front, name: ", "}]}\n",
		 "scene.yaml:2:43: 'output.probes.0.name' has "},
	};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const char *before = places[i].before, *after = places[i].after;
		char expected[120];
		/* Characters count, not bytes. */
		static const char *const units[] = {"x", "\u00e9", "\u6c34"};
		for (int u = 0; u < 3; u++) {
			struct scene *s = read_long(before, units[u], MOST, after);
			if (!s)
				fail_msg("%s", fixture_messages);
			scene_free(s);
			assert_null(read_long(before, units[u], MOST + 1, after));
			snprintf(expected, sizeof(expected), "%s201 characters (at most 200)",
				 places[i].refusal);
			assert_message(before, expected);
		}
		assert_null(read_long(before, "x", 3 << 20, after));
		snprintf(expected, sizeof(expected), "%s3145728 characters (at most 200)",
			 places[i].refusal);
		assert_message(before, expected);
	}
}

/* A scene is called as its file is, as far as a name goes: its echo can be read. */
static void test_long_file_names(void **state)
{
	(void)state;
	char name[300] = "";
	for (int i = 0; i < 120; i++)
		strcat(name, "\u00e9"); /* 240 bytes, 120 characters */
	strcat(name, ".yaml");
	struct scene *s = scene_read_text(HEAD_2D, strlen(HEAD_2D), name);
	assert_non_null(s);
	assert_int_equal(strlen(s->name), 240);
	scene_free(s);
	memset(name, 'x', 250);
	strcpy(name + 250, ".yaml");
	s = scene_read_text(HEAD_2D, strlen(HEAD_2D), name);
	assert_non_null(s);
	assert_int_equal(strlen(s->name), MOST);
	char *echo = scene_to_json(s, 0);
	scene_free(s);
	s = scene_read_text(echo, strlen(echo), "echo");
	assert_non_null(s);
	scene_free(s);
	free(echo);
}

/* A preset changes defaults, in the other section too; what is said counts, and is echoed. */
static void test_presets(void **state)
{
	(void)state;
	static const struct {
		const char *solver;
		double cfl, tolerance;
		bool separation;
	} cases[] = {
		{"{preset: standard}", 1, 1e-5, true},
		{"{preset: careful}", 0.5, 1e-5, true},
		{"{preset: draft}", 2, 1e-3, false},
		{"{separation: true, preset: draft, tolerance: 1e-4}", 2, 1e-4, true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[200];
		snprintf(text, sizeof(text), HEAD_2D "solver: %s\n", cases[i].solver);
		struct scene *s = read_good(text);
		char *echo = scene_to_json(s, 0);
		assert_non_null(echo);
		struct scene *again = scene_read_text(echo, strlen(echo), "echo");
		assert_non_null(again);
		for (int n = 0; n < 2; n++) {
			const struct scene *read = n ? again : s;
			assert_true(read->time.cfl == cases[i].cfl);
			assert_true(read->solver.tolerance == cases[i].tolerance);
			assert_true(read->solver.separation == cases[i].separation);
			assert_int_equal(read->solver.preset, s->solver.preset);
		}
		free(echo);
		scene_free(again);
		scene_free(s);
	}
	struct scene *s = read_good(HEAD_2D "time: {cfl: 3}\nsolver: {preset: draft}\n");
	assert_true(s->time.cfl == 3);
	scene_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overrides),	cmocka_unit_test(test_parts_of_defaults),
		cmocka_unit_test(test_long_names),	cmocka_unit_test(test_presets),
		cmocka_unit_test(test_long_file_names),
	};
	return cmocka_run_group_tests_name("scene overrides", tests, fixture_enter, fixture_leave);
}
