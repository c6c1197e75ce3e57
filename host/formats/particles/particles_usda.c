/* Particles as points of an OpenUSD stage (openusd.org: UsdGeomPoints), as text. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "particle_formats.h"
#include "particles_usda_read.h"
#include "usd/usd_particles.h"
#include "usd/usd_stage.h"

#define HEADER_BYTES 1700
/* What a particle takes on average, measured: numbers of 9 digits, but for z in 2D; a row of a
 * matrix; another number. */
#define POINT_BYTES(dim) ((dim) == 2 ? 73 : 97)
#define ROW_BYTES(dim) ((dim) == 2 ? 22 : 43)
#define NUMBER_BYTES 14

/* Of the share of a cell that is a particle's. */
static double spacing(const struct scene *scene)
{
	return scene->h * pow(scene->particles_per_cell, -1.0 / scene->dim);
}

/* The names of liquids, and what does not change. */
static void write_constants(struct file_stream *stream, const struct scene *scene)
{
	usd_width(stream, spacing(scene));
	usd_colours(stream, scene, false);
	file_stream_text(stream, "    string[] primvars:liquidNames = [");
	for (size_t l = 0; l < scene->liquid_count; l++) {
		file_stream_text(stream, l > 0 ? ", " : "");
		usd_quoted(stream, scene->liquids[l].name);
	}
	file_stream_text(stream, "] (\n        interpolation = \"constant\"\n    )\n");
}

/* An attribute that is not one of USD's own says that each particle has a value. */
static void write_declarations(struct file_stream *stream, u32 attributes)
{
	char text[USDA_DECLARATION];
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		for (size_t n = 0; n < usda_arrays(a) && (attributes & ATTRIBUTE_BIT(a)); n++) {
			file_stream_text(stream, "    ");
			file_stream_text(stream, usda_declaration(a, n, text));
			file_stream_text(stream, a > ATTRIBUTE_ID ? " (\n        interpolation = "
								    "\"vertex\"\n    )\n"
								  : "\n");
		}
	file_stream_text(stream, "    int[] primvars:displayColor:indices\n");
}

static void write_values(struct file_stream *stream, const struct particle_file *file)
{
	const struct particle_snapshot *p = &file->particles;
	char text[USDA_DECLARATION];
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		for (size_t n = 0; n < usda_arrays(a) && p->values[a]; n++) {
			const size_t width = usda_width(a);
			usd_samples_begin(stream, usda_declaration(a, n, text), file->frame);
			if (attribute_rows[a].type == ATTRIBUTE_F32)
				usd_floats(stream, particle_values(p, a) + n * width, p->count,
					   width, attribute_width(a));
			else if (attribute_rows[a].type == ATTRIBUTE_U8)
				usd_bytes(stream, p->values[a], p->count);
			else
				usd_integers(stream, p->values[a], p->count);
			usd_samples_end(stream);
		}
	usd_samples_begin(stream, "int[] primvars:displayColor:indices", file->frame);
	usd_bytes(stream, particle_liquids(p), p->count);
	usd_samples_end(stream);
	usd_extent(stream, file->frame, particle_values(p, ATTRIBUTE_POSITION), p->count, 3,
		   (f32)(0.5 * spacing(file->scene)));
}

static int write_usda(const char *path, const struct particle_file *file)
{
	struct file_stream stream;
	char words[80];
	file_stream_open(&stream, path);
	snprintf(words, sizeof(words), "%zu particles of frame %d", file->particles.count,
		 file->frame);
	usd_header(&stream, file->scene, file->frame, file->frame, words);
	file_stream_text(&stream, "def Points \"liquid\"\n{\n");
	write_constants(&stream, file->scene);
	write_declarations(&stream, particle_snapshot_has(&file->particles));
	write_values(&stream, file);
	file_stream_text(&stream, "}\n");
	return file_stream_finish(&stream);
}

/* It is the same for every frame: clips are found by their names. */
static int join_usda(const char *folder, int every, const struct particle_file *file,
		     struct joined_frames *joined)
{
	(void)joined;
	if (!file)
		return 0;
	struct file_stream stream;
	char *path;
	if (!usd_joined(&stream, folder, "particles", &path))
		return ENOMEM;
	usd_clips(&stream, file->scene, "Points", "particles", every);
	write_constants(&stream, file->scene);
	write_declarations(&stream, particle_snapshot_has(&file->particles));
	file_stream_text(&stream, "    float3[] extent\n}\n");
	const int reason = file_stream_finish(&stream);
	free(path);
	return reason;
}

static double usda_bytes(const struct scene *scene, double particles)
{
	const u32 attributes = particle_attributes_in_files(scene);
	size_t text = POINT_BYTES(scene->dim);
	for (enum particle_attribute a = ATTRIBUTE_LIQUID + 1; a < ATTRIBUTE_COUNT; a++)
		if (attributes & ATTRIBUTE_BIT(a))
			text += a == ATTRIBUTE_AFFINE ? 3 * ROW_BYTES(scene->dim)
						      : attribute_width(a) * NUMBER_BYTES;
	return HEADER_BYTES + particles * (double)text;
}

const struct particle_format particle_format_usda = {
	.write = write_usda,
	.read = usda_read,
	.bytes = usda_bytes,
	.join = join_usda,
};
