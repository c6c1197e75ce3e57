/* What all walls beside a face do to its velocity. */
#ifndef FRESHET_FRICTION_FACE_H
#define FRESHET_FRICTION_FACE_H

#include "friction_wall.h"
#include "mover.h"

/* What touches the liquid around a face: its part of it, and areas, in faces. */
struct friction_around {
	float mass;	/* of liquid, that of a cell being 1 */
	float area;	/* of solids */
	float walls[6]; /* of the box's, by enum wall_side */
	int has_walls;
};

/* Sums over walls, along the face's axis: area times rate, and that times the velocity along the
 * wall. */
struct friction_sums {
	float rates, drags;
};

/* A wall of area `area`, y away, that the liquid passes with the velocity `along`. */
void friction_by_wall(const struct friction_params f, int kind, global const float *table, float h,
		      float area, float y, const float along[3], int c, struct friction_sums *sums)
{
	const float rate =
		shape_flush(area * friction_rate(f, kind, table, h, friction_speed(along), y));
	sums->rates += rate;
	sums->drags += rate * shape_flush(FORCES_OF(along, 0, 1, 2));
}

/* Adds the closed walls of the box of the cell of_cell[] beside a face of component c, of which
 * `part` counts. */
void friction_box_walls(const struct grid g, const struct friction_scene *s, const int of_cell[3],
			int cell, int c, int has_solids, float part, struct friction_around *around)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	for (int b = 0; b < DIM; b++)
		for (int end = 0; end < 2 && b != c; end++) {
			const int slot = b * g.lattice + cell + end * lattice_stride(g, b);
			const int is_last = end ? of_cell[b] == cells[b] - 1 : of_cell[b] == 0;
			if (is_last && s->open_fraction[slot] == 0 &&
			    !(s->has_flow && fabs(s->flow[slot]) > 0.0f)) {
				const float bare =
					has_solids ? friction_side(g, s, of_cell, cell, b, end)
						   : 1.0f;
				around->walls[2 * b + end] += part * bare;
				around->has_walls |= bare > 0.0f;
			}
		}
}

struct friction_around friction_look_around(const struct grid g, const struct friction_params f,
					    const struct friction_scene *s, const int here[3],
					    int at, int c, const int there[2])
{
	struct friction_around around = {0.0f, 0.0f, {0.0f}, 0};
	for (int side = 0; side < 2; side++) {
		const int cell = at - (1 - side) * lattice_stride(g, c);
		int of_cell[3] = {here[0], here[1], here[2]};
		if (!there[side] || s->cell_type[cell] != CELL_LIQUID)
			continue;
		of_cell[c] -= 1 - side;
		const float volume = friction_volume(s, cell);
		const float part = friction_part_of_face(g, s, cell, c, side);
		around.mass += part * volume;
		if (f.solid_count > 0)
			around.area += part * friction_area(g, s, of_cell, cell, volume);
		friction_box_walls(g, s, of_cell, cell, c, f.solid_count > 0, part * volume,
				   &around);
	}
	return around;
}

/* The solid nearest to x, the face's centre, adds to the sums; returns its part of the drags. */
float friction_by_solid(const struct grid g, const struct friction_params f,
			const struct friction_scene *s, const float x[3], const float u[3],
			float area, int c, struct friction_sums *sums, struct friction_face *face)
{
	const int n = solid_programs_nearest(&s->solids, 0, f.solid_count, x);
	const struct shape_sample sample = solid_programs_evaluate(&s->solids, n, x);
	float wall[3] = {0.0f, 0.0f, 0.0f}, along[3] = {0.0f, 0.0f, 0.0f}, across = 0.0f;
	face->solid = n;
	for (int a = 0; a < DIM; a++)
		face->at[a] = x[a] - sample.distance * sample.gradient[a];
	if (n >= f.rest_count) {
		global const float *words = s->mover + (n - f.rest_count) * MOVER_WORDS;
		const float center[3] = {words[MOVER_FROM], words[MOVER_FROM + 1],
					 words[MOVER_FROM + 2]};
		mover_velocity(words, center, face->at, wall);
	}
	for (int a = 0; a < DIM; a++) {
		along[a] = shape_flush(u[a] - wall[a]);
		across += along[a] * shape_flush(sample.gradient[a]);
	}
	face->wall_velocity = FORCES_OF(wall, 0, 1, 2);
	const float whole = FORCES_OF(along, 0, 1, 2);
	for (int a = 0; a < DIM; a++)
		along[a] -= shape_flush(across) * shape_flush(sample.gradient[a]);
	/* What is along the wall is a part of the face's own velocity, or this is not one that it
	 * could slow. */
	float part = FORCES_OF(along, 0, 1, 2);
	part = part * whole > 0.0f ? part : 0.0f;
	part = fabs(part) > fabs(whole) ? whole : part;
	const float y = max_float(fabs(sample.distance), FRICTION_NEAREST * g.h);
	const float rate = shape_flush(area * friction_rate(f, s->kinds[n],
							    s->table + (1 + n) * FRICTION_TABLE,
							    g.h, friction_speed(along), y));
	const float drag = rate * shape_flush(part);
	sums->rates += rate;
	sums->drags += drag;
	return drag;
}

/* Both walls across, over the volume: as if the face's cube had them at its sides. */
void friction_by_sides(const struct grid g, const struct friction_params f,
		       const struct friction_scene *s, const float u[3], float mass, int c,
		       struct friction_sums *sums)
{
	const float speed = friction_speed(u);
	const float rate = f.kind == FRICTION_ROUGH
				   ? f.across_rough * speed
				   : friction_rate(f, f.kind, s->table, g.h, speed, f.across_y);
	const float part = shape_flush(mass * (f.across * g.h) * rate);
	sums->rates += part;
	sums->drags += part * shape_flush(FORCES_OF(u, 0, 1, 2));
}

/* The face of component c at the lattice point here[]: u becomes u - sum(a r v) / (m + sum(a r)),
 * with a the area of a wall in the face's cube, m the cube's open part in units of h, v the
 * velocity along the wall, relative to it, r stress over density and speed, times dt/h; which is
 * implicit in u. */
struct friction_face friction_of_face(const struct grid g, const struct friction_params f,
				      const struct friction_scene *s, const int here[3], int c)
{
	struct friction_face face = {0.0f, 0.0f, 0.0f, -1, {0.0f, 0.0f, 0.0f}, 0.0f};
	struct friction_sums sums = {0.0f, 0.0f};
	const int at = lattice_index(g, here[0], here[1], here[2]);
	const int place = FORCES_OF(here, 0, 1, 2), cells = c == 0 ? g.nx : c == 1 ? g.ny : g.nz;
	const int there[2] = {place > 0, place < cells};
	float u[3] = {0.0f, 0.0f, 0.0f}, x[3] = {0.0f, 0.0f, 0.0f}, by_solid = 0.0f;
	if (s->open_fraction[c * g.lattice + at] == 0)
		return face;
	const struct friction_around around = friction_look_around(g, f, s, here, at, c, there);
	face.mass = around.mass;
	if (!(around.mass > 0.0f) || !(around.has_walls || around.area > 0.0f || f.across > 0.0f))
		return face;
	for (int a = 0; a < DIM; a++) {
		u[a] = friction_velocity(g, s->u_face, at, a, c, there);
		x[a] = ((float)here[a] + (a == c ? 0.0f : 0.5f)) * g.h;
	}
	for (int side = 0; side < 2 * DIM; side++) {
		float along[3] = {u[0], u[1], u[2]};
		along[side / 2] = 0.0f;
		if (around.walls[side] > 0.0f)
			friction_by_wall(f, f.kind, s->table, g.h, around.walls[side], 0.5f * g.h,
					 along, c, &sums);
	}
	if (f.across > 0.0f)
		friction_by_sides(g, f, s, u, around.mass, c, &sums);
	if (around.area > 0.0f)
		by_solid = friction_by_solid(g, f, s, x, u, around.area, c, &sums, &face);
	const float time = f.dt * g.inv_h;
	face.added = -shape_flush(time * sums.drags) / (face.mass + time * sums.rates);
	face.share =
		fabs(by_solid) > 0.0f && fabs(sums.drags) > 0.0f ? by_solid / sums.drags : 0.0f;
	return face;
}

#endif
