#include "particles_load.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "message.h"
#include "seed.h"
#include "shape.h"

enum fault { FAULT_NONE, FAULT_LIQUID, FAULT_NUMBER, FAULT_BOX, FAULT_SOLID, FAULTS };

static const char *const fault_texts[FAULTS] = {
	[FAULT_LIQUID] = "of a liquid that the scene does not have",
	[FAULT_NUMBER] = "not finite or too fast",
	[FAULT_BOX] = "outside the box",
	[FAULT_SOLID] = "inside a solid",
};

static bool is_within(f32 x, f32 limit)
{
	return fabsf(x) <= limit; /* false for NaN */
}

static bool has_good_numbers(const struct scene *scene, const struct sim_particles *given, size_t p)
{
	const size_t d = (size_t)scene->dim;
	const f32 steepest = PARTICLES_LOAD_SPEED / (f32)scene->h;
	bool good = true;
	for (size_t c = 0; c < d; c++) {
		good = good && isfinite(given->position[p * d + c]);
		good = good && (!given->velocity ||
				is_within(given->velocity[p * d + c], PARTICLES_LOAD_SPEED));
	}
	for (size_t c = 0; given->affine && c < d * d; c++)
		good = good && is_within(given->affine[p * d * d + c], steepest);
	return good;
}

static enum fault find_fault(const struct scene *scene, const struct sim_particles *given, size_t p)
{
	const size_t d = (size_t)scene->dim;
	const f32 *position = given->position + p * d;
	f32 x[3] = {0.0f, 0.0f, 0.0f};
	const size_t liquids = scene->liquid_count > 0 ? scene->liquid_count : 1;
	if (given->liquid && given->liquid[p] >= liquids)
		return FAULT_LIQUID;
	if (!has_good_numbers(scene, given, p))
		return FAULT_NUMBER;
	for (size_t c = 0; c < d; c++) {
		x[c] = position[c];
		if (x[c] < 0.0f || x[c] > (f32)scene->size[c])
			return FAULT_BOX;
	}
	for (size_t s = 0; s < scene->solid_count; s++) {
		const struct shape_program *shape = &scene->solids[s].shape;
		if (shape_distance(scene->dim, shape->ops, (int)shape->op_count, shape->points,
				   x[0], x[1], x[2]) < 0.0f)
			return FAULT_SOLID;
	}
	return FAULT_NONE;
}

bool particles_load_check(const struct scene *scene, const struct sim_particles *given)
{
	size_t counts[FAULTS] = {0}, first = 0;
	enum fault first_fault = FAULT_NONE;
	if (given->count > 0 && !given->position)
		return message_error("%" PRIu32 " particles without positions", given->count);
	if (given->affine && scene->transfer != TRANSFER_APIC)
		return message_error("affine matrices are for liquid.transfer: apic only");
	for (size_t p = 0; p < given->count; p++) {
		enum fault fault = find_fault(scene, given, p);
		counts[fault]++;
		if (fault != FAULT_NONE && first_fault == FAULT_NONE) {
			first_fault = fault;
			first = p;
		}
	}
	if (first_fault == FAULT_NONE)
		return true;
	return message_error("frame 0: particle %zu is %s; of %" PRIu32
			     " particles %zu are not finite or faster than %g m/s, %zu outside "
			     "the box, %zu inside solids, %zu of unknown liquids",
			     first, fault_texts[first_fault], given->count, counts[FAULT_NUMBER],
			     (double)PARTICLES_LOAD_SPEED, counts[FAULT_BOX], counts[FAULT_SOLID],
			     counts[FAULT_LIQUID]);
}

/* order[i] = which of the given particles comes i-th, and gets id i.  False after reporting. */
static bool order_by_liquid(const struct sim_particles *given, u32 *order, struct id_ranges *ids)
{
	u32 next[SEED_MAX_LIQUIDS] = {0}, sum = 0;
	for (u32 p = 0; p < given->count; p++)
		next[given->liquid ? given->liquid[p] : 0]++;
	id_ranges_free(ids);
	for (uint8_t l = 0; l < SEED_MAX_LIQUIDS; l++) {
		const u32 count = next[l];
		if (!id_ranges_add(ids, count, l))
			return false;
		next[l] = sum;
		sum += count;
	}
	for (u32 p = 0; p < given->count; p++)
		order[next[given->liquid ? given->liquid[p] : 0]++] = p;
	return true;
}

/* Writes a column of a component-major buffer: number `from` of the `width` values per particle, in
 * the given order (NULL = as they are).  NULL values are zeros. */
struct column {
	size_t to; /* component of the buffer */
	const f32 *values;
	size_t width, from;
};
static bool write_column(struct sim *sim, union f32_buffer *buffer, struct column c,
			 const u32 *order, size_t count, f32 *scratch)
{
	for (size_t i = 0; i < count; i++)
		scratch[i] = c.values ? c.values[(order ? order[i] : i) * c.width + c.from] : 0.0f;
	return count == 0 ||
	       clx_write(sim->cl, buffer, c.to * sim->particles.capacity * sizeof(f32),
			 count * sizeof(f32), scratch);
}

bool particles_load(struct sim *sim, const struct sim_particles *given)
{
	struct particles *particles = &sim->particles;
	struct particle_set *now = &particles->now;
	const size_t d = (size_t)sim->dim, count = given->count;
	const size_t affine = sim->scene->transfer == TRANSFER_APIC ? d * d : 0;
	u32 *order = malloc((count + 1) * sizeof(*order));
	f32 *column = malloc((count + 1) * sizeof(*column));
	bool done = order && column;
	if (!done)
		message_error("out of host memory for %zu particles", count);
	done = done && order_by_liquid(given, order, &particles->ids);
	for (size_t c = 0; c < d && done; c++)
		done = write_column(sim, &now->position, (struct column){c, given->position, d, c},
				    order, count, column) &&
		       write_column(sim, &now->velocity, (struct column){c, given->velocity, d, c},
				    order, count, column);
	for (size_t c = 0; c < affine && done; c++)
		done = write_column(sim, &now->affine, (struct column){c, given->affine, affine, c},
				    order, count, column);
	for (u32 i = 0; i < given->count && done; i++)
		order[i] = i;
	done = done && clx_write(sim->cl, &now->id, 0, count * sizeof(u32), order);
	free(order);
	free(column);
	particles->count = done ? given->count : 0;
	return done;
}

/* ---- snapshots -------------------------------------------------------------------------- */

static bool write_snapshot(struct sim *sim, const struct particle_snapshot *s, f32 *scratch)
{
	struct particle_set *now = &sim->particles.now;
	const size_t d = (size_t)sim->dim, count = s->count;
	bool done = count == 0 || clx_write(sim->cl, &now->id, 0, count * sizeof(u32), s->id);
	for (size_t a = 0; a < d && done; a++) {
		done = write_column(sim, &now->position, (struct column){a, s->position, 3, a},
				    NULL, count, scratch) &&
		       write_column(sim, &now->velocity, (struct column){a, s->velocity, 3, a},
				    NULL, count, scratch);
		for (size_t b = 0; b < d && done && s->affine; b++)
			done = write_column(sim, &now->affine,
					    (struct column){a * d + b, s->affine, 9, 3 * a + b},
					    NULL, count, scratch);
	}
	return done;
}

/* Ids that nobody has belong to the liquid of the next one that is there. */
static bool range_ids(struct id_ranges *ids, const struct particle_snapshot *s)
{
	id_ranges_free(ids);
	for (size_t i = 0; i < s->count; i++)
		if (!id_ranges_add(ids, s->id[i] + 1 - ids->end, s->liquid[i]))
			return false;
	return true;
}

bool particles_load_snapshot(struct sim *sim, const struct particle_snapshot *snapshot)
{
	struct particles *p = &sim->particles;
	const size_t count = snapshot->count;
	f32 *scratch = malloc((count + 1) * sizeof(*scratch));
	if (!scratch)
		return message_error("out of host memory for %zu particles", count);
	const bool done = write_snapshot(sim, snapshot, scratch) && range_ids(&p->ids, snapshot);
	free(scratch);
	p->count = p->count_before = done ? (u32)count : 0;
	p->sorted = false;
	return done;
}
