/* Overrides from the command line: key.path=value put into a document tree. */
#include "scene_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

/* As deep as a file may be nested. */
#define MAX_PARTS 64
/* Numbers of the longest vector. */
#define MAX_VECTOR 3

/* One walk along an override's key. */
struct walk {
	struct scene_errors *errors;
	int source;
	struct scene_node *node; /* reached so far */
};

static bool fail_walk(struct walk *w, const char *text)
{
	scene_error_at(w->errors, w->source, 0, 0, "%s", text);
	return false;
}

/* A list index, or -1: digits only, small enough for any list that fits in a file. */
static long list_index(const char *part)
{
	uint64_t index;
	return number_read_count(part, 9999999, &index) ? (long)index : -1;
}

/* The child of `node` that `part` names.  Reports a bad index; *found stays NULL when the child
 * has to be made first. */
static bool find_child(struct walk *w, const char *part, struct scene_node **found)
{
	struct scene_node *node = w->node;
	char path[SCENE_NODE_PATH], quoted[SCENE_QUOTE], text[400];
	*found = NULL;
	if (node->kind == SCENE_MAPPING) {
		for (size_t i = 0; i < node->count && !*found; i++)
			if (strcmp(node->children[i]->key, part) == 0)
				*found = node->children[i];
		return true;
	}
	scene_node_path(node, path);
	if (node->kind == SCENE_SCALAR) {
		snprintf(text, sizeof(text), "'%s' is a single value, it has no '%s'", path,
			 scene_quote(part, quoted));
		return fail_walk(w, text);
	}
	const long index = list_index(part);
	if (index < 0 || (size_t)index > node->count) {
		snprintf(text, sizeof(text),
			 "'%s' is a list of %zu: '%s' is no index of it (0 to %zu, the last to "
			 "append)",
			 path, node->count, scene_quote(part, quoted), node->count);
		return fail_walk(w, text);
	}
	if ((size_t)index < node->count)
		*found = node->children[index];
	return true;
}

/* Hangs `child` into w->node under `part`, instead of `old` if there is one.  Takes ownership of
 * `child`, also when it fails. */
static bool put_child(struct walk *w, const char *part, struct scene_node *old,
		      struct scene_node *child)
{
	struct scene_node *node = w->node;
	free(child->key);
	child->key = node->kind == SCENE_MAPPING ? scene_copy_text(part) : NULL;
	child->parent = node;
	if (node->kind == SCENE_MAPPING && !child->key)
		goto out_of_memory;
	child->index = old ? old->index : node->count;
	if (old) {
		node->children[child->index] = child;
		scene_node_free(old);
		return true;
	}
	void *children = scene_grow(node->children, &node->capacity, node->count + 1,
				    sizeof(struct scene_node *));
	if (!children)
		goto out_of_memory;
	node->children = children;
	node->children[node->count++] = child;
	return true;
out_of_memory:
	scene_node_free(child);
	return scene_error_memory(w->errors);
}

/* Moves w->node to the child named `part`, which is made (as a list if `next` is an index) when it
 * is absent or says nothing. */
static bool step_down(struct walk *w, const char *part, const char *next)
{
	struct scene_node *found;
	if (!find_child(w, part, &found))
		return false;
	if (!found || scene_node_is_null(found)) {
		struct scene_node *made = calloc(1, sizeof(*made));
		if (!made)
			return scene_error_memory(w->errors);
		made->kind = list_index(next) >= 0 ? SCENE_LIST : SCENE_MAPPING;
		made->partial = made->kind == SCENE_LIST;
		made->source = w->source;
		if (!put_child(w, part, found, made))
			return false;
		found = made;
	}
	w->node = found;
	return true;
}

/* Fills a list that was not there with values that say nothing, up to where `value` is to be. */
static bool fill_before(struct walk *w, const char *part, const struct scene_node *value)
{
	const struct scene_node *list = w->node;
	const long index = list_index(part);
	if (!list->partial || value->kind != SCENE_SCALAR || index >= MAX_VECTOR)
		return true;
	while ((long)list->count < index) {
		struct scene_node *empty = calloc(1, sizeof(*empty));
		if (!empty || !(empty->text = scene_copy_text(""))) {
			free(empty);
			return scene_error_memory(w->errors);
		}
		empty->plain = true;
		empty->source = w->source;
		if (!put_child(w, part, NULL, empty))
			return false;
	}
	return true;
}

/* Cuts "a.b.c" at its points, in place.  Returns the number of parts, 0 if the key is malformed. */
static size_t split_key(char *key, char *parts[MAX_PARTS])
{
	size_t count = 0;
	for (char *part = key; part;) {
		char *point = strchr(part, '.');
		if (point)
			*point = '\0';
		if (*part == '\0' || count == MAX_PARTS)
			return 0;
		parts[count++] = part;
		part = point ? point + 1 : NULL;
	}
	return count;
}

void scene_yaml_override(struct scene_node *root, int source, struct scene_errors *errors)
{
	struct walk w = {.errors = errors, .source = source, .node = root};
	const char *text = errors->sets[source];
	const char *equals = strchr(text, '=');
	if (!equals) {
		fail_walk(&w, "expected key.path=value");
		return;
	}
	char *key = scene_copy_text(text);
	struct scene_node *value = NULL;
	if (!key) {
		scene_error_memory(errors);
		return;
	}
	key[equals - text] = '\0';
	char *parts[MAX_PARTS];
	const size_t count = split_key(key, parts);
	if (count == 0) {
		fail_walk(&w, "the key must be names joined by single points, like time.fps");
		goto out;
	}
	value = scene_yaml_parse(equals + 1, strlen(equals + 1), source, errors);
	if (!value)
		goto out;
	for (size_t i = 0; i + 1 < count; i++)
		if (!step_down(&w, parts[i], parts[i + 1]))
			goto out;
	struct scene_node *old;
	if (fill_before(&w, parts[count - 1], value) && find_child(&w, parts[count - 1], &old)) {
		put_child(&w, parts[count - 1], old, value);
		value = NULL;
	}
out:
	scene_node_free(value);
	free(key);
}
