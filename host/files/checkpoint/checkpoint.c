#include "checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint_bodies.h"
#include "forces.h"
#include "grid/grid_survey.h"
#include "ledger.h"
#include "message.h"
#include "moving/loads.h"
#include "reserve.h"
#include "scene.h"
#include "sim_fields.h"
#include "state_hash.h"
#include "version.h"

void checkpoint_free(struct checkpoint *c)
{
	free(c->version);
	free(c->git);
	free(c->scene);
	free(c->loads);
	free(c->bodies);
	free(c->contacts);
	free(c->accounts);
	checkpoint_state_free(&c->state);
	free(c->owed);
	free(c->turn);
	free(c->warnings);
	free(c->resumed_at);
	summary_free(&c->summary);
	*c = (struct checkpoint){0};
}

/* ---- from the device ---------------------------------------------------------------------- */

static bool capture_loads(struct checkpoint *c, const struct loads *loads)
{
	const size_t count = loads->all ? loads->count * loads->parts : 0;
	c->squeeze_warned = loads->squeeze_warned;
	c->loads_seconds = count ? loads->seconds : 0.0;
	if (count == 0)
		return true;
	c->loads = calloc(count, sizeof(*c->loads));
	if (!c->loads)
		return message_memory(count * sizeof(*c->loads), "the forces in a checkpoint");
	memcpy(c->loads, loads->frame, count * sizeof(*c->loads));
	c->load_count = count;
	return true;
}

static bool capture_outflows(struct checkpoint *c, const struct sim *sim)
{
	const size_t n = sim->outflows.faces;
	c->outflow_faces = n;
	c->owed = calloc(n + 1, sizeof(*c->owed));
	c->turn = calloc(n + 1, sizeof(*c->turn));
	if (!c->owed || !c->turn)
		return message_memory(n * sizeof(*c->owed), "outflows in a checkpoint");
	for (size_t i = 0; i < n; i++) {
		c->owed[i] = sim->outflows.face[i].owed;
		c->turn[i] = sim->outflows.face[i].turn;
	}
	return true;
}

bool checkpoint_capture(struct checkpoint *c, struct sim *sim)
{
	c->version = strdup(FRESHET_VERSION);
	c->git = strdup(FRESHET_GIT);
	c->scene = scene_to_json(sim->scene, 0);
	if (!c->version || !c->git || !c->scene)
		return message_memory(0, "the scene in a checkpoint");
	c->dim = sim->dim;
	c->frame = sim->frame;
	c->substep = sim->substep;
	c->time = sim->time;
	c->grid_speed = sim->grid_speed;
	c->steps = sim->steps;
	c->rest_density = sim->neighbours.rest;
	c->repositioned = sim->neighbours.repositioned;
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
	memcpy(c->flown, sim->lattice.host_scalars + SCALAR_FLOWN, sizeof(c->flown));
	memcpy(c->drained, sim->lattice.host_scalars + SCALAR_DRAINED, sizeof(c->drained));
	c->ledger = sim->ledger;
	return capture_loads(c, &sim->loads) && capture_outflows(c, sim) &&
	       checkpoint_capture_bodies(c, sim) && sim_hash(sim, sim->frame, &c->hash) &&
	       checkpoint_state_capture(&c->state, sim);
}

/* ---- to the device ------------------------------------------------------------------------ */

/* Are they the arrays that this scene has? */
static bool is_of_kind(const struct checkpoint *c, const struct sim *sim)
{
	if (c->dim != sim->dim || c->state.method != sim->method ||
	    c->outflow_faces != sim->outflows.faces || !checkpoint_has_bodies(c, sim))
		return false;
	for (size_t i = 0; i < c->state.array_count; i++) {
		const struct saved_array *array = &c->state.arrays[i];
		if ((array->components > 0) != (sim_field_elements(sim, array->field) > 0) ||
		    (!sim_field_of_particles(array->field) &&
		     array->count != (size_t)sim->lattice.grid.lattice))
			return false;
	}
	return true;
}

/* Room, and the kind of state.  False without a reason: memory is short, which has been reported
 * and is not the file's fault. */
static bool has_room(const struct checkpoint *c, struct sim *sim, char reason[FILE_READ_REASON])
{
	*reason = '\0';
	/* Of what comes in through outflows and by emitters nobody knows how much there will be. */
	if (sim->scene->outflow_count + sim->scene->emitter_count > 0 && is_of_kind(c, sim) &&
	    !sim_reserve(sim, c->state.particles))
		return message_error("there is no room here for the %" PRIu32
				     " particles of the checkpoint",
				     c->state.particles);
	if (!is_of_kind(c, sim))
		snprintf(reason, FILE_READ_REASON, "is of another kind of scene");
	else if (c->state.particles > sim->particles.capacity)
		snprintf(reason, FILE_READ_REASON,
			 "has %" PRIu32 " particles, but the scene has room for %" PRIu32,
			 c->state.particles, sim->particles.capacity);
	return !*reason;
}

/* A state that the scene can have come to: what the reader of the file cannot tell.  Anybody can
 * forge a checksum, and kernels go where ids and positions point. */
static bool can_be_of(const struct checkpoint *c, const struct sim *sim,
		      char reason[FILE_READ_REASON])
{
	const struct scene *scene = sim->scene;
	const f32 *position = checkpoint_values(&c->state, "particles/position");
	const size_t n = c->state.particles;
	const double start = c->frame / scene->time.fps, end = (c->frame + 1) / scene->time.fps;
	const double slack = 1e-9 * end;
	const bool open = scene->outflow_count + scene->emitter_count > 0;
	bool ok = (open || c->state.ids.end <= sim->particles.capacity) &&
		  c->state.ids.end == ledger_created(&c->ledger) && c->time >= start - slack &&
		  c->time <= end + slack && (c->substep > 0 || c->time <= start + slack);
	for (size_t i = 0; ok && i < (size_t)c->dim * n; i++) {
		const double x = (double)position[i], size = scene->size[i / n];
		ok = x >= -scene->h && x <= size + scene->h;
	}
	if (!ok)
		snprintf(reason, FILE_READ_REASON,
			 "holds a state that the scene cannot have come to (its ids, positions or "
			 "time are not the scene's)");
	return ok;
}

bool checkpoint_hash(const struct checkpoint *c, u64 *hash)
{
	if (!checkpoint_state_hash(&c->state, c->dim, c->frame, hash))
		return false;
	*hash = bodies_hash(*hash, c->bodies, c->body_count);
	return true;
}

/* Where the checkpoint has none the frame's loads count from here on. */
static void restore_loads(const struct checkpoint *c, struct sim *sim)
{
	struct loads *loads = &sim->loads;
	loads_forget(sim);
	loads->squeeze_warned = c->squeeze_warned != 0;
	if (c->load_count == 0 || c->load_count != loads->count * loads->parts)
		return;
	memcpy(loads->frame, c->loads, c->load_count * sizeof(*loads->frame));
	loads->seconds = c->loads_seconds;
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
	if (has_room(c, sim, reason))
		return checkpoint_restore_bodies(c, sim) && checkpoint_state_put(&c->state, sim);
	return *reason ? message_error("the checkpoint %s", reason) : false;
}

bool checkpoint_restore(const struct checkpoint *c, struct sim *sim, char reason[FILE_READ_REASON])
{
	if (!has_room(c, sim, reason) || !can_be_of(c, sim, reason))
		return false;
	u64 hash;
	if (!checkpoint_hash(c, &hash))
		return false;
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
	sim->neighbours.rest = c->rest_density;
	sim->neighbours.repositioned = c->repositioned;
	sim->retries = c->retries;
	sim->seeds_in_solids = c->seeds_in_solids;
	sim->limit_warned = c->limit_warned;
	sim->poisson.parts_warned = c->parts_warned;
	sim->tiny_warned = c->tiny_warned;
	memcpy(sim->interventions, c->interventions, sizeof(sim->interventions));
	const bool strict = sim->ledger.strict;
	sim->ledger = c->ledger;
	sim->ledger.strict = strict;
	ledger_sum_created(&sim->ledger);
	int64_t units;
	if (checkpoint_units(&c->state, &units))
		grid_know_units(sim, units);
	restore_loads(c, sim);
	forces_gravity(sim, sim->time);
	for (u32 i = 0; i < DRAINS_MOST; i++)
		if (!lattice_set_scalar(&sim->lattice, (enum scalar)(SCALAR_DRAINED + i),
					c->drained[i]))
			return false;
	for (u32 i = 0; i < OUTFLOWS_MOST; i++)
		if (!lattice_set_scalar(&sim->lattice, (enum scalar)(SCALAR_FLOWN + i),
					c->flown[i]))
			return false;
	for (size_t i = 0; i < c->outflow_faces; i++) {
		sim->outflows.face[i].owed = c->owed[i];
		sim->outflows.face[i].turn = c->turn[i];
	}
	sim->particles.removed_at_sort =
		c->removed_open + lattice_drained(&sim->lattice) + lattice_flown(&sim->lattice);
	return checkpoint_restore_bodies(c, sim) && checkpoint_state_put(&c->state, sim) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_PUSHED, c->pushed) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_ESCAPED, c->escaped) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_REMOVED_OPEN, c->removed_open) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_REMOVED_FIRST, c->removed_ids[0]) &&
	       lattice_set_scalar(&sim->lattice, SCALAR_REMOVED_SECOND, c->removed_ids[1]) &&
	       device_agrees(c, sim);
}
