/*
 * What bodies that the liquid moves push out of its cells: J of kernels/pressure/coupling.cl.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "coupling_axes.h"
#include "faces.h"
#include "kick.h"
#include "solid_programs.h"
#include "solids_covered.h"
#include "solids_shape.h"

/* What a body's velocities push out of a cell through a part of its face across axis a, whose
 * middle lies at `away` from the body's center, in radii. */
void solids_push(float push[AXES], int a, float part, const float away[3])
{
	push[a] += part;
#if DIM == 2
	push[2] += a == 0 ? -part * away[1] : part * away[0];
#else
	const int b = a == 2 ? 0 : a + 1, c = a == 0 ? 2 : a - 1;
	push[3 + b] += part * away[c];
	push[3 + c] -= part * away[b];
#endif
}

/*
 * cover: float [AXES] at each cell of the boxes of bodies, J; gain: float there, what the pressure
 * q at the nearest point of the body has beyond that at the cell's centre if the liquid is at rest
 * under `kick`, m/s; counts: cells of each row that the body covers a part of.  Faces belong to
 * the nearest solid, as in solids_push_faces(); of one that has let go the open part counts less,
 * as in pressure_flux(), with
 * has_opened.  Work-item (row, body).
 */
kernel void solids_cover_cells(const struct grid g, global const struct coupling_body *bodies,
			       global const struct shape_op *ops, int op_count,
			       global const float *points, global const uint *solid_slip,
			       int solid_count, global const ushort *rest_fraction,
			       global const ushort *open_fraction, global const uchar *cell_type,
			       global const float *phi, global const uchar *opened, int has_opened,
			       const struct kick kick, global float *cover, global float *gain,
			       global uint *counts)
{
	const struct coupling_body body = bodies[get_global_id(1)];
	const struct solids_shape shape = {ops, op_count, points, 0};
	const struct solid_programs programs = {ops, points, solid_slip};
	const int row = (int)get_global_id(0);
	if (row >= body.box.ny * body.box.nz)
		return;
	const int cells[3] = {g.nx, g.ny, g.nz};
	const int j = body.box.j + modulo(row, body.box.ny), k = body.box.k + row / body.box.ny;
	uint count = 0;
	for (int x = 0; x < body.box.nx; ++x) {
		const int i = body.box.i + x, place = body.first + row * body.box.nx + x;
		const int here[3] = {i, j, k}, at = lattice_index(g, i, j, k);
		float push[AXES];
		int touches = 0;
		for (int c = 0; c < AXES; ++c)
			push[c] = 0.0f;
		for (int n = 0; n < 2 * DIM && cell_type[at] == CELL_LIQUID; ++n) {
			const int a = n >> 1, side = n & 1;
			const int face = at + side * lattice_stride(g, a);
			const int slot = a * g.lattice + face;
			const int covered = (int)rest_fraction[slot] - (int)open_fraction[slot];
			float middle[3];
			if (covered <= 0)
				continue;
			solids_covered_middle(g, &shape, a, i + (side & (a == 0)),
					      j + (side & (a == 1)), k + (side & (a == 2)), middle);
			if (solids_nearest(&shape, solid_slip, solid_count, middle) != body.own)
				continue;
			float part = (float)covered * (1.0f / FRACTION_ONE);
			if (has_opened && (opened[face] >> a & 1))
				part *= 1.0f - faces_of_cell(g, cell_type, phi, open_fraction,
							     opened, at, here[a], cells[a], a, side)
						       .area;
			for (int c = 0; c < 3; ++c)
				middle[c] = (middle[c] - body.center[c]) / body.radius;
			solids_push(push, a, side ? part : -part, middle);
			touches = 1;
		}
		for (int c = 0; c < AXES; ++c)
			cover[place * AXES + c] = push[c];
		float higher = 0.0f, most = 0.0f;
		for (int c = 0; c < AXES; ++c)
			most = max_float(most, fabs(push[c]));
		if (touches && most > 0.0f) {
			const float center[3] = {((float)i + 0.5f) * g.h, ((float)j + 0.5f) * g.h,
						 DIM == 3 ? ((float)k + 0.5f) * g.h : 0.0f};
			const struct shape_sample near =
				solid_programs_evaluate(&programs, body.own, center);
			for (int a = 0; a < DIM; ++a) {
				const float kicked =
					0.5f * (forces_kick(kick, a, i, j, k) +
						forces_kick(kick, a, i + (a == 0), j + (a == 1),
							    k + (a == 2)));
				higher -= near.distance * near.gradient[a] * g.inv_h * kicked;
			}
			++count;
		}
		gain[place] = higher;
	}
	counts[body.first_row + row] = count;
}
