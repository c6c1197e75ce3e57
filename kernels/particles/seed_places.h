/* Where a cell's particles are seeded: in sub-cells of it, all or as many as there are to be. */
#ifndef FRESHET_SEED_PLACES_H
#define FRESHET_SEED_PLACES_H

#include "common.h"
#include "seed_params.h"

/* Sub-cells are filled to this share, so that rounding never puts a particle on a side of one. */
#define SEED_FILL (1.0f - 0x1p-10f)

/* Is sub-cell n among those that get a particle, when `wanted` of the `left` sub-cells from n on
 * do?  Every choice of wanted ones is equally likely (Knuth, TAOCP 2, 3.4.2, algorithm S). */
int seed_chosen(const struct seed_params p, uint cell, int n, int wanted, int left)
{
	if (wanted >= left)
		return 1;
	uint bits = hash_4(p.seed ^ 0x73656564u, (uint)p.liquid, cell, (uint)n);
	return (int)(bits % (uint)left) < wanted;
}

/* Position of the k-th particle of a cell, in its sub-cell n. */
void seed_position(const struct grid g, const struct seed_params p, const int cell[3], uint index,
		   int n, int k, float x[3])
{
	int rest = n;
	x[2] = 0.0f;
	for (int axis = 0; axis < DIM; ++axis) {
		uint bits = hash_4(p.seed, (uint)p.liquid, index, (uint)(3 * k + axis));
		float offset = p.jitter * SEED_FILL * (unit_float(bits) - 0.5f);
		float sub = (float)modulo(rest, p.divisions) + 0.5f + offset;
		x[axis] = ((float)cell[axis] + sub / (float)p.divisions) * g.h;
		rest /= p.divisions;
	}
}

#endif
