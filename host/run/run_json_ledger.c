#include "run_json_ledger.h"

#include "ledger.h"
#include "number.h"

static void add_vector(struct json_writer *json, const char *key, const double v[3])
{
	json_begin_array(json, key);
	for (int a = 0; a < 3; a++)
		json_number(json, NULL, v[a]);
	json_end_array(json);
}

/* Values of a failure are often not numbers of JSON: text then. */
static void add_value(struct json_writer *json, const char *key, double value)
{
	char text[NUMBER_TEXT];
	json_string(json, key, number_from_float(value, text));
}

static void add_values(struct json_writer *json, const char *key, const double *v, int count)
{
	json_begin_array(json, key);
	for (int a = 0; a < count; a++)
		add_value(json, NULL, v[a]);
	json_end_array(json);
}

static void add_failure(struct json_writer *json, const struct run *run)
{
	const struct diagnosis *d = &run->sim->diagnosis;
	const int dim = run->sim->dim;
	if (!d->failed) {
		json_string(json, "failure", NULL);
		return;
	}
	json_begin_object(json, "failure");
	json_string(json, "cause", d->cause_name);
	json_string(json, "stage", d->stage);
	json_integer(json, "frame", d->frame);
	json_integer(json, "substep", d->substep);
	json_integer(json, "attempts", d->attempts);
	json_number(json, "time", d->time);
	json_number(json, "dt", d->dt);
	json_string(json, "values_after_stage", d->made_by);
	json_integer(json, "cell_count", (int64_t)d->cell_count);
	json_begin_array(json, "cells");
	for (size_t i = 0; i < d->cells_kept; i++) {
		const struct diagnosis_cell *c = &d->cells[i];
		json_begin_object(json, NULL);
		json_begin_array(json, "cell");
		for (int a = 0; a < dim; a++)
			json_integer(json, NULL, c->cell[a]);
		json_end_array(json);
		add_values(json, "position", c->position, dim);
		json_string(json, "field", c->field);
		add_value(json, "value", c->value);
		json_end_object(json);
	}
	json_end_array(json);
	json_integer(json, "particle_count", (int64_t)d->particle_count);
	json_begin_array(json, "particles");
	for (size_t i = 0; i < d->particles_kept; i++) {
		const struct diagnosis_particle *p = &d->particles[i];
		json_begin_object(json, NULL);
		json_integer(json, "id", p->id);
		add_values(json, "position", p->position, dim);
		add_values(json, "velocity", p->velocity, dim);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void add_interventions(struct json_writer *json, const struct run *run)
{
	json_begin_object(json, "interventions");
	for (int cause = 1; cause < STEP_FAILURES; cause++)
		json_integer(json, sim_failure_name((enum step_failure)cause),
			     run->sim->interventions[cause]);
	json_end_object(json);
}

/* What each has taken: particles, or volume with that of `one`. */
static void add_drains(struct json_writer *json, const struct run *run, double one)
{
	const struct scene *scene = run->scene;
	if (scene->drain_count == 0)
		return;
	json_begin_array(json, "drains");
	for (size_t i = 0; i < scene->drain_count; i++) {
		json_begin_object(json, NULL);
		json_string(json, "name", scene->drains[i].name);
		json_number(json, "taken",
			    one * run->sim->lattice.host_scalars[SCALAR_DRAINED + i]);
		json_end_object(json);
	}
	json_end_array(json);
}

/* The same by outflow. */
static void add_outflows(struct json_writer *json, const struct run *run, double one)
{
	const struct scene *scene = run->scene;
	if (scene->outflow_count == 0)
		return;
	json_begin_array(json, "outflows");
	for (size_t i = 0; i < scene->outflow_count; i++) {
		json_begin_object(json, NULL);
		json_string(json, "name", scene->outflows[i].part.name);
		json_number(json, "taken", one * run->sim->lattice.host_scalars[SCALAR_FLOWN + i]);
		json_end_object(json);
	}
	json_end_array(json);
}

static void add_imbalances(struct json_writer *json, const struct ledger *l)
{
	json_integer(json, "imbalances", l->imbalances);
	json_begin_array(json, "first_imbalance");
	if (l->imbalances > 0) {
		json_integer(json, NULL, l->bad_frame);
		json_integer(json, NULL, l->bad_substep);
	}
	json_end_array(json);
}

static void add_particles(struct json_writer *json, const struct run *run)
{
	const struct ledger *l = &run->sim->ledger;
	const struct step_report *r = &run->summary.last.report;
	json_begin_object(json, "particles");
	json_begin_object(json, "created");
	json_integer(json, "seeded", l->seeded);
	json_integer(json, "loaded", l->loaded);
	json_integer(json, "inflows",
		     (int64_t)l->entered - l->entered_outflows - l->entered_emitters);
	if (run->scene->outflow_count > 0)
		json_integer(json, "outflows", l->entered_outflows);
	if (run->scene->emitter_count > 0)
		json_integer(json, "emitters", l->entered_emitters);
	json_end_object(json);
	json_begin_object(json, "removed");
	json_integer(json, "open", r->removed_open);
	add_drains(json, run, 1.0);
	add_outflows(json, run, 1.0);
	json_end_object(json);
	json_integer(json, "alive", run->summary.last.particles);
	json_integer(json, "escaped", r->escaped);
	json_integer(json, "pushed", r->pushed);
	add_imbalances(json, l);
	json_end_object(json);
}

static void add_volume(struct json_writer *json, const struct run *run)
{
	const struct ledger *l = &run->sim->ledger;
	const struct step_stats *last = &run->summary.last;
	const double h = run->scene->h, cell = h * h * (run->scene->dim == 3 ? h : 1.0);
	const double one = cell / run->scene->particles_per_cell;
	json_begin_object(json, "volume");
	json_number(json, "created", one * ledger_created(l));
	json_begin_object(json, "removed");
	json_number(json, "open", one * last->report.removed_open);
	add_drains(json, run, one);
	add_outflows(json, run, one);
	json_end_object(json);
	json_number(json, "present", one * last->particles);
	json_number(json, "measured", one * last->particles * (1.0 + last->volume_error));
	json_number(json, "drift_swelled", l->accounts.total.swelled);
	json_number(json, "drift_shrunk", l->accounts.total.shrunk);
	json_number(json, "squeezed", l->accounts.total.squeezed);
	json_end_object(json);
}

static void add_energy(struct json_writer *json, const struct ledger_accounts *a)
{
	json_begin_object(json, "energy");
	json_number(json, "kinetic_start", a->start.kinetic);
	json_number(json, "gravity_work", a->total.gravity_work);
	json_number(json, "force_work", a->total.force_work);
	json_number(json, "solid_work", a->total.solid_work);
	json_number(json, "friction_work", a->total.friction_work);
	json_number(json, "kinetic_removed", a->total.kinetic_removed);
	json_number(json, "kinetic_entered", a->total.kinetic_entered);
	json_number(json, "kinetic_rest", a->total.kinetic_rest);
	json_number(json, "kinetic_end", a->now.kinetic);
	json_number(json, "potential_rest", a->total.potential_rest);
	json_end_object(json);
	json_begin_object(json, "momentum");
	add_vector(json, "start", a->start.momentum);
	add_vector(json, "gravity", a->total.gravity);
	add_vector(json, "forces", a->total.force);
	add_vector(json, "friction", a->total.friction);
	add_vector(json, "walls", a->total.walls);
	add_vector(json, "removed", a->total.momentum_removed);
	add_vector(json, "entered", a->total.momentum_entered);
	add_vector(json, "rest", a->total.momentum_rest);
	add_vector(json, "end", a->now.momentum);
	json_end_object(json);
}

/* Of liquid on the grid. */
static void add_units(struct json_writer *json, const struct run *run)
{
	json_begin_object(json, "volume");
	json_integer(json, "units", run->sim->vof.units);
	add_imbalances(json, &run->sim->ledger);
	json_end_object(json);
}

void run_json_add_ledger(struct json_writer *json, const struct run *run)
{
	add_interventions(json, run);
	add_failure(json, run);
	json_begin_object(json, "ledger");
	if (sim_has(run->scene, PART_PARTICLES)) {
		add_particles(json, run);
		add_volume(json, run);
		add_energy(json, &run->sim->ledger.accounts);
	} else if (sim_has(run->scene, PART_VOLUME)) {
		add_units(json, run);
	}
	json_end_object(json);
}
