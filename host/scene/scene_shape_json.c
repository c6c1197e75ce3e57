/* Shape programs written out as the nested shapes they came from. */
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "scene_shape.h"

static void write_point(struct json_writer *json, const char *key, const float *value, int count)
{
	char text[4 * NUMBER_TEXT] = "[", number[NUMBER_TEXT];
	for (int i = 0; i < count; i++) {
		strcat(text, i > 0 ? ", " : "");
		strcat(text, number_from_float((double)value[i], number));
	}
	strcat(text, "]");
	json_raw(json, key, text);
}

static void write_radius(struct json_writer *json, float radius)
{
	char number[NUMBER_TEXT];
	json_raw(json, "radius", number_from_float((double)radius, number));
}

static void write_primitive(struct json_writer *json, const struct shape_program *program,
			    const struct shape_op *op, int dim)
{
	static const char *const names[] = {
		[SHAPE_BOX] = "box",	     [SHAPE_SPHERE] = "sphere",
		[SHAPE_CAPSULE] = "capsule", [SHAPE_HALF_SPACE] = "half_space",
		[SHAPE_POLYGON] = "polygon", [SHAPE_CYLINDER] = "cylinder",
	};
	json_begin_object(json, names[op->kind]);
	switch (op->kind) {
	case SHAPE_BOX:
		write_point(json, "min", op->a, dim);
		write_point(json, "max", op->a + 3, dim);
		break;
	case SHAPE_SPHERE:
		write_point(json, "center", op->a, dim);
		write_radius(json, op->a[3]);
		break;
	case SHAPE_HALF_SPACE:
		write_point(json, "point", op->a, dim);
		write_point(json, "normal", op->a + 3, dim);
		break;
	case SHAPE_POLYGON:
		json_begin_array(json, "points");
		for (i32 i = 0; i < op->count; i++)
			write_point(json, NULL, program->points + 2 * (size_t)(op->first + i), 2);
		json_end_array(json);
		break;
	default: /* capsule, cylinder */
		write_point(json, "a", op->a, dim);
		write_point(json, "b", op->a + 3, dim);
		write_radius(json, op->a[6]);
		break;
	}
	json_end_object(json);
}

static bool is_primitive(const struct shape_op *op)
{
	return op->kind <= SHAPE_POLYGON;
}

static bool is_pair(const struct shape_op *op)
{
	return op->kind >= SHAPE_UNION && op->kind <= SHAPE_DIFFERENCE;
}

/* Index of the first instruction of the expression whose last one is `last`. */
static size_t first_of(const struct shape_program *program, size_t last)
{
	size_t wanted = 1;
	for (;; last--) {
		if (is_primitive(&program->ops[last]))
			wanted--;
		else if (is_pair(&program->ops[last]))
			wanted++;
		if (wanted == 0)
			return last;
	}
}

static bool write_members(struct json_writer *json, const struct shape_program *program,
			  size_t last, int dim);

static bool write_object(struct json_writer *json, const struct shape_program *program, size_t last,
			 int dim)
{
	json_begin_object(json, NULL);
	const bool good = write_members(json, program, last, dim);
	json_end_object(json);
	return good;
}

/* ((a b) c) of one kind is the list a, b, c that it was read from. */
static bool write_combination(struct json_writer *json, const struct shape_program *program,
			      size_t last, int dim)
{
	static const char *const names[] = {[SHAPE_UNION] = "union",
					    [SHAPE_INTERSECTION] = "intersection",
					    [SHAPE_DIFFERENCE] = "difference"};
	const i32 kind = program->ops[last].kind;
	size_t *ends = malloc((last + 1) * sizeof(*ends)); /* last instructions of the operands */
	if (!ends)
		return false;
	size_t count = 0;
	while (program->ops[last].kind == kind) {
		ends[count++] = last - 1;
		last = first_of(program, last - 1) - 1;
	}
	ends[count++] = last;
	bool good = true;
	json_begin_array(json, names[kind]);
	while (count > 0)
		good &= write_object(json, program, ends[--count], dim);
	json_end_array(json);
	free(ends);
	return good;
}

static bool write_members(struct json_writer *json, const struct shape_program *program,
			  size_t last, int dim)
{
	const struct shape_op *op = &program->ops[last];
	if (is_primitive(op)) {
		write_primitive(json, program, op, dim);
		return true;
	}
	if (is_pair(op))
		return write_combination(json, program, last, dim);
	bool good = true;
	if (program->ops[last - 1].kind == SHAPE_INVERT) {
		/* A mapping has one `invert`; a second one goes around a list of one. */
		json_begin_array(json, "union");
		good = write_object(json, program, last - 1, dim);
		json_end_array(json);
	} else {
		good = write_members(json, program, last - 1, dim);
	}
	json_boolean(json, "invert", true);
	return good;
}

bool scene_shape_write(struct json_writer *json, const struct shape_program *program, int dim)
{
	return write_members(json, program, program->op_count - 1, dim);
}
