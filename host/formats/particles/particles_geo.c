/* Particles as points of a Houdini geometry file: the classic ASCII format, version 5
 * (sidefx.com/docs/houdini/io/formats/geo.html). */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_stream.h"
#include "number.h"
#include "particle_formats.h"

#define LEAST_POINT 20 /* bytes that a point takes at least */
/* What lines take on average, measured: numbers of 9 digits, but for z in 2D. */
#define POINT_BYTES(dim) ((dim) == 2 ? 63 : 84)
#define AFFINE_BYTES(dim) ((dim) == 2 ? 57 : 105)
#define HEADER_BYTES 512
#define LINE_BYTES 768 /* 15 numbers of NUMBER_TEXT, and a little */

/* ---- writing ----------------------------------------------------------------------------- */

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

static int write_geo(const char *path, const struct particle_file *file)
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

/* ---- reading ----------------------------------------------------------------------------- */

/* Goes over the words of a text that ends with a zero.  Brackets are words of their own. */
struct words {
	const char *at;
	bool ok; /* all was as expected so far */
};

static void skip_space(struct words *w)
{
	while (isspace((unsigned char)*w->at))
		w->at++;
}

static void expect_word(struct words *w, const char *word)
{
	const size_t length = strlen(word);
	skip_space(w);
	const char next = strncmp(w->at, word, length) == 0 ? w->at[length] : 'x';
	w->ok = w->ok && strncmp(w->at, word, length) == 0 &&
		(next == '\0' || isspace((unsigned char)next) || strchr("()", word[0]) ||
		 strchr("()", next));
	if (w->ok)
		w->at += length;
}

/* Words with blanks between them. */
static void expect_all(struct words *w, const char *words)
{
	char word[32];
	while (*words) {
		const size_t length = strcspn(words, " ");
		memcpy(word, words, length);
		word[length] = '\0';
		expect_word(w, word);
		words += length + (words[length] == ' ');
	}
}

static unsigned long take_integer(struct words *w)
{
	char *end = NULL;
	skip_space(w);
	errno = 0;
	const unsigned long value = isdigit((unsigned char)*w->at) ? strtoul(w->at, &end, 10) : 0;
	w->ok = w->ok && end && errno == 0;
	if (w->ok)
		w->at = end;
	return value;
}

static void take_floats(struct words *w, f32 *values, size_t count)
{
	for (size_t i = 0; i < count && w->ok; i++) {
		char *end = NULL;
		skip_space(w);
		values[i] = strtof(w->at, &end);
		w->ok = end != w->at;
		w->at = end;
	}
}

/* A name in quotes, in which a backslash takes the next character as it is. */
static void skip_quoted(struct words *w)
{
	skip_space(w);
	w->ok = w->ok && *w->at == '"';
	if (!w->ok)
		return;
	for (w->at++; *w->at && *w->at != '"'; w->at++)
		if (*w->at == '\\' && w->at[1])
			w->at++;
	w->ok = *w->at == '"';
	w->at += w->ok;
}

static bool read_header(struct words *w, size_t *count, bool *affine)
{
	expect_all(w, "PGEOMETRY V5 NPoints");
	*count = take_integer(w);
	expect_all(w, "NPrims 0 NPointGroups 0 NPrimGroups 0 NPointAttrib");
	const unsigned long attributes = take_integer(w);
	*affine = attributes == 4;
	w->ok = w->ok && (attributes == 3 || attributes == 4);
	expect_all(w, "NVertexAttrib 0 NPrimAttrib 0 NAttrib 0 PointAttrib");
	expect_all(w, "v 3 vector 0 0 0 id 1 int -1 liquid 1 index");
	const unsigned long liquids = take_integer(w);
	for (unsigned long l = 0; l < liquids && w->ok; l++)
		skip_quoted(w);
	if (*affine)
		expect_all(w, "affine 9 float 0 0 0 0 0 0 0 0 0");
	return w->ok;
}

static void read_point(struct words *w, struct particle_snapshot *p, size_t i)
{
	take_floats(w, p->position + 3 * i, 3);
	expect_all(w, "1 (");
	take_floats(w, p->velocity + 3 * i, 3);
	const unsigned long id = take_integer(w), liquid = take_integer(w);
	w->ok = w->ok && id <= UINT32_MAX && liquid <= UINT8_MAX;
	p->id[i] = (u32)id;
	p->liquid[i] = (uint8_t)liquid;
	if (p->affine)
		take_floats(w, p->affine + 9 * i, 9);
	expect_word(w, ")");
}

static enum read_result read_text(const char *bytes, size_t length, struct particle_snapshot *p)
{
	struct words w = {bytes, true};
	size_t count;
	bool affine;
	if (!read_header(&w, &count, &affine))
		return READ_FOREIGN;
	if (count > length / LEAST_POINT)
		return READ_DAMAGED;
	if (!particle_snapshot_allocate(p, count, affine))
		return READ_NO_MEMORY;
	for (size_t i = 0; i < count && w.ok; i++)
		read_point(&w, p, i);
	expect_all(&w, "beginExtra endExtra");
	skip_space(&w);
	return w.ok && w.at == bytes + length ? READ_DONE : READ_DAMAGED;
}

static enum read_result read_geo(char *bytes, size_t length, struct particle_snapshot *p)
{
	*p = (struct particle_snapshot){0};
	/* strtof() must take the point for the decimal mark, whatever the user's locale. */
	const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (c_locale == (locale_t)0)
		return READ_NO_MEMORY;
	const locale_t before = uselocale(c_locale);
	const enum read_result result = read_text(bytes, length, p);
	uselocale(before);
	freelocale(c_locale);
	return result;
}

static double geo_bytes(const struct scene *scene, double particles)
{
	const bool affine = scene->transfer == TRANSFER_APIC;
	const double text = POINT_BYTES(scene->dim) + (affine ? AFFINE_BYTES(scene->dim) : 0);
	return HEADER_BYTES + particles * text;
}

const struct particle_format particle_format_geo = {
	.write = write_geo,
	.read = read_geo,
	.bytes = geo_bytes,
};
