/* Boxes in 3D: the axis along which they are farthest apart (Gottschalk, Lin & Manocha 1996), then
 * the face of one cut to that of the other, or one point of two edges. */
#include <math.h>
#include <string.h>

#include "contact_shape.h"
#include "matrix3.h"

/* Of the least half side: how much farther apart another axis must be to be taken, so that the same
 * one stays; how far over the edge corners may be. */
#define STAYS 0.02
#define OVER 0.01
/* Sine below which edges are parallel. */
#define PARALLEL 1e-3
/* Corners of what is cut. */
#define CORNERS 8

struct block {
	double center[3], axis[3][3], half[3]; /* axis[i]: unit */
};

static struct block block_of(const struct contact_shape *s)
{
	struct block b;
	contact_leave(s, s->a, b.center);
	for (int i = 0; i < 3; i++) {
		b.half[i] = s->b[i];
		for (int a = 0; a < 3; a++)
			b.axis[i][a] = s->pose.turn[a][i];
	}
	return b;
}

/* Half of a block's length along n. */
static double along(const struct block *b, const double n[3])
{
	double sum = 0.0;
	for (int i = 0; i < 3; i++)
		sum += b->half[i] * fabs(dot3(b->axis[i], n));
	return sum;
}

/* The face axis of `one` along which the other is farthest. */
static int best_face(const struct block *one, const struct block *other, const double way[3],
		     double *apart)
{
	int best = 0;
	*apart = -HUGE_VAL;
	for (int i = 0; i < 3; i++) {
		const double gap =
			fabs(dot3(way, one->axis[i])) - one->half[i] - along(other, one->axis[i]);
		if (gap > *apart) {
			*apart = gap;
			best = i;
		}
	}
	return best;
}

/* And of edges, i of one and j of the other; n: unit, from the other to the one.  -1: none. */
static int best_edges(const struct block *one, const struct block *other, const double way[3],
		      double *apart, double n[3])
{
	int best = -1;
	*apart = -HUGE_VAL;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) {
			double axis[3];
			cross3(one->axis[i], other->axis[j], axis);
			const double length = sqrt(dot3(axis, axis));
			if (length < PARALLEL)
				continue;
			for (int a = 0; a < 3; a++)
				axis[a] /= length;
			const double from = dot3(way, axis);
			const double gap = fabs(from) - along(one, axis) - along(other, axis);
			if (!(gap > *apart))
				continue;
			*apart = gap;
			best = 3 * i + j;
			for (int a = 0; a < 3; a++)
				n[a] = from < 0.0 ? -axis[a] : axis[a];
		}
	return best;
}

/* ---- edges --------------------------------------------------------------------------------- */

/* The middle of the edge along axis `edge` that is farthest along sign n; its number. */
static unsigned edge_middle(const struct block *b, int edge, const double n[3], double sign,
			    double x[3])
{
	unsigned number = 0;
	memcpy(x, b->center, 3 * sizeof(*x));
	for (int k = 0; k < 3; k++) {
		const bool up = sign * dot3(b->axis[k], n) > 0.0;
		if (k == edge)
			continue;
		number = 2 * number + up;
		for (int a = 0; a < 3; a++)
			x[a] += (up ? b->half[k] : -b->half[k]) * b->axis[k][a];
	}
	return number;
}

static void add_edges(const struct block *one, const struct block *other, int edges,
		      const double n[3], double gap, struct contact_points *points)
{
	const int i = edges / 3, j = edges % 3;
	double p[3], q[3], way[3], point[3];
	const unsigned first = edge_middle(one, i, n, -1.0, p);
	const unsigned second = edge_middle(other, j, n, 1.0, q);
	for (int a = 0; a < 3; a++)
		way[a] = q[a] - p[a];
	/* Nearest points of the two lines. */
	const double b = dot3(one->axis[i], other->axis[j]), u = dot3(one->axis[i], way),
		     v = dot3(other->axis[j], way), area = 1.0 - b * b;
	const double s = (u - b * v) / area, t = (b * u - v) / area;
	for (int a = 0; a < 3; a++)
		point[a] = 0.5 * (p[a] + s * one->axis[i][a] + q[a] + t * other->axis[j][a]);
	contact_points_add(points, point, n, gap,
			   0x8000u | (unsigned)edges << 8 | first << 4 | second);
}

/* ---- faces --------------------------------------------------------------------------------- */

struct corner {
	double x[3];
	unsigned id;
};

/* Cuts a convex outline to where (x - from) axis <= most; the new number of corners. */
static int cut(struct corner *corners, int count, const double from[3], const double axis[3],
	       double sign, double most, unsigned plane)
{
	struct corner out[CORNERS];
	int left = 0;
	for (int i = 0; i < count; i++) {
		const struct corner *p = &corners[i], *q = &corners[(i + 1) % count];
		double to_p[3], to_q[3];
		for (int a = 0; a < 3; a++) {
			to_p[a] = p->x[a] - from[a];
			to_q[a] = q->x[a] - from[a];
		}
		const double dp = sign * dot3(to_p, axis) - most;
		const double dq = sign * dot3(to_q, axis) - most;
		if (dp <= 0.0 && left < CORNERS)
			out[left++] = *p;
		if ((dp <= 0.0) != (dq <= 0.0) && left < CORNERS) {
			const double share = dp / (dp - dq);
			for (int a = 0; a < 3; a++)
				out[left].x[a] = p->x[a] + share * (q->x[a] - p->x[a]);
			out[left].id = 4u + 4u * (dp <= 0.0 ? p->id : q->id) + plane;
			out[left++].id &= 0xffu;
		}
	}
	memcpy(corners, out, (size_t)left * sizeof(*out));
	return left;
}

/* Of face `axis` of `face`, whose outer normal is n, with the other block; sign: 1 if n points from
 * `other` to `body`. */
static void add_faces(const struct block *face, const struct block *block, int axis,
		      const double n[3], double sign, double over, unsigned feature,
		      struct contact_points *points)
{
	struct corner corners[CORNERS];
	int most = 0;
	for (int k = 1; k < 3; k++)
		if (fabs(dot3(block->axis[k], n)) > fabs(dot3(block->axis[most], n)))
			most = k;
	const bool up = dot3(block->axis[most], n) < 0.0;
	const int u = (most + 1) % 3, v = (most + 2) % 3;
	for (unsigned i = 0; i < 4; i++) {
		const double su = i == 1 || i == 2 ? 1.0 : -1.0, sv = i >= 2 ? 1.0 : -1.0;
		corners[i].id = i;
		for (int a = 0; a < 3; a++)
			corners[i].x[a] = block->center[a] +
					  (up ? block->half[most] : -block->half[most]) *
						  block->axis[most][a] +
					  su * block->half[u] * block->axis[u][a] +
					  sv * block->half[v] * block->axis[v][a];
	}
	int count = 4;
	for (unsigned plane = 0; plane < 4; plane++) {
		const int side = (axis + 1 + (int)plane / 2) % 3;
		count = cut(corners, count, face->center, face->axis[side], plane % 2 ? -1.0 : 1.0,
			    face->half[side] + over, plane);
	}
	feature |= (unsigned)most << 9 | (unsigned)up << 8;
	for (int i = 0; i < count; i++) {
		double way[3], point[3], normal[3];
		for (int a = 0; a < 3; a++)
			way[a] = corners[i].x[a] - face->center[a];
		const double gap = dot3(way, n) - face->half[axis];
		for (int a = 0; a < 3; a++) {
			point[a] = corners[i].x[a] - 0.5 * gap * n[a];
			normal[a] = sign * n[a];
		}
		contact_points_add(points, point, normal, gap, feature | corners[i].id);
	}
}

void contact_blocks(const struct contact_shape *body, const struct contact_shape *other,
		    struct contact_points *points)
{
	const struct block one = block_of(body), two = block_of(other);
	double way[3], n[3], apart[3], least = HUGE_VAL;
	for (int a = 0; a < 3; a++) {
		way[a] = one.center[a] - two.center[a];
		least = fmin(least, fmin(one.half[a] > 0.0 ? one.half[a] : HUGE_VAL,
					 two.half[a] > 0.0 ? two.half[a] : HUGE_VAL));
	}
	const int own = best_face(&one, &two, way, &apart[0]);
	const int its = best_face(&two, &one, way, &apart[1]);
	const int edges = best_edges(&one, &two, way, &apart[2], n);
	const double tolerance = STAYS * least;
	if (fmax(fmax(apart[0], apart[1]), apart[2]) > points->margin)
		return;
	if (edges >= 0 && apart[2] > fmax(apart[0], apart[1]) + tolerance) {
		add_edges(&one, &two, edges, n, apart[2], points);
		return;
	}
	const bool second = apart[1] > apart[0] + tolerance;
	const struct block *face = second ? &two : &one;
	const int axis = second ? its : own;
	const double toward = dot3(way, face->axis[axis]) * (second ? 1.0 : -1.0);
	for (int a = 0; a < 3; a++)
		n[a] = toward < 0.0 ? -face->axis[axis][a] : face->axis[axis][a];
	add_faces(face, second ? &one : &two, axis, n, second ? 1.0 : -1.0, OVER * least,
		  (second ? 0x4000u : 0u) | (unsigned)axis << 12 | (toward < 0.0 ? 0x800u : 0u),
		  points);
}
