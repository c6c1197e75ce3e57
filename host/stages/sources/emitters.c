#include "sources/emitters.h"

#include <math.h>
#include <stdlib.h>

#include "frame_time.h"
#include "ledger.h"
#include "message.h"
#include "scan.h"
#include "seed_params.h"
#include "sources/book.h"
#include "zero.h"

/* Is it filled at the end of a substep from t to `end`? */
static bool is_due(const struct scene_emitter *emitter, double t, double end)
{
	return end > emitter->at && (emitter->fill || t <= emitter->at);
}

/* Cells around the shape. */
static struct lattice_box box_of(const struct scene *scene, const struct scene_emitter *emitter)
{
	i32 first[3] = {0, 0, 0}, count[3] = {1, 1, 1};
	for (int a = 0; a < scene->dim; a++) {
		const double low = fmax(emitter->low[a], 0.0) / scene->h;
		const double high = fmin(emitter->high[a], scene->size[a]) / scene->h;
		first[a] = low < scene->cells[a] ? (i32)low : scene->cells[a] - 1;
		const i32 end =
			high < scene->cells[a] ? (i32)fmax(ceil(high), 0.0) : scene->cells[a];
		count[a] = end > first[a] ? end - first[a] : 1;
	}
	return (struct lattice_box){first[0], first[1], first[2], count[0], count[1], count[2]};
}

static size_t cells_of(struct lattice_box box)
{
	return (size_t)box.nx * (size_t)box.ny * (size_t)box.nz;
}

double emitters_estimate(const struct scene *scene)
{
	double sum = 0.0;
	for (size_t i = 0; i < scene->emitter_count; i++)
		sum += (double)cells_of(box_of(scene, &scene->emitters[i])) *
		       scene->particles_per_cell;
	return sum;
}

double emitters_room(const struct sim *sim)
{
	const struct scene *scene = sim->scene;
	double sum = 0.0;
	/* Whatever the substep, it ends by then. */
	for (size_t i = 0; i < scene->emitter_count; i++)
		if (is_due(&scene->emitters[i], sim->time, frame_time(sim, sim->frame + 1)))
			sum += (double)cells_of(sim->emitters.emitter[i].box) *
			       scene->particles_per_cell;
	return sum;
}

double emitters_speed(const struct scene *scene, double t, double dt)
{
	double most = 0.0;
	for (size_t i = 0; i < scene->emitter_count; i++) {
		const double *v = scene->emitters[i].velocity;
		if (is_due(&scene->emitters[i], t, t + dt))
			most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
	}
	return most;
}

static bool make_buffers(struct sim *sim, const struct shape_program *all, size_t most)
{
	struct emitters *e = &sim->emitters;
	struct clx *cl = sim->cl;
	return clx_alloc(cl, &e->ops, "shapes of emitters", all->op_count) &&
	       clx_alloc_raw(cl, &e->points.raw, "polygons of emitters", all->point_count,
			     2 * sizeof(f32)) &&
	       clx_alloc(cl, &e->counts, "cells of emitters", most + 1) &&
	       clx_alloc(cl, &e->scratch, "scan of emitters",
			 scan_scratch_bytes(most) / sizeof(u32)) &&
	       clx_write(cl, &e->ops, 0, all->op_count * sizeof(struct shape_op), all->ops) &&
	       (all->point_count == 0 ||
		clx_write(cl, &e->points, 0, all->point_count * 2 * sizeof(f32), all->points));
}

bool emitters_create(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	struct emitters *e = &sim->emitters;
	struct shape_program all = {0};
	size_t most = 0;
	bool ok = true;
	if (scene->emitter_count == 0)
		return true;
	e->count = scene->emitter_count;
	e->emitter = calloc(e->count, sizeof(*e->emitter));
	if (!e->emitter)
		return message_memory(e->count * sizeof(*e->emitter), "emitters");
	for (size_t i = 0; i < e->count && ok; i++) {
		const struct shape_program *shape = &scene->emitters[i].shape;
		struct emitter *own = &e->emitter[i];
		own->first_op = (i32)all.op_count;
		own->op_count = (i32)shape->op_count;
		for (size_t op = 0; op < shape->op_count; op++)
			own->parts += 1 + shape->ops[op].count;
		own->box = box_of(scene, &scene->emitters[i]);
		most = cells_of(own->box) > most ? cells_of(own->box) : most;
		ok = shape_program_append(&all, shape, false);
	}
	ok = ok && make_buffers(sim, &all, most);
	shape_program_finish(&all);
	return ok;
}

void emitters_destroy(struct sim *sim)
{
	struct emitters *e = &sim->emitters;
	clx_free(sim->cl, &e->ops);
	clx_free(sim->cl, &e->points);
	clx_free(sim->cl, &e->counts);
	clx_free(sim->cl, &e->scratch);
	free(e->emitter);
	*e = (struct emitters){0};
}

/* ---- the stage ----------------------------------------------------------------------------- */

/* As the liquid is seeded at the start; the first id makes each filling another one. */
static struct seed_params params_of(const struct sim *sim, size_t i, u32 first_id)
{
	const struct scene *scene = sim->scene;
	const struct scene_emitter *emitter = &scene->emitters[i];
	const struct scene_liquid *liquid = &scene->liquids[emitter->liquid];
	struct seed_params p = {
		.liquid = (i32)i,
		.seed = (liquid->seed ^ 0x656d6974u) + first_id * 0x9e3779b9u,
		.particles_per_cell = scene->particles_per_cell,
		.divisions = 1,
		.jitter = (f32)liquid->jitter,
	};
	for (int a = 0; a < 3; a++)
		p.velocity[a] = (f32)emitter->velocity[a];
	while (p.divisions * p.divisions * (scene->dim == 3 ? p.divisions : 1) <
	       p.particles_per_cell)
		p.divisions++;
	return p;
}

/* How many each cell gets, as starts of theirs; *all: together. */
static bool plan(struct sim *sim, size_t i, const struct seed_params p, u32 *all)
{
	struct emitters *e = &sim->emitters;
	const struct emitter *own = &e->emitter[i];
	const struct particles *particles = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const struct lattice_box box = own->box;
	const size_t cells = cells_of(box);
	const i32 stride = (i32)particles->capacity, n = (i32)particles->count;
	const i32 ops = (i32)sim->solids.op_count;
	return clx_zero(sim->cl, &e->counts, 0, cells * sizeof(u32)) &&
	       (n == 0 ||
		LAUNCH(sim->cl, emitters_count,
		       clx_range1(lattice_striding_items(&sim->lattice, (size_t)n)), .g = &g,
		       .box = &box, .position = &particles->now.position, .id = &particles->now.id,
		       .stride = I32(stride), .n = I32(n), .counts = &e->counts)) &&
	       LAUNCH(sim->cl, emitters_plan, clx_range1(cells), .g = &g, .p = &p, .box = &box,
		      .ops = &e->ops, .first_op = I32(own->first_op),
		      .op_count = I32(own->op_count), .points = &e->points,
		      .parts = I32(own->parts), .solid_ops = &sim->solids.ops,
		      .solid_op_count = I32(ops), .solid_points = &sim->solids.points,
		      .phi = &sim->phi, .counts = &e->counts, .scalars = &sim->lattice.scalars) &&
	       scan_exclusive(sim->cl, &e->counts, cells, &e->scratch) &&
	       clx_read(sim->cl, &e->counts, cells * sizeof(u32), sizeof(u32), all);
}

static bool emit(struct sim *sim, size_t i)
{
	struct emitters *e = &sim->emitters;
	struct emitter *own = &e->emitter[i];
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const struct lattice_box box = own->box;
	const u32 first = p->count, stride = p->capacity,
		  first_id = p->ids.end + sim->sources.entering;
	const struct seed_params params = params_of(sim, i, first_id);
	const i32 ops = (i32)sim->solids.op_count, affine = scene_has_affine(sim->scene);
	u32 n = 0;
	if (!plan(sim, i, params, &n))
		return false;
	if (n > p->capacity - p->count)
		return message_error("emitter '%s': no room for %u particles more than %u",
				     sim->scene->emitters[i].name, n, p->count);
	own->entering = n;
	p->count += n;
	sim->sources.entering += n;
	return n == 0 ||
	       (LAUNCH(sim->cl, emitters_write, clx_range1(cells_of(box)), .g = &g, .p = &params,
		       .box = &box, .ops = &e->ops, .first_op = I32(own->first_op),
		       .op_count = I32(own->op_count), .points = &e->points,
		       .solid_ops = &sim->solids.ops, .solid_op_count = I32(ops),
		       .solid_points = &sim->solids.points, .starts = &e->counts,
		       .first = U32(first), .first_id = U32(first_id), .has_affine = I32(affine),
		       .stride = U32(stride), .position = &p->now.position,
		       .velocity = &p->now.velocity, .affine = &p->now.affine, .id = &p->now.id) &&
		book_entered(sim, first, n));
}

bool emitters_emit(struct sim *sim)
{
	const double end = frame_time_substep(sim);
	for (size_t i = 0; i < sim->emitters.count; i++) {
		sim->emitters.emitter[i].entering = 0;
		if (is_due(&sim->scene->emitters[i], sim->time, end) && !emit(sim, i))
			return false;
	}
	return true;
}

bool emitters_accept(struct sim *sim)
{
	for (size_t i = 0; i < sim->emitters.count; i++) {
		const u32 entered = sim->emitters.emitter[i].entering;
		if (entered == 0)
			continue;
		ledger_enter(&sim->ledger, entered);
		sim->ledger.entered_emitters += entered;
		if (!id_ranges_add(&sim->particles.ids, entered,
				   (uint8_t)sim->scene->emitters[i].liquid))
			return false;
	}
	return true;
}
