/* Particles to grid by a kernel with a pole, and its boost. */
#pragma OPENCL FP_CONTRACT OFF

#include "brick_access.h"
#include "common.h"
#include "smoothing.h"
#include "solids_reached.h"

/* Share of the cubic kernel at a boost of 1. */
#define STIFF_BOOST 1.3f

/* Do open faces lead from cell from[] to one of the two beside the face of component c at
 * face[]? */
int stiff_reaches(const struct grid g, global const ushort *open_fraction, int c, const int from[3],
		  const int face[3])
{
	int low[3] = {face[0], face[1], face[2]};
	low[c]--;
	return (cell_exists(g, low[0], low[1], low[2]) &&
		solids_reached(g, open_fraction, from, low)) ||
	       (cell_exists(g, face[0], face[1], face[2]) &&
		solids_reached(g, open_fraction, from, face));
}

/* What a face gathers: sums of w1, w1 v and w2 v. */
struct stiff_sums {
	float weight, plain, boosted;
};

/* Adds the particles of cell from[] to the sums of the face at x[], in cells. */
void stiff_add_cell(const struct grid g, global const uint *start, global const float *position,
		    global const float *velocity, int stride, int c, const float x[3],
		    const int from[3], struct stiff_sums *sums)
{
	const int key = block_key(g, from[0], from[1], from[2]);
	for (int p = (int)start[key]; p < (int)start[key + 1]; p++) {
		float square = 0.0f;
		for (int a = 0; a < DIM; a++) {
			const float d = position[a * stride + p] * g.inv_h - x[a];
			square += d * d;
		}
		const float v = velocity[c * stride + p];
		const float w = smoothing_stiff(square, SMOOTHING_RADIUS);
		sums->weight += w;
		sums->plain += w * v;
		sums->boosted += smoothing_cubic(square, SMOOTHING_RADIUS) * v;
	}
}

/* A velocity that the boost has raised, no further than to `most`, m/s; one that is faster without
 * it is left alone. */
float stiff_bounded(float plain, float boosted, float most)
{
	if (fabs(boosted) <= most)
		return boosted;
	return fabs(plain) > most ? plain : boosted < 0.0f ? -most : most;
}

/*
 * u* = sum (w1 + 1.3 boost w2) v / sum w1 over the particles within 1.4 cells of a face, w1 =
 * smoothing_stiff(r), w2 = smoothing_cubic(r^2), r in cells; and which faces have one.  In the
 * order of cells, z slowest, then of the sort, so that sums are the same everywhere.  solids: those
 * that solids cut off do not count.  One work-item per lattice point.
 */
kernel void transfer_p2g_stiff(global const int *bricks, const struct brick_run run,
			       const struct grid g, global const uint *start,
			       global const float *position, global const float *velocity,
			       int stride, float boost, float most, int solids,
			       global const ushort *open_fraction, global float *u_face,
			       global uchar *valid)
{
	const struct brick_point point = bricks_point(bricks, run);
	const int face[3] = {point.i, point.j, point.k};
	if (face[0] >= g.px || face[1] >= g.py || face[2] >= g.pz)
		return;
	const int at = lattice_index(g, face[0], face[1], face[2]);
	uchar bits = 0;
	for (int c = 0; c < DIM; c++) {
		struct stiff_sums sums = {0.0f, 0.0f, 0.0f};
		float x[3], u = 0.0f;
		int low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, from[3];
		for (int a = 0; a < DIM; a++) {
			x[a] = (float)face[a] + (a == c ? 0.0f : 0.5f);
			low[a] = face[a] - (a == c ? 2 : 1);
			high[a] = face[a] + 1;
		}
		if (!face_exists(g, c, face[0], face[1], face[2])) {
			u_face[c * g.lattice + at] = 0.0f;
			continue;
		}
		for (from[2] = low[2]; from[2] <= high[2]; from[2]++)
			for (from[1] = low[1]; from[1] <= high[1]; from[1]++)
				for (from[0] = low[0]; from[0] <= high[0]; from[0]++)
					if (cell_exists(g, from[0], from[1], from[2]) &&
					    (!solids ||
					     stiff_reaches(g, open_fraction, c, from, face)))
						stiff_add_cell(g, start, position, velocity, stride,
							       c, x, from, &sums);
		if (sums.weight > 0.0f) {
			const float plain = sums.plain / sums.weight;
			u = plain;
			if (boost > 0.0f)
				u = stiff_bounded(
					plain,
					(sums.plain + STIFF_BOOST * boost * sums.boosted) /
						sums.weight,
					most);
			bits |= (uchar)(1 << c);
		}
		u_face[c * g.lattice + at] = u;
	}
	valid[at] = bits;
}
