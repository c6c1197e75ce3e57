/* The formats of read_particles.c. */
#ifndef FRESHET_READ_PARTICLES_FORMATS_H
#define FRESHET_READ_PARTICLES_FORMATS_H

#include "particles_read.h"

/* Outcome of reading a file's bytes, behind which a zero stands. */
enum read_result {
	READ_DONE,
	READ_FOREIGN, /* it is not such a file of freshet */
	READ_DAMAGED, /* it began like one */
	READ_NO_MEMORY,
};

/* Each fills *snapshot, which must be finished whatever the result.  What the numbers are has not
 * been looked at. */
enum read_result read_particles_vtkhdf(char *bytes, size_t length,
				       struct particle_snapshot *snapshot);
enum read_result read_particles_ply(char *bytes, size_t length, struct particle_snapshot *snapshot);
enum read_result read_particles_geo(char *bytes, size_t length, struct particle_snapshot *snapshot);

#endif
