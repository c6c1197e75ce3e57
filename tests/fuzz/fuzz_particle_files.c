/* The readers of particle files, of which `freshet render` and `freshet mesh` make pictures, on any
 * bytes: what is taken is a state that the scene can have.  Most VTKHDF is sealed here, or nothing
 * broken would reach HDF5, which is not built with sanitizers and loses memory then. */
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file_seal.h"
#include "fuzz.h"
#include "read_particles.h"
#include "scene.h"

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libhdf5";
}

static struct scene *scenes[2]; /* without and with affine matrices */

static void finish(void)
{
	scene_free(scenes[0]);
	scene_free(scenes[1]);
	H5close();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *const texts[] = {
		"domain: {size: [2, 1], cells: 8}\n"
		"liquids: [{box: {min: [0, 0], max: [1, 1]}}, {sphere: {center: [1, 1], radius: "
		"1}}]\n",
		"domain: {size: [1, 1, 1], cells: 8}\nliquid: {transfer: apic}\n"
		"liquids: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n",
	};
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	/* HDF5 shall not keep what is freed: use after free is then seen. */
	H5set_free_list_limits(0, 0, 0, 0, 0, 0);
	for (size_t i = 0; i < 2; i++) {
		scenes[i] = scene_read_text(texts[i], strlen(texts[i]), "particle_files");
		fuzz_expect(scenes[i] != NULL, "the scene is good");
	}
	atexit(finish);
	return 0;
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

/* The path of a file with these bytes, and their seal. */
static const char *sealed_file(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + FILE_SEAL);
	fuzz_expect(bytes != NULL, "memory");
	memcpy(bytes, data, size);
	file_seal((char *)bytes + size, data, size);
	const char *path = fuzz_file(bytes, size + FILE_SEAL);
	free(bytes);
	return path;
}

/* A byte of choices, then the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum scene_particle_format formats[] = {PARTICLES_PLY, PARTICLES_GEO,
							     PARTICLES_VTKHDF};
	if (size < 1)
		return 0;
	const struct scene *scene = scenes[data[0] & 1];
	const enum scene_particle_format format = formats[data[0] / 2 % 3];
	struct particle_snapshot snapshot;
	char reason[FILE_READ_REASON] = "";
	const bool sealed = format == PARTICLES_VTKHDF && data[0] / 6 % 4 != 3;
	const char *path = sealed ? sealed_file(data + 1, size - 1) : fuzz_file(data + 1, size - 1);
	if (read_particles(path, format, scene, &snapshot, reason))
		check_taken(scene, &snapshot);
	else
		fuzz_expect(reason[0] && snapshot.count == 0 && !snapshot.id,
			    "refused with a reason");
	particle_snapshot_finish(&snapshot);
	fuzz_expect(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0,
		    "no HDF5 object is left open");
	return 0;
}
