/*
 * Field files for other programs: fields/fields_000000.vtkhdf, an ImageData whose points are the
 * centres of the cells.
 *
 * docs/output.md describes them.  A state is read from the device at once and written in the
 * background.
 */
#ifndef FRESHET_WRITE_FIELDS_H
#define FRESHET_WRITE_FIELDS_H

#include <stdbool.h>

#include "file_queue.h"
#include "sim.h"

/* Queues the file of the present frame in `directory`, which exists.  False after reporting. */
bool write_fields(struct sim *sim, const char *directory, struct file_queue *queue);

/* Points along an axis: cells, but a single layer of them is written twice. */
size_t write_fields_points(const struct scene *scene, int axis);

/* About how long the file of one frame will be. */
double write_fields_bytes(const struct scene *scene);

#endif
