/*
 * What stays of the tables and the log of a run that goes on.
 *
 * The rows themselves say which they are: a checkpoint's byte counts would be wrong for a table
 * that a later part of the run has begun again.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_open.h"
#include "message.h"
#include "number.h"
#include "resume.h"
#include "run.h"

struct table {
	bool same_columns; /* the first line is the one that the run would write */
	bool has_rows;	   /* up to the checkpoint */
	bool reaches;	   /* the last of them is the checkpoint's own */
	long long kept;	   /* bytes: the first line, and rows up to the checkpoint */
};

/* Rows begin with the frame, or with the frame that is on the way and the substep. */
static bool read_row_instant(const char *line, bool by_substep, long at[2])
{
	uint64_t number;
	for (int i = 0; i <= by_substep; i++) {
		if (!number_take_count(&line, INT32_MAX, &number) || *line++ != ',')
			return false;
		at[i] = (long)number;
	}
	return true;
}

static bool is_whole(const char *line, ssize_t length)
{
	return length > 0 && line[length - 1] == '\n';
}

/* What a line may take at least; and, as names are two letters and numbers at most 32, a row for
 * each letter of the header. */
#define LINE_LEAST ((size_t)1 << 20)
#define ROW_PER_HEADER 16

/* The next line, its end included; a longer one, or one with a zero in it, is no whole line.
 * Negative at the end. */
static ssize_t read_line(FILE *file, char *line, size_t capacity)
{
	return fgets(line, (int)capacity, file) ? (ssize_t)strlen(line) : -1;
}

/* False, with errno, if the file cannot be read. */
static bool scan_table(FILE *file, const char *header, const struct checkpoint *c,
		       struct table *table)
{
	const size_t columns = header ? strlen(header) : 0;
	const size_t capacity = LINE_LEAST + ROW_PER_HEADER * columns;
	char *line = capacity <= INT_MAX ? malloc(capacity) : NULL;
	if (!line) {
		errno = ENOMEM;
		return false;
	}
	ssize_t length = read_line(file, line, capacity);
	const bool by_substep = length > 0 && strncmp(line, "frame,substep,", 14) == 0;
	table->same_columns = length >= 0 && (!header || strcmp(line, header) == 0);
	table->kept = is_whole(line, length) ? length : 0;
	while (table->kept > 0 && (length = read_line(file, line, capacity)) > 0) {
		long at[2] = {0};
		if (!is_whole(line, length) || !read_row_instant(line, by_substep, at))
			break;
		const long frame = at[0] - c->frame, substep = at[1] - c->substep;
		if (frame > 0 && !(by_substep && frame == 1 && substep <= 0))
			break;
		table->has_rows = true;
		table->reaches =
			c->substep > 0 && by_substep ? frame == 1 && substep == 0 : frame == 0;
		table->kept += length;
	}
	const int code = errno;
	free(line);
	errno = code;
	return !ferror(file);
}

/* NAME.csv becomes NAME_before_frame_000024.csv; more digits where that is taken. */
static bool put_table_aside(const struct run *run, const char *name, const char *path)
{
	const int stem = (int)strcspn(name, ".");
	char *aside = NULL;
	for (int digits = 6; !aside; digits++) {
		char text[80];
		snprintf(text, sizeof(text), "%.*s_before_frame_%0*d.csv", stem, name, digits,
			 run->resume.from.frame);
		aside = file_join(run->directory.path, text);
		if (!aside)
			return false;
		if (digits < 32 && access(aside, F_OK) == 0) {
			free(aside);
			aside = NULL;
		}
	}
	const bool ok = rename(path, aside) == 0;
	if (ok)
		message_warning(
			"'%s' has other columns, or other probes, than at the checkpoint: the rows so far are in '%s'",
			name, aside);
	else
		message_error("cannot rename '%s': %s", path, strerror(errno));
	free(aside);
	return ok;
}

static bool keep_rows(const struct run *run, const char *name, const char *path, const char *header,
		      bool same, bool was_written, long long *kept)
{
	const struct checkpoint *c = &run->resume.from;
	struct table table = {0};
	FILE *file = file_open_update(path);
	if (!file && errno == ENOENT) {
		if (header && was_written)
			message_warning("'%s' is no longer there: it begins again behind frame %d",
					path, c->frame);
		return true;
	}
	if (!file)
		return message_error("cannot go on with '%s': %s", path, file_open_reason(errno));
	const bool ok = (scan_table(file, header, c, &table) ||
			 message_error("cannot read '%s': %s", path, strerror(errno))) &&
			(ftruncate(fileno(file), (off_t)table.kept) == 0 ||
			 message_error("cannot shorten '%s': %s", path, strerror(errno)));
	fclose(file);
	if (!ok)
		return false;
	table.same_columns = table.same_columns && same;
	if (header && !table.same_columns && table.has_rows)
		return put_table_aside(run, name, path);
	if (header && was_written && !table.reaches)
		message_warning("'%s' has lost rows up to frame %d: they are not written again",
				path, c->frame);
	*kept = table.same_columns ? table.kept : 0;
	return true;
}

bool resume_table(const struct run *run, const char *name, const char *header, bool same,
		  int64_t bytes_then, long long *kept)
{
	*kept = 0;
	if (!run->resume.found)
		return true;
	char *path = file_join(run->directory.path, name);
	const bool ok = path && keep_rows(run, name, path, header, same, bytes_then > 0, kept);
	free(path);
	return ok;
}

/* The end of the last whole line within the first `most` bytes. */
static long long whole_lines(FILE *file, long long most)
{
	long long kept = 0, read = 0;
	for (int byte; read < most && (byte = getc(file)) != EOF;) {
		read++;
		if (byte == '\n')
			kept = read;
	}
	return kept;
}

bool resume_log(const struct run *run, const char *name, long long *kept)
{
	const struct checkpoint *c = &run->resume.from;
	*kept = 0;
	if (!run->resume.found || c->log_bytes <= 0)
		return true;
	char *path = file_join(run->directory.path, name);
	FILE *file = path ? file_open_read(path) : NULL;
	bool ok = path != NULL;
	if (file) {
		*kept = whole_lines(file, c->log_bytes);
		ok = !ferror(file) || message_error("cannot read '%s': %s", path, strerror(errno));
		fclose(file);
	} else if (path && errno == ENOENT) {
		message_warning("'%s' is no longer there: it begins again behind frame %d", path,
				c->frame);
	} else if (path) {
		ok = message_error("cannot read '%s': %s", path, file_open_reason(errno));
	}
	free(path);
	return ok;
}
