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
/* Of `count` elements of the buffer's type. */
#define FIELD(buffer, name, count)                                          \
	{                                                                   \
		&(buffer)->raw, (name), (count), sizeof(*(buffer)->element) \
	}

/* Allocates all, zeroed.  False after reporting; those made stay to be freed. */
bool fields_allocate(struct clx *cl, const struct field *fields, size_t count);
void fields_free(struct clx *cl, const struct field *fields, size_t count);

/* A part of a buffer that several take in turn (clx_view()). */
struct field_view {
	struct clx_buffer *view;
	const char *name; /* static */
	size_t bytes, at;
};
#define FIELD_VIEW(view, name, bytes, at)           \
	{                                           \
		&(view)->raw, (name), (bytes), (at) \
	}
bool fields_make_views(struct clx *cl, const union u8_buffer *whole, const struct field_view *views,
		       size_t count);
void fields_free_views(struct clx *cl, const struct field_view *views, size_t count);
/* Bytes up to where the next view may begin. */
size_t fields_aligned(size_t bytes);

#endif
