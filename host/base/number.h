/* Numbers as text: the shortest form that reads back to the same value, with a '.' in any locale.
 */
#ifndef FRESHET_NUMBER_H
#define FRESHET_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#define NUMBER_TEXT 40 /* bytes, terminator included; enough for every number */

/* Writes x and returns `text`.  Infinite and undefined values give "inf", "-inf" and "nan". */
const char *number_from_double(double x, char text[NUMBER_TEXT]);

/* The same for a value that was computed in single precision: at most 9 digits, which is enough to
 * read back the same float. */
const char *number_from_float(double x, char text[NUMBER_TEXT]);

/* 9 digits, which read back the same float but are not the shortest that do; several times faster.
 */
const char *number_from_float_fast(double x, char text[NUMBER_TEXT]);

/* Reads plain decimals: an optional '-', digits, an optional '.' and more digits, at most 15 in
 * all; the result is the nearest double.  False if `text` is anything else. */
bool number_read(const char *text, double *value);

/* The whole number that *text begins with, digits only: no sign, no blanks.  *text goes past it.
 * False if there is no digit, or the number is greater than `most`. */
bool number_take_count(const char **text, uint64_t most, uint64_t *value);
/* The same where nothing may follow. */
bool number_read_count(const char *text, uint64_t most, uint64_t *value);

double number_mebibytes(uint64_t bytes);

#endif
