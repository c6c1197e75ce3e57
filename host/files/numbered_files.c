#include "numbered_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"

/* Between stem and number: OpenUSD's value clips want a point. */
#define STEM(stem, usda) ((usda) ? stem "." : stem "_")
#define PARTICLES(KIND, name)                       \
	[NUMBERED_PARTICLES + PARTICLES_##KIND] = { \
		"particles", STEM("particles", PARTICLES_##KIND == PARTICLES_USDA), "." #name},
#define FIELDS(KIND, name) [NUMBERED_FIELDS + FIELDS_##KIND] = {"fields", "fields_", "." #name},
#define MESHES(KIND, name)         \
	[NUMBERED_MESHES + MESH_## \
		KIND] = {"mesh", STEM("mesh", MESH_##KIND == MESH_USDA), "." #name},

const struct numbered_kind numbered_kinds[NUMBERED_KINDS] = {
	[NUMBERED_PICTURES] = {"frames", "frame_", ".png"},
	[NUMBERED_CHECKPOINTS] = {"checkpoints", "checkpoint_", ".h5"},
	PARTICLE_FORMATS(PARTICLES) /* a row each */
	FIELD_FORMATS(FIELDS)	    /* a row each */
	MESH_FORMATS(MESHES)	    /* a row each */
};

void numbered_file_name(enum numbered_files kind, int frame, char name[NUMBERED_NAME])
{
	snprintf(name, NUMBERED_NAME, "%s%06d%s", numbered_kinds[kind].stem, frame,
		 numbered_kinds[kind].ending);
}

char *numbered_file_path(const char *folder, enum numbered_files kind, int frame)
{
	char name[NUMBERED_NAME];
	numbered_file_name(kind, frame, name);
	return file_join(folder, name);
}

/* The frame of such a name, -1 if it is not one. */
static int read_frame_number(const char *name, const struct numbered_kind *kind)
{
	const size_t length = strlen(kind->stem);
	char again[16];
	if (strncmp(name, kind->stem, length) != 0)
		return -1;
	name += length;
	const size_t digits = strspn(name, "0123456789");
	if (digits < 6 || digits > 10 || strcmp(name + digits, kind->ending) != 0)
		return -1;
	const long frame = strtol(name, NULL, 10);
	/* As many digits as a run writes: one name per frame. */
	snprintf(again, sizeof(again), "%06ld", frame);
	return frame <= INT_MAX && strlen(again) == digits ? (int)frame : -1;
}

static int compare_frames(const void *a, const void *b)
{
	const int left = *(const int *)a, right = *(const int *)b;
	return (left > right) - (left < right);
}

static bool add_frame(int **frames, size_t *count, size_t *capacity, int frame)
{
	if (*count == *capacity) {
		*capacity = *capacity * 2 + 16;
		int *grown = realloc(*frames, *capacity * sizeof(*grown));
		if (!grown)
			return message_memory(*capacity * sizeof(*grown),
					      "the list of numbered files");
		*frames = grown;
	}
	(*frames)[(*count)++] = frame;
	return true;
}

static bool list_folder(const char *folder, const struct numbered_kind *kind, int **frames,
			size_t *count)
{
	size_t capacity = 0;
	const struct dirent *entry;
	DIR *entries = opendir(folder);
	if (!entries)
		return errno == ENOENT ||
		       message_error("cannot read '%s': %s", folder, strerror(errno));
	bool ok = true;
	while (ok && (entry = readdir(entries))) {
		const int frame = read_frame_number(entry->d_name, kind);
		ok = frame < 0 || add_frame(frames, count, &capacity, frame);
	}
	closedir(entries);
	if (*count > 0)
		qsort(*frames, *count, sizeof(**frames), compare_frames);
	return ok;
}

bool numbered_files_list(const char *directory, enum numbered_files kind, int **frames,
			 size_t *count)
{
	*frames = NULL;
	*count = 0;
	char *folder = file_join(directory, numbered_kinds[kind].folder);
	const bool ok = folder && list_folder(folder, &numbered_kinds[kind], frames, count);
	free(folder);
	if (!ok) {
		free(*frames);
		*frames = NULL;
		*count = 0;
	}
	return ok;
}
