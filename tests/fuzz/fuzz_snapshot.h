/* What the fuzzers of particle files share: scenes, and what holds for a state that is taken. */
#ifndef FRESHET_FUZZ_SNAPSHOT_H
#define FRESHET_FUZZ_SNAPSHOT_H

#include <stdbool.h>

#include "read_particles.h"
#include "scene.h"

void fuzz_snapshot_begin(void);
/* In 2D without, in 3D with affine matrices. */
const struct scene *fuzz_snapshot_scene(bool affine);
/* Reads the file, and checks what is taken or said.  Was it taken? */
bool fuzz_snapshot_read(const char *path, enum scene_particle_format format,
			const struct scene *scene);

#endif
