/* A drop in free fall: its path, shape and pressure are exact. */
#include <math.h>
#include <stdlib.h>

#include "particles_read.h"
#include "trial.h"

struct drop {
	double centre[2], low[2], high[2]; /* of the particles, m */
};

static bool measure_drop(struct trial *trial, struct drop *drop)
{
	struct particle_snapshot s;
	if (!trial_particles(trial, &s))
		return false;
	const f32 *position = particle_values(&s, ATTRIBUTE_POSITION);
	for (int a = 0; a < 2; a++) {
		double sum = 0.0, low = (double)INFINITY, high = -(double)INFINITY;
		for (size_t p = 0; p < s.count; p++) {
			const double x = (double)position[3 * p + (size_t)a];
			sum += x;
			low = fmin(low, x);
			high = fmax(high, x);
		}
		drop->centre[a] = sum / (double)s.count;
		drop->low[a] = low - drop->centre[a];
		drop->high[a] = high - drop->centre[a];
	}
	particle_snapshot_finish(&s);
	return true;
}

static bool measure_pressure(struct trial *trial, double *most)
{
	f32 *value = trial_read(trial, TRIAL_PRESSURE);
	if (!value)
		return false;
	*most = 0.0;
	for (i32 i = 0; i < trial->grid->lattice; i++)
		*most = fmax(*most, fabs((double)value[i]));
	free(value);
	return true;
}

/* With the drift correction jittered particles spread a little, so that paths are the scheme's own
 * without it only. */
static bool check_fall(struct validate *v, int cells, bool drift)
{
	struct drop start, drop;
	double pressure;
	struct trial *trial = trial_open(v, "free_fall.yaml", "domain.cells=%d\nsolver.drift=%s",
					 cells, drift ? "position" : "none");
	const double end = trial ? trial_end(trial) : 0.0;
	if (!trial || !measure_drop(trial, &start) || !trial_advance(trial, end, NULL, NULL) ||
	    !measure_drop(trial, &drop) || !measure_pressure(trial, &pressure)) {
		trial_close(trial);
		return false;
	}
	const double dt = trial->scene->time.dt, h = trial->scene->h;
	const double fallen = drop.centre[1] - start.centre[1], exact = -0.5 * G * end * end;
	const double splitting = 0.5 * G * end * dt;
	double shape = 0.0;
	for (int a = 0; a < 2; a++)
		shape = fmax(shape, fmax(fabs(drop.low[a] - start.low[a]),
					 fabs(drop.high[a] - start.high[a])));
	const char *how = drift ? "" : ", no drift correction";
	validate_within(v, "m", fallen, exact, splitting + 1e-5,
			"g t dt/2 of semi-implicit Euler + 1e-5 (validation set, 7)",
			"%d cells%s: way of the centroid in %.1f s", cells, how, end);
	if (drift) {
		validate_note(v, "h", shape / h, 0.0, "jittered particles spread",
			      "%d cells: change of the drop's outline", cells);
	} else {
		validate_at_most(v, "h", fabs(fallen - exact + splitting) / h, 1e-3,
				 "1e-3 h (the project's own, for discs)",
				 "%d cells%s: off the scheme's path", cells, how);
		validate_at_most(v, "h", fabs(drop.centre[0] - start.centre[0]) / h, 1e-3,
				 "1e-3 h (the project's own, for discs)", "%d cells%s: sideways",
				 cells, how);
		validate_at_most(v, "h", shape / h, 1e-3, "1e-3 h (the project's own, for discs)",
				 "%d cells%s: change of the outline", cells, how);
	}
	validate_at_most(v, "Pa", pressure, 0.2 * RHO * G * h, "0.2 rho g h (as for tanks at rest)",
			 "%d cells%s: greatest |pressure|", cells, how);
	validate_note(v, "1/s", trial->stats->report.divergence_after, 0.0, "",
		      "%d cells%s: greatest |div u|", cells, how);
	trial_close(trial);
	return true;
}

static bool run_free_fall(struct validate *v)
{
	for (int level = 1; level <= v->level; level++)
		for (int drift = 0; drift < 2; drift++)
			if (!check_fall(v, 16 << level, drift == 1))
				return false;
	return true;
}

const struct validate_case validate_free_fall = {
	.name = "free-fall",
	.title = "a drop in free fall",
	.dim = 2,
	.quick = true,
	.time = "4 s",
	.source = "exact: y0 - g t^2 / 2",
	.run = run_free_fall,
};
