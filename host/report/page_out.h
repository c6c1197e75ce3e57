/* Where a page is written to: a file, or memory. */
#ifndef FRESHET_PAGE_OUT_H
#define FRESHET_PAGE_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "file_stream.h"
#include "message.h"

/* Zeroed: into memory. */
struct page_out {
	struct file_stream *file; /* borrowed; NULL: into `text` */
	char *text;		  /* owned by who made it */
	size_t length, capacity;
	bool failed; /* memory did not suffice: what follows is dropped */
};

void page_put(struct page_out *out, const void *data, size_t length);
void page_text(struct page_out *out, const char *text);
/* At most 500 bytes. */
void page_print(struct page_out *out, const char *format, ...) MESSAGE_PRINTF(2, 3);

/* A text for HTML, in an element or an attribute in quotes. */
void page_escaped(struct page_out *out, const char *text);
/* JSON for a script element: a "<" in its strings must not end that element. */
void page_json(struct page_out *out, const char *json, size_t length);
/* Bytes as base64 (RFC 4648). */
void page_base64(struct page_out *out, const void *data, size_t length);

#endif
