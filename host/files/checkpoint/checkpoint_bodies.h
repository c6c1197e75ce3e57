/* What checkpoints hold of bodies and their contacts. */
#ifndef FRESHET_CHECKPOINT_BODIES_H
#define FRESHET_CHECKPOINT_BODIES_H

#include <hdf5.h>
#include <stdbool.h>

#include "checkpoint.h"

/* From the simulation.  False after reporting. */
bool checkpoint_capture_bodies(struct checkpoint *checkpoint, const struct sim *sim);
/* Are they those of the scene, with contacts that it can have? */
bool checkpoint_has_bodies(const struct checkpoint *checkpoint, const struct sim *sim);
/* Into the simulation, if it has those.  False after reporting. */
bool checkpoint_restore_bodies(const struct checkpoint *checkpoint, struct sim *sim);

/* Of a file; arrays are the checkpoint's, also after a failure.  False if they are not there, or
 * cannot be. */
bool checkpoint_read_bodies(hid_t file, struct checkpoint *checkpoint, unsigned format);

#endif
