#include "page_out.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void page_put(struct page_out *out, const void *data, size_t length)
{
	if (out->file) {
		file_stream_write(out->file, data, length);
		return;
	}
	if (out->failed)
		return;
	if (out->length + length + 1 > out->capacity) {
		const size_t capacity = (out->length + length) * 2 + 4096;
		char *grown = realloc(out->text, capacity);
		if (!grown) {
			out->failed = true;
			return;
		}
		out->text = grown;
		out->capacity = capacity;
	}
	memcpy(out->text + out->length, data, length);
	out->length += length;
	out->text[out->length] = '\0';
}

void page_text(struct page_out *out, const char *text)
{
	page_put(out, text, strlen(text));
}

void page_print(struct page_out *out, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	page_text(out, text);
}

void page_escaped(struct page_out *out, const char *text)
{
	static const char *const names[256] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};
	for (; *text; text++) {
		const char *name = names[(unsigned char)*text];
		if (name)
			page_text(out, name);
		else
			page_put(out, text, 1);
	}
}

void page_json(struct page_out *out, const char *json, size_t length)
{
	const char *end = json + length;
	while (json < end) {
		const char *bracket = memchr(json, '<', (size_t)(end - json));
		page_put(out, json, (size_t)((bracket ? bracket : end) - json));
		if (!bracket)
			return;
		page_text(out, "\\u003c");
		json = bracket + 1;
	}
}

void page_base64(struct page_out *out, const void *data, size_t length)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = data;
	char block[4096];
	size_t used = 0;
	for (size_t i = 0; i < length; i += 3) {
		const size_t left = length - i;
		const uint32_t bits = (uint32_t)from[i] << 16 |
				      (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
				      (left > 2 ? (uint32_t)from[i + 2] : 0);
		block[used++] = digits[bits >> 18];
		block[used++] = digits[bits >> 12 & 63];
		block[used++] = left > 1 ? digits[bits >> 6 & 63] : '=';
		block[used++] = left > 2 ? digits[bits & 63] : '=';
		if (used == sizeof(block)) {
			page_put(out, block, used);
			used = 0;
		}
	}
	page_put(out, block, used);
}
