
#include "particles.h"

#include <math.h>
#include <stdlib.h>

#include "message.h"
#include "moving/particles_moving.h"
#include "scan.h"
#include "solids_particles.h"
#include "zero.h"

static void swap_sets(struct particles *p)
{
	struct particle_set set = p->now;
	p->now = p->before;
	p->before = set;
}

/*
 * Counting sort by key; `before` keeps the unsorted state for a rollback.  Ranks, keys and order
 * lie in the set to be filled: the first two in its velocities, which nobody else has written yet,
 * the order in its ids, where the last pass reads an element just before it writes that one.  Where
 * solids split cells the order outlives the sort, in memory of its own.
 */
static bool sort_by_key(struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const struct clx_range each = clx_range1(p->count);
	union u32_buffer *rank, *order;
	const union f32_buffer *position;

	swap_sets(p);
	p->count_before = p->count;
	p->sorted = true;
	rank = CLX_AS(u32, &p->now.velocity);
	order = sim->solids.split ? &sim->particles.order : &p->now.id;
	/* Keys are of places on the grid, which until the last pass lie where positions will. */
	position = sim->solids.split ? &p->now.position : &p->before.position;
	return (!sim->solids.split || solids_place_unsorted(&sim->solids, p)) &&
	       ZERO(cl, ZERO_FIRST(&p->cell_start, ((size_t)g.keys + 2) * sizeof(u32))) &&
	       LAUNCH(cl, particles_count, each, .g = &g, .position = position, .id = &p->before.id,
		      .stride = I32(stride), .n = I32(n), .counts = &p->cell_start, .rank = rank) &&
	       scan_exclusive(cl, &p->cell_start, (size_t)g.keys + 1, &sim->lattice.scan_scratch) &&
	       LAUNCH(cl, particles_place, each, .stride = I32(stride), .n = I32(n),
		      .start = &p->cell_start, .rank = rank, .order = order) &&
	       LAUNCH(cl, particles_order,
		      clx_range1(lattice_striding_items(&sim->lattice, (size_t)g.keys)), .g = &g,
		      .id = &p->before.id, .start = &p->cell_start, .order = order,
		      .scalars = &sim->lattice.scalars) &&
	       particles_permute_rest(&sim->lattice, p, order) &&
	       particles_collect(&sim->lattice, p, order);
}

/* Removed particles were sorted behind the living ones. */
static bool remember_counts(struct sim *sim)
{
	bricks_take_counts(&sim->lattice);
	sim->particles.count = sim->lattice.host_scalars[SCALAR_SORTED];
	sim->particles.removed_at_sort = lattice_removed(&sim->lattice);
	return true;
}

bool particles_sort(struct sim *sim)
{
	struct particles *p = &sim->particles;
	return sort_by_key(sim) && solids_enter_grid(&sim->solids, p) &&
	       bricks_update(&sim->lattice, &p->cell_start) &&
	       lattice_read_scalars(&sim->lattice) && remember_counts(sim);
}

void particles_restore(struct sim *sim)
{
	struct particles *p = &sim->particles;
	if (!p->sorted)
		return;
	swap_sets(p);
	p->count = p->count_before;
	p->sorted = false;
}

bool particles_collide_in_lanes(const struct sim *sim)
{
	return lattice_in_lanes(&sim->lattice) &&
	       !(sim->solids.loops_cut && sim->solids.op_count > 0);
}

bool particles_advect(struct sim *sim)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 order = (i32)sim->scene->solver.advection - ADVECTION_RK1 + 1;
	const i32 ops = (i32)sim->solids.op_count, solids = (i32)sim->scene->solid_count;
	const u32 salt = (u32)(2 * sim->steps);
	const bool lanes = particles_collide_in_lanes(sim);
	if (sim->solids.moving)
		return particles_advect_moving(sim, lanes);
	return LAUNCH_EITHER(sim->cl, lanes, particles_advect_lanes, particles_advect,
			     lanes ? lattice_chunks(p->count)
				   : clx_range1(lattice_striding_items(&sim->lattice, p->count)),
			     .g = &g, .u_face = &sim->u_face, .order = I32(order),
			     .dt = F32(sim->dt_f), .salt = U32(salt), .position = &p->now.position,
			     .velocity = &p->now.velocity, .id = &p->now.id, .stride = I32(stride),
			     .n = I32(n), .ops = &sim->solids.ops, .op_count = I32(ops),
			     .points = &sim->solids.points, .solid_phi = &sim->solids.phi,
			     .solid_slip = &sim->solids.slip, .solid_count = I32(solids),
			     .scalars = &sim->lattice.scalars);
}

bool particles_report_non_finite(struct sim *sim)
{
	struct particles *p = &sim->particles;
	const size_t stride = p->capacity, n = p->count, d = (size_t)sim->dim;
	f32 *x = malloc(d * stride * sizeof(*x)), *v = malloc(d * stride * sizeof(*v));
	u32 *id = malloc(stride * sizeof(*id)), count = 0;
	size_t first = n;
	if (x && v && id && clx_read(sim->cl, &p->now.position, 0, d * stride * sizeof(*x), x) &&
	    clx_read(sim->cl, &p->now.velocity, 0, d * stride * sizeof(*v), v) &&
	    clx_read(sim->cl, &p->now.id, 0, n * sizeof(*id), id)) {
		for (size_t i = 0; i < n; i++) {
			bool finite = true;
			for (size_t c = 0; c < d; c++)
				finite = finite && fabsf(x[c * stride + i]) < HUGE_FROM &&
					 fabsf(v[c * stride + i]) < HUGE_FROM;
			count += !finite;
			if (!finite && (first == n || id[i] < id[first]))
				first = i;
		}
		message_error("frame %d, substep %d: particle %u is not finite at the start (%u in "
			      "all)",
			      sim->frame + 1, sim->substep + 1, first < n ? id[first] : 0, count);
	} else {
		message_error("frame %d, substep %d: a particle is not finite at the start",
			      sim->frame + 1, sim->substep + 1);
	}
	free(x);
	free(v);
	free(id);
	return false;
}
