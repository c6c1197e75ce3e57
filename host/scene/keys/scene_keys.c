/* Which keys a scene knows, and what to say about one it does not. */
#include <stdio.h>
#include <string.h>

#include "scene_value.h"

/* The sections that have a key of exactly this name, as "in 'domain' or in 'time'"; at most three.
 */
static bool find_owners(const char *key, char *buffer, size_t size)
{
	size_t used = 0;
	int found = 0;
	for (size_t s = 0; s < SECTION_COUNT && found < 3; s++) {
		/* Kinds of shapes may share a title. */
		if (!scene_key_find((enum scene_section)s, key) ||
		    scene_sections[s]->title == scene_sections[s - 1]->title)
			continue;
		const int n = snprintf(buffer + used, size - used, "%s%s", found ? " or " : "",
				       scene_sections[s]->title);
		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
		found++;
	}
	return found > 0;
}

static void list_names(enum scene_section section, char *buffer, size_t size)
{
	size_t used = 0;
	const char *comma = "";
	buffer[0] = '\0';
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++) {
		if (key->kind == KEY_PLANNED)
			continue;
		const int n = snprintf(buffer + used, size - used, "%s%s", comma, key->name);
		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
		comma = ", ";
	}
}

static const char *suggest_key(enum scene_section section, const char *word)
{
	const char *names[SECTION_KEYS_MOST + 1];
	size_t count = 0;
	const struct scene_key *key = scene_sections[section]->keys;
	for (; key->name && count < SECTION_KEYS_MOST; key++)
		names[count++] = key->name;
	names[count] = NULL;
	return scene_suggest(word, names);
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
	const char *near = suggest_key(section, node->key);
	const bool owned = find_owners(node->key, more, sizeof(more));
	if (owned && near) {
		snprintf(detail, sizeof(detail), "did you mean '%s'? '%s' belongs %s", near, key,
			 more);
	} else if (owned) {
		snprintf(detail, sizeof(detail), "it belongs %s", more);
	} else if (near) {
		snprintf(detail, sizeof(detail), "did you mean '%s'?", near);
	} else {
		list_names(section, more, sizeof(more));
		snprintf(detail, sizeof(detail), "known: %s", more);
	}
	scene_key_error(&reader->errors, node, "unknown key '%s' %s (%s)", key, where, detail);
}

static void refuse_of_surface(struct scene_reader *reader, const struct scene_node *node,
			      const struct scene_key *key)
{
	char path[SCENE_NODE_PATH], others[64] = "";
	const char *const *names = scene_key(SECTION_GRID, "surface")->words;
	for (unsigned n = 0; names[n]; n++)
		if (key->surfaces >> n & 1)
			snprintf(others + strlen(others), sizeof(others) - strlen(others), "%s%s",
				 others[0] ? ", " : "", names[n]);
	scene_key_error(&reader->errors, node,
			"'%s' has no meaning with 'grid.surface: %s' (it belongs to %s)",
			scene_node_path(node, path), names[reader->scene->grid_surface], others);
}

static void check_key(struct scene_reader *reader, const struct scene_node *node,
		      enum scene_section section)
{
	char path[SCENE_NODE_PATH];
	const struct scene_key *key = scene_key_find(section, node->key);
	const char *method = reader->scene->method;
	if (!key)
		report_unknown(reader, node, section);
	else if (key->kind == KEY_PLANNED)
		scene_key_error(&reader->errors, node, "'%s' is not supported yet",
				scene_node_path(node, path));
	else if (!scene_key_belongs(key, method))
		scene_key_error(&reader->errors, node,
				"'%s' has no meaning with 'method: %s' (it belongs to %s)",
				scene_node_path(node, path), method, scene_key_methods(key));
	else if (!scene_key_of_surface(key, reader->scene->grid_surface))
		refuse_of_surface(reader, node, key);
	else if (scene_key_comes_later(key, method) &&
		 !(node->kind == SCENE_LIST && node->count == 0))
		scene_key_error(&reader->errors, node,
				"'%s' is not supported with 'method: %s' yet",
				scene_node_path(node, path), method);
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
	for (size_t i = 0; i < node->count; i++)
		check_key(reader, node->children[i], section);
	return true;
}

const struct scene_node *scene_value_mapping(struct scene_reader *reader,
					     const struct scene_node *mapping, const char *key,
					     enum scene_section section)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	return node && scene_keys_check(reader, node, section) ? node : NULL;
}
