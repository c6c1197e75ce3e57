/* Criteria that are known to be missed: docs/results/validation.md tells of each. */
#ifndef FRESHET_KNOWN_MISSES_H
#define FRESHET_KNOWN_MISSES_H

#include "validate.h"

struct known_miss {
	const char *name, *what; /* of the case; of the criterion */
	double worst;		 /* no farther from the band than this */
	const char *reason;
};

extern const struct known_miss known_misses[]; /* the last one has no name */

/* The verdict on a criterion of a case, from its value, band and a list as above: its verdict and,
 * if it is on the list, its `known` are set. */
void known_miss_judge(const struct known_miss *list, const char *name,
		      struct validate_criterion *criterion);

#endif
