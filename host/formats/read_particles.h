/*
 * Reads particle files back, as particle_formats.h has them.
 *
 * Nothing in a file is believed: what cannot be the state of the scene is refused.
 */
#ifndef FRESHET_READ_PARTICLES_H
#define FRESHET_READ_PARTICLES_H

#include "file_read.h"
#include "particles_read.h"
#include "scene.h"

/* On false *snapshot is empty and `reason` is a sentence whose subject is the file.  Reports
 * nothing.
 */
bool read_particles(const char *path, enum scene_particle_format format, const struct scene *scene,
		    struct particle_snapshot *snapshot, char reason[FILE_READ_REASON]);

/* The same of any scene: what the numbers are has not been looked at.  *snapshot, zeroed at first,
 * must be finished whatever the result. */
bool read_particle_file(const char *path, enum scene_particle_format format,
			struct particle_snapshot *snapshot, char reason[FILE_READ_REASON]);

#endif
