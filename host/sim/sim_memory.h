/* Will a simulation fit on a device?  Asked before anything is allocated. */
#ifndef FRESHET_SIM_MEMORY_H
#define FRESHET_SIM_MEMORY_H

#include "sim.h"

/* Particles that a scene will start with, about: from a sample of the places of seeds, at most two
 * million.  *sure: so many at least, but for a chance of one in a million.  No device is needed.
 * found (or NULL): is set for every liquid, in their order, of which the sample holds a seed. */
double sim_estimate_particles(const struct scene *scene, double *sure, bool *found);

/* So few particles, and so little grid around them, that one core without launches is faster than
 * OpenCL on two (measured: docs/devices.md)? */
bool sim_is_small(const struct scene *scene);
#define SIM_SMALL_2D 8000 /* particles; and twice as many points of the lattice */
#define SIM_SMALL_3D 2000

/* Particles to make room for. */
struct sim_particle_need {
	double count, sure; /* about, and at least */
	bool follows_cells; /* a finer grid has more */
	bool split;	    /* solids cut off a part of some cell, so that they take more each */
};

/* Device memory that may be used, bytes. */
struct sim_memory_limit {
	uint64_t total, buffer; /* in all, and in one buffer */
};

/*
 * The most cells along x, up to the scene's, with which it would fit on the same domain.  cells[]
 * gets the grid.  Only grids that the scene reader takes are considered: square cells that fill the
 * domain, so that all axes keep their ratio.  0 if none of them fits.
 */
int sim_largest_grid(const struct scene *scene, struct sim_particle_need particles,
		     struct sim_memory_limit limit, int cells[3]);

/* The same for boxes of cells of the scene's size, shorter along all axes of more than one cell in
 * equal parts: where the domain's proportions allow no coarser grid.  Longest axis, or 0. */
int sim_largest_box(const struct scene *scene, struct sim_particle_need particles,
		    struct sim_memory_limit limit, int cells[3]);

/* What would fit instead, as the end of a sentence. */
#define SIM_HINT 200
void sim_smaller_hint(const struct scene *scene, struct sim_particle_need particles,
		      struct sim_memory_limit limit, char hint[SIM_HINT]);

/*
 * Will the scene fit on the device beside what is there?  allocated: bytes of it that exist
 * already. If not, reports how much is missing and the largest grid that would fit, or box.
 */
bool sim_check_memory(const struct scene *scene, const struct clx *cl,
		      struct sim_particle_need particles, uint64_t allocated);

#endif
