/*
 * The samples of the cells of a box, some layers of them: z apart (3D), y (2D).
 *
 * room: ushort [layers][rows][box.nx + 4][pitch], of the cells of the box and two around it, from
 * layer `first` - 2 on.  Of a cell: the open parts of its samples, in units of 1/FRACTION_ONE;
 * where all are open, or closed, the first says so, and the others nothing.  With pitch = 2
 * SAMPLES_CELL then as much of the open parts as the cell does not see, if its samples are told one
 * by one.
 */
#ifndef FRESHET_SOLIDS_ROOM_H
#define FRESHET_SOLIDS_ROOM_H

#include "common.h"
#include "solid_samples.h"

struct solids_room {
	global const ushort *samples, *weights; /* weights: of sample_weight() */
	int first, pitch;
};

int solids_room_rows(const struct lattice_box box)
{
	return DIM == 2 ? 1 : box.ny + 4;
}

/* The work-item's lattice point, of the layers from `first` to last - 1.  0: it has none. */
int solids_room_point(const struct lattice_box box, int first, int last, int point[3])
{
	const int x = (int)get_global_id(0), row = (int)get_global_id(1),
		  layer = (int)get_global_id(2);
	point[0] = box.i + x;
	point[1] = DIM == 2 ? first + layer : box.j + row;
	point[2] = DIM == 2 ? 0 : first + layer;
	return x < box.nx && row < (DIM == 2 ? 1 : box.ny) && layer < last - first;
}

/* Samples of cell n of SAMPLES_AROUND about a cell. */
global const ushort *solids_room_around(const struct lattice_box box,
					const struct solids_room *room, const int cell[3], int n)
{
	const int column = cell[0] - box.i + modulo(n, 5);
	const int row = DIM == 2 ? 0 : cell[1] - box.j + modulo(n / 5, 5);
	const int layer = cell[DIM - 1] - room->first + n / (DIM == 2 ? 5 : 25);
	return room->samples +
	       room->pitch * ((layer * solids_room_rows(box) + row) * (box.nx + 4) + column);
}

/* Sum of the samples' parts times weights, in units of 1/SAMPLES_PARTS: of the open ones, or those
 * which are not seen (hidden). */
uint solids_room_sum(const struct solids_room *room, global const ushort *samples, int n,
		     int hidden)
{
	global const ushort *weights = room->weights + SAMPLES_CELL * n;
	uint sum = 0;
	if (samples[0] == SAMPLES_CLOSED || (hidden && samples[0] == SAMPLES_OPEN))
		return 0;
	if (samples[0] == SAMPLES_OPEN) {
		for (int s = 0; s < SAMPLES_CELL; ++s)
			sum += weights[s];
		return SAMPLES_PARTS * sum;
	}
	global const ushort *parts = samples + (hidden ? SAMPLES_CELL : 0);
	for (int s = 0; s < SAMPLES_CELL; ++s)
		sum += (uint)weights[s] * ((uint)parts[s] / (FRACTION_ONE / SAMPLES_PARTS));
	return sum;
}

/* What a cell sees of its samples, in units of 1/FRACTION_ONE of one. */
uint solids_room_own(const struct solids_room *room, global const ushort *samples)
{
	uint own = 0;
	if (samples[0] > FRACTION_ONE)
		return samples[0] == SAMPLES_OPEN ? SAMPLES_CELL * FRACTION_ONE : 0;
	for (int s = 0; s < SAMPLES_CELL; ++s)
		own += samples[s];
	for (int s = SAMPLES_CELL; s < room->pitch; ++s)
		own -= samples[s];
	return own;
}

#endif
