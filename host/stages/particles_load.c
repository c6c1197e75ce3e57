#include "particles_load.h"

#include <float.h>
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

static f32 limit_of(const struct scene *scene, enum particle_attribute attribute)
{
	if (attribute == ATTRIBUTE_VELOCITY)
		return PARTICLES_LOAD_SPEED;
	return attribute == ATTRIBUTE_AFFINE ? PARTICLES_LOAD_SPEED / (f32)scene->h : FLT_MAX;
}

static bool has_good_numbers(const struct scene *scene, const struct sim_particles *given, size_t p)
{
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		const size_t columns = attribute_columns(a, (size_t)scene->dim);
		const f32 *values = given_values(given, a), limit = limit_of(scene, a);
		if (attribute_rows[a].type != ATTRIBUTE_F32 || !values)
			continue;
		for (size_t c = 0; c < columns; c++)
			if (!is_within(values[p * columns + c], limit))
				return false;
	}
	return true;
}

static enum fault find_fault(const struct scene *scene, const struct sim_particles *given, size_t p)
{
	const size_t d = (size_t)scene->dim;
	const f32 *position = given_values(given, ATTRIBUTE_POSITION) + p * d;
	const uint8_t *liquid = given_liquids(given);
	f32 x[3] = {0.0f, 0.0f, 0.0f};
	const size_t liquids = scene->liquid_count > 0 ? scene->liquid_count : 1;
	if (liquid && liquid[p] >= liquids)
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
	const u32 carried = particle_attributes_of(scene);
	if (given->count > 0 && !given->values[ATTRIBUTE_POSITION])
		return message_error("%" PRIu32 " particles without positions", given->count);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (given->values[a] && !(carried & ATTRIBUTE_BIT(a)))
			return message_error("%s are for %s only", attribute_rows[a].plural,
					     attribute_rows[a].with == WITH_SPH
						     ? "method: sph"
						     : "liquid.transfer: apic");
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
	const uint8_t *liquid = given_liquids(given);
	u32 next[SEED_MAX_LIQUIDS] = {0}, sum = 0;
	for (u32 p = 0; p < given->count; p++)
		next[liquid ? liquid[p] : 0]++;
	id_ranges_free(ids);
	for (uint8_t l = 0; l < SEED_MAX_LIQUIDS; l++) {
		const u32 count = next[l];
		if (!id_ranges_add(ids, count, l))
			return false;
		next[l] = sum;
		sum += count;
	}
	for (u32 p = 0; p < given->count; p++)
		order[next[liquid ? liquid[p] : 0]++] = p;
	return true;
}

/* Values of an attribute as they are given: [count][width], of files or as many as the device has,
 * in the given order (NULL = as they are).  NULL values are zeros. */
struct given_attribute {
	enum particle_attribute attribute;
	const f32 *values;
	size_t count;
	const u32 *order;
	bool of_files;
};
static bool write_attribute(struct sim *sim, struct given_attribute given, f32 *scratch)
{
	union f32_buffer *buffer = particle_set_values(&sim->particles.now, given.attribute);
	const size_t dim = (size_t)sim->dim, columns = attribute_columns(given.attribute, dim);
	const size_t width = given.of_files ? attribute_width(given.attribute) : columns;
	const size_t count = given.count, stride = sim->particles.capacity;
	for (size_t c = 0; c < columns && count > 0; c++) {
		const size_t from = given.of_files ? attribute_place(dim, c) : c;
		for (size_t i = 0; i < count; i++) {
			const size_t p = given.order ? given.order[i] : i;
			scratch[i] = given.values ? given.values[p * width + from] : 0.0f;
		}
		if (!clx_write(sim->cl, buffer, c * stride * sizeof(f32), count * sizeof(f32),
			       scratch))
			return false;
	}
	return true;
}

/* Is it a buffer of f32 that this simulation has? */
static bool is_held(const struct sim *sim, enum particle_attribute attribute)
{
	return attribute_rows[attribute].on_device && attribute != ATTRIBUTE_ID &&
	       (sim->particles.carried & ATTRIBUTE_BIT(attribute));
}

bool particles_load(struct sim *sim, const struct sim_particles *given)
{
	struct particles *particles = &sim->particles;
	const size_t count = given->count;
	u32 *order = malloc((count + 1) * sizeof(*order));
	f32 *column = malloc((count + 1) * sizeof(*column));
	bool done = order && column;
	if (!done)
		message_error("out of host memory for %zu particles", count);
	done = done && order_by_liquid(given, order, &particles->ids);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT && done; a++)
		done = !is_held(sim, a) ||
		       write_attribute(sim,
				       (struct given_attribute){a, given->values[a], count, order,
								.of_files = false},
				       column);
	for (u32 i = 0; i < given->count && done; i++)
		order[i] = i;
	done = done && clx_write(sim->cl, &particles->now.id, 0, count * sizeof(u32), order);
	free(order);
	free(column);
	particles->count = done ? given->count : 0;
	return done;
}

/* ---- snapshots -------------------------------------------------------------------------- */

static bool write_snapshot(struct sim *sim, const struct particle_snapshot *s, f32 *scratch)
{
	const size_t count = s->count;
	if (count > 0 &&
	    !clx_write(sim->cl, &sim->particles.now.id, 0, count * sizeof(u32), particle_ids(s)))
		return false;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (s->values[a] && is_held(sim, a) &&
		    !write_attribute(
			    sim, (struct given_attribute){a, s->values[a], count, .of_files = true},
			    scratch))
			return false;
	return true;
}

/* Ids that nobody has belong to the liquid of the next one that is there. */
static bool range_ids(struct id_ranges *ids, const struct particle_snapshot *s)
{
	const u32 *id = particle_ids(s);
	id_ranges_free(ids);
	for (size_t i = 0; i < s->count; i++)
		if (!id_ranges_add(ids, id[i] + 1 - ids->end, particle_liquids(s)[i]))
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
