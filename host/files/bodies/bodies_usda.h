/* bodies.usda: where bodies are, as programs for animation read it.  docs/output.md describes it.
 */
#ifndef FRESHET_BODIES_USDA_H
#define FRESHET_BODIES_USDA_H

#include "bodies/bodies_csv.h"

/* Writes or replaces directory/bodies.usda: the frames of a table.  False after reporting. */
bool bodies_usda_write(const char *directory, const struct scene *scene,
		       const struct bodies_table *table);
/* The same of directory/bodies.csv. */
bool bodies_usda_update(const char *directory, const struct scene *scene);

#endif
