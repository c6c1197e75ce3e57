#include "forces/force_fields.h"

#include <math.h>
#include <stdlib.h>

#include "forces/scene_forces.h"
#include "message.h"
#include "reduce.h"

_Static_assert((int)FIELD_POINT == FORCE_POINT && (int)FIELD_VORTEX == FORCE_VORTEX &&
		       (int)FIELD_WIND == FORCE_WIND && (int)FIELD_DRAG == FORCE_DRAG &&
		       (int)FIELD_CUSTOM == FORCE_CUSTOM && (int)FIELD_VORTICITY == FORCE_VORTICITY,
	       "kinds of fields");

/* No product of such a number with another comes near the denormals. */
static f32 to_device(double x)
{
	return fabs(x) < 0x1p-30 ? 0.0f : (f32)x;
}

/* ---- what they are ------------------------------------------------------------------------- */

/* What does not change with time. */
static struct force_params params_of(const struct scene_force *force, i32 first_op)
{
	struct force_params p = {.kind = (i32)force->kind,
				 .first_op = first_op,
				 .op_count = (i32)force->shape.op_count,
				 .quarters = (i32)(2.0 * (force->power + 1.0)),
				 .core_square = (f32)(force->core * force->core)};
	if (force->falloff > 0.0)
		p.per_falloff = (f32)(1.0 / force->falloff);
	for (int a = 0; a < 3; a++) {
		p.center[a] = (f32)force->center[a];
		p.axis[a] = to_device(force->axis[a]);
	}
	return p;
}

/* Where fields act. */
static bool make_shapes(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	struct force_fields *f = &sim->force_fields;
	struct shape_program all = {0};
	bool ok = true;
	f->parts = (i32)f->count;
	for (size_t n = 0; n < f->count && ok; n++) {
		const struct scene_force *force = &scene->forces[n];
		f->now[n] = params_of(force, (i32)all.op_count);
		f->has_vorticity |= force->kind == FORCE_VORTICITY;
		ok = shape_program_append(&all, &force->shape, false);
	}
	for (size_t i = 0; i < all.op_count; i++)
		f->parts += 1 + all.ops[i].count;
	ok = ok && clx_alloc(sim->cl, &f->ops, "shapes of forces", all.op_count) &&
	     clx_alloc_raw(sim->cl, &f->points.raw, "polygons of forces", all.point_count,
			   2 * sizeof(f32)) &&
	     (all.op_count == 0 ||
	      clx_write(sim->cl, &f->ops, 0, all.op_count * sizeof(struct shape_op), all.ops)) &&
	     (all.point_count == 0 ||
	      clx_write(sim->cl, &f->points, 0, all.point_count * 2 * sizeof(f32), all.points));
	shape_program_finish(&all);
	return ok;
}

bool force_fields_create(struct sim *sim)
{
	struct force_fields *f = &sim->force_fields;
	if (sim->scene->force_count == 0)
		return true;
	f->count = sim->scene->force_count;
	f->now = calloc(f->count, sizeof(*f->now));
	if (!f->now)
		return message_memory(f->count * sizeof(*f->now), "force fields");
	return make_shapes(sim) && clx_alloc(sim->cl, &f->fields, "force fields", f->count);
}

void force_fields_destroy(struct sim *sim)
{
	struct force_fields *f = &sim->force_fields;
	clx_free(sim->cl, &f->fields);
	clx_free(sim->cl, &f->ops);
	clx_free(sim->cl, &f->points);
	free(f->now);
	*f = (struct force_fields){0};
}

/* What a field is in the substep: the means of what changes. */
static void set_now(const struct sim *sim, const struct scene_force *force, struct force_params *p)
{
	const struct scene *scene = sim->scene;
	const double t = sim->time, dt = sim->dt, factor = scene_force_factor(force, t, dt);
	double vector[3] = {0.0, 0.0, 0.0};
	switch (force->kind) {
	case FORCE_POINT:
	case FORCE_VORTEX:
		p->strength = to_device(factor * force->strength / scene_force_core(force));
		p->pull = to_device(factor * force->pull / scene_force_core(force));
		break;
	case FORCE_WIND:
		p->strength = to_device(factor * force->drag * force->air_density /
					(scene->density * scene->h));
		for (int a = 0; a < 3; a++)
			vector[a] = force->velocity[a];
		break;
	case FORCE_DRAG:
		p->strength = to_device(factor * force->rate);
		break;
	case FORCE_CUSTOM:
		scene_vector_mean(force->accelerations, force->acceleration_count, t, dt, vector);
		for (int a = 0; a < 3; a++)
			vector[a] *= factor;
		break;
	case FORCE_VORTICITY:
		p->strength = to_device(factor * force->strength);
		break;
	case FORCE_KINDS:
		break;
	}
	for (int a = 0; a < 3; a++)
		p->vector[a] = to_device(vector[a]);
}

double force_fields_strength(const struct sim *sim, double t, double speed)
{
	const struct scene *scene = sim->scene;
	double sum = 0.0;
	for (size_t n = 0; n < scene->force_count; n++)
		sum += scene_force_most(scene, &scene->forces[n], t, scene->time.max_dt, speed);
	return sum;
}

/* ---- stages -------------------------------------------------------------------------------- */

static bool add(struct sim *sim, f32 sign, union f32_buffer *field)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	return LAUNCH(sim->cl, force_fields_add, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .sign = F32(sign), .force = &sim->force,
		      .field = field);
}

static bool make_vorticity(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	return LAUNCH(sim->cl, force_fields_vorticity, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .u_face = &sim->u_face, .valid = &sim->valid,
		      .cell_type = &sim->cell_type, .vorticity = &sim->vorticity);
}

/* Sums over particles of force . v, into the total `at`; with `impulse` then of the force. */
static bool sum(struct sim *sim, i32 impulse, i32 at)
{
	const struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, from = sim->lattice.sums;
	const i32 chunks = (n + PAIRS_CHUNK - 1) / PAIRS_CHUNK;
	const size_t lanes = PAIRS_GROUP_CHUNKS * PAIRS_LANES * REDUCE_PAIR_BYTES;
	const bool ok =
		clx_in_lanes(sim->cl)
			? LAUNCH(sim->cl, force_fields_sums_lanes, lattice_chunks(p->count),
				 .g = &g, .force = &sim->force, .position = &p->now.position,
				 .velocity = &p->now.velocity, .stride = I32(stride), .n = I32(n),
				 .impulse = I32(impulse), .chunks = I32(chunks), .from = I32(from),
				 .partial = &sim->lattice.partial)
			: LAUNCH(sim->cl, force_fields_sums, reduce_groups(&sim->lattice, chunks),
				 .g = &g, .force = &sim->force, .position = &p->now.position,
				 .velocity = &p->now.velocity, .stride = I32(stride), .n = I32(n),
				 .impulse = I32(impulse), .chunks = I32(chunks), .from = I32(from),
				 .partial = &sim->lattice.partial,
				 .lane = LOCAL(FORCE_SUMS * lanes));
	return ok && reduce_totals(&sim->lattice, chunks, impulse ? FORCE_SUMS : 1, at);
}

bool force_fields_apply(struct sim *sim)
{
	struct force_fields *f = &sim->force_fields;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const i32 count = (i32)f->count, parts = f->parts;
	if (f->count == 0)
		return true;
	for (size_t n = 0; n < f->count; n++)
		set_now(sim, &sim->scene->forces[n], &f->now[n]);
	return clx_write(sim->cl, &f->fields, 0, f->count * sizeof(*f->now), f->now) &&
	       (!f->has_vorticity || make_vorticity(sim)) &&
	       LAUNCH(sim->cl, force_fields_make, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .fields = &f->fields, .count = I32(count),
		      .parts = I32(parts), .ops = &f->ops, .points = &f->points,
		      .dt = F32(sim->dt_f), .u_face = &sim->u_face, .kick = &sim->kick,
		      .valid = &sim->valid, .cell_type = &sim->cell_type,
		      .open_fraction = &sim->solids.open_fraction, .vorticity = &sim->vorticity,
		      .force = &sim->force, .scalars = &sim->lattice.scalars) &&
	       add(sim, 1.0f, &sim->u_face) && sum(sim, 1, TOTAL_FORCE_BEFORE);
}

bool force_fields_include(struct sim *sim)
{
	return sim->force_fields.count == 0 ||
	       (add(sim, 1.0f, &sim->delta) &&
		(sim->solids.op_count == 0 || add(sim, -1.0f, &sim->u_old)));
}

bool force_fields_account(struct sim *sim)
{
	return sim->force_fields.count == 0 || sum(sim, 0, TOTAL_FORCE_AFTER);
}
