/* Faults that tests put into a substep: FRESHET_FAULT=nan, speed, stage (fault.h). */
#ifndef FRESHET_STEP_FAULTS_H
#define FRESHET_STEP_FAULTS_H

#include "sim.h"

/* After a stage: spoils what it made, if a fault is due.  False after reporting. */
bool step_faults_inject(struct sim *sim, size_t stage);

#endif
