#include "data_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field_formats.h"
#include "file_queue.h"
#include "message.h"
#include "numbered_files.h"
#include "particle_formats.h"
#include "sim_copies.h"
#include "write_series.h"

struct data_files {
	const struct scene *scene;
	struct file_queue *queue;
	struct data_kind {
		enum numbered_files files;
		int every;		     /* 0 = not wanted */
		char *folder;		     /* owned */
		struct joined_frames joined; /* of the thread that writes */
	} kinds[2];			     /* particles, fields */
};

static void set_kinds(struct data_files *files, const struct scene *scene)
{
	const enum scene_particle_format particles = scene->output.particles_format;
	const enum scene_field_format fields = scene->output.fields_format;
	files->scene = scene;
	files->kinds[0].files = NUMBERED_PARTICLES + particles;
	files->kinds[0].every = scene->output.particles_every;
	files->kinds[1].files = NUMBERED_FIELDS + fields;
	files->kinds[1].every = scene->output.fields_every;
}

bool data_files_wanted(const struct scene *scene)
{
	return scene->output.particles_every > 0 || scene->output.fields_every > 0;
}

struct data_files *data_files_create(const struct scene *scene, struct run_directory *run)
{
	struct data_files *files = calloc(1, sizeof(*files));
	bool ok = files || message_memory(sizeof(*files), "the writer of particles and fields");
	if (files)
		set_kinds(files, scene);
	for (int k = 0; k < 2 && ok; k++) {
		struct data_kind *kind = &files->kinds[k];
		if (kind->every > 0)
			kind->folder =
				run_directory_subdirectory(run, numbered_kinds[kind->files].folder);
		ok = kind->every == 0 || kind->folder;
	}
	if (ok && (files->queue = file_queue_create()))
		return files;
	data_files_finish(files);
	return NULL;
}

/* ---- the files of a frame ----------------------------------------------------------------- */

/* On the way to its file: particles or fields. */
struct data_file {
	struct data_kind *kind;
	struct particle_file particles;
	struct field_file fields;
};

static void free_data_file(void *data)
{
	struct data_file *file = data;
	if (!file)
		return;
	particle_snapshot_finish(&file->particles.particles);
	grid_copy_free(&file->fields.fields);
	free(file);
}

static bool holds_fields(const struct data_kind *kind)
{
	return kind->files >= NUMBERED_FIELDS;
}

static int write_data_file(const char *path, void *data)
{
	const struct data_file *file = data;
	const struct scene *scene = file->fields.scene;
	const struct numbered_kind *kind = &numbered_kinds[file->kind->files];
	const int reason =
		holds_fields(file->kind)
			? field_formats[scene->output.fields_format]->write(path, &file->fields)
			: particle_formats[scene->output.particles_format]->write(path,
										  &file->particles);
	if (reason) {
		file->kind->joined.late = false; /* there is no use in it now */
		return reason;
	}
	if (holds_fields(file->kind))
		return !field_formats[scene->output.fields_format]->series
			       ? 0
			       : write_series(file->kind->folder, kind->folder, kind->ending,
					      file->kind->every, file->particles.frame,
					      scene->time.fps);
	const struct particle_format *format = particle_formats[scene->output.particles_format];
	return format->join ? format->join(file->kind->folder, file->kind->every, &file->particles,
					   &file->kind->joined)
			    : 0;
}

/* Bits of enum scene_field, and FIELD_VOLUME. */
static unsigned wanted_fields(const struct scene *scene)
{
	const bool has_volume = strcmp(scene->method, "grid") == 0 &&
				scene->grid_surface == GRID_SURFACE_VOF &&
				scene->output.fields_format == FIELDS_VDB;
	return scene->output.fields | (has_volume ? FIELD_VOLUME : 0u);
}

static bool queue_data_file(struct data_files *files, struct data_kind *kind, struct sim *sim)
{
	const bool fields = holds_fields(kind);
	const struct scene *scene = files->scene;
	const struct instant now = sim_instant(sim);
	char *path = numbered_file_path(kind->folder, kind->files, now.frame);
	struct data_file *file = calloc(1, sizeof(*file));
	bool ok = path && file;
	if (!ok)
		message_memory(sizeof(*file), fields ? "a file of fields" : "a file of particles");
	if (ok) {
		file->kind = kind;
		file->particles = (struct particle_file){scene, now.frame, now.time, {0}};
		file->fields = (struct field_file){scene, now.time, {0}, now.frame};
		ok = fields ? grid_copy_read(sim, wanted_fields(scene), &file->fields.fields)
			    : particle_snapshot_read(sim, &file->particles.particles);
	}
	if (ok)
		return file_queue_submit(
			files->queue,
			&(struct file_job){path, file, write_data_file, free_data_file});
	free(path);
	free_data_file(file);
	return false;
}

bool data_files_write(struct data_files *files, struct sim *sim)
{
	bool ok = true;
	for (struct data_kind *kind = files->kinds; kind < files->kinds + 2 && ok; kind++)
		ok = kind->every == 0 || sim_instant(sim).frame % kind->every != 0 ||
		     queue_data_file(files, kind, sim);
	return ok;
}

bool data_files_wait(struct data_files *files)
{
	return !files || file_queue_wait(files->queue);
}

/* What was put off of the file that joins frames. */
static bool join_rest(const struct scene *scene, struct data_kind *kind)
{
	const struct particle_format *format = particle_formats[scene->output.particles_format];
	const int reason = kind->folder && format->join
				   ? format->join(kind->folder, kind->every, NULL, &kind->joined)
				   : 0;
	return reason == 0 || message_error("cannot write the file that joins the frames in '%s': "
					    "%s",
					    kind->folder, strerror(reason));
}

bool data_files_finish(struct data_files *files)
{
	if (!files)
		return true;
	bool ok = file_queue_finish(files->queue); /* its files name the folders */
	ok = ok && (!files->scene || join_rest(files->scene, &files->kinds[0]));
	joined_frames_free(&files->kinds[0].joined);
	free(files->kinds[0].folder);
	free(files->kinds[1].folder);
	free(files);
	return ok;
}

void data_files_print_bytes(const struct scene *scene, double particles)
{
	const double bytes[] = {
		particle_formats[scene->output.particles_format]->bytes(scene, particles),
		field_formats[scene->output.fields_format]->bytes(scene)};
	struct data_files files = {0};
	set_kinds(&files, scene);
	for (int k = 0; k < 2; k++) {
		const struct numbered_kind *kind = &numbered_kinds[files.kinds[k].files];
		char name[64];
		snprintf(name, sizeof(name), "%s/*%s", kind->folder, kind->ending);
		if (files.kinds[k].every > 0)
			printf("  %-24s about %.2f MiB, one frame in %d\n", name,
			       bytes[k] / 1048576.0, files.kinds[k].every);
	}
}
