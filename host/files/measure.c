#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "message.h"

static int clamp_index(int i, int low, int high)
{
	return i < low ? low : i > high ? high : i;
}

/* Samples along `axis` lie at (i + offset) h for 0 <= i < count.  Points beyond the outermost
 * samples keep the nearest pair, so that the weights extrapolate. */
static void place_axis(struct measure_stencil *s, int axis, double x, double h, double offset,
		       int count)
{
	double at = x / h - offset;
	s->base[axis] = clamp_index((int)floor(at), 0, count > 1 ? count - 2 : 0);
	s->step[axis] = count > 1;
	s->weight[axis] = count > 1 ? at - s->base[axis] : 0.0;
}

struct measure_stencil measure_stencil_at(const struct grid *grid, int dim, double h,
					  const double point[3], int c)
{
	struct measure_stencil s = {0};
	const i32 n[3] = {grid->nx, grid->ny, grid->nz};
	for (int axis = 0; axis < dim; axis++)
		place_axis(&s, axis, point[axis], h, axis == c ? 0.0 : 0.5, n[axis] + (axis == c));
	return s;
}

size_t measure_sample(const struct grid *grid, const struct measure_stencil *s, int corner)
{
	int i = s->base[0] + s->step[0] * (corner & 1);
	int j = s->base[1] + s->step[1] * (corner >> 1 & 1);
	int k = s->base[2] + s->step[2] * (corner >> 2 & 1);
	return ((size_t)k * (size_t)grid->py + (size_t)j) * (size_t)grid->px + (size_t)i;
}

static double corner_weight(const struct measure_stencil *s, int corner)
{
	double product = 1.0;
	for (int axis = 0; axis < 3; axis++)
		product *= corner >> axis & 1 ? s->weight[axis] : 1.0 - s->weight[axis];
	return product;
}

bool measure_mean(const struct measure_stencil *stencil, const double value[8],
		  const bool counts[8], double *result)
{
	struct measure_stencil s = *stencil;
	bool all = true;
	for (int corner = 0; corner < 8; corner++)
		all = all && counts[corner];
	for (int axis = 0; axis < 3 && !all; axis++)
		s.weight[axis] = fmin(fmax(s.weight[axis], 0.0), 1.0);
	double sum = 0.0, weights = 0.0;
	for (int corner = 0; corner < 8; corner++) {
		if (!counts[corner])
			continue;
		double weight = corner_weight(&s, corner);
		sum += weight * value[corner];
		weights += weight;
	}
	if (!(weights > 1e-6))
		return false;
	*result = sum / weights;
	return true;
}

/* phi at one height of the column; false inside solids. */
static bool column_phi(const struct measure_cells *cells, struct measure_stencil s, int j,
		       double *result)
{
	double value[8];
	bool counts[8];
	s.base[1] = j;
	s.step[1] = 0;
	s.weight[1] = 0.0;
	for (int corner = 0; corner < 8; corner++) {
		size_t at = measure_sample(cells->grid, &s, corner) - cells->first;
		value[corner] = (double)cells->phi[at];
		counts[corner] = cells->type[at] != CELL_SOLID;
	}
	return measure_mean(&s, value, counts, result);
}

double measure_height(const struct measure_cells *cells, const struct measure_stencil *column)
{
	double h = cells->h, below = 0.0;
	bool wet = false;
	for (int j = 0; j < cells->grid->ny; j++) {
		double here, y = ((double)j + 0.5) * h;
		if (!column_phi(cells, *column, j, &here)) {
			if (wet)
				return (double)j * h; /* liquid up to the underside of a solid */
			continue;
		}
		if (!wet && here >= 0.0) {
			/* Less than half a cell deep: phi is a distance. */
			double surface = y - here;
			return surface > (double)j * h ? surface : 0.0;
		}
		if (here >= 0.0)
			return y - h * here / (here - below);
		wet = true;
		below = here;
	}
	return wet ? cells->top : 0.0;
}

bool measure_front(const struct grid *grid, double h, int particles_per_cell, double depth,
		   const f32 *x, const u32 *id, size_t count, double *front, double *farthest)
{
	const double enough = depth / h * particles_per_cell * grid->nz;
	size_t *slabs = calloc((size_t)grid->nx, sizeof(*slabs));
	double most = 0.0;
	if (!slabs)
		return message_error("out of memory for a front probe");
	for (size_t p = 0; p < count; p++) {
		if (id[p] == ID_REMOVED)
			continue;
		const int slab = (int)floor((double)x[p] / h);
		slabs[clamp_index(slab, 0, grid->nx - 1)]++;
		most = fmax(most, (double)x[p]);
	}
	*front = 0.0;
	for (int i = grid->nx - 1; i >= 0 && !(*front > 0.0); i--)
		if (slabs[i] > 0 && (double)slabs[i] >= enough)
			*front = (i + 1) * h;
	if (farthest)
		*farthest = most;
	free(slabs);
	return true;
}

void measure_front_cells(const struct grid *grid, double h, double depth, const u32 *units,
			 double *front, double *farthest)
{
	const double enough = depth / h * grid->nz * VOLUME_ONE;
	*front = *farthest = 0.0;
	for (i32 i = grid->nx - 1; i >= 0 && !(*front > 0.0); i--) {
		double slab = 0.0;
		for (i32 k = 0; k < grid->nz; k++)
			for (i32 j = 0; j < grid->ny; j++)
				slab += (i32)units[((size_t)k * (size_t)grid->py + (size_t)j) *
							   (size_t)grid->px +
						   (size_t)i];
		if (slab > 0.0 && !(*farthest > 0.0))
			*farthest = (i + 1) * h;
		if (slab > 0.0 && slab >= enough)
			*front = (i + 1) * h;
	}
}
