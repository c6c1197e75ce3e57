#include <math.h>

#include "shape_kinds.h"

/* A normal this close to unit length is kept as it is: rounding its components to single precision
 * moves the squared length by up to 2e-7, and reading such a normal again must not change it. */
#define UNIT_TOLERANCE 5e-7

static const struct scene_key keys[] = {
	SHAPE_POINT("point"), OWN("normal", "vector", COORDINATES, .otherwise = "required"),
	END_OF_KEYS};

static bool read_half_space(struct shape_builder *b, const struct scene_node *node,
			    struct shape_op *op)
{
	double n[3] = {NO_DEFAULT, NO_DEFAULT, NO_DEFAULT};
	const bool point = shape_read_point(b, node, "point", op->a);
	const struct scene_node *normal = scene_node_get(node, "normal");
	if (!normal)
		return scene_value_missing(b->reader, node, "normal");
	if (!scene_vector_read(b->reader, normal, -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE, n) ||
	    !point)
		return false;
	const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
	if (square < 1e-12)
		return shape_fail(b, normal, "has no direction: its length must be at least 1e-6");
	const double length = fabs(square - 1) < UNIT_TOLERANCE ? 1 : sqrt(square);
	for (int i = 0; i < 3; i++)
		op->a[3 + i] = (float)(n[i] / length);
	return true;
}

static void write_half_space(struct json_writer *json, const struct shape_program *program,
			     const struct shape_op *op, int dim)
{
	(void)program;
	shape_write_point(json, "point", op->a, dim);
	shape_write_point(json, "normal", op->a + 3, dim);
}

/* Bounded where its plane is across an axis. */
static void bound_half_space(const struct shape_program *program, const struct shape_op *op,
			     struct scene_bounds *bounds)
{
	int along = -1, parts = 0;
	(void)program;
	for (int i = 0; i < 3; i++) {
		if (!shape_are_equal(op->a[3 + i], 0)) {
			along = i;
			parts++;
		}
		bounds->low[i] = -HUGE_VAL;
		bounds->high[i] = HUGE_VAL;
	}
	if (parts == 1) {
		double *side = op->a[3 + along] > 0 ? bounds->high : bounds->low;
		side[along] = (double)op->a[along];
	}
}

const struct shape_primitive shape_primitive_half_space = {
	.read = read_half_space,
	.write = write_half_space,
	.bound = bound_half_space,
	.thickness = shape_thickness_unknown,
};

const struct scene_section_keys shape_section_half_space = {
	"in 'half_space'", keys, 0, PLACE_TYPE,
	"the inside is behind the plane, away from where the normal points; any length of at least "
	"1e-6"};
