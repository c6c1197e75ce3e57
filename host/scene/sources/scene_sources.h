/* The echo of inflows, outflows, emitters and drains. */
#ifndef FRESHET_SCENE_SOURCES_H
#define FRESHET_SCENE_SOURCES_H

#include "json_writer.h"
#include "scene.h"

/* Writes the lists of those that there are.  False when memory is short. */
bool scene_sources_write(struct json_writer *json, const struct scene *scene);

#endif
