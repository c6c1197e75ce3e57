/* Friction of walls: along a plate, and down a channel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "particles_read.h"
#include "trial.h"

#define NU 1e-6 /* m^2/s, water */

/* ---- the plate ----------------------------------------------------------------------------- */

#define SPEED 1.0 /* m/s */

/* Stress at the floor over density and half the speed squared, from the velocity of the first
 * faces (Werner & Wengle 1993). */
static double coefficient(double u, double h)
{
	const double y = 0.5 * h;
	const double stress = fmax(pow(8.3, -1.75) * pow(u, 1.75) * pow(NU / y, 0.25), NU * u / y);
	return 2.0 * stress / (SPEED * SPEED);
}

struct plate {
	double *sum; /* [cells + 1], m/s: of the first faces along the floor, over frames */
	double from; /* s */
	int cells, frames;
};

static bool watch_plate(struct trial *trial, void *user)
{
	struct plate *plate = user;
	if (trial->stats->time < plate->from)
		return true;
	f32 *u = trial_read(trial, TRIAL_VELOCITY);
	if (!u)
		return false;
	for (int i = 0; i <= plate->cells; i++)
		plate->sum[i] += (double)u[i];
	plate->frames++;
	free(u);
	return true;
}

/* Three grids, each where the boundary layer is about as thick as a cell. */
static bool run_plate_at(struct validate *v, double h, double length, const double *reynolds,
			 int count, struct curve *curve)
{
	const double time = 3.0 * length / SPEED;
	struct plate plate = {.from = 0.6 * time, .cells = (int)lround(length / h)};
	plate.sum = calloc((size_t)plate.cells + 1, sizeof(*plate.sum));
	if (!plate.sum)
		return message_memory((size_t)plate.cells * sizeof(*plate.sum), "a plate");
	struct trial *trial =
		trial_open(v, "plate_friction.yaml",
			   "domain.cell_size=%.17g\ndomain.size=[%.17g, %.17g]\ntime.fps=%.17g\n"
			   "liquids.0.box.max=[%.17g, %.17g]\ninflows.0.box.max=[0, %.17g]",
			   h, length, 15.0 * h, 60.0 / time, length, 10.0 * h, 10.0 * h);
	bool ok = trial_watch(trial, time, watch_plate, &plate);
	for (int n = 0; ok && n < count; n++) {
		const double x = reynolds[n] * NU / SPEED;
		const int i = (int)lround(x / h);
		const double c = coefficient(plate.sum[i] / plate.frames, h);
		const double due = 0.0592 * pow(i * h * SPEED / NU, -0.2);
		validate_within(v, "", c, due, 0.2 * due, "20 % of 0.0592 Re^(-1/5)",
				"cells of %.4g m: friction coefficient at Re = %.3g", h,
				i * h * SPEED / NU);
	}
	for (int i = 1; ok && i < plate.cells; i++)
		ok = curve_add(curve, log10(i * h * SPEED / NU),
			       coefficient(plate.sum[i] / plate.frames, h));
	free(plate.sum);
	return ok;
}

static bool run_plate(struct validate *v)
{
	static const struct {
		double h, length, reynolds[4];
		const char *name;
	} grids[] = {{0.0125, 1.0, {1e5, 2e5, 4e5, 8e5}, "cells of 12.5 mm"},
		     {0.05, 5.0, {3e5, 5e5, 1e6, 3e6}, "cells of 50 mm"},
		     {0.2, 10.0, {1.8e6, 3e6, 5e6, 9.4e6}, "cells of 200 mm"}};
	const int count = v->level == VALIDATE_COARSE ? 1 : 3;
	struct curve curves[3] = {{0}}, law = {0};
	struct plot plot = {
		.title = "FRICTION OF A PLATE", .x_label = "log10 Re", .y_label = "c_f"};
	bool ok = true;
	for (int n = 0; n < count && ok; n++)
		ok = run_plate_at(v, grids[n].h, grids[n].length, grids[n].reynolds, 4, &curves[n]);
	for (int n = 0; n <= 40 && ok; n++)
		ok = curve_add(&law, 5.0 + 0.05 * n, 0.0592 * pow(10.0, -0.2 * (5.0 + 0.05 * n)));
	if (ok) {
		curve_draw(&law, &plot, "0.0592 Re^(-1/5)", PLOT_MARKERS);
		for (int n = 0; n < count; n++)
			curve_draw(&curves[n], &plot, grids[n].name, PLOT_LINE);
		ok = validate_figure(v, "friction", &plot, "Friction coefficient along the plate.");
	}
	for (int n = 0; n < 3; n++)
		curve_free(&curves[n]);
	curve_free(&law);
	return ok;
}

/* ---- the channel --------------------------------------------------------------------------- */

#define SLOPE 0.01
#define DEPTH 0.1     /* m */
#define REACH_FROM 10 /* m: what is measured */
#define REACH_TO 18
#define SETTLED 14.0 /* s */
#define END 20.0

/* Mean speed of a wide channel by Darcy & Weisbach, with the friction factor of Colebrook & White:
 * the hydraulic radius is the depth. */
static double due_speed(double grains)
{
	double u = 1.0;
	for (int n = 0; n < 60; n++) {
		const double reynolds = 4.0 * u * DEPTH / NU;
		double f = 0.02;
		for (int m = 0; m < 60; m++)
			f = pow(-2.0 * log10(grains / (14.8 * DEPTH) + 2.51 / (reynolds * sqrt(f))),
				-2.0);
		u = sqrt(8.0 * G * SLOPE * DEPTH / f);
	}
	return u;
}

struct channel {
	double sum; /* of speeds of particles within reach */
	double count;
};

static bool watch_channel(struct trial *trial, void *user)
{
	struct channel *channel = user;
	struct particle_snapshot now;
	if (trial->stats->time < SETTLED)
		return true;
	if (!trial_particles(trial, &now))
		return false;
	for (size_t n = 0; n < now.count; n++) {
		const double x = (double)particle_values(&now, ATTRIBUTE_POSITION)[3 * n];
		if (x < REACH_FROM || x > REACH_TO)
			continue;
		channel->sum += (double)particle_values(&now, ATTRIBUTE_VELOCITY)[3 * n];
		channel->count += 1.0;
	}
	particle_snapshot_finish(&now);
	return true;
}

/* *mean: speed of the liquid within reach, which enters with the speed that is due for `grains`. */
static bool run_channel_with(struct validate *v, const char *law, double grains, int deep,
			     double *mean)
{
	struct channel channel = {0};
	const double u = due_speed(grains);
	struct trial *trial = trial_open(v, "channel.yaml",
					 "domain.cell_size=%.17g\ndomain.wall_law=%s\n"
					 "liquids.0.velocity=[%.17g, 0]\n"
					 "inflows.0.velocity=[%.17g, 0]",
					 DEPTH / deep, law, u, u);
	const bool ok = trial_watch(trial, END, watch_channel, &channel);
	*mean = channel.sum / channel.count;
	return ok;
}

static bool run_channel(struct validate *v)
{
	static const struct {
		const char *name, *law;
		double grains;
	} beds[] = {{"smooth", "smooth", 0.0}, {"grains of 1 mm", "{roughness: 0.001}", 0.001}};
	double mean;
	const int deepest = v->level == VALIDATE_COARSE ? 1 : 2;
	for (int deep = 1; deep <= deepest; deep++)
		for (size_t n = 0; n < sizeof(beds) / sizeof(beds[0]); n++) {
			const double due = due_speed(beds[n].grains);
			if (!run_channel_with(v, beds[n].law, beds[n].grains, deep, &mean))
				return false;
			validate_within(v, "m/s", mean, due, 0.15 * due,
					"15 % of Darcy & Weisbach, Colebrook & White",
					"%s, %d cells deep: mean speed", beds[n].name, deep);
		}
	if (!run_channel_with(v, "none", 0.0, 1, &mean))
		return false;
	validate_note(v, "m/s", mean, due_speed(0.0), "", "without friction: mean speed");
	return true;
}

const struct validate_case validate_plate_friction = {
	.name = "plate-friction",
	.title = "friction of a smooth floor under a uniform stream",
	.dim = 2,
	.time = "20 s",
	.source = "turbulent boundary layers, c_f = 0.0592 Re^(-1/5) (Schlichting)",
	.run = run_plate,
};

const struct validate_case validate_channel = {
	.name = "channel",
	.title = "uniform flow down a channel, smooth and rough",
	.dim = 2,
	.time = "1 min",
	.source = "Darcy & Weisbach, with Colebrook & White",
	.run = run_channel,
};
