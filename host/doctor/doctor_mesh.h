/* A mesh for the doctor's scenes, which come without files. */
#ifndef FRESHET_DOCTOR_MESH_H
#define FRESHET_DOCTOR_MESH_H

#include "scene.h"

/* The first solid of a 3D scene becomes an octahedron in its place, about (0.65, 0.2, 0.4) m. False
 * after reporting. */
bool doctor_place_mesh(struct scene *scene);

#endif
