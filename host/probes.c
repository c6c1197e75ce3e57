#include "probes.h"

#include <math.h>
#include <stdlib.h>

#include "message.h"

/* The 2^3 samples around a point, and how much each counts.  In 2D the upper four count 0. */
struct stencil {
	int base[3];	  /* lattice point of the first sample */
	int step[3];	  /* 1, or 0 along an axis with one sample only */
	double weight[3]; /* of the upper sample along each axis */
};

static int clamp_index(int i, int low, int high)
{
	return i < low ? low : i > high ? high : i;
}

/* Samples along `axis` lie at (i + offset) h for 0 <= i < count.  Points beyond the outermost
 * samples keep the nearest pair, so that the weights extrapolate. */
static void place_axis(struct stencil *s, int axis, double x, double h, double offset, int count)
{
	double at = x / h - offset;
	s->base[axis] = clamp_index((int)floor(at), 0, count > 1 ? count - 2 : 0);
	s->step[axis] = count > 1;
	s->weight[axis] = count > 1 ? at - s->base[axis] : 0.0;
}

/* Where component `c` of a face field lies; c = -1: cell centres. */
static struct stencil stencil_at(const struct sim *sim, const double point[3], int c)
{
	struct stencil s = {0};
	const i32 n[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
	for (int axis = 0; axis < sim->dim; axis++)
		place_axis(&s, axis, point[axis], sim->scene->h, axis == c ? 0.0 : 0.5,
			   n[axis] + (axis == c));
	return s;
}

static size_t sample_index(const struct grid *g, const struct stencil *s, int corner)
{
	int i = s->base[0] + s->step[0] * (corner & 1);
	int j = s->base[1] + s->step[1] * (corner >> 1 & 1);
	int k = s->base[2] + s->step[2] * (corner >> 2 & 1);
	return ((size_t)k * (size_t)g->py + (size_t)j) * (size_t)g->px + (size_t)i;
}

static double corner_weight(const struct stencil *s, int corner)
{
	double product = 1.0;
	for (int axis = 0; axis < 3; axis++)
		product *= corner >> axis & 1 ? s->weight[axis] : 1.0 - s->weight[axis];
	return product;
}

/* The weighted mean over the samples that count.  Where some do not, the others are not
 * extrapolated from. */
static bool mean(struct stencil s, const double value[8], const bool counts[8], double *result)
{
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

static bool sample_pressure(struct sim *sim, const double point[3], struct probe_value *out)
{
	struct stencil s = stencil_at(sim, point, -1);
	double value[8];
	bool counts[8];
	for (int corner = 0; corner < 8; corner++) {
		size_t at = sample_index(&sim->grid, &s, corner);
		f32 pressure;
		uint8_t type;
		if (!clx_read(sim->cl, &sim->pressure, at * sizeof(f32), sizeof(f32), &pressure) ||
		    !clx_read(sim->cl, &sim->cell_type, at, 1, &type))
			return false;
		value[corner] = (double)pressure;
		counts[corner] = type != CELL_SOLID;
	}
	out->count = 1;
	out->known = mean(s, value, counts, &out->value[0]);
	return true;
}

static bool sample_velocity(struct sim *sim, const double point[3], struct probe_value *out)
{
	out->count = 3;
	out->known = true;
	out->value[2] = 0.0;
	for (int c = 0; c < sim->dim; c++) {
		struct stencil s = stencil_at(sim, point, c);
		double value[8];
		bool counts[8];
		for (int corner = 0; corner < 8; corner++) {
			size_t at = sample_index(&sim->grid, &s, corner);
			size_t slot = (size_t)c * (size_t)sim->grid.lattice + at;
			f32 speed;
			uint8_t valid;
			if (!clx_read(sim->cl, &sim->u_face, slot * sizeof(f32), sizeof(f32),
				      &speed) ||
			    !clx_read(sim->cl, &sim->valid, at, 1, &valid))
				return false;
			value[corner] = (double)speed;
			counts[corner] = valid >> c & 1;
		}
		out->known = mean(s, value, counts, &out->value[c]) && out->known;
	}
	return true;
}

/* phi and solidity of one height of the column, from the slab of lattice rows that was read. */
static bool column_phi(const struct sim *sim, struct stencil s, int j, const f32 *phi,
		       const uint8_t *type, double *result)
{
	size_t slab = (size_t)s.base[2] * (size_t)sim->grid.py * (size_t)sim->grid.px;
	double value[8];
	bool counts[8];
	s.base[1] = j;
	s.step[1] = 0;
	s.weight[1] = 0.0;
	for (int corner = 0; corner < 8; corner++) {
		size_t at = sample_index(&sim->grid, &s, corner) - slab;
		value[corner] = (double)phi[at];
		counts[corner] = type[at] != CELL_SOLID;
	}
	return mean(s, value, counts, result);
}

static double column_height(const struct sim *sim, const struct stencil *s, const f32 *phi,
			    const uint8_t *type)
{
	double h = sim->scene->h, below = 0.0;
	bool wet = false;
	for (int j = 0; j < sim->grid.ny; j++) {
		double here, y = ((double)j + 0.5) * h;
		if (!column_phi(sim, *s, j, phi, type, &here)) {
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
	return wet ? sim->scene->size[1] : 0.0;
}

static bool sample_height(struct sim *sim, const double point[3], struct probe_value *out)
{
	const struct grid *g = &sim->grid;
	struct stencil s = stencil_at(sim, point, -1);
	size_t plane = (size_t)g->px * (size_t)g->py;
	size_t first = (size_t)s.base[2] * plane;
	size_t count = (size_t)(s.step[2] + 1) * plane;
	f32 *phi = malloc(count * sizeof(*phi));
	uint8_t *type = malloc(count);
	bool ok = phi && type;
	if (!ok)
		message_error("out of memory for a height probe (%zu values)", count);
	ok = ok && clx_read(sim->cl, &sim->phi, first * sizeof(*phi), count * sizeof(*phi), phi) &&
	     clx_read(sim->cl, &sim->cell_type, first, count, type);
	if (ok) {
		out->count = 1;
		out->known = true;
		out->value[0] = column_height(sim, &s, phi, type);
	}
	free(type);
	free(phi);
	return ok;
}

bool probe_sample(struct sim *sim, const struct scene_probe *probe, struct probe_value *value)
{
	*value = (struct probe_value){0};
	switch (probe->quantity) {
	case QUANTITY_PRESSURE:
		return sample_pressure(sim, probe->point, value);
	case QUANTITY_VELOCITY:
		return sample_velocity(sim, probe->point, value);
	case QUANTITY_HEIGHT:
		return sample_height(sim, probe->point, value);
	}
	return false;
}
