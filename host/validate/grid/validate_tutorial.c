/* Claims of Braley & Sandu, Fluid simulation for computer graphics: a tutorial in grid based and
 * particle based methods (2009), which gives no numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "curves.h"
#include "grid/carried.h"
#include "particles_read.h"

/* ---- T1: the third order is the best of the schemes for paths ------------------------------ */

/* Farthest particle from its start after a turn in so many steps. */
static bool turn_particles(struct validate *v, int order, int steps, double *distance)
{
	struct particle_snapshot before = {0}, after = {0};
	v->alters = "the flow";
	struct trial *trial =
		trial_open(v, "zalesak.yaml", "domain.cells=32\nsolver.advection=rk%d", order);
	const struct grid *g = trial ? trial->grid : NULL;
	f32 *u = g ? calloc((size_t)g->lattice * 2, sizeof(*u)) : NULL;
	bool ok = u && trial_particles(trial, &before);
	for (i32 at = 0; ok && at < g->lattice; at++) {
		const double h = trial->scene->h;
		u[at] = (f32)(2.0 * PI * (0.5 - (at / g->px + 0.5) * h));
		u[g->lattice + at] = (f32)(2.0 * PI * ((at % g->px + 0.5) * h - 0.5));
	}
	for (int n = 0; n < steps && ok; n++)
		ok = trial_advect(trial, 1.0 / steps, n == 0 ? u : NULL);
	ok = ok && trial_particles(trial, &after);
	*distance = 0.0;
	for (size_t p = 0; ok && p < before.count; p++) {
		const f32 *from = particle_values(&before, ATTRIBUTE_POSITION) + 3 * p;
		const f32 *to = particle_values(&after, ATTRIBUTE_POSITION) + 3 * p;
		*distance = fmax(*distance, hypot((double)to[0] - (double)from[0],
						  (double)to[1] - (double)from[1]));
	}
	particle_snapshot_finish(&before);
	particle_snapshot_finish(&after);
	free(u);
	trial_close(trial);
	return ok;
}

static bool check_paths(struct validate *v)
{
	for (int order = 1; order <= 4; order++) {
		double coarse, fine;
		struct carried c;
		char sets[160];
		/* Errors above rounding, and within the box. */
		static const int counts[] = {800, 48, 48, 12};
		const int steps = counts[order - 1];
		if (!turn_particles(v, order, steps, &coarse) ||
		    !turn_particles(v, order, 2 * steps, &fine))
			return false;
		validate_band(v, "", log2(coarse / fine), order, order - 0.3, order + 0.7,
			      "its order, by halving the step", "T1: order of rk%d", order);
		snprintf(sets, sizeof(sets),
			 "grid.surface=levelset\ngrid.interpolation=cubic\nsolver.advection=rk%d",
			 order);
		if (!carried_run(v, &carried_turn, 64, 1.0, sets, &c))
			return false;
		validate_note(v, "L^2", c.error, (double)NAN, "",
			      "T1: rk%d, Zalesak's disc by a level set: E1", order);
	}
	return true;
}

/* ---- T2: Courant numbers of 5; T4: grids lose volume ---------------------------------------- */

struct broken {
	double front, volume; /* m; error at the end */
	double worst;
	int steps;
};

static bool break_dam(struct validate *v, const char *surface, double cfl, struct broken *b)
{
	char sets[96];
	struct probe_value front;
	snprintf(sets, sizeof(sets), "%s\ntime.cfl=%g", surface, cfl);
	struct trial *trial = trial_open(v, "martin_moyce_2.yaml",
					 "method=grid\ndomain.walls={}\ntime.fps=100\n"
					 "grid.surface=%s",
					 sets);
	bool ok = trial != NULL;
	*b = (struct broken){0};
	while (ok && trial->stats->time < 0.19) {
		ok = trial_substep(trial);
		b->steps++;
		b->worst = fmax(b->worst, fabs(trial->stats->volume_error));
	}
	ok = ok && trial_probe(trial, "front", &front);
	if (ok) {
		b->front = front.value[0];
		b->volume = trial->stats->volume_error;
	}
	trial_close(trial);
	return ok;
}

static bool check_dams(struct validate *v)
{
	static const double numbers[] = {0.5, 1.0, 2.0, 5.0};
	double fine = 0.0;
	for (int n = 0; n < 4; n++) {
		struct broken b;
		if (!break_dam(v, "levelset", numbers[n], &b))
			return false;
		fine = n == 0 ? b.front : fine;
		validate_note(v, "", b.front / fine, 1.0, "that with cfl 0.5",
			      "T2: front at 0.19 s, cfl %g", numbers[n]);
		validate_note(v, "", b.volume, 0.0, "", "T2, T4: volume error, level set, cfl %g",
			      numbers[n]);
		validate_note(v, "", b.worst, 0.0, "", "T2: the worst so far, cfl %g", numbers[n]);
		validate_note(v, "", b.steps, (double)NAN, "", "T2: substeps, cfl %g", numbers[n]);
	}
	struct broken b;
	if (!break_dam(v, "vof", 0.5, &b))
		return false;
	validate_at_most(v, "", b.worst, 0.0, "integers add up", "T4: volume error, vof");
	return true;
}

/* ---- T3: SOR beats CG without preconditioner, CG a little Jacobi --------------------------- */

#define TIMED_STEPS 40

static bool time_solver(struct validate *v, const char *solver)
{
	double ms = 0.0, iterations = 0.0, limits = 0.0;
	struct trial *trial = trial_open(v, "martin_moyce_2.yaml",
					 "method=grid\nsolver.pressure=%s\n"
					 "solver.max_iterations=2000\nsolver.tolerance=1e-3",
					 solver);
	bool ok = trial != NULL;
	for (int n = 0; n < TIMED_STEPS && ok; n++) {
		ok = trial_substep(trial);
		ms += trial_stage_ms(trial, "pressure");
		iterations += trial->stats->pressure_iterations;
		limits += trial->stats->pressure_limits;
	}
	if (ok) {
		validate_note(v, "ms", ms / TIMED_STEPS, (double)NAN, "",
			      "T3: pressure by %s, a substep", solver);
		validate_note(v, "", iterations / TIMED_STEPS, (double)NAN, "",
			      "T3: iterations of %s (gauss-seidel: ten sweeps each)", solver);
		validate_at_most(v, "", limits, 0.0, "all are solved",
				 "T3: solves by %s above the tolerance", solver);
	}
	trial_close(trial);
	return ok;
}

static bool run_tutorial(struct validate *v)
{
	static const char *const solvers[] = {"gauss-seidel", "cg", "jacobi", "mgpcg"};
	bool ok = check_paths(v) && check_dams(v);
	for (int n = 0; n < 4 && ok; n++)
		ok = time_solver(v, solvers[n]);
	return ok;
}

const struct validate_case validate_tutorial = {
	.name = "tutorial",
	.title = "claims of Braley & Sandu 2009 about grids",
	.dim = 2,
	.time = "60 s",
	.source = "its text, which has no numbers",
	.run = run_tutorial,
};
