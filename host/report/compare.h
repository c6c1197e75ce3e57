/*
 * Two runs compared: hashes of states, tables, pictures.
 *
 * Without tolerances all of it must be equal, but for times on the clock (columns ms_*).  With
 * tolerances the columns that they name are compared, at the ends of frames, and pictures where a
 * tolerance names them; the rest is told and does not count.
 */
#ifndef FRESHET_COMPARE_H
#define FRESHET_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "exit_code.h"

#define COMPARE_PICTURES "pictures" /* the name that stands for them in tolerances */

struct compare_tolerance {
	const char *name; /* of a column, or COMPARE_PICTURES */
	double value; /* of columns in the column's unit, of pictures in levels of a channel, of 255
		       */
	bool relative; /* of columns: `value` times the greatest magnitude in A */
	bool found;    /* is there such a column? */
};

struct compare_options {
	const char *runs[2]; /* directories */
	struct compare_tolerance *tolerances;
	size_t tolerance_count;
	bool quiet; /* says only what differs */
};

/* Prints what was found.  CODE_DONE: equal; CODE_FAILED: they differ, or memory did not suffice;
 * CODE_REFUSED: one is no run, or a tolerance names no column. */
enum exit_code compare_runs(const struct compare_options *options);

#endif
