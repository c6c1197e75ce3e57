/* Particles as vertices of a binary PLY file (Turk, "The PLY Polygon File Format", 1994). */
#include <stdio.h>
#include <string.h>

#include "file_stream.h"
#include "number.h"
#include "write_particles_formats.h"

static const char *byte_order(void)
{
	const uint16_t one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first ? "little" : "big";
}

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

static void write_header(struct file_stream *stream, const struct particle_file *file)
{
	static const char *const vectors[] = {"x", "y", "z", "vx", "vy", "vz"};
	char line[256], time[NUMBER_TEXT];
	snprintf(line, sizeof(line), "ply\nformat binary_%s_endian 1.0\ncomment frame %d\n",
		 byte_order(), file->frame);
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

int write_particles_ply(const char *path, const struct particle_file *file)
{
	const struct particle_snapshot *p = &file->particles;
	struct file_stream stream;
	file_stream_open(&stream, path);
	write_header(&stream, file);
	for (size_t i = 0; i < p->count; i++) {
		char *row = file_stream_room(&stream, 65);
		if (!row)
			break;
		memcpy(row, p->position + 3 * i, 12);
		memcpy(row + 12, p->velocity + 3 * i, 12);
		memcpy(row + 24, p->id + i, 4);
		memcpy(row + 28, p->liquid + i, 1);
		if (p->affine)
			memcpy(row + 29, p->affine + 9 * i, 36);
		file_stream_advance(&stream, p->affine ? 65 : 29);
	}
	return file_stream_finish(&stream);
}
