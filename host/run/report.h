/*
 * What a run tells: progress on standard output, errors and warnings on standard error, and all of
 * it in log.txt.  While a report is open it receives every message (message.h), from any thread.
 */
#ifndef FRESHET_REPORT_H
#define FRESHET_REPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "file.h"
#include "message.h"
#include "shared.h"

#define REPORT_WARNINGS 1000 /* kept for run.json; later ones are counted only */

struct report {
	pthread_mutex_t mutex;
	struct append_file log;
	char *early; /* owned; lines for the log from before it was started */
	size_t early_length;
	bool log_dropped;
	bool quiet;	 /* nothing but errors is shown */
	bool terminal;	 /* progress is one redrawn line */
	bool line_drawn; /* the cursor stands behind such a line */
	double drawn_at; /* s */
	char **warnings; /* owned */
	size_t warning_count, warnings_dropped;
	size_t told_before; /* the first so many are of an earlier part of the run: not told again
			     */
	char *error;	    /* owned; the last one shown, NULL = none */
};

/* Begins to receive messages. */
bool report_open(struct report *report, bool quiet);
/* directory/log.txt goes on behind its first `length` bytes, with what was told so far. */
bool report_continue_log(struct report *report, const char *directory, long long length);
/* The log is on the disk up to here. */
bool report_sync(struct report *report);
/* Closes log.txt before the end: nothing more is logged. */
void report_drop_log(struct report *report);

/* The warnings so far, one a line, malloc'ed; NULL after reporting. */
char *report_warnings_text(struct report *report, u64 *dropped);
/* Puts the warnings of an earlier part of the run before those so far, and leaves out, here, in the
 * log and from here on, what is a repetition of them. */
bool report_take_over(struct report *report, const char *lines, size_t dropped);

/* A line for standard output and the log. */
bool report_line(struct report *report, const char *format, ...) MESSAGE_PRINTF(2, 3);
/* The end of a frame: a line for the log, and for standard output unless it is a terminal. */
bool report_frame(struct report *report, const char *text);
/* Progress within a frame, for terminals only; most calls draw nothing. */
void report_status(struct report *report, const char *text);
/* The same, drawn at once: what comes may take long. */
void report_wait(struct report *report, const char *text);

/* Closes log.txt, restores the default messages and frees everything. */
bool report_close(struct report *report);

#endif
