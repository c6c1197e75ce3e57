/* A tree of boxes around the triangles of a mesh, as shape_mesh.h walks it. */
#ifndef FRESHET_MESH_TREE_H
#define FRESHET_MESH_TREE_H

#include <stdbool.h>

#include "mesh_surface.h"

#define MESH_LEAF 2 /* triangles, at most */

struct mesh_box {
	f32 low[3], high[3];
	i32 skip; /* the box after all its parts, which follow it */
	i32 leaf; /* -1, or 8 times its first triangle and how many it has */
};

struct mesh_tree {
	struct mesh_box *boxes; /* owned */
	size_t count;
};

/* Brings the triangles into the order of the leaves.  False when memory is short.  Boxes are halved
 * at the middle of the middles of their triangles, where that leaves one side empty by number. */
bool mesh_tree_build(struct mesh_surface *surface, struct mesh_tree *tree);
void mesh_tree_free(struct mesh_tree *tree); /* accepts a zeroed one */

#endif
