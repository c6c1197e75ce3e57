/* Sites and faces of inflows, and faces of outflows that have a velocity, found once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "seed_params.h"
#include "shape.h"
#include "sources.h"

/* Points along each axis of a face at which solids are looked for. */
#define SAMPLES 8

struct plan {
	i32 *face, *of_inflow;
	f32 *share;
	size_t count, room;
};

static void plan_free(struct plan *plan)
{
	free(plan->face);
	free(plan->of_inflow);
	free(plan->share);
}

static bool plan_add(struct plan *plan, size_t face, double share, size_t inflow)
{
	if (plan->count == plan->room) {
		const size_t room = plan->room ? 2 * plan->room : 256;
		i32 *faces = realloc(plan->face, room * sizeof(*faces));
		plan->face = faces ? faces : plan->face;
		i32 *inflows = faces ? realloc(plan->of_inflow, room * sizeof(*inflows)) : NULL;
		plan->of_inflow = inflows ? inflows : plan->of_inflow;
		f32 *shares = inflows ? realloc(plan->share, room * sizeof(*shares)) : NULL;
		plan->share = shares ? shares : plan->share;
		if (!shares)
			return message_memory(room * sizeof(*shares), "the faces of inflows");
		plan->room = room;
	}
	plan->face[plan->count] = (i32)face;
	plan->of_inflow[plan->count] = (i32)inflow;
	plan->share[plan->count++] = (f32)share;
	return true;
}

/* Is x outside all solids, by `clearance`? */
static bool is_open(const struct sim *sim, const double x[3], double clearance)
{
	const f32 p[3] = {(f32)x[0], (f32)x[1], (f32)x[2]};
	for (size_t s = 0; s < sim->scene->solid_count; s++) {
		const struct shape_program *shape = &sim->scene->solids[s].shape;
		if (!((double)shape_distance(sim->dim, shape->ops, (int)shape->op_count,
					     shape->points, p[0], p[1], p[2]) > clearance))
			return false;
	}
	return true;
}

/* The wall's plane, a hair inside. */
static double plane_of(const struct sim *sim, const struct scene_opening *part, double inside)
{
	return part->wall % 2 ? sim->scene->size[part->wall / 2] - inside : inside;
}

double sources_open_part(const struct sim *sim, const struct scene_opening *part,
			 const double low[3], const double high[3])
{
	const int across = (int)part->wall / 2;
	const int one = across == 0 ? 1 : 0, other = 3 - across - one;
	int open = 0, all = 0;
	if (sim->scene->solid_count == 0)
		return 1.0;
	for (int j = 0; j < (sim->dim == 3 ? SAMPLES : 1); j++)
		for (int i = 0; i < SAMPLES; i++) {
			double x[3] = {0.0, 0.0, 0.0};
			x[across] = plane_of(sim, part, 0x1p-10 * sim->scene->h);
			x[one] = low[one] + (high[one] - low[one]) * (i + 0.5) / SAMPLES;
			if (sim->dim == 3)
				x[other] = low[other] +
					   (high[other] - low[other]) * (j + 0.5) / SAMPLES;
			open += is_open(sim, x, 0.0);
			all++;
		}
	return (double)open / all;
}

void sources_cells(const struct sim *sim, const struct scene_opening *part, int first[3],
		   int end[3])
{
	const double h = sim->scene->h;
	for (int axis = 0; axis < 3; axis++) {
		const int cells = sim->scene->cells[axis];
		if (axis >= sim->dim) {
			first[axis] = 0;
			end[axis] = 1;
		} else if (axis == (int)part->wall / 2) {
			first[axis] = part->wall % 2 ? cells - 1 : 0;
			end[axis] = first[axis] + 1;
		} else {
			first[axis] = (int)floor(part->low[axis] / h + 1e-6);
			end[axis] = (int)ceil(part->high[axis] / h - 1e-6);
			end[axis] = end[axis] > cells ? cells : end[axis];
		}
	}
}

/* Lists the faces of a part of a wall, and adds up what is open, in faces. */
static bool list_faces(const struct sim *sim, const struct scene_opening *part, size_t index,
		       struct plan *plan, double *area)
{
	const struct grid *g = &sim->lattice.grid;
	const int across = (int)part->wall / 2;
	const double h = sim->scene->h;
	int first[3], end[3], at[3];
	sources_cells(sim, part, first, end);
	*area = 0.0;
	for (at[2] = first[2]; at[2] < end[2]; at[2]++)
		for (at[1] = first[1]; at[1] < end[1]; at[1]++)
			for (at[0] = first[0]; at[0] < end[0]; at[0]++) {
				double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0},
				       share = 1.0;
				for (int a = 0; a < sim->dim; a++) {
					low[a] = fmax(at[a] * h, part->low[a]);
					high[a] = fmin((at[a] + 1) * h, part->high[a]);
					if (a != across)
						share *= fmax(0.0, (high[a] - low[a]) / h);
				}
				share *= sources_open_part(sim, part, low, high);
				if (!(share > 1e-6))
					continue;
				*area += share;
				int point[3] = {at[0], at[1], at[2]};
				point[across] += (int)part->wall % 2;
				const size_t face =
					(size_t)across * (size_t)g->lattice +
					(size_t)(point[0] + g->px * (point[1] + g->py * point[2]));
				if (!plan_add(plan, face, share, index))
					return false;
			}
	return true;
}

/* By Newton's method, the same everywhere. */
double sources_root(double n, int dim)
{
	double r = n > 1.0 ? n : 1.0;
	for (int i = 0; i < 64; i++)
		r = dim == 3 ? r - (r * r * r - n) / (3.0 * r * r) : r - (r * r - n) / (2.0 * r);
	return r;
}

/* The sites of a layer: a lattice over the box, as many as fill a cell with its particles, where no
 * solid is. */
static bool place_sites(struct sim *sim, size_t index, double area)
{
	const struct scene *scene = sim->scene;
	const struct scene_inflow *inflow = &scene->inflows[index];
	struct inflow *own = &sim->sources.inflow[index];
	const int across = (int)inflow->part.wall / 2, dim = sim->dim;
	const double per_axis = sources_root(scene->particles_per_cell, dim);
	size_t n[3] = {1, 1, 1};
	for (int a = 0; a < dim; a++) {
		const double width = inflow->part.high[a] - inflow->part.low[a];
		if (a == across)
			continue;
		n[a] = (size_t)fmax(1.0, floor(width / scene->h * per_axis + 0.5 + 1e-6));
		own->spacing[a] = width / (double)n[a];
	}
	const size_t all = n[0] * n[1] * n[2];
	f32 *site = malloc(3 * all * sizeof(*site));
	if (!site)
		return message_memory(3 * all * sizeof(*site), "the sites of an inflow");
	size_t kept = 0;
	for (size_t s = 0; s < all; s++) {
		const size_t place[3] = {s % n[0], s / n[0] % n[1], s / (n[0] * n[1])};
		double x[3] = {0.0, 0.0, 0.0};
		for (int a = 0; a < dim; a++)
			x[a] = a == across
				       ? plane_of(sim, &inflow->part, 0.25 * scene->h / per_axis)
				       : inflow->part.low[a] +
						 own->spacing[a] * ((double)place[a] + 0.5);
		if (!is_open(sim, x, (double)SEED_CLEARANCE * scene->h))
			continue;
		for (int a = 0; a < 3; a++) {
			site[(size_t)a * all + kept] = (f32)x[a];
			own->mean[a] += x[a];
		}
		kept++;
	}
	bool ok = kept > 0 && area > 0.0;
	if (!ok)
		message_error("inflow '%s': solids close all of it", inflow->part.name);
	own->sites = (u32)kept;
	/* The particles of a layer are what comes in while it does. */
	const double faces = area * (dim == 3 ? scene->h * scene->h : scene->h);
	const double cell = scene->h * scene->h * (dim == 3 ? scene->h : 1.0);
	own->layer = (double)kept * cell / scene->particles_per_cell / faces;
	for (int a = 0; a < 3 && ok; a++)
		own->mean[a] /= (double)kept;
	ok = ok && clx_alloc(sim->cl, &own->site, "sites of an inflow", (size_t)dim * kept);
	for (int a = 0; a < dim && ok; a++)
		ok = clx_write(sim->cl, &own->site, (size_t)a * kept * sizeof(*site),
			       kept * sizeof(*site), site + (size_t)a * all);
	free(site);
	return ok;
}

static bool upload(struct sim *sim, const struct plan *plan)
{
	struct sources *s = &sim->sources;
	s->faces = (u32)plan->count;
	return clx_alloc(sim->cl, &s->face, "faces of inflows", plan->count) &&
	       clx_alloc(sim->cl, &s->share, "open parts of inflows", plan->count) &&
	       clx_alloc(sim->cl, &s->of_inflow, "inflows of faces", plan->count) &&
	       clx_alloc(sim->cl, &s->speed, "speeds of inflows", s->count + s->out_count) &&
	       clx_write(sim->cl, &s->face, 0, plan->count * sizeof(i32), plan->face) &&
	       clx_write(sim->cl, &s->share, 0, plan->count * sizeof(f32), plan->share) &&
	       clx_write(sim->cl, &s->of_inflow, 0, plan->count * sizeof(i32), plan->of_inflow);
}

bool sources_create(struct sim *sim)
{
	struct sources *s = &sim->sources;
	struct plan plan = {0};
	const struct scene *scene = sim->scene;
	if (scene->inflow_count + scene->outflow_count == 0)
		return true;
	s->count = scene->inflow_count;
	s->out_count = scene->outflow_count;
	s->inflow = calloc(s->count + 1, sizeof(*s->inflow));
	bool ok = s->inflow || message_memory((s->count + 1) * sizeof(*s->inflow), "inflows");
	double area;
	for (size_t i = 0; i < s->count && ok; i++)
		ok = list_faces(sim, &scene->inflows[i].part, i, &plan, &area) &&
		     place_sites(sim, i, area);
	/* Outflows of a given velocity are faces like those, with the other sign. */
	for (size_t i = 0; i < s->out_count && ok; i++) {
		const struct scene_outflow *outflow = &scene->outflows[i];
		if (outflow->kind != OUTFLOW_VELOCITY)
			continue;
		ok = list_faces(sim, &outflow->part, s->count + i, &plan, &area) &&
		     (area > 0.0 ||
		      message_error("outflow '%s': solids close all of it", outflow->part.name));
	}
	s->has_flow = plan.count > 0;
	ok = ok && upload(sim, &plan);
	plan_free(&plan);
	return ok;
}

void sources_destroy(struct sim *sim)
{
	struct sources *s = &sim->sources;
	for (size_t i = 0; s->inflow && i < s->count; i++)
		clx_free(sim->cl, &s->inflow[i].site);
	clx_free(sim->cl, &s->face);
	clx_free(sim->cl, &s->share);
	clx_free(sim->cl, &s->of_inflow);
	clx_free(sim->cl, &s->speed);
	free(s->inflow);
	*s = (struct sources){0};
}
