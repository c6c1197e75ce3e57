/* Pictures as files: frames/frame_000000.png, written in the background. */
#ifndef FRESHET_PICTURE_FILES_H
#define FRESHET_PICTURE_FILES_H

#include "output.h"
#include "sim.h"

struct image_writer; /* image.h */
struct render;	     /* render.h */

#define PICTURE_DIRECTORY "frames" /* in a run's directory */
#define PICTURE_NAME 32		   /* bytes a name needs */

/* "frame_000024.png" */
void picture_file_name(int frame, char name[PICTURE_NAME]);

/* What a run with output.png holds.  Zeroed = none. */
struct picture_output {
	struct render *render;
	struct image_writer *writer;
	char *directory; /* owned */
};

/* Device memory, before anything is written; nothing without output.png.  False after reporting;
 * picture_output_finish() is needed all the same. */
bool picture_output_init(struct picture_output *output, struct sim *sim);
/* Makes the subdirectory and the writer, with output.png. */
bool picture_output_open(struct picture_output *output, const struct scene *scene,
			 const struct output *run);
/* Draws the present state and queues its file, if it is due. */
bool picture_output_frame(struct picture_output *output, struct sim *sim);
/* Waits until all is written.  False after reporting what failed since the last call. */
bool picture_output_wait(struct picture_output *output);
/* The same at the end, before picture_output_finish(). */
bool picture_output_close(struct picture_output *output);
/* Frees the device memory alone: another simulation follows. */
void picture_output_release(struct picture_output *output);
void picture_output_finish(struct picture_output *output);

#endif
