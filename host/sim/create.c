/* A simulation's life: created, started anew, freed. */
#include <stdlib.h>
#include <string.h>

#include "bodies/bodies.h"
#include "forces.h"
#include "forces/force_fields.h"
#include "forces/friction.h"
#include "frame_time.h"
#include "ledger.h"
#include "message.h"
#include "mixed/transfer_mixed.h"
#include "moving/loads.h"
#include "seed.h"
#include "selftest.h"
#include "sim.h"
#include "sim_fields.h"
#include "sim_memory.h"
#include "sources.h"
#include "sources/drains.h"
#include "sources/emitters.h"
#include "sources/outflows.h"

/* The scratch and what lies in it, for the solids as they are. */
static bool make_scratch(struct sim *sim)
{
	struct scratch_part parts[SIM_PARTS];
	size_t bytes;
	sim_plan_solver(sim, sim->solids.cut);
	const size_t count = sim_plan_scratch(sim, parts, &bytes);
	if (bytes > sim->scratch.bytes)
		return message_error("the scratch has %zu bytes, but %zu are planned",
				     sim->scratch.bytes, bytes);
	return scratch_make_views(sim->cl, &sim->scratch.raw, parts, count);
}

static bool make_solver(struct sim *sim)
{
	return !(sim->method->parts & PART_SOLVER) ||
	       (poisson_create(&sim->poisson) &&
		bricks_create(&sim->lattice, &sim->particles.cell_start));
}

/* How many particles there will be; whether that is possible is asked again. */
static bool count_particles(struct sim *sim, const struct sim_particles *given, u32 *particles,
			    uint64_t others)
{
	if (!given && (sim->method->parts & PART_PARTICLES) && !seed_count(sim, particles))
		return false;
	/* Room is made for what comes in until the last frame. */
	const double end = frame_time(sim, sim->scene->time.frames);
	const double all = sources_particles(sim, 0.0, end) + (given ? given->count : *particles);
	if (all > SIM_MAX_PARTICLES || *particles > SIM_MAX_PARTICLES)
		return message_error("%.0f particles are too many: at most %d",
				     all > *particles ? all : *particles, SIM_MAX_PARTICLES);
	const bool sources = sim->scene->outflow_count + sim->scene->emitter_count > 0;
	if (!given && (sim->method->parts & PART_PARTICLES) && all < 1.0 && !sources)
		message_warning("0 particles: the scene has no liquid inside the box and outside "
				"solids");
	*particles = all > *particles ? (u32)all : *particles;
	sim->particles.capacity = *particles ? *particles : 1;
	const struct sim_particle_need exact = {
		.count = *particles,
		.sure = *particles,
		.follows_cells = !given,
		.split = sim->solids.split,
	};
	return sim_check_memory(sim->scene, sim->cl, exact, clx_memory_in_use(sim->cl) - others);
}

static bool load(struct sim *sim, const struct sim_particles *given)
{
	if (!particles_load(sim, given))
		return false;
	ledger_open(sim, 0, given->count);
	return true;
}

/* Files are read above this layer. */
static bool has_points(const struct scene *scene)
{
	for (size_t l = 0; l < scene->liquid_count; l++)
		if (scene->liquids[l].points.file && !scene->liquids[l].points.loaded)
			return message_error("liquid '%s': its points have not been read; give "
					     "the particles themselves",
					     scene->liquids[l].name);
	return true;
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
	sim->poison = sim->watch = sim->ledger.strict = true;
#endif
	forces_gravity(sim, 0.0);
	struct scene_mesh mesh;
	clx_use(cl, (scene_mesh_at(scene, 0, &mesh) ? CLX_MESHES : 0) |
			    (sim->solids.moving ? CLX_MOTION : 0));

	if (given)
		particles = given->capacity > given->count ? given->capacity : given->count;
	/* Of seeds there is an estimate before there are buffers, and nothing is known of what
	 * solids do to cells; the check is sharp when seeds are counted. */
	struct sim_particle_need about = {
		.count = particles, .sure = particles, .follows_cells = !given};
	if (!given && (sim->method->parts & PART_PARTICLES))
		about.count = sim_estimate_particles(scene, &about.sure, NULL);
	if (!sim_check_memory(scene, cl, about, 0) || !clx_build(cl) || !selftest_once(cl) ||
	    !fields_allocate(cl, fields, sim_list_fields(sim, false, fields)) ||
	    !solids_create(&sim->solids) || !sources_create(sim) || !outflows_create(sim) ||
	    !emitters_create(sim) || !drains_create(sim) || !force_fields_create(sim) ||
	    !friction_create(sim) || !loads_create(sim) || !bodies_create(sim) ||
	    !count_particles(sim, given, &particles, others) ||
	    !fields_allocate(cl, fields, sim_list_fields(sim, true, fields)) ||
	    !make_scratch(sim) || !make_solver(sim) ||
	    !(given ? load(sim, given) : sim->method->seed(sim)))
		goto fail;
	return sim;
fail:
	sim_destroy(sim);
	return NULL;
}

static bool can_load(const struct scene *scene, const struct sim_particles *given)
{
	const struct method *method = sim_method(scene);
	if (!(method->parts & PART_PARTICLES))
		return message_error("the method '%s' has no particles to start from",
				     method->name);
	return particles_load_check(scene, given);
}

struct sim *sim_create(const struct scene *scene, struct clx *cl)
{
	return has_points(scene) ? create_with(scene, cl, NULL) : NULL;
}

struct sim *sim_create_from_particles(const struct scene *scene, struct clx *cl,
				      const struct sim_particles *given)
{
	return can_load(scene, given) ? create_with(scene, cl, given) : NULL;
}

/* As they are when they have just been allocated. */
static bool clear_fields(struct sim *sim)
{
	struct field fields[SIM_FIELDS];
	const size_t count = sim_list_fields(sim, false, fields);
	for (size_t i = 0; i < count; i++)
		if (!clx_zero_raw(sim->cl, fields[i].buffer, 0, fields[i].buffer->bytes))
			return false;
	return true;
}

bool sim_restart(struct sim *sim, const struct sim_particles *given)
{
	struct particles *p = &sim->particles;
	if (given->count > p->capacity)
		return message_error("%u particles, but the simulation has room for %u",
				     given->count, p->capacity);
	if (!can_load(sim->scene, given) || !clear_fields(sim))
		return false;
	memset(sim->lattice.host_scalars, 0, sizeof(sim->lattice.host_scalars));
	memset(&sim->stats, 0, sizeof(sim->stats));
	sim->frame = sim->substep = 0;
	sim->time = sim->dt = sim->u_max = sim->grid_speed = 0.0;
	sim->steps = 0;
	sim->retries = sim->seeds_in_solids = 0;
	sim->tiny_warned = sim->limit_warned = sim->poisson.parts_warned = false;
	memset(sim->interventions, 0, sizeof(sim->interventions));
	if ((sim->method->parts & PART_SOLVER) && !bricks_reset(&sim->lattice, &p->cell_start))
		return false;
	p->removed_at_sort = 0;
	loads_forget(sim);
	bodies_restart(sim);
	outflows_restart(sim);
	forces_gravity(sim, 0.0);
	return load(sim, given);
}

void sim_destroy(struct sim *sim)
{
	struct field fields[SIM_FIELDS];
	struct scratch_part parts[SIM_PARTS];
	size_t bytes;
	if (!sim)
		return;
	bricks_destroy(&sim->lattice);
	poisson_destroy(&sim->poisson);
	scratch_free_views(sim->cl, parts, sim_plan_scratch(sim, parts, &bytes));
	solids_destroy(&sim->solids);
	sources_destroy(sim);
	outflows_destroy(sim);
	emitters_destroy(sim);
	drains_destroy(sim);
	transfer_mixed_destroy(sim);
	force_fields_destroy(sim);
	friction_destroy(sim);
	loads_destroy(sim);
	bodies_destroy(sim);
	id_ranges_free(&sim->particles.ids);
	for (int of_particles = 0; of_particles < 2; of_particles++)
		fields_free(sim->cl, fields, sim_list_fields(sim, of_particles != 0, fields));
	free(sim);
}
