#include <math.h>

#include "scene.h"

double scene_fast_speed(const struct scene *scene)
{
	double strongest = 0;
	for (size_t k = 0; k < scene->gravity_count; k++) {
		const double *g = scene->gravity[k].g;
		strongest = fmax(strongest, sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]));
	}
	/* Without gravity: the height of the box in a second. */
	return strongest > 0 ? sqrt(2 * strongest * scene->size[1]) : scene->size[1];
}

void scene_gravity(const struct scene *scene, double t, double g[3])
{
	const struct scene_gravity_key *keys = scene->gravity;
	size_t next = 0;
	while (next < scene->gravity_count && keys[next].time <= t)
		next++;
	const struct scene_gravity_key *high =
		&keys[next < scene->gravity_count ? next : scene->gravity_count - 1];
	const struct scene_gravity_key *low = &keys[next > 0 ? next - 1 : 0];
	const double span = high->time - low->time;
	const double weight = span > 0 ? (t - low->time) / span : 0;
	for (int i = 0; i < 3; i++)
		g[i] = low->g[i] + weight * (high->g[i] - low->g[i]);
}

void scene_gravity_mean(const struct scene *scene, double t, double dt, double g[3])
{
	double sum[3] = {0}, from = t, low[3], high[3];
	if (scene->gravity_count == 1 || !(dt > 0)) {
		scene_gravity(scene, t, g);
		return;
	}
	/* Linear between t, the keys in between, and t + dt. */
	scene_gravity(scene, t, low);
	for (size_t n = 0; n <= scene->gravity_count && from < t + dt; n++) {
		double to = n < scene->gravity_count ? scene->gravity[n].time : t + dt;
		if (to <= from)
			continue;
		to = to < t + dt ? to : t + dt;
		scene_gravity(scene, to, high);
		for (int i = 0; i < 3; i++) {
			sum[i] += 0.5 * (to - from) * (low[i] + high[i]);
			low[i] = high[i];
		}
		from = to;
	}
	for (int i = 0; i < 3; i++)
		g[i] = sum[i] / dt;
}
