/* The public interface: read-back of particles and grid fields (freshet.h). */
#include <stdlib.h>
#include <string.h>

#include "freshet_internal.h"
#include "message.h"
#include "particles_read.h"

/* ---- particles -------------------------------------------------------------------------- */

size_t freshet_simulation_particle_count(const struct freshet_simulation *simulation)
{
	return simulation ? simulation->stats.particles : 0;
}

/* out[place][c] = component c; zeros if the particles do not carry it. */
static bool read_attribute(struct sim *sim, const struct particle_order *order,
			   enum particle_attribute attribute, float *out)
{
	const size_t width = attribute_columns(attribute, (size_t)sim->dim);
	if (!(sim->particles.carried & ATTRIBUTE_BIT(attribute))) {
		memset(out, 0, order->living * width * sizeof(float));
		return true;
	}
	for (size_t c = 0; c < width; c++)
		if (!particle_column_read(sim, order, attribute, c, width, out + c))
			return false;
	return true;
}

static void copy_ids(const struct sim *sim, const struct freshet_particle_arrays *arrays,
		     const struct particle_order *order)
{
	for (size_t i = 0; i < order->present; i++) {
		const u32 place = order->place[i];
		if (place == ID_REMOVED)
			continue;
		if (arrays->ids)
			arrays->ids[place] = order->id[i];
		if (arrays->liquids)
			arrays->liquids[place] =
				id_ranges_liquid(&sim->particles.ids, order->id[i]);
	}
}

static bool copy_out(struct sim *sim, const struct freshet_particle_arrays *arrays,
		     const struct particle_order *order)
{
	float *const out[ATTRIBUTE_COUNT] = {[ATTRIBUTE_POSITION] = arrays->positions,
					     [ATTRIBUTE_VELOCITY] = arrays->velocities,
					     [ATTRIBUTE_AFFINE] = arrays->affine};
	if (order->living > arrays->capacity)
		return message_error("%zu particles, but the arrays have room for %zu",
				     order->living, arrays->capacity);
	copy_ids(sim, arrays, order);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (out[a] && !read_attribute(sim, order, a, out[a]))
			return false;
	return true;
}

bool freshet_simulation_read_particles(struct freshet_simulation *simulation,
				       const struct freshet_particle_arrays *arrays, size_t *count)
{
	struct particle_order order;
	if (!freshet_begin_simulation(simulation) ||
	    !freshet_given(arrays, "struct freshet_particle_arrays") ||
	    !particle_order_read(simulation->sim, &order))
		return false;
	const bool done = copy_out(simulation->sim, arrays, &order);
	if (count)
		*count = order.living;
	particle_order_finish(&order);
	return done;
}

/* ---- fields ----------------------------------------------------------------------------- */

/* Axis of a field on faces, -1 = at cell centres, -2 = none of this scene. */
static int field_axis(const struct sim *sim, enum freshet_field field)
{
	int axis;
	if (field >= FRESHET_VELOCITY_X && field <= FRESHET_VELOCITY_Z)
		axis = (int)field - FRESHET_VELOCITY_X;
	else if (field >= FRESHET_KNOWN_X && field <= FRESHET_KNOWN_Z)
		axis = (int)field - FRESHET_KNOWN_X;
	else if (field >= FRESHET_OPEN_X && field <= FRESHET_OPEN_Z)
		axis = (int)field - FRESHET_OPEN_X;
	else
		return field >= FRESHET_PRESSURE && field <= FRESHET_CELL_TYPE ? -1 : -2;
	return axis < sim->dim ? axis : -2;
}

void freshet_simulation_field_shape(const struct freshet_simulation *simulation,
				    enum freshet_field field, size_t shape[3])
{
	if (!shape)
		return;
	shape[0] = shape[1] = shape[2] = 0;
	if (!simulation)
		return;
	const struct sim *sim = simulation->sim;
	const int axis = field_axis(sim, field);
	const i32 cells[3] = {sim->lattice.grid.nx, sim->lattice.grid.ny, sim->lattice.grid.nz};
	for (int a = 0; a < 3; a++)
		shape[2 - a] = axis == -2 ? 0 : (size_t)(cells[a] + (a == axis));
}

/* What a field's values are made of. */
struct field_source {
	const struct clx_buffer *buffer;
	size_t offset, bytes;	     /* of a value; where component 0, 1 or 2 begins */
	const union u8_buffer *mask; /* u8 [L] with `bits` set where the value counts, or NULL */
	unsigned bits;
};

static struct field_source source_of(const struct sim *sim, enum freshet_field field, int axis)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice, a = axis > 0 ? (size_t)axis : 0;
	const unsigned known = axis >= 0 ? 9u << axis : 0u; /* holds a value, or a wall's */
	switch (field) {
	case FRESHET_PRESSURE:
		return (struct field_source){&sim->pressure.raw, 0, sizeof(f32), NULL, 0};
	case FRESHET_LEVEL_SET:
		return (struct field_source){&sim->phi.raw, 0, sizeof(f32), NULL, 0};
	case FRESHET_CELL_TYPE:
		return (struct field_source){&sim->cell_type.raw, 0, 1, NULL, 0};
	case FRESHET_OPEN_X:
	case FRESHET_OPEN_Y:
	case FRESHET_OPEN_Z:
		return (struct field_source){&sim->solids.open_fraction.raw,
					     a * lattice * sizeof(uint16_t), sizeof(uint16_t), NULL,
					     0};
	case FRESHET_KNOWN_X:
	case FRESHET_KNOWN_Y:
	case FRESHET_KNOWN_Z:
		return (struct field_source){&sim->valid.raw, 0, 1, &sim->valid, known};
	default:
		return (struct field_source){&sim->u_face.raw, a * lattice * sizeof(f32),
					     sizeof(f32), &sim->valid, known};
	}
}

/* What a method needs to have for it. */
static unsigned parts_of(enum freshet_field field)
{
	switch (field) {
	case FRESHET_PRESSURE:
		return PART_PRESSURE;
	case FRESHET_LEVEL_SET:
	case FRESHET_CELL_TYPE:
		return PART_LEVELSET;
	case FRESHET_OPEN_X:
	case FRESHET_OPEN_Y:
	case FRESHET_OPEN_Z:
		return 0;
	default:
		return PART_VELOCITY;
	}
}

static float value_at(const struct field_source *source, enum freshet_field field,
		      const unsigned char *raw, const unsigned char *mask, size_t at)
{
	f32 value;
	uint16_t part;
	if (mask && !(mask[at] & source->bits))
		return 0.0f;
	if (field >= FRESHET_KNOWN_X && field <= FRESHET_KNOWN_Z)
		return 1.0f;
	switch (source->bytes) {
	case 1:
		return (float)raw[at];
	case sizeof(part):
		memcpy(&part, raw + at * sizeof(part), sizeof(part));
		return (float)part / FRACTION_ONE;
	default:
		memcpy(&value, raw + at * sizeof(value), sizeof(value));
		return value;
	}
}

bool freshet_simulation_read_field(struct freshet_simulation *simulation, enum freshet_field field,
				   float *values, size_t capacity)
{
	if (!freshet_begin_simulation(simulation) || !freshet_given(values, "array of values"))
		return false;
	struct sim *sim = simulation->sim;
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	const int axis = field_axis(sim, field);
	size_t shape[3], n = 0;
	if (axis == -2)
		return message_error("field %d: a %dD simulation does not have it", (int)field,
				     sim->dim);
	if (parts_of(field) & ~sim->method->parts)
		return message_error("field %d: the method '%s' does not have it", (int)field,
				     sim->method->name);
	freshet_simulation_field_shape(simulation, field, shape);
	if (capacity < shape[0] * shape[1] * shape[2])
		return message_error("field %d has %zu x %zu x %zu values, there is room for %zu",
				     (int)field, shape[0], shape[1], shape[2], capacity);
	const struct field_source source = source_of(sim, field, axis);
	unsigned char *raw = malloc(lattice * source.bytes), *mask = malloc(lattice);
	bool done = raw && mask;
	if (!done)
		message_error("out of host memory for a field of %zu values", lattice);
	done = done &&
	       clx_read_raw(sim->cl, source.buffer, source.offset, lattice * source.bytes, raw) &&
	       (!source.mask || clx_read(sim->cl, source.mask, 0, lattice, mask));
	for (size_t k = 0; k < shape[0] && done; k++)
		for (size_t j = 0; j < shape[1]; j++)
			for (size_t i = 0; i < shape[2]; i++)
				values[n++] =
					value_at(&source, field, raw, source.mask ? mask : NULL,
						 (k * (size_t)g->py + j) * (size_t)g->px + i);
	free(raw);
	free(mask);
	return done;
}
