/* Sampling MAC faces at a point: (bi/tri)linear, constant beyond the outermost samples. */
#ifndef FRESHET_SAMPLE_H
#define FRESHET_SAMPLE_H

#include "common.h"

/* Where a point falls among the samples of one component: lower corner and weights of the upper
 * ones. */
struct stencil {
	int base;	  /* lattice index of the lower corner */
	float upper[DIM]; /* weight of the upper corner per axis, in [0,1] */
	int step[DIM];	  /* lattice stride to the upper corner; 0 where there is only one sample */
};

/* Stencil of component c (0..DIM-1: faces; DIM: cell centres) at position x. */
struct stencil sample_stencil(const struct grid g, int c, const float x[3])
{
	struct stencil s;
	int cells[3] = {g.nx, g.ny, g.nz};
	s.base = 0;
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		int last = a == c ? cells[a] : cells[a] - 1; /* index of the last sample */
		float at = x[a] * g.inv_h - (a == c ? 0.0f : 0.5f);
		at = clamp_float(at, 0.0f, (float)last);
		int low = (int)at;
		low = low > last - 1 ? (last > 0 ? last - 1 : 0) : low;
		s.upper[a] = at - (float)low;
		s.step[a] = last > 0 ? lattice_stride(g, a) : 0;
		s.base += low * lattice_stride(g, a);
	}
	return s;
}

/* Corner q of a stencil, the upper one along the axes whose bits q has: lattice index, weight. */
#define STENCIL_CORNERS (1 << DIM)

int stencil_at(const struct stencil s, int q)
{
	int at = s.base;
#pragma unroll
	for (int a = 0; a < DIM; a++)
		at += (q >> a & 1) * s.step[a];
	return at;
}

float stencil_weight(const struct stencil s, int q)
{
	float w = 1.0f;
#pragma unroll
	for (int a = 0; a < DIM; a++)
		w *= q >> a & 1 ? s.upper[a] : 1.0f - s.upper[a];
	return w;
}

float sample_mix(float a, float b, float t)
{
	return a + t * (b - a);
}

/* Value of one component; field points at the component's first element. */
float sample_field(global const float *field, const struct stencil s)
{
	float x0 = sample_mix(field[s.base], field[s.base + s.step[0]], s.upper[0]);
	int b = s.base + s.step[1];
	float x1 = sample_mix(field[b], field[b + s.step[0]], s.upper[0]);
	float y0 = sample_mix(x0, x1, s.upper[1]);
#if DIM == 3
	b = s.base + s.step[2];
	x0 = sample_mix(field[b], field[b + s.step[0]], s.upper[0]);
	b += s.step[1];
	x1 = sample_mix(field[b], field[b + s.step[0]], s.upper[0]);
	float y1 = sample_mix(x0, x1, s.upper[1]);
	return sample_mix(y0, y1, s.upper[2]);
#else
	return y0;
#endif
}

/* The exact gradient of sample_field(), per m. */
void sample_gradient(global const float *field, const struct stencil s, float inv_h,
		     float gradient[DIM])
{
	float value[STENCIL_CORNERS];
#pragma unroll
	for (int q = 0; q < STENCIL_CORNERS; q++)
		value[q] = field[stencil_at(s, q)];
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		float slope = 0.0f;
#pragma unroll
		for (int q = 0; q < STENCIL_CORNERS; q++) {
			if (q >> a & 1)
				continue;
			float w = 1.0f;
#pragma unroll
			for (int b = 0; b < DIM; b++)
				if (b != a)
					w *= q >> b & 1 ? s.upper[b] : 1.0f - s.upper[b];
			slope += w * (value[q | 1 << a] - value[q]);
		}
		gradient[a] = slope * inv_h;
	}
}

/* u(x), all components. */
void sample_velocity(const struct grid g, global const float *u_face, const float x[3], float u[3])
{
#pragma unroll
	for (int c = 0; c < DIM; c++)
		u[c] = sample_field(u_face + c * g.lattice, sample_stencil(g, c, x));
}

#endif
