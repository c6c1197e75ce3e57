#include "scene_compare.h"

#include <stdio.h>
#include <string.h>

#include "message.h"
#include "scene_yaml.h"

/* Does the way to a node match "liquids.*.name"?  `*` stands for any index. */
static bool matches_pattern(const char *path, const char *pattern)
{
	while (*pattern) {
		if (*pattern == '*') {
			path += strspn(path, "0123456789");
			pattern++;
		} else if (*path++ != *pattern++) {
			return false;
		}
	}
	return *path == '\0';
}

static bool leaves_motion(const char *path)
{
	/* Every liquid has a jitter and a seed of its own in what run.json tells: `liquid` only has
	 * the defaults, which runs of earlier versions do not tell. */
	static const char *const patterns[] = {"version",
					       "name",
					       "time.frames",
					       "output",
					       "camera",
					       "liquids.*.name",
					       "liquids.*.color",
					       "solids.*.name",
					       "liquid.jitter",
					       "liquid.seed",
					       NULL};
	for (const char *const *p = patterns; *p; p++)
		if (matches_pattern(path, *p))
			return true;
	return false;
}

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
			  struct scene_differences *d);

static void compare_mappings(const struct scene_node *before, const struct scene_node *now,
			     struct scene_differences *d)
{
	for (size_t i = 0; i < before->count; i++)
		compare_nodes(before->children[i], scene_node_get(now, before->children[i]->key),
			      d);
	for (size_t i = 0; i < now->count; i++)
		if (!scene_node_get(before, now->children[i]->key))
			compare_nodes(NULL, now->children[i], d);
}

static void compare_nodes(const struct scene_node *before, const struct scene_node *now,
			  struct scene_differences *d)
{
	char path[SCENE_NODE_PATH];
	scene_node_path(before ? before : now, path);
	if (leaves_motion(path))
		return;
	if (!before || !now || before->kind != now->kind ||
	    (before->kind == SCENE_LIST && before->count != now->count)) {
		add_difference(d, path, before, now);
	} else if (before->kind == SCENE_MAPPING) {
		compare_mappings(before, now, d);
	} else if (before->kind == SCENE_LIST) {
		for (size_t i = 0; i < before->count; i++)
			compare_nodes(before->children[i], now->children[i], d);
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
		compare_nodes(old, new, differences);
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
