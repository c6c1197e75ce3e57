/*
 * A YAML document as a small tree that remembers where everything stood.
 *
 * The subset a scene needs: mappings with plain keys, lists, scalars; one document; no anchors,
 * aliases or tags.  JSON is accepted as the YAML it is.  Parsing is done by libyaml.
 */
#ifndef FRESHET_SCENE_YAML_H
#define FRESHET_SCENE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "scene_support.h"

enum scene_node_kind { SCENE_SCALAR, SCENE_LIST, SCENE_MAPPING };

/* One value.  A node owns its texts and its children; the tree is freed from its root. */
struct scene_node {
	enum scene_node_kind kind;
	struct scene_node *parent; /* NULL at the root */
	size_t index;		   /* among the parent's children */
	int source;		   /* SCENE_SOURCE_FILE or index of an override */
	size_t line, column;	   /* of the value, from 1 */
	char *key;		   /* name in the mapping that holds the node, else NULL */
	size_t key_line, key_column;
	char *text;   /* scalars only */
	bool plain;   /* scalar without quotes */
	bool asked;   /* scene_node_get() has given it */
	bool partial; /* list that overrides alone have made: what it lacks are the defaults */
	struct scene_node **children;
	size_t count, capacity;
};

/* Parses `length` bytes.  Returns the root, or NULL after reporting (an empty document too). */
struct scene_node *scene_yaml_parse(const char *text, size_t length, int source,
				    struct scene_errors *errors);

/* Reads and parses a file.  NULL after reporting. */
struct scene_node *scene_yaml_read(struct scene_errors *errors);

/* Applies override number `source`: walks or creates the mappings on the way, replaces the value.
 * A number as part of a key indexes a list; the number after the last appends.  In a list that is
 * not there yet it may be any of a vector; what is left out before it says nothing. */
void scene_yaml_override(struct scene_node *root, int source, struct scene_errors *errors);

void scene_node_free(struct scene_node *node); /* accepts NULL; frees the whole subtree */

/* The value of a key, or NULL.  Accepts NULL and nodes that are no mapping. */
const struct scene_node *scene_node_get(const struct scene_node *mapping, const char *key);

/* The first value of a key that nobody has asked for, or NULL. */
const struct scene_node *scene_node_unasked(const struct scene_node *node);

/* A scalar that says nothing: an absent value, ~ or null. */
bool scene_node_is_null(const struct scene_node *node);

/* Bytes that scene_node_path() needs. */
#define SCENE_NODE_PATH 200

/* The way from the root, in the form --set takes ("liquids.0.velocity"); "" for the root.  Returns
 * `buffer`. */
const char *scene_node_path(const struct scene_node *node, char buffer[SCENE_NODE_PATH]);

/* Reports an error at a value, or at its key. */
void scene_node_error(struct scene_errors *errors, const struct scene_node *node,
		      const char *format, ...) MESSAGE_PRINTF(3, 4);
void scene_key_error(struct scene_errors *errors, const struct scene_node *node, const char *format,
		     ...) MESSAGE_PRINTF(3, 4);

#endif
