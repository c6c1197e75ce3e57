/* A jet on a plate: the force that turns it, and how an oblique plate splits it. */
#include <math.h>

#include "particles_read.h"
#include "trial.h"

#define WIDTH 0.1 /* m, of the jet, as in the scene, with its speed */
#define SPEED 2.0 /* m/s */
/* The flow is steady. */
#define FROM 1.5
#define TO 3.0

struct jet {
	struct curve across, along; /* force on the plate by its axes, N/m */
	struct curve up, down;	    /* what goes each way along it, m^2/s */
	double angle;		    /* rad, by which the plate is turned about its middle */
	double middle[2];	    /* m, of its front */
	double particle;	    /* m^2 */
};

/* Beside the jet, along the plate, m. */
#define SHEET_FROM 0.3
#define SHEET_TO 0.5
#define SHEET_DEEP 0.15 /* before it */

static bool watch_sheets(struct trial *trial, struct jet *jet)
{
	const double c = cos(jet->angle), s = sin(jet->angle);
	struct particle_snapshot now;
	double up = 0.0, down = 0.0;
	if (!trial_particles(trial, &now))
		return false;
	for (size_t n = 0; n < now.count; n++) {
		const f32 *x = particle_values(&now, ATTRIBUTE_POSITION) + 3 * n;
		const f32 *v = particle_values(&now, ATTRIBUTE_VELOCITY) + 3 * n;
		const double along =
			-s * ((double)x[0] - jet->middle[0]) + c * ((double)x[1] - jet->middle[1]);
		const double across =
			c * ((double)x[0] - jet->middle[0]) + s * ((double)x[1] - jet->middle[1]);
		const double speed = -s * (double)v[0] + c * (double)v[1];
		if (fabs(along) > SHEET_FROM && fabs(along) < SHEET_TO && across > -SHEET_DEEP)
			*(along > 0.0 ? &up : &down) += fabs(speed);
	}
	particle_snapshot_finish(&now);
	const double share = jet->particle / (SHEET_TO - SHEET_FROM), t = trial->stats->time;
	return curve_add(&jet->up, t, share * up) && curve_add(&jet->down, t, share * down);
}

static bool watch_jet(struct trial *trial, void *user)
{
	struct jet *jet = user;
	const double c = cos(jet->angle), s = sin(jet->angle), t = trial->stats->time;
	double force[3] = {0.0};
	return (t <= 0.0 || trial_force(trial, "plate", force)) &&
	       curve_add(&jet->across, t, c * force[0] + s * force[1]) &&
	       curve_add(&jet->along, t, -s * force[0] + c * force[1]) && watch_sheets(trial, jet);
}

static void free_jet(struct jet *jet)
{
	curve_free(&jet->across);
	curve_free(&jet->along);
	curve_free(&jet->up);
	curve_free(&jet->down);
}

static bool run_square(struct validate *v, int cells)
{
	struct jet jet = {.middle = {0.6, 0.8}, .particle = pow(0.8 / cells, 2.0) / 4.0};
	struct plot plot = {
		.title = "JET ON A PLATE: FORCE ACROSS IT", .x_label = "t (s)", .y_label = "N/m"};
	const double due = RHO * WIDTH * SPEED * SPEED;
	struct trial *trial = trial_open(v, "jet_on_plate.yaml", "domain.cells=%d", cells);
	bool ok = trial_watch(trial, TO, watch_jet, &jet);
	if (ok) {
		validate_within(v, "N/m", curve_mean(&jet.across, FROM), due, 0.03 * due,
				"3 % of the momentum that it loses, rho b V^2",
				"%d cells: force across the plate, mean of %.1f s", cells,
				TO - FROM);
		validate_at_most(v, "", fabs(curve_mean(&jet.along, FROM)) / due, 0.01,
				 "1 %: pressure has no force along a plate",
				 "%d cells: force along it, of that across", cells);
		curve_draw(&jet.across, &plot, "force", PLOT_LINE);
		ok = validate_figure(v, "force", &plot, "Force across the plate, means of frames.");
	}
	free_jet(&jet);
	return ok;
}

/* The plate turned by 30 degrees: more goes the way that the jet comes. */
static bool run_oblique(struct validate *v, int cells)
{
	static const char plate[] =
		"solids.0={name: plate, polygon: {points: [[0.86, 0.28], [0.26, 1.3192], "
		"[0.312, 1.3492], [0.912, 0.31]]}}\ndomain.size=[1.0, 1.6]";
	struct jet jet = {
		.angle = PI / 6.0, .middle = {0.56, 0.8}, .particle = pow(1.0 / cells, 2.0) / 4.0};
	struct plot plot = {.title = "JET ON AN OBLIQUE PLATE: WHAT GOES EACH WAY",
			    .x_label = "t (s)",
			    .y_label = "m^2/s"};
	const double c = sin(jet.angle), split = (1.0 + c) / (1.0 - c);
	struct trial *trial =
		trial_open(v, "jet_on_plate.yaml", "domain.cells=%d\n%s", cells, plate);
	bool ok = trial_watch(trial, TO, watch_jet, &jet);
	if (ok) {
		validate_within(v, "", curve_mean(&jet.down, FROM) / curve_mean(&jet.up, FROM),
				split, 0.05 * split,
				"5 % of (1 + cos a)/(1 - cos a), a = 60 degrees",
				"oblique, %d cells: what goes along it over what goes back", cells);
		validate_note(v, "N/m", curve_mean(&jet.across, FROM),
			      RHO * WIDTH * SPEED * SPEED * cos(jet.angle), "",
			      "oblique, %d cells: force across the plate", cells);
		validate_note(v, "N/m", curve_mean(&jet.along, FROM), 0.0, "",
			      "oblique, %d cells: force along it", cells);
		curve_draw(&jet.up, &plot, "back", PLOT_LINE);
		curve_draw(&jet.down, &plot, "along", PLOT_LINE);
		ok = validate_figure(v, "split", &plot, "Discharge of both sheets.");
	}
	free_jet(&jet);
	return ok;
}

static bool run_jet(struct validate *v)
{
	static const int sizes[] = {48, 64, 128};
	const int cells = sizes[v->level - 1];
	return run_square(v, cells) && run_oblique(v, cells * 5 / 4);
}

const struct validate_case validate_jet_on_plate = {
	.name = "jet-on-plate",
	.title = "force of a jet on a plate",
	.dim = 2,
	.time = "1 min",
	.source = "balance of momentum: F = rho b V^2; split (1 + cos a)/(1 - cos a)",
	.run = run_jet,
};
