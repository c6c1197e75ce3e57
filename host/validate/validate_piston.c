/* Waves of a piston: their height against its stroke. */
#include <math.h>

#include "trial.h"

#define DEPTH 0.3    /* m, as in the scene, with the stroke and the period */
#define STROKE 0.024 /* m */
#define PERIOD 1.0   /* s */
/* Waves have come by, and none back from the far end. */
#define FROM 5.0
#define TO 9.0

/* omega^2 = g k tanh(k d), by Newton's steps from deep water. */
static double wave_number(double omega)
{
	double k = omega * omega / G;
	for (int n = 0; n < 50; n++) {
		const double t = tanh(k * DEPTH), f = G * k * t - omega * omega;
		k -= f / (G * (t + k * DEPTH * (1.0 - t * t)));
	}
	return k;
}

/* H / S of a piston: Biesel & Suquet 1951, linear theory. */
static double height_of_stroke(double kd)
{
	return 2.0 * (cosh(2.0 * kd) - 1.0) / (sinh(2.0 * kd) + 2.0 * kd);
}

static bool watch_gauge(struct trial *trial, void *user)
{
	struct curve *level = user;
	struct probe_value gauge;
	return trial_probe(trial, "gauge", &gauge) &&
	       curve_add(level, trial->stats->time, gauge.value[0] - DEPTH);
}

/* Twice the amplitude of the frequency over whole periods. */
static double height_at(const struct curve *level, double omega)
{
	double cosine = 0.0, sine = 0.0;
	size_t count = 0;
	for (size_t n = 0; n < level->count; n++) {
		if (level->t[n] < FROM - 1e-9 || level->t[n] >= TO - 1e-9)
			continue;
		cosine += level->y[n] * cos(omega * level->t[n]);
		sine += level->y[n] * sin(omega * level->t[n]);
		count++;
	}
	return 4.0 * sqrt(cosine * cosine + sine * sine) / (double)count;
}

static bool run_piston(struct validate *v)
{
	static const int sizes[] = {384, 768, 1536};
	const int cells = sizes[v->level - 1];
	const double omega = 2.0 * PI / PERIOD, k = wave_number(omega);
	const double due = STROKE * height_of_stroke(k * DEPTH);
	struct curve level = {0};
	struct plot plot = {
		.title = "PISTON: LEVEL 1.25 M OFF IT", .x_label = "t (s)", .y_label = "m"};
	struct trial *trial = trial_open(v, "piston.yaml", "domain.cells=%d", cells);
	bool ok = trial_watch(trial, TO, watch_gauge, &level);
	if (ok) {
		const double height = height_at(&level, omega);
		validate_within(v, "m", height, due, 0.05 * due,
				"5 % of Biesel & Suquet 1951, linear theory, H/d 0.1",
				"%d cells: height of the waves 1.25 m off", cells);
		curve_draw(&level, &plot, "level", PLOT_LINE);
		ok = validate_figure(v, "level", &plot, "Level 1.25 m off the piston.");
	}
	curve_free(&level);
	return ok;
}

const struct validate_case validate_piston = {
	.name = "piston",
	.title = "waves of a piston, k d = 1.4",
	.dim = 2,
	.time = "1 min",
	.source = "Biesel & Suquet 1951: H/S = 2 (cosh 2kd - 1) / (sinh 2kd + 2kd)",
	.run = run_piston,
};
