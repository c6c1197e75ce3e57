/* Lists of device buffers: what a module owns, to allocate it and to tell its size beforehand. */
#ifndef FRESHET_FIELDS_H
#define FRESHET_FIELDS_H

#include "clx.h"

/* One allocation; an empty one takes one element. */
struct field {
	struct clx_buffer *buffer;
	const char *name; /* static */
	size_t count, size;
};

/* Allocates all, zeroed.  False after reporting; those made stay to be freed. */
bool fields_allocate(struct clx *cl, const struct field *fields, size_t count);
void fields_free(struct clx *cl, const struct field *fields, size_t count);
/* Bytes up to where the next view may begin. */
size_t fields_aligned(size_t bytes);

#endif
