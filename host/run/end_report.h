/* The end report of a run: lines on standard output and in log.txt. */
#ifndef FRESHET_END_REPORT_H
#define FRESHET_END_REPORT_H

#include "run.h"

/* False after reporting. */
bool end_report_print(struct run *run);

#endif
