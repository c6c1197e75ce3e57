/* How the box moves: `frame`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "box_motion.h"
#include "keys/scene_key_values.h"
#include "scene_parts.h"

#define MAX_SPIN_CHANGE 1e8  /* rad/s^2 */
#define MAX_SPEED_CHANGE 1e9 /* m/s^2 */

/* ---- keys --------------------------------------------------------------------------------- */

/* How fast the box may turn, rad/s, and move, m/s: as entries may tell. */
static double most_spin(void)
{
	return scene_key(SECTION_MOTION_KEY, "angular_velocity")->high;
}

static double most_speed(void)
{
	return scene_key(SECTION_MOTION_KEY, "velocity")->high;
}

/* A key tells a place or its rate, and all keys the same. */
static enum scene_motion_keys kind_of_entry(struct scene_reader *reader,
					    const struct scene_node *node, const char *place,
					    const char *rate)
{
	char path[SCENE_NODE_PATH];
	const struct scene_node *both = scene_node_get(node, rate);
	if (!scene_node_get(node, place))
		return both ? MOTION_KEYS_RATE : MOTION_KEYS_NONE;
	if (both)
		scene_key_error(&reader->errors, both,
				"'%s' has '%s' already: give one of them, '%s' follows from it",
				scene_node_path(node, path), place, rate);
	return MOTION_KEYS_PLACE;
}

static void check_kind(struct scene_reader *reader, const struct scene_node *node,
		       enum scene_motion_keys kind, enum scene_motion_keys first, const char *place,
		       const char *rate)
{
	char path[SCENE_NODE_PATH];
	scene_node_path(node, path);
	if (kind == first)
		return;
	if (first == MOTION_KEYS_NONE)
		scene_node_error(&reader->errors, node,
				 "'%s' must have neither '%s' nor '%s', like the first entry", path,
				 place, rate);
	else
		scene_node_error(&reader->errors, node, "'%s' must have '%s', like the first entry",
				 path, first == MOTION_KEYS_PLACE ? place : rate);
}

static void read_key(struct scene_reader *reader, const struct scene_node *node, size_t n)
{
	struct scene_motion *motion = &reader->scene->motion;
	struct motion_key *key = &motion->keys[n];
	if (!scene_keys_check(reader, node, SECTION_MOTION_KEY))
		return;
	if (!scene_node_get(node, "time"))
		scene_value_missing(reader, node, "time");
	else if (scene_key_read(reader, node, SECTION_MOTION_KEY, "time", key) && n > 0 &&
		 !(key->time > key[-1].time))
		scene_node_error(&reader->errors, scene_node_get(node, "time"),
				 "the times of 'frame.motion' must increase: %.10g does not follow "
				 "%.10g",
				 key->time, key[-1].time);
	const enum scene_motion_keys turn =
		kind_of_entry(reader, node, "angle", "angular_velocity");
	const enum scene_motion_keys shift = kind_of_entry(reader, node, "position", "velocity");
	if (n == 0) {
		motion->turn_keys = turn;
		motion->shift_keys = shift;
		if (!turn && !shift)
			scene_node_error(&reader->errors, node,
					 "'frame.motion.0' says nothing but a time (it needs "
					 "'angle' or 'angular_velocity', 'position' or "
					 "'velocity')");
	}
	check_kind(reader, node, turn, motion->turn_keys, "angle", "angular_velocity");
	check_kind(reader, node, shift, motion->shift_keys, "position", "velocity");
	scene_key_number(reader, node, SECTION_MOTION_KEY, "angle", &key->value[0]);
	scene_key_number(reader, node, SECTION_MOTION_KEY, "angular_velocity", &key->value[0]);
	scene_key_vector(reader, node, SECTION_MOTION_KEY, "position", &key->value[1]);
	scene_key_vector(reader, node, SECTION_MOTION_KEY, "velocity", &key->value[1]);
}

/* Places far apart within no time would be forces that are not finite. */
static void check_rates(struct scene_reader *reader, const struct scene_node *node, size_t n)
{
	const struct scene_motion *motion = &reader->scene->motion;
	const struct motion_key *key = &motion->keys[n];
	const double time = key->time - key[-1].time;
	double turn = fabs(key->value[0] - key[-1].value[0]), shift = 0.0;
	for (int a = 1; a < 4; a++)
		shift = fmax(shift, fabs(key->value[a] - key[-1].value[a]));
	/* of rates: how fast they change */
	const double most_turn =
		motion->turn_keys == MOTION_KEYS_PLACE ? most_spin() : MAX_SPIN_CHANGE;
	const double most_shift =
		motion->shift_keys == MOTION_KEYS_PLACE ? most_speed() : MAX_SPEED_CHANGE;
	const bool turns = turn > most_turn * time;
	if (!turns && !(shift > most_shift * time))
		return;
	scene_node_error(
		&reader->errors, node,
		"'frame.motion.%zu' comes %.10g s after the entry before it, too soon for how "
		"far it %s: at most %g %s",
		n, time, turns ? "turns" : "moves", turns ? most_turn : most_shift,
		turns ? motion->turn_keys == MOTION_KEYS_PLACE ? "rad/s" : "rad/s^2"
		: motion->shift_keys == MOTION_KEYS_PLACE ? "m/s"
							  : "m/s^2");
}

static void read_motion(struct scene_reader *reader, const struct scene_node *section)
{
	struct scene_motion *motion = &reader->scene->motion;
	const struct scene_node *list = scene_value_list(reader, section, "motion");
	if (!list)
		return;
	if (list->count == 0) {
		scene_node_error(&reader->errors, list,
				 "'frame.motion' is empty (it needs an entry with a time)");
		return;
	}
	motion->keys = calloc(list->count, sizeof(*motion->keys));
	if (!motion->keys) {
		scene_error_memory(&reader->errors);
		return;
	}
	motion->key_count = list->count;
	const int errors = reader->errors.count;
	for (size_t n = 0; n < list->count; n++)
		read_key(reader, list->children[n], n);
	for (size_t n = 1; n < list->count && reader->errors.count == errors; n++)
		check_rates(reader, list->children[n], n);
	if (reader->errors.count == errors && !box_motion_prepare(motion))
		scene_error_memory(&reader->errors);
}

/* ---- the rest ----------------------------------------------------------------------------- */

/*
 * Bounds of A s(t / ramp) sin(w t + phase) as of a motion's keys.  s' is at most 15/8, s''
 * 10/sqrt(3); while they act the sine is at most |sin phase| + w ramp, or 1.  What starts at rest
 * and does not swing stays where it is.
 */
static void check_oscillation(struct scene_reader *reader, const struct scene_node *node,
			      bool turns, const struct scene_oscillation *o)
{
	char path[SCENE_NODE_PATH];
	double most = 0.0, s1 = 0.0, s2 = 0.0;
	const double w = TWO_PI * o->frequency;
	for (int a = 0; a < 3; a++)
		most = fmax(most, fabs(o->amplitude[a]));
	const double sine = fmin(fabs(sin(o->phase)) + w * o->ramp, 1.0);
	if (o->ramp > 0.0 && sine > 0.0) {
		s1 = 1.875 / o->ramp;
		s2 = 5.774 * sine / o->ramp / o->ramp + 2.0 * w * s1;
		s1 *= sine;
	}
	const double rate = most > 0.0 ? most * (w + s1) : 0.0;
	const double change = most > 0.0 ? most * (w * w + s2) : 0.0;
	const double most_rate = turns ? most_spin() : most_speed();
	const double most_change = turns ? MAX_SPIN_CHANGE : MAX_SPEED_CHANGE;
	const bool fast = rate > most_rate;
	if (!fast && change <= most_change)
		return;
	const char *of = fast ? "" : "^2";
	scene_node_error(&reader->errors, node,
			 "'%s' %s with up to %.4g %s%s, at most %g %s%s are allowed",
			 scene_node_path(node, path), turns ? "turns" : "moves",
			 fast ? rate : change, turns ? "rad/s" : "m/s", of,
			 fast ? most_rate : most_change, turns ? "rad/s" : "m/s", of);
}

static void read_oscillation(struct scene_reader *reader, const struct scene_node *section,
			     const char *key, enum scene_section kind, struct scene_oscillation *o)
{
	const struct scene_node *node = scene_value_mapping(reader, section, key, kind);
	if (!node)
		return;
	const int errors = reader->errors.count;
	static const char *const needed[] = {"amplitude", "frequency"};
	for (int i = 0; i < 2; i++)
		if (!scene_node_get(node, needed[i]))
			scene_value_missing(reader, node, needed[i]);
	scene_keys_read(reader, node, kind, KEY_ALL_KINDS, o);
	if (reader->errors.count == errors)
		check_oscillation(reader, node, kind == SECTION_ROLL, o);
}

static void read_axis(struct scene_reader *reader, const struct scene_node *section, double axis[3])
{
	const struct scene_key *key = scene_key(SECTION_MOTION, "axis");
	const struct scene_node *node = scene_node_get(section, "axis");
	if (!node)
		return;
	if (reader->dim == 2) {
		scene_key_error(&reader->errors, node,
				"'frame.axis' has no meaning in a 2D scene, which turns in its "
				"plane");
		return;
	}
	double given[3] = {0, 0, 1};
	if (!scene_vector_read(reader, node, key->low, key->high, given))
		return;
	const double square = given[0] * given[0] + given[1] * given[1] + given[2] * given[2];
	/* A unit vector stays as it is, so that a scene's echo gives the same scene. */
	const double length = fabs(square - 1.0) < 1e-12 ? 1.0 : sqrt(square);
	if (!(length > 1e-9)) {
		scene_node_error(&reader->errors, node, "'frame.axis' must be longer than 1e-9");
		return;
	}
	for (int a = 0; a < 3; a++)
		axis[a] = given[a] / length;
}

void scene_read_motion(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	struct scene_motion *motion = &scene->motion;
	for (int a = 0; a < 3; a++)
		motion->center[a] = a < scene->dim ? 0.5 * scene->size[a] : 0.0;
	memcpy(motion->axis, scene_key(SECTION_MOTION, "axis")->initial_vector,
	       sizeof(motion->axis));
	const struct scene_node *node = scene_value_mapping(reader, root, "frame", SECTION_MOTION);
	if (!node)
		return;
	motion->given = true;
	if (!scene_node_get(node, "motion") && !scene_node_get(node, "roll") &&
	    !scene_node_get(node, "sway"))
		scene_node_error(&reader->errors, node,
				 "'frame' says no motion (it needs 'motion', 'roll' or 'sway')");
	scene_keys_read(reader, node, SECTION_MOTION, KEY_ALL_KINDS, scene);
	read_axis(reader, node, motion->axis);
	read_motion(reader, node);
	read_oscillation(reader, node, "roll", SECTION_ROLL, &motion->roll);
	read_oscillation(reader, node, "sway", SECTION_SWAY, &motion->sway);
}
