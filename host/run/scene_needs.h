/* What a scene needs, told without a device, and whether that is possible on any. */
#ifndef FRESHET_SCENE_NEEDS_H
#define FRESHET_SCENE_NEEDS_H

#include "scene.h"
#include "seed.h"

struct scene_needs {
	double particles;		/* at the start, about */
	bool missing[SEED_MAX_LIQUIDS]; /* liquids of which no seed was found */
	uint64_t pictures, meshes;	/* bytes on the device beside the simulation */
};

/* Can its method give all that its outputs ask for?  False after reporting what it cannot. */
bool scene_suits_method(const struct scene *scene);

/* Warns of those that have no liquid to measure, since solids are where they are. */
void scene_warn_of_probes(const struct scene *scene);

/* False after reporting: beyond what the program can number, whatever the device (exit code 2).
 * That a device's memory does not suffice is told when it is known (sim_check_memory(), 1). */
bool scene_needs(const struct scene *scene, struct scene_needs *needs);

/* The same question alone; places of particles are looked at only if they could be too many. */
bool scene_is_possible(const struct scene *scene);

#endif
