#include "sources.h"

#include <math.h>

#include "frame_time.h"
#include "inflow_params.h"
#include "ledger.h"
#include "message.h"
#include "sources/drains.h"
#include "sources/emitters.h"
#include "sources/outflows.h"

/* ---- functions of time --------------------------------------------------------------------- */

/* The integral of the factor that the velocity has: 0 before the start, a ramp, 1, 0 after the
 * stop. */
static double factor_integral(const struct scene_inflow *inflow, double t)
{
	const double end = inflow->stop > 0.0 && t > inflow->stop ? inflow->stop : t;
	const double s = end - inflow->start, ramp = inflow->ramp;
	if (s <= 0.0)
		return 0.0;
	return s < ramp ? 0.5 * s * s / ramp : s - 0.5 * ramp;
}

static double speed_across(const struct scene_inflow *inflow)
{
	return fabs(inflow->velocity[inflow->part.wall / 2]);
}

double sources_advance(const struct scene_inflow *inflow, double t)
{
	return speed_across(inflow) * factor_integral(inflow, t);
}

double sources_layers(const struct scene_inflow *inflow, const struct inflow *own, double t)
{
	/* One is in when its far side is: then all of it is in the box. */
	return floor(sources_advance(inflow, t) / own->layer);
}

double sources_estimate(const struct scene *scene)
{
	double sum = 0.0;
	const double end = scene->time.frames / scene->time.fps;
	for (size_t i = 0; i < scene->inflow_count; i++) {
		const struct scene_inflow *inflow = &scene->inflows[i];
		double cells = sources_advance(inflow, end) / scene->h;
		for (int a = 0; a < scene->dim; a++)
			if (a != (int)inflow->part.wall / 2)
				cells *= (inflow->part.high[a] - inflow->part.low[a]) / scene->h;
		sum += cells * scene->particles_per_cell;
	}
	return sum + emitters_estimate(scene);
}

/* The mean factor from t to t + dt. */
static double mean_factor(const struct scene_inflow *inflow, double t, double dt)
{
	return (factor_integral(inflow, t + dt) - factor_integral(inflow, t)) / dt;
}

double sources_speed(const struct sim *sim, double t, double dt)
{
	double most = 0.0;
	for (size_t i = 0; i < sim->sources.count; i++) {
		const struct scene_inflow *inflow = &sim->scene->inflows[i];
		const double *v = inflow->velocity;
		if (factor_integral(inflow, t + dt) > factor_integral(inflow, t))
			most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
	}
	for (size_t i = 0; i < sim->sources.out_count; i++)
		most = fmax(most, sim->scene->outflows[i].velocity);
	return fmax(most, emitters_speed(sim->scene, t, dt));
}

double sources_room(const struct sim *sim)
{
	return (double)sim->outflows.most + emitters_room(sim);
}

double sources_particles(const struct sim *sim, double start, double end)
{
	double sum = 0.0;
	for (size_t i = 0; i < sim->sources.count; i++) {
		const struct scene_inflow *inflow = &sim->scene->inflows[i];
		const struct inflow *own = &sim->sources.inflow[i];
		sum += own->sites *
		       (sources_layers(inflow, own, end) - sources_layers(inflow, own, start));
	}
	return sum;
}

/* ---- stages -------------------------------------------------------------------------------- */

bool sources_flow(struct sim *sim)
{
	struct sources *s = &sim->sources;
	if (s->faces == 0)
		return true;
	const i32 n = (i32)s->faces;
	for (size_t i = 0; i < s->count; i++) {
		const struct scene_inflow *inflow = &sim->scene->inflows[i];
		const f32 speed = (f32)(inflow->velocity[inflow->part.wall / 2] *
					mean_factor(inflow, sim->time, sim->dt));
		if (!clx_write(sim->cl, &s->speed, i * sizeof(speed), sizeof(speed), &speed))
			return false;
	}
	for (size_t i = 0; i < s->out_count; i++) {
		const struct scene_outflow *outflow = &sim->scene->outflows[i];
		const f32 speed =
			(f32)(outflow->part.wall % 2 ? outflow->velocity : -outflow->velocity);
		if (!clx_write(sim->cl, &s->speed, (s->count + i) * sizeof(speed), sizeof(speed),
			       &speed))
			return false;
	}
	return LAUNCH(sim->cl, sources_flow, clx_range1(s->faces), .face = &s->face,
		      .share = &s->share, .inflow = &s->of_inflow, .speed = &s->speed, .n = I32(n),
		      .flow = &sim->flow);
}

/* The energy, momentum and places of those, but for what chance and solids move. */
static void add_sums(struct sim *sim, size_t i, double deep, const f32 velocity[3])
{
	const struct scene *scene = sim->scene;
	const struct inflow *own = &sim->sources.inflow[i];
	struct ledger_sums *sums = &sim->sources.sums;
	const int wall = (int)scene->inflows[i].part.wall;
	const double h = scene->h, cell = h * h * (sim->dim == 3 ? h : 1.0);
	const double mass = own->entering * scene->density * cell / scene->particles_per_cell;
	const double middle = deep - 0.5 * (own->entering / own->sites - 1) * own->layer;
	for (int a = 0; a < sim->dim; a++) {
		const double v = (double)velocity[a];
		const double across = wall % 2 ? scene->size[a] - middle : middle;
		sums->kinetic += 0.5 * mass * v * v;
		sums->momentum[a] += mass * v;
		const double v_across = (double)velocity[wall / 2] * (wall % 2 ? -1.0 : 1.0);
		sums->position[a] +=
			mass * (a == wall / 2 ? across : own->mean[a] + middle * v / v_across);
	}
}

/* The particles of an inflow that enter, behind those there are. */
static bool emit(struct sim *sim, size_t i, double end)
{
	struct particles *p = &sim->particles;
	const struct scene_inflow *inflow = &sim->scene->inflows[i];
	const struct scene_liquid *liquid = &sim->scene->liquids[inflow->part.liquid];
	struct inflow *own = &sim->sources.inflow[i];
	const double before = sources_layers(inflow, own, sim->time),
		     now = sources_layers(inflow, own, end);
	const struct grid g = sim->lattice.grid;
	const double deep = sources_advance(inflow, end) - (before + 0.5) * own->layer;
	struct inflow_params params = {.wall = (i32)inflow->part.wall,
				       .sites = (i32)own->sites,
				       .seed = liquid->seed ^ 0x696e666cu,
				       .stream = (u32)i,
				       .jitter = (f32)liquid->jitter,
				       .depth = (f32)deep,
				       .layer = (f32)own->layer};
	const double factor = mean_factor(inflow, sim->time, sim->dt);
	for (int a = 0; a < 3; a++) {
		params.velocity[a] = (f32)(factor * inflow->velocity[a]);
		params.spacing[a] = (f32)own->spacing[a];
		if (a != (int)inflow->part.wall / 2)
			params.slope[a] = (f32)(inflow->velocity[a] / speed_across(inflow));
	}
	own->entering = (u32)(now - before) * own->sites;
	if (own->entering == 0)
		return true;
	const u32 first = p->count, stride = p->capacity,
		  first_id = p->ids.end + sim->sources.entering;
	const i32 n = (i32)own->entering, affine = scene_has_affine(sim->scene);
	const i32 ops = (i32)sim->solids.op_count, solids = (i32)sim->scene->solid_count;
	const u32 salt = (u32)(2 * sim->steps);
	if (own->entering > p->capacity - p->count)
		return message_error("inflow '%s': no room for %u particles more than %u",
				     inflow->part.name, own->entering, p->count);
	add_sums(sim, i, deep, params.velocity);
	p->count += own->entering;
	sim->sources.entering += own->entering;
	return LAUNCH(sim->cl, sources_emit, clx_range1(own->entering), .g = &g, .p = &params,
		      .site = &own->site, .n = I32(n), .first = U32(first),
		      .first_id = U32(first_id), .has_affine = I32(affine), .salt = U32(salt),
		      .ops = &sim->solids.ops, .op_count = I32(ops), .points = &sim->solids.points,
		      .solid_phi = &sim->solids.phi, .solid_slip = &sim->solids.slip,
		      .solid_count = I32(solids), .stride = U32(stride),
		      .position = &p->now.position, .velocity = &p->now.velocity,
		      .affine = &p->now.affine, .id = &p->now.id);
}

bool sources_emit(struct sim *sim)
{
	const double end = frame_time_substep(sim);
	if (!drains_remove(sim))
		return false;
	sim->sources.entering = 0;
	sim->sources.sums = (struct ledger_sums){0};
	for (size_t i = 0; i < sim->sources.count; i++)
		if (!emit(sim, i, end))
			return false;
	return outflows_emit(sim) && emitters_emit(sim);
}

bool sources_accept(struct sim *sim)
{
	drains_accept(sim);
	for (size_t i = 0; i < sim->sources.count; i++) {
		const u32 entered = sim->sources.inflow[i].entering;
		const size_t liquid = sim->scene->inflows[i].part.liquid;
		if (entered == 0)
			continue;
		ledger_enter(&sim->ledger, entered);
		if (!id_ranges_add(&sim->particles.ids, entered, (uint8_t)liquid))
			return false;
	}
	return outflows_accept(sim) && emitters_accept(sim);
}
