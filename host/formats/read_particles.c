#include "read_particles.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "file_seal.h"
#include "particle_formats.h"
#include "seed.h"

bool read_particle_file(const char *path, enum scene_particle_format format,
			struct particle_snapshot *snapshot, char reason[FILE_READ_REASON])
{
	const struct particle_format *row = particle_formats[format];
	size_t length;
	char *bytes = file_read(path, SIZE_MAX, &length, reason);
	if (!bytes)
		return false;
	if (row->sealed && !file_seal_check(bytes, &length, reason)) {
		free(bytes);
		return false;
	}
	const enum read_result result = row->read(bytes, length, snapshot);
	free(bytes);
	switch (result) {
	case READ_DONE:
		return true;
	case READ_DAMAGED:
		return file_reason(reason, "is damaged or truncated");
	case READ_NO_MEMORY:
		return file_reason(reason, "does not fit into memory");
	default:
		return file_reason(reason, "is not a particle file of freshet, or damaged");
	}
}

/* ---- sense -------------------------------------------------------------------------------- */

static bool is_inside(const struct scene *scene, const f32 position[3])
{
	for (int a = 0; a < scene->dim; a++)
		if (!(position[a] >= 0.0f && position[a] <= (f32)scene->size[a]))
			return false;
	return true;
}

static bool are_finite(const struct particle_snapshot *p, enum particle_attribute attribute)
{
	const f32 *values = particle_values(p, attribute);
	for (size_t i = 0; values && i < attribute_width(attribute) * p->count; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

static bool are_all_finite(const struct particle_snapshot *p)
{
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (a != ATTRIBUTE_POSITION && attribute_rows[a].type == ATTRIBUTE_F32 &&
		    !are_finite(p, a))
			return false;
	return true;
}

static bool is_of_scene(const struct scene *scene, const struct particle_snapshot *p,
			char reason[FILE_READ_REASON])
{
	const u32 wrong = particle_attributes_in_files(scene) ^ particle_snapshot_has(p);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (wrong & ATTRIBUTE_BIT(a))
			return file_reason(reason, "is of another scene (%s %s)",
					   p->values[a] ? "with" : "without",
					   attribute_rows[a].plural);
	return true;
}

static bool makes_sense(const struct scene *scene, const struct particle_snapshot *p,
			char reason[FILE_READ_REASON])
{
	const size_t most = scene->liquid_count > 0 ? scene->liquid_count : 1;
	const size_t liquids = most < SEED_MAX_LIQUIDS ? most : SEED_MAX_LIQUIDS;
	const u32 *id = particle_ids(p);
	const uint8_t *liquid = particle_liquids(p);
	if (!is_of_scene(scene, p, reason))
		return false;
	if (p->count > SIM_MAX_PARTICLES)
		return file_reason(reason, "has too many particles (%zu; at most %d)", p->count,
				   SIM_MAX_PARTICLES);
	if (!are_all_finite(p))
		return file_reason(reason, "is damaged (values that are not finite)");
	for (size_t i = 0; i < p->count; i++) {
		if (!is_inside(scene, particle_values(p, ATTRIBUTE_POSITION) + 3 * i))
			return file_reason(reason,
					   "is damaged or of another scene (particle %" PRIu32
					   " is outside of the box)",
					   id[i]);
		if (id[i] >= SIM_MAX_PARTICLES || liquid[i] >= liquids ||
		    (i > 0 && (id[i] <= id[i - 1] || liquid[i] < liquid[i - 1])))
			return file_reason(
				reason,
				"is damaged or of another scene (ids and liquids are not in "
				"order at id %" PRIu32 ")",
				id[i]);
	}
	return true;
}

bool read_particles(const char *path, enum scene_particle_format format, const struct scene *scene,
		    struct particle_snapshot *snapshot, char reason[FILE_READ_REASON])
{
	*snapshot = (struct particle_snapshot){0};
	if (read_particle_file(path, format, snapshot, reason) &&
	    makes_sense(scene, snapshot, reason))
		return true;
	particle_snapshot_finish(snapshot);
	return false;
}
