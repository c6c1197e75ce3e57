/* The folder in which PoCL, the OpenCL driver of CPUs, keeps compiled kernels.  Where it cannot be
 * made PoCL has no device, where it cannot be written kernels do not build, and the results of the
 * calls tell neither. */
#ifndef FRESHET_DRIVER_CACHE_H
#define FRESHET_DRIVER_CACHE_H

#include <stdbool.h>

/* Is it PoCL's name of its platform? */
bool driver_cache_of(const char *platform);

/* Before the first call of OpenCL: an empty POCL_CACHE_DIR, by which PoCL would end the program, is
 * as if it were not set. */
void driver_cache_prepare(void);

/* Makes the folder, as PoCL does, and a file in it.  False after reporting which folder cannot be
 * used, why, and what would help. */
bool driver_cache_check(void);

#endif
