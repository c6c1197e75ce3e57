#include "mesh_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "file.h"
#include "file_queue.h"
#include "message.h"
#include "write_mesh.h"

/* In the background: a mesh and how to write it. */
struct mesh_file {
	struct mesh mesh;
	enum scene_mesh_format format;
};

void mesh_file_name(int frame, enum scene_mesh_format format, char name[MESH_NAME])
{
	snprintf(name, MESH_NAME, "mesh_%06d.%s", frame, format == MESH_PLY ? "ply" : "obj");
}

static int write_file(const char *path, void *data)
{
	const struct mesh_file *file = data;
	return write_mesh(path, &file->mesh, file->format);
}

static void free_file(void *data)
{
	struct mesh_file *file = data;
	if (file)
		mesh_free(&file->mesh);
	free(file);
}

bool mesh_output_init(struct mesh_output *output, const struct sim *sim)
{
	return !sim->scene->output.mesh || surface_init(&output->surface, sim);
}

bool mesh_output_open(struct mesh_output *output, const struct scene *scene,
		      const struct output *run)
{
	if (!scene->output.mesh)
		return true;
	output->directory = output_subdirectory(run, MESH_DIRECTORY);
	output->queue = output->directory ? file_queue_create() : NULL;
	return output->queue != NULL;
}

static bool queue_mesh(struct mesh_output *output, struct sim *sim, struct mesh_file *file)
{
	char name[MESH_NAME];
	file->format = sim->scene->output.mesh_format;
	if (!surface_update(&output->surface, sim) ||
	    !surface_mesh(&output->surface, sim, &file->mesh)) {
		free_file(file);
		return false;
	}
	mesh_file_name(sim->frame, file->format, name);
	char *path = file_join(output->directory, name);
	if (!path) {
		free_file(file);
		return false;
	}
	return file_queue_submit(output->queue,
				 &(struct file_job){path, file, write_file, free_file});
}

bool mesh_output_frame(struct mesh_output *output, struct sim *sim)
{
	if (!output->queue || sim->frame % sim->scene->output.mesh_every != 0)
		return true;
	struct mesh_file *file = calloc(1, sizeof(*file));
	return file ? queue_mesh(output, sim, file) : message_memory(sizeof(*file), "a mesh file");
}

bool mesh_output_wait(struct mesh_output *output)
{
	return !output->queue || file_queue_wait(output->queue);
}

bool mesh_output_close(struct mesh_output *output)
{
	const bool ok = file_queue_finish(output->queue);
	output->queue = NULL;
	return ok;
}

void mesh_output_release(struct mesh_output *output, struct clx *cl)
{
	if (cl)
		surface_finish(&output->surface, cl);
	output->surface = (struct surface){0};
}

void mesh_output_finish(struct mesh_output *output, struct clx *cl)
{
	mesh_output_close(output);
	mesh_output_release(output, cl);
	free(output->directory);
	*output = (struct mesh_output){0};
}
