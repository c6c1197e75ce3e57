#include "scene_needs.h"

#include "message.h"
#include "render.h"
#include "shape.h"
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

/* What outputs need of a method.  No default: the compiler asks for kinds that lack. */
static unsigned parts_of_view(enum scene_view view)
{
	switch (view) {
	case VIEW_PARTICLES:
	case VIEW_SPEED:
	case VIEW_SURFACE:
		return PART_PARTICLES;
	case VIEW_PRESSURE:
		return PART_PRESSURE | PART_LEVELSET;
	case VIEW_LEVELSET:
	case VIEW_CELLS:
		return PART_LEVELSET;
	}
	return 0;
}

static unsigned parts_of_quantity(enum scene_quantity quantity)
{
	switch (quantity) {
	case QUANTITY_PRESSURE:
		return PART_PRESSURE | PART_LEVELSET;
	case QUANTITY_VELOCITY:
		return PART_VELOCITY;
	case QUANTITY_HEIGHT:
		return PART_LEVELSET;
	case QUANTITY_FRONT:
		return PART_VOLUME;
	}
	return 0;
}

static unsigned parts_of_field(enum scene_field_number field)
{
	switch (field) {
	case FIELD_NUMBER_VELOCITY:
		return PART_VELOCITY;
	case FIELD_NUMBER_PRESSURE:
		return PART_PRESSURE;
	case FIELD_NUMBER_LEVELSET:
	case FIELD_NUMBER_CELLS:
		return PART_LEVELSET;
	}
	return 0;
}

static bool can_give(const struct scene *scene, const char *key, unsigned parts)
{
	static const struct {
		unsigned part;
		const char *name;
	} names[] = {{PART_PARTICLES, "particles"},
		     {PART_PRESSURE, "pressure"},
		     {PART_LEVELSET, "level set and cell types"},
		     {PART_VELOCITY, "velocity on faces"},
		     {PART_VOLUME, "particles or volumes of liquid"}};
	const struct method *method = sim_method(scene);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (parts & names[i].part & ~method->parts)
			return message_error("'%s' asks for what 'method: %s' does not have: %s",
					     key, scene->method ? scene->method : method->name,
					     names[i].name);
	return true;
}

bool scene_suits_method(const struct scene *scene)
{
	bool ok = !scene->output.png ||
		  can_give(scene, "output.png.view", parts_of_view(scene->output.png_view));
	for (size_t i = 0; i < scene->output.probe_count; i++)
		ok = can_give(scene, "output.probes",
			      parts_of_quantity(scene->output.probes[i].quantity)) &&
		     ok;
	if (scene->output.forces)
		ok = can_give(scene, "output.forces", PART_PRESSURE) && ok;
	for (int f = 0; f < GRID_FIELD_COUNT && scene->output.fields_every > 0; f++)
		if (scene->output.fields >> f & 1)
			ok = can_give(scene, "output.fields",
				      parts_of_field((enum scene_field_number)f)) &&
			     ok;
	return ok;
}

/* The solid that a point lies in, or NULL. */
static const struct scene_solid *solid_at(const struct scene *scene, const double point[3])
{
	for (size_t i = 0; i < scene->solid_count; i++) {
		const struct shape_program *shape = &scene->solids[i].shape;
		if (shape_distance(scene->dim, shape->ops, (int)shape->op_count, shape->points,
				   (f32)point[0], (f32)point[1], (f32)point[2]) < 0.0f)
			return &scene->solids[i];
	}
	return NULL;
}

/* The first solid of a probe's place, if all of that is in solids, or NULL. */
static const struct scene_solid *solid_of(const struct scene *scene,
					  const struct scene_probe *probe)
{
	double at[3] = {probe->point[0], probe->point[1], probe->point[2]};
	if (probe->quantity == QUANTITY_FRONT)
		return NULL;
	if (probe->quantity != QUANTITY_HEIGHT)
		return solid_at(scene, at);
	const struct scene_solid *first = NULL;
	for (int j = 0; j < scene->cells[1]; j++) {
		at[1] = (j + 0.5) * scene->h;
		const struct scene_solid *solid = solid_at(scene, at);
		if (!solid)
			return NULL;
		first = first ? first : solid;
	}
	return first;
}

void scene_warn_of_probes(const struct scene *scene)
{
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		const struct scene_probe *probe = &scene->output.probes[i];
		const struct scene_solid *solid = solid_of(scene, probe);
		if (!solid)
			continue;
		if (probe->quantity == QUANTITY_HEIGHT)
			message_warning(
				"probe '%s' measures no liquid: its column is inside solids, "
				"at the floor inside '%s'",
				probe->name, solid->name);
		else
			message_warning("probe '%s' measures no liquid: its point is inside the "
					"solid '%s'",
					probe->name, solid->name);
	}
}

bool scene_needs(const struct scene *scene, struct scene_needs *needs)
{
	double sure = 0.0;
	*needs = (struct scene_needs){0};
	if (!scene_suits_method(scene))
		return false;
	if (!sim_has(scene, PART_PARTICLES))
		return check_numbers(scene, needs, sure);

	bool found[SEED_MAX_LIQUIDS] = {false};
	*needs = (struct scene_needs){.particles = sim_estimate_particles(scene, &sure, found)};
	for (size_t l = 0; l < scene->liquid_count; l++)
		needs->missing[l] = !found[l];
	return check_numbers(scene, needs, sure);
}

bool scene_is_possible(const struct scene *scene)
{
	if (!scene_suits_method(scene))
		return false;
	if (!sim_has(scene, PART_PARTICLES))
		return true;
	/* Every place belongs to one liquid at most. */
	struct scene_needs needs = {.particles = scene->particles_per_cell};
	for (int axis = 0; axis < scene->dim; axis++)
		needs.particles *= scene->cells[axis];
	return needs.particles > (double)SIM_MAX_PARTICLES ? scene_needs(scene, &needs)
							   : check_numbers(scene, &needs, 0.0);
}
