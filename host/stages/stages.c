#include "stages.h"

#include <string.h>

struct clx_range stages_lattice(const struct sim *sim)
{
	const struct grid *g = &sim->grid;
	return clx_range3((size_t)g->px, (size_t)g->py, (size_t)g->pz);
}

struct clx_range stages_flat(const struct sim *sim)
{
	return clx_range1((size_t)sim->grid.lattice);
}

struct clx_range stages_blocks(const struct sim *sim, int period)
{
	const struct grid *g = &sim->grid;
	size_t p = (size_t)period;
	struct clx_range range =
		clx_range3(((size_t)g->bx + p - 1) / p, ((size_t)g->by + p - 1) / p,
			   ((size_t)g->bz + p - 1) / p);
	/* A block is work enough: small groups keep the threads evenly loaded. */
	range.local[0] = range.local[1] = range.local[2] = 1;
	return range;
}

bool stages_in_lanes(const struct sim *sim)
{
	return clx_splat_path(sim->cl) == CLX_SPLAT_BLOCK && sim->grid.nx > 1;
}

bool stages_collide_in_lanes(const struct sim *sim)
{
	return stages_in_lanes(sim) && !(sim->loops_cut && sim->solid_op_count > 0);
}

struct clx_range stages_chunks(size_t particles)
{
	struct clx_range range = clx_range1((particles + LANES_CHUNK - 1) / LANES_CHUNK);
	/* As with blocks. */
	range.local[0] = range.local[1] = range.local[2] = 1;
	return range;
}

size_t stages_striding_items(const struct sim *sim, size_t n)
{
	/* Enough to fill the device; each ends with an atomic, so not more. */
	size_t most = (size_t)clx_info(sim->cl)->compute_units * 2048;
	return n < most ? n : most;
}

bool stages_read_scalars(struct sim *sim)
{
	return clx_read(sim->cl, &sim->scalars, 0, sizeof(sim->host_scalars), sim->host_scalars);
}

bool stages_set_scalar(struct sim *sim, enum scalar which, u32 value)
{
	sim->host_scalars[which] = value;
	return clx_write(sim->cl, &sim->scalars, (size_t)which * sizeof(u32), sizeof(u32), &value);
}

int stages_log2_ceil(u64 x)
{
	int n = 0;
	while (n < 63 && ((u64)1 << n) < x)
		n++;
	return n;
}

f32 stages_float(u32 bits)
{
	f32 value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}
