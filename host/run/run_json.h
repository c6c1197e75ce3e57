/* run.json: what was run, where, and what came of it.  docs/output.md describes every key. */
#ifndef FRESHET_RUN_JSON_H
#define FRESHET_RUN_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "json_writer.h"
#include "run.h"

#define RUN_JSON_NAME "run.json"

/* The file's text for the present state of the run.  malloc'ed; NULL after reporting. */
char *run_json_text(const struct run *run, size_t *length);

/* How a splat path is called in run.json. */
const char *run_json_splat_name(enum splat_path splat);

/* Names, indices, type, versions: members of an open object. */
void run_json_name_device(struct json_writer *json, const struct clx_device_info *info);

/* The members "device" and "build" of an open object. */
void run_json_add_device(struct json_writer *json, const struct clx *cl);
void run_json_add_build(struct json_writer *json, const struct clx *cl);

/* Writes it into the run's directory. */
bool run_json_write(const struct run *run);

/* Where that fails at the end of a run, as on a full disk: a run.json that says "running" says
 * "failed" from now on, by a change of these bytes in place.  Reports nothing. */
void run_json_mark_failed(const struct run *run);

#endif
