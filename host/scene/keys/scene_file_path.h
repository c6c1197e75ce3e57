/* Names of files in scenes. */
#ifndef FRESHET_SCENE_FILE_PATH_H
#define FRESHET_SCENE_FILE_PATH_H

#include "scene_value.h"

/* Is it short enough, and without control characters? */
bool scene_file_is_name(const char *file);

/* A file that the scene names, relative to it, as it can be opened from anywhere; where it cannot
 * be, as from here.  malloc'ed; NULL without memory. */
char *scene_file_path(const struct scene_reader *reader, const char *file);

#endif
