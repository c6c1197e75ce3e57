/*
 * Anisotropic kernels (Yu & Turk 2013): every particle near the surface gets a place that is
 * smoothed and an ellipsoid that is flat where its neighbourhood is, for surface.cl to sum up.
 *
 * Smoothed places keep volume: a particle moves by a share of d - Sd, d being the way to the mean S
 * of its neighbours.  Noise goes as with d alone, but liquid that is smooth already moves to fourth
 * order only.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "solids_shape.h"
#include "surface_gather.h"
#include "surface_lattice.h"

/* Share of the smoothing that is done; with all of it sheets become too thin. */
#define SURFACE_LAMBDA 0.5f
/* Axes of the kernel, in standard deviations of the neighbourhood. */
#define SURFACE_AXIS 2.4f
/* Standard deviation that is assumed around a particle alone, cells. */
#define SURFACE_ALONE 0.25f
/* No axis is longer than the shortest, or shorter than the longest, by more. */
#define SURFACE_STRETCH 4.0f
/* Greatest displacement of a particle, greatest semi-axis, cells: the sum must not exceed
 * DENSITY_RADIUS. */
#define SURFACE_SHIFT 0.5f
#define SURFACE_LONGEST 1.5f
/* Variance per axis in full liquid, cells^2: of (1 - s^2)^3 over two cells. */
#if DIM == 2
#define SURFACE_FULL_VARIANCE 0.4f
#define SURFACE_BALL 0.78539816f /* integral of (1 - s^2)^3 over the unit disc */
#else
#define SURFACE_FULL_VARIANCE 0.36363636f
#define SURFACE_BALL 0.63829184f
#endif
#define SURFACE_SWEEPS 4 /* of Jacobi rotations: the off-diagonal falls cubically at the end */

/* One Jacobi rotation of symmetric m in the plane of axes p and q; r collects the axes. */
void surface_rotate(float m[3][3], float r[3][3], int p, int q)
{
	float off = m[p][q], difference = m[q][q] - m[p][p];
	if (fabs(off) <= 1e-7f * (fabs(m[p][p]) + fabs(m[q][q])))
		return;
	float tau = difference / (2.0f * off);
	float root = fabs(tau) + sqrt(1.0f + tau * tau);
	float t = tau < 0.0f ? -1.0f / root : 1.0f / root;
	float c = 1.0f / sqrt(1.0f + t * t), s = t * c;
	for (int a = 0; a < 3; a++) {
		float mp = m[a][p], mq = m[a][q];
		m[a][p] = c * mp - s * mq;
		m[a][q] = s * mp + c * mq;
	}
	for (int a = 0; a < 3; a++) {
		float mp = m[p][a], mq = m[q][a], rp = r[a][p], rq = r[a][q];
		m[p][a] = c * mp - s * mq;
		m[q][a] = s * mp + c * mq;
		r[a][p] = c * rp - s * rq;
		r[a][q] = s * rp + c * rq;
	}
}

/* Eigenvalues and, in the columns of r, eigenvectors of symmetric m, which is lost. */
void surface_axes(float m[3][3], float values[3], float r[3][3])
{
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			r[a][b] = a == b ? 1.0f : 0.0f;
	for (int sweep = 0; sweep < (DIM == 2 ? 1 : SURFACE_SWEEPS); sweep++) {
		surface_rotate(m, r, 0, 1);
		if (DIM == 3) {
			surface_rotate(m, r, 0, 2);
			surface_rotate(m, r, 1, 2);
		}
	}
	for (int a = 0; a < 3; a++)
		values[a] = m[a][a];
}

/* Writes a particle's kernel from the axes' directions (columns of r) and half lengths, cells. */
void surface_kernel_write(const struct surface_grid s, global float *kernels, int stride,
			  const float axis[3], float r[3][3])
{
	float volume = 1.0f;
	for (int a = 0; a < DIM; a++)
		volume *= axis[a];
	for (int b = 0; b < DIM; b++)
		for (int a = 0; a <= b; a++) {
			float sum = 0.0f;
			for (int n = 0; n < DIM; n++)
				sum += r[a][n] * r[b][n] / axis[n];
			kernels[(DIM + surface_component(a, b)) * stride] = sum;
		}
	kernels[(SURFACE_KERNEL - 1) * stride] = s.share / (SURFACE_BALL * volume);
}

int surface_class_of_particle(const struct grid g, global const uchar *class_of, const float x[3])
{
	const int cells[3] = {g.nx, g.ny, g.nz};
	int cell[3] = {0, 0, 0};
	for (int a = 0; a < DIM; a++)
		cell[a] = clamp_int((int)floor(x[a] * g.inv_h), 0, cells[a] - 1);
	return class_of[lattice_index(g, cell[0], cell[1], cell[2])];
}

/*
 * Kernels and displacements of particles.  class_of: u8 [lattice]; position: f32 [DIM][stride], m,
 * sorted; toward: f32 [DIM][stride], from each particle to the mean of those around, m; kernels:
 * f32 [SURFACE_KERNEL][stride], all but the first DIM.  One work-item per particle.
 */
kernel void surface_anisotropic_kernels(const struct grid g, const struct surface_grid s,
					global const uchar *class_of,
					global const struct shape_op *ops, int op_count,
					global const float *points, global const uint *start,
					global const float *position, int stride, int count,
					global float *toward, global float *kernels)
{
	int p = (int)get_global_id(0);
	if (p >= count)
		return;
	const struct solids_shape shape = {ops, op_count, points, 0};
	const struct surface_cloud cloud = {start, position, 0, 0, stride, SURFACE_MOMENTS};
	float x[3] = {0.0f, 0.0f, 0.0f}, mean[3] = {0.0f, 0.0f, 0.0f}, m[3][3], r[3][3], axis[3];
	float longest = 0.0f;
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	int deep = surface_class_of_particle(g, class_of, x) == SURFACE_CLASS_DEEP;
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			m[a][b] = a == b && a < DIM ? SURFACE_FULL_VARIANCE : 0.0f;
	if (!deep) {
		struct surface_sum sum = surface_sum_at(g, s.has_solids, &shape, &cloud, x);
		float scale = 1.0f / (sum.weight + s.alone);
		/* Of its own, a particle has the weight 1, but for one within a solid. */
		for (int a = 0; a < DIM; a++)
			mean[a] = sum.weight > 0.0f ? sum.offset[a] / sum.weight : 0.0f;
		for (int a = 0; a < DIM; a++)
			for (int b = 0; b < DIM; b++) {
				float spread = sum.moment[surface_component(a, b)] -
					       sum.weight * mean[a] * mean[b];
				if (a == b)
					spread += s.alone * (SURFACE_ALONE * SURFACE_ALONE);
				m[a][b] = spread * scale;
			}
	}
	surface_axes(m, axis, r);
	for (int a = 0; a < DIM; a++) {
		axis[a] = SURFACE_AXIS * sqrt(max_float(axis[a], 0.0f));
		axis[a] = min_float(axis[a], SURFACE_LONGEST);
		longest = max_float(longest, axis[a]);
	}
	for (int a = 0; a < DIM; a++)
		axis[a] = max_float(axis[a], longest / SURFACE_STRETCH);
	surface_kernel_write(s, kernels + p, stride, axis, r);
	for (int a = 0; a < DIM; a++)
		toward[a * stride + p] = mean[a] * g.h;
}

/* Smoothed places, the first DIM rows of `kernels`.  One work-item per particle. */
kernel void surface_anisotropic_places(const struct grid g, const struct surface_grid s,
				       global const uchar *class_of,
				       global const struct shape_op *ops, int op_count,
				       global const float *points, global const uint *start,
				       global const float *position, global const float *toward,
				       int stride, int count, global float *kernels)
{
	int p = (int)get_global_id(0);
	if (p >= count)
		return;
	const struct solids_shape shape = {ops, op_count, points, 0};
	const struct surface_cloud cloud = {start, position, toward,
					    0,	   stride,   SURFACE_VALUES | SURFACE_TURNED};
	float x[3] = {0.0f, 0.0f, 0.0f}, way[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f, part = 1.0f;
	for (int a = 0; a < DIM; a++)
		x[a] = position[a * stride + p];
	if (surface_class_of_particle(g, class_of, x) != SURFACE_CLASS_DEEP) {
		struct surface_sum sum = surface_sum_at(g, s.has_solids, &shape, &cloud, x);
		for (int a = 0; a < DIM; a++) {
			way[a] = SURFACE_LAMBDA *
				 (toward[a * stride + p] -
				  (sum.weight > 0.0f ? sum.value[a] / sum.weight : 0.0f));
			square += way[a] * way[a];
		}
		float most = SURFACE_SHIFT * g.h;
		if (square > most * most)
			part = most / sqrt(square);
	}
	for (int a = 0; a < DIM; a++)
		kernels[a * stride + p] = x[a] + part * way[a];
}
