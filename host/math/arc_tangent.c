#include "arc_tangent.h"

#include <math.h>

#define PI 3.14159265358979323846

/* 0 <= t <= 1: halved three times, by tan(a/2) = t / (1 + sqrt(1 + t^2)), then the power series. */
static double of_ratio(double t)
{
	double sum = 0.0;
	for (int half = 0; half < 3; half++)
		t = t / (1.0 + sqrt(1.0 + t * t));
	for (int n = 19; n >= 1; n -= 2)
		sum = 1.0 / n - t * t * sum;
	return 8.0 * t * sum;
}

double exact_arc_tangent(double y, double x)
{
	const double a = fabs(x), b = fabs(y);
	if (!(a > 0.0) && !(b > 0.0))
		return 0.0;
	double angle = b > a ? 0.5 * PI - of_ratio(a / b) : of_ratio(b / a);
	angle = x < 0.0 ? PI - angle : angle;
	return y < 0.0 ? -angle : angle;
}
