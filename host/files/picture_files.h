/* The pictures of a run: frames/frame_000000.png, written in the background. */
#ifndef FRESHET_PICTURE_FILES_H
#define FRESHET_PICTURE_FILES_H

#include "run_directory.h"
#include "subject.h"

struct file_queue; /* file_queue.h */
struct render;	   /* render.h */
struct surface;	   /* surface.h */

/* What a run with output.png holds.  Zeroed = none. */
struct picture_files {
	struct render *render;
	struct file_queue *queue;
	char *folder; /* owned */
	int every;    /* frames */
};

/* Device memory, before anything is written; nothing without output.png.  shared: see render.h.
 * False after reporting; picture_files_finish() is needed all the same. */
bool picture_files_init(struct picture_files *files, struct subject subject,
			struct surface *shared);
/* Makes the folder and the writer, with output.png. */
bool picture_files_open(struct picture_files *files, const struct scene *scene,
			struct run_directory *run);
/* Draws the subject as it is, which is that of a frame, and queues its file, if it is due. */
bool picture_files_write(struct picture_files *files, int frame);
/* Waits until all is written.  False after reporting what failed since the last call. */
bool picture_files_wait(struct picture_files *files);
/* The same at the end, before picture_files_finish(). */
bool picture_files_close(struct picture_files *files);
/* Frees the device memory alone: another subject follows. */
void picture_files_release(struct picture_files *files);
/* Before the subject ends. */
void picture_files_finish(struct picture_files *files);

#endif
