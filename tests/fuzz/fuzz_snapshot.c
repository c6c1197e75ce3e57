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
	fuzz_expect((p->affine != NULL) == (scene->transfer == TRANSFER_APIC), "affine with APIC");
	for (size_t i = 0; i < p->count; i++) {
		for (int a = 0; a < scene->dim; a++)
			fuzz_expect(p->position[3 * i + (size_t)a] >= 0.0f &&
					    (double)p->position[3 * i + (size_t)a] <=
						    scene->size[a],
				    "in the box");
		for (size_t a = 0; a < 3; a++)
			fuzz_expect(isfinite(p->velocity[3 * i + a]), "finite velocities");
		for (size_t c = 0; p->affine && c < 9; c++)
			fuzz_expect(isfinite(p->affine[9 * i + c]), "finite matrices");
		fuzz_expect(p->liquid[i] < scene->liquid_count, "a liquid of the scene");
		fuzz_expect(i == 0 || p->id[i] > p->id[i - 1], "ids in order");
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
		fuzz_expect(reason[0] && snapshot.count == 0 && !snapshot.id,
			    "refused with a reason");
	particle_snapshot_finish(&snapshot);
	fuzz_expect(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0,
		    "no HDF5 object is left open");
	return taken;
}
