/* Shapes of a scene: read from a document into the program that shape_distance() runs. */
#ifndef FRESHET_SCENE_SHAPE_H
#define FRESHET_SCENE_SHAPE_H

#include <stdbool.h>

#include "json_writer.h"
#include "scene_value.h"

/* Coordinates may lie outside the domain, but not absurdly far, m. */
#define SCENE_MAX_COORDINATE 1e6

/* An axis-aligned box around a shape, m; infinite where the shape is. */
struct scene_bounds {
	double low[3], high[3];
};

/*
 * Reads the one shape that `mapping` (whose keys are checked already) holds.  Plates of no
 * thickness are accepted when `plates` is set.  On success *program is filled (owned by the
 * caller, also after a failure) and *bounds encloses the shape.  False after reporting.
 */
bool scene_shape_read(struct scene_reader *reader, const struct scene_node *mapping, bool plates,
		      struct shape_program *program, struct scene_bounds *bounds);

/* Does a mapping hold a shape, right or wrong? */
bool scene_shape_given(const struct scene_node *mapping);

void scene_shape_free(struct shape_program *program); /* accepts a zeroed program */

/* Writes the members that describe a shape ("box": {...}, maybe "invert": true) into the open
 * object; reading them back gives the same program.  False when memory is short. */
bool scene_shape_write(struct json_writer *json, const struct shape_program *program, int dim);

#endif
