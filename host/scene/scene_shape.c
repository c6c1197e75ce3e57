#include "scene_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A normal this close to unit length is kept as it is: rounding its components to single precision
 * moves the squared length by up to 2e-7, and reading such a normal again must not change it. */
#define UNIT_TOLERANCE 5e-7

/* A shape program under construction. */
struct builder {
	struct scene_reader *reader;
	struct shape_program *program;
	size_t op_capacity, point_capacity;
	int depth; /* values on the stack after the ops so far */
	bool plates;
};

struct primitive {
	const char *name;
	bool (*read)(struct builder *b, const struct scene_node *node, struct scene_bounds *bounds);
};

static bool read_shape(struct builder *b, const struct scene_node *mapping,
		       struct scene_bounds *bounds);

static bool fail_shape(struct builder *b, const struct scene_node *node, const char *text)
{
	char path[SCENE_NODE_PATH];
	scene_node_error(&b->reader->errors, node, "'%s' %s", scene_node_path(node, path), text);
	return false;
}

/* Appends an instruction that changes the stack's height by `push`. */
static bool append_op(struct builder *b, const struct scene_node *node, struct shape_op op,
		      int push)
{
	struct shape_program *program = b->program;
	b->depth += push;
	if (b->depth > SHAPE_STACK)
		return fail_shape(b, node, "is combined too deeply (at most 16 shapes may wait)");
	void *ops = scene_grow(program->ops, &b->op_capacity, program->op_count + 1, sizeof(op));
	if (!ops)
		return scene_error_memory(&b->reader->errors);
	program->ops = ops;
	program->ops[program->op_count++] = op;
	return true;
}

static bool read_point(struct builder *b, const struct scene_node *node, const char *key,
		       float point[3])
{
	double read[3];
	if (!scene_node_get(node, key))
		return scene_value_missing(b->reader, node, key);
	if (!scene_value_vector(b->reader, node, key, -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE,
				read))
		return false;
	for (int i = 0; i < 3; i++)
		point[i] = (float)read[i];
	return true;
}

static bool read_radius(struct builder *b, const struct scene_node *node, float *radius)
{
	double read;
	if (!scene_node_get(node, "radius"))
		return scene_value_missing(b->reader, node, "radius");
	if (!scene_value_number(b->reader, node, "radius", 1e-6, SCENE_MAX_COORDINATE, &read))
		return false;
	*radius = (float)read;
	return true;
}

static bool are_equal(float a, float b)
{
	return !(a < b) && !(a > b);
}

/* ---- primitives ------------------------------------------------------------------------- */

static bool read_box(struct builder *b, const struct scene_node *node, struct scene_bounds *bounds)
{
	struct shape_op op = {.kind = SHAPE_BOX};
	if (!scene_keys_check(b->reader, node, SECTION_BOX))
		return false;
	const bool low = read_point(b, node, "min", op.a);
	const bool high = read_point(b, node, "max", op.a + 3);
	if (!low || !high || b->reader->dim == 0)
		return false;
	int flat = 0;
	for (int i = 0; i < b->reader->dim; i++) {
		if (op.a[i] > op.a[3 + i])
			return fail_shape(b, node, "has min above max");
		flat += are_equal(op.a[i], op.a[3 + i]);
	}
	if (flat > 0 && !b->plates)
		return fail_shape(b, node, "is empty: min must be below max along every axis");
	if (flat > 1)
		return fail_shape(b, node, "is empty: min may equal max along one axis only");
	for (int i = 0; i < 3; i++) {
		bounds->low[i] = (double)op.a[i];
		bounds->high[i] = (double)op.a[3 + i];
	}
	return append_op(b, node, op, 1);
}

static bool read_sphere(struct builder *b, const struct scene_node *node,
			struct scene_bounds *bounds)
{
	struct shape_op op = {.kind = SHAPE_SPHERE};
	if (!scene_keys_check(b->reader, node, SECTION_SPHERE))
		return false;
	const bool center = read_point(b, node, "center", op.a);
	const bool radius = read_radius(b, node, &op.a[3]);
	if (!center || !radius)
		return false;
	for (int i = 0; i < 3; i++) {
		bounds->low[i] = (double)op.a[i] - (double)op.a[3];
		bounds->high[i] = (double)op.a[i] + (double)op.a[3];
	}
	return append_op(b, node, op, 1);
}

static bool read_half_space(struct builder *b, const struct scene_node *node,
			    struct scene_bounds *bounds)
{
	struct shape_op op = {.kind = SHAPE_HALF_SPACE};
	double n[3];
	if (!scene_keys_check(b->reader, node, SECTION_HALF_SPACE))
		return false;
	const bool point = read_point(b, node, "point", op.a);
	const struct scene_node *normal = scene_node_get(node, "normal");
	if (!normal)
		return scene_value_missing(b->reader, node, "normal");
	if (!scene_vector_read(b->reader, normal, -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE, n) ||
	    !point)
		return false;
	const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
	if (square < 1e-12)
		return fail_shape(b, normal, "has no direction: its length must be at least 1e-6");
	const double length = fabs(square - 1) < UNIT_TOLERANCE ? 1 : sqrt(square);
	int along = -1, parts = 0;
	for (int i = 0; i < 3; i++) {
		op.a[3 + i] = (float)(n[i] / length);
		if (!are_equal(op.a[3 + i], 0)) {
			along = i;
			parts++;
		}
		bounds->low[i] = -HUGE_VAL;
		bounds->high[i] = HUGE_VAL;
	}
	if (parts == 1) {
		double *side = op.a[3 + along] > 0 ? bounds->high : bounds->low;
		side[along] = (double)op.a[along];
	}
	return append_op(b, node, op, 1);
}

/* Capsules and cylinders: two ends and a radius. */
static bool read_rod(struct builder *b, const struct scene_node *node, struct scene_bounds *bounds,
		     enum shape_kind kind)
{
	struct shape_op op = {.kind = (i32)kind};
	if (!scene_keys_check(b->reader, node, SECTION_ROD))
		return false;
	const bool start = read_point(b, node, "a", op.a);
	const bool end = read_point(b, node, "b", op.a + 3);
	const bool radius = read_radius(b, node, &op.a[6]);
	if (!start || !end || !radius)
		return false;
	double axis[3], square = 0;
	for (int i = 0; i < 3; i++) {
		axis[i] = (double)op.a[3 + i] - (double)op.a[i];
		square += axis[i] * axis[i];
	}
	if (kind == SHAPE_CYLINDER && square < 1e-12)
		return fail_shape(b, node, "has no axis: a and b must be at least 1e-6 apart");
	for (int i = 0; i < 3; i++) {
		/* A disc across the axis reaches r*sin(angle) along i, a ball r. */
		double reach = (double)op.a[6];
		if (kind == SHAPE_CYLINDER)
			reach *= sqrt(fmax(0, 1 - axis[i] * axis[i] / square));
		bounds->low[i] = fmin((double)op.a[i], (double)op.a[3 + i]) - reach;
		bounds->high[i] = fmax((double)op.a[i], (double)op.a[3 + i]) + reach;
	}
	return append_op(b, node, op, 1);
}

static bool read_capsule(struct builder *b, const struct scene_node *node,
			 struct scene_bounds *bounds)
{
	return read_rod(b, node, bounds, SHAPE_CAPSULE);
}

static bool read_cylinder(struct builder *b, const struct scene_node *node,
			  struct scene_bounds *bounds)
{
	return read_rod(b, node, bounds, SHAPE_CYLINDER);
}

static bool read_polygon(struct builder *b, const struct scene_node *node,
			 struct scene_bounds *bounds)
{
	struct shape_program *program = b->program;
	if (!scene_keys_check(b->reader, node, SECTION_POLYGON))
		return false;
	if (b->reader->dim == 3)
		return fail_shape(b, node, "is a shape of 2D scenes only");
	if (!scene_node_get(node, "points"))
		return scene_value_missing(b->reader, node, "points");
	const struct scene_node *points = scene_value_list(b->reader, node, "points");
	if (!points)
		return false;
	if (points->count < 3)
		return fail_shape(b, points, "needs at least 3 points");
	void *grown = scene_grow(program->points, &b->point_capacity,
				 2 * (program->point_count + points->count), sizeof(float));
	if (!grown)
		return scene_error_memory(&b->reader->errors);
	program->points = grown;
	const struct shape_op op = {.kind = SHAPE_POLYGON,
				    .first = (i32)program->point_count,
				    .count = (i32)points->count};
	*bounds = (struct scene_bounds){{HUGE_VAL, HUGE_VAL, 0}, {-HUGE_VAL, -HUGE_VAL, 0}};
	bool good = true;
	for (size_t i = 0; i < points->count; i++) {
		double at[2] = {0};
		good &= scene_numbers_read(b->reader, points->children[i], 2, "x and y",
					   -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE, at);
		for (int c = 0; c < 2; c++) {
			const float x = (float)at[c];
			program->points[2 * program->point_count + (size_t)c] = x;
			bounds->low[c] = fmin(bounds->low[c], (double)x);
			bounds->high[c] = fmax(bounds->high[c], (double)x);
		}
		program->point_count++;
	}
	return good && append_op(b, node, op, 1);
}

/* ---- combinations ----------------------------------------------------------------------- */

static void combine_bounds(struct scene_bounds *bounds, const struct scene_bounds *other,
			   enum shape_kind kind)
{
	for (int i = 0; i < 3; i++) {
		if (kind == SHAPE_UNION) {
			bounds->low[i] = fmin(bounds->low[i], other->low[i]);
			bounds->high[i] = fmax(bounds->high[i], other->high[i]);
		} else if (kind == SHAPE_INTERSECTION) {
			bounds->low[i] = fmax(bounds->low[i], other->low[i]);
			bounds->high[i] = fmin(bounds->high[i], other->high[i]);
		}
	}
}

/* a, b, c, ... from left to right: ((a b) c) ... */
static bool read_combination(struct builder *b, const struct scene_node *node,
			     struct scene_bounds *bounds, enum shape_kind kind)
{
	if (node->kind != SCENE_LIST || node->count == 0)
		return fail_shape(b, node, "must be a list of shapes");
	bool good = true;
	for (size_t i = 0; i < node->count; i++) {
		struct scene_bounds other;
		const struct scene_node *child = node->children[i];
		const bool read = scene_keys_check(b->reader, child, SECTION_SHAPE) &&
				  read_shape(b, child, i == 0 ? bounds : &other);
		good &= read;
		if (!good || i == 0)
			continue;
		combine_bounds(bounds, &other, kind);
		good = append_op(b, child, (struct shape_op){.kind = (i32)kind}, -1);
	}
	return good;
}

static bool read_union(struct builder *b, const struct scene_node *node,
		       struct scene_bounds *bounds)
{
	return read_combination(b, node, bounds, SHAPE_UNION);
}

static bool read_intersection(struct builder *b, const struct scene_node *node,
			      struct scene_bounds *bounds)
{
	return read_combination(b, node, bounds, SHAPE_INTERSECTION);
}

static bool read_difference(struct builder *b, const struct scene_node *node,
			    struct scene_bounds *bounds)
{
	return read_combination(b, node, bounds, SHAPE_DIFFERENCE);
}

static const struct primitive primitives[] = {
	{"box", read_box},
	{"sphere", read_sphere},
	{"capsule", read_capsule},
	{"half_space", read_half_space},
	{"cylinder", read_cylinder},
	{"polygon", read_polygon},
	{"union", read_union},
	{"intersection", read_intersection},
	{"difference", read_difference},
};

static bool invert_shape(struct builder *b, const struct scene_node *mapping,
			 struct scene_bounds *bounds)
{
	const struct shape_op *last = &b->program->ops[b->program->op_count - 1];
	const bool half = last->kind == SHAPE_HALF_SPACE;
	for (int i = 0; i < 3; i++) {
		/* The other side of an axis-aligned plane is bounded by the same plane. */
		const double low = bounds->low[i], high = bounds->high[i];
		bounds->low[i] = half && isfinite(high) ? high : -HUGE_VAL;
		bounds->high[i] = half && isfinite(low) ? low : HUGE_VAL;
	}
	return append_op(b, mapping, (struct shape_op){.kind = SHAPE_INVERT}, 0);
}

static bool read_shape(struct builder *b, const struct scene_node *mapping,
		       struct scene_bounds *bounds)
{
	const struct scene_node *shape = NULL;
	const struct primitive *primitive = NULL;
	for (size_t i = 0; i < sizeof(primitives) / sizeof(*primitives); i++) {
		const struct scene_node *node = scene_node_get(mapping, primitives[i].name);
		if (node && shape) {
			scene_key_error(
				&b->reader->errors, node,
				"a second shape, '%s' beside '%s': combine them with union, "
				"intersection or difference",
				node->key, shape->key);
			return false;
		}
		if (node) {
			shape = node;
			primitive = &primitives[i];
		}
	}
	bool inverted = false;
	const bool invert_given = scene_node_get(mapping, "invert") != NULL;
	const bool invert_good = scene_value_bool(b->reader, mapping, "invert", &inverted);
	if (!shape) {
		if (scene_node_get(mapping, "mesh"))
			return false; /* refused with the keys */
		return fail_shape(
			b, mapping,
			"has no shape (box, sphere, half_space, capsule, cylinder, polygon, "
			"union, intersection or difference)");
	}
	if (!primitive->read(b, shape, bounds) || (invert_given && !invert_good))
		return false;
	return !inverted || invert_shape(b, mapping, bounds);
}

bool scene_shape_read(struct scene_reader *reader, const struct scene_node *mapping, bool plates,
		      struct shape_program *program, struct scene_bounds *bounds)
{
	struct builder b = {.reader = reader, .program = program, .plates = plates};
	return read_shape(&b, mapping, bounds);
}

void scene_shape_free(struct shape_program *program)
{
	free(program->ops);
	free(program->points);
	*program = (struct shape_program){0};
}
