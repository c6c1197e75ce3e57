/* Solids: open parts of cells and of the density kernels about their centres. */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "solids_sample.h"

/* Open part of a cell's volume, from samples at the middles of its equal parts. */
float solids_cell_volume(const struct grid g, const struct solids_shape *shape,
			 const float centre[3])
{
	const int samples = DIM == 2 ? 8 : 4;
	const float s = g.h / (float)samples;
	float middle = solids_evaluate(shape, centre).distance, sum = 0.0f;
	struct shape_sample near;
	int count = 0;
	/* No solid within half a diagonal and a small cube. */
	if (fabs(middle) > (SOLIDS_REACH + 0.25f) * g.h)
		return middle > 0.0f ? 1.0f : 0.0f;
	for (int c = 0; c < (DIM == 3 ? samples : 1); ++c)
		for (int b = 0; b < samples; ++b)
			for (int a = 0; a < samples; ++a) {
				const int index[3] = {a, b, c};
				float x[3] = {0.0f, 0.0f, 0.0f};
				for (int axis = 0; axis < DIM; ++axis)
					x[axis] = centre[axis] - 0.5f * g.h +
						  ((float)index[axis] + 0.5f) * s;
				sum += solids_sample(shape, x, s, &near);
				++count;
			}
	return sum / (float)count;
}

/* Integral of k = (1-r^2/R^2)^3, R = 2h, over the part in solids of one block of edge h, in h^DIM;
 * block[] is its lower corner relative to the kernel's centre, in h. */
float solids_block_closed(const struct grid g, const struct solids_shape *shape,
			  const float centre[3], const float block[3])
{
	const int samples = DIM == 2 ? 8 : 4;
	const float s = 1.0f / (float)samples, reach = SOLIDS_REACH + s;
	float x[3] = {0.0f, 0.0f, 0.0f}, y[3] = {0.0f, 0.0f, 0.0f}, sum = 0.0f;
	struct shape_sample near;
	for (int axis = 0; axis < DIM; ++axis)
		x[axis] = centre[axis] + (block[axis] + 0.5f) * g.h;
	/* Mirroring brings points no further apart: the distance bounds that of the block's points.
	 */
	solids_fold(g, x);
	float solid = solids_evaluate(shape, x).distance / g.h;
	if (solid > reach)
		return 0.0f;
	int deep = solid < -reach;
	for (int c = 0; c < (DIM == 3 ? samples : 1); ++c)
		for (int b = 0; b < samples; ++b)
			for (int a = 0; a < samples; ++a) {
				const int index[3] = {a, b, c};
				float rest = 1.0f, open = 0.0f;
				for (int axis = 0; axis < DIM; ++axis) {
					y[axis] = block[axis] + ((float)index[axis] + 0.5f) * s;
					x[axis] = centre[axis] + y[axis] * g.h;
					rest -= 1.0f / (DENSITY_RADIUS * DENSITY_RADIUS) * y[axis] *
						y[axis];
				}
				if (rest <= 0.0f)
					continue;
				if (!deep) {
					solids_fold(g, x);
					open = solids_sample(shape, x, s * g.h, &near);
				}
				sum += (1.0f - open) * rest * rest * rest;
			}
	return sum * s * s * (DIM == 3 ? s : 1.0f);
}

/* volume_open and kernel_open of every cell; 0 where there is no cell.  Box walls close no part of
 * a kernel: the density counts the liquid's images beyond them.  Blocks first to last - 1 of
 * SOLIDS_BLOCKS; closed (f32 [L]): their sum so far, -1 = there are no solids.  One work-item per
 * lattice point of the box. */
kernel void solids_open_cells(const struct grid g, const struct lattice_box box,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, int first, int last, global float *closed,
			      global ushort *volume_open, global ushort *kernel_open,
			      global uint *scalars)
{
	int i, j, k;
	if (!lattice_box_point(box, &i, &j, &k))
		return;
	int at = lattice_index(g, i, j, k);
	if (!cell_exists(g, i, j, k)) {
		volume_open[at] = 0;
		kernel_open[at] = 0;
		return;
	}
	const struct solids_shape shape = {ops, op_count, points};
	const float centre[3] = {((float)i + 0.5f) * g.h, ((float)j + 0.5f) * g.h,
				 DIM == 3 ? ((float)k + 0.5f) * g.h : 0.0f};
	float sum = 0.0f;
	if (first == 0) {
		sum = solids_evaluate(&shape, centre).distance > 2.5f * g.h ? -1.0f : 0.0f;
		volume_open[at] = (ushort)rint(solids_cell_volume(g, &shape, centre) * SOLIDS_UNIT);
	} else
		sum = closed[at];
	for (int n = first; n < last && sum >= 0.0f; ++n) {
		const float block[3] = {(float)(modulo(n, 4) - 2), (float)(modulo(n / 4, 4) - 2),
					(float)(n / 16 - 2)};
		sum += solids_block_closed(g, &shape, centre, block);
	}
	closed[at] = sum;
	if (last == SOLIDS_BLOCKS(DIM))
		kernel_open[at] = sum < 0.0f ? FRACTION_ONE : solids_cell_kernel(sum);
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}
