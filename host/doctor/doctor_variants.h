/* Tiny scenes that together launch every kernel. */
#ifndef FRESHET_DOCTOR_VARIANTS_H
#define FRESHET_DOCTOR_VARIANTS_H

#include "scene.h"
#include "transfer.h"

struct variant {
	const char *transfer, *solver, *drift, *advection, *separation;
	enum splat_path splat;
	bool sealed;	  /* a full box without air */
	bool levels;	  /* multigrid levels by launches of their own, not in one work-group */
	bool outputs;	  /* pictures, meshes, distances */
	bool rolls;	  /* in a moving box */
	bool anisotropic; /* the surface */
	bool uncut;	  /* no solid cuts a part off some cell */
	bool bare;	  /* no solid at all */
	bool inflow;	  /* through a wall */
	bool forces; /* fields of every kind, outflows, emitters, drains; liquids that differ */
	bool moves;  /* the ball does, and the plate turns: kernels are built anew */
	bool grid;   /* method: grid, of which `transfer` is how it carries velocity */
	const char *surface; /* of `grid` or `liquid`, and its keys */
	bool sph;  /* method: sph, of which `transfer` is the solver, `solver` the kernel */
	bool mesh; /* 3D only: the ball is one of triangles, and kernels are built anew */
	bool near; /* particles act on those near them, in every way; the stiff kernel */
	enum { OWN, CPU, GPU } path; /* the device's own, or one of these */
};

#define DOCTOR_VARIANTS 24
extern const struct variant doctor_variants[DOCTOR_VARIANTS];

/* The scene of a variant, in so many dimensions; NULL after reporting. */
struct scene *doctor_read_variant(const struct variant *v, int dim);

#endif
