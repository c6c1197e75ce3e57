/*
 * kernels/particles/collide.h as plain C, 2D and 3D: nothing passes a solid, however thin; nothing ends in
 * one or outside the grid; velocities lose what they must and no more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cl_native.h"

#include "collide.h"

#include "native_support.h"

#define CELLS (DIM == 2 ? 32 : 16)
#define LATTICE ((CELLS + 1) * (CELLS + 1) * (DIM == 2 ? 1 : CELLS + 1))

struct world {
	struct grid g;
	struct shape_op ops[SHELL_OPS];
	int count;
	uint slip;
	float phi[LATTICE];
};

static struct world world;

static void measure(bool slip)
{
	const struct grid g = world.g;
	world.slip = (uint)world.count << 1 | (slip ? 1u : 0u);
	for (int at = 0; at < g.lattice; ++at) {
		int i = at % g.px, j = at / g.px % g.py, k = at / (g.px * g.py);
		world.phi[at] = shape_distance(DIM, world.ops, world.count, NULL, (float)i * g.h,
					       (float)j * g.h, (float)k * g.h);
	}
}

static float distance_at(const float x[3])
{
	return shape_distance(DIM, world.ops, world.count, NULL, x[0], x[1],
			      DIM == 3 ? x[2] : 0.0f);
}

static int move(uint id, uint salt, const float old[3], float x[3], float v[3])
{
	return collide(world.g, world.ops, world.count, NULL, world.phi, &world.slip, 1, id, salt,
		       old, x, v);
}

/* A random point of the box, free by at least `room` cells. */
static void random_free(unsigned *state, float room, float x[3])
{
	do {
		for (int axis = 0; axis < 3; ++axis)
			x[axis] = axis < DIM ? (float)(0.001 + 0.998 * random_unit(state)) : 0.25f;
	} while (distance_at(x) < room * world.g.h);
}

/* A displacement of up to `cells` cells, and a velocity along it. */
static void random_move(unsigned *state, double cells, const float old[3], float x[3], float v[3])
{
	double n[3], length = cells * (double)world.g.h * random_unit(state);
	random_normal(n, state);
	for (int axis = 0; axis < 3; ++axis) {
		x[axis] = old[axis] + (float)(length * n[axis]);
		v[axis] = (float)(3.0 * n[axis]);
	}
}

static void assert_valid(const float x[3])
{
	const int cells[3] = {world.g.nx, world.g.ny, world.g.nz};
	for (int axis = 0; axis < DIM; ++axis) {
		assert_true(x[axis] > 0.0f && x[axis] < 1.0f);
		assert_true(floorf(x[axis] * world.g.inv_h) < (float)cells[axis]);
	}
	assert_true(distance_at(x) > 0.0f);
}

/* Plates of 0 to 1 cells at any angle; moves of up to 6 cells, and particles that stand 1e-4 cells
 * off.  All stay on their side.  Beside one plate the tangential velocity is kept. */
static void test_plates_stop(void **state)
{
	(void)state;
	unsigned random = 1;
	int pushed = 0;
	world.g = make_grid(CELLS, 0);
	for (int n = 0; n < 200; ++n) {
		double normal[3], offset = 0.0;
		random_normal(normal, &random);
		for (int axis = 0; axis < DIM; ++axis)
			offset += (0.3 + 0.4 * random_unit(&random)) * normal[axis];
		double thickness = n % 4 * 0.33 * (double)world.g.h;
		world.count = make_slab(world.ops, normal, offset, thickness);
		measure(true);
		for (uint p = 0; p < 200; ++p) {
			float old[3], x[3], v[3], before[3];
			random_free(&random, p % 8 ? 1e-2f : 1e-4f, old);
			random_move(&random, p % 2 ? 1.5 : 6.0, old, x, v);
			for (int axis = 0; axis < 3; ++axis)
				before[axis] = v[axis];
			bool at_wall = false;
			for (int axis = 0; axis < DIM; ++axis)
				at_wall |= old[axis] < 2.0f * world.g.h ||
					   old[axis] > 1.0f - 2.0f * world.g.h;
			double was = -offset, is = -offset, inward = 0.0, kept = 0.0;
			int result = move(p, (uint)n, old, x, v);
			assert_valid(x);
			for (int axis = 0; axis < DIM; ++axis) {
				was += (double)old[axis] * normal[axis];
				is += (double)x[axis] * normal[axis];
				inward += (double)v[axis] * normal[axis];
				kept += (double)before[axis] * normal[axis];
			}
			assert_true((was > 0.0) == (is > 0.0));
			assert_int_equal(result & ~COLLIDE_PUSHED, 0);
			if (!(result & COLLIDE_PUSHED) || at_wall || p % 2 == 0)
				continue;
			++pushed;
			assert_true(was > 0.0 ? inward > -1e-5 : inward < 1e-5);
			for (int axis = 0; axis < DIM; ++axis) {
				double tangent = (double)v[axis] - inward * normal[axis];
				double wanted = (double)before[axis] - kept * normal[axis];
				assert_true(absolute(tangent - wanted) < 1e-5);
			}
			assert_true(absolute(is) - 0.5 * thickness > 0.09 * (double)world.g.h);
			assert_true(absolute(is) - 0.5 * thickness <
				    absolute(was) + 0.16 * (double)world.g.h);
		}
	}
	assert_true(pushed > 200);
}

/* Particles shut into a small shell of thin walls stay in it, corners and edges included; an outer
 * particle never gets in. */
static void test_shells_hold(void **state)
{
	(void)state;
	unsigned random = 2;
	world.g = make_grid(CELLS, 0);
	for (int n = 0; n < 100; ++n) {
		double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, outer[6], inner[6];
		if (n % 2)
			random_axes(axes, &random);
		for (int face = 0; face < 6; ++face) {
			inner[face] = (1.0 + 2.0 * random_unit(&random)) * (double)world.g.h;
			outer[face] = inner[face] +
				      n % 3 * 0.2 * random_unit(&random) * (double)world.g.h;
		}
		world.count = make_shell(world.ops, axes, outer, inner);
		measure(n % 5 != 0);
		float in[3] = {0.5f, 0.5f, DIM == 3 ? 0.5f : 0.0f}, out[3], v[3], next[3];
		int inside_ops = world.count / 2;
		do
			random_free(&random, 0.1f, out);
		while (shape_distance(DIM, world.ops, inside_ops, NULL, out[0], out[1],
				      DIM == 3 ? out[2] : 0.0f) < 0.0f);
		for (uint step = 0; step < 100; ++step)
			for (uint which = 0; which < 2; ++which) {
				float *x = which ? out : in;
				random_move(&random, 5.0, x, next, v);
				int result = move(which, step, x, next, v);
				assert_int_equal(result & ~COLLIDE_PUSHED, 0);
				assert_valid(next);
				for (int axis = 0; axis < DIM; ++axis)
					x[axis] = next[axis];
				float d = shape_distance(DIM, world.ops, inside_ops, NULL, x[0],
							 x[1], DIM == 3 ? x[2] : 0.0f);
				assert_true(which ? d > 0.0f : d < 0.0f);
			}
	}
}

/* Around a ball: never in it, always 0.1 h off after a hit, and the tangential rest of the path is
 * walked. */
static void test_ball(void **state)
{
	(void)state;
	unsigned random = 3;
	world.g = make_grid(CELLS, 0);
	world.count = 1;
	world.ops[0] = (struct shape_op){.kind = SHAPE_SPHERE,
					 .a = {0.5f, 0.45f, DIM == 3 ? 0.55f : 0.0f, 0.2f}};
	measure(true);
	for (uint p = 0; p < 20000; ++p) {
		float old[3], x[3], v[3];
		random_free(&random, 1e-2f, old);
		random_move(&random, 4.0, old, x, v);
		int result = move(p, 9, old, x, v);
		assert_valid(x);
		assert_int_equal(result & ~COLLIDE_PUSHED, 0);
	}
	/* 45 degrees onto the top: comes down 1 cell, then goes on along x */
	float old[3] = {0.5f, 0.65f + world.g.h, DIM == 3 ? 0.55f : 7.0f};
	float x[3] = {0.5f + 2.0f * world.g.h, 0.65f - world.g.h, old[2]};
	float v[3] = {1.0f, -1.0f, 0.0f};
	assert_int_equal(move(1, 1, old, x, v), COLLIDE_PUSHED);
	assert_true(x[0] > old[0] + 1.7f * world.g.h && x[0] < old[0] + 2.3f * world.g.h);
	assert_true(distance_at(x) > 0.05f * world.g.h && distance_at(x) < 0.8f * world.g.h);
	assert_true(x[2] == old[2]);
	/* no slip: nothing is left */
	measure(false);
	float stop[3] = {1.0f, -1.0f, 0.0f}, y[3] = {0.5f, 0.64f, old[2]};
	move(1, 1, old, y, stop);
	assert_true(stop[0] == 0.0f && stop[1] == 0.0f && stop[2] == 0.0f);
	/* found inside, which must not happen: counted, and put outside */
	float in[3] = {0.52f, 0.55f, old[2]}, to[3] = {0.51f, 0.55f, old[2]};
	assert_int_equal(move(1, 1, in, to, v), COLLIDE_PUSHED | COLLIDE_ESCAPED);
	assert_true(distance_at(to) > 0.05f * world.g.h);
}

/* Far from solids and walls nothing changes a bit; near closed ones the position comes back inside
 * and only the outward velocity goes; open ones let through, but not past a plate. */
static void test_walls(void **state)
{
	(void)state;
	world.g = make_grid(CELLS, 1 << WALL_X_HIGH | 1 << WALL_Y_LOW);
	const float h = world.g.h;
	world.count = 0;
	measure(true);
	for (uint p = 0; p < 1000; ++p) {
		float old[3] = {0.5f * h, 0.5f, 0.5f}, x[3] = {-2.0f * h, 0.5f + h, 0.5f};
		float v[3] = {-2.0f, 3.0f, 0.5f};
		assert_int_equal(move(p, 5, old, x, v), COLLIDE_PUSHED);
		assert_true(x[0] >= 0.1f * h && x[0] <= 0.15f * h && x[1] == 0.5f + h);
		assert_true(v[0] == 0.0f && v[1] == 3.0f && v[2] == 0.5f);
	}
	float old[3] = {1.0f - h, 0.5f, 0.5f}, x[3] = {1.0f + h, 0.5f, 0.5f};
	float v[3] = {2.0f, 0.0f, 0.0f};
	assert_int_equal(move(1, 5, old, x, v), COLLIDE_LEFT);
	float low[3] = {0.5f, h, 0.5f}, below[3] = {0.5f, -0.1f * h, 0.5f};
	assert_int_equal(move(1, 5, low, below, v), COLLIDE_LEFT);
	float top[3] = {0.5f, 1.0f - h, 0.5f}, up[3] = {0.5f, 1.0f, 0.5f}, w[3] = {1, 1, 1};
	assert_int_equal(move(1, 5, top, up, w), COLLIDE_PUSHED);
	assert_true(up[1] < 1.0f - 0.09f * h && w[0] == 1.0f && w[1] == 0.0f && w[2] == 1.0f);
	float mid[3] = {0.4f, 0.6f, 0.5f}, on[3] = {0.41f, 0.59f, 0.5f}, u[3] = {1, 2, 3};
	assert_int_equal(move(1, 5, mid, on, u), 0);
	assert_true(on[0] == 0.41f && on[1] == 0.59f && u[0] == 1.0f && u[1] == 2.0f);

	const double along_x[3] = {1.0, 0.0, 0.0};
	world.count = make_slab(world.ops, along_x, 1.0 - 0.25 * (double)h, 0.0);
	measure(true);
	float past[3] = {1.0f + h, 0.5f, 0.5f};
	assert_int_equal(move(1, 5, old, past, v), COLLIDE_PUSHED);
	assert_true(past[0] < 1.0f - 0.25f * h);
}

/* Between a plate and the floor less than the offset apart: stays there, whatever it does. */
static void test_squeezed(void **state)
{
	(void)state;
	unsigned random = 4;
	world.g = make_grid(CELLS, 0);
	const float h = world.g.h;
	const double up[3] = {0.0, 1.0, 0.0};
	world.count = make_slab(world.ops, up, 0.05 * (double)h, 0.0);
	measure(true);
	float x[3] = {0.5f, 0.02f * h, DIM == 3 ? 0.5f : 0.0f}, next[3], v[3];
	for (uint step = 0; step < 1000; ++step) {
		random_move(&random, 2.0, x, next, v);
		move(3, step, x, next, v);
		assert_valid(next);
		assert_true(next[1] < 0.05f * h);
		for (int axis = 0; axis < DIM; ++axis)
			x[axis] = next[axis];
	}
}

/* On a closed wall where a plate meets it there may be no room to move: nothing leaves there, but
 * does beside an open wall. */
static void test_where_plates_end(void **state)
{
	(void)state;
	const double along_x[3] = {1.0, 0.0, 0.0};
	for (int open = 0; open < 2; ++open) {
		world.g = make_grid(CELLS, open ? 1 << WALL_Y_LOW : 0);
		world.count = make_slab(world.ops, along_x, 0.5, 0.0);
		measure(true);
		for (uint p = 0; p < 100; ++p) {
			const float old[3] = {0.5f, 0.0f, 0.5f};
			float x[3] = {0.5f, -0.01f * world.g.h, 0.5f}, v[3] = {0.0f, -1.0f, 0.0f};
			const int result = move(p, 7, old, x, v);
			assert_int_equal(result & COLLIDE_LEFT, open ? COLLIDE_LEFT : 0);
			assert_true(open || (x[1] >= 0.0f && x[1] < world.g.h));
		}
	}
}

/* Whatever the size of the cells, what comes out lies in one: the sides' roundings included. */
static void test_rounding(void **state)
{
	(void)state;
	unsigned random = 6;
	world.count = 0;
	for (int n = 1; n < 4000; n += 1 + n / 9) {
		world.g = make_grid(1, 0);
		world.g.nx = world.g.ny = world.g.nz = n;
		float size = (float)(0.01 + 3.0 * random_unit(&random));
		world.g.size_x = world.g.size_y = world.g.size_z = size;
		world.g.h = size / (float)n;
		world.g.inv_h = (float)n / size;
		for (int p = 0; p < 64; ++p) {
			float old[3] = {0.5f * size, 0.5f * size, 0.5f * size}, x[3], v[3] = {0};
			for (int axis = 0; axis < 3; ++axis) {
				float ulps = (float)(p - 32) * 6e-8f;
				x[axis] = p % 2 ? size * (1.0f + ulps) : size * ulps;
			}
			collide(world.g, world.ops, 0, NULL, NULL, NULL, 0, (uint)p, 0, old, x, v);
			for (int axis = 0; axis < DIM; ++axis) {
				float cell = floorf(x[axis] * world.g.inv_h);
				assert_true(x[axis] > 0.0f && x[axis] < size);
				assert_true(cell >= 0.0f && cell < (float)n);
			}
		}
	}
}

/* Two primitives of any kind, at any angle, combined in any way. */
static void random_pair(unsigned *state)
{
	static const int kinds[] = {SHAPE_BOX, SHAPE_SPHERE, SHAPE_HALF_SPACE, SHAPE_CAPSULE,
				    SHAPE_CYLINDER};
	static const int ways[] = {SHAPE_UNION, SHAPE_INTERSECTION, SHAPE_DIFFERENCE};
	memset(world.ops, 0, sizeof(world.ops));
	for (int n = 0; n < 2; ++n) {
		struct shape_op *op = &world.ops[n];
		double normal[3];
		random_normal(normal, state);
		op->kind = kinds[(int)(5.0 * random_unit(state))];
		/* in 2D a cylinder is a rectangle, as the reader makes it: not here */
		if (DIM == 2 && op->kind == SHAPE_CYLINDER)
			op->kind = SHAPE_CAPSULE;
		for (int axis = 0; axis < DIM; ++axis) {
			const float extent = (float)(0.4 * random_unit(state));
			op->a[axis] = (float)random_unit(state);
			op->a[axis + 3] = op->kind == SHAPE_HALF_SPACE ? (float)normal[axis]
								       : op->a[axis] + extent;
		}
		op->a[op->kind == SHAPE_SPHERE ? 3 : 6] = (float)(0.2 * random_unit(state));
	}
	world.ops[2].kind = ways[(int)(3.0 * random_unit(state))];
	world.count = 3;
}

/* What one node calls far is far by the distances between nodes. */
static void test_far(void **state)
{
	(void)state;
	unsigned random = 31;
	int far = 0, beyond = 0;
	world.g = make_grid(CELLS, 0);
	for (int n = 0; n < 300; ++n) {
		random_pair(&random);
		measure(true);
		for (int p = 0; p < 200; ++p) {
			float x[3] = {0.0f, 0.0f, 0.0f};
			for (int axis = 0; axis < DIM; ++axis)
				x[axis] = (float)(1.2 * random_unit(&random) - 0.1);
			const float reach = (float)(5.0 * random_unit(&random)) * world.g.h;
			const float phi = collide_solid_phi(world.g, world.phi, x);
			beyond += phi > reach;
			if (!collide_is_far(world.g, world.phi, x, reach))
				continue;
			++far;
			assert_true(phi > reach);
		}
	}
	/* and most of what is far is found */
	assert_true(far > 5000 && 2 * far > beyond);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_far),	    cmocka_unit_test(test_plates_stop),
		cmocka_unit_test(test_shells_hold), cmocka_unit_test(test_ball),
		cmocka_unit_test(test_walls),	    cmocka_unit_test(test_squeezed),
		cmocka_unit_test(test_rounding),    cmocka_unit_test(test_where_plates_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
