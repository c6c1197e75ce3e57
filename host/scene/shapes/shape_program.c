#include "shape_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "shape.h"
#include "shape_kinds.h"

bool shape_program_append(struct shape_program *program, const struct shape_program *other,
			  bool unite)
{
	size_t op_count = program->op_count + other->op_count;
	size_t point_count = program->point_count + other->point_count;
	bool joined = unite && program->op_count > 0;
	struct shape_op *ops = malloc((op_count + 1) * sizeof(*ops));
	float *points = malloc((point_count + 1) * 2 * sizeof(*points));
	if (!ops || !points) {
		free(ops);
		free(points);
		return message_error("out of memory for a shape of %zu parts", op_count);
	}
	if (program->op_count > 0)
		memcpy(ops, program->ops, program->op_count * sizeof(*ops));
	if (other->op_count > 0)
		memcpy(ops + program->op_count, other->ops, other->op_count * sizeof(*ops));
	if (program->point_count > 0)
		memcpy(points, program->points, program->point_count * 2 * sizeof(*points));
	if (other->point_count > 0)
		memcpy(points + 2 * program->point_count, other->points,
		       other->point_count * 2 * sizeof(*points));
	for (size_t i = program->op_count; i < op_count; i++)
		if (ops[i].count > 0)
			ops[i].first += (i32)program->point_count;
	if (joined)
		ops[op_count++] = (struct shape_op){.kind = SHAPE_UNION};
	shape_program_finish(program);
	*program = (struct shape_program){ops, op_count, points, point_count, NULL, 0};
	return true;
}

void shape_program_finish(struct shape_program *program)
{
	free(program->ops);
	free(program->points);
	for (size_t m = 0; m < program->mesh_count; m++)
		mesh_shape_free(&program->meshes[m]);
	free(program->meshes);
	*program = (struct shape_program){0};
}

struct shape_program shape_program_told(const struct shape_program *program)
{
	struct shape_program told = *program;
	if (told.op_count > 0 && told.ops[told.op_count - 1].kind == SHAPE_PLACED) {
		told.ops++;
		told.op_count -= 2;
	}
	return told;
}

double shape_program_thickness(const struct shape_program *program, int dim)
{
	double thickness = HUGE_VAL;
	for (size_t i = 0; i < program->op_count; i++) {
		const struct shape_op *op = &program->ops[i];
		const int operands = shape_operands(op->kind);
		if (op->kind == SHAPE_PLACE || op->kind == SHAPE_PLACED)
			continue;
		if (operands == 0)
			thickness = fmin(thickness, shape_primitives[op->kind]->thickness(op, dim));
		else if (operands == 1 ||
			 !shape_pairs[op->kind - SHAPE_PRIMITIVE_KINDS]->keeps_thickness)
			return HUGE_VAL;
	}
	return thickness;
}
