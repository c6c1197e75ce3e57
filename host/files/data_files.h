/* The files of a run that other programs read: particles and fields (docs/output.md). */
#ifndef FRESHET_DATA_FILES_H
#define FRESHET_DATA_FILES_H

#include <stdbool.h>

#include "run_directory.h"
#include "scene.h"

struct data_files;
struct sim;

/* Does the scene ask for any? */
bool data_files_wanted(const struct scene *scene);

/* Creates their subdirectories and the writer.  NULL after reporting. */
struct data_files *data_files_create(const struct scene *scene, struct run_directory *run);

/* Reads what belongs to the present frame and queues its files.  False after reporting, also what
 * became of earlier ones. */
bool data_files_write(struct data_files *files, struct sim *sim);

/* Waits until all is written.  False after reporting.  Accepts NULL (true). */
bool data_files_wait(struct data_files *files);

/* Waits until all is written, frees it.  False after reporting.  Accepts NULL (true). */
bool data_files_finish(struct data_files *files);

/* Prints what they will take on disk (freshet check). */
void data_files_print_bytes(const struct scene *scene, double particles);

#endif
