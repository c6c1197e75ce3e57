#include "data_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "file_queue.h"
#include "message.h"
#include "numbered_files.h"
#include "sim_copies.h"
#include "write_fields.h"
#include "write_particles.h"
#include "write_series.h"

struct data_files {
	const struct scene *scene;
	struct file_queue *queue;
	char *particles, *fields; /* owned; their folders, NULL = not wanted */
};

bool data_files_wanted(const struct scene *scene)
{
	return scene->output.particles_every > 0 || scene->output.fields_every > 0;
}

struct data_files *data_files_create(const struct scene *scene, const struct run_directory *run)
{
	struct data_files *files = calloc(1, sizeof(*files));
	if (!files) {
		message_memory(sizeof(*files), "the writer of particles and fields");
		return NULL;
	}
	bool ok = true;
	files->scene = scene;
	if (scene->output.particles_every > 0)
		ok = (files->particles = run_directory_subdirectory(run, "particles")) != NULL;
	if (ok && scene->output.fields_every > 0)
		ok = (files->fields = run_directory_subdirectory(run, "fields")) != NULL;
	if (ok)
		ok = (files->queue = file_queue_create()) != NULL;
	if (!ok) {
		data_files_finish(files);
		return NULL;
	}
	return files;
}

/* ---- the files of a frame ----------------------------------------------------------------- */

/* On the way to its file: of particles or of fields. */
struct data_file {
	const struct scene *scene;
	const char *folder;
	int frame;
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

static int write_particle_file(const char *path, void *data)
{
	const struct data_file *file = data;
	const struct scene *scene = file->scene;
	const int reason = write_particles(path, &file->particles);
	return reason || scene->output.particles_format != PARTICLES_VTKHDF
		       ? reason
		       : write_series(file->folder, "particles", scene->output.particles_every,
				      file->frame, scene->time.fps);
}

static int write_field_file(const char *path, void *data)
{
	const struct data_file *file = data;
	const struct scene *scene = file->scene;
	const int reason = write_fields(path, &file->fields);
	return reason ? reason
		      : write_series(file->folder, "fields", scene->output.fields_every,
				     file->frame, scene->time.fps);
}

static bool queue_data_file(struct data_files *files, struct sim *sim, bool fields)
{
	const struct scene *scene = files->scene;
	const struct instant now = sim_instant(sim);
	const char *folder = fields ? files->fields : files->particles;
	char *path = numbered_file_path(
		folder,
		fields ? NUMBERED_FIELDS : NUMBERED_PARTICLES + scene->output.particles_format,
		now.frame);
	struct data_file *file = calloc(1, sizeof(*file));
	if (!path || !file) {
		free(path);
		free_data_file(file);
		return message_memory(sizeof(*file),
				      fields ? "a file of fields" : "a file of particles");
	}
	*file = (struct data_file){
		.scene = scene,
		.folder = folder,
		.frame = now.frame,
		.particles = {.scene = scene, .frame = now.frame, .time = now.time},
		.fields = {.scene = scene, .time = now.time},
	};
	if (!(fields ? grid_copy_read(sim, scene->output.fields, &file->fields.fields)
		     : particle_snapshot_read(sim, &file->particles.particles))) {
		free(path);
		free_data_file(file);
		return false;
	}
	return file_queue_submit(files->queue,
				 &(struct file_job){path, file,
						    fields ? write_field_file : write_particle_file,
						    free_data_file});
}

bool data_files_write(struct data_files *files, struct sim *sim)
{
	const struct scene *scene = files->scene;
	const int frame = sim_instant(sim).frame;
	return (!files->particles || frame % scene->output.particles_every != 0 ||
		queue_data_file(files, sim, false)) &&
	       (!files->fields || frame % scene->output.fields_every != 0 ||
		queue_data_file(files, sim, true));
}

bool data_files_wait(struct data_files *files)
{
	return !files || file_queue_wait(files->queue);
}

bool data_files_finish(struct data_files *files)
{
	if (!files)
		return true;
	const bool ok = file_queue_finish(files->queue); /* its files name the folders */
	free(files->particles);
	free(files->fields);
	free(files);
	return ok;
}

static void print_line(const char *name, double bytes, int every)
{
	printf("  %-24s about %.2f MiB, one frame in %d\n", name, bytes / 1048576.0, every);
}

void data_files_print_bytes(const struct scene *scene, double particles)
{
	char name[64];
	if (scene->output.particles_every > 0) {
		snprintf(
			name, sizeof(name), "particles/*%s",
			numbered_kinds[NUMBERED_PARTICLES + scene->output.particles_format].ending);
		print_line(name, write_particles_bytes(scene, particles),
			   scene->output.particles_every);
	}
	if (scene->output.fields_every > 0)
		print_line("fields/*.vtkhdf", write_fields_bytes(scene),
			   scene->output.fields_every);
}
