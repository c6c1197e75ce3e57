/* probes.csv: columns and rows.  docs/output.md describes them. */
#ifndef FRESHET_PROBES_CSV_H
#define FRESHET_PROBES_CSV_H

#include "file.h"
#include "subject.h"

/* The line of column names. */
void probes_csv_header(struct append_file *file, const struct scene *scene);
/* Do the columns of both scenes mean the same: probes of the same names, places, quantities?  None
 * contradict no others: rows may be of a run that had some, went on without, and has them again. */
bool probes_csv_same(const struct scene *a, const struct scene *b);
/* One row, pending until the file is flushed: the values of all probes of the scene in the present
 * state, which is that of a frame, read from the device.  False after reporting. */
bool probes_csv_row(struct append_file *file, struct subject subject, int frame, double time);

#endif
