/* Particles from a Houdini geometry file (classic ASCII, version 5) as write_particles_geo.c writes
 * it. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "read_particles_formats.h"

#define LEAST_POINT 20 /* bytes that a point takes at least */

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

enum read_result read_particles_geo(char *bytes, size_t length, struct particle_snapshot *p)
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
