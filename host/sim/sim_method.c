#include "sim_method.h"

#include <string.h>

#include "message.h"
#include "methods/method_check.h"
#include "methods/methods.h"
#include "scene_methods.h"

const struct method *method_find(const char *name)
{
	for (size_t i = 0; i < sim_method_count; i++)
		if (strcmp(sim_methods[i]->name, name) == 0)
			return sim_methods[i];
	return NULL;
}

/* Scenes name the first ones; behind them are variants. */
static bool check_name(size_t i)
{
	const bool variant = i < sim_method_count && sim_methods[i]->variant_of;
	const char *scenes = i < scene_method_count ? scene_methods[i].name : "none";
	const char *ours = i < sim_method_count ? sim_methods[i]->name : "none";
	if (variant && i >= scene_method_count)
		return method_find(sim_methods[i]->variant_of) ||
		       message_error("method '%s' is a variant of none", ours);
	return strcmp(scenes, ours) == 0 ||
	       message_error("method %zu of scenes is '%s', of the program '%s'", i, scenes, ours);
}

bool methods_check(void)
{
	for (size_t i = 0; i < sim_method_count || i < scene_method_count; i++)
		if (!check_name(i) || !method_check(sim_methods[i]))
			return false;
	return true;
}

const struct method *sim_method(const struct scene *scene)
{
	/* A scene that no reader has made is of the default. */
	const char *name = scene->method ? scene->method : sim_methods[0]->name;
	for (size_t i = 0; i < sim_method_count; i++)
		if (sim_methods[i]->variant_of && strcmp(sim_methods[i]->variant_of, name) == 0 &&
		    sim_methods[i]->surface == scene->grid_surface)
			return sim_methods[i];
	return method_find(name);
}

bool sim_has(const struct scene *scene, unsigned parts)
{
	return (sim_method(scene)->parts & parts) == parts;
}
