#include "compare_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void compare_say(struct comparison *self, bool counts, const char *what, const char *format, ...)
{
	va_list args;
	self->differs = self->differs || counts;
	if (self->options->quiet && !counts)
		return;
	printf("%s %-12s ", counts ? "!" : " ", what);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

struct compare_tolerance *compare_tolerance_of(const struct compare_options *options,
					       const char *name)
{
	for (size_t i = 0; i < options->tolerance_count; i++)
		if (strcmp(options->tolerances[i].name, name) == 0)
			return &options->tolerances[i];
	return NULL;
}
