#include "mesh_files.h"

#include <stdlib.h>

#include "file_queue.h"
#include "mesh_formats.h"
#include "message.h"
#include "numbered_files.h"

/* In the background: a mesh and how to write it. */
struct mesh_file {
	struct mesh mesh;
	enum scene_mesh_format format;
};

static int write_mesh_file(const char *path, void *data)
{
	const struct mesh_file *file = data;
	return mesh_write(path, &file->mesh, file->format);
}

static void free_mesh_file(void *data)
{
	struct mesh_file *file = data;
	if (file)
		mesh_free(&file->mesh);
	free(file);
}

bool mesh_files_init(struct mesh_files *files, struct subject subject)
{
	return !subject.scene->output.mesh || surface_init(&files->surface, subject);
}

bool mesh_files_open(struct mesh_files *files, const struct scene *scene, struct run_directory *run)
{
	if (!scene->output.mesh)
		return true;
	files->scene = scene;
	files->folder = run_directory_subdirectory(run, numbered_kinds[NUMBERED_MESHES].folder);
	files->queue = files->folder ? file_queue_create() : NULL;
	return files->queue != NULL;
}

struct surface *mesh_files_surface(struct mesh_files *files)
{
	return files->surface.subject.scene ? &files->surface : NULL;
}

bool mesh_files_write(struct mesh_files *files, int frame)
{
	const bool current = files->surface.current;
	files->surface.current = false;
	if (!files->queue || frame % files->scene->output.mesh_every != 0)
		return true;
	const enum scene_mesh_format format = files->scene->output.mesh_format;
	struct mesh_file *file = calloc(1, sizeof(*file));
	if (!file)
		return message_memory(sizeof(*file), "a mesh file");
	file->format = format;
	char *path = NULL;
	if (!(current || surface_update(&files->surface)) ||
	    !surface_mesh(&files->surface, &file->mesh) ||
	    !(path = numbered_file_path(files->folder, NUMBERED_MESHES + format, frame))) {
		free_mesh_file(file);
		return false;
	}
	return file_queue_submit(files->queue,
				 &(struct file_job){path, file, write_mesh_file, free_mesh_file});
}

bool mesh_files_wait(struct mesh_files *files)
{
	return !files->queue || file_queue_wait(files->queue);
}

bool mesh_files_close(struct mesh_files *files)
{
	const bool ok = file_queue_finish(files->queue);
	files->queue = NULL;
	return ok;
}

void mesh_files_release(struct mesh_files *files)
{
	surface_finish(&files->surface);
	files->surface = (struct surface){0};
}

void mesh_files_finish(struct mesh_files *files)
{
	mesh_files_close(files);
	mesh_files_release(files);
	free(files->folder);
	*files = (struct mesh_files){0};
}
