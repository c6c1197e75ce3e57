/* Particles as vertices of a binary PLY file (Turk, "The PLY Polygon File Format", 1994). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_stream.h"
#include "number.h"
#include "particle_formats.h"

#define HEADER_BYTES 512

static bool is_big_endian(void)
{
	const uint16_t one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first == 0;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Readers expect a header in ASCII: other bytes are written as \xHH, '\' as two of it. */
static void write_name(struct file_stream *stream, const char *name)
{
	for (; *name; name++) {
		const unsigned byte = (unsigned char)*name;
		char text[8] = {*name, '\0'};
		if (byte == '\\')
			text[1] = '\\';
		else if (byte >= 0x80)
			snprintf(text, sizeof(text), "\\x%02x", byte);
		file_stream_text(stream, text);
	}
}

static void write_ply_header(struct file_stream *stream, const struct particle_file *file)
{
	static const char *const vectors[] = {"x", "y", "z", "vx", "vy", "vz"};
	char line[256], time[NUMBER_TEXT];
	snprintf(line, sizeof(line), "ply\nformat binary_%s_endian 1.0\ncomment frame %d\n",
		 is_big_endian() ? "big" : "little", file->frame);
	file_stream_text(stream, line);
	snprintf(line, sizeof(line), "comment time %s s\n", number_from_double(file->time, time));
	file_stream_text(stream, line);
	for (size_t l = 0; l < file->scene->liquid_count; l++) {
		snprintf(line, sizeof(line), "comment liquid %zu ", l);
		file_stream_text(stream, line);
		write_name(stream, file->scene->liquids[l].name);
		file_stream_text(stream, "\n");
	}
	snprintf(line, sizeof(line), "element vertex %zu\n", file->particles.count);
	file_stream_text(stream, line);
	for (int i = 0; i < 6; i++) {
		snprintf(line, sizeof(line), "property float %s\n", vectors[i]);
		file_stream_text(stream, line);
	}
	file_stream_text(stream, "property uint id\nproperty uchar liquid\n");
	for (int i = 0; i < 9 && file->particles.affine; i++) {
		snprintf(line, sizeof(line), "property float c%c%c\n", "xyz"[i / 3], "xyz"[i % 3]);
		file_stream_text(stream, line);
	}
	file_stream_text(stream, "end_header\n");
}

static int write_ply(const char *path, const struct particle_file *file)
{
	const struct particle_snapshot *p = &file->particles;
	struct file_stream stream;
	file_stream_open(&stream, path);
	write_ply_header(&stream, file);
	for (size_t i = 0; i < p->count; i++) {
		char *row = file_stream_room(&stream, PARTICLE_BYTES + PARTICLE_AFFINE_BYTES);
		if (!row)
			break;
		memcpy(row, p->position + 3 * i, 12);
		memcpy(row + 12, p->velocity + 3 * i, 12);
		memcpy(row + 24, p->id + i, 4);
		memcpy(row + 28, p->liquid + i, 1);
		if (p->affine)
			memcpy(row + 29, p->affine + 9 * i, 36);
		file_stream_advance(&stream,
				    PARTICLE_BYTES + (p->affine ? PARTICLE_AFFINE_BYTES : 0));
	}
	return file_stream_finish(&stream);
}

/* ---- reading ----------------------------------------------------------------------------- */

/* What follows the number of particles, line by line; the rest if there are affine matrices. */
static const char *const properties[] = {
	"property float x",   "property float y",   "property float z",	  "property float vx",
	"property float vy",  "property float vz",  "property uint id",	  "property uchar liquid",
	"property float cxx", "property float cxy", "property float cxz", "property float cyx",
	"property float cyy", "property float cyz", "property float czx", "property float czy",
	"property float czz",
};
#define AFFINE_PROPERTIES 9
#define PROPERTIES (sizeof(properties) / sizeof(properties[0]))

/* Ends the line at *at with a zero and goes to the next one; NULL at the end. */
static char *next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

struct header {
	bool big_endian, affine;
	size_t count;
};

static bool read_properties(char **at, struct header *header)
{
	const char *line;
	for (size_t i = 0; i < PROPERTIES; i++) {
		line = next_line(at);
		if (i == PROPERTIES - AFFINE_PROPERTIES && line && strcmp(line, "end_header") == 0)
			return true;
		if (!line || strcmp(line, properties[i]) != 0)
			return false;
	}
	header->affine = true;
	line = next_line(at);
	return line && strcmp(line, "end_header") == 0;
}

static bool read_ply_header(char **at, struct header *header)
{
	const char *line = next_line(at);
	if (!line || strcmp(line, "ply") != 0 || !(line = next_line(at)))
		return false;
	header->big_endian = strcmp(line, "format binary_big_endian 1.0") == 0;
	if (!header->big_endian && strcmp(line, "format binary_little_endian 1.0") != 0)
		return false;
	do
		line = next_line(at);
	while (line && strncmp(line, "comment ", 8) == 0);
	return line && sscanf(line, "element vertex %zu", &header->count) == 1 &&
	       read_properties(at, header);
}

/* Copies words of four bytes, in the order of the machine. */
static void take_words(void *to, const char *from, size_t words, bool swapped)
{
	char *out = to;
	for (size_t i = 0; i < 4 * words; i++)
		out[i] = from[swapped ? i ^ 3 : i];
}

static enum read_result read_ply(char *bytes, size_t length, struct particle_snapshot *p)
{
	struct header header = {0};
	char *at = bytes;
	*p = (struct particle_snapshot){0};
	if (!read_ply_header(&at, &header))
		return READ_FOREIGN;
	const size_t row = PARTICLE_BYTES + (header.affine ? PARTICLE_AFFINE_BYTES : 0);
	const size_t rest = length - (size_t)(at - bytes);
	if (rest % row != 0 || rest / row != header.count)
		return READ_DAMAGED;
	if (!particle_snapshot_allocate(p, header.count, header.affine))
		return READ_NO_MEMORY;
	const bool swapped = header.big_endian != is_big_endian();
	for (size_t i = 0; i < p->count; i++, at += row) {
		take_words(p->position + 3 * i, at, 3, swapped);
		take_words(p->velocity + 3 * i, at + 12, 3, swapped);
		take_words(p->id + i, at + 24, 1, swapped);
		p->liquid[i] = (uint8_t)at[28];
		if (p->affine)
			take_words(p->affine + 9 * i, at + 29, 9, swapped);
	}
	return READ_DONE;
}

static double ply_bytes(const struct scene *scene, double particles)
{
	const bool affine = scene->transfer == TRANSFER_APIC;
	return HEADER_BYTES + particles * (PARTICLE_BYTES + (affine ? PARTICLE_AFFINE_BYTES : 0));
}

const struct particle_format particle_format_ply = {
	.write = write_ply,
	.read = read_ply,
	.bytes = ply_bytes,
};
