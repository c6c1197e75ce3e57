#include "neighbours/neighbours.h"

#include "neighbours/neighbours_parts.h"

/* Of springs, per substep, in cells: as far as the correction of the density goes. */
#define SPRINGS_LIMIT 0.1

bool neighbours_wanted(const struct scene *scene)
{
	const struct solver_settings *s = &scene->solver;
	return s->drift == DRIFT_PUSH || s->drift == DRIFT_SPRINGS || s->reposition ||
	       s->collision_distance > 0.0;
}

/* Velocities first: they are of particles that have not moved yet. */
static bool move(struct sim *sim, double limit, bool resample, u32 turn)
{
	return (!resample ||
		(neighbours_keep_velocities(sim) && neighbours_resample_at(sim, (f32)limit))) &&
	       neighbours_move(sim, (f32)limit, turn) &&
	       (!resample || neighbours_take_velocities(sim));
}

static bool push(struct sim *sim)
{
	const struct solver_settings *s = &sim->scene->solver;
	const double distance = s->push_distance * neighbours_spacing(sim);
	for (int n = 0; n < s->push_iterations; n++) {
		const bool resample = s->resample && n == s->push_iterations - 1;
		if (!neighbours_index(sim) || !neighbours_count_contacts(sim, distance) ||
		    !neighbours_push_apart(sim, distance) || !move(sim, distance, resample, (u32)n))
			return false;
	}
	return true;
}

static bool space(struct sim *sim)
{
	return neighbours_index(sim) && neighbours_space(sim) &&
	       move(sim, SPRINGS_LIMIT * sim->scene->h, sim->scene->solver.resample, 32);
}

/* Velocities and places of the same pairs. */
static bool collide(struct sim *sim)
{
	const double distance = sim->scene->solver.collision_distance * neighbours_spacing(sim);
	return neighbours_index(sim) && neighbours_count_contacts(sim, distance) &&
	       neighbours_keep_velocities(sim) && neighbours_collide_pairs(sim, distance) &&
	       neighbours_take_velocities(sim) && neighbours_push_apart(sim, distance) &&
	       neighbours_move(sim, (f32)distance, 33);
}

bool neighbours_correct(struct sim *sim)
{
	const struct solver_settings *s = &sim->scene->solver;
	sim->neighbours.repositioned_in_substep = 0;
	if (sim->particles.count == 0)
		return true;
	return (!s->reposition || neighbours_free_stuck(sim)) &&
	       (s->drift != DRIFT_PUSH || push(sim)) && (s->drift != DRIFT_SPRINGS || space(sim)) &&
	       (!(s->collision_distance > 0.0) || collide(sim));
}

void neighbours_accept(struct sim *sim)
{
	sim->neighbours.repositioned += sim->neighbours.repositioned_in_substep;
}
