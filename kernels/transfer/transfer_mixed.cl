/* Grid to particles where liquids differ in their transfer. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "g2p_reference.h"

/* The liquid of an id: that of the last of the ranges, whose first ids ascend, that does not begin
 * after it. */
int transfer_liquid(global const uint *first, global const uint *liquid, int ranges, uint id)
{
	int low = 0, high = ranges;
	while (high - low > 1) {
		const int middle = (low + high) / 2;
		if (first[middle] <= id)
			low = middle;
		else
			high = middle;
	}
	return ranges > 0 ? (int)liquid[low] : 0;
}

/*
 * As transfer_g2p(), with flip[] and apic[] by liquid.  With has_affine some liquid is APIC's; the
 * affine matrices of the others are 0.  first, liquid: u32 [ranges], whose ids are whose.  One
 * work-item per particle.
 */
kernel void transfer_g2p_mixed(const struct grid g, global const float *u_face,
			       global const float *delta_face, global const float *flip,
			       global const int *apic, int has_affine, global const uint *first,
			       global const uint *liquid, int ranges, global const uint *id,
			       global const float *position, global float *velocity,
			       global float *affine, int stride, int n)
{
	const int p = (int)get_global_id(0);
	if (p >= n)
		return;
	const int l = transfer_liquid(first, liquid, ranges, id[p]);
	g2p_reference(g, u_face, delta_face, flip[l], apic[l], position, velocity, affine, stride,
		      p);
	for (int e = 0; has_affine && !apic[l] && e < DIM * DIM; e++)
		affine[e * stride + p] = 0.0f;
}
