/*
 * The host's allocations, for FRESHET_FAULT=alloc:N.
 *
 * The linker puts these in place of malloc() and so on (--wrap in meson.build) in what is compiled
 * here; libraries, drivers among them, allocate as ever.
 */
#include <errno.h>
#include <stddef.h>

#include "fault.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): --wrap gives these names */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);

static bool may_allocate(void)
{
	if (!fault_is_due(FAULT_ALLOC))
		return true;
	errno = ENOMEM;
	return false;
}

void *__wrap_malloc(size_t bytes)
{
	return may_allocate() ? __real_malloc(bytes) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
	return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *memory, size_t bytes)
{
	return may_allocate() ? __real_realloc(memory, bytes) : NULL;
}

char *__wrap_strdup(const char *text)
{
	return may_allocate() ? __real_strdup(text) : NULL;
}

char *__wrap_strndup(const char *text, size_t length)
{
	return may_allocate() ? __real_strndup(text, length) : NULL;
}
/* NOLINTEND */
