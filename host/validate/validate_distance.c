/* Distances over the whole grid: redistancing and jump flooding against exact distances. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trial.h"

#define GRIDS 3 /* at most */

/* Off the middle, so that nothing is symmetric to the grid. */
static const double middle[3] = {0.4631, 0.5217, 0.4879};

/* A field of the grid: exact distances from a disc or ball, and what a method makes of them. */
struct distance_field {
	struct trial *trial;
	double radius;
	double *exact; /* [L] */
	f32 *phi, *found;
};

static double exact_distance(const struct distance_field *f, const i32 at[3])
{
	double square = 0.0;
	for (int a = 0; a < f->trial->scene->dim; a++) {
		const double x = (at[a] + 0.5) * f->trial->scene->h - middle[a];
		square += x * x;
	}
	return sqrt(square) - f->radius;
}

static size_t index_of(const struct grid *g, const i32 at[3])
{
	return ((size_t)at[2] * (size_t)g->py + (size_t)at[1]) * (size_t)g->px + (size_t)at[0];
}

/* The next cell; false after the last.  Starts with {-1, 0, 0}. */
static bool next_cell(const struct grid *g, i32 at[3])
{
	if (++at[0] < g->nx)
		return true;
	at[0] = 0;
	if (++at[1] < g->ny)
		return true;
	at[1] = 0;
	return ++at[2] < g->nz;
}

static bool open_field(struct validate *v, int dim, int cells, double radius, bool distorted,
		       struct distance_field *f)
{
	*f = (struct distance_field){.radius = radius};
	char text[160];
	snprintf(text, sizeof(text),
		 "version: 1\ndomain: {size: [1, 1%s], cells: %d}\ntime: {frames: 1}\n"
		 "liquids: [{box: {min: [0, 0%s], max: [1, 0.5%s]}}]\n",
		 dim == 3 ? ", 1" : "", cells, dim == 3 ? ", 0" : "", dim == 3 ? ", 1" : "");
	f->trial = trial_open_text(v, "distance", text);
	if (!f->trial)
		return false;
	const struct grid *g = f->trial->grid;
	f->exact = calloc((size_t)g->lattice, sizeof(*f->exact));
	f->phi = calloc((size_t)g->lattice, sizeof(*f->phi));
	if (!f->exact || !f->phi)
		return message_error("out of memory for the fields of %d cells", g->lattice);
	for (i32 at[3] = {-1, 0, 0}; next_cell(g, at);) {
		const size_t n = index_of(g, at);
		const double d = exact_distance(f, at);
		/* The same surface with a slope from 0.5 to 3. */
		const double stretch =
			1.5 + sin(3.0 * (at[0] + 0.5) / cells + 2.0 * (at[1] + 0.5) / cells);
		f->exact[n] = d;
		f->phi[n] = (f32)(distorted ? d * (1.0 + d) * stretch : d);
	}
	return true;
}

static void close_field(struct distance_field *f)
{
	free(f->exact);
	free(f->phi);
	free(f->found);
	trial_close(f->trial);
}

static const char *const ways[] = {[TRIAL_SWEEP] = "sweeping", [TRIAL_FLOOD] = "jump flooding"};

/* ---- redistancing ------------------------------------------------------------------------- */

struct distance_errors {
	double near, far, mean, moved; /* h; near: within 5 h; moved: the surface's crossings */
};

static double crossing_moved(const struct distance_field *f, size_t n, size_t next)
{
	if ((f->found[n] < 0.0f) == (f->found[next] < 0.0f))
		return 0.0;
	const double before = (double)f->phi[n] / ((double)f->phi[n] - (double)f->phi[next]);
	const double after = (double)f->found[n] / ((double)f->found[n] - (double)f->found[next]);
	return fabs(after - before);
}

static struct distance_errors measure_errors(const struct distance_field *f)
{
	const struct grid *g = f->trial->grid;
	const double h = f->trial->scene->h;
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	struct distance_errors e = {0};
	for (i32 at[3] = {-1, 0, 0}; next_cell(g, at);) {
		const size_t n = index_of(g, at);
		const double error = fabs((double)f->found[n] - f->exact[n]) / h;
		if (fabs(f->exact[n]) <= 5.0 * h)
			e.near = fmax(e.near, error);
		e.far = fmax(e.far, error);
		e.mean += error / ((double)g->nx * g->ny * g->nz);
		for (int a = 0; a < f->trial->scene->dim; a++) {
			i32 to[3] = {at[0], at[1], at[2]};
			if (++to[a] < cells[a])
				e.moved = fmax(e.moved, crossing_moved(f, n, index_of(g, to)));
		}
	}
	return e;
}

static bool check_way(struct validate *v, int dim, int cells, bool distorted,
		      enum trial_distance way, struct distance_errors *e)
{
	struct distance_field f;
	const bool ok = open_field(v, dim, cells, 0.25, distorted, &f) &&
			(f.found = trial_distances(f.trial, way, f.phi));
	if (ok)
		*e = measure_errors(&f);
	close_field(&f);
	if (!ok)
		return false;
	const char *how = distorted ? ", slopes 0.5 to 3" : "";
	validate_at_most(v, "h", e->near, 0.1, "0.1 h for N >= 64 (validation set, 10)",
			 "%d cells%s, %s: error within 5 h", cells, how, ways[way]);
	validate_at_most(v, "h", e->moved, 0.05, "0.05 h (validation set, 10)",
			 "%d cells%s, %s: surface moved", cells, how, ways[way]);
	if (way == TRIAL_FLOOD)
		validate_at_most(v, "h", e->far, 0.25, "0.25 h (validation set, 10)",
				 "%d cells%s, %s: error anywhere", cells, how, ways[way]);
	else if (dim == 2)
		validate_at_most(v, "h", e->far, 1.2,
				 "1.2 h far away for first order, circle (validation set, 10)",
				 "%d cells%s, %s: error anywhere", cells, how, ways[way]);
	else
		validate_note(v, "h", e->far, 0.0, "no figures for balls",
			      "%d cells%s, %s: error anywhere", cells, how, ways[way]);
	return true;
}

/* Both errors shrink with h: that near the surface is of second order, that of sweeping far away is
 * O(h log 1/h) (Zhao 2005), so that in h it grows by about the same from grid to grid. */
static void check_growth(struct validate *v, const double *cells, const struct distance_errors *e,
			 int count)
{
	for (int n = 1; n < count; n++) {
		const struct distance_errors *coarse = &e[n - 1], *fine = &e[n];
		validate_band(v, "", log2(2.0 * coarse->near / fine->near), 2.0, 1.0,
			      (double)INFINITY, "at least of first order",
			      "%.0f cells, sweeping: order of the error within 5 h", cells[n]);
		validate_band(v, "", log2(2.0 * coarse->far / fine->far), 1.0, 0.5,
			      (double)INFINITY, "h log 1/h: at least 0.5 between these grids",
			      "%.0f cells, sweeping: order of the error anywhere", cells[n]);
		validate_note(v, "h", fine->far - coarse->far, 0.165,
			      "0.165 h in a reference computation, centred circle",
			      "%.0f cells, sweeping: growth of the error in h", cells[n]);
	}
}

/* ---- jump flooding ------------------------------------------------------------------------ */

static bool beside_surface(const struct distance_field *f, const i32 at[3])
{
	const struct grid *g = f->trial->grid;
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	const bool inside = f->phi[index_of(g, at)] < 0.0f;
	for (int a = 0; a < f->trial->scene->dim; a++)
		for (i32 side = -1; side <= 1; side += 2) {
			i32 to[3] = {at[0], at[1], at[2]};
			to[a] += side;
			if (to[a] >= 0 && to[a] < cells[a] &&
			    (f->phi[index_of(g, to)] < 0.0f) != inside)
				return true;
		}
	return false;
}

struct flood_errors {
	size_t near, far; /* wrong cells within 5 cells of a seed, and further off */
	double worst;	  /* cells, of the distance */
};

static i32 square_between(const i32 a[3], const i32 b[3])
{
	return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
	       (a[2] - b[2]) * (a[2] - b[2]);
}

/* Every cell against all seeds. */
static bool compare_flood(const struct distance_field *f, const u32 *nearest,
			  struct flood_errors *e)
{
	const struct grid *g = f->trial->grid;
	i32(*seeds)[3] = calloc((size_t)g->lattice, sizeof(*seeds));
	size_t count = 0;
	*e = (struct flood_errors){0};
	if (!seeds)
		return message_error("out of memory for the seeds of %d cells", g->lattice);
	for (i32 at[3] = {-1, 0, 0}; next_cell(g, at);)
		if (beside_surface(f, at)) {
			for (int a = 0; a < 3; a++)
				seeds[count][a] = at[a];
			count++;
		}
	for (i32 at[3] = {-1, 0, 0}; next_cell(g, at);) {
		i32 least = INT32_MAX;
		for (size_t n = 0; n < count; n++) {
			const i32 square = square_between(at, seeds[n]);
			least = square < least ? square : least;
		}
		const i32 seed = (i32)nearest[index_of(g, at)];
		const i32 of[3] = {seed % g->px, seed / g->px % g->py, seed / g->px / g->py};
		const i32 found = square_between(at, of);
		if (found == least)
			continue;
		*(least <= 25 ? &e->near : &e->far) += 1;
		e->worst = fmax(e->worst, sqrt(found) - sqrt(least));
	}
	free(seeds);
	return true;
}

static bool check_flood(struct validate *v, int dim, int cells)
{
	struct distance_field f;
	struct flood_errors e;
	u32 *nearest = NULL;
	const bool ok = open_field(v, dim, cells, 0.3, false, &f) &&
			(nearest = trial_distances(f.trial, TRIAL_NEAREST, f.phi)) &&
			compare_flood(&f, nearest, &e);
	free(nearest);
	close_field(&f);
	if (!ok)
		return false;
	validate_within(v, "", (double)e.near, 0.0, 0.0,
			"exact within 5 cells (validation set, 10)",
			"%d cells, jump flooding: wrong seeds within 5 cells", cells);
	validate_at_most(v, "ppm", 1e6 * (double)e.far / pow(cells, dim), 2000,
			 "0.2 % (validation set, 10)",
			 "%d cells, jump flooding: wrong seeds beyond", cells);
	validate_at_most(v, "h", e.worst, 0.25, "0.25 h (validation set, 10)",
			 "%d cells, jump flooding: error of such a distance", cells);
	return true;
}

/* ---- the cases ---------------------------------------------------------------------------- */

static bool run_distances(struct validate *v, int dim, int coarse, int grids, int flood)
{
	struct distance_errors sweep[GRIDS], flooded[GRIDS], distorted;
	double cells[GRIDS], near[2][GRIDS], far[GRIDS];
	for (int n = 0; n < grids; n++) {
		const int size = coarse << n;
		if (!check_way(v, dim, size, false, TRIAL_SWEEP, &sweep[n]) ||
		    !check_way(v, dim, size, false, TRIAL_FLOOD, &flooded[n]))
			return false;
		cells[n] = size;
		far[n] = sweep[n].far;
		near[0][n] = sweep[n].near;
		near[1][n] = flooded[n].near;
	}
	if (!check_way(v, dim, coarse, true, TRIAL_SWEEP, &distorted) ||
	    !check_way(v, dim, coarse, true, TRIAL_FLOOD, &distorted))
		return false;
	check_growth(v, cells, sweep, grids);
	for (int size = flood; size <= 2 * flood; size *= 2)
		if (!check_flood(v, dim, size))
			return false;
	struct plot plot = {.title = "GREATEST ERROR OF THE DISTANCE",
			    .x_label = "CELLS",
			    .y_label = "h",
			    .y_from_zero = true};
	plot_add(&plot, "sweeping, anywhere", PLOT_LINE, cells, far, (size_t)grids);
	plot_add(&plot, "sweeping, within 5 h", PLOT_LINE, cells, near[0], (size_t)grids);
	plot_add(&plot, "jump flooding, within 5 h", PLOT_MARKERS, cells, near[1], (size_t)grids);
	return validate_figure(v, "errors", &plot,
			       "Greatest error of redistancing, in cells, against the grid.");
}

static bool run_distance(struct validate *v)
{
	return run_distances(v, 2, 64, v->level == VALIDATE_COARSE ? 2 : 3, 128);
}

static bool run_distance_3d(struct validate *v)
{
	return run_distances(v, 3, 32 << (v->level > VALIDATE_COARSE), 2,
			     16 << (v->level > VALIDATE_COARSE));
}

const struct validate_case validate_distance = {
	.name = "distance",
	.title = "redistancing and jump flooding around a disc",
	.dim = 2,
	.time = "2 s",
	.source = "exact distances; all seeds compared",
	.run = run_distance,
};

const struct validate_case validate_distance_3d = {
	.name = "distance-3d",
	.title = "redistancing and jump flooding around a ball",
	.dim = 3,
	.time = "30 s",
	.source = "exact distances; all seeds compared",
	.run = run_distance_3d,
};
