/* Devices that end long loops of a kernel early (kernels/loops.h). */
#ifndef FRESHET_LOOPS_HOST_H
#define FRESHET_LOOPS_HOST_H

#include <stdbool.h>

#include "sim.h"

/* Is sim's device one?  sim->loops_cut. */
bool loops_probe(struct sim *sim);

/* Reports that it has ended loops that were needed.  False. */
bool loops_report(const struct sim *sim);

/* Has it, since the word was 0?  For what runs before the first substep; a substep has the word
 * among host_scalars. */
bool loops_read(struct sim *sim, bool *cut);

#endif
