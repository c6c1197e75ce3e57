/* The sections with their rows, and what is asked of a row. */
#include "scene_key.h"

#include <assert.h>
#include <string.h>

#include "scene_key_rows.h"
#include "shapes/shape_kinds.h"

#define SECTION(...)                       \
	&(const struct scene_section_keys) \
	{                                  \
		__VA_ARGS__                \
	}
#define SHAPE_SECTION(KIND, name, arguments) \
	[SECTION_PRIMITIVES + (int)SHAPE_##KIND] = &shape_section_##name,

static const struct scene_key no_keys[] = {END_OF_KEYS};

const struct scene_section_keys *const scene_sections[SECTION_COUNT] = {
	[SECTION_NONE] = SECTION("", no_keys, 0, PLACE_TABLE),
	[SECTION_ROOT] =
		SECTION("at the top level", scene_root_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_DOMAIN] = SECTION("in 'domain'", scene_domain_keys, 0, PLACE_TABLE),
	[SECTION_WALL_LAW] = SECTION("in 'wall_law'", scene_wall_law_keys,
				     sizeof(struct scene_wall_law), PLACE_PARENT),
	[SECTION_WALLS] = SECTION("in 'domain.walls'", scene_walls_keys, 0, PLACE_TYPE),
	[SECTION_TIME] = SECTION("in 'time'", scene_time_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_GRAVITY] = SECTION("in an entry of 'gravity'", scene_gravity_keys,
				    sizeof(struct scene_vector_key), PLACE_TABLE),
	[SECTION_MOTION] =
		SECTION("in 'frame'", scene_motion_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_MOTION_KEY] = SECTION("in an entry of 'frame.motion'", scene_motion_key_keys,
				       sizeof(struct motion_key), PLACE_TABLE),
	[SECTION_ROLL] = SECTION("in 'frame.roll'", scene_roll_keys,
				 sizeof(struct scene_oscillation), PLACE_TABLE),
	[SECTION_SWAY] = SECTION("in 'frame.sway'", scene_sway_keys,
				 sizeof(struct scene_oscillation), PLACE_TABLE),
	[SECTION_LIQUID] =
		SECTION("in 'liquid'", scene_liquid_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_GRID] = SECTION("in 'grid'", scene_grid_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_SPH] = SECTION("in 'sph'", scene_sph_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_SOLVER] =
		SECTION("in 'solver'", scene_solver_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_LIQUIDS] = SECTION("in an entry of 'liquids'", scene_liquids_keys,
				    sizeof(struct scene_liquid), PLACE_TABLE),
	[SECTION_POINTS] = SECTION("in 'points'", scene_points_keys, 0, PLACE_TABLE),
	[SECTION_SOLIDS] = SECTION("in an entry of 'solids'", scene_solids_keys, 0, PLACE_TABLE),
	[SECTION_SOLID_KEY] = SECTION("in an entry of a solid's 'motion'", scene_solid_key_keys,
				      sizeof(struct motion_key), PLACE_TABLE),
	[SECTION_BODIES] = SECTION("in an entry of 'bodies'", scene_bodies_keys,
				   sizeof(struct scene_body), PLACE_TABLE),
	[SECTION_INFLOWS] = SECTION("in an entry of 'inflows'", scene_inflows_keys,
				    sizeof(struct scene_inflow), PLACE_TABLE),
	[SECTION_OUTFLOWS] = SECTION("in an entry of 'outflows'", scene_outflows_keys,
				     sizeof(struct scene_outflow), PLACE_TABLE),
	[SECTION_EMITTERS] = SECTION("in an entry of 'emitters'", scene_emitters_keys,
				     sizeof(struct scene_emitter), PLACE_TABLE),
	[SECTION_DRAINS] = SECTION("in an entry of 'drains'", scene_drains_keys,
				   sizeof(struct scene_drain), PLACE_TABLE),
	[SECTION_FORCES] = SECTION("in an entry of 'forces'", scene_forces_keys,
				   sizeof(struct scene_force), PLACE_TABLE),
	[SECTION_FORCE_TIME] = SECTION("in an entry of 'time' of a force", scene_force_time_keys,
				       sizeof(struct scene_vector_key), PLACE_TABLE),
	[SECTION_FORCE_CUSTOM] = SECTION("in an entry of 'custom'", scene_force_custom_keys,
					 sizeof(struct scene_vector_key), PLACE_TABLE),
	[SECTION_FORCE_POINT] = SECTION("in 'point'", scene_force_point_keys,
					sizeof(struct scene_force), PLACE_TABLE),
	[SECTION_FORCE_VORTEX] = SECTION("in 'vortex'", scene_force_vortex_keys,
					 sizeof(struct scene_force), PLACE_TABLE),
	[SECTION_FORCE_WIND] = SECTION("in 'wind'", scene_force_wind_keys,
				       sizeof(struct scene_force), PLACE_TABLE),
	[SECTION_FORCE_DRAG] = SECTION("in 'drag'", scene_force_drag_keys,
				       sizeof(struct scene_force), PLACE_TABLE),
	[SECTION_FORCE_VORTICITY] = SECTION("in 'vorticity'", scene_force_vorticity_keys,
					    sizeof(struct scene_force), PLACE_TABLE),
	[SECTION_OUTPUT] =
		SECTION("in 'output'", scene_output_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_PNG] =
		SECTION("in 'output.png'", scene_png_keys, sizeof(struct scene), PLACE_PARENT),
	[SECTION_RANGES] = SECTION("in 'output.png.ranges'", scene_ranges_keys, 0, PLACE_PARENT),
	[SECTION_PARTICLES] = SECTION("in 'output.particles'", scene_particles_keys,
				      sizeof(struct scene), PLACE_PARENT),
	[SECTION_FIELDS] = SECTION("in 'output.fields'", scene_fields_keys, sizeof(struct scene),
				   PLACE_PARENT),
	[SECTION_MESH] =
		SECTION("in 'output.mesh'", scene_mesh_keys, sizeof(struct scene), PLACE_PARENT),
	[SECTION_SURFACE] = SECTION("in 'output.surface'", scene_surface_keys, sizeof(struct scene),
				    PLACE_PARENT),
	[SECTION_PROBES] = SECTION("in an entry of 'output.probes'", scene_probes_keys,
				   sizeof(struct scene_probe), PLACE_TABLE),
	[SECTION_CHECKPOINT] = SECTION("in 'output.checkpoint'", scene_checkpoint_keys,
				       sizeof(struct scene), PLACE_PARENT),
	[SECTION_CAMERA] =
		SECTION("in 'camera'", scene_camera_keys, sizeof(struct scene), PLACE_TABLE),
	[SECTION_SHAPE] = SECTION("in a shape", scene_shape_keys, 0, PLACE_TABLE),
	SHAPE_PRIMITIVES(SHAPE_SECTION)};

const struct scene_key *scene_key_find(enum scene_section section, const char *name)
{
	const struct scene_key *key = scene_sections[section]->keys;
	while (key->name && strcmp(key->name, name) != 0)
		key++;
	return key->name ? key : NULL;
}

const struct scene_key *scene_key(enum scene_section section, const char *name)
{
	const struct scene_key *key = scene_key_find(section, name);
	assert(key);
	return key;
}

bool scene_key_is_plain(const struct scene_key *key)
{
	switch (key->kind) {
	case KEY_NUMBER:
	case KEY_WHOLE:
	case KEY_UNSIGNED:
	case KEY_SWITCH:
	case KEY_WORD:
	case KEY_VECTOR:
	case KEY_METHOD:
		return true;
	case KEY_NONE:
	case KEY_OWN:
	case KEY_MAPPING:
	case KEY_LIST:
	case KEY_AS_LIQUID:
	case KEY_PLANNED:
		return false;
	}
	return false;
}

double scene_key_value(const struct scene_key *key, const void *from)
{
	const void *member = (const char *)from + key->offset;
	switch (key->kind) {
	case KEY_NUMBER:
		return *(const double *)member;
	case KEY_WHOLE:
		return *(const int *)member;
	case KEY_UNSIGNED:
	case KEY_WORD:
		return *(const uint32_t *)member;
	case KEY_SWITCH:
		return *(const bool *)member;
	case KEY_VECTOR:
	case KEY_METHOD:
	case KEY_NONE:
	case KEY_OWN:
	case KEY_MAPPING:
	case KEY_LIST:
	case KEY_AS_LIQUID:
	case KEY_PLANNED:
		break;
	}
	return 0;
}

const char *scene_key_methods(const struct scene_key *key)
{
	return key->kind == KEY_AS_LIQUID ? scene_key(SECTION_LIQUID, key->name)->methods
					  : key->methods;
}

/* Is it one of "flip, apic"? */
static bool is_listed(const char *methods, const char *method)
{
	const size_t length = strlen(method);
	for (const char *at = methods; *at; at += strspn(at, ", ")) {
		const size_t word = strcspn(at, ",");
		if (word == length && strncmp(at, method, length) == 0)
			return true;
		at += word;
	}
	return false;
}

bool scene_key_belongs(const struct scene_key *key, const char *method)
{
	const char *methods = scene_key_methods(key);
	return !methods || is_listed(methods, method);
}

bool scene_key_of_surface(const struct scene_key *key, unsigned surface)
{
	return !key->surfaces || (key->surfaces >> surface & 1);
}

bool scene_key_comes_later(const struct scene_key *key, const char *method)
{
	return key->not_yet && is_listed(key->not_yet, method);
}
