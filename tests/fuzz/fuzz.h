/* What the fuzz targets share. */
#ifndef FRESHET_FUZZ_H
#define FRESHET_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called by libFuzzer. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The path of a regular file with these bytes, the same file for every call. */
const char *fuzz_file(const void *data, size_t size);

/* A new folder, which is removed at the end with the one file `name` in it.  That name stands for
 * fuzz_file()'s file if `linked`. */
const char *fuzz_folder(const char *name, bool linked);

/* Messages, and what commands print, are formed but not shown. */
void fuzz_be_silent(void);

/* Ends the program, as a crash does, unless `condition` holds. */
void fuzz_expect(bool condition, const char *what);

#endif
