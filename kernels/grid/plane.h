/*
 * The plane that bounds the liquid of a cell, and what it cuts off boxes.
 *
 * A unit cell, the lesser of liquid and air in it below the plane n.x = alpha, with the normal
 * turned so that its components are positive, and scaled so that they add up to 1 (Scardovelli &
 * Zaleski 2000).  Nothing is divided by a small component that is not as small itself, and only
 * + - * / and roots are used, so that single precision is enough and all devices agree.
 */
#ifndef FRESHET_PLANE_H
#define FRESHET_PLANE_H

#include "common.h"

/* Puts two numbers in order. */
ALWAYS_INLINE void plane_sort(float *low, float *high)
{
	const float a = *low, b = *high;
	*low = a < b ? a : b;
	*high = a < b ? b : a;
}

#if DIM == 2
/* Area below the plane, n = (m, 1 - m) with m <= 1/2, 0 <= a <= 1/2; and its inverse. */
float plane_half(const float m[2], float a)
{
	const float most = 1.0f - m[0];
	return a < m[0] ? a / m[0] * (a * 0.5f / most) : (a - 0.5f * m[0]) / most;
}

float plane_half_offset(const float m[2], float v)
{
	const float most = 1.0f - m[0];
	return v < 0.5f * m[0] / most ? sqrt(2.0f * m[0] * most * v) : v * most + 0.5f * m[0];
}
#else
/* Volume below the plane, n = (m0, m1, 1 - m0 - m1) ascending, 0 <= a <= 1/2.  The last piece is
 * written so that no sum of cubes cancels. */
float plane_half(const float m[2], float a)
{
	const float m12 = m[0] + m[1], m3 = 1.0f - m12;
	if (a < m[0])
		return a / m[0] * (a / m[1]) * (a / m3) * (1.0f / 6.0f);
	if (a < m[1])
		return (a * (a - m[0]) + m[0] * m[0] * (1.0f / 3.0f)) / (2.0f * m[1] * m3);
	if (m12 <= m3 && a >= m12)
		return (a - 0.5f * m12) / m3;
	const float b = a - m[1], c = a - m3;
	float t = b * b * (b / m[0]);
	if (c > 0.0f)
		t += c * c * (c / m[0]);
	return (3.0f * a * (a - m[0]) + m[0] * m[0] - t) / (6.0f * m[1] * m3);
}

/* Cube root of 0 < x < 1: by roots to the power 5/16, and Halley's steps from there. */
float plane_cube_root(float x)
{
	float y = sqrt(sqrt(x * sqrt(sqrt(x))));
	for (int step = 0; step < 3; step++) {
		const float cube = y * y * y;
		y = y * (cube + 2.0f * x) / (2.0f * cube + x);
	}
	return y;
}

/* Steps of Newton in the piece that has no root in closed form. */
#define PLANE_NEWTON 3

/* The inverse, 0 < v <= 1/2: closed where the piece is linear, quadratic or one cube; else Newton's
 * steps from the secant, kept between bounds. */
float plane_half_offset(const float m[2], float v)
{
	const float m12 = m[0] + m[1], m3 = 1.0f - m12;
	const float first = m[0] / m[1] * m[0] / (6.0f * m3);
	if (v < first)
		return m[0] * plane_cube_root(v / first);
	const float second = first + (m[1] - m[0]) / (2.0f * m3);
	if (v < second)
		return 0.5f * (m[0] + sqrt(m[0] * m[0] + 8.0f * m[1] * m3 * (v - first)));
	if (m12 <= m3 && m3 * v + 0.5f * m12 >= m12)
		return m3 * v + 0.5f * m12;
	float low = m[1], high = m12 < 0.5f ? m12 : 0.5f;
	const float most = plane_half(m, high);
	if (v >= most)
		return high;
	float a = low + (high - low) * ((v - second) / (most - second));
	for (int step = 0; step < PLANE_NEWTON; step++) {
		const float b = a - m[1], c = a - m3, off = plane_half(m, a) - v;
		float slope = 2.0f * a - m[0] - b * (b / m[0]);
		if (c > 0.0f)
			slope -= c * (c / m[0]);
		low = off > 0.0f ? low : a;
		high = off > 0.0f ? a : high;
		const float next = a - off / (slope / (2.0f * m[1] * m3));
		a = next < low ? low : next > high ? high : next;
	}
	return a;
}
#endif

/* The components but the greatest, ascending. */
ALWAYS_INLINE void plane_order(float p, float q, float r, float m[2])
{
	plane_sort(&p, &q);
#if DIM == 3
	plane_sort(&q, &r);
	plane_sort(&p, &q);
#else
	(void)r;
#endif
	m[0] = p;
	m[1] = q;
}

/* Part of the cell below the plane of a normal n >= 0 with sum 1, any offset. */
float plane_part(const float n[3], float a)
{
	float m[2];
	if (a <= 0.0f)
		return 0.0f;
	if (a >= 1.0f)
		return 1.0f;
	plane_order(n[0], n[1], n[2], m);
	return a > 0.5f ? 1.0f - plane_half(m, 1.0f - a) : plane_half(m, a);
}

/* Offset of the plane that has 0 < part <= 1/2 of the cell below it. */
float plane_offset(const float n[3], float part)
{
	float m[2];
	plane_order(n[0], n[1], n[2], m);
	return plane_half_offset(m, part);
}

/* What is below the plane in the slab from `from` to from + width along an axis, in cells. */
float plane_slab(const float n[3], float alpha, int axis, float from, float width)
{
	float within[3], sum = 0.0f;
#pragma unroll
	for (int a = 0; a < 3; a++) {
		within[a] = a < DIM ? (a == axis ? n[a] * width : n[a]) : 0.0f;
		sum += within[a];
	}
	const float along = axis == 0 ? n[0] : axis == 1 ? n[1] : n[2];
	const float a = alpha - along * from;
	if (a <= 0.0f)
		return 0.0f;
	if (a >= sum)
		return width;
#pragma unroll
	for (int c = 0; c < 3; c++)
		within[c] /= sum;
	return width * plane_part(within, a / sum);
}

#endif
