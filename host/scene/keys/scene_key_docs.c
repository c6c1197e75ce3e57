/* The rows as tables in Markdown, which docs/scene.md has. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "scene_key.h"
#include "scene_methods.h"

enum column { COLUMN_KEY, COLUMN_TYPE, COLUMN_UNIT, COLUMN_DEFAULT, COLUMN_RANGE, COLUMN_MEANING };
#define COLUMNS 6
#define CELL_BYTES 1000

static const char *const headings[COLUMNS] = {"key", "type", "unit", "default", "range", "meaning"};

/* Appends to what a cell holds. */
MESSAGE_PRINTF(2, 3) static void append(char cell[CELL_BYTES], const char *format, ...)
{
	const size_t used = strlen(cell);
	va_list args;
	va_start(args, format);
	vsnprintf(cell + used, CELL_BYTES - used, format, args);
	va_end(args);
}

/* "; " between two things that a cell says. */
static void separate(char cell[CELL_BYTES])
{
	append(cell, "%s", cell[0] ? "; " : "");
}

/* Is it 1/n, and longer in decimals? */
static bool is_part_of_one(double value, double *n)
{
	char decimals[32];
	*n = nearbyint(1.0 / value);
	return 1.0 / *n == value && snprintf(decimals, sizeof(decimals), "%.15g", value) > 10;
}

/* As people write it: 1e-5, 1/60, and no exponent for a whole number. */
static void append_number(char cell[CELL_BYTES], const struct scene_key *key, double value)
{
	char number[NUMBER_TEXT];
	double n;
	if (value > 0 && value < 1 && is_part_of_one(value, &n)) {
		append(cell, "1/%.0f", n);
		return;
	}
	number_from_double(value, number);
	const size_t mantissa = strcspn(number, "e");
	if (!number[mantissa] || key->kind == KEY_WHOLE) {
		append(cell, "%.15g", value);
		return;
	}
	const char *exponent = number + mantissa + 1;
	append(cell, "%.*se%s", (int)mantissa, number, *exponent == '-' ? "-" : "");
	append(cell, "%s", exponent + strspn(exponent, "+-0"));
}

static void append_word(char cell[CELL_BYTES], const char *word)
{
	append(cell, "%s`%s`", cell[0] ? ", " : "", word);
}

static void append_names(char cell[CELL_BYTES], enum scene_section section)
{
	char names[CELL_BYTES] = "";
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++)
		append_word(names, key->name);
	append(cell, "mapping of %s", names);
}

static void append_list(char cell[CELL_BYTES], const char *const *words)
{
	char names[CELL_BYTES] = "";
	for (; *words; words++)
		append_word(names, *words);
	append(cell, "list of %s", names);
}

static void append_type(char cell[CELL_BYTES], const struct scene_key *key)
{
	static const char *const types[] = {
		[KEY_NUMBER] = "number",
		[KEY_WHOLE] = "whole number",
		[KEY_UNSIGNED] = "whole number",
		[KEY_SWITCH] = "true, false",
		[KEY_VECTOR] = "vector",
		[KEY_MAPPING] = "mapping",
		[KEY_LIST] = "list",
		[KEY_AS_LIQUID] = "as in `liquid`",
		[KEY_PLANNED] = "",
	};
	if (key->type)
		append(cell, "%s", key->type);
	else if (key->kind == KEY_METHOD)
		for (size_t m = 0; m < scene_method_count; m++)
			append_word(cell, scene_methods[m].name);
	else if (key->kind == KEY_LIST && key->words)
		append_list(cell, key->words);
	else if (key->words)
		for (const char *const *word = key->words; *word; word++) {
			const bool planned = **word == '!';
			append_word(cell, *word + planned);
			append(cell, planned ? " ✗" : "");
		}
	else if (key->kind == KEY_MAPPING && scene_sections[key->inside]->place == PLACE_TYPE)
		append_names(cell, key->inside);
	else
		append(cell, "%s", types[key->kind]);
}

static void append_vector(char cell[CELL_BYTES], const struct scene_key *key)
{
	const double *vector = key->initial_vector;
	append(cell, "[");
	for (int i = 0; i < 3; i++) {
		append(cell, "%s", i ? ", " : "");
		append_number(cell, key, vector[i]);
	}
	append(cell, "]");
}

static void append_value(char cell[CELL_BYTES], const struct scene_key *key, double value)
{
	if (key->kind == KEY_SWITCH)
		append(cell, value > 0 ? "true" : "false");
	else
		append_number(cell, key, value);
}

static void append_presets(char cell[CELL_BYTES], const struct scene_key *key)
{
	const char *const *words = scene_key(SECTION_SOLVER, "preset")->words;
	for (int preset = PRESET_STANDARD + 1; key->flags & KEY_PRESETS && preset < PRESETS;
	     preset++) {
		append(cell, ", ");
		append_value(cell, key, key->presets[preset]);
		append(cell, " (`%s`)", words[preset]);
	}
}

static void append_other(char cell[CELL_BYTES], const struct scene_key *key)
{
	if (key->other_when == KEY_ALWAYS)
		return;
	static const char *const cases[] = {
		[KEY_ALWAYS] = "",
		[KEY_IN_3D] = "3D",
		[KEY_WITH_MULTIGRID] = "`multigrid`",
		[KEY_WITH_GRID] = "`grid`",
		[KEY_WITH_VOF] = "`grid` with `vof`",
	};
	append(cell, key->other_when == KEY_IN_3D ? " (2D), " : ", ");
	append_number(cell, key, key->other);
	append(cell, " (%s)", cases[key->other_when]);
}

static void append_numbers(char cell[CELL_BYTES], const struct scene_key *key)
{
	append_number(cell, key, key->initial);
	append_presets(cell, key);
	append_other(cell, key);
	if (key->has_sph) {
		append(cell, ", ");
		append_value(cell, key, key->with_sph);
		append(cell, " (`sph`)");
	}
}

static void append_switch(char cell[CELL_BYTES], const struct scene_key *key)
{
	append_value(cell, key, key->initial);
	append_presets(cell, key);
}

static void append_default(char cell[CELL_BYTES], const struct scene_key *key)
{
	const double *vector = key->initial_vector;
	const bool has_vector = vector[0] < 0 || vector[0] > 0 || vector[1] < 0 || vector[1] > 0 ||
				vector[2] < 0 || vector[2] > 0;
	if (key->otherwise)
		append(cell, "%s", key->otherwise);
	else if (key->kind == KEY_AS_LIQUID)
		append(cell, "that of `liquid`");
	else if (key->kind == KEY_METHOD)
		append_word(cell, scene_methods[0].name);
	else if (key->kind == KEY_SWITCH)
		append_switch(cell, key);
	else if (key->words)
		append_word(cell, key->words[(size_t)key->initial]);
	else if (has_vector || key->kind == KEY_VECTOR)
		append_vector(cell, key);
	else if (scene_key_is_plain(key) || key->initial > 0)
		append_numbers(cell, key);
}

static void append_range(char cell[CELL_BYTES], const struct scene_key *key)
{
	if (!(key->low < key->high))
		return;
	if (key->kind == KEY_LIST) {
		append(cell, "at most %.0f", key->high);
		return;
	}
	if (key->low + key->high < 0 || key->low + key->high > 0) {
		append_number(cell, key, key->low);
		append(cell, " to ");
	} else {
		append(cell, "±");
	}
	append_number(cell, key, key->high);
}

static void append_users(char cell[CELL_BYTES], const struct scene_key *key)
{
	char users[CELL_BYTES] = "";
	const char *const *names = scene_key(SECTION_SOLVER, "pressure")->words;
	for (unsigned n = 0; names[n]; n++)
		if (key->solvers & 1u << n)
			append_word(users, names[n]);
	separate(cell);
	append(cell, "read by %s", users);
}

/* "flip, sph", each as a word. */
static void append_methods(char cell[CELL_BYTES], const char *methods)
{
	for (const char *at = methods; *at; at += strspn(at, ", ")) {
		const size_t length = strcspn(at, ", ");
		append(cell, "%s`%.*s`", at == methods ? "" : ", ", (int)length, at);
		at += length;
	}
}

static void append_meaning(char cell[CELL_BYTES], const struct scene_key *key)
{
	const char *of_section = scene_sections[key->inside]->says;
	append(cell, "%s", key->says ? key->says : of_section ? of_section : "");
	if (key->kind == KEY_PLANNED)
		append(cell, "✗ not supported yet");
	if (key->flags & KEY_ONE_VALUE)
		append(cell, "must equal that of `liquid` ✗");
	if (key->solvers)
		append_users(cell, key);
	for (size_t m = 0; key->kind == KEY_METHOD && m < scene_method_count; m++) {
		separate(cell);
		append(cell, "`%s`: %s", scene_methods[m].name, scene_methods[m].says);
	}
	if (key->not_yet) {
		separate(cell);
		append(cell, "✗ not supported with method ");
		append_methods(cell, key->not_yet);
		append(cell, " yet");
	}
	if (key->surfaces) {
		const char *const *names = scene_key(SECTION_GRID, "surface")->words;
		char those[CELL_BYTES] = "";
		for (unsigned n = 0; names[n]; n++)
			if (key->surfaces >> n & 1)
				append_word(those, names[n]);
		separate(cell);
		append(cell, "only with surface %s", those);
	} else if (key->methods) {
		separate(cell);
		append(cell, "only with method ");
		append_methods(cell, key->methods);
	}
}

static void fill_cell(char cell[CELL_BYTES], const struct scene_key *key, const char *prefix,
		      enum column column)
{
	cell[0] = '\0';
	switch (column) {
	case COLUMN_KEY:
		append(cell, "`%s%s`", prefix, key->name);
		break;
	case COLUMN_TYPE:
		append_type(cell, key);
		break;
	case COLUMN_UNIT:
		append(cell, "%s", key->unit ? key->unit : "");
		break;
	case COLUMN_DEFAULT:
		append_default(cell, key);
		break;
	case COLUMN_RANGE:
		append_range(cell, key);
		break;
	case COLUMN_MEANING:
		append_meaning(cell, key);
		break;
	}
}

/* Visits the rows of a table: marks the columns that have text, or prints them. */
static void visit_rows(enum scene_section section, const char *prefix, bool used[COLUMNS],
		       bool print)
{
	char cell[CELL_BYTES], inner[CELL_BYTES];
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++) {
		if (key->flags & KEY_SHAPE && section != SECTION_SHAPE)
			continue;
		for (int c = 0; c < COLUMNS; c++) {
			fill_cell(cell, key, prefix, (enum column)c);
			used[c] = used[c] || cell[0];
			if (print && used[c])
				printf("| %s%s", cell, cell[0] ? " " : "");
		}
		if (print)
			printf("|\n");
		if (scene_sections[key->inside]->place != PLACE_PARENT)
			continue;
		snprintf(inner, sizeof(inner), "%.400s%s.", prefix, key->name);
		visit_rows(key->inside, inner, used, print);
	}
}

void scene_keys_print(void)
{
	for (int s = 0; s < SECTION_COUNT; s++) {
		const enum scene_section section = (enum scene_section)s;
		bool used[COLUMNS] = {false};
		if (section == SECTION_NONE || scene_sections[section]->place != PLACE_TABLE)
			continue;
		visit_rows(section, "", used, false);
		printf("<!-- keys %s -->\n", scene_sections[section]->title);
		for (int c = 0; c < COLUMNS; c++)
			if (used[c])
				printf("| %s ", headings[c]);
		printf("|\n");
		for (int c = 0; c < COLUMNS; c++)
			if (used[c])
				printf("|---");
		printf("|\n");
		visit_rows(section, "", used, true);
		printf("\n");
	}
}
