/* The simulation: creates it, steps it, and tells what it takes. */
#ifndef FRESHET_SIM_H
#define FRESHET_SIM_H

#include "failure.h"
#include "particles_load.h"
#include "sim_method.h"
#include "state.h"

/* Allocates everything, seeds the particles.  `scene` and `cl` must outlive it.  NULL after
 * reporting. */
struct sim *sim_create(const struct scene *scene, struct clx *cl);
/* The same with given particles instead of those of the scene's liquids (particles_load.h says
 * which are refused). */
struct sim *sim_create_from_particles(const struct scene *scene, struct clx *cl,
				      const struct sim_particles *given);
/* Back to time 0 with these particles, as sim_create_from_particles() would make it.  There must be
 * room for them.  False after reporting; refused particles change nothing. */
bool sim_restart(struct sim *sim, const struct sim_particles *given);
void sim_destroy(struct sim *sim); /* accepts NULL */

/*
 * One substep towards frame `sim->frame + 1`.  On return sim->stats describes it; when
 * stats.frame_end, sim->frame has advanced and stats.hash is the state hash.  False after
 * reporting (stage, cause); the state is then that before the substep, as far as the device still
 * gives it.
 */
bool sim_substep(struct sim *sim);

/* Statistics and hash of the state as it is (frame 0's row). */
bool sim_measure(struct sim *sim);

/* The hash of the state as it is, as that of a frame.  False after reporting. */
bool sim_hash(struct sim *sim, int frame, u64 *hash);

#endif
