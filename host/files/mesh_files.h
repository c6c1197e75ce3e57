/* The meshes of a run: which frames have one, and their files, written in the background. */
#ifndef FRESHET_MESH_FILES_H
#define FRESHET_MESH_FILES_H

#include "output.h"
#include "scene.h"
#include "surface.h"

struct file_queue; /* file_queue.h */

#define MESH_DIRECTORY "mesh" /* in a run's directory */
#define MESH_NAME 40	      /* bytes a name needs */

/* "mesh_000024.ply" */
void mesh_file_name(int frame, enum scene_mesh_format format, char name[MESH_NAME]);

/* What a run with output.mesh holds.  Zeroed = none. */
struct mesh_output {
	struct surface surface;
	struct file_queue *queue;
	char *directory; /* owned */
};

/* Device memory, before anything is written; nothing without output.mesh.  False after reporting;
 * mesh_output_finish() is needed all the same. */
bool mesh_output_init(struct mesh_output *output, const struct sim *sim);
/* Makes the subdirectory and the writer, with output.mesh. */
bool mesh_output_open(struct mesh_output *output, const struct scene *scene,
		      const struct output *run);
/* Makes the mesh of the present state and queues its file, if it is due. */
bool mesh_output_frame(struct mesh_output *output, struct sim *sim);
/* Waits until all is written.  False after reporting what failed since the last call. */
bool mesh_output_wait(struct mesh_output *output);
/* The same at the end, before mesh_output_finish(). */
bool mesh_output_close(struct mesh_output *output);
/* Frees the device memory alone: another simulation follows. */
void mesh_output_release(struct mesh_output *output, struct clx *cl);
void mesh_output_finish(struct mesh_output *output, struct clx *cl);

#endif
