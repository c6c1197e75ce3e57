/* A hydraulic jump: how deep water is behind it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "particles_read.h"
#include "trial.h"

#define DISCHARGE 0.198 /* m^2/s, as in the scene, with its length and depths */
#define LENGTH 3.0	/* m */
#define MIDDLE 0.1685	/* m, between the depths */
/* Where depths are measured, m; the roller is between. */
#define BEFORE_FROM 0.15
#define BEFORE_TO 0.35
#define BEHIND_FROM 1.6
#define BEHIND_TO 2.1
/* The roller has formed, s. */
#define FROM 3.0
#define TO 8.0

#define COLUMNS 60 /* of 50 mm */

struct jump {
	struct curve before, behind; /* depths, by the volume there, m */
	struct curve front;	     /* where half of the step is, m */
	double particle;	     /* m^2 */
};

static double depth_between(const double columns[COLUMNS], double from, double to)
{
	const double width = LENGTH / COLUMNS;
	double sum = 0.0;
	for (int c = (int)lround(from / width); c < (int)lround(to / width); c++)
		sum += columns[c] / width;
	return sum * width / (to - from);
}

/* The first place from which on two columns are deeper than the middle, linear between columns. */
static double front_of(const double columns[COLUMNS])
{
	const double width = LENGTH / COLUMNS;
	for (int c = 1; c + 1 < COLUMNS; c++) {
		const double low = columns[c - 1] / width, high = columns[c] / width;
		if (high > MIDDLE && columns[c + 1] / width > MIDDLE)
			return width * (c - 0.5 + (MIDDLE - low) / (high - low));
	}
	return (double)NAN;
}

static bool watch_jump(struct trial *trial, void *user)
{
	struct jump *jump = user;
	struct particle_snapshot now;
	double columns[COLUMNS] = {0.0};
	if (!trial_particles(trial, &now))
		return false;
	for (size_t n = 0; n < now.count; n++) {
		const double x = (double)particle_values(&now, ATTRIBUTE_POSITION)[3 * n];
		const int column = (int)(x * COLUMNS / LENGTH);
		if (column >= 0 && column < COLUMNS)
			columns[column] += jump->particle;
	}
	particle_snapshot_finish(&now);
	const double t = trial->stats->time;
	return curve_add(&jump->before, t, depth_between(columns, BEFORE_FROM, BEFORE_TO)) &&
	       curve_add(&jump->behind, t, depth_between(columns, BEHIND_FROM, BEHIND_TO)) &&
	       curve_add(&jump->front, t, front_of(columns));
}

static bool run_jump(struct validate *v)
{
	static const int sizes[] = {240, 300, 480};
	const int cells = sizes[v->level - 1];
	struct jump jump = {.particle = LENGTH * LENGTH / ((double)cells * cells) / 4.0};
	struct plot plot = {.title = "HYDRAULIC JUMP", .x_label = "t (s)", .y_label = "m"};
	struct trial *trial = trial_open(v, "hydraulic_jump.yaml", "domain.cells=%d", cells);
	bool ok = trial_watch(trial, TO, watch_jump, &jump);
	if (ok) {
		const double shallow = curve_mean(&jump.before, FROM),
			     deep = curve_mean(&jump.behind, FROM);
		/* Seen from the jump, which moves a little. */
		const double moves = series_slope_between(curve_series(&jump.front), FROM, TO, 101);
		const double froude = (DISCHARGE / shallow - moves) / sqrt(G * shallow);
		const double due = 0.5 * (sqrt(1.0 + 8.0 * froude * froude) - 1.0);
		validate_within(v, "", deep / shallow, due, 0.05 * due,
				"5 % of Belanger, (sqrt(1 + 8 Fr^2) - 1) / 2",
				"%d cells: depth behind over depth before, mean of %.0f s", cells,
				TO - FROM);
		validate_note(v, "", froude, 2.0, "", "%d cells: Froude number before it", cells);
		validate_note(v, "m/s", moves, 0.0, "", "%d cells: speed of the jump", cells);
		curve_draw(&jump.before, &plot, "before", PLOT_LINE);
		curve_draw(&jump.behind, &plot, "behind", PLOT_LINE);
		curve_draw(&jump.front, &plot, "place of the front", PLOT_LINE);
		ok = validate_figure(v, "depths", &plot,
				     "Depths by volume before and behind, and where the jump is.");
	}
	curve_free(&jump.before);
	curve_free(&jump.behind);
	curve_free(&jump.front);
	return ok;
}

const struct validate_case validate_hydraulic_jump = {
	.name = "hydraulic-jump",
	.title = "depth behind a hydraulic jump",
	.dim = 2,
	.time = "2 min",
	.source = "balance of momentum across the jump (Belanger)",
	.run = run_jump,
};
