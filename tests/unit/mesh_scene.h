/* Scenes with one solid that is a mesh. */
#ifndef FRESHET_TESTS_MESH_SCENE_H
#define FRESHET_TESTS_MESH_SCENE_H

#include <stdio.h>

#include "mesh_make.h"
#include "scene_fixture.h"
#include "shape.h"

/* A scene in a box of 1 m, of 16 cells, with one solid of that mesh. */
static inline struct scene *read_mesh(const char *file, const char *more)
{
	char text[1024];
	snprintf(text, sizeof(text),
		 "domain: {size: [1, 1, 1], cells: 16}\nsolids: [{mesh: {file: %s%s}}]\n", file,
		 more);
	return read_good(text);
}

static inline const struct mesh_shape *shape_of(const struct scene *scene)
{
	return &scene->solids[0].shape.meshes[0];
}

static inline struct shape_sample sample_of(const struct scene *scene, const double x[3])
{
	const struct shape_program *p = &scene->solids[0].shape;
	return shape_evaluate(3, p->ops, (int)p->op_count, p->points, (f32)x[0], (f32)x[1],
			      (f32)x[2]);
}

static inline double value_of(const struct scene *scene, const double x[3])
{
	return (double)sample_of(scene, x).distance;
}

#endif
