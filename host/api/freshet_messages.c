/* The public interface: messages, and what every function begins with (freshet.h). */
#include "freshet_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#define ERROR_BYTES 8192

/* ---- messages --------------------------------------------------------------------------- */

/* [ERROR_BYTES] of a thread once it has an error: the little memory that threads have from the
 * start does not hold it where the library is loaded by a program that runs (Python). */
static _Thread_local char *error_text;
static _Thread_local bool error_lost; /* for want of memory */
static pthread_key_t error_key;	      /* frees it with its thread */
static bool has_error_key;

static pthread_mutex_t callback_lock = PTHREAD_MUTEX_INITIALIZER;
static freshet_message_callback current_callback;
static void *current_user;

static bool have_error_text(void)
{
	if (error_text)
		return true;
	error_text = calloc(1, ERROR_BYTES);
	if (error_text && (!has_error_key || pthread_setspecific(error_key, error_text) != 0)) {
		free(error_text);
		error_text = NULL;
	}
	error_lost = !error_text;
	return !error_lost;
}

/* One line more; what does not fit is left out. */
static void keep_error(const char *text)
{
	if (!have_error_text())
		return;
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
	has_error_key = pthread_key_create(&error_key, free) == 0;
	message_set_sink(receive_message, NULL);
}

void freshet_begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, install_sink);
	error_lost = false;
	if (error_text)
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
	if (error_lost)
		return "out of host memory for the text of an error";
	return error_text ? error_text : "";
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
