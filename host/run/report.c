#include "report.h"
#include "clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_SECONDS 0.1

static void erase_line(struct report *report)
{
	if (report->line_drawn)
		fputs("\r\033[K", stdout);
	report->line_drawn = false;
}

/* How much of a text fits: of one in parts, with two blanks between, whole ones. */
static int fitting(const char *text, int width)
{
	const int length = (int)strlen(text);
	int fits = width;
	if (length <= width)
		return length;
	for (int i = 1; i <= width; i++)
		if (text[i] == ' ' && text[i + 1] == ' ')
			fits = i;
	return fits;
}

static void draw_line(struct report *report, const char *text)
{
	struct winsize window = {0};
	int width = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
		width = window.ws_col;
	printf("\r\033[K%.*s", fitting(text, width - 1), text);
	fflush(stdout);
	report->line_drawn = true;
	report->drawn_at = clock_seconds();
}

/* Keeps a line until there is a log; one that memory does not suffice for is lost. */
static void keep_early(struct report *report, const char *level, const char *text)
{
	const size_t bytes = strlen(level) + strlen(text) + sizeof("\n");
	char *grown = realloc(report->early, report->early_length + bytes);
	if (!grown)
		return;
	report->early = grown;
	snprintf(grown + report->early_length, bytes, "%s%s\n", level, text);
	report->early_length += bytes - 1;
}

static bool write_log(struct report *report, const char *level, const char *text)
{
	if (!report->log.path && !report->log_dropped) {
		keep_early(report, level, text);
		return true;
	}
	append_file_text(&report->log, level);
	append_file_text(&report->log, text);
	append_file_text(&report->log, "\n");
	return append_file_flush(&report->log);
}

static void keep_warning(struct report *report, const char *text)
{
	char **grown = NULL;
	char *copy = NULL;
	if (report->warning_count < REPORT_WARNINGS) {
		grown = realloc(report->warnings, (report->warning_count + 1) * sizeof(*grown));
		if (grown)
			report->warnings = grown;
		copy = grown ? strdup(text) : NULL;
	}
	if (copy)
		report->warnings[report->warning_count++] = copy;
	else
		report->warnings_dropped++;
}

/* One cause, such as a full disk, meets several files one after the other: it is told once. */
static bool is_told(const struct report *report, const char *text)
{
	static const char begin[] = "cannot write '";
	const size_t length = sizeof(begin) - 1;
	const char *error = report->error;
	if (!error || strncmp(error, begin, length) != 0 || strncmp(text, begin, length) != 0)
		return false;
	const char *old_reason = strrchr(error, ':'), *reason = strrchr(text, ':');
	return old_reason && reason && strcmp(old_reason, reason) == 0;
}

static bool is_repeated(const struct report *report, const char *text, size_t length)
{
	for (size_t i = 0; i < report->told_before; i++)
		if (strncmp(report->warnings[i], text, length) == 0 &&
		    report->warnings[i][length] == '\0')
			return true;
	return false;
}

/* Not for the log: it differs between runs that are the same. */
static void show_progress(struct report *report, const char *text)
{
	if (report->quiet)
		return;
	if (message_progress_due()) {
		erase_line(report);
		puts(text);
		fflush(stdout);
	} else if (report->terminal) {
		draw_line(report, text);
	}
}

/* Receives messages.  The mutex is recursive: a log that cannot be written reports an error. */
static void receive_message(enum message_level level, const char *text, void *user)
{
	struct report *report = user;
	pthread_mutex_lock(&report->mutex);
	if (level == MESSAGE_PROGRESS) {
		show_progress(report, text);
		pthread_mutex_unlock(&report->mutex);
		return;
	}
	if (level == MESSAGE_ERROR
		    ? is_told(report, text)
		    : level == MESSAGE_WARNING && is_repeated(report, text, strlen(text))) {
		pthread_mutex_unlock(&report->mutex);
		return;
	}
	if (level == MESSAGE_ERROR) {
		char *copy = strdup(text);
		if (copy) {
			free(report->error);
			report->error = copy;
		}
	} else if (level == MESSAGE_WARNING) {
		keep_warning(report, text);
	}
	if (level == MESSAGE_ERROR || !report->quiet) {
		erase_line(report);
		fflush(stdout);
		fprintf(stderr, "freshet: %s%s\n", level == MESSAGE_WARNING ? "warning: " : "",
			text);
	}
	write_log(report,
		  level == MESSAGE_ERROR     ? "error: "
		  : level == MESSAGE_WARNING ? "warning: "
					     : "",
		  text);
	pthread_mutex_unlock(&report->mutex);
}

bool report_open(struct report *report, bool quiet)
{
	*report = (struct report){.quiet = quiet};
	pthread_mutexattr_t recursive;
	if (pthread_mutexattr_init(&recursive) != 0)
		return message_memory(0, "a lock");
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	bool ok = pthread_mutex_init(&report->mutex, &recursive) == 0;
	pthread_mutexattr_destroy(&recursive);
	if (!ok)
		return message_memory(0, "a lock");
	const char *kind = getenv("TERM");
	report->terminal = isatty(STDOUT_FILENO) && kind && strcmp(kind, "dumb") != 0;
	message_set_sink(receive_message, report);
	return true;
}

bool report_continue_log(struct report *report, const char *directory, long long length)
{
	pthread_mutex_lock(&report->mutex);
	bool ok = append_file_reopen(&report->log, directory, "log.txt", length);
	if (ok && report->early) {
		append_file_text(&report->log, report->early);
		ok = append_file_flush(&report->log);
	}
	pthread_mutex_unlock(&report->mutex);
	return ok;
}

void report_drop_log(struct report *report)
{
	pthread_mutex_lock(&report->mutex);
	append_file_close(&report->log);
	report->log_dropped = true;
	pthread_mutex_unlock(&report->mutex);
}

bool report_sync(struct report *report)
{
	pthread_mutex_lock(&report->mutex);
	const bool ok = append_file_sync(&report->log);
	pthread_mutex_unlock(&report->mutex);
	return ok;
}

char *report_warnings_text(struct report *report, u64 *dropped)
{
	pthread_mutex_lock(&report->mutex);
	size_t bytes = 1;
	for (size_t i = 0; i < report->warning_count; i++)
		bytes += strlen(report->warnings[i]) + 1;
	char *text = malloc(bytes), *end = text;
	for (size_t i = 0; text && i < report->warning_count; i++) {
		const size_t length = strlen(report->warnings[i]);
		memcpy(end, report->warnings[i], length);
		end[length] = '\n';
		end += length + 1;
	}
	if (text)
		*end = '\0';
	*dropped = report->warnings_dropped;
	pthread_mutex_unlock(&report->mutex);
	if (!text)
		message_memory(bytes, "the warnings so far");
	return text;
}

static void forget_repeated(struct report *report)
{
	static const char level[] = "warning: ";
	const size_t skip = sizeof(level) - 1;
	char *to = report->early;
	for (char *line = report->early, *next; line && *line; line = next) {
		const size_t length = strcspn(line, "\n");
		next = line + length + (line[length] == '\n');
		const bool repeated = strncmp(line, level, skip) == 0 &&
				      is_repeated(report, line + skip, length - skip);
		if (!repeated) {
			memmove(to, line, (size_t)(next - line));
			to += next - line;
		}
	}
	if (to) {
		*to = '\0';
		report->early_length = (size_t)(to - report->early);
	}
}

bool report_take_over(struct report *report, const char *lines, size_t dropped)
{
	pthread_mutex_lock(&report->mutex);
	char **later = report->warnings;
	const size_t later_count = report->warning_count;
	report->warnings = NULL;
	report->warning_count = 0;
	report->warnings_dropped += dropped;
	char *copy = strdup(lines), *rest = copy;
	for (char *line = copy; line && *line; line = rest) {
		rest = line + strcspn(line, "\n");
		if (*rest)
			*rest++ = '\0';
		keep_warning(report, line);
	}
	free(copy);
	report->told_before = report->warning_count;
	forget_repeated(report);
	for (size_t i = 0; i < later_count; i++) {
		if (!is_repeated(report, later[i], strlen(later[i])))
			keep_warning(report, later[i]);
		free(later[i]);
	}
	free(later);
	pthread_mutex_unlock(&report->mutex);
	return copy || message_memory(strlen(lines) + 1, "the warnings so far");
}

bool report_line(struct report *report, const char *format, ...)
{
	char text[2048];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pthread_mutex_lock(&report->mutex);
	if (!report->quiet) {
		erase_line(report);
		puts(text);
		fflush(stdout);
	}
	bool ok = write_log(report, "", text);
	pthread_mutex_unlock(&report->mutex);
	return ok;
}

bool report_frame(struct report *report, const char *text)
{
	pthread_mutex_lock(&report->mutex);
	if (!report->quiet && report->terminal) {
		draw_line(report, text);
	} else if (!report->quiet) {
		puts(text);
		fflush(stdout);
	}
	bool ok = write_log(report, "", text);
	pthread_mutex_unlock(&report->mutex);
	return ok;
}

static void draw_status(struct report *report, const char *text, double at_least)
{
	pthread_mutex_lock(&report->mutex);
	if (!report->quiet && report->terminal && clock_seconds() - report->drawn_at > at_least)
		draw_line(report, text);
	pthread_mutex_unlock(&report->mutex);
}

void report_status(struct report *report, const char *text)
{
	draw_status(report, text, REDRAW_SECONDS);
}

void report_wait(struct report *report, const char *text)
{
	draw_status(report, text, 0.0);
}

bool report_close(struct report *report)
{
	erase_line(report);
	fflush(stdout);
	bool ok = append_file_close(&report->log);
	message_set_sink(NULL, NULL);
	for (size_t i = 0; i < report->warning_count; i++)
		free(report->warnings[i]);
	free(report->warnings);
	free(report->early);
	free(report->error);
	pthread_mutex_destroy(&report->mutex);
	*report = (struct report){0};
	return ok;
}
