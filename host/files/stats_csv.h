/* stats.csv: columns and rows.  docs/output.md describes every column. */
#ifndef FRESHET_STATS_CSV_H
#define FRESHET_STATS_CSV_H

#include "file.h"
#include "scene.h"
#include "step.h"

/* The line of column names. */
void stats_csv_header(struct append_file *file, const struct scene *scene);
/* One row, pending until the file is flushed. */
void stats_csv_row(struct append_file *file, const struct scene *scene,
		   const struct step_stats *stats);

#endif
