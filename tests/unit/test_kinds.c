/* Tables of kinds: every row is complete, and what it says holds for a sample of its kind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "field_formats.h"
#include "mesh_formats.h"
#include "mesh_make.h"
#include "numbered_files.h"
#include "particle_formats.h"
#include "scene_fixture.h"
#include "shape.h"
#include "shapes/shape_kinds.h"

/* Of each kind, in 2D. */
static const char *const samples[SHAPE_PRIMITIVE_KINDS] = {
	[SHAPE_BOX] = "{min: [0.2, 0.1], max: [0.7, 0.4]}",
	[SHAPE_SPHERE] = "{center: [0.3, 0.6], radius: 0.2}",
	[SHAPE_HALF_SPACE] = "{point: [0.1, 0.3], normal: [0, 2]}",
	[SHAPE_CAPSULE] = "{a: [0.2, 0.3], b: [0.6, 0.5], radius: 0.1}",
	[SHAPE_CYLINDER] = "{a: [0.2, 0.3], b: [0.6, 0.5], radius: 0.1}",
	[SHAPE_POLYGON] = "{points: [[0.1, 0.1], [0.8, 0.2], [0.5, 0.9]]}",
	[SHAPE_MESH] = "{file: box.obj, translate: [0.2, 0.3, -0.1]}", /* in 3D */
};

static int dim_of(int kind)
{
	return kind == SHAPE_MESH ? 3 : 2;
}

static struct scene *read_sample(int kind)
{
	char text[256];
	struct made box = made_box(0.5, 0.4, 0.2);
	made_write_obj(&box, "box.obj");
	made_free(&box);
	snprintf(text, sizeof(text), "%sliquids: [{%s: %s}]\n",
		 dim_of(kind) == 3 ? HEAD_3D : HEAD_2D, shape_names[kind], samples[kind]);
	return read_good(text);
}

static void assert_within(int dim, const struct shape_program *shape,
			  const struct scene_bounds *bounds)
{
	for (int n = 0; n < 64 * 64; n++) {
		const double at[2] = {(n % 64 - 15.5) / 32, (n / 64 - 15.5) / 32};
		const float f = shape_distance(dim, shape->ops, (int)shape->op_count, shape->points,
					       (float)at[0], (float)at[1], 0);
		for (int axis = 0; axis < 2 && f < 0; axis++)
			assert_true(at[axis] > bounds->low[axis] - 1e-6 &&
				    at[axis] < bounds->high[axis] + 1e-6);
	}
}

static void test_primitives(void **state)
{
	(void)state;
	for (int kind = 0; kind < SHAPE_PRIMITIVE_KINDS; kind++) {
		const struct shape_primitive *row = shape_primitives[kind];
		struct scene_bounds bounds;
		if (!samples[kind])
			fail_msg("'%s' has no sample here", shape_names[kind]);
		const struct scene_section_keys *section =
			scene_sections[SECTION_PRIMITIVES + kind];
		assert_non_null(strstr(section->title, shape_names[kind]));
		assert_true(section->keys && section->says && row->read && row->write &&
			    row->bound && row->thickness);
		struct scene *scene = read_sample(kind);
		const struct shape_program *shape = &scene->liquids[0].shape;
		assert_int_equal(shape->op_count, 1);
		assert_int_equal(shape->ops[0].kind, kind);
		row->bound(shape, shape->ops, &bounds);
		assert_within(dim_of(kind), shape, &bounds);
		assert_true(row->thickness(shape->ops, 2) > 0);
		char *json = scene_to_json(scene, 0);
		struct scene *again = read_good(json);
		assert_memory_equal(again->liquids[0].shape.ops, shape->ops, sizeof(*shape->ops));
		remove("box.obj");
		free(json);
		scene_free(again);
		scene_free(scene);
	}
}

static void test_pairs(void **state)
{
	(void)state;
	for (int pair = 0; pair < SHAPE_PAIR_KINDS; pair++) {
		const int kind = SHAPE_PRIMITIVE_KINDS + pair;
		char text[256];
		snprintf(text, sizeof(text), HEAD_2D "liquids: [{%s: [{box: %s}, {sphere: %s}]}]\n",
			 shape_names[kind], samples[SHAPE_BOX], samples[SHAPE_SPHERE]);
		struct scene *scene = read_good(text);
		const struct shape_program *shape = &scene->liquids[0].shape;
		struct scene_bounds bounds, other;
		assert_int_equal(shape->ops[2].kind, kind);
		shape_primitives[SHAPE_BOX]->bound(shape, shape->ops, &bounds);
		shape_primitives[SHAPE_SPHERE]->bound(shape, shape->ops + 1, &other);
		shape_pairs[pair]->bound(&bounds, &other);
		assert_within(2, shape, &bounds);
		scene_free(scene);
	}
}

/* Two kinds of files of one name would hide each other. */
static void test_formats(void **state)
{
	(void)state;
	for (int f = 0; f < PARTICLE_FORMAT_COUNT; f++)
		assert_true(particle_formats[f]->write && particle_formats[f]->read &&
			    particle_formats[f]->bytes);
	for (int f = 0; f < FIELD_FORMAT_COUNT; f++)
		assert_true(field_formats[f]->write && field_formats[f]->read &&
			    field_formats[f]->bytes);
	for (int f = 0; f < MESH_FORMAT_COUNT; f++)
		assert_true(mesh_formats[f]->write && mesh_formats[f]->vertex_bytes > 0);
	for (int a = 0; a < NUMBERED_KINDS; a++)
		for (int b = 0; b < a; b++) {
			char one[NUMBERED_NAME], two[NUMBERED_NAME];
			numbered_file_name((enum numbered_files)a, 7, one);
			numbered_file_name((enum numbered_files)b, 7, two);
			assert_string_not_equal(one, two);
		}
}

/* Files and the sort take on the device for f32 all but the ids; places of a matrix stay apart. */
static void test_attributes(void **state)
{
	(void)state;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		const struct attribute_row *row = &attribute_rows[a];
		assert_true(row->name && row->plural && row->size > 0);
		assert_true(!row->on_device || (row->type == ATTRIBUTE_F32) == (a != ATTRIBUTE_ID));
		for (enum particle_attribute b = 0; b < a; b++) {
			assert_string_not_equal(row->name, attribute_rows[b].name);
			assert_true(!row->on_device || !attribute_rows[b].on_device ||
				    row->member != attribute_rows[b].member);
		}
		for (size_t dim = 2; dim <= 3; dim++)
			for (size_t c = 0; c < attribute_columns(a, dim); c++) {
				assert_true(attribute_place(dim, c) < attribute_width(a));
				assert_true(c == 0 ||
					    attribute_place(dim, c) > attribute_place(dim, c - 1));
			}
	}
	assert_int_equal(attribute_place(2, 2), 3); /* dv/dx of [du/dx, du/dy, dv/dx, dv/dy] */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_primitives),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_attributes),
	};
	return cmocka_run_group_tests_name("kinds", tests, fixture_enter, fixture_leave);
}
