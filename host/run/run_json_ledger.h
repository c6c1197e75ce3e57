/* What the ledger, the interventions and the failure of a run say, for run.json. */
#ifndef FRESHET_RUN_JSON_LEDGER_H
#define FRESHET_RUN_JSON_LEDGER_H

#include "json_writer.h"
#include "run.h"

/* The members "interventions", "failure" and "ledger" of an open object. */
void run_json_add_ledger(struct json_writer *json, const struct run *run);

#endif
