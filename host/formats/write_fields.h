/*
 * Field files for other programs: fields/fields_000000.vtkhdf, an ImageData whose points are the
 * centres of the cells.  docs/output.md describes them.
 */
#ifndef FRESHET_WRITE_FIELDS_H
#define FRESHET_WRITE_FIELDS_H

#include "grid_copy.h"

/* What the file of a frame holds. */
struct field_file {
	const struct scene *scene;
	double time; /* s */
	struct grid_copy fields;
};

/* Writes the file `path`: 0 or an errno value.  Silent. */
int write_fields(const char *path, const struct field_file *file);

/* Points along an axis: cells, but a single layer of them is written twice. */
size_t write_fields_points(const struct scene *scene, int axis);

/* About how long the file of one frame will be. */
double write_fields_bytes(const struct scene *scene);

#endif
