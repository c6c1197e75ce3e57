#ifndef FRESHET_UTF8_H
#define FRESHET_UTF8_H

#include <stddef.h>

/* Bytes of the first character of a text; 0 if it is empty or malformed (RFC 3629: no surrogates,
 * no overlong forms). */
size_t utf8_length(const char *text);

#endif
