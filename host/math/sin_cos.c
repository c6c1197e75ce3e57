#include "sin_cos.h"

#include <math.h>

#define TWO_OVER_PI 0.63661977236758134308

/* pi/2 in parts of 32 bits or fewer, so that n times a part is exact for |n| < 2^21; the last one
 * is what is left, to double precision. */
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2e037073p-69

/* Taylor series on |r| <= pi/4; the first term left out is below 1e-19. */
static double sine_near(double r)
{
	double sum = 0.0;
	for (int n = 17; n >= 3; n -= 2)
		sum = (1.0 + sum) * (-r * r) / (n * (n - 1));
	return r + r * sum;
}

static double cosine_near(double r)
{
	double sum = 0.0;
	for (int n = 18; n >= 2; n -= 2)
		sum = (1.0 + sum) * (-r * r) / (n * (n - 1));
	return 1.0 + sum;
}

void exact_sin_cos(double x, double *sine, double *cosine)
{
	/* x = n pi/2 + r */
	const double n = floor(x * TWO_OVER_PI + 0.5);
	const double r = ((x - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3;
	const double s = sine_near(r), c = cosine_near(r);
	const double quarter = n - 4.0 * floor(0.25 * n);
	*sine = quarter < 0.5 ? s : quarter < 1.5 ? c : quarter < 2.5 ? -s : -c;
	*cosine = quarter < 0.5 ? c : quarter < 1.5 ? -s : quarter < 2.5 ? -c : s;
}
