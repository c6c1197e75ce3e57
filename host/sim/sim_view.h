/* A simulation as those see it who run it and do not look into its parts. */
#ifndef FRESHET_SIM_VIEW_H
#define FRESHET_SIM_VIEW_H

#include "sim.h"

/* Where it stands: the last frame completed, the substeps since, and the time, s. */
struct instant {
	int frame, substep;
	double time;
};
struct instant sim_instant(const struct sim *sim);
/* Of the last substep, or of the state that was measured. */
const struct step_stats *sim_statistics(const struct sim *sim);
u32 sim_particle_count(const struct sim *sim); /* on the device */
u32 sim_particle_room(const struct sim *sim);

/* Steps to the end of a frame; frame 0: measures the state as it is.  *hash: that of the state
 * then, unless it is NULL.  False after reporting. */
bool sim_reach(struct sim *sim, int frame, u64 *hash);

/* `after_stage` is called after every stage; false from it ends the substep, which has failed. */
void sim_watch_stages(struct sim *sim,
		      bool (*after_stage)(struct sim *sim, size_t stage, void *user), void *user);

/* Which substep is under way: its frame, its number and which try of it, from 1. */
struct sim_attempt {
	int frame, substep, attempt;
};
struct sim_attempt sim_attempt_of(const struct sim *sim);

/* The stages of its method, in order, as `stats.csv` names them. */
size_t sim_stage_count(const struct sim *sim);
const char *sim_stage_name(const struct sim *sim, size_t stage);

/* Does it make the level set at cell centres? */
bool sim_stage_makes_levelset(const struct sim *sim, size_t stage);

/* The equation that its projection solves. */
struct poisson *sim_poisson(struct sim *sim);

#endif
