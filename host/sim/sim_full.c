#include "sim_full.h"

#include "message.h"
#include "shape.h"
#include "sources.h"

#define PLACES_MOST 64

static bool is_sealed(const struct scene *scene)
{
	for (int wall = 0; wall < 2 * scene->dim; wall++)
		if (scene->open[wall])
			return false;
	return scene->outflow_count == 0 && scene->drain_count == 0;
}

static bool holds(const struct shape_program *shape, int dim, const f32 x[3])
{
	return shape->op_count > 0 && shape_distance(dim, shape->ops, (int)shape->op_count,
						     shape->points, x[0], x[1], x[2]) < 0.0f;
}

static bool is_room(const struct scene *scene, const f32 x[3])
{
	for (size_t i = 0; i < scene->solid_count; i++)
		if (holds(&scene->solids[i].shape, scene->dim, x))
			return false;
	for (size_t i = 0; i < scene->liquid_count; i++)
		if (holds(&scene->liquids[i].shape, scene->dim, x))
			return false;
	return true;
}

/* m^3, in 2D m^2. */
static double room_of(const struct scene *scene)
{
	int n[3] = {1, 1, 1};
	double each = 1.0, room = 0.0;
	for (int a = 0; a < scene->dim; a++) {
		n[a] = scene->cells[a] < PLACES_MOST ? scene->cells[a] : PLACES_MOST;
		each *= scene->size[a] / n[a];
	}
	for (int k = 0; k < n[2]; k++)
		for (int j = 0; j < n[1]; j++)
			for (int i = 0; i < n[0]; i++) {
				const int at[3] = {i, j, k};
				f32 x[3] = {0.0f, 0.0f, 0.0f};
				for (int a = 0; a < scene->dim; a++)
					x[a] = (f32)((at[a] + 0.5) * scene->size[a] / n[a]);
				room += is_room(scene, x) ? each : 0.0;
			}
	return room;
}

/* What inflows have brought by time t, m^3. */
static double brought(const struct scene *scene, double t)
{
	double sum = 0.0;
	for (size_t i = 0; i < scene->inflow_count; i++) {
		const struct scene_inflow *inflow = &scene->inflows[i];
		double volume = sources_advance(inflow, t);
		for (int a = 0; a < scene->dim; a++)
			if (a != (int)inflow->part.wall / 2)
				volume *= inflow->part.high[a] - inflow->part.low[a];
		sum += volume;
	}
	return sum;
}

double sim_full_time(const struct scene *scene)
{
	double low = 0.0, high = scene->time.frames / scene->time.fps;
	if (scene->inflow_count == 0 || !is_sealed(scene))
		return -1.0;
	const double room = room_of(scene);
	if (brought(scene, high) < room)
		return -1.0;
	for (int halving = 0; halving < 60; halving++) {
		const double middle = 0.5 * (low + high);
		if (brought(scene, middle) < room)
			low = middle;
		else
			high = middle;
	}
	return high;
}

void sim_warn_of_full(const struct scene *scene)
{
	const double time = sim_full_time(scene);
	if (time >= 0.0)
		message_warning("the box has no opening: its inflows fill it by %.3g s, and then "
				"particles get denser than they should",
				time);
}
