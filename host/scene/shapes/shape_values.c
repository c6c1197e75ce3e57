/* Points and radii of shapes, read and written. */
#include <math.h>
#include <string.h>

#include "number.h"
#include "shape_kinds.h"

bool shape_fail(struct shape_builder *b, const struct scene_node *node, const char *text)
{
	char path[SCENE_NODE_PATH];
	scene_node_error(&b->reader->errors, node, "'%s' %s", scene_node_path(node, path), text);
	return false;
}

bool shape_read_point(struct shape_builder *b, const struct scene_node *node, const char *key,
		      float point[3])
{
	double read[3] = {NO_DEFAULT, NO_DEFAULT, NO_DEFAULT};
	if (!scene_node_get(node, key))
		return scene_value_missing(b->reader, node, key);
	if (!scene_value_vector(b->reader, node, key, -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE,
				read))
		return false;
	for (int i = 0; i < 3; i++)
		point[i] = (float)read[i];
	return true;
}

bool shape_read_radius(struct shape_builder *b, const struct scene_node *node, float *radius)
{
	double read;
	if (!scene_node_get(node, "radius"))
		return scene_value_missing(b->reader, node, "radius");
	if (!scene_value_number(b->reader, node, "radius", SHAPE_LEAST_RADIUS, SCENE_MAX_COORDINATE,
				&read))
		return false;
	*radius = (float)read;
	return true;
}

void shape_write_point(struct json_writer *json, const char *key, const float *value, int count)
{
	char text[4 * NUMBER_TEXT] = "[", number[NUMBER_TEXT];
	for (int i = 0; i < count; i++) {
		strcat(text, i > 0 ? ", " : "");
		strcat(text, number_from_float((double)value[i], number));
	}
	strcat(text, "]");
	json_raw(json, key, text);
}

void shape_write_radius(struct json_writer *json, float radius)
{
	char number[NUMBER_TEXT];
	json_raw(json, "radius", number_from_float((double)radius, number));
}

bool shape_are_equal(float a, float b)
{
	return !(a < b) && !(a > b);
}

double shape_thickness_unknown(const struct shape_op *op, int dim)
{
	(void)op;
	(void)dim;
	return HUGE_VAL;
}
