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
/* What lines take on average, measured, up to the liquid and for the affine matrix: numbers of 9
 * digits, but for z in 2D; and a number of another attribute. */
#define POINT_BYTES(dim) ((dim) == 2 ? 63 : 84)
#define AFFINE_BYTES(dim) ((dim) == 2 ? 57 : 105)
#define NUMBER_BYTES 12
#define HEADER_BYTES 512
#define SPARE_BYTES 64 /* of a line, besides its numbers */

/* How an attribute is declared, but the names of liquids; position needs no words. */
#define WORDS 128
static const char *words_of(enum particle_attribute attribute, char words[WORDS])
{
	const struct attribute_row *row = &attribute_rows[attribute];
	const char *type = row->type != ATTRIBUTE_F32	    ? "int"
			   : row->shape == ATTRIBUTE_VECTOR ? "vector"
							    : "float";
	const size_t width = attribute_width(attribute);
	const char *name = attribute == ATTRIBUTE_VELOCITY ? "v" : row->name;
	if (attribute == ATTRIBUTE_LIQUID)
		type = "index";
	int length = snprintf(words, WORDS, "%s %zu %s", name, width, type);
	for (size_t n = 0; n < width && attribute != ATTRIBUTE_LIQUID; n++)
		length += snprintf(words + length, (size_t)(WORDS - length),
				   attribute == ATTRIBUTE_ID ? " -1" : " 0");
	return words;
}

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

static void write_attribute(struct file_stream *stream, const struct particle_file *file,
			    enum particle_attribute attribute)
{
	char words[WORDS];
	file_stream_text(stream, words_of(attribute, words));
	if (attribute == ATTRIBUTE_LIQUID) {
		snprintf(words, sizeof(words), " %zu", file->scene->liquid_count);
		file_stream_text(stream, words);
		for (size_t l = 0; l < file->scene->liquid_count; l++) {
			file_stream_text(stream, " ");
			write_quoted(stream, file->scene->liquids[l].name);
		}
	}
	file_stream_text(stream, "\n");
}

static void write_header(struct file_stream *stream, const struct particle_file *file)
{
	char line[256];
	int attributes = 0;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		attributes += a != ATTRIBUTE_POSITION && file->particles.values[a];
	snprintf(line, sizeof(line),
		 "PGEOMETRY V5\nNPoints %zu NPrims 0\nNPointGroups 0 NPrimGroups 0\n"
		 "NPointAttrib %d NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\nPointAttrib\n",
		 file->particles.count, attributes);
	file_stream_text(stream, line);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (a != ATTRIBUTE_POSITION && file->particles.values[a])
			write_attribute(stream, file, a);
}

/* Appends numbers with a space between them; returns the end. */
static char *put_numbers(char *at, const f32 *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
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

static char *put_values(char *at, const struct particle_snapshot *p,
			enum particle_attribute attribute, size_t i)
{
	const size_t width = attribute_width(attribute);
	const uint8_t *bytes = p->values[attribute];
	const u32 *words = p->values[attribute];
	if (attribute_rows[attribute].type == ATTRIBUTE_F32)
		return put_numbers(at, particle_values(p, attribute) + width * i, width);
	for (size_t n = width * i; n < width * (i + 1); n++)
		at += sprintf(at, n > width * i ? " %" PRIu32 : "%" PRIu32,
			      attribute_rows[attribute].type == ATTRIBUTE_U8 ? bytes[n] : words[n]);
	return at;
}

static size_t put_point(char *line, const struct particle_snapshot *p, size_t i)
{
	char *at = put_values(line, p, ATTRIBUTE_POSITION, i);
	const char *between = " 1 (";
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		if (a == ATTRIBUTE_POSITION || !p->values[a])
			continue;
		at += sprintf(at, "%s", between);
		at = put_values(at, p, a, i);
		between = "\t";
	}
	at += sprintf(at, ")\n");
	return (size_t)(at - line);
}

/* At most. */
static size_t line_bytes(const struct particle_snapshot *p)
{
	size_t numbers = 0;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		numbers += p->values[a] ? attribute_width(a) : 0;
	return numbers * (NUMBER_TEXT + 1) + SPARE_BYTES;
}

static int write_geo(const char *path, const struct particle_file *file)
{
	struct file_stream stream;
	file_stream_open(&stream, path);
	write_header(&stream, file);
	const size_t length = line_bytes(&file->particles);
	for (size_t i = 0; i < file->particles.count; i++) {
		char *line = file_stream_room(&stream, length);
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

/* Is the attribute declared here? */
static bool take_attribute(struct words *w, enum particle_attribute attribute)
{
	struct words ahead = *w;
	char words[WORDS];
	expect_all(&ahead, words_of(attribute, words));
	if (!ahead.ok)
		return false;
	*w = ahead;
	if (attribute == ATTRIBUTE_LIQUID) {
		const unsigned long liquids = take_integer(w);
		for (unsigned long l = 0; l < liquids && w->ok; l++)
			skip_quoted(w);
	}
	return true;
}

static bool read_header(struct words *w, size_t *count, u32 *attributes)
{
	expect_all(w, "PGEOMETRY V5 NPoints");
	*count = take_integer(w);
	expect_all(w, "NPrims 0 NPointGroups 0 NPrimGroups 0 NPointAttrib");
	unsigned long left = take_integer(w);
	expect_all(w, "NVertexAttrib 0 NPrimAttrib 0 NAttrib 0 PointAttrib");
	*attributes = ATTRIBUTE_BIT(ATTRIBUTE_POSITION);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		if (a == ATTRIBUTE_POSITION || !attribute_rows[a].in_files)
			continue;
		if (left > 0 && take_attribute(w, a)) {
			*attributes |= ATTRIBUTE_BIT(a);
			left--;
		} else if (attribute_is_needed(a)) {
			w->ok = false;
		}
	}
	return w->ok && left == 0;
}

static void take_values(struct words *w, struct particle_snapshot *p,
			enum particle_attribute attribute, size_t i)
{
	const size_t width = attribute_width(attribute);
	const bool byte = attribute_rows[attribute].type == ATTRIBUTE_U8;
	uint8_t *bytes = p->values[attribute];
	u32 *words = p->values[attribute];
	if (attribute_rows[attribute].type == ATTRIBUTE_F32) {
		take_floats(w, particle_values(p, attribute) + width * i, width);
		return;
	}
	for (size_t n = width * i; n < width * (i + 1) && w->ok; n++) {
		const unsigned long value = take_integer(w);
		w->ok = w->ok && value <= (byte ? UINT8_MAX : UINT32_MAX);
		if (byte)
			bytes[n] = (uint8_t)value;
		else
			words[n] = (u32)value;
	}
}

static void read_point(struct words *w, struct particle_snapshot *p, size_t i)
{
	take_values(w, p, ATTRIBUTE_POSITION, i);
	expect_all(w, "1 (");
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (a != ATTRIBUTE_POSITION && p->values[a])
			take_values(w, p, a, i);
	expect_word(w, ")");
}

static enum read_result read_text(const char *bytes, size_t length, struct particle_snapshot *p)
{
	struct words w = {bytes, true};
	size_t count;
	u32 attributes;
	if (!read_header(&w, &count, &attributes))
		return READ_FOREIGN;
	if (count > length / LEAST_POINT)
		return READ_DAMAGED;
	if (!particle_snapshot_allocate(p, count, attributes))
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
	const u32 attributes = particle_attributes_in_files(scene);
	size_t text = POINT_BYTES(scene->dim);
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if ((attributes & ATTRIBUTE_BIT(a)) && a > ATTRIBUTE_LIQUID)
			text += a == ATTRIBUTE_AFFINE ? AFFINE_BYTES(scene->dim)
						      : attribute_width(a) * NUMBER_BYTES;
	return HEADER_BYTES + particles * (double)text;
}

const struct particle_format particle_format_geo = {
	.write = write_geo,
	.read = read_geo,
	.bytes = geo_bytes,
};
