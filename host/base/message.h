/* Messages for the person who runs the program.  One line each, no trailing newline given. */
#ifndef FRESHET_MESSAGE_H
#define FRESHET_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __GNUC__
#define MESSAGE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define MESSAGE_PRINTF(f, a)
#endif

/* MESSAGE_PROGRESS: how far something is that takes long, often; message_progress_due(). */
enum message_level { MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_NOTE, MESSAGE_PROGRESS };

/* Receives every message; `text` lives until the call returns. */
typedef void (*message_sink)(enum message_level level, const char *text, void *user);

/* Replaces the sink (default: "freshet: " + text on stderr).  NULL restores the default. */
void message_set_sink(message_sink sink, void *user);

/* With the default sink: errors only, or all again. */
void message_set_quiet(bool quiet);

/* Reports an error and returns false, so that callers can write `return message_error(...)`. */
bool message_error(const char *format, ...) MESSAGE_PRINTF(1, 2);
/* Reports that host memory did not suffice: "out of host memory: 3 KiB for WHAT", and returns
 * false. bytes: what was asked for, 0 = not known.  Say behind `what` what needs less, where the
 * user can choose. */
bool message_memory(size_t bytes, const char *what);
void message_warning(const char *format, ...) MESSAGE_PRINTF(1, 2);
void message_note(const char *format, ...) MESSAGE_PRINTF(1, 2);
void message_progress(const char *format, ...) MESSAGE_PRINTF(1, 2);

/* For sinks: is progress to be a line of its own?  The first is, and one in 10 s after that. */
bool message_progress_due(void);

#endif
