/*
 * solids_create() on a device, 2D and 3D: every buffer holds the bits that the kernels give as
 * plain C (which native_solids and native_open_parts check); solids are united and told apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shape_program.h"
#include "solids.h"

#include "native_field.h"

#include "collide.h"

#include "device_support.h"

#define CELLS (DIM == 2 ? 32 : 12)

static void assert_same(const struct clx_buffer *buffer, const void *expected, size_t bytes)
{
	void *read = test_malloc(bytes);
	assert_true(buffer->bytes >= bytes);
	assert_true(clx_read_raw(device, buffer, 0, bytes, read));
	assert_memory_equal(read, expected, bytes);
	test_free(read);
}

/* Creates the solids. */
static void check_against_native(struct solids *solids, const struct shape_program *united)
{
	const struct grid g = solids->lattice->grid;
	const size_t lattice = (size_t)g.lattice;
	struct native_field f = make_field(g, united->ops, (int)united->op_count, united->points);
	make_cells(&f, united->ops, (int)united->op_count, united->points);
	assert_true(solids_create(solids));
	assert_int_equal(solids->op_count, united->op_count);
	if (united->op_count > 0)
		assert_same(&solids->phi.raw, f.phi, lattice * sizeof(float));
	else
		assert_true(solids->phi.bytes <= sizeof(float)); /* not held at all */
	assert_same(&solids->open_fraction.raw, f.faces, lattice * DIM * sizeof(uint16_t));
	assert_same(&solids->volume_open.raw, f.volume, lattice * sizeof(uint16_t));
	assert_same(&solids->kernel_open.raw, f.density, lattice * sizeof(uint16_t));
	free_field(&f);
}

static void test_no_solids(void **state)
{
	(void)state;
	struct lattice lattice;
	struct solids solids;
	struct shape_program none = {0};
	uint64_t before = clx_memory_in_use(device);
	make_lattice(&lattice, CELLS, 1 << WALL_Y_HIGH);
	solids_init(&solids, &lattice, NULL, 0, 1.0 / CELLS);
	check_against_native(&solids, &none);
	assert_true(solids.ops.mem && solids.points.mem && solids.slip.mem);
	solids_destroy(&solids);
	free_lattice(&lattice);
	assert_true(clx_memory_in_use(device) == before);
	assert_string_equal(last_message, "");
}

/* A ball that slips, a tilted thin plate that does not, a third solid cut by a difference (a
 * polygon in it in 2D): which of them is nearest decides. */
static void test_united(void **state)
{
	(void)state;
	struct lattice lattice;
	struct solids solids;
	make_lattice(&lattice, CELLS, 1 << WALL_Y_HIGH);
	const float z = DIM == 3 ? 0.5f : 0.0f;
	struct shape_op ball = {.kind = SHAPE_SPHERE, .a = {0.25f, 0.3f, z, 0.12f}};
	struct shape_op plate = {.kind = SHAPE_CYLINDER, .a = {0.7f, 0.3f, z, 0.0f, 0.0f, z, 0.3f}};
	plate.a[3] = plate.a[0] + 0.8f * 0.2f / (float)CELLS;
	plate.a[4] = plate.a[1] + 0.6f * 0.2f / (float)CELLS;
	struct shape_op cut[3] = {
		{.kind = SHAPE_BOX, .a = {0.3f, 0.7f, z - 0.2f, 0.6f, 0.9f, z + 0.2f}},
		{.kind = DIM == 2 ? SHAPE_POLYGON : SHAPE_SPHERE,
		 .count = 3,
		 .a = {0.45f, 0.9f, 0.5f, 0.1f}},
		{.kind = SHAPE_DIFFERENCE},
	};
	float triangle[6] = {0.35f, 0.95f, 0.55f, 0.95f, 0.45f, 0.8f};
	struct scene_solid list[3] = {
		{.name = (char[]){"ball"}, .shape = program_of(&ball, 1), .free_slip = true},
		{.name = (char[]){"gate"}, .shape = program_of(&plate, 1)},
		{.name = (char[]){"cup"}, .shape = program_of(cut, 3), .free_slip = true},
	};
	if (DIM == 2) {
		list[2].shape.points = triangle;
		list[2].shape.point_count = 3;
	}
	solids_init(&solids, &lattice, list, 3, 1.0 / CELLS);
	struct shape_program united = {0};
	for (int s = 0; s < 3; ++s)
		assert_true(shape_program_append(&united, &list[s].shape, true));
	assert_int_equal(united.op_count, 7);
	check_against_native(&solids, &united);
	assert_non_null(strstr(last_message, "'gate' is 0.2 cells thick"));

	uint32_t slip[3];
	assert_true(clx_read(device, &solids.slip, 0, sizeof(slip), slip));
	const struct collide_solids all = {
		united.ops, (int)united.op_count, united.points, NULL, slip, 3};
	const float near_ball[3] = {0.25f, 0.45f, z}, near_gate[3] = {0.6f, 0.3f, z};
	const float near_cup[3] = {0.32f, 0.68f, z};
	assert_int_equal(collide_slips(&all, near_ball), 1);
	assert_int_equal(collide_slips(&all, near_gate), 0);
	assert_int_equal(collide_slips(&all, near_cup), 1);
	shape_program_finish(&united);
	solids_destroy(&solids);
	free_lattice(&lattice);
}

/* Polygons keep their own vertices when programs are joined. */
static void test_append(void **state)
{
	(void)state;
	float first[6] = {0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f};
	float second[8] = {4.0f, 4.0f, 5.0f, 4.0f, 5.0f, 5.0f, 4.0f, 5.0f};
	struct shape_op ops[2] = {{.kind = SHAPE_POLYGON, .count = 3},
				  {.kind = SHAPE_POLYGON, .count = 4}};
	const struct shape_program a = {&ops[0], 1, first, 3}, b = {&ops[1], 1, second, 4};
	struct shape_program joined = {0}, listed = {0};
	assert_true(shape_program_append(&joined, &a, true));
	assert_true(shape_program_append(&joined, &b, true));
	assert_true(shape_program_append(&listed, &a, false));
	assert_true(shape_program_append(&listed, &b, false));
	assert_int_equal(joined.op_count, 3);
	assert_int_equal(listed.op_count, 2);
	float in_first = shape_distance(2, joined.ops, 3, joined.points, 0.25f, 0.25f, 0.0f);
	float in_second = shape_distance(2, joined.ops, 3, joined.points, 4.5f, 4.25f, 0.0f);
	assert_true(in_first == -0.25f && in_second == -0.25f);
	assert_true(shape_distance(2, listed.ops + 1, 1, listed.points, 4.5f, 4.25f, 0.0f) ==
		    -0.25f);
	shape_program_finish(&joined);
	shape_program_finish(&listed);

	struct shape_op thin[3] = {{.kind = SHAPE_BOX, .a = {0, 0, 0, 3, 2, DIM == 3 ? 1 : 0}},
				   {.kind = SHAPE_CAPSULE, .a = {0, 0, 0, 1, 0, 0, 0.25f}},
				   {.kind = SHAPE_UNION}};
	struct shape_program p = program_of(thin, 1);
	assert_true(shape_program_thickness(&p, DIM) == (DIM == 3 ? 1.0 : 2.0));
	p.op_count = 3;
	assert_true(shape_program_thickness(&p, DIM) == 0.5);
	thin[2].kind = SHAPE_DIFFERENCE;
	assert_true(shape_program_thickness(&p, DIM) > 1e300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_solids),
		cmocka_unit_test(test_united),
		cmocka_unit_test(test_append),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
