/*
 * Grid to particles, plainly (docs/method.md#grid-to-particles), at the position of the last P2G:
 *
 *   pic    v = u(x)                                       (Harlow 1964)
 *   flip   v = F (v + du(x)) + (1 - F) u(x)               (Brackbill & Ruppel 1986)
 *   apic   v = u(x),  C_ca = d u_c / d x_a, exactly       (Jiang et al. 2015, 2017)
 *
 * transfer_g2p is this, transfer_g2p_lanes (transfer_block.cl, for CPUs) gives the same bits.
 */
#ifndef FRESHET_G2P_REFERENCE_H
#define FRESHET_G2P_REFERENCE_H

#include "common.h"
#include "sample.h"

/* m/s: what is slower with PIC and FLIP is at rest, so that a blend that shrinks in every substep
 * never gets to the denormals, which devices treat differently. */
#define G2P_SLOWEST 0x1p-100f

/* Particle p.  flip: F, 0 for PIC. */
void g2p_reference(const struct grid g, global const float *u_face, global const float *delta_face,
		   float flip, int apic, global const float *position, global float *velocity,
		   global float *affine, int stride, int p)
{
	float x[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
#pragma unroll
	for (int c = 0; c < DIM; c++) {
		const struct stencil s = sample_stencil(g, c, x);
		const float u = sample_field(u_face + c * g.lattice, s);
		float v = u;
		if (apic) {
			float gradient[DIM];
			sample_gradient(u_face + c * g.lattice, s, g.inv_h, gradient);
#pragma unroll
			for (int a = 0; a < DIM; a++)
				affine[(c * DIM + a) * stride + p] = gradient[a];
		} else {
			if (flip > 0.0f) {
				const float du = sample_field(delta_face + c * g.lattice, s);
				v = flip * (velocity[c * stride + p] + du) + (1.0f - flip) * u;
			}
			v = fabs(v) < G2P_SLOWEST ? 0.0f : v;
		}
		velocity[c * stride + p] = v;
	}
}

#endif
