/* Which nodes of a lattice are inside a mesh. */
#ifndef FRESHET_MESH_SIDES_H
#define FRESHET_MESH_SIDES_H

#include <stdbool.h>

#include "mesh_tree.h"

struct mesh_lattice {
	f32 origin[3], spacing; /* m; node i of an axis is at origin + (f32)i spacing */
	i32 size[3];		/* nodes along each axis */
};

size_t mesh_lattice_nodes(const struct mesh_lattice *lattice);
void mesh_lattice_place(const struct mesh_lattice *lattice, const i32 node[3], f32 place[3]);

/*
 * inside[node] = 1 or 0: by how often lines along the three axes cross the mesh on the way to the
 * node; where they disagree, or one crosses it an odd number of times in all, by the winding
 * number, or by a node beside them with no surface between; doubtful[node] = 1 there, 0 elsewhere.
 * distance[node]: to the mesh, m.  False when memory is short.
 */
bool mesh_find_sides(const struct mesh_surface *surface, const struct mesh_tree *tree,
		     const struct mesh_lattice *lattice, const f32 *distance, uint8_t *inside,
		     uint8_t *doubtful);

#endif
