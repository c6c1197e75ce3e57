/* Lists of the bricks near liquid (host/bricks.h). */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "mg.h"

/* Rows [low, high] of y and z that elements `from` to `to` of an array touch whose rows have
 * `pitch` elements and whose planes `plane`; and x where they are of one row. */
void bricks_span(const struct grid g, int from, int to, int pitch, int plane, int low[3],
		 int high[3])
{
	low[2] = from / plane;
	high[2] = to / plane;
	low[1] = 0;
	high[1] = g.py;
	low[0] = 0;
	high[0] = g.px;
	if (low[2] != high[2])
		return;
	low[1] = modulo(from, plane) / pitch;
	high[1] = modulo(to, plane) / pitch;
	if (low[1] == high[1]) {
		low[0] = modulo(from, pitch);
		high[0] = modulo(to, pitch);
	}
}

/* Cells that a slot of a list stands for, the first and the last along each axis. */
void bricks_box(const struct grid g, const struct brick_layout b, const struct mg_level level,
		int list, int n, int low[3], int high[3])
{
	if (list == BRICKS_CHUNKS) {
		bricks_span(g, n * PAIRS_CHUNK, n * PAIRS_CHUNK + PAIRS_CHUNK - 1, g.px,
			    g.px * g.py, low, high);
	} else if (list == BRICKS_SOLVER) {
		int from = n * PAIRS_CHUNK, to = from + PAIRS_CHUNK - 1;
		if (from >= level.colour_stride) {
			from -= level.colour_stride;
			to -= level.colour_stride;
		} else if (to >= level.colour_stride) { /* of both colours */
			from = 0;
		}
		bricks_span(g, from, to, level.pitch, level.plane, low, high);
		/* Halos, and two cells of a row for every element. */
		low[0] = 2 * (low[0] - 1);
		high[0] = 2 * high[0] + 1;
		low[1] -= 1;
		low[2] -= MG_HALO_Z;
	} else {
		low[0] = modulo(n, b.nx) * BRICK_X;
		high[0] = low[0] + BRICK_X;
		low[1] = modulo(n / b.nx, b.ny) * (DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS);
		high[1] = low[1] + (DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS);
		low[2] = n / b.nx / b.ny * BRICK_EDGE_3D;
		high[2] = low[2] + BRICK_EDGE_3D;
		for (int a = 0; a < 3; a++) {
			low[a] <<= b.shift;
			high[a] = (high[a] << b.shift) - 1;
		}
	}
}

/* Is a particle within a box of cells?  By blocks of the sort, so perhaps a little outside. */
int bricks_occupied(const struct grid g, global const uint *start, const int low[3],
		    const int high[3])
{
	const int edge = DIM == 3 ? BLOCK_EDGE_3D : BLOCK_EDGE_2D;
	const int blocks[3] = {g.bx, g.by, g.bz};
	int from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
	for (int a = 0; a < DIM; a++) {
		from[a] = low[a] < 0 ? 0 : low[a] / edge;
		to[a] = min_int(high[a] / edge, blocks[a] - 1);
		if (high[a] < 0 || from[a] > to[a])
			return 0;
	}
	for (int z = from[2]; z <= to[2]; z++)
		for (int y = from[1]; y <= to[1]; y++) {
			int row = (z * g.by + y) * g.bx;
			if (start[(row + to[0] + 1) * BLOCK_CELLS] !=
			    start[(row + from[0]) * BLOCK_CELLS])
				return 1;
		}
	return 0;
}

int bricks_list_of(global const struct brick_layout *table, int lists, int slot)
{
	int list = 0;
	while (list + 1 < lists && slot >= table[list + 1].first)
		list++;
	return list;
}

/*
 * state: bit 0, a particle is near; bit 1, the brick is listed, since that is or was so. `settled`:
 * the substep before is complete, and what was listed without bit 0 is at rest.  place = listed.
 * One work-item per slot.
 */
kernel void bricks_mark(const struct grid g, const struct mg_level level,
			global const struct brick_layout *table, int lists, int slots, int settled,
			int all, global const uint *start, global uint *state, global uint *place)
{
	int slot = (int)get_global_id(0);
	if (slot >= slots)
		return;
	int list = bricks_list_of(table, lists, slot), low[3], high[3];
	struct brick_layout b = table[list];
	uint before = settled ? state[slot] & 1u : state[slot] >> 1;
	bricks_box(g, b, level, list, slot - b.first, low, high);
	for (int a = 0; a < 3; a++) {
		low[a] -= b.reach;
		high[a] += b.reach;
	}
	uint near = all || bricks_occupied(g, start, low, high) ? 1u : 0u;
	uint listed = near | before;
	state[slot] = near | listed << 1;
	place[slot] = listed;
}

/* The lists, given the scan of `place`; their lengths into the scalars.  One work-item per slot. */
kernel void bricks_list(global const struct brick_layout *table, int lists, int slots,
			global const uint *place, global int *bricks, global uint *scalars)
{
	int slot = (int)get_global_id(0);
	if (slot >= slots)
		return;
	int list = bricks_list_of(table, lists, slot);
	struct brick_layout b = table[list];
	uint before = place[b.first];
	if (slot == b.first)
		scalars[SCALAR_BRICKS + list] = place[b.first + b.slots] - before;
	if (place[slot + 1] == place[slot])
		return;
	int n = slot - b.first;
	global int *to = bricks + 3 * (b.first + (int)(place[slot] - before));
	if (list == BRICKS_CHUNKS || list == BRICKS_SOLVER) {
		to[0] = n;
		to[1] = to[2] = 0;
		return;
	}
	to[0] = modulo(n, b.nx) * BRICK_X;
	to[1] = modulo(n / b.nx, b.ny) * (DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS);
	to[2] = n / b.nx / b.ny * BRICK_EDGE_3D;
}
