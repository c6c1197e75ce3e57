#include <math.h>

#include "shape_kinds.h"

static const struct scene_key keys[] = {SHAPE_POINT("min"), SHAPE_POINT("max"), END_OF_KEYS};

static bool read_box(struct shape_builder *b, const struct scene_node *node, struct shape_op *op)
{
	const bool low = shape_read_point(b, node, "min", op->a);
	const bool high = shape_read_point(b, node, "max", op->a + 3);
	if (!low || !high || b->reader->dim == 0)
		return false;
	int flat = 0;
	for (int i = 0; i < b->reader->dim; i++) {
		if (op->a[i] > op->a[3 + i])
			return shape_fail(b, node, "has min above max");
		flat += shape_are_equal(op->a[i], op->a[3 + i]);
	}
	if (flat > 0 && !b->plates)
		return shape_fail(b, node, "is empty: min must be below max along every axis");
	if (flat > 1)
		return shape_fail(b, node, "is empty: min may equal max along one axis only");
	return true;
}

static void write_box(struct json_writer *json, const struct shape_program *program,
		      const struct shape_op *op, int dim)
{
	(void)program;
	shape_write_point(json, "min", op->a, dim);
	shape_write_point(json, "max", op->a + 3, dim);
}

static void bound_box(const struct shape_program *program, const struct shape_op *op,
		      struct scene_bounds *bounds)
{
	(void)program;
	for (int i = 0; i < 3; i++) {
		bounds->low[i] = (double)op->a[i];
		bounds->high[i] = (double)op->a[3 + i];
	}
}

static double box_thickness(const struct shape_op *op, int dim)
{
	double least = HUGE_VAL;
	for (int axis = 0; axis < dim; axis++)
		least = fmin(least, (double)op->a[axis + 3] - (double)op->a[axis]);
	return least;
}

const struct shape_primitive shape_primitive_box = {
	.read = read_box,
	.write = write_box,
	.bound = bound_box,
	.thickness = box_thickness,
};

const struct scene_section_keys shape_section_box = {"in 'box'", keys, 0, PLACE_TYPE,
						     "min below max along every axis"};
