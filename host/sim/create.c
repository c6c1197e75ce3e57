/* A simulation's life: created, started anew, freed. */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "seed.h"
#include "selftest.h"
#include "sim.h"
#include "sim_fields.h"
#include "sim_memory.h"
#include "stages.h"

static bool make_views(struct sim *sim)
{
	struct field_view views[SIM_VIEWS];
	sim_list_views(sim, views);
	return fields_make_views(sim->cl, &sim->scratch, views, SIM_VIEWS);
}

static bool make_solver(struct sim *sim)
{
	const struct poisson_memory memory = {
		.scratch = &sim->scratch,
		.rhs =
			{
				/* made when the solve is done */
				[POISSON_PRESSURE] = &sim->pressure.raw,
				/* which nobody reads any more */
				[POISSON_DRIFT] = &sim->particles.cell_start.raw,
			},
	};
	if (!poisson_create(&sim->poisson, &memory, sim->solids.cut))
		return false;
	sim_plan_bricks(sim);
	return bricks_create(&sim->lattice, &sim->particles.cell_start);
}

/* With the particles of the scene's liquids, or with those given. */
static struct sim *create_with(const struct scene *scene, struct clx *cl,
			       const struct sim_particles *given)
{
	struct field fields[SIM_FIELDS];
	const uint64_t others = clx_memory_in_use(cl);
	u32 particles = 0;
	struct sim *sim = calloc(1, sizeof(*sim));
	if (!sim) {
		message_memory(sizeof(*sim), "a simulation");
		return NULL;
	}
	sim_outline(sim, scene, 0);
	sim->cl = sim->lattice.cl = cl;
#ifdef FRESHET_DEBUG
	sim->watch = sim->ledger.strict = true;
#endif
	forces_gravity(sim, 0.0);

	if (given)
		particles = given->capacity > given->count ? given->capacity : given->count;
	/* Of seeds there is an estimate before there are buffers, and nothing is known of what
	 * solids do to cells; the check is sharp when seeds are counted. */
	struct sim_particle_need about = {
		.count = particles, .sure = particles, .follows_cells = !given};
	if (!given)
		about.count = sim_estimate_particles(scene, &about.sure, NULL);
	if (!sim_check_memory(scene, cl, about, 0) || !clx_build(cl) || !selftest_once(cl) ||
	    !fields_allocate(cl, fields, sim_list_grid_fields(sim, fields)) ||
	    !solids_create(&sim->solids))
		goto fail;
	if (!given && !seed_count(sim, &particles))
		goto fail;
	if (particles > SIM_MAX_PARTICLES) {
		message_error("%u particles are too many: at most %d", particles,
			      SIM_MAX_PARTICLES);
		goto fail;
	}
	if (!given && particles == 0)
		message_warning("0 particles: the scene has no liquid inside the box and outside "
				"solids");
	sim->particles.capacity = particles ? particles : 1;
	const struct sim_particle_need exact = {
		.count = particles,
		.sure = particles,
		.follows_cells = !given,
		.split = sim->solids.split,
	};
	if (!sim_check_memory(scene, cl, exact, clx_memory_in_use(cl) - others))
		goto fail;
	if (!fields_allocate(cl, fields,
			     sim_list_particle_fields(sim, sim->particles.capacity, fields)) ||
	    !make_views(sim) || !make_solver(sim) ||
	    !(given ? particles_load(sim, given) : seed_particles(sim)))
		goto fail;
	ledger_open(sim, given ? 0 : particles, given ? given->count : 0);
	return sim;
fail:
	sim_destroy(sim);
	return NULL;
}

struct sim *sim_create(const struct scene *scene, struct clx *cl)
{
	return create_with(scene, cl, NULL);
}

struct sim *sim_create_from_particles(const struct scene *scene, struct clx *cl,
				      const struct sim_particles *given)
{
	return particles_load_check(scene, given) ? create_with(scene, cl, given) : NULL;
}

bool sim_restart(struct sim *sim, const struct sim_particles *given)
{
	struct particles *p = &sim->particles;
	struct clx_buffer *const fields[] = {&sim->u_face.raw, &sim->valid.raw, &sim->pressure.raw,
					     &sim->opened.raw, &sim->lattice.scalars.raw};
	if (given->count > p->capacity)
		return message_error("%u particles, but the simulation has room for %u",
				     given->count, p->capacity);
	if (!particles_load_check(sim->scene, given))
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (!clx_zero_raw(sim->cl, fields[i], 0, fields[i]->bytes))
			return false;
	memset(sim->lattice.host_scalars, 0, sizeof(sim->lattice.host_scalars));
	memset(&sim->stats, 0, sizeof(sim->stats));
	sim->frame = sim->substep = 0;
	sim->time = sim->dt = sim->u_max = sim->grid_speed = 0.0;
	sim->steps = 0;
	sim->retries = sim->seeds_in_solids = 0;
	sim->tiny_warned = sim->limit_warned = sim->poisson.parts_warned = false;
	memset(sim->interventions, 0, sizeof(sim->interventions));
	if (!bricks_reset(&sim->lattice, &p->cell_start))
		return false;
	p->removed_at_sort = 0;
	forces_gravity(sim, 0.0);
	if (!particles_load(sim, given))
		return false;
	ledger_open(sim, 0, given->count);
	return true;
}

void sim_destroy(struct sim *sim)
{
	struct field fields[SIM_FIELDS];
	struct field_view views[SIM_VIEWS];
	if (!sim)
		return;
	bricks_destroy(&sim->lattice);
	poisson_destroy(&sim->poisson);
	sim_list_views(sim, views);
	fields_free_views(sim->cl, views, SIM_VIEWS);
	solids_destroy(&sim->solids);
	size_t count = sim_list_grid_fields(sim, fields);
	count += sim_list_particle_fields(sim, 1, fields + count);
	fields_free(sim->cl, fields, count);
	free(sim);
}
