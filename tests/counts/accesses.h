/*
 * What kernels do to memory, counted: kernels as C are compiled with the calls of -fsanitize=thread
 * at every access, and these functions are what is called.
 */
#ifndef TESTS_COUNTS_ACCESSES_H
#define TESTS_COUNTS_ACCESSES_H

#include <stddef.h>
#include <stdint.h>

struct accesses {
	uint64_t loads, stores;	 /* of global memory, any width */
	uint64_t loaded, stored; /* bytes of these */
	uint64_t read, written;	 /* different bytes: those whose value from before is needed,
				  * and those that are changed */
	uint64_t atomics, local_atomics; /* on global and on local memory */
};

/* From here on accesses count, to nothing yet; local memory lies at `local`, if it is any. */
void accesses_begin(const void *local, size_t local_bytes);
/* What was counted since, added to `total`. */
void accesses_end(struct accesses *total);

#endif
