/* Will a simulation fit on a device?  Asked before anything is allocated. */
#ifndef FRESHET_SIM_MEMORY_H
#define FRESHET_SIM_MEMORY_H

#include "sim.h"

/* Particles that a scene will start with, about: from the share of sample points (at most two
 * million) that lie in liquid.  No device is needed. */
double sim_estimate_particles(const struct scene *scene);

/* Device memory that may be used, bytes. */
struct sim_memory_limit {
	uint64_t total, buffer; /* in all, and in one buffer */
};

/*
 * The most cells along x with which the scene would fit, on the same domain and with `particles`
 * particles now; more_when_finer: their number follows the cells'.  cells[] gets the grid.  Only
 * grids that the scene reader takes are considered: square cells that fill the domain, so that all
 * axes keep their ratio.  0 if none of them fits.
 */
int sim_largest_grid(const struct scene *scene, double particles, bool more_when_finer,
		     struct sim_memory_limit limit, int cells[3]);

/*
 * Will the scene fit on the device beside what is there, with this many particles?  allocated:
 * bytes of it that exist already.  If not, reports how much is missing and the largest grid that
 * would fit.
 */
bool sim_check_memory(const struct scene *scene, const struct clx *cl, double particles,
		      bool more_when_finer, uint64_t allocated);

#endif
