/* Passive particles in given flows that bring them back, and the surface rebuilt from them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "particles_read.h"
#include "shape.h"
#include "trial.h"

/* A flow u(x) cos(pi t / T) in the unit box; T = 0: steady. */
struct flow {
	const char *scene, *table; /* of published errors, or NULL */
	double reversal, end;	   /* T, s */
	double speed;		   /* greatest component, m/s */
	void (*velocity)(const double x[3], double u[3]);
};

static void vortex_velocity(const double x[3], double u[3])
{
	const double a = sin(PI * x[0]), b = sin(PI * x[1]);
	u[0] = -a * a * sin(2.0 * PI * x[1]);
	u[1] = b * b * sin(2.0 * PI * x[0]);
	u[2] = 0.0;
}

static void zalesak_velocity(const double x[3], double u[3])
{
	u[0] = 2.0 * PI * (0.5 - x[1]);
	u[1] = 2.0 * PI * (x[0] - 0.5);
	u[2] = 0.0;
}

static void deformation_velocity(const double x[3], double u[3])
{
	double s[3], d[3];
	for (int a = 0; a < 3; a++) {
		s[a] = sin(PI * x[a]) * sin(PI * x[a]);
		d[a] = sin(2.0 * PI * x[a]);
	}
	u[0] = 2.0 * s[0] * d[1] * d[2];
	u[1] = -d[0] * s[1] * d[2];
	u[2] = -d[0] * d[1] * s[2];
}

/* ---- moving ------------------------------------------------------------------------------- */

/* The flow at the faces, f32 [D][L], malloc'ed; NULL after reporting. */
static f32 *sample_flow(const struct trial *trial, const struct flow *flow)
{
	const struct grid *g = trial->grid;
	const double h = trial->scene->h;
	f32 *u = calloc((size_t)g->lattice * (size_t)trial->scene->dim, sizeof(*u));
	if (!u) {
		message_error("out of memory for a velocity field");
		return NULL;
	}
	size_t at = 0;
	for (i32 k = 0; k < g->pz; k++)
		for (i32 j = 0; j < g->py; j++)
			for (i32 i = 0; i < g->px; i++, at++)
				for (int c = 0; c < trial->scene->dim; c++) {
					const double x[3] = {(i + (c == 0 ? 0.0 : 0.5)) * h,
							     (j + (c == 1 ? 0.0 : 0.5)) * h,
							     (k + (c == 2 ? 0.0 : 0.5)) * h};
					double value[3];
					flow->velocity(x, value);
					u[(size_t)c * (size_t)g->lattice + at] = (f32)value[c];
				}
	return u;
}

/* Moves the particles by the advection stage alone, through the flow at the middle of each step. */
static bool move_particles(struct trial *trial, const struct flow *flow, int steps)
{
	const size_t values = (size_t)trial->grid->lattice * (size_t)trial->scene->dim;
	f32 *u = sample_flow(trial, flow), *now = u ? malloc(values * sizeof(*now)) : NULL;
	bool ok = now != NULL;
	if (u && !now)
		message_error("out of memory for a velocity field");
	const double dt = flow->end / steps;
	for (int n = 0; n < steps && ok; n++) {
		const double t = (n + 0.5) * dt;
		const f32 factor = flow->reversal > 0.0 ? (f32)cos(PI * t / flow->reversal) : 1.0f;
		const bool changes = n == 0 || flow->reversal > 0.0;
		for (size_t i = 0; changes && i < values; i++)
			now[i] = factor * u[i];
		ok = trial_advect(trial, dt, changes ? now : NULL);
	}
	free(now);
	free(u);
	return ok;
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* Greatest distance of a particle from its place before. */
static double farthest_from(const struct particle_snapshot *before,
			    const struct particle_snapshot *after)
{
	const f32 *from = particle_values(before, ATTRIBUTE_POSITION);
	const f32 *to = particle_values(after, ATTRIBUTE_POSITION);
	double most = 0.0;
	for (size_t p = 0; p < before->count; p++) {
		double square = 0.0;
		for (size_t a = 0; a < 3; a++) {
			const double d = (double)to[3 * p + a] - (double)from[3 * p + a];
			square += d * d;
		}
		most = fmax(most, sqrt(square));
	}
	return most;
}

#define SAMPLES 4 /* per axis of a cell */

/* Volume where the rebuilt surface and the scene's first shape disagree: an upper bound of
 * E1 = integral |F - F_exact|, in whose fractions errors of either sign within a cell cancel. */
static bool shape_error(struct trial *trial, double *volume)
{
	const struct grid *g = trial->grid;
	const struct shape_program *shape = &trial->scene->liquids[0].shape;
	const double h = trial->scene->h;
	f32 *phi = trial_read(trial, TRIAL_PHI);
	if (!phi)
		return false;
	const bool all[8] = {true, true, true, true, true, true, true, true};
	const int nz = trial->scene->dim == 3 ? g->nz * SAMPLES : 1;
	size_t wrong = 0;
	for (int k = 0; k < nz; k++)
		for (int j = 0; j < g->ny * SAMPLES; j++)
			for (int i = 0; i < g->nx * SAMPLES; i++) {
				const double x[3] = {
					(i + 0.5) * h / SAMPLES, (j + 0.5) * h / SAMPLES,
					trial->scene->dim == 3 ? (k + 0.5) * h / SAMPLES : 0.0};
				const struct measure_stencil s =
					measure_stencil_at(g, trial->scene->dim, h, x, -1);
				double value[8], here;
				for (int corner = 0; corner < 8; corner++)
					value[corner] = (double)phi[measure_sample(g, &s, corner)];
				const bool in = measure_mean(&s, value, all, &here) && here < 0.0;
				const bool true_in =
					shape_distance(trial->scene->dim, shape->ops,
						       (int)shape->op_count, shape->points,
						       (f32)x[0], (f32)x[1], (f32)x[2]) < 0.0f;
				wrong += in != true_in;
			}
	free(phi);
	*volume = (double)wrong * pow(h / SAMPLES, trial->scene->dim);
	return true;
}

struct moved {
	double distance, error_before, error_after, volume_before, volume_after;
};

static bool move_and_compare(struct validate *v, const struct flow *flow, int cells, int steps,
			     const char *sets, struct moved *moved)
{
	struct particle_snapshot before = {0}, after = {0};
	v->alters = "the flow";
	struct trial *trial = trial_open(v, flow->scene, "domain.cells=%d\n%s", cells, sets);
	bool ok = trial && trial_particles(trial, &before) &&
		  shape_error(trial, &moved->error_before);
	if (ok) {
		moved->volume_before = trial->stats->report.volume;
		ok = move_particles(trial, flow, steps) && trial_measure(trial) &&
		     trial_particles(trial, &after) && shape_error(trial, &moved->error_after);
	}
	if (ok) {
		moved->volume_after = trial->stats->report.volume;
		moved->distance = farthest_from(&before, &after);
	}
	particle_snapshot_finish(&before);
	particle_snapshot_finish(&after);
	trial_close(trial);
	return ok;
}

/* E1 of a published method at this resolution, NAN if there is none. */
static bool published_error(const struct flow *flow, int cells, double *error)
{
	struct curve table = {0};
	bool ok = true;
	*error = (double)NAN;
	if (flow->table)
		ok = curve_read(flow->table, "N", "E1", cells, cells, &table);
	if (ok && table.count == 1)
		*error = table.y[0];
	curve_free(&table);
	return ok;
}

static bool check_flow(struct validate *v, const struct flow *flow, int coarse, int grids)
{
	double error_before = (double)INFINITY;
	for (int grid = 0; grid < grids; grid++) {
		const int cells = coarse << grid;
		/* Courant number 1, a whole number of steps. */
		const int steps = (int)ceil(flow->end * flow->speed * cells);
		struct moved m, half;
		double published;
		if (!move_and_compare(v, flow, cells, steps, "", &m) ||
		    !published_error(flow, cells, &published))
			return false;
		validate_at_most(v, "L", m.distance, 1e-3, "1e-3 L at CFL <= 1 (validation set, 8)",
				 "%d cells: farthest particle from its start", cells);
		validate_note(v, "L^d", m.error_after, published,
			      flow->table ? "isoAdvector plicRDF" : "",
			      "%d cells: where the surface is wrong at the end", cells);
		validate_note(v, "L^d", m.error_before, 0.0, "", "%d cells: the same at the start",
			      cells);
		const double change = m.volume_after / m.volume_before - 1.0;
		if (cells >= 128)
			validate_band(v, "", change, 0.0, -0.02, 0.02,
				      "2 % at 128 cells (validation set, 8)",
				      "%d cells: change of the volume", cells);
		else
			validate_note(v, "", change, 0.0, "", "%d cells: change of the volume",
				      cells);
		if (grid > 0)
			validate_shrinks(v, "L^d", m.error_after, error_before,
					 "less than on the coarser grid",
					 "%d cells: where the surface is wrong", cells);
		error_before = m.error_after;
		if (grid > 0)
			continue;
		/* Order of RK2 by halving the step. */
		struct moved whole;
		if (!move_and_compare(v, flow, cells, steps, "solver.advection=rk2", &whole) ||
		    !move_and_compare(v, flow, cells, 2 * steps, "solver.advection=rk2", &half))
			return false;
		validate_band(v, "", log2(whole.distance / half.distance), 2.0, 1.7,
			      (double)INFINITY, "order 2 under halved steps (validation set, 8)",
			      "%d cells: order of RK2", cells);
	}
	return true;
}

static bool run_reversing_vortex(struct validate *v)
{
	static const struct flow flow = {"vortex.yaml", "vortex_errors.csv", 8.0, 8.0,
					 1.0,		vortex_velocity};
	return check_flow(v, &flow, 32 << (v->level - 1) >> 1, v->level == VALIDATE_COARSE ? 2 : 3);
}

static bool run_zalesak(struct validate *v)
{
	static const struct flow flow = {"zalesak.yaml", NULL, 0.0, 1.0, PI, zalesak_velocity};
	return check_flow(v, &flow, 32 << (v->level - 1) >> 1, v->level == VALIDATE_COARSE ? 2 : 3);
}

static bool run_deformation(struct validate *v)
{
	static const struct flow flow = {
		"deformation.yaml", "deformation_errors.csv", 3.0, 3.0, 2.0, deformation_velocity};
	return check_flow(v, &flow, 16 << (v->level - 1), 2);
}

const struct validate_case validate_vortex = {
	.name = "vortex",
	.title = "a disc of passive particles in a reversing vortex",
	.dim = 2,
	.time = "1 s",
	.source = "exact: all return; published errors of volume-of-fluid methods",
	.run = run_reversing_vortex,
};

const struct validate_case validate_zalesak = {
	.name = "zalesak",
	.title = "a slotted disc of passive particles turns once",
	.dim = 2,
	.time = "1 s",
	.source = "exact: all return",
	.run = run_zalesak,
};

const struct validate_case validate_deformation = {
	.name = "deformation",
	.title = "a ball of passive particles in a reversing deformation",
	.dim = 3,
	.time = "10 s",
	.source = "exact: all return; published errors of volume-of-fluid methods",
	.run = run_deformation,
};
