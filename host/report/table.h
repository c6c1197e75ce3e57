/* A table of a run: stats.csv, probes.csv, forces.csv, as columns of numbers. */
#ifndef FRESHET_TABLE_H
#define FRESHET_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define TABLE_COLUMNS 4096 /* most */
#define TABLE_HASH 16	   /* digits */

/* Owns everything. */
struct table {
	size_t column_count, row_count;
	char **names;	/* [column_count] */
	double *values; /* [column_count][row_count]; NAN where a field is empty or no
			 * number, and in the column "hash" */
	char *hashes;	/* [row_count][TABLE_HASH + 1]: of the column "hash", "" for none; NULL
			 * without such a column */
};

/*
 * Reads directory/name: a line of names, quoted where they hold commas or quotes (RFC 4180), then a
 * line for each row.  Fields that a row lacks are empty; a last line without its end, as killed
 * runs leave, is left out.  *there: false if there is no such file, which is no error.  False after
 * reporting; errno is then ENOMEM if, and only if, memory did not suffice.
 */
bool table_read(const char *directory, const char *name, struct table *table, bool *there);
/* The same of a text, which is changed; `path` is for messages. */
bool table_parse(char *text, size_t length, const char *path, struct table *table);
void table_free(struct table *table); /* leaves it empty */

/* The column of that name; -1. */
long table_find(const struct table *table, const char *name);
/* [row_count] */
const double *table_column(const struct table *table, size_t column);
/* Of a row; "" without one. */
const char *table_hash(const struct table *table, size_t row);

#endif
