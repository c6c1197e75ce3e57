#include "step_faults.h"

#include <math.h>

#include "fault.h"
#include "field_access.h"
#include "message.h"

/* What FAULT_SPEED asks for, in cells per substep. */
#define ABSURD_CELLS 1e6

/* The lattice point of the particle in the middle of the order, or of the box. */
static bool find_middle(struct sim *sim, size_t *at)
{
	const struct grid *g = &sim->lattice.grid;
	const struct particles *p = &sim->particles;
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	size_t cell[3] = {0, 0, 0};
	for (size_t a = 0; a < (size_t)sim->dim; a++) {
		f32 x = 0.5f * (f32)cells[a] * g->h;
		const size_t of = a * p->capacity + p->count / 2;
		if (p->count > 0 &&
		    !clx_read(sim->cl, &p->now.position, of * sizeof(f32), sizeof(f32), &x))
			return false;
		const i32 index = (i32)(x * g->inv_h);
		cell[a] = (size_t)(index < 0 ? 0 : index < cells[a] ? index : cells[a] - 1);
	}
	*at = (cell[2] * (size_t)g->py + cell[1]) * (size_t)g->px + cell[0];
	return true;
}

/* Both faces along y of that cell get an absurd velocity: at most one is a wall. */
static bool spoil_speed(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const f32 value = (f32)(ABSURD_CELLS * (double)g->h / sim->dt);
	size_t at;
	if ((sim->method->parts & PART_PARTICLES) && sim->particles.count == 0)
		return true;
	if (!find_middle(sim, &at))
		return false;
	const size_t low = (size_t)g->lattice + at, row = (size_t)g->px;
	return clx_write(sim->cl, &sim->u_face, low * sizeof(f32), sizeof(f32), &value) &&
	       clx_write(sim->cl, &sim->u_face, (low + row) * sizeof(f32), sizeof(f32), &value);
}

/* The first of the stage's fields in which people are shown values that are not finite; NULL if it
 * writes none. */
static const struct sim_field *find_spoilable(const struct sim *sim, const struct stage *stage)
{
	for (const struct field_use *use = stage->writes; use->member; use++) {
		const struct sim_field *field = method_field(sim->method, use->member);
		if (field->quantity)
			return field;
	}
	return NULL;
}

/* A value of it is not a number. */
static bool spoil_value(struct sim *sim, const struct sim_field *field)
{
	const f32 value = NAN;
	size_t at = sim->particles.count / 2;
	if (sim_field_of_particles(field) && sim->particles.count == 0)
		return true;
	if (!sim_field_of_particles(field) && !find_middle(sim, &at))
		return false;
	return clx_write_raw(sim->cl, sim_buffer(sim, field), at * sizeof(f32), sizeof(f32),
			     &value);
}

bool step_faults_inject(struct sim *sim, size_t stage)
{
	const struct stage *s = &sim->method->stages[stage];
	if (fault_is_due_in(FAULT_STAGE, s->name))
		return message_error("stage %s: a fault was asked for", s->name);
	if (s->spoilt_by_speed && fault_is_due(FAULT_SPEED) && !spoil_speed(sim))
		return false;
	const struct sim_field *field = find_spoilable(sim, s);
	const bool due = field && ((s->spoilt_by_nan && fault_is_due(FAULT_NAN)) ||
				   fault_is_due_in(FAULT_NAN, s->name));
	return !due || spoil_value(sim, field);
}
