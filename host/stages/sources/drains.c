#include "drains.h"

#include <math.h>
#include <stdlib.h>

#include "frame_time.h"
#include "message.h"
#include "reduce.h"

/* Particles whose number is known at once: a work-item's. */
#define RUN PAIRS_CHUNK

bool drains_create(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	struct drains *d = &sim->drains;
	struct shape_program all = {0};
	bool ok = true;
	if (scene->drain_count == 0)
		return true;
	d->count = scene->drain_count;
	d->drain = calloc(d->count, sizeof(*d->drain));
	if (!d->drain)
		return message_memory(d->count * sizeof(*d->drain), "drains");
	for (size_t i = 0; i < d->count && ok; i++) {
		const struct shape_program *shape = &scene->drains[i].shape;
		d->drain[i].first_op = (i32)all.op_count;
		d->drain[i].op_count = (i32)shape->op_count;
		for (size_t op = 0; op < shape->op_count; op++)
			d->drain[i].parts += 1 + shape->ops[op].count;
		ok = shape_program_append(&all, shape, false);
	}
	ok = ok && clx_alloc(sim->cl, &d->ops, "shapes of drains", all.op_count) &&
	     clx_alloc_raw(sim->cl, &d->points.raw, "polygons of drains", all.point_count,
			   2 * sizeof(f32)) &&
	     clx_write(sim->cl, &d->ops, 0, all.op_count * sizeof(struct shape_op), all.ops) &&
	     (all.point_count == 0 ||
	      clx_write(sim->cl, &d->points, 0, all.point_count * 2 * sizeof(f32), all.points));
	shape_program_finish(&all);
	return ok;
}

void drains_destroy(struct sim *sim)
{
	struct drains *d = &sim->drains;
	clx_free(sim->cl, &d->ops);
	clx_free(sim->cl, &d->points);
	free(d->drain);
	*d = (struct drains){0};
}

/* Particles that a drain with a rate may still take at the end of the substep, of all that there
 * should have been so far. */
static u32 allowance(const struct sim *sim, size_t i)
{
	const struct scene *scene = sim->scene;
	const double h = scene->h, cell = h * h * (sim->dim == 3 ? h : 1.0);
	const double due = floor(scene->drains[i].rate * frame_time_substep(sim) *
				 scene->particles_per_cell / cell);
	const double gone = (double)sim->lattice.host_scalars[SCALAR_DRAINED + i] +
			    (double)sim->ledger.missed[i];
	return due > gone ? (u32)fmin(due - gone, (double)sim->particles.count) : 0;
}

static bool remove_particles(struct sim *sim, size_t i, i32 run, i32 limited)
{
	struct particles *p = &sim->particles;
	struct drains *d = &sim->drains;
	const struct drain drain = d->drain[i];
	const i32 stride = (i32)p->capacity, n = (i32)p->count, which = (i32)i;
	const i32 from = 2 * sim->lattice.sums;
	return LAUNCH(sim->cl, drains_remove,
		      clx_range1(((size_t)n + (size_t)run - 1) / (size_t)run), .ops = &d->ops,
		      .first_op = I32(drain.first_op), .op_count = I32(drain.op_count),
		      .points = &d->points, .parts = I32(drain.parts), .position = &p->now.position,
		      .id = &p->now.id, .stride = I32(stride), .n = I32(n), .run = I32(run),
		      .limited = I32(limited), .from = I32(from),
		      .counts = CLX_AS(u32, &sim->lattice.partial), .which = I32(which),
		      .scalars = &sim->lattice.scalars);
}

/* How many particles of each run a drain holds becomes how many of them go: the first ones. */
static bool share_out(struct sim *sim, size_t runs, u32 most, u32 *taken)
{
	union u32_buffer *counts = CLX_AS(u32, &sim->lattice.partial);
	const size_t at = 2 * (size_t)sim->lattice.sums * sizeof(u32), bytes = runs * sizeof(u32);
	u32 *count = malloc(bytes);
	if (!count)
		return message_memory(bytes, "the particles of a drain");
	bool ok = clx_read(sim->cl, counts, at, bytes, count);
	*taken = 0;
	for (size_t r = 0; r < runs && ok; r++) {
		count[r] = count[r] < most - *taken ? count[r] : most - *taken;
		*taken += count[r];
	}
	ok = ok && clx_write(sim->cl, counts, at, bytes, count);
	free(count);
	return ok;
}

/* The first ones in the shape, of as many as are due. */
static bool remove_by_rate(struct sim *sim, size_t i)
{
	struct particles *p = &sim->particles;
	struct drains *d = &sim->drains;
	struct drain *drain = &d->drain[i];
	const i32 stride = (i32)p->capacity, n = (i32)p->count, run = RUN;
	const i32 from = 2 * sim->lattice.sums;
	const size_t runs = ((size_t)n + RUN - 1) / RUN;
	const u32 most = allowance(sim, i);
	u32 taken = 0;
	if (most > 0 &&
	    (!LAUNCH(sim->cl, drains_count, clx_range1(runs), .ops = &d->ops,
		     .first_op = I32(drain->first_op), .op_count = I32(drain->op_count),
		     .points = &d->points, .parts = I32(drain->parts), .position = &p->now.position,
		     .id = &p->now.id, .stride = I32(stride), .n = I32(n), .run = I32(run),
		     .from = I32(from), .counts = CLX_AS(u32, &sim->lattice.partial),
		     .scalars = &sim->lattice.scalars) ||
	     !share_out(sim, runs, most, &taken) || !remove_particles(sim, i, RUN, 1)))
		return false;
	drain->missed = most - taken;
	return true;
}

bool drains_remove(struct sim *sim)
{
	/* Particles side by side in memory are one work-item's on CPUs. */
	const i32 run = clx_in_lanes(sim->cl) ? RUN : 1;
	sim->drains.before = lattice_drained(&sim->lattice);
	for (size_t i = 0; i < sim->drains.count && sim->particles.count > 0; i++)
		if (!(sim->scene->drains[i].rate > 0.0 ? remove_by_rate(sim, i)
						       : remove_particles(sim, i, run, 0)))
			return false;
	return true;
}

void drains_accept(struct sim *sim)
{
	for (size_t i = 0; i < sim->drains.count; i++)
		sim->ledger.missed[i] += sim->drains.drain[i].missed;
}
