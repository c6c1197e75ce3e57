/*
 * G2P at the position of the last P2G.
 *   flip: v += blend-weighted change, v = f (v + du(x)) + (1 - f) u(x)    (PIC: f = 0)
 *   apic: v = u(x), C_ca = d u_c / d x_a, the exact gradient of the interpolant
 */
#ifndef FRESHET_TRANSFER_GATHER_H
#define FRESHET_TRANSFER_GATHER_H

#include "common.h"
#include "lanes.h"
#include "sample.h"
#include "sample_lanes.h"

/* The new velocity with FLIP or PIC; what is slower than 2^-100 m/s is at rest. */
#define TRANSFER_BLEND(old, change, u, flip) ((flip) * ((old) + (change)) + (1.0f - (flip)) * (u))

/* Particle p. */
void transfer_gather(const struct grid g, global const float *u_face,
		     global const float *delta_face, float flip, int apic,
		     global const float *position, global float *velocity, global float *affine,
		     int stride, int p)
{
	float x[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		struct stencil s = sample_stencil(g, c, x);
		global const float *u_c = u_face + c * g.lattice;
		float u = sample_field(u_c, s);
		if (apic) {
			float gradient[DIM];
			sample_gradient(u_c, s, g.inv_h, gradient);
#pragma unroll
			for (int a = 0; a < DIM; a++)
				affine[(c * DIM + a) * stride + p] = gradient[a];
			velocity[c * stride + p] = u;
		} else {
			float v = u;
			if (flip > 0.0f)
				v = TRANSFER_BLEND(velocity[c * stride + p],
						   sample_field(delta_face + c * g.lattice, s), u,
						   flip);
			velocity[c * stride + p] = fabs(v) < 0x1p-100f ? 0.0f : v;
		}
	}
}

#ifndef FRESHET_NATIVE
/* C_ca of component c at the lanes' particles p .. p + LANES-1, from the corners' values. */
void transfer_gather_affine(const struct lanes_stencil *s, const lane_floats value[LANES],
			    float inv_h, global float *affine, int stride, int p)
{
#pragma unroll
	for (int a = 0; a < DIM; a++) {
		lane_floats slope = (lane_floats)(0.0f);
#pragma unroll
		for (int q = 0; q < LANES; q++) {
			if (q >> a & 1)
				continue;
			lane_floats w = (lane_floats)(1.0f);
#pragma unroll
			for (int b = 0; b < DIM; b++)
				if (b != a)
					w *= q >> b & 1 ? s->upper[b] : 1.0f - s->upper[b];
			slope += w * (value[q | 1 << a] - value[q]);
		}
		lanes_store(slope * inv_h, affine + a * stride + p);
	}
}

/* Particles p .. p + LANES-1; two cells or more in x. */
void transfer_gather_lanes(const struct grid g, global const float *u_face,
			   global const float *delta_face, float flip, int apic,
			   global const float *position, global float *velocity,
			   global float *affine, int stride, int p)
{
	lane_floats x[DIM], value[LANES];
	struct lane_axis at[2][DIM];
	lanes_load_point(position, stride, p, x);
	lanes_find(g, x, at);
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		struct lanes_stencil s;
		lanes_stencil(g, c, at, &s);
		lanes_corners(u_face + c * g.lattice, &s, value);
		lane_floats u = lanes_mix(value, &s);
		if (apic) {
			transfer_gather_affine(&s, value, g.inv_h, affine + c * DIM * stride,
					       stride, p);
			lanes_store(u, velocity + c * stride + p);
			continue;
		}
		lane_floats v = u;
		if (flip > 0.0f) {
			lane_floats old = lanes_load(velocity + c * stride + p);
			lanes_corners(delta_face + c * g.lattice, &s, value);
			v = TRANSFER_BLEND(old, lanes_mix(value, &s), u, flip);
		}
		v = fabs(v) < 0x1p-100f ? (lane_floats)(0.0f) : v;
		lanes_store(v, velocity + c * stride + p);
	}
}
#endif /* FRESHET_NATIVE */

#endif
