/*
 * What the rows of plain keys do: read, compared, echoed.  `into` and `from` are the struct that
 * the section's rows fill (scene_key_rows.h).
 */
#ifndef FRESHET_SCENE_KEY_VALUES_H
#define FRESHET_SCENE_KEY_VALUES_H

#include "json_writer.h"
#include "scene_value.h"

/* A bit for each kind. */
#define KEY_KIND(kind) (1u << (kind))
#define KEY_ALL_KINDS (~0u)

/* Sets each plain key of these kinds to its default, then to what the mapping says. */
void scene_keys_read(struct scene_reader *reader, const struct scene_node *mapping,
		     enum scene_section section, unsigned kinds, void *into);
/* The same, but what the mapping does not say stays. */
void scene_keys_read_given(struct scene_reader *reader, const struct scene_node *mapping,
			   enum scene_section section, void *into);
/* One of them; is it given, and good? */
bool scene_key_read(struct scene_reader *reader, const struct scene_node *mapping,
		    enum scene_section section, const char *name, void *into);

/* For readers of their own: with the range, the words of the row. */
bool scene_key_number(struct scene_reader *reader, const struct scene_node *mapping,
		      enum scene_section section, const char *name, double *value);
bool scene_key_vector(struct scene_reader *reader, const struct scene_node *mapping,
		      enum scene_section section, const char *name, double value[3]);
bool scene_key_word(struct scene_reader *reader, const struct scene_node *mapping,
		    enum scene_section section, const char *name, int *value);

bool scene_key_is_default(const struct scene_reader *reader, const struct scene_key *key,
			  const void *from);
/* Copies the values that an entry of `liquids` may have from what `liquid` fills. */
void scene_keys_copy_own(const struct scene *scene, struct scene_liquid *liquid);
bool scene_key_is_same(const struct scene_key *key, const void *one, const void *other);

/* "[a, b]" on one line. */
void scene_write_vector(struct json_writer *json, const char *name, const double *value, int count);
/* Echoes the keys of these kinds that have a member and belong to the scene's method. */
void scene_keys_write(struct json_writer *json, const struct scene *scene,
		      enum scene_section section, unsigned kinds, const void *from);

#endif
