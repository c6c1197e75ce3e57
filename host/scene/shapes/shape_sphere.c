#include "shape_kinds.h"

static const struct scene_key keys[] = {SHAPE_POINT("center"), SHAPE_RADIUS, END_OF_KEYS};

static bool read_sphere(struct shape_builder *b, const struct scene_node *node, struct shape_op *op)
{
	const bool center = shape_read_point(b, node, "center", op->a);
	const bool radius = shape_read_radius(b, node, &op->a[3]);
	return center && radius;
}

static void write_sphere(struct json_writer *json, const struct shape_program *program,
			 const struct shape_op *op, int dim)
{
	(void)program;
	shape_write_point(json, "center", op->a, dim);
	shape_write_radius(json, op->a[3]);
}

static void bound_sphere(const struct shape_program *program, const struct shape_op *op,
			 struct scene_bounds *bounds)
{
	(void)program;
	for (int i = 0; i < 3; i++) {
		bounds->low[i] = (double)op->a[i] - (double)op->a[3];
		bounds->high[i] = (double)op->a[i] + (double)op->a[3];
	}
}

static double sphere_thickness(const struct shape_op *op, int dim)
{
	(void)dim;
	return 2.0 * (double)op->a[3];
}

const struct shape_primitive shape_primitive_sphere = {
	.read = read_sphere,
	.write = write_sphere,
	.bound = bound_sphere,
	.thickness = sphere_thickness,
};

const struct scene_section_keys shape_section_sphere = {"in 'sphere'", keys, 0, PLACE_TYPE,
							"a disc in 2D"};
