#include "scene_value.h"
#include "utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *scene_describe(const struct scene_node *node, char buffer[SCENE_DESCRIPTION])
{
	char quoted[SCENE_QUOTE];
	if (node->kind == SCENE_LIST)
		snprintf(buffer, SCENE_DESCRIPTION, "a list");
	else if (node->kind == SCENE_MAPPING)
		snprintf(buffer, SCENE_DESCRIPTION, "a mapping");
	else if (scene_node_is_null(node))
		snprintf(buffer, SCENE_DESCRIPTION, "empty");
	else if (node->plain)
		snprintf(buffer, SCENE_DESCRIPTION, "'%s'", scene_quote(node->text, quoted));
	else
		snprintf(buffer, SCENE_DESCRIPTION, "the quoted text \"%s\"",
			 scene_quote(node->text, quoted));
	return buffer;
}

/* "'time.fps' must be a number, not 'fast' (hint)"; hint may be NULL.  Returns false. */
static bool wrong_type(struct scene_reader *reader, const struct scene_node *node,
		       const char *expected, const char *hint)
{
	char path[SCENE_NODE_PATH], description[SCENE_DESCRIPTION];
	scene_node_error(&reader->errors, node, "'%s' must be %s, not %s%s%s%s",
			 scene_node_path(node, path), expected, scene_describe(node, description),
			 hint ? " (" : "", hint ? hint : "", hint ? ")" : "");
	return false;
}

bool scene_value_missing(struct scene_reader *reader, const struct scene_node *mapping,
			 const char *key)
{
	char path[SCENE_NODE_PATH];
	scene_node_path(mapping, path);
	if (*path)
		scene_node_error(&reader->errors, mapping, "missing key '%s' in '%s'", key, path);
	else
		scene_node_error(&reader->errors, mapping, "missing key '%s'", key);
	return false;
}

/* Does a list that --set has made leave the entry out? */
static bool is_left_out(const struct scene_node *list, size_t i)
{
	return list->partial && (i >= list->count || scene_node_is_null(list->children[i]));
}

bool scene_list_is_whole(struct scene_reader *reader, const struct scene_node *list)
{
	char path[SCENE_NODE_PATH];
	size_t whole = 0, given;
	while (whole < list->count && !is_left_out(list, whole))
		whole++;
	for (given = whole; given < list->count && is_left_out(list, given);)
		given++;
	if (given == list->count)
		return true;
	scene_node_error(&reader->errors, list->children[given],
			 "'%s' is a list of %zu: '%zu' is no index of it (0 to %zu, the last to "
			 "append)",
			 scene_node_path(list, path), whole, given, whole);
	return false;
}

const struct scene_node *scene_value_list(struct scene_reader *reader,
					  const struct scene_node *mapping, const char *key)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	if (!node)
		return NULL;
	if (node->kind == SCENE_LIST)
		return scene_list_is_whole(reader, node) ? node : NULL;
	wrong_type(reader, node, "a list",
		   scene_node_is_null(node) ? "write [] for an empty one" : NULL);
	return NULL;
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* Is this a number of YAML's core schema?  [-+]? (digits .? digits* | . digits+) exponent? */
static bool is_decimal(const char *s)
{
	static const char digits[] = "0123456789";
	s += *s == '-' || *s == '+';
	size_t n = strspn(s, digits);
	s += n;
	if (*s == '.') {
		const size_t fraction = strspn(++s, digits);
		n += fraction;
		s += fraction;
	}
	if (n == 0)
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '-' || *s == '+';
		const size_t exponent = strspn(s, digits);
		if (exponent == 0)
			return false;
		s += exponent;
	}
	return *s == '\0';
}

/* Does the text spell an infinite or undefined number, in YAML's way or C's? */
static bool is_non_finite(const char *s)
{
	static const char *const names[] = {".inf", ".nan", "inf", "nan", "infinity"};
	s += *s == '-' || *s == '+';
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcasecmp(s, names[i]) == 0)
			return true;
	return false;
}

bool scene_number_read(struct scene_reader *reader, const struct scene_node *node, double low,
		       double high, double *value)
{
	char path[SCENE_NODE_PATH], quoted[SCENE_QUOTE];
	if (node->kind != SCENE_SCALAR || scene_node_is_null(node))
		return wrong_type(reader, node, "a number", NULL);
	if (!node->plain)
		return wrong_type(reader, node, "a number",
				  is_decimal(node->text) ? "leave the quotes out" : NULL);
	double x = HUGE_VAL;
	if (is_decimal(node->text))
		x = strtod(node->text, NULL); /* scene_read() has set the "C" locale */
	else if (!is_non_finite(node->text))
		return wrong_type(reader, node, "a number",
				  strchr(node->text, ',') ? "the decimal mark is a point" : NULL);
	if (isfinite(x) && x >= low && x <= high) {
		*value = x;
		return true;
	}
	scene_node_error(&reader->errors, node, "'%s' is %s, %s (allowed: %.10g to %.10g)",
			 scene_node_path(node, path), scene_quote(node->text, quoted),
			 isfinite(x) ? "out of range" : "it must be finite", low, high);
	return false;
}

bool scene_value_number(struct scene_reader *reader, const struct scene_node *mapping,
			const char *key, double low, double high, double *value)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	return node && scene_number_read(reader, node, low, high, value);
}

bool scene_value_integer(struct scene_reader *reader, const struct scene_node *mapping,
			 const char *key, int64_t low, int64_t high, int64_t *value)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	double x = 0;
	if (!node || !scene_number_read(reader, node, (double)low, (double)high, &x))
		return false;
	if (x - floor(x) > 0)
		return wrong_type(reader, node, "a whole number", NULL);
	*value = (int64_t)x;
	return true;
}

bool scene_value_int(struct scene_reader *reader, const struct scene_node *mapping, const char *key,
		     int low, int high, int *value)
{
	int64_t x = 0;
	if (!scene_value_integer(reader, mapping, key, low, high, &x))
		return false;
	*value = (int)x;
	return true;
}

static bool number_missing(struct scene_reader *reader, const struct scene_node *list, size_t i)
{
	char path[SCENE_NODE_PATH];
	scene_node_error(&reader->errors, list,
			 "'%s.%zu' is given nowhere and has no default: give the whole list",
			 scene_node_path(list, path), i);
	return false;
}

bool scene_numbers_read(struct scene_reader *reader, const struct scene_node *node, size_t count,
			const char *why, double low, double high, double *value)
{
	char path[SCENE_NODE_PATH], expected[80];
	if (node->kind != SCENE_LIST) {
		snprintf(expected, sizeof(expected), "a list of %zu number%s", count,
			 count == 1 ? "" : "s");
		return wrong_type(reader, node, expected, NULL);
	}
	if (node->count > count || (node->count < count && !node->partial)) {
		scene_node_error(&reader->errors, node, "'%s' has %zu number%s, it needs %zu (%s)",
				 scene_node_path(node, path), node->count,
				 node->count == 1 ? "" : "s", count, why);
		return false;
	}
	double read[3] = {0};
	bool good = true;
	for (size_t i = 0; i < count; i++) {
		read[i] = value[i];
		if (!is_left_out(node, i))
			good &= scene_number_read(reader, node->children[i], low, high, &read[i]);
		else if (isnan(value[i]))
			good = number_missing(reader, node, i);
	}
	if (good)
		memcpy(value, read, count * sizeof(*value));
	return good;
}

bool scene_vector_read(struct scene_reader *reader, const struct scene_node *node, double low,
		       double high, double value[3])
{
	size_t count = (size_t)reader->dim;
	if (count == 0)
		count = node->kind == SCENE_LIST && node->count == 3 ? 3 : 2;
	double read[3] = {value[0], value[1], count == 3 ? value[2] : 0};
	if (!scene_numbers_read(reader, node, count, count == 2 ? "2D scene" : "3D scene", low,
				high, read))
		return false;
	memcpy(value, read, sizeof(read));
	return true;
}

bool scene_value_vector(struct scene_reader *reader, const struct scene_node *mapping,
			const char *key, double low, double high, double value[3])
{
	const struct scene_node *node = scene_node_get(mapping, key);
	return node && scene_vector_read(reader, node, low, high, value);
}

/* ---- words ------------------------------------------------------------------------------ */

bool scene_choice_read(struct scene_reader *reader, const struct scene_node *node,
		       const char *const *names, int *value)
{
	char expected[256] = "one of ";
	for (size_t i = 0; names[i]; i++) {
		const size_t used = strlen(expected);
		const bool planned = *names[i] == '!';
		if (node->kind == SCENE_SCALAR && strcmp(node->text, names[i] + planned) == 0) {
			char path[SCENE_NODE_PATH];
			if (planned) {
				scene_node_error(&reader->errors, node,
						 "'%s: %s' is not supported yet",
						 scene_node_path(node, path), node->text);
				return false;
			}
			*value = (int)i;
			return true;
		}
		if (!planned)
			snprintf(expected + used, sizeof(expected) - used, "%s%s", i ? ", " : "",
				 names[i]);
	}
	char hint[80];
	const char *near = node->kind == SCENE_SCALAR ? scene_suggest(node->text, names) : NULL;
	if (near)
		snprintf(hint, sizeof(hint), "did you mean '%s'?", near);
	return wrong_type(reader, node, expected, near ? hint : NULL);
}

bool scene_value_choice(struct scene_reader *reader, const struct scene_node *mapping,
			const char *key, const char *const *names, int *value)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	return node && scene_choice_read(reader, node, names, value);
}

bool scene_value_bool(struct scene_reader *reader, const struct scene_node *mapping,
		      const char *key, bool *value)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	if (!node)
		return false;
	const bool plain = node->kind == SCENE_SCALAR && node->plain;
	const bool yes = plain && strcmp(node->text, "true") == 0;
	if (!yes && !(plain && strcmp(node->text, "false") == 0))
		return wrong_type(reader, node, "true or false", NULL);
	*value = yes;
	return true;
}

/* Does `text` start with a character that would break a table, a JSON file or a terminal: control
 * characters, line and paragraph separators, byte order marks? */
static bool is_control(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	return s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0) ||
	       strncmp(text, "\u2028", 3) == 0 || strncmp(text, "\u2029", 3) == 0 ||
	       strncmp(text, "\ufeff", 3) == 0 || (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
}

/* Counts its characters. */
static bool is_printable(const char *text, size_t *count)
{
	for (*count = 0; *text && !is_control(text); ++*count) {
		const size_t length = utf8_length(text);
		if (length == 0)
			return false;
		text += length;
	}
	return *text == '\0';
}

bool scene_value_text(struct scene_reader *reader, const struct scene_node *mapping,
		      const char *key, char **value)
{
	const struct scene_node *node = scene_node_get(mapping, key);
	if (!node)
		return false;
	if (node->kind != SCENE_SCALAR || scene_node_is_null(node))
		return wrong_type(reader, node, "a text", NULL);
	size_t length;
	if (!is_printable(node->text, &length))
		return wrong_type(reader, node, "a text without control characters", NULL);
	if (length > SCENE_TEXT_MOST) {
		char path[SCENE_NODE_PATH];
		scene_node_error(&reader->errors, node, "'%s' has %zu characters (at most %d)",
				 scene_node_path(node, path), length, SCENE_TEXT_MOST);
		return false;
	}
	char *copy = scene_copy_text(node->text);
	if (!copy) {
		scene_error_memory(&reader->errors);
		return false;
	}
	free(*value);
	*value = copy;
	return true;
}

bool scene_value_color(struct scene_reader *reader, const struct scene_node *mapping,
		       const char *key, uint8_t value[3])
{
	const struct scene_node *node = scene_node_get(mapping, key);
	if (!node)
		return false;
	if (node->kind != SCENE_SCALAR || strlen(node->text) != 7 || node->text[0] != '#' ||
	    strspn(node->text + 1, "0123456789abcdefABCDEF") != 6)
		return wrong_type(reader, node, "a colour like \"#2b7fff\"",
				  scene_node_is_null(node) ? "without quotes # starts a comment"
							   : NULL);
	const unsigned long rgb = strtoul(node->text + 1, NULL, 16);
	for (int i = 0; i < 3; i++)
		value[i] = (uint8_t)(rgb >> (16 - 8 * i));
	return true;
}
