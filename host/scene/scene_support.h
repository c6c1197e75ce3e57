/* Shared by the files of the scene reader: located errors, suggestions, growing arrays. */
#ifndef FRESHET_SCENE_SUPPORT_H
#define FRESHET_SCENE_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "message.h"

/* Where a piece of a scene came from: SCENE_SOURCE_FILE, or the index of a --set override. */
#define SCENE_SOURCE_FILE (-1)

/* Collects the errors of one scene_read().  Nothing is owned. */
struct scene_errors {
	const char *path;	 /* of the scene file */
	const char *const *sets; /* the overrides, "key.path=value" */
	int count;		 /* errors so far, those no longer shown included */
	bool out_of_memory;	 /* one of them was for lack of memory */
};

/* Reports "PATH:LINE:COLUMN: text" (or "--set KEY=VALUE: text") through message_error().  Line and
 * column count from 1; line 0 = the file as a whole.  After many errors only counts. */
void scene_error_at(struct scene_errors *errors, int source, size_t line, size_t column,
		    const char *format, ...) MESSAGE_PRINTF(5, 6);

/* Warns in the same form through message_warning(). */
void scene_warning_at(const struct scene_errors *errors, int source, size_t line, size_t column,
		      const char *format, ...) MESSAGE_PRINTF(5, 6);

/* The scene may be good, but there is no memory for it.  Returns false. */
bool scene_error_memory(struct scene_errors *errors);

/* Bytes that scene_quote() needs. */
#define SCENE_QUOTE 72

/* `text` made fit for a message: cut to a readable length, control characters replaced.  Returns
 * `buffer`. */
const char *scene_quote(const char *text, char buffer[SCENE_QUOTE]);

/* The name nearest to `word` in a NULL-terminated list, or NULL when none is near.  Optimal string
 * alignment distance (Damerau 1964), case ignored.  A leading '!' of a name is skipped. */
const char *scene_suggest(const char *word, const char *const *names);

/* Makes room for `needed` elements of `size` bytes; *capacity is updated.  Returns the (moved)
 * array, or NULL when memory is short (the old array stays valid). */
void *scene_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* Malloc'ed copy of a string, or NULL. */
char *scene_copy_text(const char *text);

#endif
