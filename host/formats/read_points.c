#include "read_points.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crc64.h"
#include "message.h"
#include "read_particles.h"

/* By the file's ending, which the scene's reader has looked at. */
static enum scene_particle_format format_of(const char *file)
{
	const char *ending = strrchr(file, '.');
	int f = 0;
	while (f < PARTICLE_FORMAT_COUNT - 1 && strcmp(ending + 1, particle_format_names[f]) != 0)
		f++;
	return (enum scene_particle_format)f;
}

static bool hash_file(const char *file, uint64_t *hash, char reason[FILE_READ_REASON])
{
	size_t length;
	char *bytes = file_read(file, SIZE_MAX, &length, reason);
	if (!bytes)
		return false;
	*hash = crc64(0, bytes, length);
	free(bytes);
	return true;
}

/* [count][3]: a copy of what is finite. */
static bool take(const struct particle_snapshot *p, enum particle_attribute attribute, float **to,
		 char reason[FILE_READ_REASON])
{
	const f32 *values = particle_values(p, attribute);
	const size_t n = 3 * p->count;
	if (!values)
		return true;
	*to = malloc((n + 1) * sizeof(**to));
	if (!*to)
		return file_reason(reason, "does not fit into memory");
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return file_reason(reason, "has values that are not finite (of point %zu)",
					   i / 3);
		(*to)[i] = values[i];
	}
	return true;
}

/* The middle of the box around them, about which they turn. */
static void find_pivot(const struct scene *scene, struct scene_liquid *liquid)
{
	const struct scene_points *points = &liquid->points;
	for (int a = 0; a < scene->dim; a++) {
		double low = scene->size[a], high = 0.0;
		for (size_t i = 0; i < points->count; i++) {
			low = fmin(low, (double)points->position[3 * i + (size_t)a]);
			high = fmax(high, (double)points->position[3 * i + (size_t)a]);
		}
		liquid->pivot[a] = 0.5 * (low + high);
	}
}

static bool read_one(const struct scene *scene, struct scene_liquid *liquid,
		     char reason[FILE_READ_REASON])
{
	struct scene_points *points = &liquid->points;
	struct particle_snapshot snapshot = {0};
	uint64_t hash;
	if (!hash_file(points->file, &hash, reason))
		return false;
	if (points->has_hash && points->hash != hash)
		return file_reason(reason,
				   "has changed: its hash is %016" PRIx64 ", not %016" PRIx64, hash,
				   points->hash);
	bool ok = read_particle_file(points->file, format_of(points->file), &snapshot, reason);
	if (ok && snapshot.count > SIM_MAX_PARTICLES)
		ok = file_reason(reason, "has too many points (%zu; at most %d)", snapshot.count,
				 SIM_MAX_PARTICLES);
	if (ok && snapshot.count > 0 && !snapshot.values[ATTRIBUTE_POSITION])
		ok = file_reason(reason, "has no positions");
	ok = ok && take(&snapshot, ATTRIBUTE_POSITION, &points->position, reason) &&
	     take(&snapshot, ATTRIBUTE_VELOCITY, &points->velocity, reason);
	points->count = ok ? snapshot.count : 0;
	points->hash = hash;
	points->has_hash = points->loaded = ok;
	particle_snapshot_finish(&snapshot);
	if (ok)
		find_pivot(scene, liquid);
	return ok;
}

bool read_points(struct scene *scene)
{
	char reason[FILE_READ_REASON];
	bool ok = true;
	for (size_t l = 0; l < scene->liquid_count; l++) {
		const struct scene_points *points = &scene->liquids[l].points;
		if (points->file && !points->loaded && !read_one(scene, &scene->liquids[l], reason))
			ok = message_error(
				"%s:%zu:%zu: 'liquids.%zu.points.file': the file '%s' %s",
				scene->path, points->line, points->column, l, points->file, reason);
	}
	return ok;
}
