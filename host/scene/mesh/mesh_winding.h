/*
 * The winding number of triangles around a point: about 1 (or -1) inside, 0 outside, also where
 * some are missing, doubled or turned (Jacobson, Kavan & Sorkine-Hornung 2013).  Far parts of the
 * tree count as dipoles (Barill et al. 2018).
 */
#ifndef FRESHET_MESH_WINDING_H
#define FRESHET_MESH_WINDING_H

#include "mesh_tree.h"

struct mesh_dipole {
	double area[3], middle[3]; /* sum of the triangles' area vectors; mean place */
	double weight, radius;	   /* area; of the ball about `middle` that holds all */
};

/* One for each box of the tree, malloc'ed; NULL when memory is short. */
struct mesh_dipole *mesh_dipoles(const struct mesh_surface *surface, const struct mesh_tree *tree);

double mesh_winding(const struct mesh_surface *surface, const struct mesh_tree *tree,
		    const struct mesh_dipole *dipoles, const f32 p[3]);

#endif
