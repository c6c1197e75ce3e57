/*
 * stats.csv and probes.csv: columns and rows.  docs/output.md describes every column.
 */
#ifndef FRESHET_TABLES_H
#define FRESHET_TABLES_H

#include "file.h"
#include "scene.h"
#include "sim.h"

/* The line of column names. */
void stats_write_header(struct append_file *file, const struct scene *scene);
/* One row, pending until the file is flushed. */
void stats_write_row(struct append_file *file, const struct step_stats *stats);

void probes_write_header(struct append_file *file, const struct scene *scene);
/* The values of all probes of the scene at the simulation's present state, read from the device.
 * False after reporting. */
bool probes_write_row(struct append_file *file, struct sim *sim);

#endif
