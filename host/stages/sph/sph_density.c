#include "sph/sph_density.h"

#include <math.h>

#include "bits.h"
#include "sph/sph_plan.h"
#include "statistics.h"

bool sph_find_neighbours(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const struct sph_params p = sph_params_of(sim);
	return LAUNCH(sim->cl, sph_neighbours, clx_range1(sim->particles.count), .g = &g, .p = &p,
		      .position = &sim->particles.now.position, .start = &sim->particles.cell_start,
		      .count = &sim->sph.count, .list = &sim->sph.list);
}

bool sph_measure_density(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const struct sph_params p = sph_params_of(sim);
	struct sph *s = &sim->sph;
	return LAUNCH(sim->cl, sph_density, clx_range1(sim->particles.count), .g = &g, .p = &p,
		      SPH_LISTS(sim), .density = &sim->particles.now.density,
		      .diagonal = &s->diagonal) &&
	       LAUNCH(sim->cl, sph_survey,
		      clx_range1(lattice_striding_items(&sim->lattice, sim->particles.count)),
		      .p = &p, .count = &s->count, .density = &sim->particles.now.density,
		      .scalars = &sim->lattice.scalars);
}

static double sum_of(const u32 *words)
{
	return (double)((u64)words[1] << 32 | words[0]);
}

bool sph_statistics(struct sim *sim)
{
	if (!statistics_state(sim))
		return false;
	const u32 *s = sim->lattice.host_scalars;
	const struct sph *sph = &sim->sph;
	struct step_stats *stats = &sim->stats;
	const double n = sim->particles.count ? (double)sim->particles.count : 1.0;
	const double densest = (double)float_from_bits(s[SCALAR_SPH_DENSEST]);
	const double mean = sum_of(s + SCALAR_SPH_EXCESS) * 0x1p-24 / n;
	/* Their number times what each of them is: it cannot change but by open walls.  What they
	 * are compressed by is its error. */
	const double h = sim->scene->h, cell = sim->dim == 3 ? h * h * h : h * h;
	stats->report.volume = (double)stats->particles * cell / sim->scene->particles_per_cell;
	stats->volume_error = mean > 0.0 ? -mean : 0.0;
	const double own[] = {
		mean,
		densest > 1.0 ? densest - 1.0 : 0.0,
		sum_of(s + SCALAR_SPH_NEIGHBOURS) / n,
		s[SCALAR_SPH_MOST],
		sph->shift_iterations,
		sqrt((double)float_from_bits(s[SCALAR_SPH_SHIFT])),
	};
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		stats->own[i] = own[i];
	return true;
}
