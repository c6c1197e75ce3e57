#include "sources/outflows.h"

#include <math.h>

#include "bits.h"
#include "ledger.h"
#include "message.h"
#include "outflow_params.h"
#include "sources.h"
#include "sources/book.h"
#include "zero.h"

/* The reciprocal of the distance, in cells, from a cell's middle to the wall. */
#define PER_THETA 2.0

/* ---- pressure ------------------------------------------------------------------------------ */

static bool open_faces(struct sim *sim, i32 is_open)
{
	struct outflows *o = &sim->outflows;
	const i32 n = (i32)o->faces;
	return LAUNCH(sim->cl, outflows_open, clx_range1(o->faces), .face = &o->slot,
		      .part = &o->part, .n = I32(n), .is_open = I32(is_open),
		      .open_fraction = &sim->solids.open_fraction);
}

bool outflows_close(struct sim *sim)
{
	return sim->outflows.faces == 0 || open_faces(sim, 0);
}

void outflows_restart(struct sim *sim)
{
	for (u32 f = 0; f < sim->outflows.faces; f++) {
		sim->outflows.face[f].owed = 0.0;
		sim->outflows.face[f].turn = 0;
	}
}

bool outflows_begin(struct sim *sim)
{
	return outflows_close(sim) &&
	       (sim->outflows.count == 0 || ZERO(sim->cl, ZERO_ALL(&sim->outflows.left)));
}

/* Pa, at a face. */
static double pressure_at(const struct sim *sim, const struct outflow_face *face, double weight)
{
	const struct scene_outflow *outflow = &sim->scene->outflows[face->outflow];
	const double depth = outflow->level - 0.5 * (face->low[1] + face->high[1]);
	if (outflow->kind == OUTFLOW_PRESSURE)
		return outflow->pressure;
	return depth > 0.0 ? sim->scene->density * weight * depth : 0.0;
}

bool outflows_push(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	const struct scene *scene = sim->scene;
	const i32 n = (i32)o->faces;
	const f32 per_h = (f32)(sim->dt / scene->h);
	double g[3];
	if (o->faces == 0)
		return true;
	scene_gravity_mean(scene, sim->time, sim->dt, g);
	for (u32 i = 0; i < o->faces; i++) {
		const struct outflow_face *face = &o->face[i];
		const bool high = scene->outflows[face->outflow].part.wall % 2;
		const double q =
			pressure_at(sim, face, -g[1]) * sim->dt / (scene->density * scene->h);
		o->values[i] = face->share > 0.0 ? (f32)(PER_THETA * (high ? -q : q)) : 0.0f;
	}
	return clx_write(sim->cl, &o->push, 0, o->faces * sizeof(f32), o->values) &&
	       open_faces(sim, 1) &&
	       LAUNCH(sim->cl, outflows_push, clx_range1(o->faces), .face = &o->slot,
		      .cell = &o->cell, .inward = &o->inward, .push = &o->push, .n = I32(n),
		      .per_h = F32(per_h), .cell_type = &sim->cell_type, .u_face = &sim->u_face,
		      .pushed = &o->pushed);
}

bool outflows_include(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	const i32 n = (i32)o->faces, keep_old = sim->solids.op_count > 0;
	return o->faces == 0 ||
	       LAUNCH(sim->cl, outflows_include, clx_range1(o->faces), .face = &o->slot,
		      .pushed = &o->pushed, .n = I32(n), .keep_old = I32(keep_old),
		      .delta = &sim->delta, .u_old = &sim->u_old);
}

/* ---- particles that leave ------------------------------------------------------------------ */

static struct outflow_params params_of(const struct sim *sim, size_t i)
{
	const struct scene_opening *part = &sim->scene->outflows[i].part;
	const struct outflow *own = &sim->outflows.outflow[i];
	/* A substep that would take something farther is taken back. */
	const double reach = (sim->layers / sim->dim + 1) * sim->scene->h;
	struct outflow_params p = {
		.wall = (i32)part->wall, .reach = (f32)reach, .base = own->base, .which = (i32)i};
	for (int a = 0; a < 3; a++) {
		p.low[a] = (f32)part->low[a];
		p.high[a] = (f32)part->high[a];
		p.first[a] = own->first[a];
		p.count[a] = own->count[a];
	}
	return p;
}

bool outflows_take(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 order = (i32)sim->scene->solver.advection - ADVECTION_RK1 + 1;
	const i32 ops = (i32)sim->solids.op_count, solids = (i32)sim->scene->solid_count;
	for (size_t i = 0; i < o->count && p->count > 0; i++) {
		const struct outflow_params params = params_of(sim, i);
		if (!LAUNCH(sim->cl, outflows_take,
			    clx_range1(lattice_striding_items(&sim->lattice, p->count)), .g = &g,
			    .p = &params, .u_face = &sim->u_face, .order = I32(order),
			    .dt = F32(sim->dt_f), .position = &p->now.position, .id = &p->now.id,
			    .stride = I32(stride), .n = I32(n), .ops = &sim->solids.ops,
			    .op_count = I32(ops), .points = &sim->solids.points,
			    .solid_phi = &sim->solids.phi, .solid_slip = &sim->solids.slip,
			    .solid_count = I32(solids), .left = &o->left,
			    .scalars = &sim->lattice.scalars))
			return false;
	}
	return true;
}

/* ---- particles that come in ---------------------------------------------------------------- */

/*
 * What a face owes: the liquid that came in through it in the substep, in particles, and those that
 * left are put to its credit; whole ones come in while liquid does.  What has come in beyond that
 * is more than a cell's only where particles and liquid have parted.
 */
static void balance(const struct sim *sim, struct outflow_face *face, f32 u, u32 left)
{
	const struct scene *scene = sim->scene;
	const double most = scene->particles_per_cell;
	const bool high = scene->outflows[face->outflow].part.wall % 2;
	const double in = (high ? -1.0 : 1.0) * (double)u * face->share * sim->dt *
			  scene->particles_per_cell / scene->h;
	const double owed = fmax(-most, fmin(face->owed + in + left, 2.0 * most));
	double entering = in > 0.0 ? fmin(floor(owed), floor(in) + 1.0) : 0.0;
	entering = fmax(0.0, fmin(entering, 2.0 * most));
	face->entering = (u32)entering;
	face->next_owed = fmin(owed - entering, most);
	face->next_turn = face->turn + face->entering;
}

/* The place of a face's n-th particle that comes in: the last is the nearest to the wall. */
static void place(const struct sim *sim, const struct outflow_face *face, u32 n, f32 to[4])
{
	const struct scene *scene = sim->scene;
	const struct scene_opening *part = &scene->outflows[face->outflow].part;
	const int across = (int)part->wall / 2, one = across == 0 ? 1 : 0;
	const u32 row =
		(u32)fmax(1.0, floor(sources_root(scene->particles_per_cell, sim->dim) + 0.5));
	const u32 turn = face->turn + n;
	const u32 site[2] = {turn % row, turn / row % row};
	const double layer = scene->h / (scene->particles_per_cell * face->share);
	const double behind =
		face->next_owed > 0.0 ? face->next_owed - floor(face->next_owed) : 0.0;
	const double deep =
		fmin(scene->h, layer * (behind + (double)(face->entering - 1 - n) + 0.5));
	to[2] = 0.0f;
	to[3] = (f32)fmin(layer, scene->h);
	for (int a = 0; a < sim->dim; a++) {
		const double width = face->high[a] - face->low[a];
		const u32 at = site[a == one ? 0 : 1];
		to[a] = a == across ? (f32)(part->wall % 2 ? scene->size[a] - deep : deep)
				    : (f32)(face->low[a] + width * (at + 0.5) / row);
	}
}

/* Those of one outflow, `n` of them, whose places are in o->values. */
static bool launch(struct sim *sim, size_t i, u32 n)
{
	struct outflows *o = &sim->outflows;
	struct particles *p = &sim->particles;
	const struct scene *scene = sim->scene;
	const struct scene_opening *part = &scene->outflows[i].part;
	const struct scene_liquid *liquid = &scene->liquids[part->liquid];
	const struct grid g = sim->lattice.grid;
	const double row = floor(sources_root(scene->particles_per_cell, sim->dim) + 0.5);
	struct outflow_seed seed = {.wall = (i32)part->wall,
				    .seed = liquid->seed ^ 0x6f757466u,
				    .stream = (u32)i,
				    .jitter = (f32)liquid->jitter,
				    .inside = (f32)(0.125 * scene->h)};
	for (int a = 0; a < 3; a++)
		seed.spacing[a] = (f32)(scene->h / fmax(1.0, row));
	const u32 first = p->count, stride = p->capacity,
		  first_id = p->ids.end + sim->sources.entering;
	const i32 count = (i32)n, affine = scene_has_affine(scene);
	const i32 ops = (i32)sim->solids.op_count, solids = (i32)scene->solid_count;
	const u32 salt = (u32)(2 * sim->steps);
	if (n > p->capacity - p->count)
		return message_error("outflow '%s': no room for %u particles more than %u",
				     part->name, n, p->count);
	p->count += n;
	sim->sources.entering += n;
	return clx_write(sim->cl, &o->place, 0, 4 * (size_t)n * sizeof(f32), o->values) &&
	       LAUNCH(sim->cl, outflows_emit, clx_range1(n), .g = &g, .p = &seed,
		      .place = &o->place, .n = I32(count), .first = U32(first),
		      .first_id = U32(first_id), .has_affine = I32(affine), .salt = U32(salt),
		      .u_face = &sim->u_face, .ops = &sim->solids.ops, .op_count = I32(ops),
		      .points = &sim->solids.points, .solid_phi = &sim->solids.phi,
		      .solid_slip = &sim->solids.slip, .solid_count = I32(solids),
		      .stride = U32(stride), .position = &p->now.position,
		      .velocity = &p->now.velocity, .affine = &p->now.affine, .id = &p->now.id) &&
	       book_entered(sim, first, n);
}

static bool emit(struct sim *sim, size_t i)
{
	struct outflows *o = &sim->outflows;
	struct outflow *own = &o->outflow[i];
	own->entering = 0;
	for (u32 f = 0; f < o->faces; f++) {
		const struct outflow_face *face = &o->face[f];
		for (u32 n = 0; face->outflow == i && n < face->entering; n++)
			place(sim, face, n, o->values + 4 * (size_t)own->entering++);
	}
	return own->entering == 0 || launch(sim, i, own->entering);
}

bool outflows_emit(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	const i32 n = (i32)o->faces;
	u32 *report = (u32 *)(void *)o->values;
	if (o->faces == 0)
		return true;
	if (!LAUNCH(sim->cl, outflows_look, clx_range1(o->faces), .face = &o->slot,
		    .cell = &o->cell, .n = I32(n), .cell_type = &sim->cell_type,
		    .u_face = &sim->u_face, .left = &o->left, .report = &o->report) ||
	    !clx_read(sim->cl, &o->report, 0, 2 * (size_t)o->faces * sizeof(u32), report))
		return false;
	for (u32 f = 0; f < o->faces; f++)
		balance(sim, &o->face[f], float_from_bits(report[2 * f]), report[2 * f + 1]);
	for (size_t i = 0; i < o->count; i++)
		if (!emit(sim, i))
			return false;
	return true;
}

bool outflows_accept(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	for (size_t i = 0; i < o->count; i++) {
		const u32 entered = o->outflow[i].entering;
		if (entered == 0)
			continue;
		ledger_enter(&sim->ledger, entered);
		sim->ledger.entered_outflows += entered;
		if (!id_ranges_add(&sim->particles.ids, entered,
				   (uint8_t)sim->scene->outflows[i].part.liquid))
			return false;
	}
	return true;
}

void outflows_close_substep(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	for (u32 f = 0; f < o->faces; f++) {
		o->face[f].owed = o->face[f].next_owed;
		o->face[f].turn = o->face[f].next_turn;
	}
}
