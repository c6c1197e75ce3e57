/*
 * What a particle carries, each attribute once: of these rows memory, the sort, files, loading and
 * reading back are made.
 */
#ifndef FRESHET_PARTICLE_ATTRIBUTES_H
#define FRESHET_PARTICLE_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "shared.h"

/*
 * DEVICE: a buffer of struct particle_set, [components][N], f32 but for the id; HOST: what the host
 * knows of a particle with that id.
 *   name      in checkpoints and particle files; of the buffer in struct particle_set
 *   shape     components for D dimensions: PARTICLE 1, VECTOR D, MATRIX D * D, row = component
 *   quantity  what a value is that is not finite; NULL: nobody looks
 *   with      what a scene must have for its particles to carry it; ALWAYS
 *   in        FILES: of particles, which hold 3 components or 9, 0 for those that a 2D scene lacks,
 *             and checkpoints; CHECKPOINTS alone
 *
 *             KIND      name      plural               type shape     unit   quantity    with    in
 */
/* clang-format off */
#define PARTICLE_ATTRIBUTES(DEVICE, HOST)                                                              \
	DEVICE(POSITION, position, "positions",         F32, VECTOR,   "m",   "position", ALWAYS, FILES) \
	DEVICE(VELOCITY, velocity, "velocities",        F32, VECTOR,   "m/s", "velocity", ALWAYS, FILES) \
	DEVICE(ID,       id,       "ids",               U32, PARTICLE, NULL,  NULL,       ALWAYS, FILES) \
	HOST(  LIQUID,   liquid,   "liquids",           U8,  PARTICLE, NULL,  NULL,       ALWAYS, FILES) \
	DEVICE(AFFINE,   affine,   "affine matrices",   F32, MATRIX,   "1/s", NULL,       APIC,   FILES) \
	DEVICE(PRESSURE, pressure, "pressures",         F32, PARTICLE, "Pa",  "pressure", SPH,    FILES) \
	DEVICE(DENSITY,  density,  "densities",         F32, PARTICLE, NULL,  "density",  SPH,    FILES)
/* clang-format on */

#define ATTRIBUTE_NUMBER(KIND, ...) ATTRIBUTE_##KIND,
enum particle_attribute { PARTICLE_ATTRIBUTES(ATTRIBUTE_NUMBER, ATTRIBUTE_NUMBER) ATTRIBUTE_COUNT };
#define ATTRIBUTE_BIT(attribute) (1u << (attribute))

enum attribute_type { ATTRIBUTE_F32, ATTRIBUTE_U32, ATTRIBUTE_U8 };
enum attribute_shape { ATTRIBUTE_PARTICLE, ATTRIBUTE_VECTOR, ATTRIBUTE_MATRIX };
enum attribute_with { WITH_ALWAYS, WITH_APIC, WITH_SPH };

struct attribute_row {
	const char *name, *plural;
	enum attribute_type type;
	size_t size; /* bytes of a component */
	enum attribute_shape shape;
	enum attribute_with with;
	bool in_files;
	bool on_device;
	size_t member; /* on the device: offset in struct particle_set */
};
extern const struct attribute_row attribute_rows[ATTRIBUTE_COUNT];

/* Numbers of a particle; files have those of 3 dimensions. */
size_t attribute_columns(enum particle_attribute attribute, size_t dim);
#define attribute_width(attribute) attribute_columns((attribute), 3)
/* Which of a file's numbers component `column` of `dim` dimensions is. */
size_t attribute_place(size_t dim, size_t column);
/* Bytes of a particle in binary files with these attributes (bits). */
size_t attribute_bytes(u32 attributes);
/* Must it be in every particle file? */
bool attribute_is_needed(enum particle_attribute attribute);

#endif
