/*
 * Smooths the surface's level set where it is that of thick liquid; at the end no particle is lost.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "surface_lattice.h"

/* Smoothing is full where rho/rho0 a cell away exceeds the second bound, none below the first: what
 * is thinner than two cells keeps its shape. */
#define SURFACE_BULK_LOW 0.55f
#define SURFACE_BULK_HIGH 0.75f

/* Depth of nodes that are wet lest their particle be lost, spacings. */
#define SURFACE_KEPT -0.1f
#define SURFACE_KEPT_CALM 0.45f /* for surface_calm(), of corners too */

/* Mean with binomial weights 1 2 1 along each axis. */
float surface_mean(const struct surface_grid s, global const float *phi, int i, int j, int k)
{
	float sum = 0.0f;
	for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
		for (int b = -1; b <= 1; b++)
			for (int a = -1; a <= 1; a++)
				sum += (a ? 0.25f : 0.5f) * (b ? 0.25f : 0.5f) *
				       (DIM == 2 ? 1.0f
					: c	 ? 0.25f
						 : 0.5f) *
				       phi[surface_index(s, surface_fold(i + a, s.nx),
							 surface_fold(j + b, s.ny),
							 surface_fold(k + c, s.nz))];
	return sum;
}

/*
 * Smoothing that keeps volume: with S the binomial mean, 2S - S^2, which damps ripples like S
 * but leaves what is long to fourth order, curved surfaces included.  First half: out = 2 phi - S
 * phi, but phi on walls, which a surface meets at right angles: mirrored, the particles there are
 * half as many, in corners a quarter, and so noisier.  All nodes of the box, f32 [count].  One
 * work-item per node.
 */
kernel void surface_sharpen(const struct grid g, const struct surface_grid s,
			    global const uchar *class_of, global const float *phi,
			    global float *out)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	float value = phi[at];
	int wall = i == 0 || i == s.nx, side = k == 0 || k == s.nz;
	if (surface_class_at(g, s, class_of, i, j, k) == SURFACE_CLASS_MIXED &&
	    !(DIM == 3 ? wall || side : wall))
		value = 2.0f * value - surface_mean(s, phi, i, j, k);
	out[at] = value;
}

/* Second half: phi towards S `sharp`, as far as the liquid around is thick. */
kernel void surface_smooth(const struct grid g, const struct surface_grid s,
			   global const uchar *class_of, global const float *rho,
			   global const float *sharp, global float *phi)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k))
		return;
	if (surface_class_at(g, s, class_of, i, j, k) != SURFACE_CLASS_MIXED)
		return;
	int at = surface_index(s, i, j, k);
	const int node[3] = {i, j, k}, last[3] = {s.nx, s.ny, s.nz};
	float bulk = 0.0f;
	for (int n = 0; n < 2 * DIM; n++) {
		int step[3] = {0, 0, 0}, a = n / 2;
		step[a] = surface_fold(node[a] + (n & 1 ? s.fine : -s.fine), last[a]) - node[a];
		bulk = max_float(
			bulk, fabs(rho[surface_index(s, i + step[0], j + step[1], k + step[2])]));
	}
	float share = surface_rise(bulk, SURFACE_BULK_LOW, SURFACE_BULK_HIGH);
	phi[at] += share * (surface_mean(s, sharp, i, j, k) - phi[at]);
}

/* phi at a node; where walls meet, at the surface of thick liquid, as beside: surfaces meet walls
 * at right angles, and most of the particles that are seen from there are images. */
float surface_corner(const struct surface_grid s, global const float *rho, global const float *phi,
		     int i, int j, int k)
{
	const int node[3] = {i, j, k}, last[3] = {s.nx, s.ny, s.nz};
	int at = surface_index(s, i, j, k), walls = 0;
	float beside = 0.0f;
	for (int a = 0; a < DIM; a++) {
		int inward = (node[a] == 0) - (node[a] == last[a]);
		walls += inward != 0;
		beside += inward ? phi[at + inward * surface_stride(s, a)] : 0.0f;
	}
	if (walls < 2)
		return phi[at];
	beside = beside / (float)walls - phi[at];
	return phi[at] + surface_calm(s, rho, i, j, k, SURFACE_KEPT_CALM) * beside;
}

/* No particle is lost: a node next to one is wet if no node around it is, by enough to stay so in
 * surface_mesh_condition(); but one that lies just over thick liquid is part of that, unless it was
 * wet itself before surface_corner().  out: phi with such nodes made so.  One work-item per node.
 */
kernel void surface_keep(const struct surface_grid s, global const float *rho,
			 global const float *phi, global float *out)
{
	int i, j, k;
	if (!surface_item(s, 0, 0, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	float value = surface_corner(s, rho, phi, i, j, k);
	if (rho[at] < 0.0f && value >= SURFACE_KEPT * s.spacing &&
	    (phi[at] < 0.0f || surface_calm(s, rho, i, j, k, SURFACE_KEPT_CALM) < 1.0f)) {
		/* Anisotropic sheets are thin: there, only along the axes. */
		int wet = 0, away = s.method == SURFACE_ANISOTROPIC ? 1 : 3;
		for (int c = DIM == 3 ? -1 : 0; c <= (DIM == 3 ? 1 : 0); c++)
			for (int b = -1; b <= 1; b++)
				for (int a = -1; a <= 1; a++)
					if ((a != 0) + (b != 0) + (c != 0) <= away)
						wet |= surface_corner(s, rho, phi,
								      surface_fold(i + a, s.nx),
								      surface_fold(j + b, s.ny),
								      surface_fold(k + c, s.nz)) <=
						       -SURFACE_LEAST * s.spacing;
		value = wet ? value : SURFACE_KEPT * s.spacing;
	}
	out[at] = value;
}
