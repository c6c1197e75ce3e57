/* The public interface: what fields and liquids are called (freshet.h). */
#include <string.h>

#include "freshet_internal.h"
#include "message.h"

static const char *const names[] = {
	[FRESHET_VELOCITY_X] = "velocity_x", [FRESHET_VELOCITY_Y] = "velocity_y",
	[FRESHET_VELOCITY_Z] = "velocity_z", [FRESHET_KNOWN_X] = "known_x",
	[FRESHET_KNOWN_Y] = "known_y",	     [FRESHET_KNOWN_Z] = "known_z",
	[FRESHET_OPEN_X] = "open_x",	     [FRESHET_OPEN_Y] = "open_y",
	[FRESHET_OPEN_Z] = "open_z",	     [FRESHET_PRESSURE] = "pressure",
	[FRESHET_LEVEL_SET] = "level_set",   [FRESHET_CELL_TYPE] = "cell_type",
};
#define NAMES ((int)(sizeof(names) / sizeof(names[0])))

const char *freshet_field_name(enum freshet_field field)
{
	const int number = (int)field;
	return number >= 0 && number < NAMES ? names[number] : NULL;
}

bool freshet_field_find(const char *name, enum freshet_field *field)
{
	freshet_begin();
	if (!freshet_given(name, "name of a field") || !freshet_given(field, "place for the field"))
		return false;
	for (int i = 0; i < NAMES; i++)
		if (strcmp(names[i], name) == 0) {
			*field = (enum freshet_field)i;
			return true;
		}
	return message_error("there is no field '%.60s' (known: velocity_x, _y, _z, known_x, _y, "
			     "_z, open_x, _y, _z, pressure, level_set, cell_type)",
			     name);
}

const char *freshet_scene_name(const struct freshet_scene *scene)
{
	return scene ? scene->scene->name : NULL;
}

const char *freshet_scene_liquid_name(const struct freshet_scene *scene, int liquid)
{
	return scene && liquid >= 0 && (size_t)liquid < scene->scene->liquid_count
		       ? scene->scene->liquids[liquid].name
		       : NULL;
}
