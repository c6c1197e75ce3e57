/* What the ledger and the interventions of a run say: lines of the end report, members of run.json.
 */
#ifndef FRESHET_RUN_ACCOUNTS_H
#define FRESHET_RUN_ACCOUNTS_H

#include "json_writer.h"
#include "run.h"

/* Lines of the end report.  False after reporting. */
bool run_accounts_print(struct run *run);

/* The members "interventions", "failure" and "ledger" of an open object. */
void run_accounts_add(struct json_writer *json, const struct run *run);

#endif
