/* The triangles of a cube for each of the 256 sets of corners inside; in 2D the outline's edges in
 * a square, for each of 16. */
#ifndef FRESHET_SURFACE_TABLE_H
#define FRESHET_SURFACE_TABLE_H

#include <stdint.h>

#include "surface_params.h"

/*
 * Fills the table (layout: surface_params.h) by these rules, which make the surface of any signs a
 * closed two-manifold:
 *   1. On a face of the cube with two crossed edges these are joined.  With four, the two corners
 *      outside are cut off one by one: liquid stays in touch.  The rule depends on the face alone,
 *      so the two cubes at a face agree, and each crossed edge ends one segment on each of its
 *      cube's two faces: the segments of a cube form simple loops.
 *   2. Each loop is filled with triangles whose inner edges join no two vertices of one face of the
 *      cube.  Inner edges then belong to this cube alone: every edge of the surface has two
 *      triangles, and those around a vertex, which lies in four cubes, form one ring.
 *   3. Of the fillings that rule 2 leaves, the one with the least sum of squared inner edges,
 *      vertices taken at the middles of edges; the first in order of splitting corners.
 * Triangles are anticlockwise seen from outside.  In 2D rule 1 alone makes the table: each crossed
 * edge ends one segment in each of its two squares, so outlines are simple loops.  The liquid lies
 * to the left of their edges.
 */
void surface_table_make(int dim, uint8_t table[SURFACE_CASES][SURFACE_ROW]);

#endif
