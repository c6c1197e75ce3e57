/* Names of columns in tables. */
#ifndef FRESHET_CSV_COLUMN_H
#define FRESHET_CSV_COLUMN_H

#include "file.h"

/* Appends a comma, the name and its ending: quoted where the text would break the line (RFC 4180).
 */
void csv_column(struct append_file *file, const char *name, const char *ending);

#endif
