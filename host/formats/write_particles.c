#include "write_particles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "message.h"
#include "series.h"
#include "write_particles_formats.h"

/* Bytes per particle in binary formats: position, velocity, id, liquid; the affine matrix. */
#define BINARY_BYTES (12 + 12 + 4 + 1)
#define AFFINE_BYTES 36
/* What VTKHDF's compressed cells add, measured. */
#define CELL_BYTES 0.11
/* What lines of a .geo file take on average, measured: numbers of 9 digits, but for z in 2D. */
#define GEO_BYTES(dim) ((dim) == 2 ? 63 : 84)
#define GEO_AFFINE_BYTES(dim) ((dim) == 2 ? 57 : 105)
/* Beside the particles. */
#define TEXT_HEADER_BYTES 512
#define VTKHDF_HEADER_BYTES 20480

const char *write_particles_ending(const struct scene *scene)
{
	static const char *const endings[] = {".vtkhdf", ".ply", ".geo"};
	return endings[scene->output.particles_format];
}

double write_particles_bytes(const struct scene *scene, double particles)
{
	const bool affine = scene->transfer == TRANSFER_APIC;
	const double binary = BINARY_BYTES + (affine ? AFFINE_BYTES : 0);
	const double text = GEO_BYTES(scene->dim) + (affine ? GEO_AFFINE_BYTES(scene->dim) : 0);
	switch (scene->output.particles_format) {
	case PARTICLES_GEO:
		return TEXT_HEADER_BYTES + particles * text;
	case PARTICLES_PLY:
		return TEXT_HEADER_BYTES + particles * binary;
	default:
		return VTKHDF_HEADER_BYTES + particles * (binary + CELL_BYTES);
	}
}

static void free_file(void *data)
{
	struct particle_file *file = data;
	if (!file)
		return;
	particle_snapshot_finish(&file->particles);
	free(file->directory);
	free(file);
}

static int write_file(const char *path, void *data)
{
	const struct particle_file *file = data;
	switch (file->scene->output.particles_format) {
	case PARTICLES_PLY:
		return write_particles_ply(path, file);
	case PARTICLES_GEO:
		return write_particles_geo(path, file);
	default:
		break;
	}
	const int reason = write_particles_vtkhdf(path, file);
	return reason ? reason
		      : series_write(file->directory, "particles",
				     file->scene->output.particles_every, file->frame,
				     file->scene->time.fps);
}

bool write_particles(struct sim *sim, const char *directory, struct file_queue *queue)
{
	char name[48];
	struct particle_file *file = calloc(1, sizeof(*file));
	snprintf(name, sizeof(name), "particles_%06d%s", sim->frame,
		 write_particles_ending(sim->scene));
	char *path = file_join(directory, name);
	if (file)
		file->directory = strdup(directory);
	if (!path || !file || !file->directory) {
		free(path);
		free_file(file);
		return message_memory(sizeof(*file), "a file of particles");
	}
	file->scene = sim->scene;
	file->frame = sim->frame;
	file->time = sim->time;
	if (!particle_snapshot_read(sim, &file->particles)) {
		free(path);
		free_file(file);
		return false;
	}
	return file_queue_submit(queue, &(struct file_job){path, file, write_file, free_file});
}
