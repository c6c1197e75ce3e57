/* What is asked of a simulation by those who need not know struct sim. */
#include "sim.h"

struct instant sim_instant(const struct sim *sim)
{
	return (struct instant){sim->frame, sim->substep, sim->time};
}

const struct step_stats *sim_statistics(const struct sim *sim)
{
	return &sim->stats;
}

u32 sim_particle_count(const struct sim *sim)
{
	return sim->particles.count;
}

u32 sim_particle_room(const struct sim *sim)
{
	return sim->particles.capacity;
}
