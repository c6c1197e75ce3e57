/* The scenes of `freshet bench --pressure`: fields from formulas in the unit square or cube. */
#include <math.h>
#include <string.h>

#include "bench_pressure.h"
#include "random_unit.h"

#define GRAVITY 9.81
/* A face is this much open where half a cell of plate stands beside it. */
#define HALF_OPEN (FRACTION_ONE / 2)
/* Most drops over the wavy dam: more are no harder, and take long to place on large grids. */
#define MOST_DROPS 337

/* Two of them overlap. */
static const char spheres[] = "  - sphere: {center: [0.3, 0.2, 0.3], radius: 0.12}\n"
			      "  - sphere: {center: [0.7, 0.25, 0.6], radius: 0.15}\n"
			      "  - sphere: {center: [0.5, 0.35, 0.2], radius: 0.08}\n"
			      "  - sphere: {center: [0.2, 0.15, 0.75], radius: 0.1}\n"
			      "  - sphere: {center: [0.75, 0.1, 0.2], radius: 0.09}\n";
static const char slabs[] = "  - intersection:\n"
			    "    - half_space: {point: [0.411, 0.3, 0], normal: [0.9, 0.43, 0]}\n"
			    "    - half_space: {point: [0.389, 0.3, 0], normal: [-0.9, -0.43, 0]}\n"
			    "    - half_space: {point: [0.0, 0.62, 0], normal: [0, 1, 0]}\n"
			    "  - intersection:\n"
			    "    - half_space: {point: [0.705, 0.3, 0], normal: [0.8, -0.6, 0]}\n"
			    "    - half_space: {point: [0.695, 0.3, 0], normal: [-0.8, 0.6, 0]}\n"
			    "    - half_space: {point: [0.0, 0.7, 0], normal: [0, 1, 0]}\n";

static const struct bench_scene scenes[] = {
	{"pool", "a dam at rest", LIQUID_POOL},
	{"row", "a dam at rest whose top row of cells is alone in every coarse one", LIQUID_ROW},
	{"drops", "a wavy dam and up to 337 drops", LIQUID_DROPS},
	{"wave", "a breaking wave of a dam break", LIQUID_WAVE},
	{"round", "a rippled pool with five spheres, cut cells", LIQUID_RIPPLED, .solids = spheres},
	{"plate", "two pools and a plate without thickness between them", LIQUID_TWO, WALLS_PLATE},
	{"plate-half", "the same, half a cell thick", LIQUID_TWO, WALLS_PLATE, 0.5},
	{"plate-1", "the same, one cell thick", LIQUID_TWO, WALLS_PLATE, 1.0, .on_request = true},
	{"plate-2", "the same, two cells thick", LIQUID_TWO, WALLS_PLATE, 2.0, .on_request = true},
	{"slabs", "a pool with two tilted slabs, 0.02 and 0.008 of the box thick", LIQUID_POOL,
	 .solids = slabs},
	{"baffles", "walls and shelves without thickness, a hole of one cell", LIQUID_POOL,
	 WALLS_BAFFLES},
	{"chambers", "a full tank of many chambers, holes of one cell", LIQUID_FULL, WALLS_CHAMBERS,
	 .on_request = true},
	{"sealed", "a full closed box: singular", LIQUID_FULL},
};

const struct bench_scene *bench_scene(size_t scene)
{
	return scene < sizeof(scenes) / sizeof(scenes[0]) ? &scenes[scene] : NULL;
}

static size_t cell_index(const struct bench_fields *f, const int at[3])
{
	return ((size_t)at[2] * (size_t)f->grid.py + (size_t)at[1]) * (size_t)f->grid.px +
	       (size_t)at[0];
}

/* at: every place of a box from `low` to `high`, inclusive, x fastest. */
#define FOR_PLACES(at, low, high)                                         \
	for ((at)[2] = (low)[2]; (at)[2] <= (high)[2]; (at)[2]++)         \
		for ((at)[1] = (low)[1]; (at)[1] <= (high)[1]; (at)[1]++) \
			for ((at)[0] = (low)[0]; (at)[0] <= (high)[0]; (at)[0]++)

/* ---- the liquid --------------------------------------------------------------------------- */

/* The first cell beside the plate, and the wall between two pools. */
static int first_of(const struct bench_fields *f)
{
	return f->cells / 2 + f->offset;
}

/* Signed distance to the surface, but for drops. */
static double liquid_phi(const struct bench_fields *f, enum bench_liquid liquid,
			 const struct bench_wave *wave, const double p[3])
{
	const double pi = acos(-1.0);
	switch (liquid) {
	case LIQUID_POOL:
		return p[1] - 0.5031;
	case LIQUID_ROW:
		return p[1] - (first_of(f) + 0.2) / f->cells;
	case LIQUID_DROPS:
		return p[1] - (0.4 + 0.05 * sin(2.0 * pi * (1.5 * p[0] + 0.1)) +
			       0.03 * sin(2.0 * pi * (2.5 * p[2] + 1.0 * p[0])));
	case LIQUID_WAVE:
		return bench_wave_phi(wave, p);
	case LIQUID_RIPPLED:
		return p[1] - 0.5031 - 0.02 * sin(4.0 * pi * p[0] + 1.0) -
		       0.01 * sin(6.0 * pi * p[2] + 2.0 * p[0]);
	case LIQUID_TWO:
		return p[1] - (p[0] < (double)first_of(f) / f->cells ? 0.6031 : 0.4017);
	default:
		return -1.0;
	}
}

/* Lowers phi in the cells around a drop. */
static void add_drop(struct bench_fields *f, const double centre[3], double radius)
{
	const double h = 1.0 / f->cells;
	int at[3], low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
	for (int a = 0; a < f->dim; a++) {
		low[a] = (int)fmax(0.0, floor((centre[a] - radius) / h) - 2.0);
		high[a] = (int)fmin(f->cells - 1.0, floor((centre[a] + radius) / h) + 2.0);
	}
	FOR_PLACES(at, low, high)
	{
		double square = 0.0;
		for (int a = 0; a < f->dim; a++)
			square += ((at[a] + 0.5) * h - centre[a]) * ((at[a] + 0.5) * h - centre[a]);
		const float phi = (float)(sqrt(square) - radius);
		float *here = &f->phi[cell_index(f, at)];
		*here = phi < *here ? phi : *here;
	}
}

/* Drops from less than one to a few cells across, where there is room for them. */
static void add_drops(struct bench_fields *f)
{
	uint64_t random = 2026;
	double room = 0.45;
	for (int a = 0; a < f->dim; a++)
		room *= f->cells;
	const double wanted = fmin(room / (f->dim == 3 ? 60.0 : 20.0), MOST_DROPS);
	for (int i = 0; i < (int)wanted; i++) {
		const double radius = 1.0 / f->cells * (0.6 + 1.6 * random_unit(&random));
		double centre[3];
		for (int a = 0; a < 3; a++)
			centre[a] = random_unit(&random);
		centre[1] = 0.5 + 0.48 * centre[1];
		add_drop(f, centre, radius);
	}
}

/* ---- the walls ---------------------------------------------------------------------------- */

/*
 * How much of a face is open, of those inside the box and of its lid.
 *
 * Plate: from x = first cells on, from wall to wall.
 * Baffles: a wall; a wall with one hole; between the first and the side of the box, shelves with a
 * gap every nine cells.  The layout that multigrid was first tried on in double precision.
 * Chambers: walls every n/4 cells (and one more, so that they do not fall on coarse cells) along
 * every axis, each chamber's face pierced by one cell.
 */
static int wall_open(const struct bench_fields *f, const struct bench_scene *scene, int axis,
		     const int at[3])
{
	const int n = f->cells, first = first_of(f), wall = n / 3 + f->offset - 1;
	const int pierced = 2 * n / 3 + f->offset - 1, room = n / 4 + 1;
	bool closed = false, hole = true;
	switch (scene->walls) {
	case WALLS_PLATE:
		if (axis > 0 && at[0] >= first && at[0] < first + scene->thickness)
			return scene->thickness < 1.0 ? HALF_OPEN : 0;
		closed = axis == 0 && at[0] >= first && at[0] <= first + (int)scene->thickness;
		break;
	case WALLS_BAFFLES:
		hole = at[1] == 2 && (f->dim == 2 || at[2] == n / 2);
		closed = axis == 0   ? at[0] == wall || (at[0] == pierced && !hole)
			 : axis == 1 ? at[0] < wall && at[1] % 5 == 0 && at[1] > 0 &&
					       at[1] < n / 2 && at[0] % 9 != 0
				     : false;
		break;
	case WALLS_CHAMBERS:
		for (int b = 0; b < f->dim; b++)
			hole &= b == axis || (at[b] + f->offset) % room == room / 2;
		closed = (at[axis] + f->offset) % room == 0 && !hole;
		break;
	default:
		break;
	}
	return closed ? 0 : FRACTION_ONE;
}

/* In place of what the scene's solid closed. */
static void set_walls(struct bench_fields *f, const struct bench_scene *scene)
{
	const int low[3] = {0};
	for (int axis = 0; axis < f->dim; axis++) {
		int at[3], high[3] = {f->grid.nx - 1, f->grid.ny - 1, f->grid.nz - 1};
		const int end = ++high[axis];
		FOR_PLACES(at, low, high)
		{
			uint16_t *open = &f->open[(size_t)axis * (size_t)f->grid.lattice +
						  cell_index(f, at)];
			const int most = wall_open(f, scene, axis, at);
			if (at[axis] > 0 && at[axis] < end)
				*open = (uint16_t)most;
			else if (*open > most)
				*open = (uint16_t)most;
		}
	}
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool has_opening(const struct bench_fields *f, size_t at)
{
	const size_t strides[3] = {1, (size_t)f->grid.px, (size_t)f->grid.px * (size_t)f->grid.py};
	bool open = false;
	for (int a = 0; a < f->dim; a++) {
		const uint16_t *faces = &f->open[(size_t)a * (size_t)f->grid.lattice];
		open |= faces[at] || faces[at + strides[a]];
	}
	return open;
}

/* Gravity for the time a cell's free fall takes, and random numbers on every face, of a size that
 * gives both about the same share of the right-hand side: the first has the lowest frequencies,
 * the second all of them. */
static void fill_velocity(struct bench_fields *f)
{
	const size_t lattice = (size_t)f->grid.lattice;
	const double fall = sqrt(GRAVITY / f->cells);
	const double noise = fall * sqrt(3.0 / (f->dim * f->cells));
	uint64_t random = 1;
	for (size_t n = 0; n < (size_t)f->dim * lattice; n++)
		f->u[n] = (float)(noise * (2.0 * random_unit(&random) - 1.0) -
				  (n / lattice == 1 ? fall : 0.0));
}

double bench_fields_fill(struct bench_fields *f, const struct bench_scene *scene,
			 const struct bench_wave *wave)
{
	const double h = 1.0 / f->cells;
	const int low[3] = {0}, high[3] = {f->grid.nx - 1, f->grid.ny - 1, f->grid.nz - 1};
	double unknowns = 0.0;
	int at[3];
	memset(f->phi, 0, (size_t)f->grid.lattice * sizeof(*f->phi));
	memset(f->type, CELL_SOLID, (size_t)f->grid.lattice);
	FOR_PLACES(at, low, high)
	{
		const double p[3] = {(at[0] + 0.5) * h, (at[1] + 0.5) * h,
				     f->dim == 3 ? (at[2] + 0.5) * h : 0.0};
		f->phi[cell_index(f, at)] = (float)liquid_phi(f, scene->liquid, wave, p);
	}
	if (scene->liquid == LIQUID_DROPS)
		add_drops(f);
	if (scene->walls)
		set_walls(f, scene);
	FOR_PLACES(at, low, high)
	{
		const size_t n = cell_index(f, at);
		if (has_opening(f, n))
			f->type[n] = f->phi[n] < 0.0f ? CELL_LIQUID : CELL_AIR;
		unknowns += f->type[n] == CELL_LIQUID;
	}
	fill_velocity(f);
	return unknowns;
}
