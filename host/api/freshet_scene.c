/* The public interface: scenes (freshet.h). */
#include <stdlib.h>

#include "freshet_internal.h"
#include "message.h"
#include "sim_fields.h"

static struct freshet_scene *wrap_scene(struct scene *scene)
{
	if (!scene)
		return NULL;
	struct freshet_scene *wrapped = freshet_allocate(sizeof(*wrapped));
	if (!wrapped) {
		scene_free(scene);
		return NULL;
	}
	wrapped->scene = scene;
	atomic_init(&wrapped->users, 1);
	return wrapped;
}

struct freshet_scene *freshet_scene_read(const char *path, const char *const *sets,
					 size_t set_count)
{
	freshet_begin();
	if (!freshet_given(path, "path of a scene"))
		return NULL;
	for (size_t i = 0; i < set_count; i++)
		if (!freshet_given(sets ? sets[i] : NULL, "text of 'sets'"))
			return NULL;
	return wrap_scene(scene_read(path, sets, set_count));
}

struct freshet_scene *freshet_scene_parse(const char *text, size_t length, const char *name)
{
	freshet_begin();
	if (!freshet_given(text, "text of a scene"))
		return NULL;
	return wrap_scene(scene_read_text(text, length, name ? name : "scene"));
}

void freshet_scene_destroy(struct freshet_scene *scene)
{
	if (!scene || atomic_fetch_sub(&scene->users, 1) > 1)
		return;
	scene_free(scene->scene);
	free(scene);
}

void freshet_scene_get_info(const struct freshet_scene *scene, struct freshet_scene_info *info)
{
	if (!info)
		return;
	*info = (struct freshet_scene_info){0};
	if (!scene)
		return;
	const struct scene *s = scene->scene;
	*info = (struct freshet_scene_info){
		.dim = s->dim,
		.cell_size = s->h,
		.particles_per_cell = s->particles_per_cell,
		.density = s->density,
		.is_apic = scene_has_affine(s),
		.liquids = (int)s->liquid_count,
		.solids = (int)s->solid_count,
		.frames = s->time.frames,
		.frames_per_second = s->time.fps,
	};
	for (int axis = 0; axis < 3; axis++) {
		info->cells[axis] = axis < s->dim ? s->cells[axis] : 1;
		info->size[axis] = axis < s->dim ? s->size[axis] : 0.0;
	}
}

bool freshet_scene_memory(const struct freshet_scene *scene, size_t particles, uint64_t *total,
			  uint64_t *largest)
{
	uint64_t all, most;
	freshet_begin();
	if (!freshet_given(scene, "scene"))
		return false;
	if (particles > SIM_MAX_PARTICLES)
		return message_error("%zu particles are too many: at most %d", particles,
				     SIM_MAX_PARTICLES);
	sim_memory(scene->scene, (u32)particles, scene->scene->solid_count > 0, NULL, 0, &all,
		   &most);
	if (total)
		*total = all;
	if (largest)
		*largest = most;
	return true;
}
