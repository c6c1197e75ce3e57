/* Time that passes, for durations. */
#ifndef FRESHET_CLOCK_H
#define FRESHET_CLOCK_H

/* Seconds since some moment; never goes back. */
double clock_seconds(void);

#endif
