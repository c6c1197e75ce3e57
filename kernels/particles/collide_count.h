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

/* Is it certain that collide() would change nothing?  Most particles meet nothing. */
int collide_is_free(const struct grid g, const struct collide_solids *solids, const float x[3],
		    const float moved[3])
{
	const float size[3] = {g.size_x, g.size_y, g.size_z};
	const int cells[3] = {g.nx, g.ny, g.nz};
	const float margin = COLLIDE_MARGIN * g.h;
	float length = 0.0f;
	for (int a = 0; a < DIM; a++) {
		if (!(moved[a] >= margin && moved[a] <= size[a] - margin) ||
		    (int)(moved[a] * g.inv_h) >= cells[a])
			return 0;
		length += fabs(moved[a] - x[a]);
	}
	/* No path is longer than the sum of its parts; the factor is for rounding. */
	return solids->op_count == 0 ||
	       collide_solid_phi(g, solids->solid_phi, x) > length * (1.0f + 0x1p-20f) + g.h;
}

/* Moves particle p from x[] to moved[], or as far as solids and walls let it.  correction: of its
 * position, which changes no velocity and takes nothing out of the box. */
void collide_move(const struct grid g, const struct collide_solids *solids, uint salt,
		  const float x[3], float moved[3], global float *position, global float *velocity,
		  int correction, global uint *id, int stride, int p, global uint *scalars)
{
	float v[3] = {0.0f, 0.0f, 0.0f};
	if (collide_is_free(g, solids, x, moved)) {
		for (int c = 0; c < DIM; c++)
			position[c * stride + p] = moved[c];
		return;
	}
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
