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

/* A cell on its way through a chunk. */
struct reduce_cell {
	int exists, i, j, k;
	long at;
};

/* Lane w of the row of a chunk that begins at (i,j,k) = `first`, and may go on in the lattice's
 * next rows.  Quotients are far enough from the next integer for any rounding. */
ALWAYS_INLINE struct reduce_cell reduce_cell_of(const struct grid g, long first, int i, int j,
						int k, int w)
{
	struct reduce_cell c;
	const int rows = (int)(((float)(i + w) + 0.5f) / (float)g.px);
	const int planes = (int)(((float)(j + rows) + 0.5f) / (float)g.py);
	c.at = first + w;
	c.i = i + w - rows * g.px;
	c.j = j + rows - planes * g.py;
	c.k = k + planes;
	c.exists = (c.i < g.nx) & (c.j < g.ny) & (c.k < g.nz);
	return c;
}

/* Bound of what reduce_wet_fraction() adds to phi: a cell as deep or as far is all wet or all dry.
 */
ALWAYS_INLINE float reduce_reach(const struct grid g, global const float *restrict phi,
				 global const uchar *restrict cell_type,
				 global const ushort *restrict open_fraction,
				 const struct reduce_cell c)
{
	const int here[3] = {c.i, c.j, c.k}, cells[3] = {g.nx, g.ny, g.nz};
	const float own = phi[c.at];
	float reach = 0.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		float most = 0.0f;
#pragma unroll
		for (int side = 0; side < 2; side++) {
			const int stride = lattice_stride(g, a);
			const int inside = side ? here[a] + 1 < cells[a] : here[a] > 0;
			const long next = c.at + (2 * side - 1) * stride;
			const int type = inside ? cell_type[next] : CELL_SOLID;
			const int open = open_fraction[a * g.lattice + c.at + side * stride];
			const int there = (type != CELL_SOLID) & (open != 0);
			const float slope = there ? fabs(0.5f * (phi[next] - own)) : 0.0f;
			most = max_float(most, slope);
		}
		reach += most;
	}
	return reach;
}

/* Are the cell and all its neighbours, the diagonal ones too, liquid?  Each is a factor
 * (docs/portability.md#kernels-that-become-vectors). */
ALWAYS_INLINE int reduce_is_interior(const struct grid g, global const uchar *restrict cell_type,
				     const struct reduce_cell c)
{
	int inside = (c.i > 0) & (c.j > 0) & (c.i < g.nx - 1) & (c.j < g.ny - 1);
	float liquid = 1.0f;
#if DIM == 3
	inside &= (c.k > 0) & (c.k < g.nz - 1);
#endif
#pragma unroll
	for (int z = DIM == 3 ? -1 : 0; z <= (DIM == 3 ? 1 : 0); z++)
#pragma unroll
		for (int y = -1; y <= 1; y++)
#pragma unroll
			for (int x = -1; x <= 1; x++) {
				const long to = c.at + (z * g.py + y) * g.px + x;
				const int type = inside ? cell_type[to] : CELL_AIR;
				liquid *= type == CELL_LIQUID ? 1.0f : 0.0f;
			}
	return inside & (liquid != 0.0f);
}

/* Does no solid cut off one of its neighbours? */
int reduce_sees_all(const struct grid g, global const ushort *open_fraction,
		    const struct reduce_cell c)
{
	int all = 1;
	for (int n = 0; n < (DIM == 2 ? 9 : 27); n++) {
		const int here[3] = {c.i, c.j, c.k};
		const int to[3] = {c.i + modulo(n, 3) - 1, c.j + modulo(n / 3, 3) - 1,
				   DIM == 3 ? c.k + n / 9 - 1 : 0};
		all = all && solids_reached(g, open_fraction, here, to);
	}
	return all;
}

#define REDUCE_LANES(w) \
	for (int w = (int)get_local_id(0); w < PAIRS_LANES; w += (int)get_local_size(0))

/*
 * Chunk sums of wet fraction times open volume (in cells) over the lattice, and integer counts.
 * Over listed chunks, a group for each: a work-item for each lane or, on CPUs, one, for which lanes
 * become vectors.  Sums from partial[sums] on.  A row at a time: what vectors can tell, what is
 * left of it, the sums.  lane: 4 x PAIRS_LANES words.
 */
kernel void reduce_cells(global const int *restrict bricks, const struct brick_run run,
			 const struct grid g, global const float *restrict phi,
			 global const uchar *restrict cell_type,
			 global const ushort *restrict volume_open, int split,
			 global const ushort *restrict open_fraction,
			 global const uint *restrict start, int sums,
			 global struct pair *restrict partial, local float *restrict lane,
			 global uint *restrict scalars)
{
	const int chunk = bricks_chunk(bricks, run, (int)get_group_id(0));
	/* Of each lane; a fraction below 0 is not known yet. */
	local float *restrict wet = lane + 2 * PAIRS_LANES;
	local uint *restrict inside = (local uint *)(lane + 3 * PAIRS_LANES);
	uint liquid = 0, interior = 0, empty = 0, bad = 0;
	REDUCE_LANES(w)
	lane[w] = lane[PAIRS_LANES + w] = 0.0f;
	for (int t = 0; t < PAIRS_CHUNK && chunk >= 0; t += PAIRS_LANES) {
		const int first = chunk * PAIRS_CHUNK + t;
		const int i = modulo(first, g.px), j = modulo(first / g.px, g.py);
		const int k = first / g.px / g.py;
		uint rough = (uint)split;
		REDUCE_LANES(w)
		{
			const struct reduce_cell c = reduce_cell_of(g, first, i, j, k, w);
			uint is_liquid = 0, is_bad = 0, is_inside = 0, is_rough = 0;
			float fraction = 0.0f;
			if (c.exists) {
				const float own = phi[c.at];
				const float reach =
					reduce_reach(g, phi, cell_type, open_fraction, c);
				is_rough = cell_type[c.at] == CELL_SOLID || !(fabs(own) >= reach);
				is_bad = !(fabs(own) < HUGE_FROM);
				is_liquid = cell_type[c.at] == CELL_LIQUID;
				is_inside = (uint)reduce_is_interior(g, cell_type, c);
				fraction = is_rough ? -1.0f : own < 0.0f ? 1.0f : 0.0f;
			}
			wet[w] = fraction;
			inside[w] = is_inside;
			rough |= is_rough;
			bad |= is_bad;
			liquid += is_liquid;
		}
		if (rough)
			REDUCE_LANES(w)
			{
				const struct reduce_cell c = reduce_cell_of(g, first, i, j, k, w);
				if (wet[w] < 0.0f)
					wet[w] = reduce_wet_fraction(
						g, phi, cell_type, open_fraction,
						(float)room_units(volume_open[c.at]) *
							(1.0f / FRACTION_ONE),
						c.i, c.j, c.k);
				if (split && inside[w])
					inside[w] = (uint)reduce_sees_all(g, open_fraction, c);
			}
		REDUCE_LANES(w)
		{
			const struct reduce_cell c = reduce_cell_of(g, first, i, j, k, w);
			const uint units = c.exists ? room_units(volume_open[c.at]) : 0;
			float high = lane[w], low = lane[PAIRS_LANES + w];
			pairs_accumulate(&high, &low, wet[w],
					 (float)(int)units * (1.0f / FRACTION_ONE));
			lane[w] = high;
			lane[PAIRS_LANES + w] = low;
			uint is_empty = 0;
			if (inside[w]) {
				const int key = block_key(g, c.i, c.j, c.k);
				is_empty = start[key + 1] == start[key];
			}
			interior += inside[w];
			empty += is_empty;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0 && chunk >= 0) {
		float high[PAIRS_LANES], low[PAIRS_LANES];
#pragma unroll
		for (int w = 0; w < PAIRS_LANES; w++) {
			high[w] = lane[w];
			low[w] = lane[PAIRS_LANES + w];
		}
		partial[sums + chunk] = pairs_fold(high, low);
	}
	if (bad)
		atomic_max(scalars + SCALAR_NON_FINITE, NON_FINITE_GRID);
	if (liquid)
		atomic_add(scalars + SCALAR_LIQUID_CELLS, liquid);
	if (interior)
		atomic_add(scalars + SCALAR_INTERIOR_CELLS, interior);
	if (empty)
		atomic_add(scalars + SCALAR_INTERIOR_EMPTY, empty);
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
