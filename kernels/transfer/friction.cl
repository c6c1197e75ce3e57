/*
 * Friction at walls: what a turbulent boundary layer that the grid does not resolve takes from the
 * velocity of faces beside walls and solids.
 *
 * Werner & Wengle (1993): the law of the wall u+ = 8.3 (y+)^(1/7), below y+ = 11.8 u+ = y+, of the
 * velocity along the wall at the face's centre.  Rough walls: u+ = ln(30 y / k_s) / kappa
 * (Nikuradse 1933).
 */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "friction_params.h"
#include "kick.h"
#include "mover.h"
#include "pairs.h"
#include "solid_programs.h"

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

/* Surface of solids within the cell at here[], in faces, by what they leave open of its faces
 * (Gauss); of two that face each other, both. */
float friction_area(const struct grid g, const struct friction_scene *s, const int here[3], int at,
		    float volume)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	float square = 0.0f;
	for (int b = 0; b < DIM; b++) {
		global const ushort *open = s->open_fraction + b * g.lattice + at;
		const int low = here[b] > 0, high = here[b] < cells[b] - 1;
		const int first = low ? open[0] : 0, last = high ? open[lattice_stride(g, b)] : 0;
		float area = 0.0f;
		if (low && high && (first || last))
			area = fabs((float)(last - first)) * (1.0f / FRACTION_ONE);
		else if (low || high)
			/* What rests on the box's wall leaves of it what it leaves of the face
			 * across. */
			area = first || last ? 0.0f : (float)(low + high) * volume;
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

/* A wall that passes: it adds to the sums, along axis c, of area x rate and of that x velocity. */
void friction_by_wall(const struct friction_params f, int kind, global const float *table, float h,
		      float area, float y, const float along[3], int c, float *rates, float *drags)
{
	const float rate =
		shape_flush(area * friction_rate(f, kind, table, h, friction_speed(along), y));
	*rates += rate;
	*drags += rate * shape_flush(FORCES_OF(along, 0, 1, 2));
}

/* The face of component c at the lattice point here[]: u becomes u - sum(a r v) / (m + sum(a r)),
 * with a the area of a wall in the face's cube, m the cube's open part in units of h, v the
 * velocity along the wall, relative to it, r stress over density and speed, times dt/h; which is
 * implicit in u. */
struct friction_face friction_of_face(const struct grid g, const struct friction_params f,
				      const struct friction_scene *s, const int here[3], int c)
{
	struct friction_face face = {0.0f, 0.0f, 0.0f, -1, {0.0f, 0.0f, 0.0f}, 0.0f};
	const int cells[3] = {g.nx, g.ny, g.nz}, at = lattice_index(g, here[0], here[1], here[2]);
	const int stride = lattice_stride(g, c), place = FORCES_OF(here, 0, 1, 2);
	const int there[2] = {place > 0, place < FORCES_OF(cells, 0, 1, 2)};
	float u[3] = {0.0f, 0.0f, 0.0f}, x[3] = {0.0f, 0.0f, 0.0f};
	float rates = 0.0f, drags = 0.0f, area = 0.0f, walls[6] = {0.0f};
	int has_walls = 0;
	if (s->open_fraction[c * g.lattice + at] == 0)
		return face;
	for (int side = 0; side < 2; side++) {
		const int cell = at - (1 - side) * stride;
		int of_cell[3] = {here[0], here[1], here[2]};
		if (!there[side] || s->cell_type[cell] != CELL_LIQUID)
			continue;
		of_cell[c] -= 1 - side;
		const float part = friction_part_of_face(g, s, cell, c, side);
		const float volume = friction_volume(s, cell);
		face.mass += part * volume;
		if (f.solid_count > 0)
			area += part * friction_area(g, s, of_cell, cell, volume);
		for (int b = 0; b < DIM; b++) {
			if (b == c)
				continue;
			for (int end = 0; end < 2; end++) {
				const int slot = b * g.lattice + cell + end * lattice_stride(g, b);
				const int is_last =
					end ? of_cell[b] == cells[b] - 1 : of_cell[b] == 0;
				if (is_last && s->open_fraction[slot] == 0 &&
				    !(s->has_flow && fabs(s->flow[slot]) > 0.0f)) {
					walls[2 * b + end] += part * volume;
					has_walls = 1;
				}
			}
		}
	}
	if (!(face.mass > 0.0f) || !(has_walls || area > 0.0f || f.across > 0.0f))
		return face;
	for (int a = 0; a < DIM; a++) {
		u[a] = friction_velocity(g, s->u_face, at, a, c, there);
		x[a] = ((float)here[a] + (a == c ? 0.0f : 0.5f)) * g.h;
	}
	for (int b = 0; b < DIM; b++) {
		float along[3] = {u[0], u[1], u[2]};
		along[b] = 0.0f;
		for (int end = 0; end < 2; end++)
			if (walls[2 * b + end] > 0.0f)
				friction_by_wall(f, f.kind, s->table, g.h, walls[2 * b + end],
						 0.5f * g.h, along, c, &rates, &drags);
	}
	if (f.across > 0.0f) {
		/* Both walls, over the volume: as if the face's cube had them at its sides. */
		const float speed = friction_speed(u);
		const float rate = f.kind == FRICTION_ROUGH ? f.across_rough * speed
							    : friction_rate(f, f.kind, s->table,
									    g.h, speed, f.across_y);
		const float part = shape_flush(face.mass * (f.across * g.h) * rate);
		rates += part;
		drags += part * shape_flush(FORCES_OF(u, 0, 1, 2));
	}
	float by_solid = 0.0f;
	if (area > 0.0f) {
		const int n = solid_programs_nearest(&s->solids, 0, f.solid_count, x);
		const struct shape_sample sample = solid_programs_evaluate(&s->solids, n, x);
		float wall[3] = {0.0f, 0.0f, 0.0f}, along[3] = {0.0f, 0.0f, 0.0f};
		float across = 0.0f;
		face.solid = n;
		for (int a = 0; a < DIM; a++)
			face.at[a] = x[a] - sample.distance * sample.gradient[a];
		if (n >= f.rest_count) {
			global const float *words = s->mover + (n - f.rest_count) * MOVER_WORDS;
			const float center[3] = {words[MOVER_FROM], words[MOVER_FROM + 1],
						 words[MOVER_FROM + 2]};
			mover_velocity(words, center, face.at, wall);
		}
		for (int a = 0; a < DIM; a++) {
			along[a] = shape_flush(u[a] - wall[a]);
			across += along[a] * shape_flush(sample.gradient[a]);
		}
		face.wall_velocity = FORCES_OF(wall, 0, 1, 2);
		const float whole = FORCES_OF(along, 0, 1, 2);
		for (int a = 0; a < DIM; a++)
			along[a] -= shape_flush(across) * shape_flush(sample.gradient[a]);
		/* What is along the wall is a part of the face's own velocity, or this is not one
		 * that it could slow. */
		float part = FORCES_OF(along, 0, 1, 2);
		part = part * whole > 0.0f ? part : 0.0f;
		part = fabs(part) > fabs(whole) ? whole : part;
		const float rate = shape_flush(
			area *
			friction_rate(f, s->kinds[n], s->table + (1 + n) * FRICTION_TABLE, g.h,
				      friction_speed(along),
				      max_float(fabs(sample.distance), FRICTION_NEAREST * g.h)));
		by_solid = rate * shape_flush(part);
		rates += rate;
		drags += by_solid;
	}
	const float time = f.dt * g.inv_h;
	face.added = -shape_flush(time * drags) / (face.mass + time * rates);
	face.share = fabs(by_solid) > 0.0f && fabs(drags) > 0.0f ? by_solid / drags : 0.0f;
	return face;
}

/* What kernels have of the scene. */
#define FRICTION_SCENE                                                                    \
	{                                                                                 \
		{ops, points, solid_slip}, kinds, table, mover, cell_type, open_fraction, \
			volume_open, solid_phi, flow, u_face, has_flow                    \
	}

/*
 * friction = what is added to u_face in the substep, f32 [D][L], m/s, at listed points that a wall
 * may be near to; it has no meaning elsewhere.  Work-items of bricks_columns().
 */
kernel void friction_make(global const int *bricks, const struct brick_run run, const struct grid g,
			  const struct friction_params f, global const struct shape_op *ops,
			  global const float *points, global const uint *solid_slip,
			  global const int *kinds, global const float *table,
			  global const float *mover, global const uchar *cell_type,
			  global const ushort *open_fraction, global const ushort *volume_open,
			  global const float *solid_phi, global const float *flow, int has_flow,
			  global const float *u_face, global float *friction)
{
	const int place = bricks_place(run, 1);
	const struct friction_scene scene = FRICTION_SCENE;
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if (p.j >= g.py || p.k >= g.pz || !friction_row_is_near(g, f, p))
			continue;
		BRICK_FOR_X(x)
		{
			const int here[3] = {p.i + (int)x, p.j, p.k};
			if (here[0] >= g.px ||
			    !friction_is_near(g, f, solid_phi, here[0], p.j, p.k))
				continue;
			const int at = lattice_index(g, here[0], p.j, p.k);
			for (int c = 0; c < DIM; c++) {
				const int exists = face_exists(g, c, here[0], p.j, p.k);
				friction[c * g.lattice + at] =
					exists ? friction_of_face(g, f, &scene, here, c).added
					       : 0.0f;
			}
		}
	}
}

/* field += sign * friction on faces, of listed points.  Work-items of bricks_columns(). */
kernel void friction_add(global const int *bricks, const struct brick_run run, const struct grid g,
			 const struct friction_params f, global const float *solid_phi, float sign,
			 global const float *friction, global float *field)
{
	const int place = bricks_place(run, 1);
	for (int row = 0; row < BRICK_ROWS; row++) {
		const struct brick_point p = bricks_row_of(bricks, run, place, 0, row);
		if (p.j >= g.py || p.k >= g.pz || !friction_row_is_near(g, f, p))
			continue;
		BRICK_FOR_X(x)
		{
			const int i = p.i + (int)x;
			if (i >= g.px || !friction_is_near(g, f, solid_phi, i, p.j, p.k))
				continue;
			const int at = lattice_index(g, i, p.j, p.k);
			for (int c = 0; c < DIM; c++)
				field[c * g.lattice + at] += sign * friction[c * g.lattice + at];
		}
	}
}

/* sum[]: what the face of component c at here[] adds. */
void friction_sum_face(const struct grid g, const struct friction_params f,
		       const struct friction_scene *s, const struct friction_part part,
		       const int here[3], int at, int c, float added, float sum[FRICTION_SUMS])
{
	struct friction_face face = {0.0f, 0.0f, 1.0f, -1, {0.0f, 0.0f, 0.0f}, 0.0f};
	for (int n = 0; n < FRICTION_SUMS; n++)
		sum[n] = 0.0f;
	if (part.solid < 0)
		face.mass = friction_mass(g, s, here, at, c);
	else
		face = friction_of_face(g, f, s, here, c);
	if (face.solid != part.solid)
		return;
	const float impulse = shape_flush(face.mass * added * face.share);
	sum[FRICTION_WORK] = impulse * shape_flush(s->u_face[c * g.lattice + at] + 0.5f * added);
	sum[FRICTION_IMPULSE + c] = impulse;
	if (part.solid < 0)
		return;
	const float away[3] = {shape_flush(face.at[0] - part.center[0]),
			       shape_flush(face.at[1] - part.center[1]),
			       shape_flush(face.at[2] - part.center[2])};
	const int b = c == 2 ? 0 : c + 1, d = c == 0 ? 2 : c - 1;
	/* away x impulse, the impulse along c. */
	sum[FRICTION_MOMENT + b] = FORCES_OF(away, 2, 0, 1) * impulse;
	sum[FRICTION_MOMENT + d] = -(FORCES_OF(away, 1, 2, 0) * impulse);
	sum[FRICTION_SOLID_WORK] = -(impulse * shape_flush(face.wall_velocity));
}

/*
 * partial[sums + n*chunks + chunk] = chunk sums of number n of FRICTION_SUMS over the lattice, of
 * listed chunks, before friction is added to u_face.  lane: PAIRS_FINAL_LANES pairs for each.
 */
kernel void friction_sum(global const int *bricks, const struct brick_run run, const struct grid g,
			 const struct friction_params f, const struct friction_part part,
			 global const struct shape_op *ops, global const float *points,
			 global const uint *solid_slip, global const int *kinds,
			 global const float *table, global const float *mover,
			 global const uchar *cell_type, global const ushort *open_fraction,
			 global const ushort *volume_open, global const float *solid_phi,
			 global const float *flow, int has_flow, global const float *u_face,
			 global const float *friction, int chunks, int sums,
			 global struct pair *partial, local struct pair *lane)
{
	const int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	const struct friction_scene scene = FRICTION_SCENE;
	for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	     w += (int)get_local_size(0)) {
		const int chunk = bricks_chunk(bricks, run, first + w / PAIRS_LANES);
		const int from =
			chunk < 0 ? g.lattice : chunk * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
		float high[FRICTION_SUMS], low[FRICTION_SUMS], sum[FRICTION_SUMS];
		for (int n = 0; n < FRICTION_SUMS; n++)
			high[n] = low[n] = 0.0f;
		int here[3] = {modulo(from, g.px), modulo(from / g.px, g.py), from / g.px / g.py};
		for (int at = from; at < g.lattice && at < from + PAIRS_CHUNK;
		     at += PAIRS_LANES, lattice_advance(g, here, PAIRS_LANES)) {
			if (here[0] < part.box.i || here[1] < part.box.j || here[2] < part.box.k ||
			    here[0] > part.box.i + part.box.nx ||
			    here[1] > part.box.j + part.box.ny ||
			    here[2] > part.box.k + part.box.nz ||
			    !friction_is_near(g, f, solid_phi, here[0], here[1], here[2]))
				continue;
			for (int c = 0; c < DIM; c++) {
				const float added = friction[c * g.lattice + at];
				if (!(fabs(added) > 0.0f))
					continue;
				friction_sum_face(g, f, &scene, part, here, at, c, added, sum);
				for (int n = 0; n < FRICTION_SUMS; n++)
					pairs_accumulate(&high[n], &low[n], sum[n], 1.0f);
			}
		}
		for (int n = 0; n < FRICTION_SUMS; n++)
			lane[n * PAIRS_FINAL_LANES + w] = pair_of(high[n], low[n]);
	}
	for (int n = 0; n < FRICTION_SUMS; n++)
		pairs_store_listed(lane + n * PAIRS_FINAL_LANES, PAIRS_GROUP_CHUNKS, first, bricks,
				   run, partial + sums + n * chunks);
}
