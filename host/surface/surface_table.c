#include "surface_table.h"

#include <stdbool.h>
#include <string.h>

#define EDGES 12
#define NONE (-1)
#define FORBIDDEN 1000000 /* more than any filling costs */

/* The corners at an edge's ends. */
static int edge_corner(int edge, int end)
{
	const int axis = edge / 4, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
	return (edge & 1) << first | (edge >> 1 & 1) << second | end << axis;
}

/* Twice the middle of an edge. */
static void edge_middle(int edge, int middle[3])
{
	for (int a = 0; a < 3; a++)
		middle[a] = (edge_corner(edge, 0) >> a & 1) + (edge_corner(edge, 1) >> a & 1);
}

static bool edge_on_face(int edge, int axis, int side)
{
	return (edge_corner(edge, 0) >> axis & 1) == side &&
	       (edge_corner(edge, 1) >> axis & 1) == side;
}

static bool share_face(int a, int b)
{
	for (int face = 0; face < 6; face++)
		if (edge_on_face(a, face / 2, face & 1) && edge_on_face(b, face / 2, face & 1))
			return true;
	return false;
}

static bool is_crossed(int inside, int edge)
{
	return (inside >> edge_corner(edge, 0) & 1) != (inside >> edge_corner(edge, 1) & 1);
}

/* Joins a and b so that liquid lies to the right, seen from outside of the cube: loops then run
 * anticlockwise seen from outside of the liquid. */
static void join_edges(int inside, int axis, int side, int a, int b, int next[EDGES])
{
	int at_a[3], at_b[3], cross;
	const int wet = edge_corner(a, inside >> edge_corner(a, 0) & 1 ? 0 : 1);
	const int u = (axis + 1) % 3, v = (axis + 2) % 3;
	edge_middle(a, at_a);
	edge_middle(b, at_b);
	cross = (at_b[u] - at_a[u]) * (2 * (wet >> v & 1) - at_a[v]) -
		(at_b[v] - at_a[v]) * (2 * (wet >> u & 1) - at_a[u]);
	if ((cross < 0) == (side == 1))
		next[a] = b;
	else
		next[b] = a;
}

/* Rule 1 on one face. */
static void join_face(int inside, int axis, int side, int next[EDGES])
{
	int crossed[4], count = 0;
	for (int edge = 0; edge < EDGES; edge++)
		if (edge_on_face(edge, axis, side) && is_crossed(inside, edge))
			crossed[count++] = edge;
	if (count == 2)
		join_edges(inside, axis, side, crossed[0], crossed[1], next);
	for (int corner = 0; count == 4 && corner < 8; corner++) {
		int at_corner[2], n = 0;
		if ((corner >> axis & 1) != side || inside >> corner & 1)
			continue;
		for (int c = 0; c < 4; c++)
			if (edge_corner(crossed[c], 0) == corner ||
			    edge_corner(crossed[c], 1) == corner)
				at_corner[n++] = crossed[c];
		join_edges(inside, axis, side, at_corner[0], at_corner[1], next);
	}
}

/* Cost of an inner edge. */
static int inner_cost(int a, int b)
{
	int at_a[3], at_b[3], square = 0;
	if (share_face(a, b))
		return FORBIDDEN;
	edge_middle(a, at_a);
	edge_middle(b, at_b);
	for (int axis = 0; axis < 3; axis++)
		square += (at_a[axis] - at_b[axis]) * (at_a[axis] - at_b[axis]);
	return square;
}

/* Writes the triangles of the part of a loop from i to j, given where to split it. */
static void write_part(const int *loop, int split[EDGES][EDGES], int i, int j, uint8_t *row)
{
	if (j - i < 2)
		return;
	const int middle = split[i][j];
	uint8_t *triangle = row + 1 + 3 * row[0]++;
	triangle[0] = (uint8_t)loop[i];
	triangle[1] = (uint8_t)loop[middle];
	triangle[2] = (uint8_t)loop[j];
	write_part(loop, split, i, middle, row);
	write_part(loop, split, middle, j, row);
}

/* Rules 2 and 3: the cheapest filling of the loop's part from i to j, for growing parts. */
static void fill_loop(const int *loop, int count, uint8_t *row)
{
	int cost[EDGES][EDGES] = {{0}}, split[EDGES][EDGES] = {{0}};
	for (int length = 2; length < count; length++)
		for (int i = 0; i + length < count; i++) {
			const int j = i + length;
			const bool whole = length == count - 1;
			int least = NONE;
			for (int m = i + 1; m < j; m++) {
				const int sum = cost[i][m] + cost[m][j];
				if (least == NONE || sum < least) {
					least = sum;
					split[i][j] = m;
				}
			}
			cost[i][j] = least + (whole ? 0 : inner_cost(loop[i], loop[j]));
		}
	write_part(loop, split, 0, count - 1, row);
}

static void fill_square(int inside, uint8_t *row)
{
	int next[EDGES];
	for (int edge = 0; edge < EDGES; edge++)
		next[edge] = NONE;
	/* Seen from below, z being up: what lies to the right there lies to the left from above. */
	join_face(inside, 2, 0, next);
	for (int edge = 0; edge < EDGES; edge++)
		if (next[edge] != NONE) {
			uint8_t *segment = row + 1 + 2 * row[0]++;
			segment[0] = (uint8_t)edge;
			segment[1] = (uint8_t)next[edge];
		}
}

static void fill_cube(int inside, uint8_t *row)
{
	int next[EDGES];
	for (int edge = 0; edge < EDGES; edge++)
		next[edge] = NONE;
	for (int face = 0; face < 6; face++)
		join_face(inside, face / 2, face & 1, next);
	for (int edge = 0; edge < EDGES; edge++) {
		int loop[EDGES], count = 0;
		for (int at = edge; next[at] != NONE;) {
			const int to = next[at];
			next[at] = NONE;
			loop[count++] = at;
			at = to;
		}
		if (count > 0)
			fill_loop(loop, count, row);
	}
}

void surface_table_make(int dim, uint8_t table[SURFACE_CASES][SURFACE_ROW])
{
	memset(table, 0, (size_t)SURFACE_CASES * SURFACE_ROW);
	for (int inside = 0; inside < (dim == 2 ? 16 : SURFACE_CASES); inside++)
		if (dim == 2)
			fill_square(inside, table[inside]);
		else
			fill_cube(inside, table[inside]);
}
