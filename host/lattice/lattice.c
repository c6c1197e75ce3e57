#include "lattice.h"

#include <string.h>

struct clx_range lattice_points(const struct lattice *lattice)
{
	const struct grid *g = &lattice->grid;
	return clx_range3((size_t)g->px, (size_t)g->py, (size_t)g->pz);
}

struct clx_range lattice_flat(const struct lattice *lattice)
{
	return clx_range1((size_t)lattice->grid.lattice);
}

/* A block or a chunk is work enough: small groups keep the threads evenly loaded. */
static struct clx_range in_groups_of_one(struct clx_range range)
{
	range.local[0] = range.local[1] = range.local[2] = 1;
	return range;
}

struct clx_range lattice_blocks(const struct lattice *lattice, int period)
{
	const struct grid *g = &lattice->grid;
	const size_t p = (size_t)period;
	return in_groups_of_one(clx_range3(((size_t)g->bx + p - 1) / p, ((size_t)g->by + p - 1) / p,
					   ((size_t)g->bz + p - 1) / p));
}

struct clx_range lattice_chunks(size_t particles)
{
	return in_groups_of_one(clx_range1((particles + LANES_CHUNK - 1) / LANES_CHUNK));
}

bool lattice_in_lanes(const struct lattice *lattice)
{
	return clx_in_lanes(lattice->cl) && lattice->grid.nx > 1;
}

size_t lattice_striding_items(const struct lattice *lattice, size_t n)
{
	/* Enough to fill the device; each ends with an atomic, so not more. */
	const size_t most = (size_t)clx_info(lattice->cl)->compute_units * 2048;
	return n < most ? n : most;
}

bool lattice_read_scalars(struct lattice *lattice)
{
	return clx_read(lattice->cl, &lattice->scalars, 0, sizeof(lattice->host_scalars),
			lattice->host_scalars);
}

double lattice_total(const struct lattice *lattice, i32 which)
{
	f32 sum[2];
	memcpy(sum, lattice->host_scalars + SCALAR_TOTALS + 2 * which, sizeof(sum));
	return (double)sum[0] + (double)sum[1];
}

bool lattice_set_scalar(struct lattice *lattice, enum scalar which, u32 value)
{
	lattice->host_scalars[which] = value;
	return clx_write(lattice->cl, &lattice->scalars, (size_t)which * sizeof(u32), sizeof(u32),
			 &value);
}

u32 lattice_drained(const struct lattice *lattice)
{
	u32 sum = 0;
	for (int i = 0; i < DRAINS_MOST; i++)
		sum += lattice->host_scalars[SCALAR_DRAINED + i];
	return sum;
}

u32 lattice_flown(const struct lattice *lattice)
{
	u32 sum = 0;
	for (int i = 0; i < OUTFLOWS_MOST; i++)
		sum += lattice->host_scalars[SCALAR_FLOWN + i];
	return sum;
}

u32 lattice_removed(const struct lattice *lattice)
{
	return lattice->host_scalars[SCALAR_REMOVED_OPEN] + lattice_drained(lattice) +
	       lattice_flown(lattice);
}
