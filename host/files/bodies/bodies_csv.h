/* bodies.csv: where bodies are, frame by frame.  docs/output.md describes it. */
#ifndef FRESHET_BODIES_CSV_H
#define FRESHET_BODIES_CSV_H

#include "file.h"
#include "sim.h"

void bodies_csv_header(struct append_file *file, const struct scene *scene);
/* A row for each body, pending until the file is flushed. */
void bodies_csv_rows(struct append_file *file, const struct sim *sim, int frame, double time);

/* What such a file holds.  Zeroed = nothing. */
struct bodies_table {
	size_t frame_count;
	int *frame;	     /* [frame_count], owned, ascending */
	struct body *bodies; /* [frame_count][body_count], owned */
};

/* The whole frames of a file of `count` bodies; none if there is no file.  False after reporting,
 * also of rows that are not of such bodies. */
bool bodies_csv_read(const char *path, size_t count, struct bodies_table *table);
void bodies_table_free(struct bodies_table *table);
/* The states of a frame, or NULL. */
const struct body *bodies_table_find(const struct bodies_table *table, size_t count, int frame);

#endif
