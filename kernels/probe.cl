/* Start-up checks: struct layout and arithmetic as this device and compiler see them. */
#include "common.h"

/* out[0..]: sizeof and member offsets of every shared struct, in the order host/selftest.c
 * expects.  One work-item. */
kernel void probe_layout(global uint *out)
{
	if (get_global_id(0) != 0)
		return;
	struct grid g;
	struct shape_op s;
	struct splat_scale w;
	struct mg_level l;
	out[0] = (uint)sizeof(struct grid);
	out[1] = (uint)((private char *)&g.lattice - (private char *)&g);
	out[2] = (uint)((private char *)&g.h - (private char *)&g);
	out[3] = (uint)((private char *)&g.size_z - (private char *)&g);
	out[4] = (uint)sizeof(struct shape_op);
	out[5] = (uint)((private char *)&s.a[6] - (private char *)&s);
	out[6] = (uint)sizeof(struct splat_scale);
	out[7] = (uint)((private char *)&w.to_velocity - (private char *)&w);
	out[8] = (uint)sizeof(struct mg_level);
	out[9] = (uint)((private char *)&l.full_link[2] - (private char *)&l);
}

/* out[i*6 ..]: a/b, sqrt(|a|), fma(a,b,c), a*b+c without contraction, rint(a), float of a 64-bit
 * product.  One work-item per triple. */
kernel void probe_arithmetic(global const float *a, global const float *b, global const float *c,
			     global float *out, int n)
{
	int i = (int)get_global_id(0);
	if (i >= n)
		return;
	float product = a[i] * b[i];
	out[i * 6] = a[i] / b[i];
	out[i * 6 + 1] = sqrt(fabs(a[i]));
	out[i * 6 + 2] = fma(a[i], b[i], c[i]);
	out[i * 6 + 3] = product + c[i];
	out[i * 6 + 4] = rint(a[i]);
	out[i * 6 + 5] = convert_float_rte((long)(as_int(a[i])) * (long)(as_int(b[i])));
}
