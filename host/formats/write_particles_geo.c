/* Particles as points of a Houdini geometry file: the classic ASCII format, version 5
 * (sidefx.com/docs/houdini/io/formats/geo.html). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "file_stream.h"
#include "number.h"
#include "write_particles_formats.h"

#define LINE_BYTES 768 /* 15 numbers of NUMBER_TEXT, and a little */

/* A name in quotes, with '"' and '\' escaped. */
static void write_quoted(struct file_stream *stream, const char *text)
{
	file_stream_text(stream, "\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			file_stream_text(stream, "\\");
		file_stream_write(stream, text, 1);
	}
	file_stream_text(stream, "\"");
}

static void write_header(struct file_stream *stream, const struct particle_file *file)
{
	char line[256];
	const bool affine = file->particles.affine != NULL;
	snprintf(line, sizeof(line),
		 "PGEOMETRY V5\nNPoints %zu NPrims 0\nNPointGroups 0 NPrimGroups 0\n"
		 "NPointAttrib %d NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n"
		 "PointAttrib\nv 3 vector 0 0 0\nid 1 int -1\n",
		 file->particles.count, affine ? 4 : 3);
	file_stream_text(stream, line);
	snprintf(line, sizeof(line), "liquid 1 index %zu", file->scene->liquid_count);
	file_stream_text(stream, line);
	for (size_t l = 0; l < file->scene->liquid_count; l++) {
		file_stream_text(stream, " ");
		write_quoted(stream, file->scene->liquids[l].name);
	}
	file_stream_text(stream, "\n");
	if (affine)
		file_stream_text(stream, "affine 9 float 0 0 0 0 0 0 0 0 0\n");
}

/* Appends numbers with a space between them; returns the end. */
static char *put_numbers(char *at, const f32 *values, int count)
{
	for (int i = 0; i < count; i++) {
		char number[NUMBER_TEXT];
		number_from_float_fast((double)values[i], number);
		const size_t length = strlen(number);
		if (i > 0)
			*at++ = ' ';
		memcpy(at, number, length);
		at += length;
	}
	return at;
}

static size_t put_point(char *line, const struct particle_snapshot *p, size_t i)
{
	char *at = put_numbers(line, p->position + 3 * i, 3);
	at += sprintf(at, " 1 (");
	at = put_numbers(at, p->velocity + 3 * i, 3);
	at += sprintf(at, "\t%" PRIu32 "\t%u", p->id[i], (unsigned)p->liquid[i]);
	if (p->affine) {
		*at++ = '\t';
		at = put_numbers(at, p->affine + 9 * i, 9);
	}
	at += sprintf(at, ")\n");
	return (size_t)(at - line);
}

int write_particles_geo(const char *path, const struct particle_file *file)
{
	struct file_stream stream;
	file_stream_open(&stream, path);
	write_header(&stream, file);
	for (size_t i = 0; i < file->particles.count; i++) {
		char *line = file_stream_room(&stream, LINE_BYTES);
		if (!line)
			break;
		file_stream_advance(&stream, put_point(line, &file->particles, i));
	}
	file_stream_text(&stream, "beginExtra\nendExtra\n");
	return file_stream_finish(&stream);
}
