/* Reads the particles of an OpenUSD stage as particles_usda.c writes it: no other layout. */
#include "particles_usda_read.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "usd/usd_particles.h"

#define LEAST_POINT 20 /* bytes that a particle takes at least */
#define SAMPLES ".timeSamples = {\n"

/* Goes over a text that ends with a zero. */
struct reading {
	const char *at;
	bool ok; /* all was as expected so far */
};

static bool begins(const struct reading *r, const char *text)
{
	return strncmp(r->at, text, strlen(text)) == 0;
}

static void expect(struct reading *r, const char *text)
{
	r->ok = r->ok && begins(r, text);
	if (r->ok)
		r->at += strlen(text);
}

static unsigned long take_integer(struct reading *r, unsigned long most)
{
	char *end = NULL;
	errno = 0;
	const unsigned long value =
		r->ok && isdigit((unsigned char)*r->at) ? strtoul(r->at, &end, 10) : 0;
	r->ok = r->ok && end && errno == 0 && value <= most;
	if (r->ok)
		r->at = end;
	return value;
}

static f32 take_float(struct reading *r)
{
	char *end = NULL;
	/* strtof() goes over blanks. */
	const f32 value = r->ok && !isspace((unsigned char)*r->at) ? strtof(r->at, &end) : 0.0f;
	r->ok = r->ok && end && end != r->at;
	if (r->ok)
		r->at = end;
	return value;
}

static void take_tuple(struct reading *r, f32 *values, size_t width)
{
	expect(r, width > 1 ? "(" : "");
	for (size_t c = 0; c < width && r->ok; c++) {
		expect(r, c > 0 ? ", " : "");
		values[c] = take_float(r);
	}
	expect(r, width > 1 ? ")" : "");
}

/* Is this array declared here, as one with samples?  Goes behind "FRAME: [". */
static bool take_declaration(struct reading *r, enum particle_attribute attribute, size_t n)
{
	char text[USDA_DECLARATION];
	struct reading ahead = *r;
	expect(&ahead, "    ");
	expect(&ahead, usda_declaration(attribute, n, text));
	expect(&ahead, SAMPLES);
	if (!ahead.ok)
		return false;
	expect(&ahead, "        ");
	take_integer(&ahead, UINT32_MAX);
	expect(&ahead, ": [");
	*r = ahead;
	return true;
}

static void take_array(struct reading *r, struct particle_snapshot *p,
		       enum particle_attribute attribute, size_t n)
{
	const size_t width = usda_width(attribute);
	const bool byte = attribute_rows[attribute].type == ATTRIBUTE_U8;
	uint8_t *bytes = p->values[attribute];
	u32 *words = p->values[attribute];
	for (size_t i = 0; i < p->count && r->ok; i++) {
		expect(r, i > 0 ? ", " : "");
		if (attribute_rows[attribute].type == ATTRIBUTE_F32) {
			take_tuple(r,
				   particle_values(p, attribute) + attribute_width(attribute) * i +
					   n * width,
				   width);
			continue;
		}
		const unsigned long value = take_integer(r, byte ? UINT8_MAX : UINT32_MAX);
		if (byte)
			bytes[i] = (uint8_t)value;
		else
			words[i] = (u32)value;
	}
	expect(r, "],\n    }\n");
}

/* How many particles: the file says it in its third line. */
static bool read_count(struct reading *r, size_t *count)
{
	expect(r, "#usda 1.0\n(\n    doc = \"freshet ");
	const size_t version = r->ok ? strspn(r->at, "0123456789.") : 0;
	r->at += version;
	expect(r, ": ");
	*count = take_integer(r, UINT32_MAX);
	expect(r, " particles of frame ");
	return r->ok;
}

/* Which attributes have samples: looked for as lines, whose beginning no text in quotes has. */
static u32 find_attributes(const char *text)
{
	u32 attributes = 0;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		char line[USDA_DECLARATION + 32] = "\n    ", declaration[USDA_DECLARATION];
		strcat(line, usda_declaration(a, 0, declaration));
		strcat(line, SAMPLES);
		if (attribute_rows[a].in_files && strstr(text, line))
			attributes |= ATTRIBUTE_BIT(a);
	}
	return attributes;
}

static bool has_needed(u32 attributes)
{
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (attribute_is_needed(a) && !(attributes & ATTRIBUTE_BIT(a)))
			return false;
	return true;
}

/* Goes to the first samples, which are those of positions, and takes all. */
static void take_arrays(struct reading *r, struct particle_snapshot *p)
{
	char text[USDA_DECLARATION + 32] = "\n    ", declaration[USDA_DECLARATION];
	strcat(text, usda_declaration(ATTRIBUTE_POSITION, 0, declaration));
	strcat(text, SAMPLES);
	const char *first = strstr(r->at, text);
	r->ok = r->ok && first;
	if (!r->ok)
		return;
	r->at = first + 1;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		for (size_t n = 0; n < usda_arrays(a) && p->values[a] && r->ok; n++) {
			r->ok = take_declaration(r, a, n);
			take_array(r, p, a, n);
		}
}

static enum read_result read_text(const char *bytes, size_t length, struct particle_snapshot *p)
{
	static const char end[] = "],\n    }\n}\n";
	struct reading r = {bytes, true};
	size_t count;
	if (!read_count(&r, &count))
		return READ_FOREIGN;
	const u32 attributes = find_attributes(r.at);
	if (count > length / LEAST_POINT || !has_needed(attributes) || length < sizeof(end) ||
	    strcmp(bytes + length - (sizeof(end) - 1), end) != 0)
		return READ_DAMAGED;
	if (!particle_snapshot_allocate(p, count, attributes))
		return READ_NO_MEMORY;
	take_arrays(&r, p);
	/* What is left are colours and the extent, which nobody here reads. */
	return r.ok ? READ_DONE : READ_DAMAGED;
}

enum read_result usda_read(char *bytes, size_t length, struct particle_snapshot *snapshot)
{
	*snapshot = (struct particle_snapshot){0};
	/* strtof() must take the point for the decimal mark, whatever the user's locale. */
	const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (c_locale == (locale_t)0)
		return READ_NO_MEMORY;
	const locale_t before = uselocale(c_locale);
	const enum read_result result = read_text(bytes, length, snapshot);
	uselocale(before);
	freelocale(c_locale);
	return result;
}
