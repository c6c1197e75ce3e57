/* Rotation as if solid, and a steady vortex: what the transfers do to angular momentum and energy.
 */
#include <math.h>
#include <stdio.h>

#include "particles_load.h"
#include "particles_read.h"
#include "trial.h"

/* ---- rotation ----------------------------------------------------------------------------- */

/* Second moment of the two weights along an axis, m^2: of cell centres around x. */
static double weight_moment(double x, double h)
{
	const double at = x / h - 0.5, f = at - floor(at);
	return f * (1.0 - f) * h * h;
}

/* Per unit of mass, over the number of particles, about the middle of the unit box: as the grid
 * receives it, with what affine matrices bring (Jiang et al. 2017). */
static bool angular_momentum(struct trial *trial, double *sum)
{
	const double h = trial->scene->h;
	struct particle_snapshot s;
	if (!trial_particles(trial, &s))
		return false;
	const f32 *position = particle_values(&s, ATTRIBUTE_POSITION);
	const f32 *velocity = particle_values(&s, ATTRIBUTE_VELOCITY);
	const f32 *affine = particle_values(&s, ATTRIBUTE_AFFINE);
	*sum = 0.0;
	for (size_t p = 0; p < s.count; p++) {
		const double x = (double)position[3 * p], y = (double)position[3 * p + 1];
		*sum += (x - 0.5) * (double)velocity[3 * p + 1] -
			(y - 0.5) * (double)velocity[3 * p];
		if (affine)
			*sum += weight_moment(x, h) * (double)affine[9 * p + 3] -
				weight_moment(y, h) * (double)affine[9 * p + 1];
	}
	particle_snapshot_finish(&s);
	return true;
}

struct turn_scheme {
	const char *name, *sets;
	bool has_band;
};

/* One turn: parts of angular momentum and energy kept, and what splitting the step alone leaves of
 * the former after a time t. */
struct turned {
	double momentum, energy, splitting;
};

static bool turn_once(struct validate *v, const struct turn_scheme *scheme, int cells,
		      struct turned *turned)
{
	struct trial *trial =
		trial_open(v, "rotating_disc.yaml", "domain.cells=%d\n%s", cells, scheme->sets);
	double start, end, energy = 0.0;
	bool ok = trial && angular_momentum(trial, &start);
	if (ok) {
		energy = trial->stats->report.kinetic_energy;
		ok = trial_advance(trial, 1.0, NULL, NULL) && angular_momentum(trial, &end);
	}
	if (ok) {
		const double omega = 2.0 * PI;
		turned->momentum = end / start;
		turned->energy = trial->stats->report.kinetic_energy / energy;
		turned->splitting = 1.0 / sqrt(1.0 + omega * omega * trial->scene->time.dt);
	}
	trial_close(trial);
	return ok;
}

#define GRIDS 3 /* the fewest that show convergence */

static bool check_rotation(struct validate *v, const struct turn_scheme *scheme, int finest)
{
	struct turned t[GRIDS];
	for (int n = 0; n < GRIDS; n++)
		if (!turn_once(v, scheme, finest >> (GRIDS - 1 - n), &t[n]))
			return false;
	const struct turned *last = &t[GRIDS - 1];
	if (scheme->has_band)
		validate_band(v, "", last->momentum, last->splitting, last->splitting - 0.015,
			      1.001, "what splitting leaves - 1.5 % (the project's own)",
			      "%s: angular momentum kept in one turn", scheme->name);
	else
		validate_note(v, "", last->momentum, last->splitting,
			      "no figures found in the literature",
			      "%s: angular momentum kept in one turn", scheme->name);
	validate_note(v, "", last->energy, last->splitting * last->splitting, "",
		      "%s: energy kept in one turn", scheme->name);
	const double before = fabs(t[1].momentum - t[0].momentum);
	const double change = fabs(t[2].momentum - t[1].momentum);
	if (scheme->has_band)
		validate_shrinks(v, "", change, before, "it shrinks",
				 "%s: change of that from %d to %d cells", scheme->name, finest / 2,
				 finest);
	else
		validate_note(v, "", change, before, "nothing is left to lose on coarse grids",
			      "%s: change of that from %d to %d cells", scheme->name, finest / 2,
			      finest);
	return true;
}

static bool run_rotation(struct validate *v)
{
	static const struct turn_scheme schemes[] = {
		{"FLIP 0.97", "liquid.flip_ratio=0.97", true},
		{"FLIP 1", "liquid.flip_ratio=1", true},
		{"APIC", "liquid.transfer=apic", true},
		{"PIC", "liquid.transfer=pic", false},
	};
	for (int n = 0; n < 4; n++)
		if (!check_rotation(v, &schemes[n], 36 << (v->level - 1)))
			return false;
	return true;
}

/* ---- Taylor-Green ------------------------------------------------------------------------- */

/* Gives the particles the vortex's velocities, and their gradient where they carry one. */
static bool set_vortex(struct trial *trial)
{
	struct particle_snapshot s;
	if (!trial_particles(trial, &s))
		return false;
	f32 *position = particle_values(&s, ATTRIBUTE_POSITION);
	f32 *velocity = particle_values(&s, ATTRIBUTE_VELOCITY);
	f32 *affine = particle_values(&s, ATTRIBUTE_AFFINE);
	for (size_t p = 0; p < s.count; p++) {
		const double x = PI * (double)position[3 * p];
		const double y = PI * (double)position[3 * p + 1];
		/* Two components: the third of those read is 0 in 2D. */
		position[2 * p] = position[3 * p];
		position[2 * p + 1] = position[3 * p + 1];
		velocity[2 * p] = (f32)(sin(x) * cos(y));
		velocity[2 * p + 1] = (f32)(-cos(x) * sin(y));
		if (!affine)
			continue;
		affine[4 * p] = (f32)(PI * cos(x) * cos(y));
		affine[4 * p + 1] = (f32)(-PI * sin(x) * sin(y));
		affine[4 * p + 2] = (f32)(PI * sin(x) * sin(y));
		affine[4 * p + 3] = (f32)(-PI * cos(x) * cos(y));
	}
	const struct sim_particles given = {.count = (u32)s.count,
					    .values = {[ATTRIBUTE_POSITION] = position,
						       [ATTRIBUTE_VELOCITY] = velocity,
						       [ATTRIBUTE_AFFINE] = affine}};
	const bool ok = trial_restart(trial, &given);
	particle_snapshot_finish(&s);
	return ok;
}

static bool run_vortex(struct validate *v, const char *sets, int cells, struct curve *energy)
{
	v->alters = "the velocities of the vortex";
	struct trial *trial =
		trial_open(v, "taylor_green.yaml", "domain.cells=%d\n%s", cells, sets);
	if (!trial || !set_vortex(trial)) {
		trial_close(trial);
		return false;
	}
	if (!trial_watch(trial, 2.0, trial_add_energy, energy))
		return false;
	for (size_t n = energy->count; n-- > 0;)
		energy->y[n] /= energy->y[0];
	return true;
}

#define SCHEMES 4

static bool draw_vortices(struct validate *v, const struct turn_scheme *schemes,
			  const struct curve *finest, int cells)
{
	char title[64];
	snprintf(title, sizeof(title), "TAYLOR-GREEN VORTEX, %d CELLS", cells);
	struct plot plot = {.title = title, .x_label = "t U / L", .y_label = "E / E0"};
	for (int n = 0; n < SCHEMES; n++)
		curve_draw(&finest[n], &plot, schemes[n].name, PLOT_LINE);
	return validate_figure(v, "energy", &plot, "Energy of the vortex on the finest grid.");
}

static bool run_taylor_green(struct validate *v)
{
	static const struct turn_scheme schemes[SCHEMES] = {
		{"PIC", "liquid.transfer=pic", false},
		{"FLIP 0.95", "liquid.flip_ratio=0.95", false},
		{"FLIP 0.99", "liquid.flip_ratio=0.99", false},
		{"APIC", "liquid.transfer=apic", false},
	};
	const int coarse = 16 << (v->level - 1), grids = v->level == VALIDATE_COARSE ? 2 : GRIDS;
	struct curve finest[SCHEMES] = {0};
	bool ok = true;
	for (int n = 0; n < SCHEMES && ok; n++) {
		double before = 0.0;
		for (int grid = 0; grid < grids && ok; grid++) {
			const int cells = coarse << grid;
			curve_free(&finest[n]);
			ok = run_vortex(v, schemes[n].sets, cells, &finest[n]);
			if (!ok)
				break;
			const double lost = 1.0 - finest[n].y[finest[n].count - 1];
			if (grid == 0)
				validate_note(v, "", lost, 0.0,
					      "no figures found in the literature",
					      "%s, %d cells: energy lost by t = 2 L / U",
					      schemes[n].name, cells);
			else
				validate_shrinks(
					v, "", fabs(lost), before,
					"less than on the coarser grid (validation set, 7)",
					"%s, %d cells: energy lost by t = 2 L / U", schemes[n].name,
					cells);
			before = fabs(lost);
		}
	}
	ok = ok && draw_vortices(v, schemes, finest, coarse << (grids - 1));
	for (int n = 0; n < SCHEMES; n++)
		curve_free(&finest[n]);
	return ok;
}

const struct validate_case validate_rotation = {
	.name = "rotation",
	.title = "a round container turns once as if solid",
	.dim = 2,
	.time = "4 min",
	.source = "exact: nothing is lost but by splitting the step",
	.run = run_rotation,
};

const struct validate_case validate_taylor_green = {
	.name = "taylor-green",
	.title = "a steady vortex in a closed box",
	.dim = 2,
	.time = "5 min",
	.source = "exact: a steady flow without viscosity",
	.run = run_taylor_green,
};
