/* Capsules and cylinders: two ends and a radius. */
#include <math.h>

#include "shape_kinds.h"

static const char title[] = "in 'capsule' or 'cylinder'";
static const struct scene_key keys[] = {SHAPE_POINT("a"), SHAPE_POINT("b"), SHAPE_RADIUS,
					END_OF_KEYS};

static double length_squared(const struct shape_op *op, int dim)
{
	double square = 0;
	for (int i = 0; i < dim; i++) {
		const double along = (double)op->a[3 + i] - (double)op->a[i];
		square += along * along;
	}
	return square;
}

static bool read_rod(struct shape_builder *b, const struct scene_node *node, struct shape_op *op)
{
	const bool start = shape_read_point(b, node, "a", op->a);
	const bool end = shape_read_point(b, node, "b", op->a + 3);
	const bool radius = shape_read_radius(b, node, &op->a[6]);
	return start && end && radius;
}

static bool read_cylinder(struct shape_builder *b, const struct scene_node *node,
			  struct shape_op *op)
{
	if (!read_rod(b, node, op))
		return false;
	if (length_squared(op, 3) < 1e-12)
		return shape_fail(b, node, "has no axis: a and b must be at least 1e-6 apart");
	return true;
}

static void write_rod(struct json_writer *json, const struct shape_program *program,
		      const struct shape_op *op, int dim)
{
	(void)program;
	shape_write_point(json, "a", op->a, dim);
	shape_write_point(json, "b", op->a + 3, dim);
	shape_write_radius(json, op->a[6]);
}

/* Around the ends and what reaches beyond them along an axis. */
static void bound_ends(const struct shape_op *op, int i, double reach, struct scene_bounds *bounds)
{
	bounds->low[i] = fmin((double)op->a[i], (double)op->a[3 + i]) - reach;
	bounds->high[i] = fmax((double)op->a[i], (double)op->a[3 + i]) + reach;
}

static void bound_capsule(const struct shape_program *program, const struct shape_op *op,
			  struct scene_bounds *bounds)
{
	(void)program;
	for (int i = 0; i < 3; i++)
		bound_ends(op, i, (double)op->a[6], bounds);
}

/* A disc across the axis reaches r*sin(angle) along i. */
static void bound_cylinder(const struct shape_program *program, const struct shape_op *op,
			   struct scene_bounds *bounds)
{
	const double square = length_squared(op, 3);
	(void)program;
	for (int i = 0; i < 3; i++) {
		const double axis = (double)op->a[3 + i] - (double)op->a[i];
		const double sine = sqrt(fmax(0, 1 - axis * axis / square));
		bound_ends(op, i, (double)op->a[6] * sine, bounds);
	}
}

static double capsule_thickness(const struct shape_op *op, int dim)
{
	(void)dim;
	return 2.0 * (double)op->a[6];
}

static double cylinder_thickness(const struct shape_op *op, int dim)
{
	return fmin(2.0 * (double)op->a[6], sqrt(length_squared(op, dim)));
}

const struct shape_primitive shape_primitive_capsule = {
	.read = read_rod,
	.write = write_rod,
	.bound = bound_capsule,
	.thickness = capsule_thickness,
};

const struct shape_primitive shape_primitive_cylinder = {
	.read = read_cylinder,
	.write = write_rod,
	.bound = bound_cylinder,
	.thickness = cylinder_thickness,
};

const struct scene_section_keys shape_section_capsule = {
	title, keys, 0, PLACE_TYPE, "all points within `radius` of the segment from a to b"};

const struct scene_section_keys shape_section_cylinder = {
	title, keys, 0, PLACE_TYPE,
	"centres of its flat ends, at least 1e-6 apart; a rectangle in 2D"};
