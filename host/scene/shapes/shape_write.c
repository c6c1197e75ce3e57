/* Shape programs written out as the nested shapes they came from. */
#include <stdlib.h>

#include "shape.h"
#include "shape_kinds.h"

static void write_primitive(struct json_writer *json, const struct shape_program *program,
			    const struct shape_op *op, int dim)
{
	json_begin_object(json, shape_names[op->kind]);
	shape_primitives[op->kind]->write(json, program, op, dim);
	json_end_object(json);
}

/* Index of the first instruction of the expression whose last one is `last`. */
static size_t first_of(const struct shape_program *program, size_t last)
{
	size_t wanted = 1;
	for (;; last--) {
		const size_t operands = (size_t)shape_operands(program->ops[last].kind);
		wanted = wanted + operands - 1; /* each gives one value */
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
	json_begin_array(json, shape_names[kind]);
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
	if (shape_operands(op->kind) == 0) {
		write_primitive(json, program, op, dim);
		return true;
	}
	if (shape_operands(op->kind) == 2)
		return write_combination(json, program, last, dim);
	bool good = true;
	if (program->ops[last - 1].kind == SHAPE_INVERT) {
		/* A mapping has one `invert`; a second one goes around a list of one. */
		json_begin_array(json, shape_names[SHAPE_UNION]);
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
	/* A motion is told beside the shape. */
	const struct shape_program told = shape_program_told(program);
	return write_members(json, &told, told.op_count - 1, dim);
}
