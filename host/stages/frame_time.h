/* Where frames and substeps end. */
#ifndef FRESHET_FRAME_TIME_H
#define FRESHET_FRAME_TIME_H

#include "state.h"

/* The time of a frame, s. */
double frame_time(const struct sim *sim, int frame);
/* Where the substep under way ends, s: exactly at the frame's time if it is the frame's last. */
double frame_time_substep(const struct sim *sim);

#endif
