/*
 * A mesh as a file that other programs read.
 *
 * PLY, binary in the machine's byte order: vertices x y z nx ny nz vx vy vz (float; m, unit normal,
 * m/s), faces as lists of three vertex numbers, in 2D edges vertex1 vertex2: 36 bytes per vertex,
 * 13 per triangle, 8 per edge.
 * OBJ: v, vn, f, in 2D v and l; text, no velocities.  An empty mesh gives a valid file without
 * faces.
 */
#ifndef FRESHET_WRITE_MESH_H
#define FRESHET_WRITE_MESH_H

#include "scene.h"
#include "surface.h"

/* Writes the file `path`: 0 or an errno value.  Silent. */
int write_mesh(const char *path, const struct mesh *mesh, enum scene_mesh_format format);

#endif
