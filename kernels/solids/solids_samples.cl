/*
 * Open parts of cells and density kernels from samples that are looked at once (solids_cells.cl
 * looks at each up to 125 times).  For meshes, whose distances are dear, and what moves: a sample
 * that several kernels hold is at one place here, where roundings there tell it apart, so that
 * other scenes would get other bits.  3D.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "loop_guard.h"
#include "solids_sample.h"

/* room: ushort [layers][box.ny+4][box.nx+4][SAMPLES_CELL], open part of each sample, in units of
 * 1/FRACTION_ONE, of the cells of the box and two around it, from layer `first` - 2 on.  One
 * work-item per cell. */
kernel void solids_sample_layers(const struct grid g, const struct lattice_box box,
				 global const struct shape_op *ops, int op_count,
				 global const float *points, int first, int layers,
				 global ushort *room, global uint *scalars)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (i >= box.nx + 4 || j >= box.ny + 4 || k >= layers)
		return;
	const struct solids_shape shape = {ops, op_count, points};
	global ushort *samples = room + SAMPLES_CELL * ((k * (box.ny + 4) + j) * (box.nx + 4) + i);
	const float s = 0.25f * g.h;
	const float centre[3] = {((float)(box.i + i - 2) + 0.5f) * g.h,
				 ((float)(box.j + j - 2) + 0.5f) * g.h,
				 ((float)(k + first - 2) + 0.5f) * g.h};
	float x[3] = {centre[0], centre[1], centre[2]};
	struct shape_sample near;
	/* Mirroring brings points no further apart. */
	solids_fold(g, x);
	const float middle = solids_evaluate(&shape, x).distance;
	for (int n = 0; n < SAMPLES_CELL; ++n) {
		const float offset[3] = {((float)(n & 3) - 1.5f) * s,
					 ((float)(n >> 2 & 3) - 1.5f) * s,
					 ((float)(n >> 4) - 1.5f) * s};
		const float away = shape_length(offset[0], offset[1], offset[2]) + 0.5f * s;
		float part = middle > 0.0f ? 1.0f : 0.0f;
		if (fabs(middle) < away) {
			for (int axis = 0; axis < 3; ++axis)
				x[axis] = centre[axis] + offset[axis];
			solids_fold(g, x);
			part = solids_sample(&shape, x, s, &near);
		}
		samples[n] = (ushort)rint(part * SOLIDS_UNIT);
	}
	loops_check(op_count, scalars + SCALAR_LOOPS_CUT);
}

/* volume_open and kernel_open of the cells of layers `first` to `last` - 1, and of the lattice
 * points beyond cells; room: from layer `first` - 2 on.  One work-item per lattice point of them.
 */
kernel void solids_sum_samples(const struct grid g, const struct lattice_box box,
			       global const float *solid_phi, int first, int last,
			       global const ushort *room, global ushort *volume_open,
			       global ushort *kernel_open)
{
	const int column = (int)get_global_id(0), row = (int)get_global_id(1),
		  k = (int)get_global_id(2), i = box.i + column, j = box.j + row;
	if (column >= box.nx || row >= box.ny || k >= last - first)
		return;
	const int at = lattice_index(g, i, j, first + k);
	volume_open[at] = 0;
	kernel_open[at] = 0;
	if (!cell_exists(g, i, j, first + k))
		return;
	/* Its corners are half a diagonal from the centre, its kernel's samples 2 h and half their
	 * diagonal at most. */
	const float reach = (2.0f + SOLIDS_REACH + 0.25f) * g.h;
	float most = -SHAPE_FAR, least = SHAPE_FAR;
	for (int q = 0; q < 8; ++q) {
		const float phi = solid_phi[lattice_index(g, i + (q & 1), j + (q >> 1 & 1),
							  first + k + (q >> 2))];
		most = phi > most ? phi : most;
		least = phi < least ? phi : least;
	}
	if (most > reach) {
		volume_open[at] = kernel_open[at] = FRACTION_ONE;
		return;
	}
	/* Rows of 16 samples, a quarter of a cell apart, about the centre. */
	float closed = least < -reach ? (float)DENSITY_INTEGRAL(3) : 0.0f;
	int own = 0;
	for (int n = 0; n < 256 && least >= -reach; ++n) {
		const int b = n & 15, c = n >> 4; /* from 2 cells below the centre */
		const float y = 0.25f * (float)(b - 8) + 0.125f,
			    z = 0.25f * (float)(c - 8) + 0.125f;
		const float across =
			1.0f - 1.0f / (DENSITY_RADIUS * DENSITY_RADIUS) * (y * y + z * z);
		const int is_own = b >= 6 && b < 10 && c >= 6 && c < 10;
		global const ushort *samples =
			room +
			SAMPLES_CELL *
				(((k + ((c + 2) >> 2)) * (box.ny + 4) + row + ((b + 2) >> 2)) *
					 (box.nx + 4) +
				 column) +
			(((c + 2) & 3) << 4) + (((b + 2) & 3) << 2);
		float sum = 0.0f;
		if (across <= 0.0f)
			continue;
		for (int a = 0; a < 16; ++a) {
			const float x = 0.25f * (float)(a - 8) + 0.125f;
			const float rest =
				across - 1.0f / (DENSITY_RADIUS * DENSITY_RADIUS) * (x * x);
			const int open =
				(int)samples[SAMPLES_CELL * ((a + 2) >> 2) + ((a + 2) & 3)];
			own += is_own && a >= 6 && a < 10 ? open : 0;
			sum += rest > 0.0f ? (float)(FRACTION_ONE - open) * (rest * rest * rest)
					   : 0.0f;
		}
		closed += sum * (1.0f / (SOLIDS_UNIT * (float)SAMPLES_CELL));
	}
	volume_open[at] = (ushort)rint((float)own * (1.0f / (float)SAMPLES_CELL));
	kernel_open[at] = solids_cell_kernel(closed);
}
