#include "sources/seed_points.h"

#include <inttypes.h>
#include <stdlib.h>

#include "message.h"
#include "seed_params.h"
#include "shape.h"

static double distance(const struct scene *scene, const struct shape_program *shape, const f32 x[3])
{
	return (double)shape_distance(scene->dim, shape->ops, (int)shape->op_count, shape->points,
				      x[0], x[1], x[2]);
}

/* As of seeds. */
static bool is_kept(const struct scene *scene, size_t liquid, const f32 x[3])
{
	for (int a = 0; a < scene->dim; a++)
		if (!(x[a] >= 0.0f && x[a] <= (f32)scene->size[a]))
			return false;
	for (size_t l = 0; l < liquid; l++)
		if (scene->liquids[l].shape.op_count > 0 &&
		    distance(scene, &scene->liquids[l].shape, x) < 0.0)
			return false;
	for (size_t s = 0; s < scene->solid_count; s++)
		if (!(distance(scene, &scene->solids[s].shape, x) >
		      (double)SEED_CLEARANCE * scene->h))
			return false;
	return true;
}

/* Velocity at a point: the file's, and the liquid's with its turn. */
static f32 velocity_at(const struct scene_liquid *liquid, size_t point, int axis)
{
	const struct scene_points *p = &liquid->points;
	const int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
	const double *turn = liquid->angular_velocity;
	const double x_b = (double)p->position[3 * point + (size_t)b] - liquid->pivot[b];
	const double x_c = (double)p->position[3 * point + (size_t)c] - liquid->pivot[c];
	return (f32)(liquid->velocity[axis] + turn[b] * x_c - turn[c] * x_b +
		     (p->velocity ? (double)p->velocity[3 * point + (size_t)axis] : 0.0));
}

static bool write_column(struct sim *sim, union f32_buffer *buffer, int axis, u32 first, u32 n,
			 const f32 *values)
{
	const size_t at = (size_t)axis * sim->particles.capacity + first;
	return clx_write(sim->cl, buffer, at * sizeof(f32), n * sizeof(f32), values);
}

static bool write_kept(struct sim *sim, const struct scene_liquid *liquid, const u32 *kept, u32 n,
		       u32 first, f32 *column)
{
	struct particle_set *now = &sim->particles.now;
	u32 *id = (u32 *)(void *)column;
	for (int a = 0; a < sim->dim; a++) {
		for (u32 i = 0; i < n; i++)
			column[i] = liquid->points.position[3 * (size_t)kept[i] + (size_t)a];
		if (!write_column(sim, &now->position, a, first, n, column))
			return false;
		for (u32 i = 0; i < n; i++)
			column[i] = velocity_at(liquid, kept[i], a);
		if (!write_column(sim, &now->velocity, a, first, n, column))
			return false;
	}
	for (u32 i = 0; i < n; i++)
		id[i] = first + i;
	return clx_write(sim->cl, &now->id, first * sizeof(u32), n * sizeof(u32), id);
}

bool seed_points(struct sim *sim, size_t liquid, u32 first, u32 *count)
{
	const struct scene *scene = sim->scene;
	const struct scene_liquid *of = &scene->liquids[liquid];
	const size_t all = of->points.count;
	*count = 0;
	if (all == 0)
		return true;
	u32 *kept = malloc(all * sizeof(*kept)), n = 0;
	f32 *column = malloc(all * sizeof(*column));
	bool ok = (kept && column) || message_memory(all * sizeof(*kept), "points");
	for (size_t i = 0; i < all && ok; i++)
		if (is_kept(scene, liquid, of->points.position + 3 * i))
			kept[n++] = (u32)i;
	if (ok && n > sim->particles.capacity - first)
		ok = message_error("liquid '%s': no room for %" PRIu32 " points", of->name, n);
	ok = ok && (n == 0 || write_kept(sim, of, kept, n, first, column));
	if (ok && n < all)
		message_warning("liquid '%s': %zu of %zu points dropped: outside of the box, in "
				"solids, or in earlier liquids",
				of->name, all - n, all);
	free(kept);
	free(column);
	*count = ok ? n : 0;
	return ok;
}
