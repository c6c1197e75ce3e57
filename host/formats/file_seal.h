/* The seal of an HDF5 file: its length and checksum, behind its last byte, where readers of HDF5 do
 * not look.  What is damaged is so known before the library parses it, which may crash on it. */
#ifndef FRESHET_FILE_SEAL_H
#define FRESHET_FILE_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "file_read.h"

#define FILE_SEAL 64 /* bytes: text, padded with zeros */

void file_seal(char seal[FILE_SEAL], const void *bytes, size_t length);

/* Are `length` bytes a file that ends in its seal?  *length is then that of the file without it.
 * False with a reason, a phrase whose subject is the file. */
bool file_seal_check(const void *bytes, size_t *length, char reason[FILE_READ_REASON]);

#endif
