/* The stages of a substep, in order. */
#ifndef FRESHET_STEP_TABLE_H
#define FRESHET_STEP_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct sim;

struct stage {
	const char *name; /* of its column ms_NAME */
	bool (*run)(struct sim *sim);
};

/* methods/flip.c; index = clx stage. */
const struct stage *step_stages(size_t *count);

size_t sim_stage_count(void);
const char *sim_stage_name(size_t stage);

#endif
