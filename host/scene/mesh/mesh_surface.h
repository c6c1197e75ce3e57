/* Triangles as a file has them, and as shapes need them. */
#ifndef FRESHET_MESH_SURFACE_H
#define FRESHET_MESH_SURFACE_H

#include <stddef.h>
#include <stdint.h>

#include "shared.h"

/* Larger meshes are refused. */
#define MESH_MOST_TRIANGLES 10000000
#define MESH_MOST_VERTICES (3 * MESH_MOST_TRIANGLES)

/* Start from a zeroed one; mesh_surface_free() frees what it owns. */
struct mesh_surface {
	f32 *vertices;	     /* x y z of each; in files finite */
	uint32_t *triangles; /* three vertices of each */
	uint64_t vertex_count, triangle_count;
	uint64_t others; /* faces of a file that are no triangles: points, lines */
};

void mesh_surface_free(struct mesh_surface *surface); /* accepts a zeroed one */

/* CRC-64/XZ of the counts, vertices and triangles, as the host stores them: what a mesh is known
 * by. */
uint64_t mesh_surface_hash(const struct mesh_surface *surface);

#endif
