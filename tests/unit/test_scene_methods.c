/* Keys that belong to one method, with a list of methods that has another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_compare.h"
#include "scene_fixture.h"
#include "scene_methods.h"

/* In place of the program's. */
const struct scene_method scene_methods[] = {{"flip", "particles"}, {"passive", "nothing"}};
const size_t scene_method_count = 2;

#define PASSIVE HEAD_2D "method: passive\n"

static void test_method(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "method: flap\n",
		 "scene.yaml:2:9: 'method' must be one of flip, passive, not 'flap' (did you mean "
		 "'flip'?)"},
		{HEAD_2D "method: 3\n", "scene.yaml:2:9: 'method' must be one of flip, passive"},
	};
	REFUSE_ALL(cases);
	struct scene *scene = read_good(HEAD_2D);
	assert_string_equal(scene->method, "flip");
	scene_free(scene);
	scene = read_good(PASSIVE);
	assert_ptr_equal(scene->method, scene_methods[1].name);
	scene_free(scene);
}

static void test_keys_of_another_method(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{PASSIVE "liquid:\n  density: 900\n  flip_ratio: 0.9\n",
		 "scene.yaml:5:3: 'liquid.flip_ratio' has no meaning with 'method: passive' (it "
		 "belongs to flip)"},
		{"liquid: {seed: 1}\n" PASSIVE, "scene.yaml:1:10: 'liquid.seed' has no meaning"},
		{PASSIVE "liquids: [{box: {min: [0, 0], max: [1, 1]}, jitter: 1}]\n",
		 "scene.yaml:3:45: 'liquids.0.jitter' has no meaning with 'method: passive' (it "
		 "belongs to flip, sph)"},
		{PASSIVE "solver: {drift: none}\n", "scene.yaml:3:10: 'solver.drift' has no"},
		{PASSIVE "output: {particles: {}}\n", "scene.yaml:3:10: 'output.particles' has no"},
		{PASSIVE "output: {mesh: {}}\n", "scene.yaml:3:10: 'output.mesh' has no meaning"},
	};
	REFUSE_ALL(cases);
}

static void test_echo(void **state)
{
	(void)state;
	static const char *const gone[] = {"flip_ratio", "jitter",  "seed", "transfer",
					   "drift",	 "surface", "flip"};
	struct scene *flip = read_good(HEAD_2D
				       "liquids: [{sphere: {center: [0, 0], radius: 1}}]\n"),
		     *passive = read_good(PASSIVE
					  "liquids: [{sphere: {center: [0, 0], radius: 1}}]\n");
	char *one = scene_to_json(flip, 0), *other = scene_to_json(passive, 0);
	assert_null(strstr(one, "method\": \"flip"));
	assert_non_null(strstr(other, "\"method\": \"passive\""));
	for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++)
		if (strstr(other, gone[i]))
			fail_msg("'%s' in the echo of another method:\n%s", gone[i], other);
	struct scene *again = read_good(other);
	assert_string_equal(again->method, "passive");
	struct scene_differences differences;
	assert_true(scene_compare(one, other, &differences));
	assert_in_range(differences.count, 1, 100);
	bool told = false;
	for (size_t i = 0; i < differences.count && i < SCENE_DIFFERENCES; i++)
		told = told || strcmp(differences.line[i], "method was absent, is passive") == 0;
	assert_true(told);
	scene_free(flip);
	scene_free(passive);
	scene_free(again);
	free(one);
	free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_method),
		cmocka_unit_test(test_keys_of_another_method),
		cmocka_unit_test(test_echo),
	};
	return cmocka_run_group_tests_name("scene methods", tests, fixture_enter, fixture_leave);
}
