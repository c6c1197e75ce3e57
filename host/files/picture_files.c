#include "picture_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "file.h"
#include "image.h"
#include "render.h"

void picture_file_name(int frame, char name[PICTURE_NAME])
{
	snprintf(name, PICTURE_NAME, "frame_%06d.png", frame);
}

bool picture_output_init(struct picture_output *output, struct sim *sim)
{
	const struct scene *scene = sim->scene;
	if (!scene->output.png)
		return true;
	output->render = render_create(sim, scene->output.png_size, scene->output.png_view);
	return output->render != NULL;
}

bool picture_output_open(struct picture_output *output, const struct scene *scene,
			 const struct output *run)
{
	if (!scene->output.png)
		return true;
	output->directory = output_subdirectory(run, PICTURE_DIRECTORY);
	output->writer = output->directory ? image_writer_create() : NULL;
	return output->writer != NULL;
}

bool picture_output_frame(struct picture_output *output, struct sim *sim)
{
	struct image image = {0};
	char name[PICTURE_NAME];
	if (!output->writer || sim->frame % sim->scene->output.png_every != 0)
		return true;
	picture_file_name(sim->frame, name);
	char *path = file_join(output->directory, name);
	const bool ok = path && render_frame(output->render, sim, &image) &&
			image_writer_submit(output->writer, path, &image);
	image_finish(&image);
	free(path);
	return ok;
}

bool picture_output_wait(struct picture_output *output)
{
	return !output->writer || image_writer_wait(output->writer);
}

bool picture_output_close(struct picture_output *output)
{
	const bool ok = image_writer_finish(output->writer);
	output->writer = NULL;
	return ok;
}

void picture_output_release(struct picture_output *output)
{
	render_destroy(output->render);
	output->render = NULL;
}

void picture_output_finish(struct picture_output *output)
{
	picture_output_close(output);
	picture_output_release(output);
	free(output->directory);
	*output = (struct picture_output){0};
}
