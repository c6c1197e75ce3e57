/*
 * The page of a run: what `freshet report` writes, with all data in it, and what `freshet serve`
 * gives, which asks for its data.  docs/report.md.
 *
 * Curves are drawn by dygraphs (https://dygraphs.com, MIT), whose two files are read from where
 * Debian's libjs-dygraphs puts them, or from the folder that FRESHET_JAVASCRIPT names.
 */
#ifndef FRESHET_PAGE_H
#define FRESHET_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "exit_code.h"

#define PAGE_RUNS 8 /* most beside each other */

struct report_options {
	const char *runs[PAGE_RUNS]; /* directories */
	size_t run_count;
	const char *output; /* NULL: report.html, in the run's directory if there is one run */
	int every;	    /* of the pictures; from 1 */
	bool overwrite;	    /* also what is no report */
	bool quiet;
};

/* Writes the report of runs beside each other. */
enum exit_code report_write(const struct report_options *options);

/* Is dygraphs there?  False after reporting. */
bool page_is_possible(void);

/* The page of served runs, whose data lie at "0/run.json", "0/stats.csv" and so on; owned by the
 * caller, NULL after reporting. */
char *page_served(const char *const *names, size_t count, size_t *length);

#endif
