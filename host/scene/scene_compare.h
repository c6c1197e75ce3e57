/* What two scenes have different that changes the motion. */
#ifndef FRESHET_SCENE_COMPARE_H
#define FRESHET_SCENE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#define SCENE_DIFFERENCES 20 /* listed; the rest is counted */

struct scene_differences {
	size_t count;
	char line[SCENE_DIFFERENCES][256]; /* "gravity.1 was -9.81, is -5" */
};

/*
 * Compares two texts of scene_to_json().  Keys that cannot change what has been simulated are left
 * out: those whose rows say KEY_MAY_CHANGE (keys/scene_key.h).  False if one is not such a text.
 */
bool scene_compare(const char *before, const char *now, struct scene_differences *differences);

/* Reports them, an error each. */
void scene_report_differences(const struct scene_differences *differences);

#endif
