#include "scene_needs.h"

#include "message.h"
#include "render.h"
#include "sim.h"
#include "sim_memory.h"
#include "surface.h"

static bool check_numbers(const struct scene *scene, struct scene_needs *needs, double sure)
{
	if (sure > (double)SIM_MAX_PARTICLES) {
		const struct sim_particle_need need = {.count = needs->particles,
						       .follows_cells = true};
		const struct sim_memory_limit any = {UINT64_MAX, UINT64_MAX};
		char hint[SIM_HINT];
		sim_smaller_hint(scene, need, any, hint);
		return message_error("about %.0f particles are too many: at most %d; %s",
				     needs->particles, SIM_MAX_PARTICLES, hint);
	}
	const u32 count = needs->particles < (double)SIM_MAX_PARTICLES ? (u32)needs->particles
								       : SIM_MAX_PARTICLES;
	return render_memory(scene, count, &needs->pictures) &&
	       (!scene->output.mesh || surface_memory(scene, count, &needs->meshes));
}

bool scene_needs(const struct scene *scene, struct scene_needs *needs)
{
	double sure;
	bool found[SEED_MAX_LIQUIDS] = {false};
	*needs = (struct scene_needs){.particles = sim_estimate_particles(scene, &sure, found)};
	for (size_t l = 0; l < scene->liquid_count; l++)
		needs->missing[l] = !found[l];
	return check_numbers(scene, needs, sure);
}

bool scene_is_possible(const struct scene *scene)
{
	/* Every place belongs to one liquid at most. */
	struct scene_needs needs = {.particles = scene->particles_per_cell};
	for (int axis = 0; axis < scene->dim; axis++)
		needs.particles *= scene->cells[axis];
	return needs.particles > (double)SIM_MAX_PARTICLES ? scene_needs(scene, &needs)
							   : check_numbers(scene, &needs, 0.0);
}
