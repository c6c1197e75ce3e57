/* Reads plain keys by their rows. */
#include <stdlib.h>
#include <string.h>

#include "scene_key_values.h"
#include "scene_methods.h"

static double default_of(const struct scene_reader *reader, const struct scene_key *key)
{
	const enum scene_preset preset = reader->scene->solver.preset;
	/* Its own, whatever the preset. */
	if (key->has_sph && strcmp(reader->scene->method, "sph") == 0)
		return key->with_sph;
	const bool vof = reader->scene->grid_surface == GRID_SURFACE_VOF;
	if ((key->other_when == KEY_WITH_GRID || (key->other_when == KEY_WITH_VOF && vof)) &&
	    strcmp(reader->scene->method, "grid") == 0)
		return key->other;
	if (key->flags & KEY_PRESETS && preset != PRESET_STANDARD)
		return key->presets[preset];
	const bool other = (key->other_when == KEY_IN_3D && reader->dim == 3) ||
			   (key->other_when == KEY_WITH_MULTIGRID &&
			    reader->scene->solver.pressure == SOLVER_MULTIGRID);
	return other ? key->other : key->initial;
}

static void set_default(const struct scene_reader *reader, const struct scene_key *key, void *into)
{
	char *member = (char *)into + key->offset;
	const double value = default_of(reader, key);
	if (key->otherwise)
		return;
	switch (key->kind) {
	case KEY_NUMBER:
		*(double *)(void *)member = value;
		break;
	case KEY_WHOLE:
		*(int *)(void *)member = (int)value;
		break;
	case KEY_UNSIGNED:
	case KEY_WORD:
		*(uint32_t *)(void *)member = (uint32_t)value;
		break;
	case KEY_SWITCH:
		*(bool *)member = value > 0;
		break;
	case KEY_VECTOR:
		memcpy(member, key->initial_vector, sizeof(key->initial_vector));
		break;
	case KEY_METHOD:
		*(const char **)(void *)member = scene_methods[0].name;
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

static bool read_method(struct scene_reader *reader, const struct scene_node *mapping,
			const char *name, const char **method)
{
	const struct scene_node *node = scene_node_get(mapping, name);
	if (!node)
		return false;
	const char **names = calloc(scene_method_count + 1, sizeof(*names));
	if (!names)
		return scene_error_memory(&reader->errors);
	for (size_t m = 0; m < scene_method_count; m++)
		names[m] = scene_methods[m].name;
	int index = 0;
	const bool good = scene_choice_read(reader, node, names, &index);
	if (good)
		*method = names[index];
	free(names);
	return good;
}

static bool read_word(struct scene_reader *reader, const struct scene_node *mapping,
		      const struct scene_key *key, uint32_t *value)
{
	int index = 0;
	if (!scene_value_choice(reader, mapping, key->name, key->words, &index))
		return false;
	*value = (uint32_t)index;
	return true;
}

static bool read_unsigned(struct scene_reader *reader, const struct scene_node *mapping,
			  const struct scene_key *key, uint32_t *value)
{
	int64_t read = 0;
	if (!scene_value_integer(reader, mapping, key->name, (int64_t)key->low, (int64_t)key->high,
				 &read))
		return false;
	*value = (uint32_t)read;
	return true;
}

static bool read_key(struct scene_reader *reader, const struct scene_node *mapping,
		     const struct scene_key *key, void *into)
{
	void *member = (char *)into + key->offset;
	switch (key->kind) {
	case KEY_NUMBER:
		return scene_value_number(reader, mapping, key->name, key->low, key->high, member);
	case KEY_WHOLE:
		return scene_value_int(reader, mapping, key->name, (int)key->low, (int)key->high,
				       member);
	case KEY_UNSIGNED:
		return read_unsigned(reader, mapping, key, member);
	case KEY_SWITCH:
		return scene_value_bool(reader, mapping, key->name, member);
	case KEY_WORD:
		return read_word(reader, mapping, key, member);
	case KEY_VECTOR:
		return scene_value_vector(reader, mapping, key->name, key->low, key->high, member);
	case KEY_METHOD:
		return read_method(reader, mapping, key->name, member);
	case KEY_NONE:
	case KEY_OWN:
	case KEY_MAPPING:
	case KEY_LIST:
	case KEY_AS_LIQUID:
	case KEY_PLANNED:
		return false;
	}
	return false;
}

void scene_keys_read(struct scene_reader *reader, const struct scene_node *mapping,
		     enum scene_section section, unsigned kinds, void *into)
{
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++) {
		if (!scene_key_is_plain(key) || !(kinds & KEY_KIND(key->kind)))
			continue;
		set_default(reader, key, into);
		read_key(reader, mapping, key, into);
	}
}

void scene_keys_read_given(struct scene_reader *reader, const struct scene_node *mapping,
			   enum scene_section section, void *into)
{
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++)
		read_key(reader, mapping, key, into);
}

void scene_keys_copy_own(const struct scene *scene, struct scene_liquid *liquid)
{
	for (const struct scene_key *row = scene_sections[SECTION_LIQUIDS]->keys; row->name;
	     row++) {
		if (row->kind != KEY_AS_LIQUID || row->flags & KEY_ONE_VALUE)
			continue;
		const size_t bytes = row->stored == KEY_NUMBER ? sizeof(double) : sizeof(int);
		memcpy((char *)liquid + row->offset,
		       (const char *)scene + scene_key(SECTION_LIQUID, row->name)->offset, bytes);
	}
}

bool scene_key_read(struct scene_reader *reader, const struct scene_node *mapping,
		    enum scene_section section, const char *name, void *into)
{
	const struct scene_key *key = scene_key(section, name);
	set_default(reader, key, into);
	return read_key(reader, mapping, key, into);
}

bool scene_key_number(struct scene_reader *reader, const struct scene_node *mapping,
		      enum scene_section section, const char *name, double *value)
{
	const struct scene_key *key = scene_key(section, name);
	return scene_value_number(reader, mapping, name, key->low, key->high, value);
}

bool scene_key_vector(struct scene_reader *reader, const struct scene_node *mapping,
		      enum scene_section section, const char *name, double value[3])
{
	const struct scene_key *key = scene_key(section, name);
	return scene_value_vector(reader, mapping, name, key->low, key->high, value);
}

bool scene_key_word(struct scene_reader *reader, const struct scene_node *mapping,
		    enum scene_section section, const char *name, int *value)
{
	return scene_value_choice(reader, mapping, name, scene_key(section, name)->words, value);
}

bool scene_key_is_default(const struct scene_reader *reader, const struct scene_key *key,
			  const void *from)
{
	const double value = scene_key_value(key, from), initial = default_of(reader, key);
	return !(value < initial) && !(value > initial);
}

bool scene_key_is_same(const struct scene_key *key, const void *one, const void *other)
{
	const double a = scene_key_value(key, one), b = scene_key_value(key, other);
	return !(a < b) && !(a > b);
}
