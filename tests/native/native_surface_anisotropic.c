/*
 * kernels/surface/surface_anisotropic.cl as plain C: axes of matrices, and the table of heights against an
 * integration of the whole method over a half-space, in double precision.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "native_surface_support.h"

/* ---- axes ------------------------------------------------------------------------------- */

/* Matrices with known axes and values over six decades, equal ones among them: they come back, and
 * the axes are at right angles. */
static void test_axes(void **unused)
{
	(void)unused;
	unsigned state = 3;
	for (int n = 0; n < 2000; n++) {
		double axes[3][3], value[3] = {1.0, 0.0, 0.0}, sum = 0.0, found = 0.0;
		float m[3][3], copy[3][3], values[3], r[3][3];
		random_axes(axes, &state);
		for (int a = 0; a < DIM; a++) {
			value[a] = n % 3 == 0 ? 1.0 : random_unit(&state);
			for (int k = (int)(7.0 * random_unit(&state)); k > 0 && n % 3 == 2; k--)
				value[a] *= 0.1;
		}
		for (int a = 0; a < 3; a++)
			for (int b = 0; b < 3; b++) {
				double entry = 0.0;
				for (int k = 0; k < DIM; k++)
					entry += value[k] * axes[k][a] * axes[k][b];
				m[a][b] = (float)entry;
			}
		for (int a = 0; a < 3; a++)
			for (int b = 0; b < a; b++)
				m[a][b] = m[b][a];
		memcpy(copy, m, sizeof(m));
		surface_axes(m, values, r);
		for (int k = 0; k < DIM; k++) {
			sum += value[k];
			found += (double)values[k];
			for (int a = 0; a < DIM; a++) {
				double product = -(double)values[k] * (double)r[a][k], dots = 0.0;
				for (int b = 0; b < DIM; b++) {
					product += (double)copy[a][b] * (double)r[b][k];
					dots += (double)r[b][k] * (double)r[b][a];
				}
				assert_true(absolute(product) < 3e-6);
				assert_true(absolute(dots - (a == k)) < 3e-6);
			}
		}
		assert_true(absolute(found - sum) < 3e-6);
	}
}

/* ---- the profile ------------------------------------------------------------------------ */

#define SLABS 1200
#define DEPTH 5.0 /* cells of liquid */

/* What a slab weighs that is z away along the normal: (1 - s^2)^3 integrated over the directions
 * across it, but for a factor. */
static double slab_weight(double z)
{
	const double t = 1.0 - z * z / 4.0;
	return t > 0.0 ? (DIM == 2 ? t * t * t * (sqrt)(t) : t * t * t * t) : 0.0;
}

/* The sum of kernels at the table's heights over full liquid that fills y < 0: places and widths
 * of slabs as the particles in them have them, then the integral over slabs. */
static void test_profile(void **unused)
{
	(void)unused;
	static double depth[SLABS], way[SLABS], place[SLABS], width[SLABS], weight[SLABS];
	const double step = DEPTH / SLABS, ppc = 1.0;
	/* In full liquid: over both sides, and per unit of a particle's weight at its place. */
	double both = 0.0, unit = 0.0;
	struct surface_grid s = {0};
	surface_settings(&s, DIM, 1, SURFACE_ANISOTROPIC, 1);
	for (int n = 0; n < 4 * SLABS; n++) {
		const double z = (n + 0.5) * step / 4.0;
		both += 2.0 * slab_weight(z) * step / 4.0;
		unit += 2.0 * slab_weight(2.0 * z) * step / 4.0;
	}
	for (int n = 0; n < SLABS; n++) {
		double sum = 0.0, first = 0.0, second = 0.0;
		depth[n] = -(n + 0.5) * step;
		for (int m = 0; m < SLABS; m++) {
			const double z = -(m + 0.5) * step - depth[n], w = slab_weight(z) * step;
			sum += w;
			first += w * z;
			second += w * z * z;
		}
		weight[n] = sum;
		way[n] = first / sum;
		/* In particles; the integral over all space is 1/to_rho. */
		const double particles = sum / both * ppc / (double)s.to_rho;
		const double variance = second / sum - way[n] * way[n];
		const double alone = (double)s.alone, own = (double)SURFACE_ALONE;
		width[n] = (double)SURFACE_AXIS *
			   (sqrt)((particles * variance + alone * own * own) / (particles + alone));
		if (width[n] > (double)SURFACE_LONGEST)
			width[n] = (double)SURFACE_LONGEST;
	}
	for (int n = 0; n < SLABS; n++) {
		double mean = 0.0;
		for (int m = 0; m < SLABS; m++)
			mean += slab_weight(depth[m] - depth[n]) * way[m] * step / weight[n];
		place[n] = depth[n] + (double)SURFACE_LAMBDA * (way[n] - mean);
	}
	double largest = 0.0;
	for (int entry = 1; entry < SURFACE_ELLIPSOIDS - 1; entry++) {
		double sum = 0.0;
		for (int n = 0; n < SLABS; n++)
			sum += step *
			       slab_weight(2.0 * ((double)surface_ellipsoids[entry] - place[n]) /
					   width[n]) /
			       (width[n] * unit);
		const double off = absolute(sum - 0.1 * entry);
		largest = off > largest ? off : largest;
	}
	print_message("table of heights: density off by at most %.4f\n", largest);
	assert_true(largest < 0.005);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_profile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
