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

/* Outputs that need a part of a method. */
static const struct need {
	const char *key, *what;
	unsigned part;
} view_needs[] = {
	[VIEW_PARTICLES] = {"output.png.view", "particles", PART_PARTICLES},
	[VIEW_SPEED] = {"output.png.view", "particles", PART_PARTICLES},
	[VIEW_PRESSURE] = {"output.png.view", "pressure", PART_PRESSURE | PART_LEVELSET},
	[VIEW_LEVELSET] = {"output.png.view", "level set", PART_LEVELSET},
	[VIEW_CELLS] = {"output.png.view", "cell types", PART_LEVELSET},
	[VIEW_SURFACE] = {"output.png.view", "particles", PART_PARTICLES},
};
static const struct need quantity_needs[] = {
	[QUANTITY_PRESSURE] = {"output.probes", "pressure", PART_PRESSURE | PART_LEVELSET},
	[QUANTITY_VELOCITY] = {"output.probes", "velocity", PART_VELOCITY},
	[QUANTITY_HEIGHT] = {"output.probes", "level set", PART_LEVELSET},
	[QUANTITY_FRONT] = {"output.probes", "particles", PART_PARTICLES},
};
static const struct {
	unsigned bit;
	struct need need;
} field_needs[] = {
	{FIELD_VELOCITY, {"output.fields", "velocity", PART_VELOCITY}},
	{FIELD_PRESSURE, {"output.fields", "pressure", PART_PRESSURE}},
	{FIELD_LEVELSET, {"output.fields", "level set", PART_LEVELSET}},
	{FIELD_CELLS, {"output.fields", "cell types", PART_LEVELSET}},
};

static bool can_give(const struct scene *scene, struct need need)
{
	return sim_has(scene, need.part) ||
	       message_error("'%s' asks for what 'method: %s' does not have: its %s", need.key,
			     sim_method(scene)->name, need.what);
}

bool scene_suits_method(const struct scene *scene)
{
	bool ok = !scene->output.png || can_give(scene, view_needs[scene->output.png_view]);
	for (size_t i = 0; i < scene->output.probe_count; i++)
		ok = can_give(scene, quantity_needs[scene->output.probes[i].quantity]) && ok;
	for (size_t i = 0; i < sizeof(field_needs) / sizeof(field_needs[0]); i++)
		if (scene->output.fields & field_needs[i].bit)
			ok = can_give(scene, field_needs[i].need) && ok;
	return ok;
}

bool scene_needs(const struct scene *scene, struct scene_needs *needs)
{
	double sure = 0.0;
	if (!sim_has(scene, PART_PARTICLES)) {
		*needs = (struct scene_needs){0};
		return scene_suits_method(scene) && check_numbers(scene, needs, sure);
	}

	bool found[SEED_MAX_LIQUIDS] = {false};
	*needs = (struct scene_needs){.particles = sim_estimate_particles(scene, &sure, found)};
	for (size_t l = 0; l < scene->liquid_count; l++)
		needs->missing[l] = !found[l];
	return check_numbers(scene, needs, sure);
}

bool scene_is_possible(const struct scene *scene)
{
	if (!sim_has(scene, PART_PARTICLES))
		return scene_suits_method(scene);
	/* Every place belongs to one liquid at most. */
	struct scene_needs needs = {.particles = scene->particles_per_cell};
	for (int axis = 0; axis < scene->dim; axis++)
		needs.particles *= scene->cells[axis];
	return needs.particles > (double)SIM_MAX_PARTICLES ? scene_needs(scene, &needs)
							   : check_numbers(scene, &needs, 0.0);
}
