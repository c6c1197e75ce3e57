#include "fuzz_snapshot.h"

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static struct scene *scenes[2];

static void finish(void)
{
	scene_free(scenes[0]);
	scene_free(scenes[1]);
	H5close();
}

void fuzz_snapshot_begin(void)
{
	static const char *const texts[] = {
		"domain: {size: [2, 1], cells: 8}\n"
		"liquids: [{box: {min: [0, 0], max: [1, 1]}}, {sphere: {center: [1, 1], radius: "
		"1}}]\n",
		"domain: {size: [1, 1, 1], cells: 8}\nliquid: {transfer: apic}\n"
		"liquids: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n",
	};
	for (size_t i = 0; i < 2; i++) {
		scenes[i] = scene_read_text(texts[i], strlen(texts[i]), "particle_files");
		fuzz_expect(scenes[i] != NULL, "the scene is good");
	}
	atexit(finish);
}

const struct scene *fuzz_snapshot_scene(bool affine)
{
	return scenes[affine];
}

static void check_taken(const struct scene *scene, const struct particle_snapshot *p)
{
	const f32 *position = particle_values(p, ATTRIBUTE_POSITION);
	const f32 *affine = particle_values(p, ATTRIBUTE_AFFINE);
	const u32 *id = particle_ids(p);
	fuzz_expect((affine != NULL) == (scene_has_affine(scene)), "affine with APIC");
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		for (size_t n = 0;
		     a != ATTRIBUTE_POSITION && p->values[a] &&
		     attribute_rows[a].type == ATTRIBUTE_F32 && n < attribute_width(a) * p->count;
		     n++)
			fuzz_expect(isfinite(particle_values(p, a)[n]), "finite values");
	for (size_t i = 0; i < p->count; i++) {
		for (int a = 0; a < scene->dim; a++)
			fuzz_expect(position[3 * i + (size_t)a] >= 0.0f &&
					    (double)position[3 * i + (size_t)a] <= scene->size[a],
				    "in the box");
		fuzz_expect(particle_liquids(p)[i] < scene->liquid_count, "a liquid of the scene");
		fuzz_expect(i == 0 || id[i] > id[i - 1], "ids in order");
	}
}

bool fuzz_snapshot_read(const char *path, enum scene_particle_format format,
			const struct scene *scene)
{
	struct particle_snapshot snapshot;
	char reason[FILE_READ_REASON] = "";
	const bool taken = read_particles(path, format, scene, &snapshot, reason);
	if (taken)
		check_taken(scene, &snapshot);
	else
		fuzz_expect(reason[0] && snapshot.count == 0 &&
				    particle_snapshot_has(&snapshot) == 0,
			    "refused with a reason");
	particle_snapshot_finish(&snapshot);
	fuzz_expect(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0,
		    "no HDF5 object is left open");
	return taken;
}
