/*
 * kernels/particles/collide_moving.h as plain C, 2D and 3D: nothing passes a solid that turns and
 * shifts, however thin; nothing ends in one; what is hit is taken along.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cl_native.h"

#include "collide_moving.h"

#include "native_support.h"

#define CELLS (DIM == 2 ? 32 : 16)
#define LATTICE ((CELLS + 1) * (CELLS + 1) * (DIM == 2 ? 1 : CELLS + 1))
#define PATHS 1000000 /* past plates, in each dimension */

struct world {
	struct grid g;
	struct shape_op ops[16];
	int count;
	uint slip[2];
	int solids;
	float points[2 * SHAPE_PLACE_PAIRS], words[MOVER_WORDS], phi[LATTICE];
	float most;
};

static struct world world;

/* ---- motions in double -------------------------------------------------------------------- */

struct pose {
	double q[4], at[3];
};

static void turn(const double q[4], double sign, const double v[3], double out[3])
{
	double cross[3];
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		cross[a] = sign * (q[1 + b] * v[c] - q[1 + c] * v[b]);
	}
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		out[a] = v[a] + 2.0 * (q[0] * cross[a] +
				       sign * (q[1 + b] * cross[c] - q[1 + c] * cross[b]));
	}
}

static struct pose random_pose(unsigned *random, const struct pose *near, double angle,
			       double shift)
{
	struct pose p = {{1, 0, 0, 0}, {0.5, 0.5, DIM == 3 ? 0.5 : 0.0}};
	double n[3], half = 0.5 * angle, step[4], way[3];
	random_normal(n, random);
	if (DIM == 2) {
		n[0] = n[1] = 0.0;
		n[2] = random_unit(random) < 0.5 ? 1.0 : -1.0;
	}
	step[0] = 1.0 - half * half / 2.0 + half * half * half * half / 24.0;
	for (int a = 0; a < 3; ++a)
		step[a + 1] = n[a] * (sqrt)(1.0 - step[0] * step[0]);
	if (!near) {
		memcpy(p.q, step, sizeof(step));
		return p;
	}
	random_normal(way, random);
	const double *q = near->q;
	p.q[0] = step[0] * q[0] - step[1] * q[1] - step[2] * q[2] - step[3] * q[3];
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		p.q[a + 1] = step[0] * q[a + 1] + step[a + 1] * q[0] + step[b + 1] * q[c + 1] -
			     step[c + 1] * q[b + 1];
		p.at[a] = near->at[a] + (a < DIM ? shift * way[a] : 0.0);
	}
	return p;
}

static void own_place(const struct pose *pose, const float x[3], double own[3])
{
	const double away[3] = {(double)x[0] - pose->at[0], (double)x[1] - pose->at[1],
				(DIM == 3 ? (double)x[2] : 0.0) - pose->at[2]};
	turn(pose->q, -1.0, away, own);
	for (int a = 0; a < DIM; ++a)
		own[a] += 0.5;
}

/* The last of the solids goes from one pose to another, about the middle of the box. */
static void set_motion(const struct pose *from, const struct pose *to, double angle, double way)
{
	float *w = world.words, *place = world.points;
	memset(w, 0, sizeof(world.words));
	for (int a = 0; a < 4; ++a) {
		w[MOVER_FROM_TURN + a] = (float)from->q[a];
		w[MOVER_TO_TURN + a] = (float)to->q[a];
	}
	for (int a = 0; a < 3; ++a) {
		const double unit[3] = {a == 0, a == 1, a == 2};
		double column[3];
		turn(from->q, 1.0, unit, column);
		for (int b = 0; b < 3; ++b)
			place[3 * b + a] = (float)column[b];
		w[MOVER_FROM + a] = place[9 + a] = (float)from->at[a];
		w[MOVER_TO + a] = (float)to->at[a];
		w[MOVER_CENTER + a] = place[12 + a] = a < DIM ? 0.5f : 0.0f;
		w[MOVER_VELOCITY + a] = (float)(to->at[a] - from->at[a]);
	}
	w[MOVER_ANGLE] = (float)(1.02 * angle);
	w[MOVER_WAY] = (float)(1.01 * way);
	world.most = (float)(1.05 * (way + 2.0 * angle));
	const struct grid g = world.g;
	for (int at = 0; at < g.lattice; ++at) {
		const int i = at % g.px, j = at / g.px % g.py, k = at / (g.px * g.py);
		world.phi[at] = shape_distance(DIM, world.ops, world.count, world.points,
					       (float)i * g.h, (float)j * g.h, (float)k * g.h);
	}
}

static struct collide_movers movers(void)
{
	return (struct collide_movers){
		{world.ops, world.count, world.points, world.phi, world.slip, world.solids},
		world.solids - 1,
		world.words,
		world.most};
}

/* A program between SHAPE_PLACE and SHAPE_PLACED. */
static int place_program(struct shape_op *ops, int count)
{
	memmove(ops + 1, ops, (size_t)count * sizeof(*ops));
	ops[0] = (struct shape_op){.kind = SHAPE_PLACE, .count = SHAPE_PLACE_PAIRS};
	ops[count + 1] = (struct shape_op){.kind = SHAPE_PLACED, .count = SHAPE_PLACE_PAIRS};
	return count + 2;
}

static float away_from(const float x[3])
{
	return shape_distance(DIM, world.ops, world.count, world.points, x[0], x[1],
			      DIM == 3 ? x[2] : 0.0f);
}

/* ---- tests -------------------------------------------------------------------------------- */

/* Plates of no thickness and a tenth of a cell through the middle of the box turn by up to half a
 * radian and shift by up to two cells; particles go up to two cells.  All stay on their side, off
 * the plate.  By their places at the end alone many would be on the other. */
static void test_plates_sweep(void **state)
{
	(void)state;
	unsigned random = 7;
	int pushed = 0, crossed = 0;
	world.g = make_grid(CELLS, 0);
	world.solids = 1;
	for (int n = 0; n < PATHS / 500; ++n) {
		static const double angles[] = {0.0, 0.02, 0.1, 0.5};
		const double h = (double)world.g.h, angle = angles[n % 4],
			     shift = 2.0 * h * random_unit(&random);
		const double thickness = n % 3 ? 0.0 : 0.1 * h;
		double normal[3];
		random_normal(normal, &random);
		const struct pose from =
			random_pose(&random, NULL, 3.0 * random_unit(&random), 0.0);
		const struct pose to = random_pose(&random, &from, angle, shift);
		double middle = 0.0;
		for (int a = 0; a < DIM; ++a)
			middle += 0.5 * normal[a];
		world.count =
			place_program(world.ops, make_slab(world.ops, normal, middle, thickness));
		world.slip[0] = (uint)world.count << 1 | (n % 5 != 0);
		set_motion(&from, &to, angle, shift);
		const struct collide_movers m = movers();
		for (uint p = 0; p < 500; ++p) {
			float old[3] = {0.0f, 0.0f, 0.0f}, x[3] = {0.0f, 0.0f, 0.0f}, v[3];
			double way[3], own[3], side[3] = {-middle, -middle, -middle};
			for (int a = 0; a < DIM; ++a)
				old[a] = (float)(8.0 * h + (1.0 - 16.0 * h) * random_unit(&random));
			if (DIM == 3 && CELLS == 16)
				for (int a = 0; a < DIM; ++a)
					old[a] = (float)(5.0 * h +
							 (1.0 - 10.0 * h) * random_unit(&random));
			if (away_from(old) < 1e-4f * world.g.h)
				continue;
			random_normal(way, &random);
			const double length = 2.0 * h * random_unit(&random);
			for (int a = 0; a < 3; ++a) {
				v[a] = (float)(3.0 * way[a]);
				x[a] = a < DIM ? old[a] + (float)(length * way[a]) : 0.0f;
			}
			own_place(&from, old, own);
			side[0] += dot(own, normal);
			own_place(&to, x, own);
			side[1] += dot(own, normal);
			const int result = collide_moving(world.g, &m, p, (uint)n, old, x, v);
			own_place(&to, x, own);
			side[2] += dot(own, normal);
			assert_int_equal(result & ~COLLIDE_PUSHED, 0);
			assert_true((side[0] > 0.0) == (side[2] > 0.0));
			assert_true(absolute(side[2]) - 0.5 * thickness > 1e-4 * h);
			crossed += (side[0] > 0.0) != (side[1] > 0.0);
			pushed += (result & COLLIDE_PUSHED) != 0;
		}
	}
	assert_true(crossed > PATHS / 200);
	assert_true(pushed > crossed);
}

/* A ball overruns particles at rest: they are taken along in front of it, outside, and no slower
 * than it does; those behind stay as they are, to the bit. */
static void test_ball_pushes(void **state)
{
	(void)state;
	unsigned random = 8;
	world.g = make_grid(CELLS, 0);
	world.solids = 1;
	const double h = (double)world.g.h;
	struct pose from = random_pose(&random, NULL, 0.0, 0.0), to = from;
	to.at[0] += 1.5 * h;
	world.ops[0] = (struct shape_op){.kind = SHAPE_SPHERE,
					 .a = {0.5f, 0.5f, DIM == 3 ? 0.5f : 0.0f, 0.15f}};
	world.count = place_program(world.ops, 1);
	world.slip[0] = (uint)world.count << 1 | 1u;
	set_motion(&from, &to, 0.0, 1.5 * h);
	const struct collide_movers m = movers();
	int hit = 0;
	for (uint p = 0; p < 20000; ++p) {
		float old[3] = {0.0f, 0.0f, 0.0f}, x[3], v[3] = {0.0f, 0.0f, 0.0f}, n[3];
		double own[3], square = 0.0, speed = 0.0;
		for (int a = 0; a < DIM; ++a)
			old[a] = (float)(0.2 + 0.6 * random_unit(&random));
		if (away_from(old) < 1e-2f * world.g.h)
			continue;
		for (int a = 0; a < 3; ++a)
			x[a] = old[a];
		const int result = collide_moving(world.g, &m, p, 3, old, x, v);
		own_place(&to, x, own);
		for (int a = 0; a < DIM; ++a) {
			n[a] = (float)(own[a] - 0.5);
			square += (own[a] - 0.5) * (own[a] - 0.5);
		}
		for (int a = 0; a < DIM; ++a)
			speed += (double)(n[a] * v[a]) / (sqrt)(square);
		assert_true((sqrt)(square) > 0.15);
		if (!(result & COLLIDE_PUSHED)) {
			assert_memory_equal(x, old, sizeof(x));
			assert_true(v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f);
			continue;
		}
		++hit;
		assert_true(old[0] > 0.5f);
		/* v is m per substep here, as the mover's; at its sides it hardly pushes */
		assert_true(speed > -1e-3 * h && speed < 1.51 * h);
		assert_true(v[0] >= 0.0f);
	}
	assert_true(hit > 100);
}

/* A plate comes down on a plate at rest, and stops a tenth of a cell above it: what was between
 * them stays between them, or is moved to a cell with room, but is in neither. */
static void test_squeezed(void **state)
{
	(void)state;
	unsigned random = 9;
	const double up[3] = {0.0, 1.0, 0.0};
	world.g = make_grid(CELLS, 0);
	world.solids = 2;
	const double h = (double)world.g.h;
	const int rest = make_slab(world.ops, up, 0.4, 0.0);
	const int own =
		place_program(world.ops + rest, make_slab(world.ops + rest, up, 0.4 + h, 0.0));
	world.count = rest + own;
	world.ops[world.count++] = (struct shape_op){.kind = SHAPE_UNION};
	world.slip[0] = (uint)rest << 1 | 1u;
	world.slip[1] = (uint)(rest + own) << 1 | 1u;
	struct pose from = random_pose(&random, NULL, 0.0, 0.0), to = from;
	to.at[1] -= 0.9 * h;
	set_motion(&from, &to, 0.0, 0.9 * h);
	const struct collide_movers m = movers();
	for (uint p = 0; p < 2000; ++p) {
		float old[3] = {0.5f, (float)(0.4 + h * (0.01 + 0.98 * random_unit(&random))),
				DIM == 3 ? 0.5f : 0.0f};
		float x[3] = {old[0] + world.g.h, old[1], old[2]}, v[3] = {1.0f, 0.0f, 0.0f};
		const int result = collide_moving(world.g, &m, p, 3, old, x, v);
		assert_int_equal(result & ~COLLIDE_PUSHED, 0);
		assert_true(absolute((double)x[1] - 0.4) > 1e-5 * h);
		assert_true(absolute((double)x[1] - (0.4 + 0.1 * h)) > 1e-5 * h);
		/* Below the resting plate nothing comes: it is hit from above. */
		assert_true(x[1] > 0.4f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plates_sweep),
		cmocka_unit_test(test_ball_pushes),
		cmocka_unit_test(test_squeezed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
