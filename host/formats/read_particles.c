#include "read_particles.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "file_seal.h"
#include "particle_formats.h"
#include "seed.h"

static bool decode_file(const char *path, enum scene_particle_format format,
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

static bool are_finite(const f32 *values, size_t count)
{
	for (size_t i = 0; values && i < count; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

static bool makes_sense(const struct scene *scene, const struct particle_snapshot *p,
			char reason[FILE_READ_REASON])
{
	const size_t most = scene->liquid_count > 0 ? scene->liquid_count : 1;
	const size_t liquids = most < SEED_MAX_LIQUIDS ? most : SEED_MAX_LIQUIDS;
	if ((p->affine != NULL) != (scene->transfer == TRANSFER_APIC))
		return file_reason(reason, "is of another scene (%s affine matrices)",
				   p->affine ? "with" : "without");
	if (p->count > SIM_MAX_PARTICLES)
		return file_reason(reason, "has too many particles (%zu; at most %d)", p->count,
				   SIM_MAX_PARTICLES);
	if (!are_finite(p->velocity, 3 * p->count) || !are_finite(p->affine, 9 * p->count))
		return file_reason(reason, "is damaged (values that are not finite)");
	for (size_t i = 0; i < p->count; i++) {
		if (!is_inside(scene, p->position + 3 * i))
			return file_reason(reason,
					   "is damaged or of another scene (particle %" PRIu32
					   " is outside of the box)",
					   p->id[i]);
		if (p->id[i] >= SIM_MAX_PARTICLES || p->liquid[i] >= liquids ||
		    (i > 0 && (p->id[i] <= p->id[i - 1] || p->liquid[i] < p->liquid[i - 1])))
			return file_reason(
				reason,
				"is damaged or of another scene (ids and liquids are not in "
				"order at id %" PRIu32 ")",
				p->id[i]);
	}
	return true;
}

bool read_particles(const char *path, enum scene_particle_format format, const struct scene *scene,
		    struct particle_snapshot *snapshot, char reason[FILE_READ_REASON])
{
	*snapshot = (struct particle_snapshot){0};
	if (decode_file(path, format, snapshot, reason) && makes_sense(scene, snapshot, reason))
		return true;
	particle_snapshot_finish(snapshot);
	return false;
}
