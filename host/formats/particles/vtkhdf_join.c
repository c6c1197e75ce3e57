#include "vtkhdf_join.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_seal.h"
#include "hdf5_lock.h"
#include "hdf5_read.h"
#include "vtkhdf.h"
#include "vtkhdf_attributes.h"

#define FRAMES "/frames" /* which frame each step is; not VTK's */
#define STEP_BYTES 2048	 /* of the file, about */
#define FILE_NAME 40

#define AT_ONCE 100 /* steps that the file may have for it not to be put off */

static char *join_path(const char *folder, const char *name)
{
	const size_t bytes = strlen(folder) + strlen(name) + 2;
	char *path = malloc(bytes);
	if (path)
		snprintf(path, bytes, "%s/%s", folder, name);
	return path;
}

static void name_frame(int64_t frame, char name[FILE_NAME])
{
	snprintf(name, FILE_NAME, "particles_%06d.vtkhdf", (int)frame);
}

/* The bytes of a sealed file of the folder, or NULL. */
static char *read_sealed(const char *folder, const char *name, size_t *length)
{
	char reason[FILE_READ_REASON];
	char *path = join_path(folder, name);
	char *bytes = path ? file_read(path, SIZE_MAX, length, reason) : NULL;
	free(path);
	if (bytes && !file_seal_check(bytes, length, reason)) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

/* ---- what is there ------------------------------------------------------------------------ */

static bool read_steps(hid_t file, struct joined_frames *joined)
{
	hsize_t frames = HDF5_LENGTH_UNKNOWN;
	if (!hdf5_read_array(file, FRAMES, H5T_NATIVE_INT64, sizeof(int64_t), 1, &frames,
			     (void **)&joined->frame))
		return false;
	joined->count = (size_t)frames;
	return hdf5_read_array(file, "VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, sizeof(int64_t), 1,
			       &frames, (void **)&joined->particles);
}

/* The steps of the file that is there, if it is. */
static void find_steps(const char *folder, struct joined_frames *joined)
{
	size_t length;
	char *bytes = read_sealed(folder, "particles.vtkhdf", &length);
	if (!bytes)
		return;
	hdf5_lock();
	const hid_t file = hdf5_open_bytes(bytes, length, 512);
	if (file < 0 || !read_steps(file, joined))
		joined_frames_free(joined);
	if (file >= 0)
		H5Fclose(file);
	hdf5_unlock();
	free(bytes);
}

/* Particles in the file of a frame, -1 if it is not there or damaged. */
static int64_t count_particles(const char *folder, int64_t frame)
{
	char name[FILE_NAME];
	size_t length;
	hsize_t count = 0;
	name_frame(frame, name);
	char *bytes = read_sealed(folder, name, &length);
	if (!bytes)
		return -1;
	hdf5_lock();
	const hid_t file = hdf5_open_bytes(bytes, length, 512);
	const bool ok = file >= 0 && hdf5_read_length(file, "VTKHDF/PointData/id", &count);
	if (file >= 0)
		H5Fclose(file);
	hdf5_unlock();
	free(bytes);
	return ok ? (int64_t)count : -1;
}

static bool add_step(struct joined_frames *joined, int64_t frame, int64_t particles)
{
	if (joined->count == joined->capacity) {
		const size_t capacity = 2 * joined->capacity + 64;
		int64_t *grown = realloc(joined->frame, capacity * sizeof(*grown));
		joined->frame = grown ? grown : joined->frame;
		int64_t *more = grown ? realloc(joined->particles, capacity * sizeof(*more)) : NULL;
		joined->particles = more ? more : joined->particles;
		if (!more)
			return false;
		joined->capacity = capacity;
	}
	joined->frame[joined->count] = frame;
	joined->particles[joined->count++] = particles;
	return true;
}

/* The steps before a frame, of a run that goes on; those without a file are left out. */
static bool take_steps(const char *folder, int every, int frame, struct joined_frames *joined)
{
	struct joined_frames before = {0};
	size_t next = 0;
	bool ok = true;
	if (frame > 0)
		find_steps(folder, &before);
	for (int64_t at = 0; at < frame && ok; at += every) {
		while (next < before.count && before.frame[next] < at)
			next++;
		const int64_t particles = next < before.count && before.frame[next] == at
						  ? before.particles[next]
						  : count_particles(folder, at);
		ok = particles < 0 || add_step(joined, at, particles);
	}
	joined_frames_free(&before);
	return ok;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* What arrays of offsets and names are made in, by step. */
struct tables {
	double *time;
	int64_t *offset, *one, *index, *rows; /* rows: one more than particles */
	char (*name)[FILE_NAME];
	const char **names;
};

static void free_tables(struct tables *t)
{
	free(t->time);
	free(t->offset);
	free(t->one);
	free(t->index);
	free(t->rows);
	free(t->name);
	free(t->names);
}

static bool make_tables(struct tables *t, const struct joined_frames *steps, double fps)
{
	const size_t n = steps->count;
	int64_t offset = 0;
	*t = (struct tables){
		calloc(n, sizeof(*t->time)),  calloc(n, sizeof(*t->offset)),
		calloc(n, sizeof(*t->one)),   calloc(n, sizeof(*t->index)),
		calloc(n, sizeof(*t->rows)),  calloc(n, sizeof(*t->name)),
		calloc(n, sizeof(*t->names)),
	};
	if (!t->time || !t->offset || !t->one || !t->index || !t->rows || !t->name || !t->names)
		return false;
	for (size_t i = 0; i < n; i++) {
		t->time[i] = (double)steps->frame[i] / fps;
		t->offset[i] = offset;
		t->one[i] = 1;
		t->index[i] = (int64_t)i;
		t->rows[i] = steps->particles[i] + 1;
		name_frame(steps->frame[i], t->name[i]);
		t->names[i] = t->name[i];
		offset += steps->particles[i];
	}
	return true;
}

/* A step is a part of its own, with cells of its own. */
static void put_steps(struct vtkhdf *vtk, const struct joined_frames *steps, const struct tables *t)
{
	const size_t n = steps->count, column[2] = {n, 1};
	const char *const counts[] = {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"};
	for (int i = 0; i < 3; i++)
		vtkhdf_array(vtk, counts[i], VTKHDF_I64, 1, &n, steps->particles);
	vtkhdf_array(vtk, FRAMES, VTKHDF_I64, 1, &n, steps->frame);
	vtkhdf_array(vtk, "Steps/PartOffsets", VTKHDF_I64, 1, &n, t->index);
	vtkhdf_array(vtk, "Steps/NumberOfParts", VTKHDF_I64, 1, &n, t->one);
	vtkhdf_array(vtk, "Steps/PointOffsets", VTKHDF_I64, 1, &n, t->offset);
	vtkhdf_array(vtk, "Steps/CellOffsets", VTKHDF_I64, 2, column, t->offset);
	vtkhdf_array(vtk, "Steps/ConnectivityIdOffsets", VTKHDF_I64, 2, column, t->offset);
}

static void put_particles(struct vtkhdf *vtk, const struct joined_frames *steps,
			  const struct tables *t)
{
	const size_t n = steps->count;
	vtkhdf_virtual(vtk, "Types", VTKHDF_U8, 0, n, t->names, steps->particles);
	vtkhdf_virtual(vtk, "Connectivity", VTKHDF_I64, 0, n, t->names, steps->particles);
	vtkhdf_virtual(vtk, "Offsets", VTKHDF_I64, 0, n, t->names, t->rows);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		char name[VTKHDF_NAME], offsets[VTKHDF_NAME + 32];
		if (!(steps->attributes & ATTRIBUTE_BIT(a)))
			continue;
		vtkhdf_virtual(vtk, vtkhdf_attribute_name(a, name), vtkhdf_attribute_type(a),
			       attribute_rows[a].shape == ATTRIBUTE_PARTICLE ? 0
									     : attribute_width(a),
			       n, t->names, steps->particles);
		snprintf(offsets, sizeof(offsets), "Steps/PointDataOffsets/%s",
			 attribute_rows[a].name);
		if (a != ATTRIBUTE_POSITION)
			vtkhdf_array(vtk, offsets, VTKHDF_I64, 1, &n, t->offset);
	}
}

static int write_joined(const char *folder, struct joined_frames *joined)
{
	struct tables tables = {0};
	char *path = join_path(folder, "particles.vtkhdf");
	int reason = ENOMEM;
	if (path && make_tables(&tables, joined, joined->scene->time.fps)) {
		struct vtkhdf *vtk = vtkhdf_begin_steps(
			"UnstructuredGrid", joined->count * STEP_BYTES, joined->count, tables.time);
		put_steps(vtk, joined, &tables);
		put_particles(vtk, joined, &tables);
		reason = vtkhdf_write(vtk, path);
	}
	free_tables(&tables);
	free(path);
	joined->late = reason != 0;
	return reason;
}

int vtkhdf_join(const char *folder, int every, const struct particle_file *file,
		struct joined_frames *joined)
{
	if (!file)
		return joined->late ? write_joined(folder, joined) : 0;
	if (!joined->scene && !take_steps(folder, every, file->frame, joined))
		return ENOMEM;
	joined->scene = file->scene;
	joined->attributes = particle_snapshot_has(&file->particles);
	if (!add_step(joined, file->frame, (int64_t)file->particles.count))
		return ENOMEM;
	joined->late = joined->count % (joined->count / AT_ONCE + 1) != 0;
	return joined->late ? 0 : write_joined(folder, joined);
}
