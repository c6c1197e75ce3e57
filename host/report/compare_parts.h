/* The parts of a comparison. */
#ifndef FRESHET_COMPARE_PARTS_H
#define FRESHET_COMPARE_PARTS_H

#include "compare.h"
#include "message.h"

struct comparison {
	const struct compare_options *options;
	bool differs; /* what counts is not equal */
};

/* A line of the report: `what`, padded, and the words.  `counts`: it is a difference that counts;
 * with `quiet` only those are shown. */
void compare_say(struct comparison *self, bool counts, const char *what, const char *format, ...)
	MESSAGE_PRINTF(4, 5);
/* NULL if no tolerance names it. */
struct compare_tolerance *compare_tolerance_of(const struct compare_options *options,
					       const char *name);

/* False after reporting: something could not be read; errno is ENOMEM for lack of memory. */
bool compare_hashes(struct comparison *self);
bool compare_tables(struct comparison *self);
bool compare_pictures(struct comparison *self);

#endif
