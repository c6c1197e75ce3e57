/*
 * Samples of cells beside solids, and the density kernel's weights at them.  Read by both
 * compilers.
 *
 * A cell has SAMPLES_CELL samples: small cubes, SAMPLES_EDGE of them along every axis, x fastest.
 */
#ifndef FRESHET_SOLID_SAMPLES_H
#define FRESHET_SOLID_SAMPLES_H

#include "shared.h"

#define SAMPLES_CELL 64
#define SAMPLES_EDGE(dim) ((dim) == 2 ? 8 : 4)
/* Cells whose samples a density kernel reaches, x fastest, the kernel's own in the middle. */
#define SAMPLES_AROUND(dim) ((dim) == 2 ? 25 : 125)
/* Instead of the first sample's open part: that of all of them. */
#define SAMPLES_OPEN 65535
#define SAMPLES_CLOSED 65534
/* Steps of a sample's part in sums with weights, which then fit into 32 bits. */
#define SAMPLES_PARTS 4096

/* Along an axis, in cells from a cell's lower side. */
SHARED_INLINE f32 sample_place(int dim, int sample, int axis)
{
	const int edge = SAMPLES_EDGE(dim);
	int index = sample;
	for (int a = 0; a < axis; ++a)
		index /= edge;
	return ((f32)(index - index / edge * edge) + 0.5f) / (f32)edge;
}

/*
 * Weight of a sample of cell `around` in the density kernel k (shared.h) about the middle one's
 * centre, to integers: all of them together, times SAMPLES_PARTS, are just less than 2^32.
 */
SHARED_INLINE u32 sample_weight(int dim, int around, int sample)
{
	const f32 all = 1045000.0f; /* of 2^20, as roundings may add a few hundred */
	f32 rest = 1.0f;
	int index = around;
	for (int a = 0; a < dim; ++a) {
		const f32 away = (f32)(index - index / 5 * 5) - 2.5f + sample_place(dim, sample, a);
		rest -= away * away * (1.0f / (DENSITY_RADIUS * DENSITY_RADIUS));
		index /= 5;
	}
	if (rest <= 0.0f)
		return 0;
	return (u32)(rest * rest * rest * (all / ((f32)SAMPLES_CELL * (f32)DENSITY_INTEGRAL(dim))) +
		     0.5f);
}

#endif
