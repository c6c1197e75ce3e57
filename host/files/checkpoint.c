#include "checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "scene.h"
#include "stages.h"
#include "state_hash.h"
#include "version.h"

void checkpoint_free(struct checkpoint *c)
{
	free(c->version);
	free(c->git);
	free(c->scene);
	free(c->particles.position);
	free(c->particles.velocity);
	free(c->particles.affine);
	free(c->particles.id);
	free(c->warnings);
	free(c->resumed_at);
	summary_free(&c->summary);
	*c = (struct checkpoint){0};
}

/* ---- from the device ---------------------------------------------------------------------- */

static void *allocate_array(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);
	if (!memory)
		message_memory(count * size, "a checkpoint; fewer particles need less");
	return memory;
}

/* The columns of a field, without the particles that `alive` leaves out. */
static bool read_columns(struct sim *sim, const union f32_buffer *buffer, size_t width,
			 const bool *alive, size_t living, f32 **result)
{
	const struct particles *p = &sim->particles;
	f32 *column = allocate_array(p->count, sizeof(*column));
	f32 *values = *result = allocate_array(width * living, sizeof(*values));
	bool ok = column && values;
	for (size_t c = 0; ok && c < width; c++) {
		ok = p->count == 0 || clx_read(sim->cl, buffer, c * p->capacity * sizeof(f32),
					       p->count * sizeof(f32), column);
		for (size_t i = 0; ok && i < p->count; i++)
			if (alive[i])
				*values++ = column[i];
	}
	free(column);
	return ok;
}

static bool read_ids(struct sim *sim, struct checkpoint_particles *to, bool *alive)
{
	const struct particles *p = &sim->particles;
	to->id = allocate_array(p->count, sizeof(*to->id));
	if (!to->id ||
	    (p->count > 0 && !clx_read(sim->cl, &p->now.id, 0, p->count * sizeof(*to->id), to->id)))
		return false;
	for (u32 i = 0; i < p->count; i++) {
		alive[i] = to->id[i] != ID_REMOVED;
		if (alive[i])
			to->id[to->count++] = to->id[i];
	}
	return true;
}

static bool read_particles(struct sim *sim, struct checkpoint_particles *to)
{
	const struct particles *p = &sim->particles;
	const size_t d = (size_t)sim->dim;
	bool *alive = allocate_array(p->count, sizeof(*alive));
	bool ok = alive && read_ids(sim, to, alive) &&
		  read_columns(sim, &p->now.position, d, alive, to->count, &to->position) &&
		  read_columns(sim, &p->now.velocity, d, alive, to->count, &to->velocity);
	if (ok && sim->scene->transfer == TRANSFER_APIC)
		ok = read_columns(sim, &p->now.affine, d * d, alive, to->count, &to->affine);
	memcpy(to->first_id, p->first_id, sizeof(to->first_id));
	free(alive);
	return ok;
}

bool checkpoint_capture(struct checkpoint *c, struct sim *sim)
{
	c->version = strdup(FRESHET_VERSION);
	c->git = strdup(FRESHET_GIT);
	c->scene = scene_to_json(sim->scene, 0);
	if (!c->version || !c->git || !c->scene)
		return message_memory(0, "the scene in a checkpoint");
	c->dim = sim->dim;
	c->has_affine = sim->scene->transfer == TRANSFER_APIC;
	c->frame = sim->frame;
	c->substep = sim->substep;
	c->time = sim->time;
	c->grid_speed = sim->grid_speed;
	c->steps = sim->steps;
	c->pushed = sim->lattice.host_scalars[SCALAR_PUSHED];
	c->escaped = sim->lattice.host_scalars[SCALAR_ESCAPED];
	c->removed_open = sim->lattice.host_scalars[SCALAR_REMOVED_OPEN];
	c->retries = sim->retries;
	c->seeds_in_solids = sim->seeds_in_solids;
	c->limit_warned = sim->limit_warned;
	c->parts_warned = sim->poisson.parts_warned;
	c->tiny_warned = sim->tiny_warned;
	memcpy(c->interventions, sim->interventions, sizeof(c->interventions));
	c->removed_ids[0] = sim->lattice.host_scalars[SCALAR_REMOVED_FIRST];
	c->removed_ids[1] = sim->lattice.host_scalars[SCALAR_REMOVED_SECOND];
	c->ledger = sim->ledger;
	return sim_hash(sim, sim->frame, &c->hash) && read_particles(sim, &c->particles);
}

/* ---- to the device ------------------------------------------------------------------------ */

static bool write_columns(struct sim *sim, union f32_buffer *buffer, size_t width,
			  const f32 *values, size_t count)
{
	const size_t stride = sim->particles.capacity;
	for (size_t c = 0; count > 0 && c < width; c++)
		if (!clx_write(sim->cl, buffer, c * stride * sizeof(f32), count * sizeof(f32),
			       values + c * count))
			return false;
	return true;
}

static bool write_particles(struct sim *sim, const struct checkpoint_particles *from)
{
	struct particles *p = &sim->particles;
	const size_t d = (size_t)sim->dim, n = from->count;
	p->count = p->count_before = from->count;
	memcpy(p->first_id, from->first_id, sizeof(p->first_id));
	return (n == 0 || clx_write(sim->cl, &p->now.id, 0, n * sizeof(*from->id), from->id)) &&
	       write_columns(sim, &p->now.position, d, from->position, n) &&
	       write_columns(sim, &p->now.velocity, d, from->velocity, n) &&
	       (!from->affine || write_columns(sim, &p->now.affine, d * d, from->affine, n));
}

/* Room, and the kind of particles. */
static bool has_room(const struct checkpoint *c, const struct sim *sim,
		     char reason[FILE_READ_REASON])
{
	*reason = '\0';
	if (c->dim != sim->dim || c->has_affine != (sim->scene->transfer == TRANSFER_APIC))
		snprintf(reason, FILE_READ_REASON, "is of another kind of scene");
	else if (c->particles.count > sim->particles.capacity)
		snprintf(reason, FILE_READ_REASON,
			 "has %" PRIu32 " particles, but the scene has room for %" PRIu32,
			 c->particles.count, sim->particles.capacity);
	return !*reason;
}

/* A state that the scene can have come to: what the reader of the file cannot tell.  Anybody can
 * forge a checksum, and kernels go where ids and positions point. */
static bool can_be_of(const struct checkpoint *c, const struct sim *sim,
		      char reason[FILE_READ_REASON])
{
	const struct scene *scene = sim->scene;
	const struct checkpoint_particles *p = &c->particles;
	const double start = c->frame / scene->time.fps, end = (c->frame + 1) / scene->time.fps;
	const double slack = 1e-9 * end;
	bool ok = p->first_id[64] <= sim->particles.capacity &&
		  p->first_id[64] == c->ledger.seeded + c->ledger.loaded &&
		  c->time >= start - slack && c->time <= end + slack &&
		  (c->substep > 0 || c->time <= start + slack);
	for (size_t i = 0; ok && i < (size_t)c->dim * p->count; i++) {
		const double x = (double)p->position[i], size = scene->size[i / p->count];
		ok = x >= -scene->h && x <= size + scene->h;
	}
	if (!ok)
		snprintf(reason, FILE_READ_REASON,
			 "holds a state that the scene cannot have come to (its ids, positions or "
			 "time are not the scene's)");
	return ok;
}

u64 checkpoint_hash(const struct checkpoint *c)
{
	const struct checkpoint_particles *p = &c->particles;
	return state_hash(c->dim, c->frame, p->count, p->position, p->velocity, p->affine, p->id);
}

/* The file is right, so what the device makes of it is not the file's fault. */
static bool device_agrees(const struct checkpoint *c, struct sim *sim)
{
	u64 hash;
	return sim_hash(sim, c->frame, &hash) &&
	       (hash == c->hash || state_hash_blame_device(sim, c->frame, hash, c->hash));
}

bool checkpoint_load_particles(const struct checkpoint *c, struct sim *sim)
{
	char reason[FILE_READ_REASON];
	return (has_room(c, sim, reason) || message_error("the checkpoint %s", reason)) &&
	       write_particles(sim, &c->particles);
}

bool checkpoint_restore(const struct checkpoint *c, struct sim *sim, char reason[FILE_READ_REASON])
{
	if (!has_room(c, sim, reason) || !can_be_of(c, sim, reason))
		return false;
	const u64 hash = checkpoint_hash(c);
	if (hash != c->hash) {
		snprintf(reason, FILE_READ_REASON,
			 "holds another state (hash %016" PRIx64 ") than it says (%016" PRIx64 ")",
			 hash, c->hash);
		return false;
	}
	/* Until here the simulation is as it was. */
	sim->frame = c->frame;
	sim->substep = c->substep;
	sim->time = c->time;
	sim->grid_speed = c->grid_speed;
	sim->steps = c->steps;
	sim->retries = c->retries;
	sim->seeds_in_solids = c->seeds_in_solids;
	sim->limit_warned = c->limit_warned;
	sim->poisson.parts_warned = c->parts_warned;
	sim->tiny_warned = c->tiny_warned;
	sim->particles.removed_at_sort = c->removed_open;
	memcpy(sim->interventions, c->interventions, sizeof(sim->interventions));
	const bool strict = sim->ledger.strict;
	sim->ledger = c->ledger;
	sim->ledger.strict = strict;
	ledger_sum_created(&sim->ledger);
	forces_gravity(sim, sim->time);
	return write_particles(sim, &c->particles) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_PUSHED, c->pushed) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_ESCAPED, c->escaped) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_REMOVED_OPEN, c->removed_open) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_REMOVED_FIRST, c->removed_ids[0]) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_REMOVED_SECOND, c->removed_ids[1]) &&
	       device_agrees(c, sim);
}
