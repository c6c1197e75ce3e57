/*
 * Kinds of output that scenes name: each list once.  X(KIND, name): the enum's value and the word
 * in scenes, which is also the ending of such files.
 */
#ifndef FRESHET_OUTPUT_KINDS_H
#define FRESHET_OUTPUT_KINDS_H

#include <stdbool.h>

#define PICTURE_VIEWS(X)        \
	X(PARTICLES, particles) \
	X(SPEED, speed)         \
	X(PRESSURE, pressure)   \
	X(LEVELSET, levelset)   \
	X(CELLS, cells)         \
	X(SURFACE, surface)
#define PARTICLE_FORMATS(X) X(VTKHDF, vtkhdf) X(PLY, ply) X(GEO, geo) X(USDA, usda)
#define FIELD_FORMATS(X) X(VTKHDF, vtkhdf) X(VDB, vdb)
#define MESH_FORMATS(X) X(PLY, ply) X(OBJ, obj) X(USDA, usda)
/* Fields of the grid: ON_FACES(KIND, name); AT_CENTRES(KIND, name, type of a value). */
#define GRID_FIELDS(ON_FACES, AT_CENTRES)   \
	ON_FACES(VELOCITY, velocity)        \
	AT_CENTRES(PRESSURE, pressure, f32) \
	AT_CENTRES(LEVELSET, levelset, f32) \
	AT_CENTRES(CELLS, cells, uint8_t)

#define PICTURE_VIEW(KIND, name) VIEW_##KIND,
#define PARTICLE_FORMAT(KIND, name) PARTICLES_##KIND,
#define FIELD_FORMAT(KIND, name) FIELDS_##KIND,
#define MESH_FORMAT(KIND, name) MESH_##KIND,
#define GRID_FIELD_NUMBER(KIND, ...) FIELD_NUMBER_##KIND,
#define GRID_FIELD_BIT(KIND, ...) FIELD_##KIND = 1 << FIELD_NUMBER_##KIND,
enum scene_view { PICTURE_VIEWS(PICTURE_VIEW) };
enum scene_particle_format { PARTICLE_FORMATS(PARTICLE_FORMAT) };
enum scene_field_format { FIELD_FORMATS(FIELD_FORMAT) };
enum scene_mesh_format { MESH_FORMATS(MESH_FORMAT) };
enum scene_field_number { GRID_FIELDS(GRID_FIELD_NUMBER, GRID_FIELD_NUMBER) };
enum scene_field { GRID_FIELDS(GRID_FIELD_BIT, GRID_FIELD_BIT) }; /* bits of output.fields */
/* Beside them: what OpenVDB files hold of `method: grid`, not a name of its own. */
#define FIELD_VOLUME (1u << GRID_FIELD_COUNT)

#define OUTPUT_KIND_ONE(KIND, ...) +1
#define PICTURE_VIEW_COUNT (0 PICTURE_VIEWS(OUTPUT_KIND_ONE))
#define PARTICLE_FORMAT_COUNT (0 PARTICLE_FORMATS(OUTPUT_KIND_ONE))
#define FIELD_FORMAT_COUNT (0 FIELD_FORMATS(OUTPUT_KIND_ONE))
#define MESH_FORMAT_COUNT (0 MESH_FORMATS(OUTPUT_KIND_ONE))
#define GRID_FIELD_COUNT (0 GRID_FIELDS(OUTPUT_KIND_ONE, OUTPUT_KIND_ONE))

/* The words, in this order, and NULL. */
extern const char *const picture_view_names[],
	*const particle_format_names[],
		*const field_format_names[], *const mesh_format_names[], *const grid_field_names[];

/* Is such a picture drawn to scale: a plane, or a slice?  Others are seen by the camera. */
bool picture_view_is_flat(int dim, enum scene_view view);

#endif
