#include "scene_compare.h"

#include <stdio.h>
#include <string.h>

#include "keys/scene_key.h"
#include "message.h"
#include "scene_yaml.h"

static const char *describe_node(const struct scene_node *node, char text[SCENE_QUOTE])
{
	if (!node)
		return "absent";
	if (node->kind == SCENE_SCALAR)
		return scene_quote(node->text, text);
	if (node->kind == SCENE_MAPPING)
		return "a mapping";
	snprintf(text, SCENE_QUOTE, "a list of %zu", node->count);
	return text;
}

static void add_difference(struct scene_differences *d, const char *path,
			   const struct scene_node *before, const struct scene_node *now)
{
	char one[SCENE_QUOTE], two[SCENE_QUOTE];
	if (d->count < SCENE_DIFFERENCES)
		snprintf(d->line[d->count], sizeof(d->line[0]), "%.90s was %s, is %s",
			 *path ? path : "the scene", describe_node(before, one),
			 describe_node(now, two));
	d->count++;
}

static void compare_nodes(const struct scene_node *before, const struct scene_node *now,
			  enum scene_section section, struct scene_differences *d);

/* The value of a key, absent before or now, in a mapping whose keys are those of `section`. */
static void compare_values(const struct scene_node *before, const struct scene_node *now,
			   enum scene_section section, struct scene_differences *d)
{
	const struct scene_key *key = scene_key_find(section, before ? before->key : now->key);
	if (!key || !(key->flags & KEY_MAY_CHANGE))
		compare_nodes(before, now, key ? key->inside : SECTION_NONE, d);
}

static void compare_mappings(const struct scene_node *before, const struct scene_node *now,
			     enum scene_section section, struct scene_differences *d)
{
	for (size_t i = 0; i < before->count; i++)
		compare_values(before->children[i], scene_node_get(now, before->children[i]->key),
			       section, d);
	for (size_t i = 0; i < now->count; i++)
		if (!scene_node_get(before, now->children[i]->key))
			compare_values(NULL, now->children[i], section, d);
}

/* `section`: of a mapping, or of the entries of a list. */
static void compare_nodes(const struct scene_node *before, const struct scene_node *now,
			  enum scene_section section, struct scene_differences *d)
{
	char path[SCENE_NODE_PATH];
	scene_node_path(before ? before : now, path);
	if (!before || !now || before->kind != now->kind ||
	    (before->kind == SCENE_LIST && before->count != now->count)) {
		add_difference(d, path, before, now);
	} else if (before->kind == SCENE_MAPPING) {
		compare_mappings(before, now, section, d);
	} else if (before->kind == SCENE_LIST) {
		for (size_t i = 0; i < before->count; i++)
			compare_nodes(before->children[i], now->children[i], section, d);
	} else if (strcmp(before->text, now->text) != 0) {
		add_difference(d, path, before, now);
	}
}

static struct scene_node *parse_scene(const char *text, const char *name)
{
	struct scene_errors errors = {.path = name};
	return scene_yaml_parse(text, strlen(text), SCENE_SOURCE_FILE, &errors);
}

bool scene_compare(const char *before, const char *now, struct scene_differences *differences)
{
	struct scene_node *old = parse_scene(before, "the earlier scene"),
			  *new = old ? parse_scene(now, "the scene") : NULL;
	*differences = (struct scene_differences){0};
	if (old && new)
		compare_nodes(old, new, SECTION_ROOT, differences);
	const bool ok = old && new;
	scene_node_free(old);
	scene_node_free(new);
	return ok;
}

void scene_report_differences(const struct scene_differences *differences)
{
	for (size_t i = 0; i < differences->count && i < SCENE_DIFFERENCES; i++)
		message_error("  %s", differences->line[i]);
	if (differences->count > SCENE_DIFFERENCES)
		message_error("  and %zu more", differences->count - SCENE_DIFFERENCES);
}
