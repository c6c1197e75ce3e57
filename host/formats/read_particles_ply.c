/* Particles from a binary PLY file, with the properties that write_particles_ply.c writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_particles_formats.h"

#define ROW_BYTES (12 + 12 + 4 + 1)
#define AFFINE_BYTES 36
#define AFFINE_PROPERTIES 9

/* What follows the number of particles, line by line; the rest if there are affine matrices. */
static const char *const properties[] = {
	"property float x",   "property float y",   "property float z",	  "property float vx",
	"property float vy",  "property float vz",  "property uint id",	  "property uchar liquid",
	"property float cxx", "property float cxy", "property float cxz", "property float cyx",
	"property float cyy", "property float cyz", "property float czx", "property float czy",
	"property float czz",
};
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

static bool read_header(char **at, struct header *header)
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

static bool is_big_endian(void)
{
	const uint16_t one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first == 0;
}

/* Copies words of four bytes, in the order of the machine. */
static void take_words(void *to, const char *from, size_t words, bool swapped)
{
	char *out = to;
	for (size_t i = 0; i < 4 * words; i++)
		out[i] = from[swapped ? i ^ 3 : i];
}

enum read_result read_particles_ply(char *bytes, size_t length, struct particle_snapshot *p)
{
	struct header header = {0};
	char *at = bytes;
	*p = (struct particle_snapshot){0};
	if (!read_header(&at, &header))
		return READ_FOREIGN;
	const size_t row = ROW_BYTES + (header.affine ? AFFINE_BYTES : 0);
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
