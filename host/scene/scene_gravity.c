#include <math.h>

#include "scene.h"

static double length_of(const double v[3])
{
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The square of the speed after a fall from where what fills low ... high is farthest from the
 * floor, by the gravity that makes most of it; the floor is the corner of the box that is lowest.
 */
static double fall_squared(const struct scene *scene, const double low[3], const double high[3])
{
	double most = 0;
	for (size_t k = 0; k < scene->gravity_count; k++) {
		const double *g = scene->gravity[k].value;
		double work = 0;
		for (int i = 0; i < scene->dim; i++)
			work += g[i] > 0 ? g[i] * (scene->size[i] - low[i]) : -g[i] * high[i];
		most = fmax(most, work);
	}
	return 2 * most;
}

double scene_fast_speed(const struct scene *scene)
{
	static const double corner[3] = {0, 0, 0};
	double square = 0;
	for (size_t l = 0; l < scene->liquid_count; l++) {
		const struct scene_liquid *liquid = &scene->liquids[l];
		if (liquid->shape.op_count == 0 && !liquid->points.file)
			continue; /* inflows bring it */
		const double start = length_of(liquid->velocity) +
				     length_of(liquid->angular_velocity) * liquid->reach;
		square = fmax(square,
			      start * start + fall_squared(scene, liquid->low, liquid->high));
	}
	for (size_t i = 0; i < scene->inflow_count; i++) {
		const struct scene_inflow *inflow = &scene->inflows[i];
		const double start = length_of(inflow->velocity);
		square = fmax(square, start * start + fall_squared(scene, inflow->part.low,
								   inflow->part.high));
	}
	for (size_t i = 0; i < scene->emitter_count; i++) {
		const struct scene_emitter *emitter = &scene->emitters[i];
		const double start = length_of(emitter->velocity);
		double low[3] = {0}, high[3] = {0};
		for (int a = 0; a < scene->dim; a++) {
			low[a] = fmax(emitter->low[a], 0);
			high[a] = fmin(emitter->high[a], scene->size[a]);
		}
		square = fmax(square, start * start + fall_squared(scene, low, high));
	}
	/* A box that moves throws liquid up. */
	if (scene->liquid_count == 0 || scene->motion.given)
		square = fmax(square, fall_squared(scene, corner, scene->size));
	/* Nothing that moves it: the height of the box in a second. */
	return square > 0 ? sqrt(square) : scene->size[1];
}

void scene_vector_at(const struct scene_vector_key *keys, size_t count, double t, double v[3])
{
	size_t next = 0;
	while (next < count && keys[next].time <= t)
		next++;
	const struct scene_vector_key *high = &keys[next < count ? next : count - 1];
	const struct scene_vector_key *low = &keys[next > 0 ? next - 1 : 0];
	const double span = high->time - low->time;
	const double weight = span > 0 ? (t - low->time) / span : 0;
	for (int i = 0; i < 3; i++)
		v[i] = low->value[i] + weight * (high->value[i] - low->value[i]);
}

void scene_vector_mean(const struct scene_vector_key *keys, size_t count, double t, double dt,
		       double v[3])
{
	double sum[3] = {0}, from = t, low[3], high[3];
	if (count == 1 || !(dt > 0)) {
		scene_vector_at(keys, count, t, v);
		return;
	}
	/* Linear between t, the keys in between, and t + dt. */
	scene_vector_at(keys, count, t, low);
	for (size_t n = 0; n <= count && from < t + dt; n++) {
		double to = n < count ? keys[n].time : t + dt;
		if (to <= from)
			continue;
		to = to < t + dt ? to : t + dt;
		scene_vector_at(keys, count, to, high);
		for (int i = 0; i < 3; i++) {
			sum[i] += 0.5 * (to - from) * (low[i] + high[i]);
			low[i] = high[i];
		}
		from = to;
	}
	for (int i = 0; i < 3; i++)
		v[i] = sum[i] / dt;
}

double scene_vector_most(const struct scene_vector_key *keys, size_t count, double t, double dt)
{
	double v[3];
	scene_vector_at(keys, count, t, v);
	double most = length_of(v);
	scene_vector_at(keys, count, t + dt, v);
	most = fmax(most, length_of(v));
	for (size_t n = 0; n < count; n++)
		if (keys[n].time > t && keys[n].time < t + dt)
			most = fmax(most, length_of(keys[n].value));
	return most;
}

void scene_gravity(const struct scene *scene, double t, double g[3])
{
	scene_vector_at(scene->gravity, scene->gravity_count, t, g);
}

void scene_gravity_mean(const struct scene *scene, double t, double dt, double g[3])
{
	scene_vector_mean(scene->gravity, scene->gravity_count, t, dt, g);
}
