/* Included by every kernel file: dialect, contraction rule, shared types, lattice access. */
#ifndef FRESHET_COMMON_H
#define FRESHET_COMMON_H

#pragma OPENCL FP_CONTRACT OFF

#include "shared.h"

#ifndef DIM
#error "build with -DDIM=2 or -DDIM=3"
#endif

/* For what loops over work-items must see through to become vectors; the opposite under Oclgrind
 * (docs/portability.md). */
#ifndef ALWAYS_INLINE
#define ALWAYS_INLINE __attribute__((always_inline))
#endif

/* a % b, where a / b is needed too (docs/portability.md). */
ALWAYS_INLINE int modulo(int a, int b)
{
	return a % b;
}

/* Lattice index of (i,j,k). */
int lattice_index(const struct grid g, int i, int j, int k)
{
	return (k * g.py + j) * g.px + i;
}

/* The lattice point of this work-item of a box; 0 if there is none. */
int lattice_box_point(const struct lattice_box box, int *i, int *j, int *k)
{
	const int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
	*i = box.i + x;
	*j = box.j + y;
	*k = box.k + z;
	return x < box.nx && y < box.ny && z < box.nz;
}

/* Distance in the lattice between neighbours along an axis. */
int lattice_stride(const struct grid g, int axis)
{
	return axis == 0 ? 1 : axis == 1 ? g.px : g.px * g.py;
}

/* Does cell (i,j,k) exist? */
int cell_exists(const struct grid g, int i, int j, int k)
{
	return i >= 0 && j >= 0 && k >= 0 && i < g.nx && j < g.ny && k < g.nz;
}

/* Does the face of component c at lattice point (i,j,k) exist? */
int face_exists(const struct grid g, int c, int i, int j, int k)
{
	return i >= 0 && j >= 0 && k >= 0 && i < g.nx + (c == 0) && j < g.ny + (c == 1) &&
	       k < g.nz + (c == 2);
}

/* The order of the sort: blocks row by row, then cells row by row inside a block. */
int block_key(const struct grid g, int i, int j, int k)
{
#if DIM == 2
	(void)k;
	return ((j >> 3) * g.bx + (i >> 3)) * BLOCK_CELLS + ((j & 7) << 3) + (i & 7);
#else
	return (((k >> 2) * g.by + (j >> 2)) * g.bx + (i >> 2)) * BLOCK_CELLS + ((k & 3) << 4) +
	       ((j & 3) << 2) + (i & 3);
#endif
}

int clamp_int(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

int min_int(int a, int b)
{
	return b < a ? b : a;
}

float min_float(float a, float b)
{
	return b < a ? b : a;
}

float max_float(float a, float b)
{
	return b > a ? b : a;
}

/* (int)floor(x), in few instructions (docs/portability.md). */
int floor_int(float x)
{
	int whole = (int)x;
	return whole - ((float)whole > x);
}

/* x within [low, high]; NaN becomes low, so that what is indexed by the result exists. */
float clamp_float(float x, float low, float high)
{
	return x > low ? (x < high ? x : high) : low;
}

/* Counter-based random bits: a 32-bit finaliser over (seed, a, b, c). */
uint hash_u32(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	x ^= x >> 16;
	return x;
}

uint hash_4(uint a, uint b, uint c, uint d)
{
	return hash_u32(a ^ hash_u32(b ^ hash_u32(c ^ hash_u32(d))));
}

/* Uniform in [0, 1): the top 24 bits, exactly representable. */
float unit_float(uint bits)
{
	return (float)(bits >> 8) * 0x1p-24f;
}

/* The lattice point `points` further in order of index. */
ALWAYS_INLINE void lattice_advance(const struct grid g, int here[3], int points)
{
	here[0] += points;
	while (here[0] >= g.px) {
		here[0] -= g.px;
		here[1]++;
	}
	while (here[1] >= g.py) {
		here[1] -= g.py;
		here[2]++;
	}
}

#endif
