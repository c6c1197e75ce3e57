/* Scenes for native tests: a unit box, plates, shells, random directions.  Needs a kernel file that
 * includes common.h and shape.h before it. */
#ifndef FRESHET_NATIVE_SUPPORT_H
#define FRESHET_NATIVE_SUPPORT_H

#include <string.h>

/* The unit box of n^DIM cells. */
static inline struct grid make_grid(int n, int open_walls)
{
	struct grid g = {.nx = n, .ny = n, .nz = DIM == 3 ? n : 1, .open_walls = open_walls};
	g.px = g.nx + 1;
	g.py = g.ny + 1;
	g.pz = DIM == 3 ? g.nz + 1 : 1;
	g.lattice = g.px * g.py * g.pz;
	g.h = 1.0f / (float)n;
	g.inv_h = (float)n;
	g.size_x = g.size_y = 1.0f;
	g.size_z = DIM == 3 ? 1.0f : g.h;
	return g;
}

/* Uniform in [0, 1). */
static inline double random_unit(unsigned *state)
{
	*state += 0x9e3779b9u;
	return (double)unit_float(hash_u32(*state));
}

/* Uniform in the unit ball, then scaled to length 1; z = 0 in 2D. */
static inline void random_normal(double n[3], unsigned *state)
{
	double square;
	do {
		square = 0.0;
		for (int axis = 0; axis < 3; ++axis) {
			n[axis] = axis < DIM ? 2.0 * random_unit(state) - 1.0 : 0.0;
			square += n[axis] * n[axis];
		}
	} while (square > 1.0 || square < 0.01);
	for (int axis = 0; axis < 3; ++axis)
		n[axis] /= (sqrt)(square);
}

static inline double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double absolute(double x)
{
	return x < 0.0 ? -x : x;
}

/* Three axes at right angles; in 2D the third is z. */
static inline void random_axes(double axes[3][3], unsigned *state)
{
	double along;
	random_normal(axes[0], state);
	do {
		random_normal(axes[1], state);
		along = dot(axes[0], axes[1]);
	} while (absolute(along) > 0.9);
	for (int axis = 0; axis < 3; ++axis)
		axes[1][axis] =
			(axes[1][axis] - along * axes[0][axis]) / (sqrt)(1.0 - along * along);
	for (int axis = 0; axis < 3; ++axis) {
		int b = (axis + 1) % 3, c = (axis + 2) % 3;
		axes[2][axis] = axes[0][b] * axes[1][c] - axes[0][c] * axes[1][b];
	}
}

/* A slab across the box, |x.n - offset| <= thickness/2, thickness 0 included: 3 instructions. */
static inline int make_slab(struct shape_op *ops, const double n[3], double offset,
			    double thickness)
{
	memset(ops, 0, 3 * sizeof(*ops));
	for (int side = 0; side < 2; ++side) {
		double sign = side ? -1.0 : 1.0;
		ops[side].kind = SHAPE_HALF_SPACE;
		for (int axis = 0; axis < 3; ++axis) {
			ops[side].a[axis] = (float)((offset + sign * 0.5 * thickness) * n[axis]);
			ops[side].a[axis + 3] = (float)(sign * n[axis]);
		}
	}
	ops[2].kind = SHAPE_INTERSECTION;
	return 3;
}

/* Half-spaces whose intersection is a turned box about the middle: half edge per face. */
static inline int make_turned_box(struct shape_op *ops, double axes[3][3], const double half[6])
{
	int count = 0;
	for (int face = 0; face < 2 * DIM; ++face) {
		struct shape_op *op = &ops[count++];
		memset(op, 0, sizeof(*op));
		op->kind = SHAPE_HALF_SPACE;
		for (int axis = 0; axis < 3; ++axis) {
			double normal = (face & 1 ? -1.0 : 1.0) * axes[face / 2][axis];
			op->a[axis] = (float)((axis < DIM ? 0.5 : 0.0) + half[face] * normal);
			op->a[axis + 3] = (float)normal;
		}
		if (face > 0)
			ops[count++] = (struct shape_op){.kind = SHAPE_INTERSECTION};
	}
	return count;
}

#define SHELL_OPS 23 /* most instructions of a shell */

/* A closed shell about the middle: what is between two turned boxes. */
static inline int make_shell(struct shape_op *ops, double axes[3][3], const double outer[6],
			     const double inner[6])
{
	int count = make_turned_box(ops, axes, outer);
	count += make_turned_box(ops + count, axes, inner);
	ops[count++] = (struct shape_op){.kind = SHAPE_DIFFERENCE};
	return count;
}

#endif
