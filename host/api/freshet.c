/* The public interface: contexts, scenes, simulations (freshet.h). */
#include "freshet_internal.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "state.h"
#include "version.h"

const char *freshet_version(void)
{
	return FRESHET_VERSION;
}

/* ---- devices ---------------------------------------------------------------------------- */

static struct freshet_device describe_device(const struct clx_device_info *info)
{
	struct freshet_device device = {
		.platform_index = info->platform_index,
		.device_index = info->device_index,
		.is_gpu = info->is_gpu,
		.is_cpu = info->is_cpu,
		.memory = info->global_memory,
		.largest_buffer = info->max_allocation,
		.compute_units = info->compute_units,
	};
	memcpy(device.name, info->name, sizeof(device.name));
	memcpy(device.vendor, info->vendor, sizeof(device.vendor));
	memcpy(device.platform, info->platform, sizeof(device.platform));
	memcpy(device.device_version, info->device_version, sizeof(device.device_version));
	memcpy(device.driver_version, info->driver_version, sizeof(device.driver_version));
	return device;
}

bool freshet_list_devices(struct freshet_device *devices, size_t capacity, size_t *count)
{
	struct clx_device_info *list = NULL;
	size_t platforms = 0;
	freshet_begin();
	if (!freshet_given(count, "place for the number of devices") ||
	    (capacity > 0 && !freshet_given(devices, "array of devices")))
		return false;
	*count = 0;
	if (!clx_list_devices(&list, count, &platforms))
		return false;
	const int picked = clx_pick_device(list, *count, platforms, NULL, false);
	for (size_t i = 0; i < *count && i < capacity; i++) {
		devices[i] = describe_device(&list[i]);
		devices[i].is_default = (int)i == picked;
	}
	free(list);
	return true;
}

struct freshet_context *freshet_context_create(const char *device, int dim)
{
	freshet_begin();
	if (dim != 2 && dim != 3) {
		message_error("a context has 2 or 3 dimensions, not %d", dim);
		return NULL;
	}
	struct freshet_context *context = freshet_allocate(sizeof(*context));
	if (!context)
		return NULL;
	context->users = 1;
	context->cl = clx_open(device, dim, false, false, NULL);
	if (!context->cl) {
		free(context);
		return NULL;
	}
	return context;
}

void freshet_context_destroy(struct freshet_context *context)
{
	if (!context || --context->users > 0)
		return;
	clx_close(context->cl);
	free(context);
}

/* ---- simulations ------------------------------------------------------------------------ */

/* Whether there is a simulation; for functions that can fail. */
bool freshet_begin_simulation(const struct freshet_simulation *simulation)
{
	freshet_begin();
	return freshet_given(simulation, "simulation");
}

/* Statistics, level set and order of time 0. */
static bool measure_start(struct freshet_simulation *simulation)
{
	if (!sim_measure(simulation->sim))
		return false;
	simulation->stats = *sim_statistics(simulation->sim);
	return true;
}

static bool convert_particles(const struct freshet_particles *from, struct sim_particles *to)
{
	if (!freshet_given(from, "struct freshet_particles"))
		return false;
	const size_t most = from->count > from->capacity ? from->count : from->capacity;
	if (most > SIM_MAX_PARTICLES)
		return message_error("%zu particles are too many: at most %d", most,
				     SIM_MAX_PARTICLES);
	*to = (struct sim_particles){
		.count = (u32)from->count,
		.capacity = (u32)from->capacity,
		.values = {[ATTRIBUTE_POSITION] = from->positions,
			   [ATTRIBUTE_VELOCITY] = from->velocities,
			   [ATTRIBUTE_AFFINE] = from->affine,
			   [ATTRIBUTE_LIQUID] = from->liquids},
	};
	return true;
}

/* From the scene's own liquids where particles is NULL. */
static struct freshet_simulation *create_simulation(struct freshet_context *context,
						    struct freshet_scene *scene,
						    const struct sim_particles *particles)
{
	if (!freshet_given(context, "context") || !freshet_given(scene, "scene"))
		return NULL;
	const int dim = clx_dim(context->cl);
	if (scene->scene->dim != dim) {
		message_error("the scene '%s' is %dD, the context was created for %dD",
			      scene->scene->name, scene->scene->dim, dim);
		return NULL;
	}
	struct freshet_simulation *simulation = freshet_allocate(sizeof(*simulation));
	if (!simulation)
		return NULL;
	simulation->context = context;
	simulation->scene = scene;
	context->users++;
	atomic_fetch_add(&scene->users, 1);
	simulation->sim = particles
				  ? sim_create_from_particles(scene->scene, context->cl, particles)
				  : sim_create(scene->scene, context->cl);
	if (!simulation->sim || !measure_start(simulation)) {
		freshet_simulation_destroy(simulation);
		return NULL;
	}
	return simulation;
}

struct freshet_simulation *freshet_simulation_create(struct freshet_context *context,
						     struct freshet_scene *scene)
{
	freshet_begin();
	return create_simulation(context, scene, NULL);
}

struct freshet_simulation *
freshet_simulation_create_from_particles(struct freshet_context *context,
					 struct freshet_scene *scene,
					 const struct freshet_particles *particles)
{
	struct sim_particles given;
	freshet_begin();
	return convert_particles(particles, &given) ? create_simulation(context, scene, &given)
						    : NULL;
}

bool freshet_simulation_restart(struct freshet_simulation *simulation,
				const struct freshet_particles *particles)
{
	struct sim_particles given;
	return freshet_begin_simulation(simulation) && convert_particles(particles, &given) &&
	       sim_restart(simulation->sim, &given) && measure_start(simulation);
}

void freshet_simulation_destroy(struct freshet_simulation *simulation)
{
	if (!simulation)
		return;
	sim_destroy(simulation->sim);
	freshet_scene_destroy(simulation->scene);
	freshet_context_destroy(simulation->context);
	free(simulation);
}

static bool step_once(struct freshet_simulation *simulation)
{
	if (!sim_substep(simulation->sim))
		return false;
	simulation->stats = *sim_statistics(simulation->sim);
	return true;
}

bool freshet_simulation_step(struct freshet_simulation *simulation)
{
	return freshet_begin_simulation(simulation) && step_once(simulation);
}

bool freshet_simulation_step_frame(struct freshet_simulation *simulation)
{
	if (!freshet_begin_simulation(simulation))
		return false;
	do {
		if (!step_once(simulation))
			return false;
	} while (!simulation->stats.frame_end);
	return true;
}

double freshet_simulation_time(const struct freshet_simulation *simulation)
{
	return simulation ? sim_instant(simulation->sim).time : 0.0;
}

int freshet_simulation_frame(const struct freshet_simulation *simulation)
{
	return simulation ? sim_instant(simulation->sim).frame : 0;
}

void freshet_simulation_statistics(const struct freshet_simulation *simulation,
				   struct freshet_statistics *statistics)
{
	if (!statistics)
		return;
	*statistics = (struct freshet_statistics){0};
	if (!simulation)
		return;
	const struct step_stats *s = &simulation->stats;
	const struct step_report *r = &s->report;
	*statistics = (struct freshet_statistics){
		.frame = s->frame,
		.substep = s->substep,
		.frame_end = s->frame_end,
		.time = s->time,
		.dt = s->dt,
		.particles = s->particles,
		.liquid_cells = r->liquid_cells,
		.volume = r->volume,
		.volume_error = s->volume_error,
		.kinetic_energy = r->kinetic_energy,
		.potential_energy = r->potential_energy,
		.momentum = {r->momentum[0], r->momentum[1], r->momentum[2]},
		.max_speed = r->max_speed,
		.divergence_before = r->divergence_before,
		.divergence_after = r->divergence_after,
		.pressure_iterations = s->pressure_iterations,
		.pressure_residual = s->pressure_residual,
		.components = (int)r->components,
		.singular_components = (int)r->singular_components,
		.air_regions = (int)r->air_regions,
		.min_per_cell = (int)r->min_ppc,
		.max_per_cell = (int)r->max_ppc,
		.empty_interior =
			r->interior_cells > 0 ? (double)r->interior_empty / r->interior_cells : 0.0,
		.pushed = r->pushed,
		.escaped = r->escaped,
		.removed = (uint64_t)r->removed_open + r->drained + r->flown,
		.retries = s->retries,
		.milliseconds = s->ms_total,
	};
}

bool freshet_simulation_hash(struct freshet_simulation *simulation, uint64_t *hash)
{
	return freshet_begin_simulation(simulation) && freshet_given(hash, "place for the hash") &&
	       sim_hash(simulation->sim, sim_instant(simulation->sim).frame, hash);
}

uint64_t freshet_simulation_memory(const struct freshet_simulation *simulation)
{
	return simulation ? clx_memory_in_use(simulation->context->cl) : 0;
}
