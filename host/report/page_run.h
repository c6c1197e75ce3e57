/* What a page holds of a run. */
#ifndef FRESHET_PAGE_RUN_H
#define FRESHET_PAGE_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "page_out.h"
#include "table.h"

/* The tables, in their order. */
enum page_table { PAGE_STATS, PAGE_PROBES, PAGE_FORCES, PAGE_TABLES };
extern const char *const page_table_names[PAGE_TABLES]; /* "stats", and so on; + ".csv" */

/* Owns all but the directory. */
struct page_run {
	const char *directory;
	char *name; /* the directory's own */
	char *json; /* run.json */
	size_t json_length;
	struct table tables[PAGE_TABLES]; /* empty where there is none */
	int *frames;			  /* numbers of its pictures, ascending */
	size_t frame_count;
};

/* Reads all but the pictures; of them every `every`th is listed.  False after reporting; errno is
 * then ENOMEM if, and only if, memory did not suffice. */
bool page_run_read(const char *directory, int every, struct page_run *run);
void page_run_free(struct page_run *run);
/* The name of a run's directory, without those that it lies in; owned by the caller, NULL after
 * reporting. */
char *page_run_name(const char *directory);

/* Elements of run number `index`: run.json and the columns. */
void page_run_data(struct page_out *out, const struct page_run *run, size_t index);
/* The pictures, each in an element that does nothing until its text is read.  False after
 * reporting. */
bool page_run_pictures(struct page_out *out, const struct page_run *run, size_t index);

#endif
