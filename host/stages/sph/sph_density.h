/* Who is near whom, and how dense particles are (docs/method.md, "Smoothed particles"). */
#ifndef FRESHET_SPH_DENSITY_H
#define FRESHET_SPH_DENSITY_H

#include "state.h"

/* Buffers that kernels go through neighbours by. */
#define SPH_LISTS(sim)                                                                     \
	.position = &(sim)->particles.now.position, .start = &(sim)->particles.cell_start, \
	.count = &(sim)->sph.count, .list = &(sim)->sph.list, .gradient = &(sim)->sph.gradient

/* Lists of neighbours, of sorted particles.  False after reporting, as all that follow. */
bool sph_find_neighbours(struct sim *sim);
/* Densities, and the diagonal of the operator; what they amount to into the scalars. */
bool sph_measure_density(struct sim *sim);
/* Energies, momentum, ids of the state that was reached, into sim->stats; own[] as SPH_COLUMNS
 * names them, of densities at its start. */
bool sph_statistics(struct sim *sim);

/* Columns of stats.csv: mean over all particles and greatest of what densities are above 1; mean
 * and most neighbours; iterations of the shift; the longest shift, m. */
#define SPH_COLUMNS                                                                     \
	"density_error_mean", "density_error_max", "neighbours_mean", "neighbours_max", \
		"shift_iterations", "shift_max"

#endif
