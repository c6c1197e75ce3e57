/* How a solid moves: `motion` and what goes with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"

#define MOST_SPEED 1e4 /* m/s, rad/s */

/* A number is a turn about `axis`, three are a rotation vector. */
static void read_rotate(struct scene_reader *reader, const struct scene_node *entry,
			const double axis[3], double turn[3])
{
	const struct scene_key *key = scene_key(SECTION_SOLID_KEY, "rotate");
	const struct scene_node *node = scene_node_get(entry, "rotate");
	if (node && node->kind == SCENE_LIST && reader->dim == 3) {
		scene_vector_read(reader, node, key->low, key->high, turn);
		return;
	}
	double angle = 0.0;
	scene_key_number(reader, entry, SECTION_SOLID_KEY, "rotate", &angle);
	for (int a = 0; a < 3; a++)
		turn[a] = angle * axis[a];
}

static void read_key(struct scene_reader *reader, const struct scene_node *entry, size_t n,
		     struct solid_motion *motion)
{
	struct motion_key *key = &motion->keys[n];
	char path[SCENE_NODE_PATH];
	if (!scene_keys_check(reader, entry, SECTION_SOLID_KEY))
		return;
	if (!scene_node_get(entry, "time"))
		scene_value_missing(reader, entry, "time");
	else if (scene_key_read(reader, entry, SECTION_SOLID_KEY, "time", key) && n > 0 &&
		 !(key->time > key[-1].time))
		scene_node_error(&reader->errors, scene_node_get(entry, "time"),
				 "the times of '%s' must increase: %.10g does not follow %.10g",
				 scene_node_path(entry->parent, path), key->time, key[-1].time);
	scene_key_vector(reader, entry, SECTION_SOLID_KEY, "translate", key->value + SOLID_SHIFT);
	read_rotate(reader, entry, motion->axis, key->value + SOLID_TURN);
}

/* Places far apart within no time would be no motion. */
static void check_rates(struct scene_reader *reader, const struct scene_node *entry,
			const struct motion_key *key)
{
	char path[SCENE_NODE_PATH];
	const double time = key->time - key[-1].time;
	double most = 0.0;
	for (int c = 0; c < MOTION_CHANNELS; c++)
		most = fmax(most, fabs(key->value[c] - key[-1].value[c]));
	if (most > MOST_SPEED * time)
		scene_node_error(&reader->errors, entry,
				 "'%s' comes %.10g s after the entry before it, too soon for how "
				 "far it is from there: at most %g m/s and rad/s",
				 scene_node_path(entry, path), time, MOST_SPEED);
}

/* Of the shape's bounding box, where that is finite; else of the domain. */
static void find_middle(const struct scene *scene, const struct scene_solid *solid,
			double middle[3])
{
	for (int a = 0; a < scene->dim; a++) {
		const double sum = solid->low[a] + solid->high[a];
		middle[a] = 0.5 * (isfinite(sum) ? sum : scene->size[a]);
	}
}

static void read_axis(struct scene_reader *reader, const struct scene_node *solid, double axis[3])
{
	const struct scene_key *key = scene_key(SECTION_SOLIDS, "axis");
	const struct scene_node *node = scene_node_get(solid, "axis");
	char path[SCENE_NODE_PATH];
	double given[3] = {0, 0, 1}, square = 0.0;
	memcpy(axis, key->initial_vector, 3 * sizeof(*axis));
	if (!node)
		return;
	if (reader->dim == 2) {
		scene_key_error(&reader->errors, node,
				"'%s.axis' has no meaning in a 2D scene, where solids turn in its "
				"plane",
				scene_node_path(solid, path));
		return;
	}
	if (!scene_vector_read(reader, node, key->low, key->high, given))
		return;
	for (int a = 0; a < 3; a++)
		square += given[a] * given[a];
	if (!(sqrt(square) > 1e-9)) {
		scene_node_error(&reader->errors, node, "'%s' must be longer than 1e-9",
				 scene_node_path(node, path));
		return;
	}
	for (int a = 0; a < 3; a++)
		axis[a] = given[a] / sqrt(square);
}

/* What says how it moves needs a motion. */
static void refuse_rest(struct scene_reader *reader, const struct scene_node *solid, bool body)
{
	static const char *const keys[] = {"interpolation", "center", "axis"};
	char path[SCENE_NODE_PATH];
	for (int k = 0; k < 3; k++) {
		const struct scene_node *node = body && strcmp(keys[k], "center") == 0
							? NULL
							: scene_node_get(solid, keys[k]);
		if (node)
			scene_key_error(&reader->errors, node,
					"'%s' has no meaning without '%s.motion'", keys[k],
					scene_node_path(solid, path));
	}
}

void scene_read_solid_motion(struct scene_reader *reader, const struct scene_node *node,
			     struct scene_solid *solid)
{
	struct solid_motion *motion = &solid->motion;
	char path[SCENE_NODE_PATH];
	if (!scene_node_get(node, "motion")) {
		refuse_rest(reader, node, solid->body.given);
		return;
	}
	const struct scene_node *list = scene_value_list(reader, node, "motion");
	const int errors = reader->errors.count;
	int interpolation = 0;
	if (!list)
		return;
	if (list->count == 0) {
		scene_node_error(&reader->errors, list,
				 "'%s' is empty (it needs an entry with a time)",
				 scene_node_path(list, path));
		return;
	}
	scene_key_word(reader, node, SECTION_SOLIDS, "interpolation", &interpolation);
	motion->spline = interpolation == 1;
	if (!solid->body.given) {
		find_middle(reader->scene, solid, motion->center);
		scene_key_vector(reader, node, SECTION_SOLIDS, "center", motion->center);
	}
	read_axis(reader, node, motion->axis);
	motion->keys = calloc(list->count, sizeof(*motion->keys));
	if (!motion->keys) {
		scene_error_memory(&reader->errors);
		return;
	}
	motion->key_count = list->count;
	for (size_t n = 0; n < list->count; n++)
		read_key(reader, list->children[n], n, motion);
	for (size_t n = 1; n < list->count && reader->errors.count == errors; n++)
		check_rates(reader, list->children[n], &motion->keys[n]);
	if (reader->errors.count == errors && solid->shape.op_count > 0 &&
	    (!solid_motion_prepare(motion) ||
	     (!solid->body.given && !solid_motion_wrap(&solid->shape, motion))))
		scene_error_memory(&reader->errors);
}

bool scene_solid_moves(const struct scene_solid *solid)
{
	return solid->motion.key_count > 0 || solid->body.given;
}
