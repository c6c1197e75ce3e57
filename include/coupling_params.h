/* Bodies that the liquid moves, as the pressure equation knows them.  Read by both compilers;
 * 4-byte scalars only. */
#ifndef FRESHET_COUPLING_PARAMS_H
#define FRESHET_COUPLING_PARAMS_H

#include "shared.h"

/* Velocities of a body: along the axes, and its spin times `radius`: about z alone in 2D. */
#define COUPLING_AXES(dim) ((dim) == 3 ? 6 : 3)
#define COUPLING_MOST_AXES 6
/* A block of products of the velocities of two bodies. */
#define COUPLING_BLOCK(dim) (COUPLING_AXES(dim) * COUPLING_AXES(dim))

struct coupling_body {
	struct lattice_box box; /* cells that its columns know of; no wider than the level */
	i32 first;		/* place of its first cell in arrays over the cells of all boxes */
	i32 first_row;		/* the same of rows along x */
	i32 own;		/* its place among the solids' programs */
	f32 center[3];		/* m, of mass */
	f32 radius;		/* m, that spins are scaled by */
	f32 relax;		/* over-relaxation of its columns */
};

/* Columns of body `column` and what meets them: the columns, or the surface, of body `row`. */
struct coupling_pair {
	i32 row, column;
};

/* A row of the inverse of the coarse matrix: `count` unknowns from `first` on, whose entries begin
 * at `entry`. */
struct coupling_row {
	i32 first, count, entry;
};

/* When kernels do something. */
enum coupling_when {
	COUPLING_ALWAYS,
	COUPLING_RUNNING, /* unless the solve has ended */
	COUPLING_CHECKED, /* and where the true residual is due */
};

#endif
