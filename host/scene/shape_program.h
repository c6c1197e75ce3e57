/* Shape programs on the host: joining them, and what can be told about them cheaply. */
#ifndef FRESHET_SHAPE_PROGRAM_H
#define FRESHET_SHAPE_PROGRAM_H

#include <stdbool.h>

#include <stddef.h>

#include "mesh/mesh_shape.h"
#include "shared.h"

/* A shape as a program for shape_distance() (include/shape.h).  Owned by whoever holds it. */
struct shape_program {
	struct shape_op *ops;
	size_t op_count;
	float *points; /* pairs: polygon vertices, x y x y ..., and words of meshes, which op.first
			* counts */
	size_t point_count;
	struct mesh_shape *meshes; /* by a[0] of their ops; none in programs that are joined */
	size_t mesh_count;
};

/*
 * Appends a copy of `other` to `program` (zeroed = empty), with its polygon vertices and
 * words of meshes, but nothing else of these.  With `unite`, and unless `program` was empty, a
 * union follows, so that the whole stays one shape. False after reporting that memory is short;
 * *program is then unchanged.
 */
bool shape_program_append(struct shape_program *program, const struct shape_program *other,
			  bool unite);
void shape_program_finish(struct shape_program *program); /* accepts a zeroed program */

/* A program as its shape is told, without the place of a motion: shares what `program` owns. */
struct shape_program shape_program_told(const struct shape_program *program);

/*
 * Thickness of a shape, m: of its thinnest primitive along that one's thinnest axis (2D: x and y
 * only).  Infinite where that says nothing: polygons, half-spaces, anything cut or inverted.
 */
double shape_program_thickness(const struct shape_program *program, int dim);

#endif
