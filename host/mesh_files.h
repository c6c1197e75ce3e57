/*
 * Meshes as files that other programs read.
 *
 * PLY, binary in the machine's byte order: vertices x y z nx ny nz vx vy vz (float; m, unit normal,
 * m/s), faces as lists of three vertex numbers: 36 bytes per vertex, 13 per triangle.
 * OBJ: v, vn, f; text, no velocities.  An empty mesh gives a valid file without faces.
 */
#ifndef FRESHET_MESH_FILES_H
#define FRESHET_MESH_FILES_H

#include "output.h"
#include "scene.h"
#include "surface.h"

#define MESH_DIRECTORY "mesh" /* in a run's directory */
#define MESH_NAME 40	      /* bytes a name needs */

/* "mesh_000024.ply" */
void mesh_file_name(int frame, enum scene_mesh_format format, char name[MESH_NAME]);

/* Creates or replaces directory/mesh_000000.ply or .obj, with the frame's number; whole or not at
 * all.  False after reporting path and reason. */
bool mesh_file_write(const char *directory, int frame, enum scene_mesh_format format,
		     const struct mesh *mesh);

/* What a run with output.mesh holds.  Zeroed = none. */
struct mesh_output {
	struct surface surface;
	char *directory; /* owned */
};

/* Device memory, before anything is written; nothing without output.mesh.  False after reporting;
 * mesh_output_finish() is needed all the same. */
bool mesh_output_init(struct mesh_output *output, const struct sim *sim);
/* Makes the subdirectory. */
bool mesh_output_open(struct mesh_output *output, const struct output *run);
/* Writes the mesh of the present state, if it is due. */
bool mesh_output_frame(struct mesh_output *output, struct sim *sim);
/* Frees the device memory alone: another simulation follows. */
void mesh_output_release(struct mesh_output *output, struct clx *cl);
void mesh_output_finish(struct mesh_output *output, struct clx *cl);

#endif
