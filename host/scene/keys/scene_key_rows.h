/*
 * How rows are written.  The type of the member that a row fills is checked by the compiler: a row
 * of another kind does not compile.
 */
#ifndef FRESHET_SCENE_KEY_ROWS_H
#define FRESHET_SCENE_KEY_ROWS_H

#include "scene.h"
#include "scene_key.h"

typedef double scene_triple[3];
typedef const char *scene_static_text;

#define MEMBER_OF(type, structure, member) \
	_Generic(&((structure *)0)->member, type * : offsetof(structure, member))
#define PLAIN_ROW(key, row_kind, type, structure, member) \
	.name = key, .kind = row_kind, .offset = MEMBER_OF(type, structure, member)

/* NAME, the struct and its member, range, then by name what else the row says. */
#define NUMBER(key, structure, member, lowest, highest, ...)           \
	{                                                              \
		PLAIN_ROW(key, KEY_NUMBER, double, structure, member), \
			.low = lowest, .high = highest, __VA_ARGS__    \
	}
#define WHOLE(key, structure, member, lowest, highest, ...)                                        \
	{                                                                                          \
		PLAIN_ROW(key, KEY_WHOLE, int, structure, member), .low = lowest, .high = highest, \
								   __VA_ARGS__                     \
	}
#define UNSIGNED(key, structure, member, highest, ...)                                      \
	{                                                                                   \
		PLAIN_ROW(key, KEY_UNSIGNED, uint32_t, structure, member), .high = highest, \
									   __VA_ARGS__      \
	}
#define SWITCH(key, structure, member, ...)                                      \
	{                                                                        \
		PLAIN_ROW(key, KEY_SWITCH, bool, structure, member), __VA_ARGS__ \
	}
/* An enum without negative values is as unsigned. */
#define WORD(key, structure, member, list, ...)                                                   \
	{                                                                                         \
		PLAIN_ROW(key, KEY_WORD, unsigned, structure, member), .words = list, __VA_ARGS__ \
	}
#define VECTOR(key, structure, member, most, ...)                            \
	{                                                                    \
		PLAIN_ROW(key, KEY_VECTOR, scene_triple, structure, member), \
			.low = -(most), .high = most, __VA_ARGS__            \
	}
#define METHOD(key, structure, member, ...)                                                   \
	{                                                                                     \
		PLAIN_ROW(key, KEY_METHOD, scene_static_text, structure, member), __VA_ARGS__ \
	}
#define OWN(key, written_as, ...)                                             \
	{                                                                     \
		.name = key, .kind = KEY_OWN, .type = written_as, __VA_ARGS__ \
	}
#define MAPPING(key, section, ...)                                               \
	{                                                                        \
		.name = key, .kind = KEY_MAPPING, .inside = section, __VA_ARGS__ \
	}
#define LIST(key, section, ...)                                               \
	{                                                                     \
		.name = key, .kind = KEY_LIST, .inside = section, __VA_ARGS__ \
	}
#define PLANNED(key)                             \
	{                                        \
		.name = key, .kind = KEY_PLANNED \
	}
#define END_OF_KEYS \
	{           \
		0   \
	}

#define COORDINATES .low = -SCENE_MAX_COORDINATE, .high = SCENE_MAX_COORDINATE
#define BETWEEN(lowest, highest) .low = lowest, .high = highest

#define MAX_TIME 1e9 /* s */

#define TEXT_OF(number) TEXT_OF_VALUE(number)
#define TEXT_OF_VALUE(number) #number
#define NAME_TYPE "text, at most " TEXT_OF(SCENE_TEXT_MOST) " characters"

/* Of every mapping that holds a shape. */
#define PRIMITIVE_ROW(KIND, name, arguments)                                         \
	MAPPING(#name, (enum scene_section)(SECTION_PRIMITIVES + (int)SHAPE_##KIND), \
		.flags = KEY_SHAPE),
#define PAIR_ROW(KIND, name) \
	LIST(#name, SECTION_SHAPE, .flags = KEY_SHAPE, .type = "list of shapes"),
#define SHAPE_ROWS                      \
	SHAPE_PRIMITIVES(PRIMITIVE_ROW) \
	SHAPE_PAIRS(PAIR_ROW)           \
	OWN("invert", "true", .flags = KEY_SHAPE, .says = "beside a shape: its outside")

#define NEEDS_FLIP .methods = "flip"
#define NEEDS_PARTICLES .methods = "flip, sph"
#define NEEDS_GRID .methods = "grid"
#define NEEDS_SPH .methods = "sph"
/* Of the pressure solve on the grid. */
#define NEEDS_SOLVER .methods = "flip, grid"
/* The default with `method: sph`, whatever else there is. */
#define WITH_SPH(value) .with_sph = (value), .has_sph = true

extern const struct scene_key scene_root_keys[], scene_time_keys[], scene_gravity_keys[],
	scene_motion_keys[], scene_motion_key_keys[], scene_roll_keys[], scene_sway_keys[],
	scene_solver_keys[], scene_grid_keys[], scene_sph_keys[];
extern const struct scene_key scene_domain_keys[], scene_walls_keys[], scene_wall_law_keys[],
	scene_liquid_keys[], scene_liquids_keys[], scene_solids_keys[], scene_solid_key_keys[],
	scene_shape_keys[], scene_points_keys[], scene_inflows_keys[], scene_outflows_keys[],
	scene_emitters_keys[], scene_drains_keys[], scene_bodies_keys[];
extern const struct scene_key scene_forces_keys[], scene_force_time_keys[],
	scene_force_custom_keys[], scene_force_point_keys[], scene_force_vortex_keys[],
	scene_force_wind_keys[], scene_force_drag_keys[], scene_force_vorticity_keys[];
extern const struct scene_key scene_output_keys[], scene_png_keys[], scene_ranges_keys[],
	scene_particles_keys[], scene_fields_keys[], scene_mesh_keys[], scene_surface_keys[],
	scene_probes_keys[], scene_checkpoint_keys[], scene_camera_keys[];

#endif
