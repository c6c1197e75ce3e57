/* The public interface: read-back of particles and grid fields (freshet.h). */
#include <stdlib.h>
#include <string.h>

#include "freshet_internal.h"
#include "message.h"
#include "seed.h"

/* ---- particles -------------------------------------------------------------------------- */

size_t freshet_simulation_particle_count(const struct freshet_simulation *simulation)
{
	return simulation->stats.particles;
}

/* place[i] = where, in order of id, the i-th particle on the device goes, ID_REMOVED for none;
 * by way of the ids, which are all below `ids`.  Returns how many there are. */
static size_t order_by_id(const u32 *id, size_t count, u32 *by_id, size_t ids, u32 *place)
{
	size_t living = 0;
	for (size_t n = 0; n < ids; n++)
		by_id[n] = ID_REMOVED;
	for (size_t i = 0; i < count; i++) {
		place[i] = ID_REMOVED;
		if (id[i] < ids)
			by_id[id[i]] = (u32)i;
	}
	for (size_t n = 0; n < ids; n++)
		if (by_id[n] != ID_REMOVED)
			place[by_id[n]] = (u32)living++;
	return living;
}

/* out[place][c] = column c of a component-major buffer. */
static bool read_columns(struct sim *sim, const struct clx_buffer *buffer, size_t width,
			 const u32 *place, f32 *column, float *out)
{
	const size_t count = sim->particles.count;
	for (size_t c = 0; c < width; c++) {
		if (!clx_read(sim->cl, buffer, c * sim->particles.capacity * sizeof(f32),
			      count * sizeof(f32), column))
			return false;
		for (size_t i = 0; i < count; i++)
			if (place[i] != ID_REMOVED)
				out[place[i] * width + c] = column[i];
	}
	return true;
}

static uint8_t liquid_of(const struct particles *particles, u32 id)
{
	uint8_t l = 0;
	while (l < SEED_MAX_LIQUIDS - 1 && id >= particles->first_id[l + 1])
		l++;
	return l;
}

static bool copy_out(struct sim *sim, const struct freshet_particle_arrays *arrays, const u32 *id,
		     const u32 *place, f32 *column, size_t living)
{
	const struct particle_set *now = &sim->particles.now;
	const size_t d = (size_t)sim->dim;
	if (living > arrays->capacity)
		return message_error("%zu particles, but the arrays have room for %zu", living,
				     arrays->capacity);
	for (size_t i = 0; i < sim->particles.count; i++) {
		if (place[i] == ID_REMOVED)
			continue;
		if (arrays->ids)
			arrays->ids[place[i]] = id[i];
		if (arrays->liquids)
			arrays->liquids[place[i]] = liquid_of(&sim->particles, id[i]);
	}
	if (arrays->affine && sim->scene->transfer != TRANSFER_APIC)
		memset(arrays->affine, 0, living * d * d * sizeof(float));
	else if (arrays->affine &&
		 !read_columns(sim, &now->affine, d * d, place, column, arrays->affine))
		return false;
	return (!arrays->positions ||
		read_columns(sim, &now->position, d, place, column, arrays->positions)) &&
	       (!arrays->velocities ||
		read_columns(sim, &now->velocity, d, place, column, arrays->velocities));
}

bool freshet_simulation_read_particles(struct freshet_simulation *simulation,
				       const struct freshet_particle_arrays *arrays, size_t *count)
{
	struct sim *sim = simulation->sim;
	const size_t present = sim->particles.count;
	const size_t ids = sim->particles.first_id[SEED_MAX_LIQUIDS];
	freshet_begin();
	u32 *id = malloc((present + 1) * sizeof(*id));
	u32 *place = malloc((present + 1) * sizeof(*place));
	u32 *by_id = malloc((ids + 1) * sizeof(*by_id));
	f32 *column = malloc((present + 1) * sizeof(*column));
	bool done = id && place && by_id && column;
	if (!done)
		message_error("out of host memory for %zu particles", present);
	done = done && clx_read(sim->cl, &sim->particles.now.id, 0, present * sizeof(*id), id);
	if (done) {
		const size_t living = order_by_id(id, present, by_id, ids, place);
		done = copy_out(sim, arrays, id, place, column, living);
		if (count)
			*count = living;
	}
	free(id);
	free(place);
	free(by_id);
	free(column);
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
	const struct sim *sim = simulation->sim;
	const int axis = field_axis(sim, field);
	const i32 cells[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
	for (int a = 0; a < 3; a++)
		shape[2 - a] = axis == -2 ? 0 : (size_t)(cells[a] + (a == axis));
}

/* What a field's values are made of. */
struct field_source {
	const struct clx_buffer *buffer;
	size_t offset, bytes;	       /* of a value; where component 0, 1 or 2 begins */
	const struct clx_buffer *mask; /* u8 [L] with `bits` set where the value counts, or NULL */
	unsigned bits;
};

static struct field_source source_of(const struct sim *sim, enum freshet_field field, int axis)
{
	const size_t lattice = (size_t)sim->grid.lattice, a = axis > 0 ? (size_t)axis : 0;
	const unsigned known = axis >= 0 ? 9u << axis : 0u; /* holds a value, or a wall's */
	switch (field) {
	case FRESHET_PRESSURE:
		return (struct field_source){&sim->pressure, 0, sizeof(f32), NULL, 0};
	case FRESHET_LEVEL_SET:
		return (struct field_source){&sim->phi, 0, sizeof(f32), NULL, 0};
	case FRESHET_CELL_TYPE:
		return (struct field_source){&sim->cell_type, 0, 1, NULL, 0};
	case FRESHET_OPEN_X:
	case FRESHET_OPEN_Y:
	case FRESHET_OPEN_Z:
		return (struct field_source){&sim->open_fraction, a * lattice * sizeof(uint16_t),
					     sizeof(uint16_t), NULL, 0};
	case FRESHET_KNOWN_X:
	case FRESHET_KNOWN_Y:
	case FRESHET_KNOWN_Z:
		return (struct field_source){&sim->valid, 0, 1, &sim->valid, known};
	default:
		return (struct field_source){&sim->u_face, a * lattice * sizeof(f32), sizeof(f32),
					     &sim->valid, known};
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
	struct sim *sim = simulation->sim;
	const struct grid *g = &sim->grid;
	const size_t lattice = (size_t)g->lattice;
	const int axis = field_axis(sim, field);
	size_t shape[3], n = 0;
	freshet_begin();
	if (axis == -2)
		return message_error("field %d: a %dD simulation does not have it", (int)field,
				     sim->dim);
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
	       clx_read(sim->cl, source.buffer, source.offset, lattice * source.bytes, raw) &&
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
