/* Bodies in scenes: what is read, and what is refused, with line and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../unit/scene_fixture.h"

#define BODY(text) HEAD_2D "bodies:\n- {" text "}\n"
#define BODY_3D(text) HEAD_3D "bodies:\n- {" text "}\n"
#define BOX "box: {min: [0.1, 0.1], max: [0.5, 0.5]}"
#define BALL "sphere: {center: [0.7, 0.7], radius: 0.25}"

static void test_values(void **state)
{
	(void)state;
	struct scene *scene = read_good(
		HEAD_2D "solids: [{box: {min: [0, 0.6], max: [0.2, 1]}}]\n"
			"bodies:\n"
			"- {" BOX ", density: 500, velocity: [1, 2], angular_velocity: 3, "
			"friction: 0.3, restitution: 0.2, lock: [x, rz], slip: none}\n"
			"- {name: ball, " BALL ", mass: 7, release: 2, "
			"motion: [{time: 0}, {time: 1, translate: [-0.1, 0]}]}\n");
	assert_int_equal(scene->solid_count, 3);
	assert_int_equal(scene->body_count, 2);
	const struct scene_solid *box = &scene->solids[1], *ball = &scene->solids[2];
	assert_false(scene->solids[0].body.given);
	assert_false(scene_solid_moves(&scene->solids[0]));
	assert_true(box->body.given && scene_solid_moves(box));
	assert_string_equal(box->name, "body 0");
	assert_string_equal(ball->name, "ball");
	assert_true(box->body.lock == (1u << LOCK_X | 1u << LOCK_TURN_Z));
	assert_true(box->body.velocity[1] == 2.0 && box->body.spin[2] == 3.0);
	assert_true(box->body.friction == 0.3 && box->body.restitution == 0.2);
	assert_false(box->free_slip);
	assert_true(ball->body.friction == 0.5 && ball->body.restitution == 0.0);
	assert_true(ball->body.mass == 7.0 && ball->body.release == 2.0);
	assert_int_equal(ball->motion.key_count, 2);
	/* Its program is placed, whether it has keys or not. */
	assert_int_equal(box->shape.ops[0].kind, SHAPE_PLACE);
	assert_int_equal(box->shape.ops[2].kind, SHAPE_PLACED);
	scene_free(scene);
}

static void test_refused(void **state)
{
	(void)state;
	const struct refusal table[] = {
		{BODY(BOX), "scene.yaml:3:3: 'bodies.0' lacks 'density' (or 'mass')"},
		{BODY(BOX ", density: 0"),
		 "scene.yaml:3:54: 'bodies.0.density' is 0, out of range"},
		{BODY(BOX ", density: 1, mass: 1"),
		 "scene.yaml:3:57: 'bodies.0' has a mass and a density"},
		{BODY(BOX ", density: 1, center: [0, 0]"),
		 "scene.yaml:3:57: 'bodies.0.center' is refused: bodies turn about their centre of "
		 "mass"},
		{BODY(BOX ", density: 1, lock: [z]"),
		 "scene.yaml:3:64: 'bodies.0.lock.0' has no meaning in a 2D scene"},
		{BODY(BOX ", density: 1, lock: [q]"),
		 "scene.yaml:3:64: 'bodies.0.lock.0' must be one of x, y, z, rx, ry, rz"},
		{BODY(BOX ", invert: true, density: 1"),
		 "scene.yaml:3:3: 'bodies.0' has no end along x"},
		{BODY("half_space: {point: [0, 0.5], normal: [0, 1]}, density: 1"),
		 "scene.yaml:3:3: 'bodies.0' has no end along x"},
		{BODY("box: {min: [0.1, 0.1], max: [0.5, 0.1]}, density: 1"),
		 "scene.yaml:3:3: 'bodies.0' has no volume"},
		{BODY("sphere: {center: [0.5, 0.5], radius: 0.06}, density: 1"),
		 "scene.yaml:3:3: 'bodies.0' is 0.96 cells thick (at least 1"},
		{BODY("box: {min: [-0.1, 0.1], max: [0.5, 0.5]}, density: 1"),
		 "scene.yaml:3:3: body 'body 0' is 0.1 m (0.8 cells) out of the domain"},
		{BODY("box: {min: [0.6, 0.1], max: [1.1, 0.5]}, density: 1"),
		 "scene.yaml:3:3: body 'body 0' is 0.1 m (0.8 cells) out of the domain"},
		{BODY(BOX ", density: 1, motion: [{time: 0}]"),
		 "scene.yaml:3:57: 'bodies.0.motion' moves a body until 'release', which is 0"},
		{BODY(BOX ", density: 1, release: 1, velocity: [1, 0], motion: [{time: 0}]"),
		 "scene.yaml:3:69: 'bodies.0.velocity' beside 'motion'"},
		{BODY(BOX ", density: 1, interpolation: spline"),
		 "scene.yaml:3:57: 'interpolation' has no meaning without 'bodies.0.motion'"},
		{BODY(BOX ", density: 1, friction: -1"),
		 "scene.yaml:3:67: 'bodies.0.friction' is -1, out of range"},
		{BODY(BOX ", density: 1, restitution: 1.5"),
		 "scene.yaml:3:70: 'bodies.0.restitution' is 1.5, out of range"},
		{BODY(BOX ", density: 1") "- {name: body 0, " BALL ", mass: 1}\n",
		 "scene.yaml:4:10: 'bodies.1' is called 'body 0' as 'bodies.0' is"},
		{BODY(BOX ", density: 1") "solver: {pressure: jacobi}\n",
		 "scene.yaml:2:1: 'bodies' is not supported with 'solver.pressure: jacobi' yet"},
		{BODY(BOX ", density: 1") "frame: {roll: {amplitude: 0.1, frequency: 1}}\n",
		 "scene.yaml:2:1: 'bodies' is not supported with a 'frame' that turns yet"},
		{BODY(BOX ", density: 1") "liquid: {surface: spheres}\n",
		 "scene.yaml:2:1: 'bodies' is not supported with 'liquid.surface: spheres' yet"},
		{BODY(BOX ", density: 1") "method: grid\n",
		 "scene.yaml:2:1: 'bodies' is not supported with 'method: grid' yet"},
		{BODY(BOX ", density: 1") "method: sph\n",
		 "scene.yaml:2:1: 'bodies' is not supported with 'method: sph' yet"},
	};
	REFUSE_ALL(table);
}

/* Each by what its points find in the other's distance, where it is at the start. */
static void test_overlaps(void **state)
{
	(void)state;
	const struct refusal table[] = {
		{BODY(BOX
		      ", density: 1") "- {sphere: {center: [0.7, 0.3], radius: 0.25}, mass: 1}\n",
		 "scene.yaml:4:3: body 'body 1' overlaps body 'body 0' by 0.05 m (0.4 cells)"},
		/* No corner of either is in the other. */
		{BODY(BOX
		      ", density: 1") "- {box: {min: [0.15, 0.05], max: [0.45, 0.9]}, mass: 1}\n",
		 "scene.yaml:4:3: body 'body 1' overlaps body 'body 0' by"},
		{HEAD_2D "solids: [{half_space: {point: [0, 0.2], normal: [0, 1]}, name: floor}]\n"
			 "bodies: [{" BOX ", density: 1}]\n",
		 "scene.yaml:3:10: body 'body 0' overlaps solid 'floor' by 0.1 m"},
		{BODY(BOX ", density: 1, release: 1, motion: [{time: 0, translate: [-0.2, 0]}]"),
		 "scene.yaml:3:3: body 'body 0' is 0.1 m"},
	};
	REFUSE_ALL(table);
	/* They may touch, and stand on the floor. */
	struct scene *scene =
		read_good(HEAD_2D "solids: [{half_space: {point: [0, 0.1], normal: [0, 1]}}]\n"
				  "bodies:\n- {" BOX ", density: 1}\n"
				  "- {box: {min: [0.5, 0.1], max: [0.9, 0.5]}, density: 1}\n"
				  "- {sphere: {center: [0.3, 0.7], radius: 0.2}, density: 1}\n");
	scene_free(scene);
	scene = read_good(BODY_3D(
		"box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}, density: 1") "- {sphere: {center: [0.25, 0.75, 0.25], radius: 0.25}, density: 1}\n");
	scene_free(scene);
}

static void test_warned(void **state)
{
	(void)state;
	const char *text = BODY("sphere: {center: [0.5, 0.5], radius: 0.1}, density: 1");
	scene_free(read_good(text));
	assert_message(text,
		       "scene.yaml:3:3: 'bodies.0' is 1.6 cells thick: below 2 cells the forces on "
		       "it are rough");
}

/* 257 are too many. */
static void test_most(void **state)
{
	(void)state;
	static char text[20000] = HEAD_2D "bodies:\n";
	for (int i = 0; i < 257; i++)
		strcat(text, "- {" BOX ", mass: 1}\n");
	assert_refused(text, "scene.yaml:3:1: 'bodies' has 257 entries (at most 256)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),	 cmocka_unit_test(test_refused),
		cmocka_unit_test(test_overlaps), cmocka_unit_test(test_warned),
		cmocka_unit_test(test_most),
	};
	return cmocka_run_group_tests_name("bodies scenes", tests, fixture_enter, fixture_leave);
}
