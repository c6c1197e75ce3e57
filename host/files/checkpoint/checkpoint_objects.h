/* What checkpoints hold of solids, drains and outflows. */
#ifndef FRESHET_CHECKPOINT_OBJECTS_H
#define FRESHET_CHECKPOINT_OBJECTS_H

#include <hdf5.h>
#include <stdbool.h>

#include "checkpoint_format.h"

/* Of a file of this format; arrays are the checkpoint's, also after a failure.  False if they are
 * not there, or cannot be. */
bool checkpoint_read_objects(hid_t file, struct checkpoint *checkpoint, unsigned format);

#endif
