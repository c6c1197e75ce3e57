/*
 * Particle files for other programs: particles/particles_000000.vtkhdf, .ply or .geo.
 * docs/output.md describes them.
 */
#ifndef FRESHET_WRITE_PARTICLES_H
#define FRESHET_WRITE_PARTICLES_H

#include "particles_read.h"
#include "scene.h"

/* What the file of a frame holds. */
struct particle_file {
	const struct scene *scene;
	int frame;
	double time;			    /* s */
	struct particle_snapshot particles; /* owned */
};

/* Writes the file `path` in the format of scene->output: 0 or an errno value.  Silent. */
int write_particles(const char *path, const struct particle_file *file);

/* About how long the file of one frame will be. */
double write_particles_bytes(const struct scene *scene, double particles);

#endif
