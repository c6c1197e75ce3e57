#include "diagnose.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "field_access.h"
#include "message.h"
#include "number.h"

static bool is_bad(double value, double limit)
{
	return !(fabs(value) < limit);
}

/* ---- the grid ----------------------------------------------------------------------------- */

/* component: of a face, -1 at a cell's centre. */
static void keep_cell(struct sim *sim, const i32 cell[3], int component, const char *quantity,
		      const char *unit, double value)
{
	static const char *const axes[] = {"x", "y", "z"};
	struct diagnosis *d = &sim->diagnosis;
	if (d->cell_count++ >= DIAGNOSIS_MOST)
		return;
	struct diagnosis_cell *c = &d->cells[d->cells_kept++];
	*c = (struct diagnosis_cell){.value = value};
	snprintf(c->field, sizeof(c->field), "%s%s%s (%s)", quantity, component < 0 ? "" : " ",
		 component < 0 ? "" : axes[component], unit);
	for (int a = 0; a < sim->dim; a++) {
		c->cell[a] = cell[a];
		c->position[a] =
			(cell[a] + (a == component ? 0.0 : 0.5)) * (double)sim->lattice.grid.h;
	}
}

/* One component of a field (-1: at centres); with `valid` only where that has its bit. */
static void scan_component(struct sim *sim, const f32 *values, const uint8_t *valid, int component,
			   const struct sim_field *field, double limit)
{
	const struct grid *g = &sim->lattice.grid;
	for (i32 at = 0; at < g->lattice; at++) {
		const i32 cell[3] = {at % g->px, at / g->px % g->py, at / g->px / g->py};
		if (is_bad((double)values[at], limit) && (!valid || valid[at] >> component & 1))
			keep_cell(sim, cell, component, field->quantity, field->unit,
				  (double)values[at]);
	}
}

static bool scan_field(struct sim *sim, const struct sim_field *field, double limit)
{
	const struct clx_buffer *buffer = sim_buffer(sim, field);
	const bool faces = field->shape == SHAPE_FACES;
	f32 *values = clx_read_copy_raw(sim->cl, buffer, buffer->bytes);
	uint8_t *valid = values && field->sparse
				 ? clx_read_copy(sim->cl, &sim->valid, sim->valid.bytes)
				 : NULL;
	if (!values || (field->sparse && !valid)) {
		free(values);
		return false;
	}
	for (int c = 0; c < (faces ? sim->dim : 1); c++)
		scan_component(sim, values + (size_t)c * (size_t)sim->lattice.grid.lattice, valid,
			       faces ? c : -1, field, limit);
	free(values);
	free(valid);
	return true;
}

/* The pressure unknown where it is not finite, or else where it is greatest. */
static bool scan_solution(struct sim *sim)
{
	static const char quantity[] = "pressure unknown q = p dt / (rho h)";
	const struct grid *g = &sim->lattice.grid;
	const struct mg_level *l = &sim->poisson.mg.levels[0];
	f32 *q = clx_read_copy(sim->cl, &sim->poisson.solution, sim->poisson.solution.bytes);
	if (!q)
		return false;
	i32 greatest[3] = {0, 0, 0};
	double most = 0.0;
	const size_t halo = sim->dim == 3;
	for (i32 k = 0; k < g->nz; k++)
		for (i32 j = 0; j < g->ny; j++)
			for (i32 i = 0; i < g->nx; i++) {
				/* struct mg_level says where a cell is */
				const size_t at =
					(size_t)l->offset +
					(size_t)((i + j + k) & 1) * (size_t)l->colour_stride +
					((size_t)k + halo) * (size_t)l->plane +
					((size_t)j + 1) * (size_t)l->pitch + (size_t)(i / 2) + 1;
				const i32 cell[3] = {i, j, k};
				const double value = (double)q[at];
				if (is_bad(value, (double)HUGE_FROM))
					keep_cell(sim, cell, -1, quantity, "m/s", value);
				else if (fabs(value) > fabs(most))
					most = value, memcpy(greatest, cell, sizeof(cell));
			}
	if (sim->diagnosis.cell_count == 0)
		keep_cell(sim, greatest, -1, quantity, "m/s", most);
	free(q);
	return true;
}

/* ---- the particles ------------------------------------------------------------------------ */

static bool scan_particles(struct sim *sim)
{
	struct diagnosis *d = &sim->diagnosis;
	const struct particles *p = &sim->particles;
	f32 *x = clx_read_copy(sim->cl, &p->now.position, p->now.position.bytes),
	    *v = clx_read_copy(sim->cl, &p->now.velocity, p->now.velocity.bytes);
	u32 *id = clx_read_copy(sim->cl, &p->now.id, p->now.id.bytes);
	const bool ok = x && v && id;
	for (size_t i = 0; ok && i < p->count; i++) {
		struct diagnosis_particle one = {.id = id[i]};
		bool bad = false;
		for (int a = 0; a < sim->dim; a++) {
			one.position[a] = (double)x[(size_t)a * p->capacity + i];
			one.velocity[a] = (double)v[(size_t)a * p->capacity + i];
			bad = bad || is_bad(one.position[a], (double)HUGE_FROM) ||
			      is_bad(one.velocity[a], (double)HUGE_FROM);
		}
		if (!bad || id[i] == ID_REMOVED)
			continue;
		if (d->particle_count++ < DIAGNOSIS_MOST)
			d->particles[d->particles_kept++] = one;
	}
	free(x);
	free(v);
	free(id);
	return ok;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool is_found(const struct diagnosis *d)
{
	return d->cell_count > 0 || d->particle_count > 0;
}

bool diagnosis_look(struct sim *sim, size_t stage)
{
	struct diagnosis *d = &sim->diagnosis;
	const struct method *m = sim->method;
	bool has_particles = false;
	if (is_found(d))
		return true;
	for (const struct field_use *use = m->stages[stage].writes; use->member; use++) {
		const struct sim_field *field = method_field(m, use->member);
		if (field->quantity && sim_field_of_particles(field))
			has_particles = true;
		else if (field->quantity && !scan_field(sim, field, (double)HUGE_FROM))
			return false;
	}
	if (has_particles && !scan_particles(sim))
		return false;
	if (is_found(d))
		d->made_by = m->stages[stage].name;
	return true;
}

/* Where the grid is faster than the step allows. */
static bool scan_speeds(struct sim *sim)
{
	const double band = sim->layers / sim->dim * (double)sim->lattice.grid.h;
	const struct sim_field *velocity = method_field(sim->method, offsetof(struct sim, u_face));
	return !velocity || scan_field(sim, velocity, band / sim->dt);
}

bool diagnosis_conclude(struct sim *sim, size_t stage)
{
	struct diagnosis *d = &sim->diagnosis;
	const enum step_failure cause = sim->step_failed;
	d->failed = true;
	d->frame = sim->frame + 1;
	d->substep = sim->substep + 1;
	d->attempts = sim->halvings + 1;
	d->time = sim->time;
	d->dt = sim->dt;
	d->speed = sim->grid_speed;
	d->cause = sim_failure_text(cause);
	d->cause_name = sim_failure_name(cause);
	d->stage = sim->method->stages[stage].name;
	bool ok = true;
	if (!is_found(d) && cause == STEP_TOO_FAR)
		ok = scan_speeds(sim);
	else if (!is_found(d) && (cause == STEP_DIVERGED || cause == STEP_UNSOLVED))
		ok = scan_solution(sim);
	if (!d->made_by)
		d->made_by = d->stage;
	return ok;
}

/* "(0.1, 0.2)" */
#define VECTOR_TEXT (3 * NUMBER_TEXT + 8)
static const char *vector_text(const double *v, int dim, char text[VECTOR_TEXT])
{
	char number[NUMBER_TEXT];
	size_t length = 0;
	for (int a = 0; a < dim; a++)
		length += (size_t)snprintf(text + length, VECTOR_TEXT - length, "%s%s",
					   a ? ", " : "(", number_from_float(v[a], number));
	snprintf(text + length, VECTOR_TEXT - length, ")");
	return text;
}

static void note_cell(const struct diagnosis_cell *c, int dim)
{
	char position[VECTOR_TEXT], value[NUMBER_TEXT], last[16] = "";
	if (dim == 3)
		snprintf(last, sizeof(last), ", %d", c->cell[2]);
	message_note("  cell (%d, %d%s) at %s m: %s is %s", c->cell[0], c->cell[1], last,
		     vector_text(c->position, dim, position), c->field,
		     number_from_float(c->value, value));
}

void diagnosis_report(const struct sim *sim)
{
	const struct diagnosis *d = &sim->diagnosis;
	char position[VECTOR_TEXT], velocity[VECTOR_TEXT];
	message_error("frame %d, substep %d, t = %g s, stage %s: %s, %d times over, at last with "
		      "dt = %g s; the state before this substep is intact",
		      d->frame, d->substep, d->time, d->stage, d->cause, d->attempts, d->dt);
	if (d->cell_count > 0)
		message_note("cells, first of %" PRIu64 ", after stage %s:", d->cell_count,
			     d->made_by);
	for (size_t i = 0; i < d->cells_kept; i++)
		note_cell(&d->cells[i], sim->dim);
	if (d->particle_count > 0)
		message_note("particles, first of %" PRIu64 ", after stage %s:", d->particle_count,
			     d->made_by);
	for (size_t i = 0; i < d->particles_kept; i++)
		message_note("  particle %" PRIu32 " at %s m with velocity %s m/s",
			     d->particles[i].id,
			     vector_text(d->particles[i].position, sim->dim, position),
			     vector_text(d->particles[i].velocity, sim->dim, velocity));
}
