#include "data_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "file_queue.h"
#include "message.h"
#include "write_fields.h"
#include "write_particles.h"

struct data_files {
	struct file_queue *queue;
	char *particles, *fields; /* owned; their directories, NULL = not wanted */
};

bool data_files_wanted(const struct scene *scene)
{
	return scene->output.particles_every > 0 || scene->output.fields_every > 0;
}

struct data_files *data_files_create(const struct scene *scene, const struct output *output)
{
	struct data_files *files = calloc(1, sizeof(*files));
	if (!files) {
		message_memory(sizeof(*files), "the writer of particles and fields");
		return NULL;
	}
	bool ok = true;
	if (scene->output.particles_every > 0)
		ok = (files->particles = output_subdirectory(output, "particles")) != NULL;
	if (ok && scene->output.fields_every > 0)
		ok = (files->fields = output_subdirectory(output, "fields")) != NULL;
	if (ok)
		ok = (files->queue = file_queue_create()) != NULL;
	if (!ok) {
		data_files_finish(files);
		return NULL;
	}
	return files;
}

bool data_files_write(struct data_files *files, struct sim *sim)
{
	const struct scene *scene = sim->scene;
	const int frame = sim->frame;
	return (!files->particles || frame % scene->output.particles_every != 0 ||
		write_particles(sim, files->particles, files->queue)) &&
	       (!files->fields || frame % scene->output.fields_every != 0 ||
		write_fields(sim, files->fields, files->queue));
}

bool data_files_wait(struct data_files *files)
{
	return !files || file_queue_wait(files->queue);
}

bool data_files_finish(struct data_files *files)
{
	if (!files)
		return true;
	const bool ok = file_queue_finish(files->queue);
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
		snprintf(name, sizeof(name), "particles/*%s", write_particles_ending(scene));
		print_line(name, write_particles_bytes(scene, particles),
			   scene->output.particles_every);
	}
	if (scene->output.fields_every > 0)
		print_line("fields/*.vtkhdf", write_fields_bytes(scene),
			   scene->output.fields_every);
}
