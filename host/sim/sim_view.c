#include "sim_view.h"

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

bool sim_reach(struct sim *sim, int frame, u64 *hash)
{
	if (frame == 0 && !sim_measure(sim))
		return false;
	while (sim->frame < frame)
		if (!sim_substep(sim))
			return false;
	if (hash)
		*hash = sim->stats.hash;
	return true;
}

void sim_watch_stages(struct sim *sim,
		      bool (*after_stage)(struct sim *sim, size_t stage, void *user), void *user)
{
	sim->after_stage = after_stage;
	sim->after_stage_user = user;
}

struct sim_attempt sim_attempt_of(const struct sim *sim)
{
	return (struct sim_attempt){sim->frame + 1, sim->substep + 1, sim->halvings + 1};
}

size_t sim_stage_count(const struct sim *sim)
{
	return sim->method->stage_count;
}

const char *sim_stage_name(const struct sim *sim, size_t stage)
{
	return sim->method->stages[stage].name;
}

bool sim_stage_makes_levelset(const struct sim *sim, size_t stage)
{
	const struct field_use *use = sim->method->stages[stage].writes;
	while (use->member && use->member != offsetof(struct sim, phi))
		use++;
	return use->member != 0;
}

struct poisson *sim_poisson(struct sim *sim)
{
	return &sim->poisson;
}
