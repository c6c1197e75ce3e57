#include <math.h>
#include <stdio.h>

#include "polygon_check.h"
#include "shape_kinds.h"

static const struct scene_key keys[] = {
	OWN("points", "list of points", COORDINATES, .unit = "m", .otherwise = "required"),
	END_OF_KEYS};

static bool is_outline(struct shape_builder *b, const struct scene_node *points,
		       const float *values)
{
	char text[200];
	size_t edges[2], count = points->count;
	switch (polygon_check(values, count, edges)) {
	case POLYGON_SOUND:
		return true;
	case POLYGON_NO_MEMORY:
		return scene_error_memory(&b->reader->errors);
	case POLYGON_FLAT:
		return shape_fail(b, points, "has no area: all its points lie on a line");
	case POLYGON_CROSSES:
		break;
	}
	snprintf(text, sizeof(text),
		 "crosses itself: the edge from point %zu to %zu and that from %zu to %zu (from 0)",
		 edges[0], (edges[0] + 1) % count, edges[1], (edges[1] + 1) % count);
	return shape_fail(b, points, text);
}

static bool read_polygon(struct shape_builder *b, const struct scene_node *node,
			 struct shape_op *op)
{
	struct shape_program *program = b->program;
	if (b->reader->dim == 3)
		return shape_fail(b, node, "is a shape of 2D scenes only");
	if (!scene_node_get(node, "points"))
		return scene_value_missing(b->reader, node, "points");
	const struct scene_node *points = scene_value_list(b->reader, node, "points");
	if (!points)
		return false;
	if (points->count < 3)
		return shape_fail(b, points, "needs at least 3 points");
	void *grown = scene_grow(program->points, &b->point_capacity,
				 2 * (program->point_count + points->count), sizeof(float));
	if (!grown)
		return scene_error_memory(&b->reader->errors);
	program->points = grown;
	op->first = (i32)program->point_count;
	op->count = (i32)points->count;
	bool good = true;
	for (size_t i = 0; i < points->count; i++) {
		double at[2] = {NO_DEFAULT, NO_DEFAULT};
		good &= scene_numbers_read(b->reader, points->children[i], 2, "x and y",
					   -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE, at);
		for (size_t c = 0; c < 2; c++)
			program->points[2 * program->point_count + c] = (float)at[c];
		program->point_count++;
	}
	return good && is_outline(b, points, program->points + 2 * (size_t)op->first);
}

static void write_polygon(struct json_writer *json, const struct shape_program *program,
			  const struct shape_op *op, int dim)
{
	(void)dim;
	json_begin_array(json, "points");
	for (i32 i = 0; i < op->count; i++)
		shape_write_point(json, NULL, program->points + 2 * (size_t)(op->first + i), 2);
	json_end_array(json);
}

static void bound_polygon(const struct shape_program *program, const struct shape_op *op,
			  struct scene_bounds *bounds)
{
	*bounds = (struct scene_bounds){{HUGE_VAL, HUGE_VAL, 0}, {-HUGE_VAL, -HUGE_VAL, 0}};
	for (i32 i = 0; i < op->count; i++) {
		const float *point = program->points + 2 * (size_t)(op->first + i);
		for (int c = 0; c < 2; c++) {
			bounds->low[c] = fmin(bounds->low[c], (double)point[c]);
			bounds->high[c] = fmax(bounds->high[c], (double)point[c]);
		}
	}
}

const struct shape_primitive shape_primitive_polygon = {
	.read = read_polygon,
	.write = write_polygon,
	.bound = bound_polygon,
	.thickness = shape_thickness_unknown,
};

const struct scene_section_keys shape_section_polygon = {
	"in 'polygon'", keys, 0, PLACE_TYPE,
	"2D only; at least 3 points, of a line that may touch but not cross itself"};
