#include "key_spline.h"

#include <stdlib.h>

/* Thomas' algorithm on the usual tridiagonal system. */
bool key_spline_prepare(struct motion_key *k, size_t n, int channel)
{
	double *ratio = malloc((n + 1) * sizeof(*ratio));
	if (!ratio)
		return false;
	for (size_t i = 0; i < n; i++) {
		double before = 0.0, after = 0.0, slope_before = 0.0, slope_after = 0.0;
		if (i > 0) {
			before = k[i].time - k[i - 1].time;
			slope_before = (k[i].value[channel] - k[i - 1].value[channel]) / before;
		}
		if (i + 1 < n) {
			after = k[i + 1].time - k[i].time;
			slope_after = (k[i + 1].value[channel] - k[i].value[channel]) / after;
		}
		const double pivot = 2.0 * (before + after) - (i > 0 ? before * ratio[i - 1] : 0.0);
		const double right = 6.0 * (slope_after - slope_before) -
				     (i > 0 ? before * k[i - 1].more[channel] : 0.0);
		ratio[i] = pivot > 0.0 ? after / pivot : 0.0;
		k[i].more[channel] = pivot > 0.0 ? right / pivot : 0.0;
	}
	for (size_t i = n - 1; i-- > 0;)
		k[i].more[channel] -= ratio[i] * k[i + 1].more[channel];
	free(ratio);
	return true;
}

void key_spline_at(const struct motion_key *low, const struct motion_key *high, int channel,
		   double t, double out[3])
{
	out[0] = low->value[channel];
	out[1] = out[2] = 0.0;
	if (low == high)
		return;
	const double span = high->time - low->time;
	const double a = (high->time - t) / span, b = (t - low->time) / span;
	const double bend_a = low->more[channel], bend_b = high->more[channel];
	out[0] = a * low->value[channel] + b * high->value[channel] +
		 ((a * a * a - a) * bend_a + (b * b * b - b) * bend_b) * span * span / 6.0;
	out[1] = (high->value[channel] - low->value[channel]) / span +
		 ((1.0 - 3.0 * a * a) * bend_a + (3.0 * b * b - 1.0) * bend_b) * span / 6.0;
	out[2] = a * bend_a + b * bend_b;
}

void key_spline_find(const struct motion_key *keys, size_t count, double t,
		     const struct motion_key **low, const struct motion_key **high)
{
	size_t next = 0;
	while (next < count && keys[next].time <= t)
		next++;
	*low = &keys[next > 0 ? next - 1 : 0];
	*high = &keys[next < count ? next : count - 1];
}
