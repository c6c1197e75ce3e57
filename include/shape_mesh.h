/*
 * Triangle meshes as shapes.  Part of shape.h.
 *
 * A mesh is a block of 4-byte words in the `points` of a shape program
 * (host/scene/mesh/mesh_shape.c makes it): a header, a lattice of nodes with signed distances, a
 * tree of boxes, triangles.
 *
 * The value at x is plus or minus the distance to the nearest triangle, the first of equally near
 * ones, within MESH_REACH of it; further away it is a bound that the distance does not fall below.
 * Its sign is that of a node of the lattice, changed for each triangle that the straight way from
 * there crosses.  Sheets have no inside: their values are not negative.
 *
 * Triangles that share an edge see it from the same numbers in the same order, so no way passes
 * between two of them (after Woop, Benthin & Wald 2013).  The nearest point of a triangle: Ericson,
 * Real-Time Collision Detection, 2005, 5.1.5.
 */
#ifndef FRESHET_SHAPE_MESH_H
#define FRESHET_SHAPE_MESH_H

/* Words of the header; ints are stored as their bits. */
enum shape_mesh_word {
	MESH_LOW = 0,	     /* [3] the box around the mesh, m */
	MESH_HIGH = 3,	     /* [3] */
	MESH_ORIGIN = 6,     /* [3] of the lattice, m */
	MESH_SPACING = 9,    /* m */
	MESH_REACH = 10,     /* m, values are exact up to here */
	MESH_SIZE = 11,	     /* int [3], nodes along each axis */
	MESH_VALUES = 14,    /* int, word at which the nodes' values begin, x fastest */
	MESH_TREE = 15,	     /* int, word at which the tree begins */
	MESH_TREE_SIZE = 16, /* int, its boxes */
	MESH_TRIANGLES = 17, /* int, word at which the triangles begin */
	MESH_COUNT = 18,     /* int, triangles */
	MESH_THIN = 19,	     /* int, 1: a sheet */
	MESH_NEAREST = 20,   /* int, word at which the nodes' nearest triangles begin, ints */
	MESH_STARTS = 21, /* int, word at which the boxes begin that searches near nodes begin at */
	MESH_HEADER = 22,
	/* Of a box of the tree; those of its parts follow it. */
	MESH_BOX_SKIP = 6, /* int, the box after all its parts */
	MESH_BOX_LEAF = 7, /* int, -1, or 8 times its first triangle and how many it has */
	MESH_BOX = 8,
	MESH_TRIANGLE = 9, /* three corners */
};

/* Of the spacing: what bounds allow for rounding; how near a surface a direction is the triangle's
 * rather than that to the nearest point; how near one a node is no witness of a side. */
#define MESH_ROUNDING 5e-4f
#define MESH_ON_SURFACE 0x1p-12f
#define MESH_TOO_NEAR 0.05f
/* How far a point is from the nearest corner of its cell, at most, and how far no two points of a
 * cell are apart. */
#define MESH_BESIDE 0.87f
#define MESH_ACROSS 1.74f
/* Squares of distances: more than any, and no infinity. */
#define MESH_FAR_SQUARE 1e36f

SHARED_INLINE i32 shape_mesh_int(SHARED_GLOBAL const f32 *word)
{
#ifdef FRESHET_DEVICE
	return as_int(*word);
#else
	union {
		f32 real;
		i32 whole;
	} bits = {*word};
	return bits.whole;
#endif
}

/* Square of the distance from p to a box of the tree. */
SHARED_INLINE f32 shape_mesh_box_square(SHARED_GLOBAL const f32 *box, const f32 p[3])
{
	f32 square = 0.0f;
	for (int axis = 0; axis < 3; ++axis) {
		f32 low = box[axis] - p[axis], high = p[axis] - box[axis + 3];
		f32 beyond = shape_flush(low > high ? low : high);
		square += beyond > 0.0f ? beyond * beyond : 0.0f;
	}
	return square;
}

SHARED_INLINE f32 shape_mesh_dot(const f32 a[3], const f32 b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* offset[] = p less the nearest point of the triangle; returns its square. */
SHARED_INLINE f32 shape_mesh_offset(SHARED_GLOBAL const f32 *triangle, const f32 p[3],
				    f32 offset[3])
{
	f32 ab[3], ac[3], ap[3], bp[3], cp[3], along_b = 0.0f, along_c = 0.0f;
	for (int axis = 0; axis < 3; ++axis) {
		ab[axis] = shape_flush(triangle[3 + axis] - triangle[axis]);
		ac[axis] = shape_flush(triangle[6 + axis] - triangle[axis]);
		ap[axis] = shape_flush(p[axis] - triangle[axis]);
		bp[axis] = shape_flush(p[axis] - triangle[3 + axis]);
		cp[axis] = shape_flush(p[axis] - triangle[6 + axis]);
	}
	const f32 d1 = shape_mesh_dot(ab, ap), d2 = shape_mesh_dot(ac, ap);
	const f32 d3 = shape_mesh_dot(ab, bp), d4 = shape_mesh_dot(ac, bp);
	const f32 d5 = shape_mesh_dot(ab, cp), d6 = shape_mesh_dot(ac, cp);
	const f32 va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
	if (d1 <= 0.0f && d2 <= 0.0f) {
		along_b = along_c = 0.0f;
	} else if (d3 >= 0.0f && d4 <= d3) {
		along_b = 1.0f;
	} else if (d6 >= 0.0f && d5 <= d6) {
		along_c = 1.0f;
	} else if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) {
		along_b = d1 / (d1 - d3);
	} else if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) {
		along_c = d2 / (d2 - d6);
	} else if (va <= 0.0f && d4 >= d3 && d5 >= d6) {
		along_c = (d4 - d3) / ((d4 - d3) + (d5 - d6));
		along_b = 1.0f - along_c;
	} else {
		const f32 whole = va + vb + vc;
		along_b = vb / whole;
		along_c = vc / whole;
	}
	for (int axis = 0; axis < 3; ++axis)
		offset[axis] = shape_flush(ap[axis] - along_b * ab[axis] - along_c * ac[axis]);
	return shape_mesh_dot(offset, offset);
}

/* The triangle in box `start` nearest to p of those nearer than the root of *square, which becomes
 * its distance's square; -1 if there is none.  offset[] = p less its nearest point. */
SHARED_INLINE i32 shape_mesh_nearest(SHARED_GLOBAL const f32 *mesh, i32 start, const f32 p[3],
				     f32 *square, f32 offset[3])
{
	SHARED_GLOBAL const f32 *tree = mesh + shape_mesh_int(mesh + MESH_TREE);
	SHARED_GLOBAL const f32 *triangles = mesh + shape_mesh_int(mesh + MESH_TRIANGLES);
	const i32 end = shape_mesh_int(tree + MESH_BOX * start + MESH_BOX_SKIP);
	i32 found = -1, first = 0, last = 0;
	f32 best = *square;
	/* Boxes in order; the triangles of a leaf, one a turn, before the next box. */
	for (i32 at = start; at < end || first < last;) {
		if (first < last) {
			f32 way[3];
			const f32 s = shape_mesh_offset(triangles + MESH_TRIANGLE * first, p, way);
			if (s < best) {
				best = s;
				found = first;
				for (int axis = 0; axis < 3; ++axis)
					offset[axis] = way[axis];
			}
			++first;
			continue;
		}
		SHARED_GLOBAL const f32 *box = tree + MESH_BOX * at;
		const i32 leaf = shape_mesh_int(box + MESH_BOX_LEAF);
		if (shape_mesh_box_square(box, p) > best) {
			at = shape_mesh_int(box + MESH_BOX_SKIP);
			continue;
		}
		if (leaf >= 0) {
			first = leaf >> 3;
			last = first + (leaf & 7);
		}
		++at;
	}
	*square = best;
	return found;
}

/* On which side of the edge from a to b the origin is, 1 or -1; what lies on it is moved aside by
 * as much as nothing, for all triangles alike. */
SHARED_INLINE int shape_mesh_side(const f32 a[2], const f32 b[2], f32 *area)
{
	f32 s = a[0] * b[1] - a[1] * b[0];
	s = shared_fabs(s) < 0x1p-70f ? 0.0f : s;
	*area = s;
	if (s > 0.0f || s < 0.0f)
		return s > 0.0f ? 1 : -1;
	if (a[1] > b[1] || a[1] < b[1])
		return a[1] > b[1] ? 1 : -1;
	return b[0] > a[0] ? 1 : -1;
}

/* Does the way from p cross the triangle?  way[]: to its end; axis: where it is longest; slope:
 * along the two others for each step along it. */
SHARED_INLINE int shape_mesh_crosses(SHARED_GLOBAL const f32 *triangle, const f32 p[3], int axis,
				     f32 length, const f32 slope[2])
{
	const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
	f32 at[3][2], along[3], area[3];
	for (int corner = 0; corner < 3; ++corner) {
		along[corner] = shape_flush(triangle[3 * corner + axis] - p[axis]);
		at[corner][0] =
			shape_flush(triangle[3 * corner + u] - p[u] - slope[0] * along[corner]);
		at[corner][1] =
			shape_flush(triangle[3 * corner + v] - p[v] - slope[1] * along[corner]);
	}
	const int a = shape_mesh_side(at[1], at[2], area + 0);
	const int b = shape_mesh_side(at[2], at[0], area + 1);
	const int c = shape_mesh_side(at[0], at[1], area + 2);
	const f32 whole = area[0] + area[1] + area[2];
	if (a != b || b != c || whole == 0.0f)
		return 0;
	const f32 meets = (area[0] * along[0] + area[1] * along[1] + area[2] * along[2]) / whole;
	return length > 0.0f ? meets > 0.0f && meets < length : meets < 0.0f && meets > length;
}

/* How many triangles in box `start` the way from p to q crosses. */
SHARED_INLINE i32 shape_mesh_crossings(SHARED_GLOBAL const f32 *mesh, i32 start, const f32 p[3],
				       const f32 q[3])
{
	SHARED_GLOBAL const f32 *tree = mesh + shape_mesh_int(mesh + MESH_TREE);
	SHARED_GLOBAL const f32 *triangles = mesh + shape_mesh_int(mesh + MESH_TRIANGLES);
	const i32 end = shape_mesh_int(tree + MESH_BOX * start + MESH_BOX_SKIP);
	const f32 margin = MESH_ROUNDING * mesh[MESH_SPACING];
	f32 way[3], low[3], high[3], slope[2];
	int axis = 0;
	for (int a = 0; a < 3; ++a) {
		way[a] = shape_flush(q[a] - p[a]);
		low[a] = (p[a] < q[a] ? p[a] : q[a]) - margin;
		high[a] = (p[a] < q[a] ? q[a] : p[a]) + margin;
		axis = shared_fabs(way[a]) > shared_fabs(way[axis]) ? a : axis;
	}
	const int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
	if (!(shared_fabs(way[axis]) > 0.0f))
		return 0;
	slope[0] = way[u] / way[axis];
	slope[1] = way[v] / way[axis];
	i32 crossings = 0, first = 0, last = 0;
	for (i32 at = start; at < end || first < last;) {
		if (first < last) {
			crossings += shape_mesh_crosses(triangles + MESH_TRIANGLE * first, p, axis,
							way[axis], slope);
			++first;
			continue;
		}
		SHARED_GLOBAL const f32 *box = tree + MESH_BOX * at;
		const i32 leaf = shape_mesh_int(box + MESH_BOX_LEAF);
		int beside = 0;
		for (int a = 0; a < 3; ++a)
			beside |= box[a] > high[a] || box[a + 3] < low[a];
		if (beside) {
			at = shape_mesh_int(box + MESH_BOX_SKIP);
			continue;
		}
		if (leaf >= 0) {
			first = leaf >> 3;
			last = first + (leaf & 7);
		}
		++at;
	}
	return crossings;
}

/* What the nodes around a point tell about it. */
struct shape_mesh_around {
	f32 witness[3];	  /* the node whose side is the safest to go by */
	f32 value;	  /* there */
	i32 nearest;	  /* the triangle nearest to the node that gives `upper` */
	i32 start;	  /* the box with all triangles that matter here */
	f32 lower, upper; /* bounds of the distance */
	f32 gradient[3];  /* about */
	i32 same;	  /* 1: the witness is on the point's side for sure */
};

SHARED_INLINE struct shape_mesh_around shape_mesh_look(SHARED_GLOBAL const f32 *mesh,
						       const f32 p[3])
{
	SHARED_GLOBAL const f32 *values = mesh + shape_mesh_int(mesh + MESH_VALUES);
	SHARED_GLOBAL const f32 *nearest = mesh + shape_mesh_int(mesh + MESH_NEAREST);
	const f32 spacing = mesh[MESH_SPACING];
	const i32 row = shape_mesh_int(mesh + MESH_SIZE);
	const i32 plane = row * shape_mesh_int(mesh + MESH_SIZE + 1);
	struct shape_mesh_around around;
	i32 cell[3];
	f32 score = -SHAPE_FAR;
	around.lower = -SHAPE_FAR;
	around.upper = SHAPE_FAR;
	around.value = 0.0f;
	around.same = around.nearest = around.start = 0;
	i32 best = 0, closest = -1;
	f32 least = MESH_BESIDE * spacing;
	for (int axis = 0; axis < 3; ++axis) {
		const i32 most = shape_mesh_int(mesh + MESH_SIZE + axis) - 2;
		const f32 at = (p[axis] - mesh[MESH_ORIGIN + axis]) / spacing;
		cell[axis] = at > 0.0f ? at < (f32)most ? (i32)at : most : 0;
		around.witness[axis] = around.gradient[axis] = 0.0f;
	}
	for (int corner = 0; corner < 8; ++corner) {
		i32 node[3];
		f32 place[3], away[3];
		for (int axis = 0; axis < 3; ++axis) {
			node[axis] = cell[axis] + ((corner >> axis) & 1);
			place[axis] = mesh[MESH_ORIGIN + axis] + (f32)node[axis] * spacing;
			away[axis] = p[axis] - place[axis];
		}
		const i32 at = node[2] * plane + node[1] * row + node[0];
		const f32 value = values[at];
		const f32 depth = shared_fabs(value),
			  apart = shape_length(away[0], away[1], away[2]);
		const f32 lower = depth - apart, upper = depth + apart;
		const f32 worth = depth < MESH_TOO_NEAR * spacing ? lower - 10.0f * spacing : lower;
		around.lower = lower > around.lower ? lower : around.lower;
		best = upper < around.upper ? at : best;
		closest = apart < least ? at : closest;
		least = apart < least ? apart : least;
		around.upper = upper < around.upper ? upper : around.upper;
		for (int axis = 0; axis < 3; ++axis)
			around.gradient[axis] += ((corner >> axis) & 1) ? value : -value;
		if (worth > score) {
			score = worth;
			around.value = value;
			around.same = lower > MESH_ROUNDING * spacing;
			for (int axis = 0; axis < 3; ++axis)
				around.witness[axis] = place[axis];
		}
	}
	around.nearest = shape_mesh_int(nearest + best);
	if (closest >= 0)
		around.start = shape_mesh_int(mesh + shape_mesh_int(mesh + MESH_STARTS) + closest);
	around.lower -= MESH_ROUNDING * spacing;
	around.upper += MESH_ROUNDING * spacing;
	return around;
}

/* Unit normal of a triangle; *s becomes 0 where it has none. */
SHARED_INLINE void shape_mesh_normal(SHARED_GLOBAL const f32 *t, f32 n[3])
{
	f32 ab[3], ac[3];
	for (int axis = 0; axis < 3; ++axis) {
		ab[axis] = shape_flush(t[3 + axis] - t[axis]);
		ac[axis] = shape_flush(t[6 + axis] - t[axis]);
	}
	f32 x = shape_flush(ab[1] * ac[2] - ab[2] * ac[1]);
	f32 y = shape_flush(ab[2] * ac[0] - ab[0] * ac[2]);
	f32 z = shape_flush(ab[0] * ac[1] - ab[1] * ac[0]);
	const f32 length = shape_length(x, y, z), scale = length > 0.0f ? 1.0f / length : 0.0f;
	n[0] = x * scale;
	n[1] = y * scale;
	n[2] = z * scale;
}

/* On a surface: 1 outside or on a sheet, -1 inside. */
SHARED_INLINE f32 shape_mesh_sign(SHARED_GLOBAL const f32 *mesh, const f32 p[3],
				  const struct shape_mesh_around *around)
{
	if (shape_mesh_int(mesh + MESH_THIN))
		return 1.0f;
	f32 sign = around->value < 0.0f ? -1.0f : 1.0f;
	if (!around->same && (shape_mesh_crossings(mesh, around->start, p, around->witness) & 1))
		sign = -sign;
	return sign;
}

SHARED_INLINE struct shape_sample shape_mesh(SHARED_GLOBAL const struct shape_op *op,
					     SHARED_GLOBAL const f32 *points, const f32 p[3])
{
	SHARED_GLOBAL const f32 *mesh = points + 2 * op->first;
	struct shape_sample s;
	f32 beyond[3], offset[3] = {0.0f, 0.0f, 0.0f};
	/* Beside the box around it, and not near. */
	for (int axis = 0; axis < 3; ++axis) {
		const f32 low = mesh[MESH_LOW + axis] - p[axis];
		const f32 high = p[axis] - mesh[MESH_HIGH + axis];
		beyond[axis] = low > 0.0f ? -low : high > 0.0f ? high : 0.0f;
	}
	s = shape_round(beyond[0], beyond[1], beyond[2], 0.0f);
	if (s.distance > mesh[MESH_REACH])
		return s;
	const struct shape_mesh_around around = shape_mesh_look(mesh, p);
	if (around.lower > mesh[MESH_REACH]) {
		const f32 sign = shape_mesh_sign(mesh, p, &around);
		s = shape_round(around.gradient[0], around.gradient[1], around.gradient[2], 0.0f);
		s.distance = sign * around.lower;
		return s;
	}
	/* That of a node nearby is nearly the nearest one; a little more, so that it is found again
	 * in its turn. */
	f32 square = shape_mesh_offset(mesh + shape_mesh_int(mesh + MESH_TRIANGLES) +
					       MESH_TRIANGLE * around.nearest,
				       p, offset);
	square = square * 1.00001f + 0x1p-100f;
	const i32 nearest = shape_mesh_nearest(mesh, around.start, p, &square, offset);
	const f32 sign = shape_mesh_sign(mesh, p, &around);
	const f32 distance = shared_sqrt(square);
	if (nearest >= 0 && distance < MESH_ON_SURFACE * mesh[MESH_SPACING]) {
		shape_mesh_normal(mesh + shape_mesh_int(mesh + MESH_TRIANGLES) +
					  MESH_TRIANGLE * nearest,
				  s.gradient);
	} else {
		const f32 scale = distance > 0.0f ? sign / distance : 0.0f;
		for (int axis = 0; axis < 3; ++axis)
			s.gradient[axis] = offset[axis] * scale;
	}
	s.distance = sign * distance;
	return s;
}

#endif
