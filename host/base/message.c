#include "message.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#define PROGRESS_SECONDS 10

static bool errors_only;

static void default_sink(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (errors_only && level != MESSAGE_ERROR)
		return;
	if (level == MESSAGE_PROGRESS && !message_progress_due())
		return;
	fprintf(stderr, "freshet: %s%s\n", level == MESSAGE_WARNING ? "warning: " : "", text);
}

static message_sink current_sink = default_sink;
static void *current_user;

void message_set_sink(message_sink sink, void *user)
{
	current_sink = sink ? sink : default_sink;
	current_user = user;
}

void message_set_quiet(bool quiet)
{
	errors_only = quiet;
}

MESSAGE_PRINTF(2, 0)
static void send(enum message_level level, const char *format, va_list args)
{
	char text[2048];
	vsnprintf(text, sizeof(text), format, args);
	current_sink(level, text, current_user);
}

bool message_error(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	send(MESSAGE_ERROR, format, args);
	va_end(args);
	return false;
}

bool message_memory(size_t bytes, const char *what)
{
	static const char *const units[] = {"B", "KiB", "MiB"};
	int unit = 0;
	for (; bytes >= 10240 && unit < 2; unit++)
		bytes = bytes / 1024 + (bytes % 1024 != 0);
	if (!bytes)
		return message_error("out of host memory for %s", what);
	return message_error("out of host memory: %zu %s for %s", bytes, units[unit], what);
}

void message_warning(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	send(MESSAGE_WARNING, format, args);
	va_end(args);
}

void message_note(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	send(MESSAGE_NOTE, format, args);
	va_end(args);
}

void message_progress(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	send(MESSAGE_PROGRESS, format, args);
	va_end(args);
}

bool message_progress_due(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static time_t next;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	pthread_mutex_lock(&lock);
	const bool due = now.tv_sec >= next;
	if (due)
		next = now.tv_sec + PROGRESS_SECONDS;
	pthread_mutex_unlock(&lock);
	return due;
}
