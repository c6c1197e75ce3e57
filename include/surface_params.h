/*
 * Read by both compilers: the lattice of the surface (kernels/surface*.cl) and what its kernels are
 * told.  The rules of shared.h hold here too.
 */
#ifndef FRESHET_SURFACE_PARAMS_H
#define FRESHET_SURFACE_PARAMS_H

#include "shared.h"

/*
 * Nodes (i,j,k), -1 <= i <= nx+1 and so on (in 2D k = 0), x fastest; the outermost layer is outside
 * of the box, and outside of the liquid by definition, which closes every surface.  Node 0 and node
 * nx lie on the box's walls, the others `spacing` apart.
 */
struct surface_grid {
	i32 nx, ny, nz; /* intervals between the box's walls; 0 along z in 2D */
	i32 px, py, pz; /* nodes per axis: nx+3 and so on; pz = 1 in 2D */
	i32 count;	/* px*py*pz */
	i32 fine;	/* intervals per cell of the simulation: 1 or 2 */
	i32 method;	/* enum surface_method */
	i32 smoothings; /* rounds */
	i32 has_solids; /* 1 = solids cut the surface */
	f32 spacing;	/* m */
	f32 reach;	/* averaged: greatest distance from the nearest particle, cells */
	f32 thin;	/* averaged: how far phi goes to what the number of particles says */
	f32 to_rho;	/* rho/rho0 per unit of kernel sum */
	f32 share;	/* of a particle in a cell: 1/particles_per_cell */
	f32 alone;	/* anisotropic: weight of what is assumed around a particle, particles */
	f32 size[3];	/* box, m */
};

enum surface_method {
	SURFACE_AVERAGED,    /* Zhu & Bridson 2005 */
	SURFACE_BLOBS,	     /* sum of kernels, Blinn 1982 */
	SURFACE_ANISOTROPIC, /* sum of ellipsoidal kernels, Yu & Turk 2013 */
};

/* Floats of a particle's anisotropic kernel: its smoothed place (m), then a symmetric matrix from
 * displacements in cells to parts of the kernel's radius, then the kernel's value at its middle. */
#define SURFACE_KERNEL_FLOATS(dim) ((dim) + (dim) * ((dim) + 1) / 2 + 1)
#define SURFACE_KERNEL SURFACE_KERNEL_FLOATS(DIM)

/* Values closer to 0 than this are moved to it, in spacings, so that no vertex meets a node. */
#define SURFACE_LEAST 1e-3f
/* Values are cut off at this distance, in spacings, so that no vertex comes within 1/4000 of a
 * node. */
#define SURFACE_MOST 4.0f
/* Wall nodes stand off by this, in spacings; faces of the mesh on walls lie on them exactly, and
 * the edges of a full box are cut off at this width. */
#define SURFACE_CHAMFER 0.02f

/* Fills what depends on the method alone. */
SHARED_INLINE void surface_settings(struct surface_grid *s, i32 dim, i32 fine, i32 method, i32 ppc)
{
	/* Integral of the kernel (1 - s^2)^3 over two cells; reach: docs/decisions/0047. */
	f32 integral = (f32)DENSITY_INTEGRAL(dim);
	s->fine = fine;
	s->method = method;
	s->smoothings = fine > 1 ? 6 : 2;
	s->reach = 0.8f;
	s->thin = fine > 1 ? 0.35f : 0.1f;
	s->to_rho = 1.0f / ((f32)ppc * integral);
	s->share = 1.0f / (f32)ppc;
	s->alone = 0.25f * (f32)ppc;
}

/* A row of the case table: number of triangles, then three edges each; in 2D, where 16 rows are
 * used, number of outline edges, then two edges of the square each.  Corner n of a cube is at (n &
 * 1, n >> 1 & 1, n >> 2); edge 4a + m runs along axis a from the corner whose bits on the two other
 * axes, in their order, are those of m.  Bit n of the case: corner n is inside. */
#define SURFACE_CASES 256
#define SURFACE_ROW 16

#endif
