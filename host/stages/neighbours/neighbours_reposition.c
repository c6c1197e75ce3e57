#include <stdlib.h>

#include "message.h"
#include "neighbours/neighbours_parts.h"

/* A particle and its id, to be put in the order of ids. */
struct stuck {
	u32 id, particle;
};

static int by_id(const void *a, const void *b)
{
	const struct stuck *one = a, *other = b;
	return (one->id > other->id) - (one->id < other->id);
}

/* Marks them in `contacts`. */
static bool count_stuck(struct sim *sim, u32 *count)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, ops = (i32)sim->solids.op_count;
	union u32_buffer *stuck = &sim->neighbours.contacts;
	const size_t total = (size_t)p->capacity * sizeof(u32);
	return clx_zero(sim->cl, stuck, total, sizeof(u32)) &&
	       LAUNCH(sim->cl, neighbours_stuck, clx_range1(p->count), .g = &g,
		      .position = &p->now.position, .id = &p->now.id, .stride = I32(stride),
		      .n = I32(n), .cell_type = &sim->cell_type, .ops = &sim->solids.ops,
		      .op_count = I32(ops), .points = &sim->solids.points,
		      .solid_phi = &sim->solids.phi, .stuck = stuck,
		      .scalars = &sim->lattice.scalars) &&
	       clx_read(sim->cl, stuck, total, sizeof(u32), count);
}

/* In the order of their ids. */
static bool list_stuck(struct sim *sim, u32 count, u32 *which)
{
	const u32 n = sim->particles.count;
	const size_t bytes = n * sizeof(u32);
	u32 *flag = clx_read_copy(sim->cl, &sim->neighbours.contacts, bytes);
	u32 *id = clx_read_copy(sim->cl, &sim->particles.now.id, bytes);
	struct stuck *stuck = malloc(count * sizeof(*stuck));
	u32 found = 0;
	if (!stuck)
		message_memory(count * sizeof(*stuck), "particles in solids");
	for (u32 p = 0; flag && id && stuck && p < n && found < count; p++)
		if (flag[p])
			stuck[found++] = (struct stuck){id[p], p};
	if (found > 0)
		qsort(stuck, found, sizeof(*stuck), by_id);
	for (u32 i = 0; i < found; i++)
		which[i] = stuck[i].particle;
	free(flag);
	free(id);
	free(stuck);
	return found == count;
}

/* Is the cell liquid, and are those across its faces, as far as they exist? */
static bool is_inside(const struct grid *g, const uint8_t *type, i32 i, i32 j, i32 k)
{
	const i32 at = (k * g->py + j) * g->px + i, cell[3] = {i, j, k};
	const i32 cells[3] = {g->nx, g->ny, g->nz}, step[3] = {1, g->px, g->px * g->py};
	bool all = type[at] == CELL_LIQUID;
	for (int a = 0; a < 3; a++) {
		all = all && (cell[a] == 0 || type[at - step[a]] == CELL_LIQUID);
		all = all && (cell[a] == cells[a] - 1 || type[at + step[a]] == CELL_LIQUID);
	}
	return all;
}

/* Lattice points of the first `count` such cells, in their order; from the first again where there
 * are fewer.  *found: 0 if there are none. */
static bool list_cells(struct sim *sim, u32 count, i32 *to, u32 *found)
{
	const struct grid g = sim->lattice.grid;
	uint8_t *type = clx_read_copy(sim->cl, &sim->cell_type, (size_t)g.lattice);
	*found = 0;
	if (!type)
		return false;
	for (i32 k = 0; k < g.nz; k++)
		for (i32 j = 0; j < g.ny; j++)
			for (i32 i = 0; i < g.nx && *found < count; i++)
				if (is_inside(&g, type, i, j, k))
					to[(*found)++] = (k * g.py + j) * g.px + i;
	free(type);
	for (u32 n = *found; *found > 0 && n < count; n++)
		to[n] = to[n - *found];
	return true;
}

static bool move_stuck(struct sim *sim, u32 stuck, const u32 *which, const i32 *to)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, count = (i32)stuck, ops = (i32)sim->solids.op_count;
	const double distance = neighbours_spacing(sim);
	const i32 rings = neighbours_rings(sim, 1.4 * distance);
	const f32 spacing = (f32)distance;
	const u32 salt = (u32)sim->steps;
	struct neighbours *n = &sim->neighbours;
	return clx_write(sim->cl, &n->order, 0, stuck * sizeof(*which), which) &&
	       clx_write(sim->cl, &n->move, 0, stuck * sizeof(*to), to) &&
	       LAUNCH(sim->cl, neighbours_reposition, clx_range1(stuck), .g = &g,
		      .which = &n->order, .to = &n->move, .count = I32(count), .salt = U32(salt),
		      .id = &p->now.id, .stride = I32(stride), .position = &p->now.position) &&
	       neighbours_index(sim) && neighbours_keep_velocities(sim) &&
	       LAUNCH(sim->cl, neighbours_resample_stuck, clx_range1(p->count), .g = &g,
		      NEIGHBOURS(sim), .stride = I32(stride), .spacing = F32(spacing),
		      .rings = I32(rings), .op_count = I32(ops), .stuck = &n->contacts,
		      .velocity = &p->now.velocity, .velocity_out = &n->velocity) &&
	       neighbours_take_velocities(sim);
}

bool neighbours_free_stuck(struct sim *sim)
{
	u32 stuck = 0, cells = 0;
	if (!count_stuck(sim, &stuck))
		return false;
	if (stuck == 0)
		return true;
	u32 *which = malloc(stuck * sizeof(*which));
	i32 *to = malloc(stuck * sizeof(*to));
	bool ok = which && to;
	if (!ok)
		message_memory(stuck * sizeof(*to), "particles in solids");
	ok = ok && list_stuck(sim, stuck, which) && list_cells(sim, stuck, to, &cells);
	if (ok && cells > 0) {
		ok = move_stuck(sim, stuck, which, to);
		sim->neighbours.repositioned_in_substep = stuck;
	}
	free(which);
	free(to);
	return ok;
}
