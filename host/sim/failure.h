/* Why a substep failed, in words. */
#ifndef FRESHET_FAILURE_H
#define FRESHET_FAILURE_H

#include "step.h"

/* A cause in words, and its key in run.json. */
const char *sim_failure_text(enum step_failure failure);
const char *sim_failure_name(enum step_failure failure);

#endif
