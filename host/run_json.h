/* run.json: what was run, where, and what came of it.  docs/output.md describes every key. */
#ifndef FRESHET_RUN_JSON_H
#define FRESHET_RUN_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "run.h"

#define RUN_JSON_NAME "run.json"

/* The file's text for the present state of the run.  malloc'ed; NULL after reporting. */
char *run_json_text(const struct run *run, size_t *length);

/* How a splat path is called in run.json. */
const char *run_json_splat_name(enum clx_splat splat);

/* Writes it into the run's directory. */
bool run_json_write(const struct run *run);

#endif
