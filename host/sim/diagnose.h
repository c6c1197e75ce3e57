/* Finds what is wrong with a substep (struct diagnosis), and tells it. */
#ifndef FRESHET_DIAGNOSE_H
#define FRESHET_DIAGNOSE_H

#include "state.h"

/* Looks at what a stage has made, and keeps what is not finite; nothing if earlier stages had such
 * already.  Slow: fields are read from the device.  False after reporting. */
bool diagnosis_look(struct sim *sim, size_t stage);
/* After the last attempt has failed at `stage`: adds where the step was too long or the pressure is
 * greatest, if no value explains it, and what the message and run.json say. */
bool diagnosis_conclude(struct sim *sim, size_t stage);
/* Tells it: one error, a note for every place. */
void diagnosis_report(const struct sim *sim);

#endif
