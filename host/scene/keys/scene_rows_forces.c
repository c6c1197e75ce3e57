/* The keys of force fields. */
#include "scene_key_rows.h"
#include "scene_shape.h"

#define CENTER                                                                          \
	VECTOR("center", struct scene_force, center, SCENE_MAX_COORDINATE, .unit = "m", \
	       .otherwise = "middle of the box")
#define POWER(usual, text) \
	NUMBER("power", struct scene_force, power, -1, 4, .initial = usual, .says = text)
#define CORE                                                                                    \
	NUMBER("core", struct scene_force, core, 1e-6, 1e6, .unit = "m", .otherwise = "a cell", \
	       .says = "within which the field is smooth")

const struct scene_key scene_forces_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`force 0`, `force 1`, …"),
	MAPPING("point", SECTION_FORCE_POINT, .says = "towards a point"),
	MAPPING("vortex", SECTION_FORCE_VORTEX, .says = "around an axis"),
	MAPPING("wind", SECTION_FORCE_WIND, .says = "air that blows over the surface"),
	MAPPING("drag", SECTION_FORCE_DRAG, .says = "slows the liquid down"),
	OWN("custom", "vector, or list of keys", BETWEEN(-1e6, 1e6), .unit = "m/s²",
	    .inside = SECTION_FORCE_CUSTOM, .says = "an acceleration, the same everywhere"),
	MAPPING("vorticity", SECTION_FORCE_VORTICITY,
		.says = "confinement: keeps small vortices alive"),
	LIST("time", SECTION_FORCE_TIME, .otherwise = "the factor 1", .high = 100000,
	     .says = "a factor of the field, linear between the entries, constant beyond"),
	NUMBER("falloff", struct scene_force, falloff, 0, 1e6, .unit = "m",
	       .says = "how far outside its shape the field fades to nothing"),
	SHAPE_ROWS,
	END_OF_KEYS,
};

const struct scene_key scene_force_time_keys[] = {
	NUMBER("time", struct scene_vector_key, time, 0, MAX_TIME, .otherwise = "required",
	       .unit = "s", .says = "must increase"),
	NUMBER("factor", struct scene_vector_key, value[0], -1e6, 1e6, .otherwise = "required",
	       .says = "of `wind` and `drag` at least 0"),
	END_OF_KEYS,
};

const struct scene_key scene_force_custom_keys[] = {
	NUMBER("time", struct scene_vector_key, time, 0, MAX_TIME, .otherwise = "required",
	       .unit = "s", .says = "must increase"),
	VECTOR("acceleration", struct scene_vector_key, value, 1e6, .otherwise = "required",
	       .unit = "m/s²"),
	END_OF_KEYS,
};

const struct scene_key scene_force_point_keys[] = {
	CENTER,
	NUMBER("strength", struct scene_force, strength, -1e9, 1e9, .otherwise = "required",
	       .unit = "m^(`power`+1)/s²", .says = "below 0: away from the point"),
	POWER(2, "a multiple of 0.5; −1: a spring, 2: gravity of a mass"),
	CORE,
	END_OF_KEYS,
};

const struct scene_key scene_force_vortex_keys[] = {
	CENTER,
	OWN("axis", "vector", COORDINATES, .initial_vector = {0, 1, 0},
	    .says = "3D only, not 0; in 2D the field turns in its plane"),
	NUMBER("strength", struct scene_force, strength, -1e9, 1e9, .otherwise = "required",
	       .unit = "m^(`power`+1)/s²",
	       .says = "along the circle; anticlockwise, right-handed about the axis"),
	NUMBER("pull", struct scene_force, pull, -1e9, 1e9, .unit = "m^(`power`+1)/s²",
	       .says = "towards the axis"),
	POWER(1, "a multiple of 0.5; −1: as a solid that spins up"),
	CORE,
	END_OF_KEYS,
};

const struct scene_key scene_force_wind_keys[] = {
	VECTOR("velocity", struct scene_force, velocity, 1e4, .otherwise = "required",
	       .unit = "m/s"),
	NUMBER("drag", struct scene_force, drag, 0, 1e3, .initial = 0.3,
	       .says = "coefficient; over a calm sea 0.001 to 0.003"),
	NUMBER("air_density", struct scene_force, air_density, 0, 1e4, .initial = 1.2,
	       .unit = "kg/m³"),
	END_OF_KEYS,
};

const struct scene_key scene_force_drag_keys[] = {
	NUMBER("rate", struct scene_force, rate, 0, 1e6, .otherwise = "required", .unit = "1/s",
	       .says = "the velocity falls as e^(−`rate` t)"),
	END_OF_KEYS,
};

const struct scene_key scene_force_vorticity_keys[] = {
	NUMBER("strength", struct scene_force, strength, 0, 1e4, .otherwise = "required",
	       .unit = "1/s", .says = "ε of the confinement; it adds energy"),
	END_OF_KEYS,
};
