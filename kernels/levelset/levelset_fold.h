/* Images of the liquid in closed walls of the box. */
#ifndef FRESHET_LEVELSET_FOLD_H
#define FRESHET_LEVELSET_FOLD_H

#include "common.h"

/* Index along an axis of the cell that stands for cell i of an image: closed walls mirror the
 * liquid, so what a particle gives to a cell beyond one belongs to the cell's mirror image.  A box
 * one cell wide is mirrored to and fro.  Outside 0 .. n-1 beyond open walls only. */
int levelset_fold(const struct grid g, int axis, int i, int n)
{
	const int closed = ~(g.open_walls >> (2 * axis));
	i = i < 0 && (closed & 1) ? -1 - i : i;
	i = i >= n && (closed & 2) ? 2 * n - 1 - i : i;
	return i < 0 && (closed & 1) ? -1 - i : i;
}

#endif
