/* The levels of the hierarchy and the sizes of their arrays. */
#include "multigrid.h"

#include "scan.h"

/* One work-group handles the levels from the first of at most so many cells, which is visited
 * twice, unless it is the finest one. */
#define SMALL_CELLS 4096
/* After multigrid_spread(): the first of at most so many. */
#define GROUP_CELLS 512
/* Levels are added until no axis is longer than this. */
#define COARSEST_EDGE 2

size_t multigrid_at(const struct mg_level *level, int dim, int i, int j, int k)
{
	const int colour = (i + j + k) & 1, halo_z = dim == 3 ? 1 : 0;
	return (size_t)(level->offset + colour * level->colour_stride +
			(k + halo_z) * level->plane + (j + 1) * level->pitch + i / 2 + 1);
}

struct clx_range multigrid_range(const struct mg_level *level, int colours)
{
	return clx_range3((size_t)level->row, (size_t)level->ny,
			  (size_t)level->nz * (size_t)colours);
}

/* Room for further parts of a level's cells: walls are surfaces, so fewer and fewer cells of finer
 * levels have them.  Where it is used up cells stay whole, which only costs iterations.  In 3D
 * walls every nine cells along all axes need 0.4 and 1.1 per cell on the first two levels, and get
 * them in boxes of at most 64 cells an axis; in larger ones those every 17 do. */
static i32 extra_room(i32 level, int dim, i32 nx, i32 ny, i32 nz)
{
	static const i64 eighths[3][3] = {{3, 6, 12}, {4, 12, 24}, {2, 8, 24}};
	const i64 cells = (i64)nx * ny * nz;
	const int large = level < 3 && cells > 32 * 32 * 32 >> 3 * (level - 1);
	const i64 room = eighths[dim == 3 ? 1 + large : 0][level < 3 ? level - 1 : 2] * cells / 8;
	/* Small levels take little, and walls are in most of their cells. */
	const i64 most = (MG_CELL_PARTS(dim) - 1) * cells, enough = dim == 3 ? 2048 : 256;
	const i64 least = most < enough ? most : enough;
	return (i32)(room > least ? room : least);
}

static i64 cells_of(const struct mg_level *level)
{
	return (i64)level->nx * level->ny * level->nz;
}

void multigrid_plan(struct multigrid *mg, const struct grid *grid, int dim, int sweeps, bool split)
{
	const i32 halo = dim == 3 ? 1 : 0;
	i32 nx = grid->nx, ny = grid->ny, nz = grid->nz;
	f32 full[3] = {1.0f, 1.0f, 1.0f};
	mg->grid = *grid;
	mg->dim = dim;
	mg->sweeps = sweeps;
	mg->count = 0;
	mg->total = mg->type_total = 0;
	mg->small_from = -1;
	mg->twice = mg->once = mg->parted_last = false;
	mg->repeat_small = true;
	mg->further = mg->merged = 0;
	for (int n = 0; n < MG_MAX_LEVELS; n++)
		mg->parted[n] = false;
	mg->split = split;
	mg->extra_total = 0;
	for (int n = 0; n < MG_MAX_LEVELS; n++) {
		struct mg_level *l = &mg->levels[n];
		l->nx = nx;
		l->ny = ny;
		l->nz = nz;
		l->row = (nx + 1) / 2;
		l->pitch = l->row + 1;
		l->plane = l->pitch * (ny + 2);
		/* Both colours of level 0 together are whole chunks of sums (kernels/pressure/cg.cl). */
		const i32 multiple = n == 0 ? PAIRS_CHUNK / 2 : 16;
		const i32 places = l->plane * (nz + 2 * halo) + 1;
		l->colour_stride = (places + multiple - 1) / multiple * multiple;
		l->offset = mg->total;
		for (int a = 0; a < 3; a++)
			l->full_link[a] = full[a];
		mg->type_offset[n] = mg->type_total;
		l->extras = split && n > 0 ? extra_room(n, dim, nx, ny, nz) : 0;
		l->row_offset = mg->extra_total;
		l->coarse_shift = n > 0 ? -mg->levels[1].offset : 0;
		mg->extra_total += (l->extras + 15) / 16 * 16;
		/* Halves of red residuals start at half the offset. */
		mg->total += 2 * l->colour_stride;
		mg->type_total += (nx + 2) * (ny + 2) * (nz + 2 * halo);
		mg->count = n + 1;
		if (mg->small_from < 0 && cells_of(l) <= SMALL_CELLS)
			mg->small_from = n;
		if (nx <= COARSEST_EDGE && ny <= COARSEST_EDGE && nz <= COARSEST_EDGE)
			break;
		/* A coarse link is half the sum of those it covers; an axis of one cell has one. */
		f32 x = nx > 1 ? 2.0f : 1.0f, y = ny > 1 ? 2.0f : 1.0f, z = nz > 1 ? 2.0f : 1.0f;
		full[0] *= 0.5f * y * z;
		full[1] *= 0.5f * x * z;
		full[2] *= 0.5f * x * y;
		nx = (nx + 1) / 2;
		ny = (ny + 1) / 2;
		nz = (nz + 1) / 2;
	}
	if (mg->small_from < 0)
		mg->small_from = mg->count - 1;
	mg->deepest_twice = mg->small_from > 1 ? mg->small_from : 1;
	mg->always_twice = mg->small_from > 0 ? mg->small_from : mg->count;
	mg->finest = 2 * mg->levels[0].colour_stride;
	mg->nodes = mg->total + mg->extra_total;
	for (int n = 0; n < mg->count; n++)
		mg->levels[n].extra_offset = mg->total + mg->levels[n].row_offset;
}

void multigrid_spread(struct multigrid *mg)
{
	while (mg->small_from > 0 && mg->small_from + 1 < mg->count &&
	       cells_of(&mg->levels[mg->small_from]) > GROUP_CELLS)
		mg->small_from++;
}

size_t multigrid_coarse_total(const struct multigrid *mg)
{
	return mg->count < 2 ? 1 : (size_t)(mg->total - mg->finest);
}

size_t multigrid_stencil_words(const struct multigrid *mg, int dim)
{
	return multigrid_coarse_total(mg) * (dim == 3 ? 2 : 1) + (size_t)mg->extra_total;
}

struct multigrid_part_sizes multigrid_part_sizes(const struct multigrid *mg, int dim)
{
	struct multigrid_part_sizes sizes = {1, 1, 1, 1, 1, 1, 1};
	if (!mg->split || mg->count < 2)
		return sizes;
	sizes.nodes = (size_t)mg->nodes;
	sizes.route = sizes.nodes * (dim == 3 ? sizeof(u32) : sizeof(uint16_t));
	sizes.cells = multigrid_coarse_total(mg);
	sizes.extras = (size_t)mg->extra_total;
	sizes.row = sizes.extras * (size_t)((MG_CELL_PARTS(dim) + 1) * dim);
	sizes.scan = 2 * (size_t)mg->levels[1].colour_stride + 1;
	sizes.scan_scratch = scan_scratch_bytes(sizes.scan);
	return sizes;
}
