/* A drop in free fall: its path, shape and pressure are exact. */
#include <math.h>
#include <stdlib.h>

#include "particles_read.h"
#include "validate.h"

#define G 9.81
#define RHO 1000.0

struct drop {
	double centre[2], low[2], high[2]; /* of the particles, m */
};

static bool measure_drop(struct sim *sim, struct drop *drop)
{
	struct particle_snapshot s;
	if (!particle_snapshot_read(sim, &s))
		return false;
	for (int a = 0; a < 2; a++) {
		double sum = 0.0, low = (double)INFINITY, high = -(double)INFINITY;
		for (size_t p = 0; p < s.count; p++) {
			const double x = (double)s.position[3 * p + (size_t)a];
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

static bool largest(struct sim *sim, const union f32_buffer *buffer, double *most)
{
	f32 *value = validate_read(sim, &buffer->raw);
	if (!value)
		return false;
	*most = 0.0;
	for (i32 i = 0; i < sim->lattice.grid.lattice; i++)
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
	struct sim *sim = validate_open(v, "free_fall.yaml", "domain.cells=%d\nsolver.drift=%s",
					cells, drift ? "position" : "none");
	const double end = sim ? sim->scene->time.frames / sim->scene->time.fps : 0.0;
	if (!sim || !measure_drop(sim, &start) || !validate_advance(sim, end, NULL, NULL) ||
	    !measure_drop(sim, &drop) || !largest(sim, &sim->pressure, &pressure)) {
		validate_close(sim);
		return false;
	}
	const double dt = sim->scene->time.dt, h = sim->scene->h;
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
		validate_band(v, "h", fabs(fallen - exact + splitting) / h, 0.0, -(double)INFINITY,
			      1e-3, "1e-3 h (the project's own, for discs)",
			      "%d cells%s: off the scheme's path", cells, how);
		validate_band(v, "h", fabs(drop.centre[0] - start.centre[0]) / h, 0.0,
			      -(double)INFINITY, 1e-3, "1e-3 h (the project's own, for discs)",
			      "%d cells%s: sideways", cells, how);
		validate_band(v, "h", shape / h, 0.0, -(double)INFINITY, 1e-3,
			      "1e-3 h (the project's own, for discs)",
			      "%d cells%s: change of the outline", cells, how);
	}
	validate_band(v, "Pa", pressure, 0.0, -(double)INFINITY, 0.2 * RHO * G * h,
		      "0.2 rho g h (as for tanks at rest)", "%d cells%s: greatest |pressure|",
		      cells, how);
	validate_note(v, "1/s", sim->stats.report.divergence_after, 0.0, "",
		      "%d cells%s: greatest |div u|", cells, how);
	validate_close(sim);
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
