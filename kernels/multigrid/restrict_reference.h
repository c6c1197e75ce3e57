/*
 * Restriction, plainly (docs/solver.md#interpolation-and-restriction): b_coarse = P^T r.
 *
 * A fine cell lies in one coarse cell, its own, and leans towards one neighbour of that along each
 * axis.  With f the open part of the link from its own cell to that neighbour it gives
 *
 *   along each axis   1 - f/4 of its residual to its own cell,   f/4 to the neighbour,
 *
 * and the weights of the axes multiply: 2^DIM corners.  Where all is open these are the 3/4 and 1/4
 * of (bi/tri)linear interpolation; at a wall, f = 0, the own cell gets all.  Air counts as open,
 * with value 0: what goes there is left out.  What would go to a corner in a solid returns to the
 * own cell.
 *
 * mg_restrict_plain() (mg_transfer.h) gives the same bits in whole numbers, without branches
 * (tests/native/native_restrict.c); f is held in sixteenths, so that products of weights are exact.
 */
#ifndef FRESHET_RESTRICT_REFERENCE_H
#define FRESHET_RESTRICT_REFERENCE_H

#include "common.h"
#include "mg.h"
#include "mg_stencil.h"

/* What child `child` (bit a: in the upper half along axis a) of a coarse cell gives to its corner
 * `corner` (bit a: the neighbour along a, else the own cell); open: the cell's word. */
float restrict_weight(uint open, int child, int corner)
{
	float weight = 1.0f;
	for (int a = 0; a < DIM; a++) {
		const float f = mg_stencil_sixteenths(open, 2 * a + (child >> a & 1)) / 16.0f;
		weight *= corner >> a & 1 ? f / 4.0f : 1.0f - f / 4.0f;
	}
	return weight;
}

/* The same for the own cell, to which corners in solids give theirs back.  rest: the cell's other
 * word, in which diagonal neighbours that lie in solids have a bit (mg_stencil.h). */
float restrict_weight_own(uint open, uint rest, int child)
{
	float weight = restrict_weight(open, child, 0);
	for (int corner = 1; corner < 1 << DIM; corner++)
		if (mg_stencil_is_solid(rest, child, corner))
			weight += restrict_weight(open, child, corner);
	return weight;
}

/*
 * b of coarse cell (i,j,k), no part of which is near cells of several parts (mg_parts.h): the
 * residuals of all fine cells that lie in it or lean towards it.  red_only: of red cells alone;
 * black ones have just been relaxed, so that theirs are 0, and are not stored.  stencil: the words
 * `open` and `rest` of all coarse cells; total: elements of an array over all levels, which tells
 * where the words `rest` begin in 3D.
 */
float restrict_reference(const struct mg_level fine, const struct mg_level coarse, int total,
			 global const uint *stencil, global const float *residual, int red_only,
			 int i, int j, int k)
{
	float b = 0.0f;
	for (int own_k = k - MG_HALO_Z; own_k <= k + MG_HALO_Z; own_k++)
		for (int own_j = j - 1; own_j <= j + 1; own_j++)
			for (int own_i = i - 1; own_i <= i + 1; own_i++) {
				const int corner =
					(own_i != i) | (own_j != j) << 1 | (own_k != k) << 2;
				const int towards =
					(own_i < i) | (own_j < j) << 1 | (own_k < k) << 2;
				const long at = mg_stencil_at(coarse, own_i, own_j, own_k);
				const uint open = mg_stencil_open(stencil, coarse, at);
				const uint rest = mg_stencil_rest(stencil, coarse, total, at);
				float given = 0.0f;
				for (int child = 0; child < 1 << DIM; child++) {
					const int x = 2 * own_i + (child & 1);
					const int y = 2 * own_j + (child >> 1 & 1);
					const int z = 2 * own_k + (child >> 2);
					/* It leans the other way; it is none; it is black. */
					if ((child & corner) != (towards & corner) || x < 0 ||
					    x >= fine.nx || y < 0 || y >= fine.ny || z < 0 ||
					    z >= fine.nz || (red_only && (x + y + z) & 1))
						continue;
					given += (corner ? restrict_weight(open, child, corner)
							 : restrict_weight_own(open, rest, child)) *
						 residual[mg_at_cell(fine, x, y, z) -
							  (red_only ? fine.offset >> 1 : 0)];
				}
				b += given;
			}
	/* Nothing is stored where there is no unknown. */
	return mg_stencil_open(stencil, coarse, mg_stencil_at(coarse, i, j, k)) & MG_KNOWN ? b
											   : 0.0f;
}

#endif
