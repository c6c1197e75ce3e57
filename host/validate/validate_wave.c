/* A standing wave: period and decay against linear theory. */
#include <math.h>
#include <stdio.h>

#include "trial.h"

#define DEPTH 0.5 /* m, as in the scene, with the amplitude */
#define AMPLITUDE 0.025
#define PERIODS 4 /* that the bands are for */

/* omega of a wave of one wavelength in one metre: omega^2 = g k tanh(k H), less the second-order
 * term for its finite amplitude, omega = omega0 + eps^2 omega2 / 2 (Tadjbakhsh & Keller 1960), with
 * eps = k a and lengths and times scaled by k and sqrt(g k). */
static double wave_frequency(void)
{
	const double k = 2.0 * PI, w0 = sqrt(tanh(k * DEPTH)), eps = k * AMPLITUDE;
	const double w2 =
		(9.0 * pow(w0, -7.0) - 12.0 * pow(w0, -3.0) - 3.0 * w0 - 2.0 * pow(w0, 5.0)) / 32.0;
	return sqrt(G * k) * (w0 + 0.5 * eps * eps * w2);
}

struct wave_scheme {
	const char *name, *sets;
	int cells;
	bool has_band; /* PIC is reported only */
};

struct wave_result {
	double period_error, loss;
	struct curve energy;
};

static bool run_wave(struct validate *v, const struct wave_scheme *scheme, int periods,
		     struct wave_result *result)
{
	const double omega = wave_frequency(), period = 2.0 * PI / omega;
	struct trial *trial = trial_open(v, "standing_wave.yaml", "domain.cells=%d\n%s",
					 scheme->cells, scheme->sets);
	if (!trial_watch(trial, periods * period, trial_add_energy, &result->energy))
		return false;
	struct series_wave wave;
	const bool fitted =
		series_fit_wave(curve_series(&result->energy), 2.0 * omega, true, &wave);
	const double measured = fitted ? 4.0 * PI / wave.frequency : (double)NAN;
	const double loss = fitted ? 1.0 - exp(-wave.decay * PERIODS * period) : (double)NAN;
	const double k = 2.0 * PI;
	char from[32] = "";
	if (periods < PERIODS)
		snprintf(from, sizeof(from), ", from the first %d", periods);
	result->period_error = fabs(measured / period - 1.0);
	result->loss = loss;
	if (scheme->has_band) {
		validate_within(v, "s", measured, period, 0.02 * period,
				"2 % at 32 cells per wavelength (validation set, 6)",
				"%s, %d cells: period", scheme->name, scheme->cells);
		validate_at_most(v, "", loss, 0.3, "30 % at 32 cells (validation set, 6)",
				 "%s, %d cells: energy lost in %d periods%s", scheme->name,
				 scheme->cells, PERIODS, from);
	} else {
		validate_note(v, "s", measured, period, "expected to fail: no band",
			      "%s, %d cells: period", scheme->name, scheme->cells);
		validate_note(v, "", loss, 0.0, "expected to fail: no band",
			      "%s, %d cells: energy lost in %d periods%s", scheme->name,
			      scheme->cells, PERIODS, from);
	}
	validate_note(v, "m^2/s", fitted ? wave.decay / (4.0 * k * k) : (double)NAN, 0.0, "",
		      "%s, %d cells: viscosity that damps as much", scheme->name, scheme->cells);
	return true;
}

#define SCHEMES 6

static bool run_waves(struct validate *v, const struct wave_scheme *schemes, int count, int periods,
		      struct wave_result *results)
{
	char names[SCHEMES][48];
	struct plot plot = {.title = "STANDING WAVE: KINETIC ENERGY",
			    .x_label = "t (s)",
			    .y_label = "J/m",
			    .y_from_zero = true};
	for (int n = 0; n < count; n++) {
		if (!run_wave(v, &schemes[n], periods, &results[n]))
			return false;
		const struct curve *energy = &results[n].energy;
		snprintf(names[n], sizeof(names[n]), "%s, %d cells", schemes[n].name,
			 schemes[n].cells);
		curve_draw(energy, &plot, names[n], PLOT_LINE);
	}
	return validate_figure(v, "energy", &plot, "Kinetic energy of the standing wave.");
}

/* The finer grid must be closer, for FLIP and for APIC. */
static void compare_grids(struct validate *v, const struct wave_scheme *schemes,
			  const struct wave_result *results)
{
	for (int n = 0; n < 2; n++) {
		const struct wave_result *coarse = &results[n], *fine = &results[n + 3];
		validate_shrinks(v, "", fine->period_error, coarse->period_error,
				 "closer than on the coarser grid",
				 "%s: error of the period, %d cells", schemes[n].name,
				 schemes[n + 3].cells);
		validate_shrinks(v, "", fine->loss, coarse->loss, "less than on the coarser grid",
				 "%s: energy lost, %d cells", schemes[n].name,
				 schemes[n + 3].cells);
	}
}

static bool run_standing_wave(struct validate *v)
{
	const int coarse = v->level == VALIDATE_FINE ? 64 : 32;
	const struct wave_scheme schemes[SCHEMES] = {
		{"FLIP 0.97", "liquid.flip_ratio=0.97", coarse, true},
		{"APIC", "liquid.transfer=apic", coarse, true},
		{"PIC", "liquid.transfer=pic", coarse, false},
		{"FLIP 0.97", "liquid.flip_ratio=0.97", 2 * coarse, true},
		{"APIC", "liquid.transfer=apic", 2 * coarse, true},
		{"FLIP 0.99", "liquid.flip_ratio=0.99", coarse, true},
	};
	struct wave_result results[SCHEMES] = {0};
	const bool all = v->level != VALIDATE_COARSE;
	const bool ok = run_waves(v, schemes, all ? SCHEMES : 1, all ? PERIODS : 2, results);
	if (ok && all)
		compare_grids(v, schemes, results);
	for (int n = 0; n < SCHEMES; n++)
		curve_free(&results[n].energy);
	return ok;
}

const struct validate_case validate_standing_wave = {
	.name = "standing-wave",
	.title = "a standing wave in deep water, k H = pi",
	.dim = 2,
	.quick = true,
	.time = "40 s",
	.source = "linear theory, omega^2 = g k tanh(k H), with the second-order term of "
		  "Tadjbakhsh & Keller 1960",
	.run = run_standing_wave,
};
