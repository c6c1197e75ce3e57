/*
 * SIGINT, SIGTERM and SIGHUP (a terminal that is closed).
 *
 * While the simulation runs, the first signal is only noted, so that the substep can finish and
 * whole files be written; the second ends the program at once.  During start-up, where there is
 * nothing to save and the kernel build may take long, the first one already does.
 */
#ifndef FRESHET_SIGNALS_H
#define FRESHET_SIGNALS_H

/* Takes over SIGINT, SIGTERM and, unless it is ignored, SIGHUP; the first one is noted.  SIGPIPE
 * and SIGXFSZ are ignored and blocked, in threads made later too, so that a closed pipe and a file
 * size limit arrive as errors of write(). */
void signals_install(void);

/* From now on the first signal ends the program with 128 + its number, after `clean_up(user)`,
 * which must only do what a signal handler may.  A signal that was noted before counts now. */
void signals_end_at_once(void (*clean_up)(const void *user), const void *user);

/* From now on the first signal is noted (again). */
void signals_note(void);

/* The first signal noted, 0 = none. */
int signals_noted(void);

#endif
