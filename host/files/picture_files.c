#include "picture_files.h"

#include <stdlib.h>

#include "file_queue.h"
#include "image.h"
#include "numbered_files.h"
#include "render.h"

bool picture_files_init(struct picture_files *files, struct subject subject, struct surface *shared)
{
	const struct scene *scene = subject.scene;
	if (!scene->output.png)
		return true;
	files->render =
		render_create(subject, scene->output.png_size, scene->output.png_view, shared);
	return files->render != NULL;
}

bool picture_files_open(struct picture_files *files, const struct scene *scene,
			struct run_directory *run)
{
	if (!scene->output.png)
		return true;
	files->every = scene->output.png_every;
	files->folder = run_directory_subdirectory(run, numbered_kinds[NUMBERED_PICTURES].folder);
	files->queue = files->folder ? file_queue_create() : NULL;
	return files->queue != NULL;
}

bool picture_files_write(struct picture_files *files, int frame)
{
	struct image image = {0};
	if (!files->queue || frame % files->every != 0)
		return true;
	char *path = numbered_file_path(files->folder, NUMBERED_PICTURES, frame);
	bool ok = path && render_frame(files->render, &image);
	if (ok)
		render_stamp(files->render, frame, &image);
	ok = ok && image_queue_png(files->queue, path, &image);
	image_finish(&image);
	free(path);
	return ok;
}

bool picture_files_wait(struct picture_files *files)
{
	return !files->queue || file_queue_wait(files->queue);
}

bool picture_files_close(struct picture_files *files)
{
	const bool ok = file_queue_finish(files->queue);
	files->queue = NULL;
	return ok;
}

void picture_files_release(struct picture_files *files)
{
	render_destroy(files->render);
	files->render = NULL;
}

void picture_files_finish(struct picture_files *files)
{
	picture_files_close(files);
	picture_files_release(files);
	free(files->folder);
	*files = (struct picture_files){0};
}
