/* What is found in series of values over time: periods, decay, distance from a table. */
#ifndef FRESHET_SERIES_H
#define FRESHET_SERIES_H

#include <stdbool.h>
#include <stddef.h>

/* A series: `count` values at ascending times.  Not owned. */
struct series {
	const double *t, *y;
	size_t count;
};

/* Linear between the samples; the first or last value outside them.  NAN without samples. */
double series_at(struct series series, double t);

/*
 * Least-squares fit of y = exp(-s t) (a + b cos w t + c sin w t), t from the first sample.  For the
 * kinetic energy of a standing wave of frequency omega, which oscillates at w = 2 omega, this is
 * E = a + b cos 2 omega t + c sin 2 omega t with its envelope; the viscosity that damps a wave of
 * wavenumber k like this is s / (4 k^2).  With `damped` false s is 0.
 */
struct series_wave {
	double frequency; /* w, rad/s */
	double decay;	  /* s, 1/s */
	double a, b, c;
	double rms; /* of the residual */
};
/* `guess`: w to within a fifth.  At least 8 samples over half a period; false if the fit is not
 * possible, ends at the edge of what was searched, or explains less than half of what its envelope
 * alone leaves. */
bool series_fit_wave(struct series series, double guess, bool damped, struct series_wave *wave);

/* Slope of the straight line that fits best; NAN for fewer than two samples. */
double series_slope(struct series series);
/* The same for the part of a series within [from, to], interpolated to `points` times. */
double series_slope_between(struct series series, double from, double to, int points);

/*
 * Distance of a series from a table: root of the mean, over table rows, of
 * ((series(t + shift) - y) / y)^2 (`relative`) or of the difference itself.
 */
double series_rms(struct series series, struct series table, double shift, bool relative);
/* The least of them for |shift| <= most, and that shift (NULL: not wanted); to 1/400 of `most`. */
double series_rms_shifted(struct series series, struct series table, double most, bool relative,
			  double *shift);
/* Mean of |series - y| over the table's rows. */
double series_mean_deviation(struct series series, struct series table);

/* First time at which the series is at `level` or above, between samples linear; NAN if never. */
double series_arrival(struct series series, double level);

#endif
