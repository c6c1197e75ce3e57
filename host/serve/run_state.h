/* How far a run is, for the page that follows it. */
#ifndef FRESHET_RUN_STATE_H
#define FRESHET_RUN_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* JSON: `going`, whether a process is writing the run; `stamp`, a text that changes with run.json;
 * `frames`, the numbers of its pictures; `stats`, `probes`, `forces`, bytes of the tables.  `own`:
 * this process is that one (it must not touch the lock, which closing a descriptor would give
 * back).  Owned by the caller; NULL for lack of memory. */
char *run_state_text(const char *directory, bool own, size_t *length);

#endif
