/* Tanks at rest: pressures are exact, and nothing moves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trial.h"

struct rest {
	const double *depth; /* of each probe, m */
	int probes;
	double from; /* s: when measuring begins */
	double offset_sum, offset_count, worst, speed, volume_sum;
	struct curve offset, speed_curve;
};

static bool watch_rest(struct trial *trial, void *user)
{
	struct rest *r = user;
	double sum = 0.0;
	char name[24];
	for (int i = 0; i < r->probes; i++) {
		struct probe_value p;
		snprintf(name, sizeof(name), "floor %d", i + 1);
		if (!trial_probe(trial, name, &p))
			return false;
		const double offset = p.value[0] - RHO * G * r->depth[i];
		sum += offset;
		if (trial->stats->time > r->from)
			r->worst = fmax(r->worst, fabs(offset));
	}
	sum /= r->probes;
	if (!curve_add(&r->offset, trial->stats->time, sum / (RHO * G * trial->scene->h)) ||
	    !curve_add(&r->speed_curve, trial->stats->time, trial->stats->report.max_speed))
		return false;
	if (trial->stats->time > r->from) {
		r->offset_sum += sum;
		r->volume_sum += trial->stats->volume_error;
		r->offset_count++;
		r->speed = fmax(r->speed, trial->stats->report.max_speed);
	}
	return true;
}

/* Root of the mean square of the particles' speeds, from their kinetic energy. */
static double rms_speed(const struct trial *trial)
{
	const struct scene *scene = trial->scene;
	const double mass = scene->density * pow(scene->h, scene->dim) / scene->particles_per_cell *
			    trial->stats->particles;
	return sqrt(2.0 * trial->stats->report.kinetic_energy / mass);
}

static bool check_rest(struct validate *v, const char *scene, int cells, const double *depth,
		       int probes)
{
	struct rest r = {.depth = depth, .probes = probes};
	struct trial *trial = trial_open(v, scene, "domain.cells=%d", cells);
	bool ok = trial != NULL;
	if (ok) {
		const double end = trial_end(trial);
		r.from = end - 1.0;
		ok = trial_advance(trial, end, watch_rest, &r);
	}
	if (ok) {
		const double unit = RHO * G * trial->scene->h;
		validate_band(v, "dx", r.offset_sum / r.offset_count / unit, 0.0, -0.2, 0.2,
			      "0.2 rho g dx (universe-status; +0.5 there without ghost fluid)",
			      "%d cells: offset of the pressure, mean of the last s", cells);
		validate_note(v, "dx", r.worst / unit, 0.0, "",
			      "%d cells: the same, worst probe of any frame", cells);
		validate_at_most(v, "m/s", rms_speed(trial), 0.01,
				 "0.01 m/s (the project's own, for jittered tanks)",
				 "%d cells: rms speed at the end", cells);
		validate_note(v, "m/s", r.speed, 0.0, "",
			      "%d cells: greatest speed of a particle, last s", cells);
		validate_band(v, "", r.volume_sum / r.offset_count, 0.0, -0.02, 0.02,
			      "2 % (validation set, 7, for all tanks)",
			      "%d cells: volume error, mean of the last s", cells);
		const struct curve *o = &r.offset, *s = &r.speed_curve;
		struct plot plot = {.title = "PRESSURE AT THE FLOOR MINUS rho g H",
				    .x_label = "t (s)",
				    .y_label = "OFFSET / (rho g dx)"};
		curve_draw(o, &plot, "mean of the probes", PLOT_LINE);
		struct plot speed = {.title = "GREATEST SPEED OF A PARTICLE",
				     .x_label = "t (s)",
				     .y_label = "m/s",
				     .y_from_zero = true};
		curve_draw(s, &speed, "greatest speed", PLOT_LINE);
		ok = validate_figure(v, "pressure", &plot, "Pressure at the floor.") &&
		     validate_figure(v, "speed", &speed, "Greatest speed of a particle.");
	}
	curve_free(&r.offset);
	curve_free(&r.speed_curve);
	trial_close(trial);
	return ok;
}

/* Of a tank filled to the middle. */
static void set_true_phi(const struct trial *trial, f32 *phi)
{
	const struct grid *g = trial->grid;
	for (i32 j = 0; j < g->ny; j++)
		for (i32 i = 0; i < g->nx; i++)
			phi[j * g->px + i] = (f32)((j + 0.5 - 0.5 * g->ny) * trial->scene->h);
}

/* Greatest |u| of the grid after one step of a regular tank. */
static bool measure_first_step(struct validate *v, int cells, bool true_phi, double *most)
{
	v->alters = true_phi ? "the surface" : NULL;
	struct trial *trial = trial_open(
		v, "hydrostatic_tank.yaml",
		"domain.cells=%d\nliquid.jitter=0\nsolver.tolerance=1e-7\nsolver.drift=none",
		cells);
	v->alters = NULL;
	*most = 0.0;
	if (trial && true_phi)
		trial->set_phi = set_true_phi;
	bool ok = trial && trial_substep(trial);
	f32 *u = ok ? trial_read(trial, TRIAL_VELOCITY) : NULL;
	uint8_t *valid = u ? trial_read(trial, TRIAL_VALID) : NULL;
	ok = valid != NULL;
	for (i32 c = 0; ok && c < 2; c++)
		for (i32 i = 0; i < trial->grid->lattice; i++)
			if (valid[i] >> c & 1)
				*most = fmax(*most, fabs((double)u[c * trial->grid->lattice + i]));
	free(valid);
	free(u);
	trial_close(trial);
	return ok;
}

/* The grid alone, with the true surface, must leave the tank at rest. */
static bool check_first_step(struct validate *v, int cells)
{
	double exact, own;
	if (!measure_first_step(v, cells, true, &exact) ||
	    !measure_first_step(v, cells, false, &own))
		return false;
	validate_at_most(v, "m/s", exact, 1e-6, "1e-6 at tolerance 1e-7 (Basilisk, hydrostatic.c)",
			 "%d cells: |u| after one step, exact surface", cells);
	validate_at_most(v, "m/s", own, 1e-6, "1e-6 at tolerance 1e-7 (Basilisk, hydrostatic.c)",
			 "%d cells: the same, surface from regular particles", cells);
	return true;
}

/* 24 cells deep at the usual level. */
static int rest_cells(const struct validate *v)
{
	return 24 << (v->level - 1);
}

static bool run_hydrostatic(struct validate *v)
{
	static const double depth[] = {0.5, 0.5, 0.5, 0.5, 0.5};
	return check_first_step(v, rest_cells(v)) &&
	       check_rest(v, "hydrostatic_tank.yaml", rest_cells(v), depth, 5);
}

static bool run_sloping_floor(struct validate *v)
{
	/* 0.5 less the probes' heights. */
	static const double depth[] = {0.35, 0.3, 0.25, 0.2};
	return check_rest(v, "sloping_floor.yaml", rest_cells(v), depth, 4);
}

const struct validate_case validate_hydrostatic = {
	.name = "hydrostatic",
	.title = "a tank at rest for 3 s, 24 cells deep",
	.dim = 2,
	.quick = true,
	.time = "4 s",
	.source = "exact: p = rho g H",
	.run = run_hydrostatic,
};

const struct validate_case validate_sloping_floor = {
	.name = "sloping-floor",
	.title = "a pool over a floor that rises by 1 in 4, at rest for 3 s",
	.dim = 2,
	.time = "4 s",
	.source = "exact: p = rho g H",
	.run = run_sloping_floor,
};
