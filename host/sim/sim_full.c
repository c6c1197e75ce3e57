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

/* The first of the emitters that fill a place; their number if none does. */
static size_t emitter_at(const struct scene *scene, const f32 x[3])
{
	size_t i = 0;
	while (i < scene->emitter_count && !holds(&scene->emitters[i].shape, scene->dim, x))
		i++;
	return i;
}

/* Volumes, m^3, in 2D m^2. */
struct volumes {
	double room;			   /* that liquids and solids leave at the start */
	double emitter[EMITTERS_MOST + 1]; /* of the room, what each fills; then the rest */
};

/* Of particles at the points of files. */
static double volume_of_points(const struct scene *scene)
{
	double cell = 1.0, count = 0.0;
	for (int a = 0; a < scene->dim; a++)
		cell *= scene->h;
	for (size_t i = 0; i < scene->liquid_count; i++)
		count += (double)scene->liquids[i].points.count;
	return count * cell / scene->particles_per_cell;
}

static struct volumes measure(const struct scene *scene)
{
	struct volumes v = {0};
	int n[3] = {1, 1, 1};
	double each = 1.0;
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
				if (!is_room(scene, x))
					continue;
				v.room += each;
				v.emitter[emitter_at(scene, x)] += each;
			}
	v.room -= volume_of_points(scene);
	return v;
}

/* What inflows have brought by time t, m^3, and emitters where they fill a shape for the first
 * time. */
static double brought(const struct scene *scene, const struct volumes *v, double t)
{
	double sum = 0.0;
	for (size_t i = 0; i < scene->emitter_count; i++)
		sum += t > scene->emitters[i].at ? v->emitter[i] : 0.0;
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
	const struct volumes v = measure(scene);
	if (brought(scene, &v, high) < v.room)
		return -1.0;
	for (int halving = 0; halving < 60; halving++) {
		const double middle = 0.5 * (low + high);
		if (brought(scene, &v, middle) < v.room)
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
