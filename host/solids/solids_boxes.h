/* Boxes of the lattice around what moves. */
#ifndef FRESHET_SOLIDS_BOXES_H
#define FRESHET_SOLIDS_BOXES_H

#include "solids.h"

bool box_is_empty(const struct lattice_box *box);
/* Is all of `part` in it?  So it is where that is empty. */
bool box_contains(const struct lattice_box *box, const struct lattice_box *part);
/* Lattice points. */
size_t box_size(const struct lattice_box *box);
/* The box around two, of which either may be empty. */
struct lattice_box box_around(const struct lattice_box *a, const struct lattice_box *b);

/* Boxes `looked` of movers that are not larger as one become one, which the first of them has then,
 * as the others' maker. */
void solids_join_boxes(struct solids *solids);

#endif
