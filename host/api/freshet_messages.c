/* The public interface: messages, and what every function begins with (freshet.h). */
#include "freshet_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#define ERROR_BYTES 8192

/* ---- messages --------------------------------------------------------------------------- */

static _Thread_local char error_text[ERROR_BYTES];

static pthread_mutex_t callback_lock = PTHREAD_MUTEX_INITIALIZER;
static freshet_message_callback current_callback;
static void *current_user;

/* One line more; what does not fit is left out. */
static void keep_error(const char *text)
{
	size_t used = strlen(error_text), length = strlen(text);
	if (used + length + 2 > ERROR_BYTES)
		return;
	if (used > 0)
		error_text[used++] = '\n';
	memcpy(error_text + used, text, length + 1);
}

static void receive_message(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (level == MESSAGE_PROGRESS) {
		if (!message_progress_due())
			return;
		level = MESSAGE_NOTE;
	}
	if (level == MESSAGE_ERROR)
		keep_error(text);
	pthread_mutex_lock(&callback_lock);
	const freshet_message_callback callback = current_callback;
	void *const callback_user = current_user;
	pthread_mutex_unlock(&callback_lock);
	if (callback)
		callback((enum freshet_level)level, text, callback_user);
}

static void install_sink(void)
{
	message_set_sink(receive_message, NULL);
}

void freshet_begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, install_sink);
	error_text[0] = '\0';
}

void freshet_set_message_callback(freshet_message_callback callback, void *user)
{
	pthread_mutex_lock(&callback_lock);
	current_callback = callback;
	current_user = user;
	pthread_mutex_unlock(&callback_lock);
}

const char *freshet_error_message(void)
{
	return error_text;
}

void *freshet_allocate(size_t bytes)
{
	void *memory = calloc(1, bytes);
	if (!memory)
		message_memory(bytes, "the caller");
	return memory;
}

bool freshet_given(const void *pointer, const char *what)
{
	return pointer || message_error("the %s is NULL", what);
}
