/* The rows as a JSON Schema (draft 7), by which editors complete and check scenes. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_writer.h"
#include "scene_key.h"
#include "scene_methods.h"

#define NAME_BYTES 80

/* "entry_of_solids" of "in an entry of 'solids'".  Kinds of shapes may share a title. */
static void definition_name(enum scene_section section, char name[NAME_BYTES])
{
	const char *title = scene_sections[section]->title;
	size_t used = 0;
	title += strncmp(title, "in ", 3) == 0 ? 3 : 0;
	title += strncmp(title, "an ", 3) == 0 ? 3 : 0;
	for (; *title && used < NAME_BYTES - 16; title++) {
		if (isalnum((unsigned char)*title))
			name[used++] = *title;
		else if (used > 0 && name[used - 1] != '_')
			name[used++] = '_';
	}
	while (used > 0 && name[used - 1] == '_')
		used--;
	name[used] = '\0';
	if (section >= SECTION_PRIMITIVES)
		snprintf(name + used, NAME_BYTES - used, "_%d",
			 (int)section - (int)SECTION_PRIMITIVES);
}

static void add_reference(struct json_writer *json, enum scene_section section)
{
	char name[NAME_BYTES], path[NAME_BYTES + 16];
	definition_name(section, name);
	snprintf(path, sizeof(path), "#/definitions/%s", name);
	json_string(json, "$ref", path);
}

static void add_range(struct json_writer *json, const struct scene_key *key)
{
	if (!(key->low < key->high))
		return;
	json_number(json, "minimum", key->low);
	json_number(json, "maximum", key->high);
}

static void add_words(struct json_writer *json, const char *const *words)
{
	json_begin_array(json, "enum");
	for (; *words; words++)
		if (**words != '!') /* not supported yet */
			json_string(json, NULL, *words);
	json_end_array(json);
}

static void add_list(struct json_writer *json, const struct scene_key *key)
{
	json_string(json, "type", "array");
	if (key->low < key->high)
		json_number(json, "maxItems", key->high);
	json_begin_object(json, "items");
	if (key->words)
		add_words(json, key->words);
	else if (key->inside != SECTION_NONE)
		add_reference(json, key->inside);
	json_end_object(json);
}

static void add_number(struct json_writer *json, const struct scene_key *key, const char *type)
{
	json_string(json, "type", type);
	add_range(json, key);
	if (!key->otherwise && !(key->flags & KEY_ZERO_ABSENT) && key->other_when == KEY_ALWAYS)
		json_number(json, "default", key->initial);
}

/* What its values are.  Those of keys with a reader of their own may be of several types. */
static void add_type(struct json_writer *json, const struct scene_key *key,
		     enum scene_key_kind kind)
{
	switch (kind) {
	case KEY_NUMBER:
		add_number(json, key, "number");
		break;
	case KEY_WHOLE:
	case KEY_UNSIGNED:
		add_number(json, key, "integer");
		break;
	case KEY_SWITCH:
		json_string(json, "type", "boolean");
		if (!key->otherwise)
			json_boolean(json, "default", key->initial > 0);
		break;
	case KEY_WORD:
		add_words(json, key->words);
		break;
	case KEY_METHOD:
		json_begin_array(json, "enum");
		for (size_t m = 0; m < scene_method_count; m++)
			json_string(json, NULL, scene_methods[m].name);
		json_end_array(json);
		break;
	case KEY_VECTOR:
		json_string(json, "type", "array");
		json_begin_object(json, "items");
		json_string(json, "type", "number");
		json_end_object(json);
		json_integer(json, "minItems", 2);
		json_integer(json, "maxItems", 3);
		break;
	case KEY_LIST:
		add_list(json, key);
		break;
	case KEY_MAPPING:
		json_begin_array(json, "allOf"); /* what stands beside $ref is not read */
		json_begin_object(json, NULL);
		add_reference(json, key->inside);
		json_end_object(json);
		json_end_array(json);
		break;
	case KEY_OWN:
	case KEY_AS_LIQUID:
	case KEY_PLANNED:
	case KEY_NONE:
		break;
	}
}

/* "unit; what it means; only with method ..." */
static void add_description(struct json_writer *json, const struct scene_key *key)
{
	char text[1200];
	const char *says = key->says ? key->says : scene_sections[key->inside]->says;
	const bool typed = key->kind == KEY_OWN && key->type;
	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", typed ? key->type : "",
		 typed && (key->unit || says) ? "; " : "", key->unit ? key->unit : "",
		 key->unit && says ? "; " : "", says ? says : "",
		 key->methods ? "; only with method " : "", key->methods ? key->methods : "");
	if (text[0])
		json_string(json, "description", text);
}

static void add_key(struct json_writer *json, const struct scene_key *key)
{
	const struct scene_key *as = key;
	if (key->kind == KEY_PLANNED)
		return; /* refused, as unknown keys are */
	if (key->kind == KEY_AS_LIQUID)
		as = scene_key(SECTION_LIQUID, key->name);
	json_begin_object(json, key->name);
	add_type(json, as, as->kind);
	add_description(json, as);
	json_end_object(json);
}

static void add_section(struct json_writer *json, enum scene_section section)
{
	json_string(json, "type", "object");
	json_boolean(json, "additionalProperties", false);
	json_begin_object(json, "properties");
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++)
		add_key(json, key);
	json_end_object(json);
}

bool scene_schema_print(void)
{
	struct json_writer json = {0};
	size_t length;
	char name[NAME_BYTES];
	json_begin_object(&json, NULL);
	json_string(&json, "$schema", "http://json-schema.org/draft-07/schema#");
	json_string(&json, "title", "a scene of freshet");
	add_section(&json, SECTION_ROOT);
	json_begin_object(&json, "definitions");
	for (int s = SECTION_ROOT + 1; s < SECTION_COUNT; s++) {
		definition_name((enum scene_section)s, name);
		json_begin_object(&json, name);
		add_section(&json, (enum scene_section)s);
		json_end_object(&json);
	}
	json_end_object(&json);
	json_end_object(&json);
	char *text = json_take(&json, &length);
	if (!text)
		return false;
	fputs(text, stdout);
	free(text);
	return true;
}
