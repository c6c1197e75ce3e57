/* A tank that fills: what comes in is what is there. */
#include "trial.h"

#define RATE 0.02 /* m^2/s, as in the scene */
#define TO 10.0

static bool watch_volume(struct trial *trial, void *user)
{
	/* phi is of the start of the last substep. */
	return curve_add(user, trial_phi_time(trial), trial->stats->report.volume);
}

static bool run_filling(struct validate *v)
{
	static const int sizes[] = {48, 64, 128};
	const int cells = sizes[v->level - 1];
	const double due = RATE * TO;
	struct curve volume = {0};
	struct plot plot = {.title = "FILLING: VOLUME", .x_label = "t (s)", .y_label = "m^2"};
	struct trial *trial = trial_open(v, "filling.yaml", "domain.cells=%d", cells);
	bool ok = trial_watch(trial, TO, watch_volume, &volume);
	if (ok) {
		const size_t last = volume.count - 1;
		validate_within(v, "m^2", volume.y[last], RATE * volume.t[last], 0.01 * due,
				"1 % of A v t", "%d cells: volume under phi after %.0f s", cells,
				TO);
		curve_draw(&volume, &plot, "volume", PLOT_LINE);
		ok = validate_figure(v, "volume", &plot, "Volume under phi.");
	}
	curve_free(&volume);
	return ok;
}

const struct validate_case validate_filling = {
	.name = "filling",
	.title = "a tank fills through its wall",
	.dim = 2,
	.time = "1 min",
	.source = "exact: A v t",
	.run = run_filling,
};
