/* The checkpoints of a run: when they are written, which one a run goes on from. */
#ifndef FRESHET_RESUME_H
#define FRESHET_RESUME_H

#include "checkpoint/checkpoint.h"
#include "exit_code.h"

struct run; /* run.h */

/* A run's checkpoints.  Zeroed = none. */
struct resume {
	bool found;
	struct checkpoint from; /* if found; its particles until resume_restore() */
	int *frames;		/* owned; of all checkpoints, ascending */
	size_t untried;		/* so many of them, the latest were tried */
	bool other_version;	/* one of them is whole, but of another version of the format */
	char **refused;		/* owned; names of files that cannot be used */
	size_t refused_count;
	double seconds_between; /* of clock time, after which one is due in any case */
	double written_at;	/* on the clock: the latest, or the run's start */
	bool write_failed;
};

/* Clock time between checkpoints: FRESHET_CHECKPOINT_SECONDS, or the default.  False after
 * reporting. */
bool resume_read_environment(double *seconds_between);

/*
 * With --resume: finds the newest usable checkpoint in the run's directory and reads it.  Says why
 * others are refused, and if there is none.  Changes no file.  CODE_REFUSED, after reporting, when
 * the directory holds a run of another scene or one beyond the last frame.
 */
enum exit_code resume_find(struct run *run);

/*
 * Puts the state found into run->sim and the totals into run->summary.  Where what a file holds
 * turns out not to be a state of the run, says why and goes on with the one before; if there is
 * none, `found` is false and run->sim as it was.  Else like resume_find().
 */
enum exit_code resume_restore(struct run *run);

/* Puts refused checkpoints out of the way ("NAME.refused"), and takes earlier warnings over. */
bool resume_begin(struct run *run);

/*
 * A table of a run that goes on: `name` in the run's directory is cut behind the checkpoint's last
 * row. `header` is the line of columns that the run would write; a table with another one, or whose
 * columns mean something else (`same` is false), gets another name, with a warning.  NULL: the run
 * writes no such table.  `bytes_then`: its length at the checkpoint, -1 = not written; rows that it
 * has lost since are warned about.  *kept is how many bytes stay, 0 = it begins.  False after
 * reporting.
 */
bool resume_table(const struct run *run, const char *name, const char *header, bool same,
		  int64_t bytes_then, long long *kept);
/* The same of the log: whole lines of what it had at the checkpoint. */
bool resume_log(const struct run *run, const char *name, long long *kept);

/* After a substep: writes a checkpoint if one is due. */
bool resume_checkpoint_if_due(struct run *run);
/* Writes one at the end of a run that could go on, and says where.  False after reporting; earlier
 * ones are then as they were. */
bool resume_leave_checkpoint(struct run *run);

void resume_free(struct resume *resume);

#endif
