/* Running the scenes of validation: opening, stepping, sampling; tables of reference data. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number.h"
#include "probes.h"
#include "sim_copies.h"
#include "validate.h"
#include "validate_files.h"

#define SETS_MOST 16

static const struct embedded_text *find_file(const char *name)
{
	for (const struct embedded_text *file = validate_files; file->name; file++)
		if (strcmp(file->name, name) == 0)
			return file;
	message_error("the program holds no file '%s'", name);
	return NULL;
}

/* ---- opening ------------------------------------------------------------------------------ */

/* The command that repeats a run, for the report. */
static bool record_run(struct validate *v, const char *file, char *const *sets, size_t count)
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
	*cl = clx_open(v->options->device, dim, false, &v->named_missing);
	if (*cl) {
		const struct clx_device_info *info = clx_info(*cl);
		snprintf(v->device, sizeof(v->device), "%.100s (%.40s)", info->name,
			 info->platform);
	}
	return *cl;
}

/* The simulation of a scene, which it owns from here on; NULL is passed through. */
static struct sim *create(struct validate *v, struct scene *scene)
{
	struct clx *cl = scene ? open_device(v, scene->dim) : NULL;
	struct sim *sim = cl ? sim_create(scene, cl) : NULL;
	if (!sim)
		scene_free(scene);
	return sim;
}

struct sim *validate_open(struct validate *v, const char *file, const char *format, ...)
{
	char text[1024], *sets[SETS_MOST];
	size_t count = 0;
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *line = strtok(text, "\n"); line && count < SETS_MOST; line = strtok(NULL, "\n"))
		sets[count++] = line;
	const char *constant[SETS_MOST];
	for (size_t i = 0; i < count; i++)
		constant[i] = sets[i];
	const struct embedded_text *source = find_file(file);
	if (!source || !record_run(v, file, sets, count))
		return NULL;
	struct sim *sim = create(
		v, scene_read_text_with(source->text, source->length, file, constant, count));
	if (!sim || sim_measure(sim))
		return sim;
	validate_close(sim);
	return NULL;
}

struct sim *validate_open_text(struct validate *v, const char *name, const char *text)
{
	return create(v, scene_read_text(text, strlen(text), name));
}

void validate_close(struct sim *sim)
{
	if (!sim)
		return;
	/* The scene is this module's: nobody else holds it. */
	const struct scene *scene = sim->scene;
	sim_destroy(sim);
	scene_free((struct scene *)(uintptr_t)scene);
}

/* ---- stepping and sampling ---------------------------------------------------------------- */

/* On a terminal: how far a run is, on a line that the next output takes over. */
static void show_progress(const struct sim *sim, double end)
{
	if (!isatty(STDOUT_FILENO))
		return;
	if (sim->time < end)
		printf("\r  %s: %.3g of %.3g s\033[K", sim->scene->path, sim->time, end);
	else
		printf("\r\033[K");
	fflush(stdout);
}

bool validate_advance(struct sim *sim, double t, bool (*frame)(struct sim *sim, void *user),
		      void *user)
{
	const double least = 1e-9 / sim->scene->time.fps;
	while (sim->time < t - least) {
		if (!sim_substep(sim))
			return false;
		if (!sim->stats.frame_end)
			continue;
		show_progress(sim, t - least);
		if (frame && !frame(sim, user))
			return false;
	}
	return true;
}

bool validate_probe(struct sim *sim, const char *name, double *value)
{
	const struct scene *scene = sim->scene;
	struct probe_value sample;
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		if (strcmp(scene->output.probes[i].name, name) != 0)
			continue;
		if (!probe_sample(subject_of(sim), &scene->output.probes[i], &sample))
			return false;
		*value = sample.known ? sample.value[0] : (double)NAN;
		return true;
	}
	return message_error("%s: no probe '%s'", scene->path, name);
}

double validate_phi_time(const struct sim *sim)
{
	return sim->time - sim->stats.dt;
}

void *validate_read(struct sim *sim, const struct clx_buffer *buffer)
{
	void *data = malloc(buffer->bytes);
	if (!data) {
		message_error("out of memory for a copy of '%s' (%zu bytes)", buffer->name,
			      buffer->bytes);
		return NULL;
	}
	if (clx_read_raw(sim->cl, buffer, 0, buffer->bytes, data))
		return data;
	free(data);
	return NULL;
}

/* ---- curves ------------------------------------------------------------------------------- */

bool validate_curve_add(struct validate_curve *curve, double t, double y)
{
	if (curve->count == curve->room) {
		const size_t room = curve->room ? 2 * curve->room : 64;
		double *times = realloc(curve->t, room * sizeof(*times));
		if (times)
			curve->t = times;
		double *values = realloc(curve->y, room * sizeof(*values));
		if (values)
			curve->y = values;
		if (!times || !values)
			return message_error("out of memory for a curve of %zu points", room);
		curve->room = room;
	}
	curve->t[curve->count] = t;
	curve->y[curve->count++] = y;
	return true;
}

void validate_curve_free(struct validate_curve *curve)
{
	free(curve->t);
	free(curve->y);
	*curve = (struct validate_curve){0};
}

struct measure_series validate_series(const struct validate_curve *curve)
{
	return (struct measure_series){curve->t, curve->y, curve->count};
}

/* ---- tables ------------------------------------------------------------------------------- */

/* Copies the next line of a text, without its end; false at the end of the text. */
static bool next_line(const char **text, char *line, size_t size)
{
	const char *start = *text;
	if (!*start)
		return false;
	const size_t length = strcspn(start, "\n");
	const size_t kept = length < size - 1 ? length : size - 1;
	memcpy(line, start, kept);
	line[kept] = '\0';
	*text = start + length + (start[length] == '\n');
	return true;
}

/* Field `index` of a line of a CSV file without quotes; false if there are fewer. */
static bool field(const char *line, int index, char *text, size_t size)
{
	for (; index > 0; index--) {
		line = strchr(line, ',');
		if (!line)
			return false;
		line++;
	}
	const size_t length = strcspn(line, ",");
	snprintf(text, size, "%.*s", (int)(length < size ? length : size - 1), line);
	return true;
}

static int find_column(const char *header, const char *name)
{
	char text[64];
	for (int i = 0; field(header, i, text, sizeof(text)); i++)
		if (strcmp(text, name) == 0)
			return i;
	return -1;
}

bool validate_table(const char *file, const char *t, const char *y, double from, double to,
		    struct validate_curve *curve)
{
	const struct embedded_text *source = find_file(file);
	char line[256], text[2][64];
	int column[2] = {-1, -1};
	bool header = true;
	if (!source)
		return false;
	for (const char *at = source->text; next_line(&at, line, sizeof(line));) {
		double value[2];
		if (line[0] == '#')
			continue;
		if (header) {
			column[0] = find_column(line, t);
			column[1] = find_column(line, y);
			header = false;
			continue;
		}
		for (int i = 0; i < 2; i++)
			if (column[i] < 0 || !field(line, column[i], text[i], sizeof(text[i])) ||
			    !number_read(text[i], &value[i]))
				return message_error("%s: no '%s' or '%s' in '%s'", file, t, y,
						     line);
		if (value[0] >= from && value[0] <= to &&
		    !validate_curve_add(curve, value[0], value[1]))
			return false;
	}
	return true;
}
