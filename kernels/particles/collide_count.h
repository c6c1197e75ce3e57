/* Particles moved, with collision, and the totals of collisions. */
#ifndef FRESHET_COLLIDE_COUNT_H
#define FRESHET_COLLIDE_COUNT_H

#include "collide.h"

/* Counts what a collision did; a particle that left is marked removed. */
void collide_count(int result, global uint *scalars, global uint *id, int p)
{
	if (result & COLLIDE_PUSHED)
		atomic_inc(scalars + SCALAR_PUSHED);
	if (result & COLLIDE_ESCAPED)
		atomic_inc(scalars + SCALAR_ESCAPED);
	if (result & COLLIDE_LEFT) {
		atomic_inc(scalars + SCALAR_REMOVED_OPEN);
		atomic_add(scalars + SCALAR_REMOVED_FIRST, ledger_hash(id[p], LEDGER_FIRST));
		atomic_add(scalars + SCALAR_REMOVED_SECOND, ledger_hash(id[p], LEDGER_SECOND));
		id[p] = ID_REMOVED;
	}
}

/* Moves particle p from x[] to moved[], or as far as solids and walls let it.  correction: of its
 * position, which changes no velocity and takes nothing out of the box. */
void collide_move(const struct grid g, const struct collide_solids *solids, uint salt,
		  const float x[3], float moved[3], global float *position, global float *velocity,
		  int correction, global uint *id, int stride, int p, global uint *scalars)
{
	float v[3] = {0.0f, 0.0f, 0.0f};
	if (correction)
		collide_stay_inside(g, x, moved);
	for (int c = 0; c < DIM; c++)
		v[c] = velocity[c * stride + p];
	int result = collide(g, solids->ops, solids->op_count, solids->points, solids->solid_phi,
			     solids->solid_slip, solids->solid_count, id[p], salt, x, moved, v);
	/* A solid may have turned it outwards. */
	if (correction && result & COLLIDE_LEFT) {
		result &= ~COLLIDE_LEFT;
		for (int c = 0; c < DIM; c++)
			moved[c] = x[c];
	}
	for (int c = 0; c < DIM; c++) {
		position[c * stride + p] = moved[c];
		if (!correction)
			velocity[c * stride + p] = v[c];
	}
	collide_count(result, scalars, id, p);
}

#endif
