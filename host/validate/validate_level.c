/* The level of flat surfaces, wherever it lies within a cell. */
#include <math.h>
#include <stdlib.h>

#include "measure.h"
#include "trial.h"

/* Mean and standard deviation of the heights of all columns, against the particles' volume, in h.
 */
static bool measure_level(struct trial *trial, double *mean, double *deviation)
{
	const struct grid *g = trial->grid;
	const struct scene *scene = trial->scene;
	const double h = scene->h;
	double area = scene->size[0] * (scene->dim == 3 ? scene->size[2] : 1.0);
	const double level =
		trial->stats->particles * pow(h, scene->dim) / scene->particles_per_cell / area;
	f32 *phi = trial_read(trial, TRIAL_PHI);
	uint8_t *type = phi ? trial_read(trial, TRIAL_CELL_TYPE) : NULL;
	const struct measure_cells cells = {g, h, scene->size[1], 0, phi, type};
	double sum = 0.0, squares = 0.0;
	for (i32 k = 0; type && k < g->nz; k++)
		for (i32 i = 0; i < g->nx; i++) {
			const double point[3] = {(i + 0.5) * h, 0.0, (k + 0.5) * h};
			const struct measure_stencil column =
				measure_stencil_at(g, trial->scene->dim, h, point, -1);
			const double e = (measure_height(&cells, &column) - level) / h;
			sum += e;
			squares += e * e;
		}
	const double columns = (double)g->nx * g->nz;
	*mean = sum / columns;
	*deviation = sqrt(fmax(squares / columns - *mean * *mean, 0.0));
	const bool ok = type != NULL;
	free(type);
	free(phi);
	return ok;
}

/* Heights of the surface within a cell. */
#define LEVELS 10

static bool check_flat(struct validate *v, const char *scene, double bottom, int cells)
{
	double at[LEVELS], mean[LEVELS], spread[LEVELS], worst = 0.0, worst_spread = 0.0, sum = 0.0;
	for (int n = 0; n < LEVELS; n++) {
		at[n] = (n + 0.5) / LEVELS;
		struct trial *trial =
			trial_open(v, scene, "domain.cells=%d\nliquids.0.box.max.1=%.10g", cells,
				   bottom + at[n] / cells);
		const bool ok = trial && measure_level(trial, &mean[n], &spread[n]);
		trial_close(trial);
		if (!ok)
			return false;
		worst = worse_of(worst, mean[n]);
		worst_spread = fmax(worst_spread, spread[n]);
		sum += mean[n] / LEVELS;
	}
	validate_band(v, "dx", sum, 0.0, -0.1, 0.1, "0.1 dx (universe-status)",
		      "%d cells: bias, mean over %d heights within a cell", cells, LEVELS);
	validate_band(v, "dx", worst, 0.0, -0.1, 0.1, "0.1 dx (universe-status)",
		      "%d cells: bias at the worst height", cells);
	validate_note(v, "dx", worst_spread, 0.0, "", "%d cells: spread at the worst height",
		      cells);
	struct plot plot = {.title = "HEIGHT OF A FLAT SURFACE MINUS THE TRUE ONE",
			    .x_label = "PLACE WITHIN THE CELL (dx)",
			    .y_label = "dx"};
	plot_add(&plot, "mean", PLOT_LINE, at, mean, LEVELS);
	plot_add(&plot, "standard deviation", PLOT_MARKERS, at, spread, LEVELS);
	return validate_figure(v, "bias", &plot, "Bias and spread of the height.");
}

static bool run_flat_surface(struct validate *v)
{
	return check_flat(v, "flat_surface_2d.yaml", 0.5, 32 << (v->level - 1));
}

static bool run_flat_surface_3d(struct validate *v)
{
	return check_flat(v, "flat_surface_3d.yaml", 0.25, 16 << (v->level - 1));
}

const struct validate_case validate_flat_surface = {
	.name = "flat-surface",
	.title = "level of flat surfaces, 4 jittered particles per cell",
	.dim = 2,
	.time = "1 s",
	.source = "exact: the particles' volume over the area",
	.run = run_flat_surface,
};

const struct validate_case validate_flat_surface_3d = {
	.name = "flat-surface-3d",
	.title = "level of flat surfaces, 8 jittered particles per cell",
	.dim = 3,
	.time = "2 s",
	.source = "exact: the particles' volume over the area",
	.run = run_flat_surface_3d,
};
