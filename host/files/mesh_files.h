/* The meshes of a run: which frames have one, and their files, written in the background. */
#ifndef FRESHET_MESH_FILES_H
#define FRESHET_MESH_FILES_H

#include "run_directory.h"
#include "surface.h"

struct file_queue; /* file_queue.h */

/* The surface for pictures to share, as long as a mesh is written after each picture; NULL without
 * output.mesh. */
struct mesh_files;
struct surface *mesh_files_surface(struct mesh_files *files);

/* What a run with output.mesh holds.  Zeroed = none. */
struct mesh_files {
	const struct scene *scene;
	struct surface surface;
	struct file_queue *queue;
	char *folder; /* owned */
};

/* Device memory, before anything is written; nothing without output.mesh.  False after reporting;
 * mesh_files_finish() is needed all the same. */
bool mesh_files_init(struct mesh_files *files, struct subject subject);
/* Makes the folder and the writer, with output.mesh. */
bool mesh_files_open(struct mesh_files *files, const struct scene *scene,
		     struct run_directory *run);
/* Makes the mesh of the subject as it is, which is that of a frame, and queues its file, if it is
 * due; of a current surface, which is not current any more. */
bool mesh_files_write(struct mesh_files *files, int frame);
/* Waits until all is written.  False after reporting what failed since the last call. */
bool mesh_files_wait(struct mesh_files *files);
/* The same at the end, before mesh_files_finish(). */
bool mesh_files_close(struct mesh_files *files);
/* Frees the device memory alone: another subject follows. */
void mesh_files_release(struct mesh_files *files);
/* Before the subject ends. */
void mesh_files_finish(struct mesh_files *files);

#endif
