/*
 * The liquid's surface, for meshes and pictures: a level set on a lattice of its own, made on the
 * device from the particles of its subject as they are now; and its mesh.
 *
 * Apart from the level set of the pressure solve, which is that of the last substep's start.
 * Same bits on every device.
 */
#ifndef FRESHET_SURFACE_H
#define FRESHET_SURFACE_H

#include "subject.h"
#include "surface_params.h"

/* Owned by whoever declares it; zeroed = none.  S = grid.count, N = particle capacity. */
struct surface {
	struct subject subject;
	struct surface_grid grid;
	u32 capacity; /* N, of the buffers */
	bool current; /* the particles have not moved since: for those who share a surface */
	union f32_buffer level;	  /* f32 [S+1], m, < 0 inside; as surface_params.h says */
	union f32_buffer work[2]; /* f32 [S+1]; u32 while a mesh is made */
	union u8_buffer crossed;  /* u8 [S]; gains while volume is kept */
	union u8_buffer class_of; /* u8 [L] */
	union u32_buffer start;	  /* u32 [keys+2], first particle of each cell */
	union f32_buffer position, velocity; /* f32 [D][N], sorted by cell, then id */
	union u32_buffer id;		     /* u32 [N], likewise */
	/* Anisotropic only. */
	union f32_buffer toward;  /* f32 [D][N], m, from particles to the mean of those around */
	union f32_buffer kernels; /* f32 [SURFACE_KERNEL][N], surface_params.h */
	union u8_buffer table;	  /* u8 [SURFACE_CASES][SURFACE_ROW] */
	union u32_buffer scan_scratch;
	/* of the last mesh; grow */
	union f32_buffer vertex;
	union u32_buffer face;
};

/* A mesh on the host: triangles, in 2D the edges of outlines.  Zeroed = none; mesh_free() frees it.
 */
struct mesh {
	u32 vertices, faces;
	u32 corners; /* of a face: 3, in 2D 2 */
	f32 *vertex; /* [vertices][9]: place (m), outward unit normal, velocity (m/s); z 0 in 2D */
	u32 *face;   /* [faces][corners]: vertices, anticlockwise seen from outside; in 2D with the
		      * liquid to the left, so that outlines run anticlockwise around it */
};

/* Room for a surface of the subject by scene->output.surface.  About 13 bytes per lattice node, 28
 * per particle (2D 20; anisotropic 80, 2D 52), 5 per cell.  False after reporting; then
 * surface_finish() is still needed. */
bool surface_init(struct surface *surface, struct subject subject);
void surface_finish(struct surface *surface); /* accepts a zeroed one */

/* Bytes of device memory that surface_init() will hold with room for so many particles, found
 * without a device.  False after reporting what surface_init() would refuse. */
bool surface_memory(const struct scene *scene, u32 particles, uint64_t *bytes);

/* The level set of the present particles. */
bool surface_update(struct surface *surface);

/* Work-items for the nodes of the box. */
static inline struct clx_range surface_nodes(const struct surface_grid *grid)
{
	return clx_range3((size_t)grid->nx + 1, (size_t)grid->ny + 1, (size_t)grid->nz + 1);
}

/* Part of surface_update() (surface_anisotropic.c): the kernels of sorted particles, once cells are
 * classified. */
bool surface_anisotropic(struct surface *surface);
/* Likewise (surface_smooth.c): smooths the level set of thick liquid; at the end, the level set
 * with every particle in it. */
bool surface_make_smooth(struct surface *surface);
bool surface_keep_particles(struct surface *surface);
/* Likewise (surface_volume.c): moves the level set so that it encloses the particles' volume. */
bool surface_volume(struct surface *surface);

/* The mesh of the level set, after surface_update().  Vertices by lattice node and axis, faces by
 * cube: one order everywhere.  Closed and two-manifold, whatever the level set
 * (surface_table.h).  *mesh is overwritten.  Waits for all queued work. */
bool surface_mesh(struct surface *surface, struct mesh *mesh);
void mesh_free(struct mesh *mesh);

#endif
