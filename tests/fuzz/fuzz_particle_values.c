/*
 * The reader of VTKHDF on whole, sealed files with forged contents, as fuzz_checkpoint_values.c: a
 * byte that chooses one of two good files, then a list of changes to it.
 */
#include <stdlib.h>
#include <string.h>

#include "file_seal.h"
#include "fuzz.h"
#include "fuzz_hdf5.h"
#include "fuzz_snapshot.h"
#include "vtkhdf.h"

#define PARTICLES ((size_t)5)
#define MOST_CHANGES 12

/* Files that are taken: of the scene without and of that with affine matrices. */
static unsigned char *good[2];
static size_t good_bytes[2];

static void make_good(bool affine)
{
	const f32 values[9 * PARTICLES] = {0.5f};
	const u32 id[PARTICLES] = {0, 1, 3, 4, 9};
	const uint8_t liquid[PARTICLES] = {0};
	const size_t vectors[2] = {PARTICLES, 3}, matrices[2] = {PARTICLES, 9};
	struct vtkhdf *vtk = vtkhdf_begin("UnstructuredGrid", 4096);
	vtkhdf_vertices(vtk, PARTICLES);
	vtkhdf_array(vtk, "Points", VTKHDF_F32, 2, vectors, values);
	vtkhdf_array(vtk, "PointData/velocity", VTKHDF_F32, 2, vectors, values);
	if (affine)
		vtkhdf_array(vtk, "PointData/affine", VTKHDF_F32, 2, matrices, values);
	vtkhdf_array(vtk, "PointData/id", VTKHDF_U32, 1, vectors, id);
	vtkhdf_array(vtk, "PointData/liquid", VTKHDF_U8, 1, vectors, liquid);
	fuzz_expect(vtkhdf_finish(vtk, &good[affine], &good_bytes[affine]) == 0,
		    "a good file can be made");
}

static void free_good(void)
{
	free(good[0]);
	free(good[1]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	fuzz_hdf5_begin();
	fuzz_snapshot_begin();
	make_good(false);
	make_good(true);
	atexit(free_good);
	return 0;
}

static void change(hid_t file, struct input *input)
{
	static const char *const sets[] = {"VTKHDF/PointData/id",
					   "VTKHDF/PointData/liquid",
					   "VTKHDF/PointData/velocity",
					   "VTKHDF/PointData/affine",
					   "VTKHDF/Points",
					   "VTKHDF/PointData",
					   "VTKHDF"};
	const size_t count = sizeof(sets) / sizeof(sets[0]);
	const unsigned kind = take(input) % 8;
	const char *name = sets[take(input) % count];
	if (kind == 0)
		H5Ldelete(file, name, H5P_DEFAULT);
	else if (kind < 3)
		replace_set(file, name, input);
	else if (kind < 5)
		change_values(file, name, input);
	else if (kind == 5)
		change_text(file, name, input);
	else
		change_link(file, name, sets[take(input) % count], kind == 6);
}

/* The path of the file with its seal. */
static const char *sealed(hid_t file, hid_t access)
{
	size_t length;
	const char *image = fuzz_hdf5_image(file, access, &length);
	char *bytes = malloc(length + FILE_SEAL);
	fuzz_expect(bytes != NULL, "there is memory");
	memcpy(bytes, image, length);
	file_seal(bytes + length, image, length);
	const char *path = fuzz_file(bytes, length + FILE_SEAL);
	free(bytes);
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {data, size};
	const bool affine = take(&input) & 1;
	hid_t access;
	const hid_t file = fuzz_hdf5_open(good[affine], good_bytes[affine], &access);
	for (int i = 0; i < MOST_CHANGES && input.left > 0; i++)
		change(file, &input);
	const char *path = sealed(file, access);
	H5Fclose(file);
	H5Pclose(access);
	const bool taken = fuzz_snapshot_read(path, PARTICLES_VTKHDF, fuzz_snapshot_scene(affine));
	fuzz_expect(taken || size > 1, "the good file is taken");
	return 0;
}
