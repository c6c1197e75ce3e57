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

/* ---- properties -------------------------------------------------------------------------- */

/* What stands before x, y, z: axes of a vector, component and axis of a matrix. */
static const char *prefix_of(enum particle_attribute attribute)
{
	static const char *const prefixes[ATTRIBUTE_COUNT] = {
		[ATTRIBUTE_POSITION] = "", [ATTRIBUTE_VELOCITY] = "v", [ATTRIBUTE_AFFINE] = "c"};
	return prefixes[attribute] ? prefixes[attribute] : attribute_rows[attribute].name;
}

/* The line of the header for number `n` of an attribute. */
#define PROPERTY 64
static const char *property_of(enum particle_attribute attribute, size_t n, char text[PROPERTY])
{
	static const char *const types[] = {
		[ATTRIBUTE_F32] = "float", [ATTRIBUTE_U32] = "uint", [ATTRIBUTE_U8] = "uchar"};
	const char *type = types[attribute_rows[attribute].type], *prefix = prefix_of(attribute);
	switch (attribute_rows[attribute].shape) {
	case ATTRIBUTE_PARTICLE:
		snprintf(text, PROPERTY, "property %s %s", type, attribute_rows[attribute].name);
		break;
	case ATTRIBUTE_VECTOR:
		snprintf(text, PROPERTY, "property %s %s%c", type, prefix, "xyz"[n]);
		break;
	case ATTRIBUTE_MATRIX:
		snprintf(text, PROPERTY, "property %s %s%c%c", type, prefix, "xyz"[n / 3],
			 "xyz"[n % 3]);
		break;
	}
	return text;
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
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		for (size_t n = 0; n < attribute_width(a) && file->particles.values[a]; n++) {
			char property[PROPERTY];
			file_stream_text(stream, property_of(a, n, property));
			file_stream_text(stream, "\n");
		}
	file_stream_text(stream, "end_header\n");
}

/* Where particle i has its values of an attribute, and how long they are. */
static char *values_at(const struct particle_snapshot *p, enum particle_attribute attribute,
		       size_t i, size_t *bytes)
{
	*bytes = attribute_width(attribute) * attribute_rows[attribute].size;
	return (char *)p->values[attribute] + i * *bytes;
}

static void put_particle(char *row, const struct particle_snapshot *p, size_t i)
{
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		size_t bytes;
		if (!p->values[a])
			continue;
		const char *values = values_at(p, a, i, &bytes);
		memcpy(row, values, bytes);
		row += bytes;
	}
}

static int write_ply(const char *path, const struct particle_file *file)
{
	const struct particle_snapshot *p = &file->particles;
	const size_t length = attribute_bytes(particle_snapshot_has(p));
	struct file_stream stream;
	file_stream_open(&stream, path);
	write_ply_header(&stream, file);
	for (size_t i = 0; i < p->count; i++) {
		char *row = file_stream_room(&stream, length);
		if (!row)
			break;
		put_particle(row, p, i);
		file_stream_advance(&stream, length);
	}
	return file_stream_finish(&stream);
}

/* ---- reading ----------------------------------------------------------------------------- */

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
	bool big_endian;
	u32 attributes; /* bits */
	size_t count;
};

/* The lines of an attribute, of which *line is the first; *line becomes the one behind them. */
static bool read_attribute(char **at, enum particle_attribute attribute, const char **line)
{
	char property[PROPERTY];
	for (size_t n = 0; n < attribute_width(attribute); n++, *line = next_line(at))
		if (!*line || strcmp(*line, property_of(attribute, n, property)) != 0)
			return false;
	return true;
}

static bool read_properties(char **at, struct header *header)
{
	char property[PROPERTY];
	const char *line = next_line(at);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		if (!attribute_is_needed(a) &&
		    (!line || strcmp(line, property_of(a, 0, property)) != 0))
			continue;
		if (!read_attribute(at, a, &line))
			return false;
		header->attributes |= ATTRIBUTE_BIT(a);
	}
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

static void take_values(char *to, const char *from, size_t bytes, size_t size, bool swapped)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = from[swapped ? i ^ (size - 1) : i];
}

static void take_particle(struct particle_snapshot *p, size_t i, const char *row, bool swapped)
{
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		size_t bytes;
		if (!p->values[a])
			continue;
		char *values = values_at(p, a, i, &bytes);
		take_values(values, row, bytes, attribute_rows[a].size, swapped);
		row += bytes;
	}
}

static enum read_result read_ply(char *bytes, size_t length, struct particle_snapshot *p)
{
	struct header header = {0};
	char *at = bytes;
	*p = (struct particle_snapshot){0};
	if (!read_ply_header(&at, &header))
		return READ_FOREIGN;
	const size_t row = attribute_bytes(header.attributes);
	const size_t rest = length - (size_t)(at - bytes);
	if (rest % row != 0 || rest / row != header.count)
		return READ_DAMAGED;
	if (!particle_snapshot_allocate(p, header.count, header.attributes))
		return READ_NO_MEMORY;
	const bool swapped = header.big_endian != is_big_endian();
	for (size_t i = 0; i < p->count; i++, at += row)
		take_particle(p, i, at, swapped);
	return READ_DONE;
}

static double ply_bytes(const struct scene *scene, double particles)
{
	return HEADER_BYTES +
	       particles * (double)attribute_bytes(particle_attributes_in_files(scene));
}

const struct particle_format particle_format_ply = {
	.write = write_ply,
	.read = read_ply,
	.bytes = ply_bytes,
};
