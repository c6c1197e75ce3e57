/* Statistics and the state hash. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "pairs.h"
#include "solids_reached.h"

/* Slope of phi from a cell to its neighbour on one side of an axis, per half cell; where there is
 * none (a wall, a solid, a closed face), that of the other side goes on. */
float reduce_half_slope(const struct grid g, global const float *phi, global const uchar *cell_type,
			global const ushort *open_fraction, int at, int here, int cells, int axis,
			int side)
{
	int stride = lattice_stride(g, axis);
	for (int attempt = 0; attempt < 2; attempt++, side = 1 - side) {
		int to = here + 2 * side - 1;
		int next = at + (2 * side - 1) * stride;
		if (to < 0 || to >= cells || cell_type[next] == CELL_SOLID ||
		    open_fraction[axis * g.lattice + at + side * stride] == 0)
			continue;
		float slope = 0.5f * (phi[next] - phi[at]);
		return attempt ? -slope : slope;
	}
	return 0.0f;
}

/* Part of a cell where phi < 0, phi linear towards each neighbour: the mean over the 2^DIM corners
 * of the cell of the share of a corner below a plane.  Exact for planes along the axes; a lone
 * particle's cell holds next to nothing.  A cell whose faces are all closed is no unknown, but what
 * stands in it counts where it is a chamber (a box of one cell), not the rest that a solid leaves.
 */
float reduce_wet_fraction(const struct grid g, global const float *phi,
			  global const uchar *cell_type, global const ushort *open_fraction,
			  float open, int i, int j, int k)
{
	int at = lattice_index(g, i, j, k);
	int here[3] = {i, j, k}, cells[3] = {g.nx, g.ny, g.nz};
	if (cell_type[at] == CELL_SOLID && open < 0.5f)
		return 0.0f;
	/* Every slope is bounded, so a cell this deep or this far is all wet or all dry. */
	float slope[3][2], reach = 0.0f, sum = 0.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
#pragma unroll
		for (int side = 0; side < 2; side++)
			slope[a][side] = reduce_half_slope(g, phi, cell_type, open_fraction, at,
							   here[a], cells[a], a, side);
		reach += max_float(fabs(slope[a][0]), fabs(slope[a][1]));
	}
	if (fabs(phi[at]) >= reach)
		return phi[at] < 0.0f ? 1.0f : 0.0f;
#pragma unroll
	for (int q = 0; q < 1 << DIM; q++) {
		float middle = phi[at], width = 0.0f;
#pragma unroll
		for (int a = 0; a < DIM; a++) {
			middle += 0.5f * slope[a][q >> a & 1];
			width += fabs(slope[a][q >> a & 1]);
		}
		sum += width > 0.0f ? clamp_float(0.5f - middle / width, 0.0f, 1.0f)
				    : (middle < 0.0f ? 1.0f : 0.0f);
	}
	return sum * (1.0f / (1 << DIM));
}

/* Are the cell and all its neighbours, the diagonal ones too, liquid?  split: and no solid cuts one
 * of them off. */
int reduce_is_interior(const struct grid g, global const uchar *cell_type, int split,
		       global const ushort *open_fraction, int i, int j, int k)
{
	int inside = i > 0 && j > 0 && i < g.nx - 1 && j < g.ny - 1;
#if DIM == 3
	inside = inside && k > 0 && k < g.nz - 1;
#endif
	if (!inside)
		return 0;
	for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
#pragma unroll
		for (int b = -1; b <= 1; b++) {
			global const uchar *row = cell_type + lattice_index(g, i, j + b, k + c);
			inside &= (row[-1] == CELL_LIQUID) & (row[0] == CELL_LIQUID) &
				  (row[1] == CELL_LIQUID);
		}
	if (!inside || !split)
		return inside;
	for (int n = 0; n < (DIM == 2 ? 9 : 27); n++) {
		const int here[3] = {i, j, k};
		const int to[3] = {i + modulo(n, 3) - 1, j + modulo(n / 3, 3) - 1,
				   DIM == 3 ? k + n / 9 - 1 : 0};
		inside = inside && solids_reached(g, open_fraction, here, to);
	}
	return inside;
}

/* Chunk sums of wet fraction times open volume (in cells) over the lattice, and integer counts.
 * Over listed chunks; their sums from partial[sums] on. */
kernel void reduce_cells(global const int *bricks, const struct brick_run run, const struct grid g,
			 global const float *phi, global const uchar *cell_type,
			 global const ushort *volume_open, int split,
			 global const ushort *open_fraction, global const uint *start, int sums,
			 global struct pair *partial, local struct pair *lane, global uint *scalars)
{
	int first = (int)get_group_id(0) * PAIRS_GROUP_CHUNKS;
	for (int w = (int)get_local_id(0); w < PAIRS_GROUP_CHUNKS * PAIRS_LANES;
	     w += (int)get_local_size(0)) {
		int chunk = bricks_chunk(bricks, run, first + w / PAIRS_LANES);
		int from = chunk * PAIRS_CHUNK + modulo(w, PAIRS_LANES);
		float high = 0.0f, low = 0.0f;
		uint liquid = 0, interior = 0, empty = 0, bad = 0;
		for (int t = 0; t < PAIRS_CHUNK; t += PAIRS_LANES) {
			int at = from + t;
			if (chunk < 0 || at >= g.lattice)
				continue;
			int i = modulo(at, g.px), j = modulo(at / g.px, g.py), k = at / g.px / g.py;
			if (!cell_exists(g, i, j, k))
				continue;
			float open = (float)room_units(volume_open[at]) * (1.0f / FRACTION_ONE);
			float wet = reduce_wet_fraction(g, phi, cell_type, open_fraction, open, i,
							j, k);
			bad |= !(fabs(phi[at]) < HUGE_FROM);
			pairs_accumulate(&high, &low, wet, open);
			if (cell_type[at] != CELL_LIQUID)
				continue;
			liquid++;
			int inside =
				reduce_is_interior(g, cell_type, split, open_fraction, i, j, k);
			int key = block_key(g, i, j, k);
			interior += inside;
			empty += inside && start[key + 1] == start[key];
		}
		lane[w] = pair_of(high, low);
		if (bad)
			atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_GRID);
		if (liquid)
			atomic_add(scalars + SCALAR_LIQUID_CELLS, liquid);
		if (interior)
			atomic_add(scalars + SCALAR_INTERIOR_CELLS, interior);
		if (empty)
			atomic_add(scalars + SCALAR_INTERIOR_EMPTY, empty);
	}
	pairs_store_listed(lane, PAIRS_GROUP_CHUNKS, first, bricks, run, partial + sums);
}

/* totals[at + n] = sum of `chunks` chunk sums from partial[from + n chunks] on, which become 0.
 * One work-group per n. */
kernel void reduce_total(global struct pair *partial, int from, int chunks,
			 global struct pair *totals, int at, local struct pair *lane)
{
	const int n = (int)get_group_id(0);
	global struct pair *sums = partial + from + n * chunks;
	struct pair total = pairs_total(lane, sums, chunks);
	if (get_local_id(0) == 0)
		totals[at + n] = total;
	for (int c = (int)get_local_id(0); c < chunks; c += (int)get_local_size(0))
		sums[c] = pair_of(0.0f, 0.0f);
}

/* One step of the state hash: a 64-bit word into h. */
ulong reduce_mix(ulong h, ulong word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ul;
	return h ^ h >> 29;
}

/* Bits of x, -0 counted as +0. */
ulong reduce_bits(float x)
{
	return x == 0.0f ? 0ul : (ulong)as_uint(x);
}

/* The hash of particle p. */
ulong reduce_particle_hash(uint frame, global const float *position, global const float *velocity,
			   global const float *affine, int has_affine, global const uint *id,
			   int stride, int p)
{
	ulong h = reduce_mix(0x6672657368657431ul, (ulong)frame << 32 | id[p]);
	for (int c = 0; c < DIM; c++)
		h = reduce_mix(h, reduce_bits(position[c * stride + p]) << 32 |
					  reduce_bits(velocity[c * stride + p]));
	if (has_affine)
		for (int c = 0; c < DIM * DIM; c++)
			h = reduce_mix(h, reduce_bits(affine[c * stride + p]));
	return reduce_mix(h, 0);
}

/* hashes[item] = sum of the hashes of its particles, `run` in a row out of every items * run: sums
 * of 64-bit words wrap, so the order of particles and items does not matter. */
kernel void reduce_hash(uint frame, global const float *position, global const float *velocity,
			global const float *affine, int has_affine, global const uint *id,
			int stride, int n, int items, int run, global ulong *hashes)
{
	int item = (int)get_global_id(0);
	if (item >= items)
		return;
	ulong sum = 0;
	for (int from = item * run; from < n; from += items * run)
		for (int p = from; p < from + run && p < n; p++)
			if (id[p] != ID_REMOVED)
				sum += reduce_particle_hash(frame, position, velocity, affine,
							    has_affine, id, stride, p);
	hashes[item] = sum;
}
