/* How the files of checkpoints are called, and which there are. */
#ifndef FRESHET_CHECKPOINT_NAMES_H
#define FRESHET_CHECKPOINT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define CHECKPOINT_DIRECTORY "checkpoints" /* in a run's directory */
#define CHECKPOINT_NAME 64		   /* bytes a name needs */

/* "checkpoint_000024.h5" */
void checkpoint_name(int frame, char name[CHECKPOINT_NAME]);

/* The frames there are checkpoints of, the latest first; malloc'ed, NULL if there are none.  False
 * after reporting. */
bool checkpoint_list(const char *directory, int **frames, size_t *count);

#endif
