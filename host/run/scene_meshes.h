/* What is told of the meshes of a scene: size, health, hash. */
#ifndef FRESHET_SCENE_MESHES_H
#define FRESHET_SCENE_MESHES_H

#include "json_writer.h"
#include "scene.h"

/* On standard output; nothing without meshes. */
void scene_meshes_print(const struct scene *scene);
/* A warning for each that is not sound. */
void scene_meshes_warn(const struct scene *scene);
/* The member "meshes", an array; nothing without meshes. */
void scene_meshes_write(struct json_writer *json, const struct scene *scene);

#endif
