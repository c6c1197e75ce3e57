#include "mesh_files.h"

#include <stdlib.h>

#include "file_queue.h"
#include "mesh_formats.h"
#include "message.h"
#include "numbered_files.h"

/* On the way to its file. */
struct queued_mesh {
	struct mesh_file file;
	const char *folder; /* borrowed */
};

static int write_mesh_file(const char *path, void *data)
{
	const struct queued_mesh *queued = data;
	const struct scene *scene = queued->file.scene;
	const struct mesh_format *format = mesh_formats[scene->output.mesh_format];
	const int reason = mesh_write(path, &queued->file);
	return reason || !format->join
		       ? reason
		       : format->join(queued->folder, scene->output.mesh_every, &queued->file);
}

static void free_mesh_file(void *data)
{
	struct queued_mesh *queued = data;
	if (queued)
		mesh_free(&queued->file.mesh);
	free(queued);
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
	struct queued_mesh *queued = calloc(1, sizeof(*queued));
	if (!queued)
		return message_memory(sizeof(*queued), "a mesh file");
	*queued = (struct queued_mesh){{files->scene, frame, {0}}, files->folder};
	char *path = NULL;
	if (!(current || surface_update(&files->surface)) ||
	    !surface_mesh(&files->surface, &queued->file.mesh) ||
	    !(path = numbered_file_path(files->folder, NUMBERED_MESHES + format, frame))) {
		free_mesh_file(queued);
		return false;
	}
	return file_queue_submit(files->queue,
				 &(struct file_job){path, queued, write_mesh_file, free_mesh_file});
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
