/* Reading a stats.csv back. */
#ifndef FRESHET_STATS_CSV_READ_H
#define FRESHET_STATS_CSV_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "run_json_read.h"

/* The frames with their hashes, malloc'ed; none if there is no such file.  A last line that a
 * killed run left unfinished is left out.  False after reporting, then with errno ENOMEM if, and
 * only if, memory did not suffice. */
bool stats_csv_read_frames(const char *path, struct published_frame **frames, size_t *count);

#endif
