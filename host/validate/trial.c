#include "trial.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "distance.h"
#include "grid/grid_levelset.h"
#include "grid/grid_survey.h"
#include "grid/vof.h"
#include "particles.h"
#include "particles_read.h"
#include "sim_copies.h"
#include "sim_view.h"
#include "validate_files.h"

#define SETS_MOST 16 /* overrides of a scene, more than any case gives */

/* ---- opening ------------------------------------------------------------------------------ */

/* The command that repeats a run, for the report. */
static bool record_command(struct validate *v, const char *file, const char *const *sets,
			   size_t count)
{
	struct validate_result *result = v->result;
	char text[1024];
	if (v->alters) {
		result->altered = v->alters;
		return true;
	}
	int used = snprintf(text, sizeof(text), "freshet run scenes/validation/%s", file);
	for (size_t i = 0; i < count && used > 0 && (size_t)used < sizeof(text); i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, " --set '%s'", sets[i]);
	for (size_t i = 0; i < result->run_count; i++)
		if (strcmp(result->runs[i], text) == 0)
			return true;
	if (result->run_count == VALIDATE_MAX_RUNS)
		return true;
	char *copy = strdup(text);
	if (!copy)
		return message_memory(strlen(text) + 1, "the name of a run");
	result->runs[result->run_count++] = copy;
	return true;
}

static struct clx *open_device(struct validate *v, int dim)
{
	struct clx **cl = &v->cl[dim - 2];
	if (*cl)
		return *cl;
	*cl = clx_open(v->options->device, dim, false, false, &v->named_missing);
	if (*cl) {
		const struct clx_device_info *info = clx_info(*cl);
		snprintf(v->device, sizeof(v->device), "%.100s (%.40s)", info->name,
			 info->platform);
	}
	return *cl;
}

/* After the stage that makes phi. */
static bool replace_phi(struct sim *sim, size_t stage, void *user)
{
	struct trial *trial = user;
	if (!trial->set_phi || !sim_stage_makes_levelset(sim, stage))
		return true;
	f32 *phi = trial_read(trial, TRIAL_PHI);
	if (!phi)
		return false;
	trial->set_phi(trial, phi);
	const bool ok = trial_write(trial, TRIAL_PHI, phi);
	free(phi);
	return ok;
}

/* Owns the scene from here on; NULL is passed through. */
static struct trial *create_trial(struct validate *v, struct scene *scene)
{
	struct trial *trial = scene ? calloc(1, sizeof(*trial)) : NULL;
	struct clx *cl = trial ? open_device(v, scene->dim) : NULL;
	struct sim *sim = cl ? sim_create(scene, cl) : NULL;
	if (!sim) {
		if (scene && !trial)
			message_memory(sizeof(*trial), "a run");
		scene_free(scene);
		free(trial);
		return NULL;
	}
	*trial = (struct trial){scene, &sim->lattice.grid, &sim->stats, sim, NULL};
	sim_watch_stages(sim, replace_phi, trial);
	return trial;
}

struct trial *trial_open(struct validate *v, const char *file, const char *format, ...)
{
	char text[1024];
	const char *sets[SETS_MOST];
	size_t count = 0;
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *line = strtok(text, "\n"); line && count < SETS_MOST; line = strtok(NULL, "\n"))
		sets[count++] = line;
	const struct embedded_text *source = validate_find_file(file);
	if (!source || !record_command(v, file, sets, count))
		return NULL;
	struct trial *trial = create_trial(
		v, scene_read_text_with(source->text, source->length, file, sets, count));
	if (!trial || trial_measure(trial))
		return trial;
	trial_close(trial);
	return NULL;
}

struct trial *trial_open_text(struct validate *v, const char *name, const char *text)
{
	return create_trial(v, scene_read_text(text, strlen(text), name));
}

void trial_close(struct trial *trial)
{
	if (!trial)
		return;
	sim_destroy(trial->sim);
	scene_free(trial->scene);
	free(trial);
}

/* ---- stepping ----------------------------------------------------------------------------- */

/* On a terminal: how far a run is, on a line that the next output takes over. */
static void show_progress(const struct trial *trial, double end)
{
	if (!isatty(STDOUT_FILENO))
		return;
	if (trial->stats->time < end)
		printf("\r  %s: %.3g of %.3g s\033[K", trial->scene->path, trial->stats->time, end);
	else
		printf("\r\033[K");
	fflush(stdout);
}

bool trial_advance(struct trial *trial, double t, bool (*frame)(struct trial *trial, void *user),
		   void *user)
{
	/* Frames end at sums of steps: a part of one that is beyond their rounding. */
	const double least = 1e-9 / trial->scene->time.fps;
	while (trial->stats->time < t - least) {
		if (!trial_substep(trial))
			return false;
		if (!trial->stats->frame_end)
			continue;
		show_progress(trial, t - least);
		if (frame && !frame(trial, user))
			return false;
	}
	return true;
}

bool trial_watch(struct trial *trial, double t, bool (*frame)(struct trial *trial, void *user),
		 void *user)
{
	const bool ok = trial && frame(trial, user) && trial_advance(trial, t, frame, user);
	trial_close(trial);
	return ok;
}

bool trial_add_energy(struct trial *trial, void *user)
{
	return curve_add(user, trial->stats->time, trial->stats->report.kinetic_energy);
}

bool trial_substep(struct trial *trial)
{
	return sim_substep(trial->sim);
}

bool trial_measure(struct trial *trial)
{
	return sim_measure(trial->sim);
}

double trial_end(const struct trial *trial)
{
	return trial->scene->time.frames / trial->scene->time.fps;
}

double trial_phi_time(const struct trial *trial)
{
	return trial->stats->time - trial->stats->dt;
}

bool trial_restart(struct trial *trial, const struct sim_particles *given)
{
	return sim_restart(trial->sim, given) && sim_measure(trial->sim);
}

bool trial_advect(struct trial *trial, double dt, const f32 *u)
{
	struct sim *sim = trial->sim;
	sim->dt = dt;
	sim->dt_f = (f32)dt;
	return (!u || trial_write(trial, TRIAL_VELOCITY, u)) && particles_advect(sim);
}

bool trial_carry(struct trial *trial, double dt, const f32 *u)
{
	struct sim *sim = trial->sim;
	sim->dt = dt;
	sim->dt_f = (f32)dt;
	sim->frame_ends = false;
	const bool ok = trial_write(trial, TRIAL_VELOCITY, u) && sim->method->snapshot(sim) &&
			grid_survey(sim) &&
			(trial->scene->grid_surface == GRID_SURFACE_LEVELSET
				 ? grid_levelset_carry(sim) && grid_levelset_redistance(sim) &&
					   grid_levelset_fill(sim)
				 : vof_move(sim));
	sim->steps++;
	return ok;
}

double trial_stage_ms(const struct trial *trial, const char *stage)
{
	for (size_t s = 0; s < sim_stage_count(trial->sim); s++)
		if (strcmp(sim_stage_name(trial->sim, s), stage) == 0)
			return trial->stats->ms_stage[s];
	return 0.0;
}

/* ---- looking ------------------------------------------------------------------------------ */

bool trial_probe(struct trial *trial, const char *name, struct probe_value *sample)
{
	const struct scene *scene = trial->scene;
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		if (strcmp(scene->output.probes[i].name, name) != 0)
			continue;
		if (!probe_sample(subject_of(trial->sim), &scene->output.probes[i], sample))
			return false;
		if (!sample->known)
			sample->value[0] = (double)NAN;
		return true;
	}
	return message_error("%s: no probe '%s'", scene->path, name);
}

bool trial_force(struct trial *trial, const char *solid, double force[3])
{
	const struct scene *scene = trial->scene;
	const struct loads *loads = &trial->sim->loads;
	for (size_t n = 0; n < loads->count; n++)
		if (strcmp(scene->solids[n].name, solid) == 0) {
			for (int a = 0; a < 3; a++)
				force[a] = loads->frame[n].impulse[a] / loads->seconds;
			return true;
		}
	return message_error("%s: no forces on a solid '%s'", scene->path, solid);
}

bool trial_particles(struct trial *trial, struct particle_snapshot *snapshot)
{
	return particle_snapshot_read(trial->sim, snapshot);
}

static struct clx_buffer *find_field(struct sim *sim, enum trial_field field)
{
	struct clx_buffer *const fields[] = {
		[TRIAL_PHI] = &sim->phi.raw,
		[TRIAL_CELL_TYPE] = &sim->cell_type.raw,
		[TRIAL_PRESSURE] = &sim->pressure.raw,
		[TRIAL_VELOCITY] = &sim->u_face.raw,
		[TRIAL_VALID] = &sim->valid.raw,
		[TRIAL_VOLUME] = &sim->vof.volume.raw,
		[TRIAL_OPEN_FRACTION] = &sim->solids.open_fraction.raw,
	};
	return fields[field];
}

void *trial_read(struct trial *trial, enum trial_field field)
{
	const struct clx_buffer *buffer = find_field(trial->sim, field);
	return clx_read_copy_raw(trial->sim->cl, buffer, buffer->bytes);
}

bool trial_write(struct trial *trial, enum trial_field field, const void *values)
{
	struct clx_buffer *buffer = find_field(trial->sim, field);
	return clx_write_raw(trial->sim->cl, buffer, 0, buffer->bytes, values);
}

void *trial_distances(struct trial *trial, enum trial_distance way, const f32 *phi)
{
	struct sim *sim = trial->sim;
	struct clx *cl = sim->cl;
	const size_t lattice = (size_t)trial->grid->lattice;
	struct distance d = {0};
	union f32_buffer in = {0}, out = {0};
	void *found = NULL;
	if (clx_alloc(cl, &in, "given level set", lattice) &&
	    clx_alloc(cl, &out, "distances", lattice) && clx_write(cl, &in, 0, in.bytes, phi) &&
	    distance_init(&d, &sim->lattice) &&
	    (way == TRIAL_SWEEP	  ? distance_redistance(&d, &sim->lattice, &in, &out)
	     : way == TRIAL_FLOOD ? distance_flood_redistance(&d, &sim->lattice, &in, &out)
				  : distance_flood(&d, &sim->lattice, &in)))
		found = way == TRIAL_NEAREST ? clx_read_copy(cl, &d.nearest[0], d.nearest[0].bytes)
					     : clx_read_copy(cl, &out, out.bytes);
	distance_finish(&d, cl);
	clx_free(cl, &in);
	clx_free(cl, &out);
	return found;
}

struct poisson *trial_poisson(struct trial *trial)
{
	return sim_poisson(trial->sim);
}
