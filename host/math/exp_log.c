#include "exp_log.h"

#define LN2 0.69314718055994530942

double exact_log(double x)
{
	/* x = m 2^e with m in [2/3, 4/3); ln m = 2 atanh((m-1)/(m+1)). */
	int e = 0;
	while (x >= 4.0 / 3.0) {
		x *= 0.5;
		e++;
	}
	while (x < 2.0 / 3.0) {
		x *= 2.0;
		e--;
	}
	double t = (x - 1.0) / (x + 1.0), square = t * t, sum = 0.0;
	for (int n = 31; n >= 1; n -= 2)
		sum = sum * square + 1.0 / n;
	return 2.0 * t * sum + e * LN2;
}

double exact_exp(double x)
{
	int halvings = 0;
	while (x > 0.25 || x < -0.25) {
		x *= 0.5;
		halvings++;
	}
	double sum = 1.0;
	for (int n = 16; n >= 1; n--)
		sum = 1.0 + x / n * sum;
	while (halvings-- > 0)
		sum *= sum;
	return sum;
}

double exact_pow(double x, double y)
{
	if (x <= 0.0)
		return y > 0.0 ? 0.0 : 1.0;
	return x == 1.0 ? 1.0 : exact_exp(y * exact_log(x));
}
