/* sample.h for vectors of particles: the same values, bit for bit.  Two cells or more in x. */
#ifndef FRESHET_SAMPLE_LANES_H
#define FRESHET_SAMPLE_LANES_H

#include "lanes.h"

#ifndef FRESHET_NATIVE

/* As struct stencil. */
struct lanes_stencil {
	lane_ints base;
	lane_floats upper[DIM];
	int step[DIM];
};

/* at[0][a]: among the centres along axis a, at[1][a]: among its faces. */
void lanes_find(const struct grid g, const lane_floats x[DIM], struct lane_axis at[2][DIM])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		lanes_axis(x[a] * g.inv_h - 0.5f, cells[a] - 1, &at[0][a]);
		lanes_axis(x[a] * g.inv_h, cells[a], &at[1][a]);
	}
}

/* Stencil of component c. */
void lanes_stencil(const struct grid g, int c, const struct lane_axis at[2][DIM],
		   struct lanes_stencil *s)
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	s->base = (lane_ints)(0);
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		s->upper[a] = at[a == c][a].upper;
		s->base += at[a == c][a].low * lattice_stride(g, a);
		s->step[a] = a == c || cells[a] > 1 ? lattice_stride(g, a) : 0;
	}
}

/* Two neighbours in x at each lane's place: the lower ones are the even elements. */
#if DIM == 2
#define LANES_PAIRS(from, at)                                               \
	((float8)(vload2(0, (from) + (at)[0]), vload2(0, (from) + (at)[1]), \
		  vload2(0, (from) + (at)[2]), vload2(0, (from) + (at)[3])))
typedef float8 lane_pairs;
#else
#define LANES_PAIRS(from, at)                                                \
	((float16)(vload2(0, (from) + (at)[0]), vload2(0, (from) + (at)[1]), \
		   vload2(0, (from) + (at)[2]), vload2(0, (from) + (at)[3]), \
		   vload2(0, (from) + (at)[4]), vload2(0, (from) + (at)[5]), \
		   vload2(0, (from) + (at)[6]), vload2(0, (from) + (at)[7])))
typedef float16 lane_pairs;
#endif

/* value[q]: at corner q. */
void lanes_corners(global const float *field, const struct lanes_stencil *s,
		   lane_floats value[LANES])
{
	int at[LANES];
	lanes_store(s->base, at);
#pragma unroll
	for (int q = 0; q < LANES; q += 2) {
		global const float *from = field + (q >> 1 & 1) * s->step[1];
#if DIM == 3
		from += (q >> 2) * s->step[2];
#endif
		lane_pairs pairs = LANES_PAIRS(from, at);
		value[q] = pairs.even;
		value[q + 1] = pairs.odd;
	}
}

/* As sample_field(). */
lane_floats lanes_mix(const lane_floats value[LANES], const struct lanes_stencil *s)
{
	lane_floats mixed[LANES];
#pragma unroll
	for (int q = 0; q < LANES; q++)
		mixed[q] = value[q];
#pragma unroll
	for (int a = 0; a < DIM; a++)
#pragma unroll
		for (int q = 0; q < LANES >> (a + 1); q++)
			mixed[q] = mixed[2 * q] + s->upper[a] * (mixed[2 * q + 1] - mixed[2 * q]);
	return mixed[0];
}

/* u(x), all components; x[] and u[] as in sample_velocity(). */
void lanes_velocity(const struct grid g, global const float *u_face, const lane_floats x[3],
		    lane_floats u[3])
{
	struct lane_axis at[2][DIM];
	lane_floats value[LANES];
	lanes_find(g, x, at);
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		struct lanes_stencil s;
		lanes_stencil(g, c, at, &s);
		lanes_corners(u_face + c * g.lattice, &s, value);
		u[c] = lanes_mix(value, &s);
	}
}
#endif /* FRESHET_NATIVE */

#endif
