/* Shapes of a scene, read from the document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"
#include "shape_kinds.h"

static bool read_shape(struct shape_builder *b, const struct scene_node *mapping,
		       struct scene_bounds *bounds);

/* Appends an instruction that changes the stack's height by `push`. */
static bool append_op(struct shape_builder *b, const struct scene_node *node, struct shape_op op,
		      int push)
{
	struct shape_program *program = b->program;
	b->depth += push;
	if (b->depth > SHAPE_STACK)
		return shape_fail(b, node, "is combined too deeply (at most 16 shapes may wait)");
	void *ops = scene_grow(program->ops, &b->op_capacity, program->op_count + 1, sizeof(op));
	if (!ops)
		return scene_error_memory(&b->reader->errors);
	program->ops = ops;
	program->ops[program->op_count++] = op;
	return true;
}

static bool read_primitive(struct shape_builder *b, const struct scene_node *node,
			   enum shape_kind kind, struct scene_bounds *bounds)
{
	const struct shape_primitive *primitive = shape_primitives[kind];
	struct shape_op op = {.kind = (i32)kind};
	if (!scene_keys_check(b->reader, node,
			      (enum scene_section)(SECTION_PRIMITIVES + (int)kind)) ||
	    !primitive->read(b, node, &op))
		return false;
	primitive->bound(b->program, &op, bounds);
	return append_op(b, node, op, 1);
}

/* a, b, c, ... from left to right: ((a b) c) ... */
static bool read_pairs(struct shape_builder *b, const struct scene_node *node, enum shape_kind kind,
		       struct scene_bounds *bounds)
{
	if (node->kind != SCENE_LIST || node->count == 0)
		return shape_fail(b, node, "must be a list of shapes");
	if (!scene_list_is_whole(b->reader, node))
		return false;
	bool good = true;
	for (size_t i = 0; i < node->count; i++) {
		struct scene_bounds other;
		const struct scene_node *child = node->children[i];
		const bool read = scene_keys_check(b->reader, child, SECTION_SHAPE) &&
				  read_shape(b, child, i == 0 ? bounds : &other);
		good &= read;
		if (!good || i == 0)
			continue;
		shape_pairs[kind - SHAPE_PRIMITIVE_KINDS]->bound(bounds, &other);
		good = append_op(b, child, (struct shape_op){.kind = (i32)kind}, -1);
	}
	return good;
}

static bool invert_shape(struct shape_builder *b, const struct scene_node *mapping,
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

/* "has no shape (box, ... or difference)" */
static bool fail_none(struct shape_builder *b, const struct scene_node *mapping)
{
	const int kinds = SHAPE_PRIMITIVE_KINDS + SHAPE_PAIR_KINDS;
	/* names have at most 27 letters */
	char text[32 * (SHAPE_PRIMITIVE_KINDS + SHAPE_PAIR_KINDS)] = "has no shape (";
	for (int kind = 0; kind < kinds; kind++) {
		strcat(text, kind == 0 ? "" : kind == kinds - 1 ? " or " : ", ");
		strcat(text, shape_names[kind]);
	}
	strcat(text, ")");
	return shape_fail(b, mapping, text);
}

bool scene_shape_given(const struct scene_node *mapping)
{
	for (int kind = 0; kind < SHAPE_PRIMITIVE_KINDS + SHAPE_PAIR_KINDS; kind++)
		if (mapping->kind == SCENE_MAPPING && scene_node_get(mapping, shape_names[kind]))
			return true;
	return false;
}

/* The one shape of a mapping, NULL without one.  False after reporting a second one. */
static bool find_shape(struct shape_builder *b, const struct scene_node *mapping,
		       const struct scene_node **shape, enum shape_kind *found)
{
	*shape = NULL;
	for (int kind = 0; kind < SHAPE_PRIMITIVE_KINDS + SHAPE_PAIR_KINDS; kind++) {
		const struct scene_node *node = scene_node_get(mapping, shape_names[kind]);
		if (node && *shape) {
			scene_key_error(
				&b->reader->errors, node,
				"a second shape, '%s' beside '%s': combine them with union, "
				"intersection or difference",
				node->key, (*shape)->key);
			return false;
		}
		if (node) {
			*shape = node;
			*found = (enum shape_kind)kind;
		}
	}
	return true;
}

static bool read_shape(struct shape_builder *b, const struct scene_node *mapping,
		       struct scene_bounds *bounds)
{
	const struct scene_node *shape;
	enum shape_kind kind = SHAPE_INVERT;
	if (!find_shape(b, mapping, &shape, &kind))
		return false;
	bool inverted = false;
	const bool invert_given = scene_node_get(mapping, "invert") != NULL;
	const bool invert_good = scene_value_bool(b->reader, mapping, "invert", &inverted);
	if (!shape)
		return fail_none(b, mapping);
	const bool read = shape_operands((i32)kind) == 0 ? read_primitive(b, shape, kind, bounds)
							 : read_pairs(b, shape, kind, bounds);
	if (!read || (invert_given && !invert_good))
		return false;
	return !inverted || invert_shape(b, mapping, bounds);
}

bool scene_shape_read(struct scene_reader *reader, const struct scene_node *mapping, bool plates,
		      struct shape_program *program, struct scene_bounds *bounds)
{
	struct shape_builder b = {.reader = reader, .program = program, .plates = plates};
	return read_shape(&b, mapping, bounds);
}

void scene_shape_free(struct shape_program *program)
{
	shape_program_finish(program);
}
