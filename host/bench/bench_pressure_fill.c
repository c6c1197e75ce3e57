/* The fields of the pressure benchmark's scenes, from formulas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_pressure.h"
#include "message.h"
#include "random_unit.h"

#define GRAVITY 9.81
/* A face is this much open where half a cell of plate stands beside it. */
#define HALF_OPEN (FRACTION_ONE / 2)
/* Most drops over the wavy dam. */
#define MOST_DROPS 337

/* ---- the liquid --------------------------------------------------------------------------- */

struct drop {
	double centre[3], radius;
};

struct liquid {
	const struct bench_scene *scene;
	const struct bench_wave *wave;
	double plate; /* x of the wall between two pools */
	double level; /* height of the pool that ends with a row of its own */
	struct drop drops[MOST_DROPS];
	size_t drop_count;
};

static double wavy_surface(const double p[3])
{
	return 0.4 + 0.05 * sin(2.0 * acos(-1.0) * (1.5 * p[0] + 0.1)) +
	       0.03 * sin(2.0 * acos(-1.0) * (2.5 * p[2] + 1.0 * p[0]));
}

/* Drops from less than one to a few cells across, where there is room for them. */
static void place_drops(struct liquid *liquid, int dim, int cells)
{
	uint64_t random = 2026;
	const double h = 1.0 / cells;
	double room = 0.45;
	for (int a = 0; a < dim; a++)
		room *= cells;
	const double wanted = room / (dim == 3 ? 60.0 : 20.0);
	liquid->drop_count = wanted < MOST_DROPS ? (size_t)wanted : MOST_DROPS;
	for (size_t i = 0; i < liquid->drop_count; i++) {
		struct drop *d = &liquid->drops[i];
		d->radius = h * (0.6 + 1.6 * random_unit(&random));
		for (int a = 0; a < 3; a++)
			d->centre[a] = random_unit(&random);
		d->centre[1] = 0.5 + 0.48 * d->centre[1];
		if (dim == 2)
			d->centre[2] = 0.0;
	}
}

/* Signed distance to the surface, but for drops: place_drop() adds them. */
static double liquid_phi(const struct liquid *liquid, const double p[3])
{
	const double pi = acos(-1.0);
	switch (liquid->scene->liquid) {
	case LIQUID_POOL:
		return p[1] - 0.5031;
	case LIQUID_ROW:
		return p[1] - liquid->level;
	case LIQUID_DROPS:
		return p[1] - wavy_surface(p);
	case LIQUID_WAVE:
		return bench_wave_phi(liquid->wave, p);
	case LIQUID_RIPPLED:
		return p[1] - 0.5031 - 0.02 * sin(4.0 * pi * p[0] + 1.0) -
		       0.01 * sin(6.0 * pi * p[2] + 2.0 * p[0]);
	case LIQUID_TWO:
		return p[1] - (p[0] < liquid->plate ? 0.6031 : 0.4017);
	default:
		return -1.0;
	}
}

/* ---- fields ------------------------------------------------------------------------------- */

struct fields {
	struct grid g;
	int dim, cells;
	float *phi, *u;
	uint8_t *type;
	uint16_t *open;
};

static void free_values(struct fields *f)
{
	free(f->phi);
	free(f->u);
	free(f->type);
	free(f->open);
}

static bool fields_create(struct fields *f, const struct sim *sim)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice,
		     faces = lattice * (size_t)sim->dim;
	f->g = sim->lattice.grid;
	f->dim = sim->dim;
	f->cells = sim->lattice.grid.nx;
	f->phi = calloc(lattice, sizeof(*f->phi));
	f->u = calloc(faces, sizeof(*f->u));
	f->type = malloc(lattice);
	f->open = calloc(faces, sizeof(*f->open));
	return (f->phi && f->u && f->type && f->open) ||
	       message_memory(lattice * 13 * sizeof(float),
			      "the case's fields; fewer --cells need less");
}

static size_t at_cell(const struct fields *f, int i, int j, int k)
{
	return ((size_t)k * (size_t)f->g.py + (size_t)j) * (size_t)f->g.px + (size_t)i;
}

static size_t stride_of(const struct fields *f, int axis)
{
	return axis == 0 ? 1 : axis == 1 ? (size_t)f->g.px : (size_t)f->g.px * (size_t)f->g.py;
}

static uint16_t *open_at(const struct fields *f, int axis, size_t at)
{
	return &f->open[(size_t)axis * (size_t)f->g.lattice + at];
}

#define FOR_ALL_CELLS(f, i, j, k)                   \
	for (int k = 0; k < (f)->g.nz; k++)         \
		for (int j = 0; j < (f)->g.ny; j++) \
			for (int i = 0; i < (f)->g.nx; i++)

/* Lowers phi in the cells around a drop. */
static void place_drop(struct fields *f, const struct drop *d)
{
	const double h = 1.0 / f->cells;
	int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
	for (int a = 0; a < f->dim; a++) {
		low[a] = (int)fmax(0.0, floor((d->centre[a] - d->radius) / h) - 2.0);
		high[a] = (int)fmin(f->cells - 1.0, floor((d->centre[a] + d->radius) / h) + 2.0);
	}
	for (int k = low[2]; k <= high[2]; k++)
		for (int j = low[1]; j <= high[1]; j++)
			for (int i = low[0]; i <= high[0]; i++) {
				const double x = (i + 0.5) * h - d->centre[0];
				const double y = (j + 0.5) * h - d->centre[1];
				const double z = f->dim == 3 ? (k + 0.5) * h - d->centre[2] : 0.0;
				const float phi = (float)(sqrt(x * x + y * y + z * z) - d->radius);
				float *here = &f->phi[at_cell(f, i, j, k)];
				*here = phi < *here ? phi : *here;
			}
}

static void fill_phi(struct fields *f, const struct liquid *liquid)
{
	const double h = 1.0 / f->cells;
	FOR_ALL_CELLS(f, i, j, k)
	{
		const double p[3] = {(i + 0.5) * h, (j + 0.5) * h, f->dim == 3 ? (k + 0.5) * h : 0};
		f->phi[at_cell(f, i, j, k)] = (float)liquid_phi(liquid, p);
	}
	for (size_t n = 0; n < liquid->drop_count; n++)
		place_drop(f, &liquid->drops[n]);
}

/* Opens what the scene's solid closed: all faces between cells. */
static void open_all(struct fields *f)
{
	FOR_ALL_CELLS(f, i, j, k)
	{
		const int here[3] = {i, j, k};
		for (int a = 0; a < f->dim; a++)
			if (here[a] > 0)
				*open_at(f, a, at_cell(f, i, j, k)) = FRACTION_ONE;
	}
}

/* A plate from x = first cells on, from wall to wall. */
static void close_plate(struct fields *f, int first, double thickness)
{
	FOR_ALL_CELLS(f, i, j, k)
	{
		const size_t at = at_cell(f, i, j, k);
		if (i >= first && i <= first + (int)thickness)
			*open_at(f, 0, at) = 0;
		if (!(i >= first && i < first + thickness))
			continue;
		for (int a = 1; a < f->dim; a++)
			for (int side = 0; side < 2; side++) {
				uint16_t *open = open_at(f, a, at + (size_t)side * stride_of(f, a));
				if (thickness >= 1.0)
					*open = 0;
				else if (*open > HALF_OPEN)
					*open = HALF_OPEN;
			}
	}
}

/* A wall; a wall with one hole; between the first and the side of the box, shelves with a gap every
 * nine cells.  The layout that multigrid was first tried on in double precision. */
static void close_baffles(struct fields *f, int offset)
{
	const int n = f->cells, wall = n / 3 + offset - 1, pierced = 2 * n / 3 + offset - 1;
	FOR_ALL_CELLS(f, i, j, k)
	{
		const size_t at = at_cell(f, i, j, k);
		const bool hole = j == 2 && (f->dim == 2 || k == n / 2);
		if (i == wall || (i == pierced && !hole))
			*open_at(f, 0, at) = 0;
		if (i < wall && j % 5 == 0 && j > 0 && j < n / 2 && i % 9 != 0)
			*open_at(f, 1, at) = 0;
	}
}

/* Walls every n/4 cells (and one more, so that they do not fall on coarse cells) along every axis,
 * each chamber's face pierced by one cell. */
static void close_chambers(struct fields *f, int offset)
{
	const int room = f->cells / 4 + 1;
	FOR_ALL_CELLS(f, i, j, k)
	{
		const int here[3] = {i + offset, j + offset, k + offset};
		for (int a = 0; a < f->dim; a++) {
			bool hole = true;
			for (int b = 0; b < f->dim; b++)
				hole &= b == a || here[b] % room == room / 2;
			if (here[a] % room == 0 && !hole)
				*open_at(f, a, at_cell(f, i, j, k)) = 0;
		}
	}
}

static double fill_types(struct fields *f)
{
	double unknowns = 0.0;
	memset(f->type, CELL_SOLID, (size_t)f->g.lattice);
	FOR_ALL_CELLS(f, i, j, k)
	{
		const size_t at = at_cell(f, i, j, k);
		bool open = false;
		for (int a = 0; a < f->dim; a++)
			open |= *open_at(f, a, at) || *open_at(f, a, at + stride_of(f, a));
		if (open)
			f->type[at] = f->phi[at] < 0.0f ? CELL_LIQUID : CELL_AIR;
		unknowns += f->type[at] == CELL_LIQUID;
	}
	return unknowns;
}

/* Gravity for the time a cell's free fall takes, and random numbers on every face, of a size that
 * gives both about the same share of the right-hand side: the first has the lowest frequencies,
 * the second all of them. */
static void fill_velocity(struct fields *f)
{
	const size_t lattice = (size_t)f->g.lattice;
	const double fall = sqrt(GRAVITY / f->cells);
	const double noise = fall * sqrt(3.0 / (f->dim * f->cells));
	uint64_t random = 1;
	for (int a = 0; a < f->dim; a++)
		for (size_t n = 0; n < lattice; n++)
			f->u[(size_t)a * lattice + n] =
				(float)(noise * (2.0 * random_unit(&random) - 1.0) -
					(a == 1 ? fall : 0.0));
}

bool bench_scene_fill(struct sim *sim, size_t scene, int offset, const struct bench_wave *wave,
		      double *unknowns)
{
	const struct bench_scene *d = bench_scene(scene);
	const size_t lattice = (size_t)sim->lattice.grid.lattice,
		     faces = lattice * (size_t)sim->dim;
	struct clx *cl = sim->cl;
	struct fields f = {0};
	struct liquid liquid = {.scene = d, .wave = wave};
	bool ok = fields_create(&f, sim) &&
		  clx_read(cl, &sim->solids.open_fraction, 0, faces * sizeof(*f.open), f.open);
	if (ok) {
		const int first = f.cells / 2 + offset;
		liquid.plate = (double)first / f.cells;
		liquid.level = (first + 0.2) / f.cells;
		if (d->liquid == LIQUID_DROPS)
			place_drops(&liquid, f.dim, f.cells);
		fill_phi(&f, &liquid);
		if (d->walls != WALLS_NONE)
			open_all(&f);
		if (d->walls == WALLS_PLATE)
			close_plate(&f, first, d->thickness);
		else if (d->walls == WALLS_BAFFLES)
			close_baffles(&f, offset);
		else if (d->walls == WALLS_CHAMBERS)
			close_chambers(&f, offset);
		*unknowns = fill_types(&f);
		fill_velocity(&f);
		ok = clx_write(cl, &sim->phi, 0, lattice * sizeof(*f.phi), f.phi) &&
		     clx_write(cl, &sim->cell_type, 0, lattice, f.type) &&
		     clx_write(cl, &sim->solids.open_fraction, 0, faces * sizeof(*f.open),
			       f.open) &&
		     clx_write(cl, &sim->u_face, 0, faces * sizeof(*f.u), f.u);
	}
	free_values(&f);
	return ok;
}
