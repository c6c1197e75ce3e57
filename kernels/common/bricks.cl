/* Lists of the bricks near liquid (host/lattice/bricks.h). */
#pragma OPENCL FP_CONTRACT OFF

#include "blocks.h"
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

/* First point of brick n of a list. */
struct brick_point bricks_corner(const struct brick_layout b, int n)
{
	struct brick_point p;
	p.i = modulo(n, b.nx) * BRICK_X;
	p.j = modulo(n / b.nx, b.ny) * (DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS);
	p.k = n / b.nx / b.ny * BRICK_EDGE_3D;
	return p;
}

/* Points that a slot of a list near liquid stands for, the first and the last along each axis. */
void bricks_box(const struct grid g, const struct brick_layout b, int list, int n, int low[3],
		int high[3])
{
	if (list == BRICKS_CHUNKS) {
		bricks_span(g, n * PAIRS_CHUNK, n * PAIRS_CHUNK + PAIRS_CHUNK - 1, g.px,
			    g.px * g.py, low, high);
	} else {
		const struct brick_point p = bricks_corner(b, n);
		low[0] = p.i;
		low[1] = p.j;
		low[2] = p.k;
		high[0] = low[0] + BRICK_X - 1;
		high[1] = low[1] + (DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS) - 1;
		high[2] = low[2] + BRICK_EDGE_3D - 1;
	}
}

/* Is a particle within a box of cells?  By blocks of the sort, so perhaps a little outside. */
int bricks_occupied(const struct grid g, global const uint *start, const int low[3],
		    const int high[3])
{
	const int edge = BLOCK_EDGE(DIM);
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

/* List of a slot, one of those from `list` on. */
int bricks_list_of(global const struct brick_layout *table, int list, int lists, int slot)
{
	while (list + 1 < lists && slot >= table[list + 1].first)
		list++;
	return list;
}

/*
 * Lists of what is near liquid.  state: bit 0, a particle is near; bit 1, the brick is listed,
 * since that is or was so.  `settled`: the substep before is complete, and what was listed without
 * bit 0 is at rest.  place = listed.  near: bits of the blocks (blocks.h).  One work-item per slot
 * and block.
 */
kernel void bricks_mark(const struct grid g, global const struct brick_layout *table, int slots,
			int settled, int all, global const uint *start, global uint *state,
			global uint *place, global uchar *near)
{
	int slot = (int)get_global_id(0);
	if (slot < g.bx * g.by * g.bz) {
		const int bx = modulo(slot, g.bx), by = modulo(slot / g.bx, g.by);
		const int bz = slot / g.bx / g.by;
		near[slot] = (uchar)((blocks_near(g, start, bx, by, bz, 1) ? BLOCK_HOLDS_SUMS : 0) |
				     (blocks_near(g, start, bx, by, bz, 2) ? BLOCK_CLEARS : 0));
	}
	if (slot >= slots)
		return;
	int list = bricks_list_of(table, 0, BRICKS_SOLVER, slot), low[3], high[3];
	struct brick_layout b = table[list];
	uint before = settled ? state[slot] & 1u : state[slot] >> 1;
	bricks_box(g, b, list, slot - b.first, low, high);
	for (int a = 0; a < 3; a++) {
		low[a] -= b.reach;
		high[a] += b.reach;
	}
	uint marked = all || bricks_occupied(g, start, low, high) ? 1u : 0u;
	uint listed = marked | before;
	state[slot] = marked | listed << 1;
	place[slot] = listed;
}

/* Marks the row of a chunk that holds element `at` of level 0. */
void bricks_mark_element(const struct brick_layout chunks, int from, int at,
			 volatile global uint *rows)
{
	atomic_or(rows + chunks.first - from + at / PAIRS_CHUNK,
		  1u << modulo(at, PAIRS_CHUNK) / PAIRS_LANES);
}

/*
 * Lists of what holds unknowns, from slot `from` on: rows, zeroed before, gets those of the bricks
 * of level 0 and of chunks with liquid cells.  One work-item per row of a brick.
 */
kernel void bricks_mark_rows(const struct grid g, const struct mg_level level,
			     global const struct brick_layout *table, int from,
			     global const uchar *cell_type, volatile global uint *rows)
{
	const struct brick_layout b = table[BRICKS_LEVEL], chunks = table[BRICKS_SOLVER];
	const int n = (int)get_global_id(0) / BRICK_ROWS;
	const int row = modulo((int)get_global_id(0), BRICK_ROWS);
	if (n >= b.slots)
		return;
	struct brick_point p = bricks_corner(b, n);
	p.j += DIM == 3 ? modulo(row, BRICK_EDGE_3D) : row;
	p.k += DIM == 3 ? row / BRICK_EDGE_3D : 0;
	if (p.j >= g.ny || p.k >= g.nz)
		return;
	global const uchar *type = cell_type + lattice_index(g, p.i, p.j, p.k);
	const int count = min_int(BRICK_X, g.nx - p.i);
	uint liquid = 0;
	for (int x = 0; x < count; x++)
		liquid |= (type[x] == CELL_LIQUID ? 1u : 0u) << x;
	if (!liquid)
		return;
	atomic_or(rows + b.first - from + n, 1u << row);
	/* A row has 16 elements of either colour, so of two rows of chunks at most. */
	for (int colour = 0; colour < 2; colour++) {
		uint of_colour = liquid & 0x55555555u << ((p.j + p.k + colour) & 1);
		if (!of_colour)
			continue;
		int lowest = 0, highest = BRICK_X - 1;
		while (!(of_colour >> lowest & 1u))
			lowest++;
		while (!(of_colour >> highest & 1u))
			highest--;
		bricks_mark_element(chunks, from, mg_at_cell(level, p.i + lowest, p.j, p.k), rows);
		bricks_mark_element(chunks, from, mg_at_cell(level, p.i + highest, p.j, p.k), rows);
	}
}

/* Rows of a brick of a coarse level that those of child (cx,cy,cz) lie in. */
uint bricks_coarse_rows(uint fine, int cy, int cz)
{
	uint coarse = 0;
	if (DIM == 2) {
		for (int r = 0; r < BRICK_ROWS / 2; r++)
			coarse |= (fine >> 2 * r & 3u ? 1u : 0u) << (8 * cy + r);
	} else {
		for (int q = 0; q < 4; q++)
			coarse |= (fine >> (2 * (q & 1) + 8 * (q >> 1)) & 0x33u ? 1u : 0u)
				  << (2 * cy + (q & 1) + BRICK_EDGE_3D * (2 * cz + (q >> 1)));
	}
	return coarse;
}

/* The same on coarse levels, whose cells are unknowns if a child is.  One work-group. */
kernel void bricks_mark_coarse(global const struct brick_layout *table, int lists, int from,
			       global uint *rows)
{
	for (int list = BRICKS_LEVEL + 1; list < lists; list++) {
		const struct brick_layout fine = table[list - 1], coarse = table[list];
		const int fine_nz = fine.slots / fine.nx / fine.ny;
		for (int n = (int)get_local_id(0); n < coarse.slots; n += (int)get_local_size(0)) {
			uint marked = 0;
			for (int child = 0; child < 1 << DIM; child++) {
				int cx = child & 1, cy = child >> 1 & 1, cz = child >> 2;
				int x = 2 * modulo(n, coarse.nx) + cx;
				int y = 2 * modulo(n / coarse.nx, coarse.ny) + cy;
				int z = 2 * (n / coarse.nx / coarse.ny) + cz;
				if (x >= fine.nx || y >= fine.ny || z >= fine_nz)
					continue;
				marked |= bricks_coarse_rows(
					rows[fine.first - from + (z * fine.ny + y) * fine.nx + x],
					cy, cz);
			}
			rows[coarse.first - from + n] = marked;
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
	}
}

/* place = does the slot have rows, or `all` do.  One work-item per slot. */
kernel void bricks_count(int slots, int all, global const uint *rows, global uint *place)
{
	int slot = (int)get_global_id(0);
	if (slot < slots)
		place[slot] = all || rows[slot] ? 1u : 0u;
}

/*
 * Lists number `list` to `lists` - 1, given the scan of `place`; their lengths into the scalars.
 * All rows of a brick count if `whole`.  One work-item per slot, from that of the first list on.
 */
kernel void bricks_list(global const struct brick_layout *table, int list, int lists, int slots,
			int whole, global const uint *rows, global const uint *place,
			global int *bricks, global uint *scalars)
{
	const int n = (int)get_global_id(0), from = table[list].first;
	if (n >= slots)
		return;
	list = bricks_list_of(table, list, lists, n + from);
	struct brick_layout b = table[list];
	global const uint *counted = place + b.first - from;
	if (n + from == b.first)
		scalars[SCALAR_BRICKS + list] = counted[b.slots] - counted[0];
	if (place[n + 1] == place[n])
		return;
	global int *to = bricks + BRICK_WORDS * (b.first + (int)(place[n] - counted[0]));
	struct brick_point p = {n + from - b.first, 0, 0};
	if (list != BRICKS_CHUNKS && list != BRICKS_SOLVER)
		p = bricks_corner(b, n + from - b.first);
	to[0] = p.i;
	to[1] = p.j;
	to[2] = p.k;
	to[3] = (int)(whole ? ~0u : rows[n]);
}
