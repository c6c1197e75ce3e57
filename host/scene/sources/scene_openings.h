/* What inflows, outflows and emitters have in common when they are read. */
#ifndef FRESHET_SCENE_OPENINGS_H
#define FRESHET_SCENE_OPENINGS_H

#include "keys/scene_key.h"
#include "scene_value.h"

/* What an entry of a list of openings is: the words and rows of its messages. */
struct scene_opening_kind {
	const char *one;	    /* "inflow" */
	enum scene_section section; /* of an entry */
};

/* Name, wall, box and liquid of an entry.  Reports what is wrong. */
void scene_opening_read(struct scene_reader *reader, const struct scene_node *entry,
			const struct scene_opening_kind *kind, size_t index,
			struct scene_opening *part);
/* Once those are right: is it wide enough for the grid to see it, and apart from `others`? */
void scene_opening_check(struct scene_reader *reader, const struct scene_node *entry,
			 const struct scene_opening_kind *kind, const struct scene_opening *part);
/* Two on the same wall must not share a face of the grid: each has one velocity or pressure. */
void scene_opening_refuse_overlap(struct scene_reader *reader, const struct scene_node *entry,
				  const struct scene_opening *old, const char *old_kind,
				  const struct scene_opening *part, const char *part_kind);
/* "KIND 'NAME' WHAT VALUE (ALLOWED)" */
void scene_opening_report(struct scene_reader *reader, const struct scene_node *node,
			  const struct scene_opening_kind *kind, const char *name, const char *what,
			  double value, const char *allowed);
/* The liquid that `liquid` names, the first by default. */
void scene_source_liquid(struct scene_reader *reader, const struct scene_node *entry,
			 const struct scene_opening_kind *kind, size_t *liquid);
/* The entries of list NAME of the root, at least one and not more than its row allows; else NULL.
 */
const struct scene_node *scene_source_list(struct scene_reader *reader,
					   const struct scene_node *root, const char *name);

#endif
