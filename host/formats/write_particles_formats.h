/* The formats of write_particles.c. */
#ifndef FRESHET_WRITE_PARTICLES_FORMATS_H
#define FRESHET_WRITE_PARTICLES_FORMATS_H

#include "particles_read.h"
#include "scene.h"

/* The state of one frame.  Owns the snapshot and `directory`. */
struct particle_file {
	const struct scene *scene;
	char *directory;
	int frame;
	double time; /* s */
	struct particle_snapshot particles;
};

/* Each writes the file `path`: 0 or an errno value.  Silent. */
int write_particles_vtkhdf(const char *path, const struct particle_file *file);
int write_particles_ply(const char *path, const struct particle_file *file);
int write_particles_geo(const char *path, const struct particle_file *file);

#endif
