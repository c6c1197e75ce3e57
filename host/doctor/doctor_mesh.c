#include "doctor_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "shape.h"

static const f32 corners[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
				  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

/* Three corners each, one of each pair. */
static bool make_surface(struct mesh_surface *surface)
{
	surface->vertices = malloc(sizeof(corners));
	surface->triangles = malloc(8 * 3 * sizeof(*surface->triangles));
	if (!surface->vertices || !surface->triangles)
		return false;
	memcpy(surface->vertices, corners, sizeof(corners));
	surface->vertex_count = 6;
	surface->triangle_count = 8;
	for (uint32_t t = 0; t < 8; t++)
		for (uint32_t axis = 0; axis < 3; axis++)
			surface->triangles[3 * t + axis] = 2 * axis + (t >> axis & 1);
	return true;
}

/* The program of one mesh; freed by shape_program_finish() also after a failure. */
static bool make_program(const struct scene *scene, struct shape_program *program)
{
	char reason[MESH_SHAPE_REASON];
	struct mesh_surface surface = {0};
	struct mesh_request request = {.scale = {0.15, 0.12, 0.14},
				       .rotate = {0.3, 0.2, 0.1},
				       .translate = {0.65, 0.2, 0.4},
				       .h = scene->h};
	size_t words = 0;
	memcpy(request.size, scene->size, sizeof(request.size));
	program->ops = calloc(1, sizeof(*program->ops));
	program->meshes = calloc(1, sizeof(*program->meshes));
	const bool room = program->ops && program->meshes && make_surface(&surface);
	if (room) {
		program->points =
			mesh_shape_words(&surface, &request, program->meshes, &words, reason);
		program->op_count = program->mesh_count = 1;
		program->point_count = words / 2;
		program->ops[0] = (struct shape_op){.kind = SHAPE_MESH, .count = (i32)(words / 2)};
	}
	mesh_surface_free(&surface);
	return program->points || message_error("out of memory for the doctor's mesh");
}

bool doctor_place_mesh(struct scene *scene)
{
	struct shape_program program = {0};
	if (!make_program(scene, &program)) {
		shape_program_finish(&program);
		return false;
	}
	shape_program_finish(&scene->solids[0].shape);
	scene->solids[0].shape = program;
	return true;
}
