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

bool methods_check(void)
{
	for (size_t i = 0; i < sim_method_count || i < scene_method_count; i++) {
		const char *scenes = i < scene_method_count ? scene_methods[i].name : "none";
		const char *ours = i < sim_method_count ? sim_methods[i]->name : "none";
		if (strcmp(scenes, ours) != 0)
			return message_error("method %zu of scenes is '%s', of the program '%s'", i,
					     scenes, ours);
		if (!method_check(sim_methods[i]))
			return false;
	}
	return true;
}

const struct method *sim_method(const struct scene *scene)
{
	/* A scene that no reader has made is of the default. */
	return scene->method ? method_find(scene->method) : sim_methods[0];
}

bool sim_has(const struct scene *scene, unsigned parts)
{
	return (sim_method(scene)->parts & parts) == parts;
}
