/* The files of frames: in a folder of the run's directory, STEM, at least six digits, ENDING. */
#ifndef FRESHET_NUMBERED_FILES_H
#define FRESHET_NUMBERED_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "output_kinds.h"

/* Particles, fields and meshes: + enum scene_particle_format, scene_field_format,
 * scene_mesh_format. */
enum numbered_files {
	NUMBERED_PARTICLES,
	NUMBERED_FIELDS = NUMBERED_PARTICLES + PARTICLE_FORMAT_COUNT,
	NUMBERED_PICTURES = NUMBERED_FIELDS + FIELD_FORMAT_COUNT,
	NUMBERED_MESHES,
	NUMBERED_CHECKPOINTS = NUMBERED_MESHES + MESH_FORMAT_COUNT,
	NUMBERED_KINDS
};
struct numbered_kind {
	const char *folder, *stem, *ending;
};
extern const struct numbered_kind numbered_kinds[NUMBERED_KINDS];

/* "mesh_000024.ply" */
#define NUMBERED_NAME 40 /* bytes a name needs */
void numbered_file_name(enum numbered_files kind, int frame, char name[NUMBERED_NAME]);
/* folder/NAME; owned by the caller, NULL after reporting. */
char *numbered_file_path(const char *folder, enum numbered_files kind, int frame);

/* The frames there are such files of in a run's directory, ascending; malloc'ed, NULL if there are
 * none or no folder.  False after reporting. */
bool numbered_files_list(const char *directory, enum numbered_files kind, int **frames,
			 size_t *count);

#endif
