/* A mesh as a shape of a scene: what was asked for, what was found, and the words that
 * include/shape_mesh.h goes by. */
#ifndef FRESHET_MESH_SHAPE_H
#define FRESHET_MESH_SHAPE_H

#include "mesh_health.h"

enum mesh_kind { MESH_AS_FOUND, MESH_CLOSED, MESH_SHEET };

/* A mesh is found to be a sheet where so much of its edges is open, or of the nodes near it in
 * doubt (mesh_sides.h). */
#define MESH_SHEET_OPEN 0.1
#define MESH_SHEET_DOUBT 0.25

struct mesh_request {
	double scale[3], rotate[3], translate[3]; /* in this order; rad about the origin; m */
	enum mesh_kind kind;
	double h, size[3]; /* of the cells; of the box, m */
};

/* One of a shape program.  mesh_shape_free() frees what it owns. */
struct mesh_shape {
	char *file; /* as it can be opened from anywhere */
	struct mesh_request request;
	uint64_t hash; /* mesh_surface_hash() of the file's triangles */
	struct mesh_health health;
	bool sheet;
	double open_share, doubt_share; /* of edges; of nodes near it */
	double low[3], high[3];		/* the box around it, m */
	double area, volume;		/* m^2, m^3; the volume of a sheet means nothing */
};

void mesh_shape_free(struct mesh_shape *shape); /* accepts a zeroed one */

#define MESH_SHAPE_REASON 160

/*
 * The words of `surface` as `request` places it, their number even; malloc'ed.  Welds and orders
 * the surface, which stays the caller's, and fills *shape but for its file and hash.  NULL with a
 * reason, a phrase whose subject is the mesh; "" when memory is short.
 */
f32 *mesh_shape_words(struct mesh_surface *surface, const struct mesh_request *request,
		      struct mesh_shape *shape, size_t *words, char reason[MESH_SHAPE_REASON]);

#endif
