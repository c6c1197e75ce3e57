/*
 * Typed values out of a document tree.
 *
 * Each function looks one key up in a mapping.  An absent key leaves the result as it is (its
 * default) and returns false; a wrong value is reported, with what is allowed, and returns false
 * too; only a good value is stored.  A NULL mapping has no keys.
 */
#ifndef FRESHET_SCENE_VALUE_H
#define FRESHET_SCENE_VALUE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keys/scene_key.h"
#include "scene.h"
#include "scene_yaml.h"

/* One scene_read(). */
struct scene_reader {
	struct scene_errors errors;
	struct scene *scene; /* being filled */
	int dim;	     /* 2 or 3, 0 while unknown because domain.size is wrong */
};

/* Is `node` a mapping whose keys all belong to the section?  Reports everything that is not: wrong
 * type, unknown keys with a suggestion, keys not supported yet or of another method.  Returns false
 * only for a wrong type, so that the known keys can still be checked. */
bool scene_keys_check(struct scene_reader *reader, const struct scene_node *node,
		      enum scene_section section);

/* A mapping under a key, its keys checked; NULL if absent or no mapping. */
const struct scene_node *scene_value_mapping(struct scene_reader *reader,
					     const struct scene_node *mapping, const char *key,
					     enum scene_section section);
/* Has a list all its entries?  --set leaves out those before its own in a list that is not in the
 * file, which only vectors of numbers have defaults for.  False after reporting. */
bool scene_list_is_whole(struct scene_reader *reader, const struct scene_node *list);

/* A whole list under a key; NULL if absent, or after reporting. */
const struct scene_node *scene_value_list(struct scene_reader *reader,
					  const struct scene_node *mapping, const char *key);

/* Reports a missing key of `mapping`, which is at fault itself if NULL.  Returns false. */
bool scene_value_missing(struct scene_reader *reader, const struct scene_node *mapping,
			 const char *key);

/* Finite numbers within [low, high]. */
bool scene_value_number(struct scene_reader *reader, const struct scene_node *mapping,
			const char *key, double low, double high, double *value);
bool scene_value_integer(struct scene_reader *reader, const struct scene_node *mapping,
			 const char *key, int64_t low, int64_t high, int64_t *value);
bool scene_value_int(struct scene_reader *reader, const struct scene_node *mapping, const char *key,
		     int low, int high, int *value);
/* The number that a node itself holds. */
bool scene_number_read(struct scene_reader *reader, const struct scene_node *node, double low,
		       double high, double *value);

/* A vector: as many numbers as the domain has dimensions; the third is set to 0 in 2D. */
bool scene_value_vector(struct scene_reader *reader, const struct scene_node *mapping,
			const char *key, double low, double high, double value[3]);
bool scene_vector_read(struct scene_reader *reader, const struct scene_node *node, double low,
		       double high, double value[3]);
/* A list of exactly `count` numbers (at most 3); `why` completes "needs 2 numbers (WHY)".  Those
 * that
 * --set leaves out of a list that is not in the file stay as they are, their default if they have
 * one. */
#define NO_DEFAULT ((double)NAN)
bool scene_numbers_read(struct scene_reader *reader, const struct scene_node *node, size_t count,
			const char *why, double low, double high, double *value);

/* One of a NULL-terminated list of names, by index; a name that starts with '!' is refused as not
 * supported yet. */
bool scene_value_choice(struct scene_reader *reader, const struct scene_node *mapping,
			const char *key, const char *const *names, int *value);
/* The choice that a node itself holds. */
bool scene_choice_read(struct scene_reader *reader, const struct scene_node *node,
		       const char *const *names, int *value);
bool scene_value_bool(struct scene_reader *reader, const struct scene_node *mapping,
		      const char *key, bool *value);
/* A text without control characters, of at most SCENE_TEXT_MOST characters; *value is freed and
 * replaced by a malloc'ed copy. */
bool scene_value_text(struct scene_reader *reader, const struct scene_node *mapping,
		      const char *key, char **value);
/* "#rrggbb". */
bool scene_value_color(struct scene_reader *reader, const struct scene_node *mapping,
		       const char *key, uint8_t value[3]);

/* What a node is, for messages: "a list", "the quoted text \"64\"".  Returns `buffer`. */
#define SCENE_DESCRIPTION (SCENE_QUOTE + 32)
const char *scene_describe(const struct scene_node *node, char buffer[SCENE_DESCRIPTION]);

#endif
