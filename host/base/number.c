#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_non_finite(double x, char text[NUMBER_TEXT])
{
	snprintf(text, NUMBER_TEXT, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
	return text;
}

/* snprintf() writes the decimal mark of the locale, which may be several bytes long. */
static void use_point(char text[NUMBER_TEXT])
{
	const char *mark = localeconv()->decimal_point;
	char *found = strcmp(mark, ".") != 0 ? strstr(text, mark) : NULL;
	if (!found)
		return;
	const char *rest = found + strlen(mark);
	*found = '.';
	memmove(found + 1, rest, strlen(rest) + 1);
}

static bool reads_back(const char *text, double x, bool single)
{
	if (single)
		return !(strtof(text, NULL) < (float)x) && !(strtof(text, NULL) > (float)x);
	return !(strtod(text, NULL) < x) && !(strtod(text, NULL) > x);
}

static const char *shortest(double x, int digits, bool single, char text[NUMBER_TEXT])
{
	if (!isfinite(x))
		return name_non_finite(x, text);
	for (int n = 6; n <= digits; n++) {
		snprintf(text, NUMBER_TEXT, "%.*g", n, x);
		if (n == digits || reads_back(text, x, single))
			break;
	}
	use_point(text);
	return text;
}

const char *number_from_double(double x, char text[NUMBER_TEXT])
{
	return shortest(x, 17, false, text);
}

const char *number_from_float(double x, char text[NUMBER_TEXT])
{
	return shortest(x, 9, true, text);
}

const char *number_from_float_fast(double x, char text[NUMBER_TEXT])
{
	if (!isfinite(x))
		return name_non_finite(x, text);
	snprintf(text, NUMBER_TEXT, "%.9g", x);
	use_point(text);
	return text;
}

bool number_read(const char *text, double *value)
{
	const bool negative = *text == '-';
	const char *c = text + negative;
	double mantissa = 0.0, divisor = 1.0; /* whole numbers below 2^53: exact */
	int digits = 0;
	bool point = false;
	for (; *c; c++) {
		if (*c == '.' && !point) {
			point = true;
			continue;
		}
		if (*c < '0' || *c > '9' || ++digits > 15)
			return false;
		mantissa = 10.0 * mantissa + (*c - '0');
		divisor *= point ? 10.0 : 1.0;
	}
	*value = (negative ? -mantissa : mantissa) / divisor;
	return digits > 0;
}

bool number_take_count(const char **text, uint64_t most, uint64_t *value)
{
	const char *c = *text;
	*value = 0;
	if (*c < '0' || *c > '9')
		return false;
	for (; *c >= '0' && *c <= '9'; c++) {
		const uint64_t digit = (uint64_t)(*c - '0');
		if (digit > most || *value > (most - digit) / 10)
			return false;
		*value = 10 * *value + digit;
	}
	*text = c;
	return true;
}

bool number_read_count(const char *text, uint64_t most, uint64_t *value)
{
	return number_take_count(&text, most, value) && *text == '\0';
}

double number_mebibytes(uint64_t bytes)
{
	return (double)bytes / 1048576.0;
}
