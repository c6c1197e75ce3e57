#include "series.h"

#include <math.h>

double series_at(struct series s, double t)
{
	if (s.count == 0)
		return (double)NAN;
	if (t <= s.t[0])
		return s.y[0];
	size_t low = 0, high = s.count - 1;
	if (t >= s.t[high])
		return s.y[high];
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (s.t[middle] <= t)
			low = middle;
		else
			high = middle;
	}
	return s.y[low] + (s.y[high] - s.y[low]) * (t - s.t[low]) / (s.t[high] - s.t[low]);
}

/* ---- waves -------------------------------------------------------------------------------- */

/* Solves m x = r, 3 x 3, symmetric positive definite; false if it is not. */
static bool solve_3(double m[3][3], double r[3], double x[3])
{
	for (int i = 0; i < 3; i++) {
		if (!(m[i][i] > 0.0))
			return false;
		for (int j = i + 1; j < 3; j++) {
			const double f = m[j][i] / m[i][i];
			for (int k = i; k < 3; k++)
				m[j][k] -= f * m[i][k];
			r[j] -= f * r[i];
		}
	}
	for (int i = 2; i >= 0; i--) {
		x[i] = r[i];
		for (int k = i + 1; k < 3; k++)
			x[i] -= m[i][k] * x[k];
		x[i] /= m[i][i];
	}
	return true;
}

static void basis(double t, double frequency, double decay, double f[3])
{
	const double envelope = exp(-decay * t);
	f[0] = envelope;
	f[1] = envelope * cos(frequency * t);
	f[2] = envelope * sin(frequency * t);
}

/* The best a, b, c for a frequency and a decay; the sum of squared residuals, INFINITY if there is
 * no solution. */
static double fit_linear(struct series s, struct series_wave *wave)
{
	double m[3][3] = {{0}}, r[3] = {0}, x[3], f[3], sum = 0.0;
	for (size_t n = 0; n < s.count; n++) {
		basis(s.t[n] - s.t[0], wave->frequency, wave->decay, f);
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++)
				m[i][j] += f[i] * f[j];
			r[i] += f[i] * s.y[n];
		}
	}
	if (!solve_3(m, r, x))
		return (double)INFINITY;
	for (size_t n = 0; n < s.count; n++) {
		basis(s.t[n] - s.t[0], wave->frequency, wave->decay, f);
		const double e = x[0] * f[0] + x[1] * f[1] + x[2] * f[2] - s.y[n];
		sum += e * e;
	}
	wave->a = x[0];
	wave->b = x[1];
	wave->c = x[2];
	wave->rms = sqrt(sum / (double)s.count);
	return sum;
}

/* Takes the better of `best` and the fit at these two. */
static bool try_fit(struct series s, double frequency, double decay, struct series_wave *best,
		    double *least)
{
	struct series_wave wave = {.frequency = frequency, .decay = decay};
	const double sum = fit_linear(s, &wave);
	if (!(sum < *least))
		return false;
	*least = sum;
	*best = wave;
	return true;
}

/* Does the oscillation explain most of what its envelope alone leaves? */
static bool oscillates(struct series s, const struct series_wave *wave)
{
	double ee = 0.0, ey = 0.0, left = 0.0, f[3];
	for (size_t n = 0; n < s.count; n++) {
		basis(s.t[n] - s.t[0], wave->frequency, wave->decay, f);
		ee += f[0] * f[0];
		ey += f[0] * s.y[n];
	}
	for (size_t n = 0; n < s.count; n++) {
		basis(s.t[n] - s.t[0], wave->frequency, wave->decay, f);
		left += (s.y[n] - ey / ee * f[0]) * (s.y[n] - ey / ee * f[0]);
	}
	return wave->rms * wave->rms * (double)s.count < 0.5 * left;
}

bool series_fit_wave(struct series s, double guess, bool damped, struct series_wave *wave)
{
	double least = (double)INFINITY;
	*wave = (struct series_wave){0};
	if (s.count < 8 || !(guess > 0.0) || (s.t[s.count - 1] - s.t[0]) * guess < 3.14159)
		return false;
	/* The residual has one minimum per period that fits in the series: look closer than that.
	 */
	const double span = s.t[s.count - 1] - s.t[0];
	const double step = fmin(0.01 * guess, 0.5 / span), rate = 0.02 * guess;
	for (double f = 0.75 * guess; f <= 1.25 * guess; f += step)
		for (int d = 0; d <= (damped ? 8 : 0); d++)
			try_fit(s, f, d * rate, wave, &least);
	/* Compass search with halved steps from there. */
	double size[2] = {step, damped ? rate : 0.0};
	while (size[0] > 1e-10 * guess) {
		bool better = false;
		const struct series_wave centre = *wave;
		for (int direction = 0; direction < (damped ? 4 : 2); direction++) {
			const double sign = direction & 1 ? 1.0 : -1.0;
			const double f = direction < 2 ? sign * size[0] : 0.0;
			const double d = direction < 2 ? 0.0 : sign * size[1];
			better |= try_fit(s, centre.frequency + f, centre.decay + d, wave, &least);
		}
		if (!better) {
			size[0] *= 0.5;
			size[1] *= 0.5;
		}
	}
	return isfinite(least) && wave->frequency > 0.76 * guess &&
	       wave->frequency < 1.24 * guess && oscillates(s, wave);
}

/* ---- lines, tables, arrivals -------------------------------------------------------------- */

double series_slope(struct series s)
{
	double t = 0.0, y = 0.0, tt = 0.0, ty = 0.0;
	if (s.count < 2)
		return (double)NAN;
	for (size_t n = 0; n < s.count; n++) {
		t += s.t[n] / (double)s.count;
		y += s.y[n] / (double)s.count;
	}
	for (size_t n = 0; n < s.count; n++) {
		tt += (s.t[n] - t) * (s.t[n] - t);
		ty += (s.t[n] - t) * (s.y[n] - y);
	}
	return ty / tt;
}

#define MOST_POINTS 256

double series_slope_between(struct series s, double from, double to, int points)
{
	double t[MOST_POINTS], y[MOST_POINTS];
	points = points > MOST_POINTS ? MOST_POINTS : points;
	for (int n = 0; n < points; n++) {
		t[n] = from + (to - from) * n / (points - 1);
		y[n] = series_at(s, t[n]);
	}
	return series_slope((struct series){t, y, points > 0 ? (size_t)points : 0});
}

double series_rms(struct series s, struct series table, double shift, bool relative)
{
	double sum = 0.0;
	for (size_t n = 0; n < table.count; n++) {
		double e = series_at(s, table.t[n] + shift) - table.y[n];
		if (relative)
			e /= table.y[n];
		sum += e * e;
	}
	return sqrt(sum / (double)table.count);
}

double series_rms_shifted(struct series s, struct series table, double most, bool relative,
			  double *shift)
{
	double least = (double)INFINITY, best = 0.0;
	for (int n = -400; n <= 400; n++) {
		const double at = most * n / 400.0, rms = series_rms(s, table, at, relative);
		if (rms < least) {
			least = rms;
			best = at;
		}
	}
	if (shift)
		*shift = best;
	return least;
}

double series_mean_deviation(struct series s, struct series table)
{
	double sum = 0.0;
	for (size_t n = 0; n < table.count; n++)
		sum += fabs(series_at(s, table.t[n]) - table.y[n]);
	return sum / (double)table.count;
}

double series_arrival(struct series s, double level)
{
	for (size_t n = 0; n < s.count; n++) {
		if (!(s.y[n] >= level))
			continue;
		if (n == 0)
			return s.t[0];
		return s.t[n - 1] +
		       (s.t[n] - s.t[n - 1]) * (level - s.y[n - 1]) / (s.y[n] - s.y[n - 1]);
	}
	return (double)NAN;
}
