/* The law of the wall, and what wall is beside a face. */
#ifndef FRESHET_FRICTION_WALL_H
#define FRESHET_FRICTION_WALL_H

#include "brick_access.h"
#include "common.h"
#include "friction_params.h"
#include "kick.h"
#include "solid_programs.h"
#include "wall_cover.h"

/* 8.3^(-7/4): the stress is this |u|^(7/4) (nu / y)^(1/4), by density. */
#define FRICTION_LAW 0.024638f
/* Least distance of a sample from a wall, in cells: of cells that solids cut. */
#define FRICTION_NEAREST 0.25f
/* Solids further from a node, in cells, touch none of the cells around it. */
#define FRICTION_REACH 2.0f

/* Everything that tells what lies around a face. */
struct friction_scene {
	struct solid_programs solids;
	global const int *kinds;   /* of solids: enum friction_kind */
	global const float *table; /* [1 + solids][FRICTION_TABLE], first that of the box's walls */
	global const float *mover; /* words of what moves */
	global const uchar *cell_type;
	global const ushort *open_fraction, *volume_open;
	global const float *solid_phi, *flow, *u_face;
	int has_flow;
};

/* What friction does to the velocity of a face, m/s. */
struct friction_face {
	float added;	     /* in all, m/s */
	float mass;	     /* of liquid around the face, that of a cell being 1 */
	float share;	     /* of what is added: that of `solid` */
	int solid;	     /* the nearest one, or -1 */
	float at[3];	     /* m, of its surface */
	float wall_velocity; /* m/s, there, along the face's axis */
};

/* May a wall be beside a face at the lattice point (i,j,k)?  Elsewhere there is no friction, and
 * nothing is stored. */
ALWAYS_INLINE int friction_is_near(const struct grid g, const struct friction_params f,
				   global const float *solid_phi, int i, int j, int k)
{
	int near = (f.across > 0.0f) | (i <= 0) | (i >= g.nx - 1) | (j <= 0) | (j >= g.ny - 1);
#if DIM == 3
	near |= (k <= 0) | (k >= g.nz - 1);
#endif
	if (f.solid_count > 0 && !near)
		near = fabs(solid_phi[lattice_index(g, i, j, k)]) < FRICTION_REACH * g.h;
	return near;
}

/* May there be such a point in the row of a brick that begins at p? */
ALWAYS_INLINE int friction_row_is_near(const struct grid g, const struct friction_params f,
				       const struct brick_point p)
{
	int near = (f.across > 0.0f) | (f.solid_count > 0) | (p.i <= 0) |
		   (p.i + BRICK_X > g.nx - 1) | (p.j <= 0) | (p.j >= g.ny - 1);
#if DIM == 3
	near |= (p.k <= 0) | (p.k >= g.nz - 1);
#endif
	return near;
}

/* Stress over density and speed, m/s, y from a wall that liquid passes with `speed`. */
float friction_rate(const struct friction_params f, int kind, global const float *table, float h,
		    float speed, float y)
{
	if (kind == FRICTION_NONE)
		return 0.0f;
	if (kind == FRICTION_ROUGH) {
		const float from = (y / h - FRICTION_NEAREST) * (float)FRICTION_STEPS;
		const float place = max_float(min_float(from, (float)FRICTION_STEPS - 1e-3f), 0.0f);
		const int n = (int)place;
		const float root = table[n] + (place - (float)n) * (table[n + 1] - table[n]);
		return root * root * speed;
	}
	const float laminar = f.viscosity / y;
	const float product = shape_flush(speed * laminar);
	const float turbulent = FRICTION_LAW * (sqrt(speed) * sqrt(sqrt(product)));
	return turbulent > laminar ? turbulent : laminar;
}

/* Component b of the velocity at the centre of the face of component c at `at`, whose cells on
 * both sides are there or not. */
float friction_velocity(const struct grid g, global const float *u_face, int at, int b, int c,
			const int there[2])
{
	const int up = lattice_stride(g, b), back = lattice_stride(g, c);
	global const float *u = u_face + b * g.lattice + at;
	if (b == c)
		return u[0];
	const float high = there[1] ? 0.5f * (u[0] + u[up]) : 0.0f;
	const float low = there[0] ? 0.5f * (u[-back] + u[up - back]) : 0.0f;
	return there[0] && there[1] ? 0.5f * (low + high) : low + high;
}

/* Length of a velocity. */
float friction_speed(const float u[3])
{
	float square = 0.0f;
	for (int a = 0; a < DIM; a++)
		square += shape_flush(u[a]) * shape_flush(u[a]);
	return sqrt(square);
}

/* Part of a face of the cell at here[], across b, that solids leave open; of the box's walls, too.
 */
float friction_side(const struct grid g, const struct friction_scene *s, const int here[3], int at,
		    int b, int side)
{
	const int slot = at + side * lattice_stride(g, b);
	const int cells = b == 0 ? g.nx : b == 1 ? g.ny : g.nz;
	if (side ? here[b] == cells - 1 : here[b] == 0)
		return 1.0f - wall_cover(g, s->solid_phi, b, side, slot);
	return (float)(int)s->open_fraction[b * g.lattice + slot] * (1.0f / FRACTION_ONE);
}

/* Surface of solids within the cell at here[], in faces, by what they leave open of its faces
 * (Gauss); of two that face each other, both. */
float friction_area(const struct grid g, const struct friction_scene *s, const int here[3], int at,
		    float volume)
{
	float square = 0.0f;
	for (int b = 0; b < DIM; b++) {
		const float low = friction_side(g, s, here, at, b, 0);
		const float high = friction_side(g, s, here, at, b, 1);
		const float area = low > 0.0f || high > 0.0f ? high - low : 2.0f * volume;
		square += area * area;
	}
	return sqrt(square);
}

/* Open part of a cell. */
float friction_volume(const struct friction_scene *s, int cell)
{
	const float units = (float)(int)room_units(s->volume_open[cell]);
	return min_float(units * (1.0f / FRACTION_ONE), 1.0f);
}

/* Which part of a cell's liquid and surface counts to its face of component c at the high (side 0)
 * or low end: by how far they are open. */
float friction_part_of_face(const struct grid g, const struct friction_scene *s, int cell, int c,
			    int side)
{
	global const ushort *open = s->open_fraction + c * g.lattice + cell;
	const int low = open[0], high = open[lattice_stride(g, c)];
	return (float)(side ? low : high) / (float)(low + high);
}

/* Liquid around a face of component c at `at`, that of a cell being 1. */
float friction_mass(const struct grid g, const struct friction_scene *s, const int here[3], int at,
		    int c)
{
	const int cells = c == 0 ? g.nx : c == 1 ? g.ny : g.nz, place = FORCES_OF(here, 0, 1, 2);
	float mass = 0.0f;
	for (int side = 0; side < 2; side++) {
		const int cell = at - (1 - side) * lattice_stride(g, c);
		if ((side ? place < cells : place > 0) && s->cell_type[cell] == CELL_LIQUID)
			mass += friction_part_of_face(g, s, cell, c, side) *
				friction_volume(s, cell);
	}
	return mass;
}

#endif
