/* The files of frames: STEM, at least six digits, ENDING. */
#ifndef FRESHET_NUMBERED_FILES_H
#define FRESHET_NUMBERED_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The frame of such a name, -1 if it is not one. */
int numbered_file_frame(const char *name, const char *stem, const char *ending);

/* The frames there are such files of in `directory`, ascending; malloc'ed, NULL if there are none
 * or no directory.  False after reporting. */
bool numbered_files_list(const char *directory, const char *stem, const char *ending, int **frames,
			 size_t *count);

#endif
