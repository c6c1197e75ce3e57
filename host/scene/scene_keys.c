/* Which keys a scene knows, and what to say about one it does not. */
#include <stdio.h>
#include <string.h>

#include "shapes/shape_kinds.h"

/* A name that starts with '!' belongs to the format but is not built yet. */
#define PRIMITIVE_NAME(KIND, name, arguments) #name,
#define PAIR_NAME(KIND, name) #name,
#define SHAPE_NAMES SHAPE_PRIMITIVES(PRIMITIVE_NAME) SHAPE_PAIRS(PAIR_NAME) "invert", "!mesh"

struct section {
	const char *title; /* for "it belongs in ..." */
	const char *names[24];
};

static const struct section sections[SECTION_PRIMITIVES] = {
	[SECTION_ROOT] = {"at the top level",
			  {"version", "name", "domain", "time", "gravity", "frame", "liquid",
			   "solver", "liquids", "solids", "output", "camera", "!inflows",
			   "!outflows"}},
	[SECTION_DOMAIN] = {"in 'domain'", {"size", "cells", "cell_size", "walls"}},
	[SECTION_WALLS] = {"in 'domain.walls'", {"x-", "x+", "y-", "y+", "z-", "z+"}},
	[SECTION_TIME] = {"in 'time'", {"frames", "fps", "cfl", "max_dt", "dt"}},
	[SECTION_GRAVITY] = {"in an entry of 'gravity'", {"time", "g"}},
	[SECTION_MOTION] = {"in 'frame'", {"center", "axis", "motion", "roll", "sway"}},
	[SECTION_MOTION_KEY] = {"in an entry of 'frame.motion'",
				{"time", "angle", "angular_velocity", "position", "velocity"}},
	[SECTION_ROLL] = {"in 'frame.roll'", {"amplitude", "frequency", "phase", "ramp"}},
	[SECTION_SWAY] = {"in 'frame.sway'", {"amplitude", "frequency", "phase", "ramp"}},
	[SECTION_LIQUID] = {"in 'liquid'",
			    {"density", "particles_per_cell", "jitter", "seed", "transfer",
			     "flip_ratio"}},
	[SECTION_SOLVER] = {"in 'solver'",
			    {"pressure", "tolerance", "max_iterations", "sweeps", "v_cycles",
			     "full_cycles", "over_relaxation", "advection", "drift", "separation"}},
	[SECTION_LIQUIDS] = {"in an entry of 'liquids'",
			     {"name", "velocity", "angular_velocity", "color", "density",
			      "particles_per_cell", "jitter", "seed", "transfer", "flip_ratio",
			      SHAPE_NAMES}},
	[SECTION_SOLIDS] = {"in an entry of 'solids'", {"name", "slip", "!motion", SHAPE_NAMES}},
	[SECTION_OUTPUT] = {"in 'output'",
			    {"stats", "png", "probes", "checkpoint", "particles", "fields", "mesh",
			     "surface"}},
	[SECTION_PNG] = {"in 'output.png'", {"size", "view", "every", "ranges"}},
	[SECTION_RANGES] = {"in 'output.png.ranges'", {"speed", "pressure", "levelset"}},
	[SECTION_PARTICLES] = {"in 'output.particles'", {"format", "every"}},
	[SECTION_FIELDS] = {"in 'output.fields'", {"every", "names"}},
	[SECTION_MESH] = {"in 'output.mesh'", {"format", "every"}},
	[SECTION_SURFACE] = {"in 'output.surface'", {"method", "resolution"}},
	[SECTION_PROBES] = {"in an entry of 'output.probes'",
			    {"name", "point", "column", "quantity", "depth"}},
	[SECTION_CHECKPOINT] = {"in 'output.checkpoint'", {"every", "keep"}},
	[SECTION_CAMERA] = {"in 'camera'", {"eye", "target", "up", "fov"}},
	[SECTION_SHAPE] = {"in a shape", {SHAPE_NAMES}},
};

static const char *section_title(size_t section)
{
	return section < SECTION_PRIMITIVES ? sections[section].title
					    : shape_primitives[section - SECTION_PRIMITIVES]->title;
}

static const char *const *section_names(size_t section)
{
	return section < SECTION_PRIMITIVES ? sections[section].names
					    : shape_primitives[section - SECTION_PRIMITIVES]->keys;
}

/* The sections that have a key of exactly this name, as "in 'domain' or in 'time'"; at most three.
 */
static bool find_owners(const char *key, char *buffer, size_t size)
{
	size_t used = 0;
	int found = 0;
	for (size_t s = 0; s < SECTION_COUNT && found < 3; s++) {
		const char *const *names = section_names(s);
		while (*names && strcmp(*names + (**names == '!'), key) != 0)
			names++;
		/* Kinds of shapes may share a title. */
		if (!*names || (s > 0 && section_title(s) == section_title(s - 1)))
			continue;
		const int n = snprintf(buffer + used, size - used, "%s%s", found ? " or " : "",
				       section_title(s));
		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
		found++;
	}
	return found > 0;
}

static void list_names(const char *const *names, char *buffer, size_t size)
{
	size_t used = 0;
	buffer[0] = '\0';
	for (const char *comma = ""; *names; names++) {
		if (**names == '!')
			continue;
		const int n = snprintf(buffer + used, size - used, "%s%s", comma, *names);
		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
		comma = ", ";
	}
}

static void report_unknown(struct scene_reader *reader, const struct scene_node *node,
			   enum scene_section section)
{
	char key[SCENE_QUOTE], path[SCENE_NODE_PATH], where[SCENE_NODE_PATH + 8];
	char detail[640], more[480];
	scene_quote(node->key, key);
	scene_node_path(node->parent, path);
	if (*path)
		snprintf(where, sizeof(where), "in '%s'", path);
	else
		snprintf(where, sizeof(where), "at the top level");
	const char *near = scene_suggest(node->key, section_names(section));
	const bool owned = find_owners(node->key, more, sizeof(more));
	if (owned && near) {
		snprintf(detail, sizeof(detail), "did you mean '%s'? '%s' belongs %s", near, key,
			 more);
	} else if (owned) {
		snprintf(detail, sizeof(detail), "it belongs %s", more);
	} else if (near) {
		snprintf(detail, sizeof(detail), "did you mean '%s'?", near);
	} else {
		list_names(section_names(section), more, sizeof(more));
		snprintf(detail, sizeof(detail), "known: %s", more);
	}
	scene_key_error(&reader->errors, node, "unknown key '%s' %s (%s)", key, where, detail);
}

bool scene_keys_check(struct scene_reader *reader, const struct scene_node *node,
		      enum scene_section section)
{
	char path[SCENE_NODE_PATH], description[SCENE_DESCRIPTION];
	if (node->kind != SCENE_MAPPING) {
		scene_node_path(node, path);
		scene_node_error(&reader->errors, node, "%s%s%s must be a mapping, not %s%s",
				 *path ? "'" : "", *path ? path : "a scene", *path ? "'" : "",
				 scene_describe(node, description),
				 *path && scene_node_is_null(node) ? " (write {} for the defaults)"
				 : strcmp(path, "liquid") == 0 && node->kind == SCENE_LIST
					 ? " (that is called 'liquids')"
					 : "");
		return false;
	}
	for (size_t i = 0; i < node->count; i++) {
		const struct scene_node *child = node->children[i];
		const char *const *names = section_names(section);
		while (*names && strcmp(*names + (**names == '!'), child->key) != 0)
			names++;
		if (!*names)
			report_unknown(reader, child, section);
		else if (**names == '!')
			scene_key_error(&reader->errors, child, "'%s' is not supported yet",
					scene_node_path(child, path));
	}
	return true;
}

const struct scene_node *scene_value_mapping(struct scene_reader *reader,
					     const struct scene_node *mapping, const char *key,
					     enum scene_section section)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	return node && scene_keys_check(reader, node, section) ? node : NULL;
}
