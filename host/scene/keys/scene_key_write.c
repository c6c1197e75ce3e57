/* Echoes plain keys by their rows. */
#include <string.h>

#include "number.h"
#include "scene_key_values.h"
#include "scene_methods.h"

void scene_write_vector(struct json_writer *json, const char *name, const double *value, int count)
{
	char text[4 * NUMBER_TEXT] = "[", number[NUMBER_TEXT];
	for (int i = 0; i < count; i++) {
		strcat(text, i > 0 ? ", " : "");
		strcat(text, number_from_double(value[i], number));
	}
	strcat(text, "]");
	json_raw(json, name, text);
}

static void write_key(struct json_writer *json, const struct scene *scene,
		      const struct scene_key *key, const void *from)
{
	const void *member = (const char *)from + key->offset;
	const double number = scene_key_value(key, from);
	if (!scene_key_belongs(key, scene->method) ||
	    !scene_key_of_surface(key, scene->grid_surface) ||
	    (key->flags & KEY_ZERO_ABSENT && !(number > 0)) ||
	    (key->flags & KEY_TOLD_IF_SET && !(number < key->initial) && !(number > key->initial)))
		return;
	switch (key->kind) {
	case KEY_NUMBER:
		json_number(json, key->name, number);
		break;
	case KEY_WHOLE:
	case KEY_UNSIGNED:
		json_integer(json, key->name, (int64_t)number);
		break;
	case KEY_SWITCH:
		json_boolean(json, key->name, number > 0);
		break;
	case KEY_WORD:
		json_string(json, key->name, key->words[(size_t)number]);
		break;
	case KEY_VECTOR:
		scene_write_vector(json, key->name, member, scene->dim);
		break;
	case KEY_METHOD:
		/* Not the default: echoes of scenes without the key stay as they are. */
		if (strcmp(scene->method, scene_methods[0].name) != 0)
			json_string(json, key->name, scene->method);
		break;
	case KEY_NONE:
	case KEY_OWN:
	case KEY_MAPPING:
	case KEY_LIST:
	case KEY_AS_LIQUID:
	case KEY_PLANNED:
		break;
	}
}

void scene_keys_write(struct json_writer *json, const struct scene *scene,
		      enum scene_section section, unsigned kinds, const void *from)
{
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++) {
		struct scene_key row = *key;
		if (key->kind == KEY_AS_LIQUID && key->flags & KEY_UNTOLD)
			continue;
		if (key->kind == KEY_AS_LIQUID && !(key->flags & KEY_ONE_VALUE)) {
			row = *scene_key(SECTION_LIQUID, key->name);
			row.offset = key->offset;
		}
		if (kinds & KEY_KIND(key->kind))
			write_key(json, scene, &row, from);
	}
}
