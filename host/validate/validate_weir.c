/* Flow over a broad-crested weir: the head that a discharge takes. */
#include <math.h>

#include "trial.h"

#define DISCHARGE 0.05 /* m^2/s, as in the scene, with the crest */
#define CREST 0.2      /* m */
/* The flow is steady. */
#define FROM 6.0
#define TO 12.0

static bool watch_level(struct trial *trial, void *user)
{
	struct curve *level = user;
	struct probe_value upstream;
	return trial_probe(trial, "upstream", &upstream) &&
	       curve_add(level, trial->stats->time, upstream.value[0]);
}

static bool run_weir(struct validate *v)
{
	static const int sizes[] = {300, 450, 600};
	const int cells = sizes[v->level - 1];
	const double due = pow(2.0 / 3.0, 1.5) * sqrt(G);
	struct curve level = {0};
	struct plot plot = {.title = "WEIR: LEVEL UPSTREAM", .x_label = "t (s)", .y_label = "m"};
	struct trial *trial = trial_open(v, "weir.yaml", "domain.cells=%d", cells);
	bool ok = trial_watch(trial, TO, watch_level, &level);
	if (ok) {
		double sum = 0.0, count = 0.0;
		for (size_t n = 0; n < level.count; n++)
			if (level.t[n] > FROM) {
				sum += level.y[n];
				count += 1.0;
			}
		const double depth = sum / count, speed = DISCHARGE / depth;
		const double head = depth - CREST + speed * speed / (2.0 * G);
		validate_within(v, "m^.5/s", DISCHARGE / pow(head, 1.5), due, 0.05 * due,
				"5 % of critical flow over the crest",
				"%d cells: q / H^(3/2), mean of %.0f s", cells, TO - FROM);
		validate_note(v, "m", head, pow(DISCHARGE / due, 2.0 / 3.0), "",
			      "%d cells: head over the crest", cells);
		curve_draw(&level, &plot, "level", PLOT_LINE);
		ok = validate_figure(v, "level", &plot, "Level 0.5 m before the weir's foot.");
	}
	curve_free(&level);
	return ok;
}

const struct validate_case validate_weir = {
	.name = "weir",
	.title = "flow over a broad-crested weir",
	.dim = 2,
	.time = "3 min",
	.source = "critical flow over the crest, q = (2/3)^(3/2) sqrt(g) H^(3/2) (Belanger)",
	.run = run_weir,
};
