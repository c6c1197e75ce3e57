/* The formats of write_particles.c. */
#ifndef FRESHET_WRITE_PARTICLES_FORMATS_H
#define FRESHET_WRITE_PARTICLES_FORMATS_H

#include "write_particles.h"

/* Each writes the file `path`: 0 or an errno value.  Silent. */
int write_particles_vtkhdf(const char *path, const struct particle_file *file);
int write_particles_ply(const char *path, const struct particle_file *file);
int write_particles_geo(const char *path, const struct particle_file *file);

#endif
