/* forces.csv: columns and rows.  docs/output.md describes them. */
#ifndef FRESHET_FORCES_CSV_H
#define FRESHET_FORCES_CSV_H

#include "file.h"
#include "sim.h"

/* The line of column names: of each solid force, torque and work; of friction, where something
 * rubs, too. */
void forces_csv_header(struct append_file *file, const struct scene *scene, bool friction);
/* One row, pending until the file is flushed: the loads of the frame that has been reached. Without
 * values where no substep has been done since the last frame. */
void forces_csv_row(struct append_file *file, const struct sim *sim, int frame, double time);

#endif
