#include "scene_yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_node_free(struct scene_node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->count; i++)
		scene_node_free(node->children[i]);
	free(node->key);
	free(node->text);
	free(node->children);
	free(node);
}

const struct scene_node *scene_node_get(const struct scene_node *mapping, const char *key)
{
	if (!mapping || mapping->kind != SCENE_MAPPING)
		return NULL;
	for (size_t i = 0; i < mapping->count; i++)
		if (strcmp(mapping->children[i]->key, key) == 0) {
			mapping->children[i]->asked = true;
			return mapping->children[i];
		}
	return NULL;
}

const struct scene_node *scene_node_unasked(const struct scene_node *node)
{
	if (node->key && !node->asked)
		return node;
	const struct scene_node *found = NULL;
	for (size_t i = 0; i < node->count && !found; i++)
		found = scene_node_unasked(node->children[i]);
	return found;
}

bool scene_node_is_null(const struct scene_node *node)
{
	return node->kind == SCENE_SCALAR && node->plain &&
	       (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
		strcmp(node->text, "null") == 0);
}

const char *scene_node_path(const struct scene_node *node, char buffer[SCENE_NODE_PATH])
{
	/* Filled from the end, because the walk goes from the leaf to the root. */
	char text[SCENE_NODE_PATH];
	size_t start = sizeof(text) - 1;
	text[start] = '\0';
	for (; node->parent; node = node->parent) {
		char index[24], quoted[SCENE_QUOTE];
		const char *part = index;
		if (node->key) {
			part = scene_quote(node->key, quoted);
		} else {
			snprintf(index, sizeof(index), "%zu", node->index);
		}
		const size_t length = strlen(part);
		const bool dot = text[start] != '\0';
		if (length + dot + 4 > start) {
			start -= 3;
			memcpy(text + start, "...", 3);
			break;
		}
		if (dot)
			text[--start] = '.';
		start -= length;
		memcpy(text + start, part, length);
	}
	memcpy(buffer, text + start, sizeof(text) - start);
	return buffer;
}

MESSAGE_PRINTF(5, 0)
static void report_node(struct scene_errors *errors, int source, size_t line, size_t column,
			const char *format, va_list args)
{
	char text[1200];
	vsnprintf(text, sizeof(text), format, args);
	scene_error_at(errors, source, line, column, "%s", text);
}

void scene_node_error(struct scene_errors *errors, const struct scene_node *node,
		      const char *format, ...)
{
	va_list args;
	va_start(args, format);
	report_node(errors, node->source, node->line, node->column, format, args);
	va_end(args);
}

void scene_key_error(struct scene_errors *errors, const struct scene_node *node, const char *format,
		     ...)
{
	va_list args;
	va_start(args, format);
	if (node->key)
		report_node(errors, node->source, node->key_line, node->key_column, format, args);
	else
		report_node(errors, node->source, node->line, node->column, format, args);
	va_end(args);
}
