/* The table of keys: its rows are whole, and what they say is what the reader does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "keys/scene_key.h"
#include "scene_fixture.h"
#include "scene_methods.h"

static size_t member_size(const struct scene_key *key)
{
	switch (key->kind == KEY_AS_LIQUID ? key->stored : key->kind) {
	case KEY_NUMBER:
		return sizeof(double);
	case KEY_WHOLE:
	case KEY_UNSIGNED:
	case KEY_WORD:
		return sizeof(int);
	case KEY_SWITCH:
		return sizeof(bool);
	case KEY_VECTOR:
		return sizeof(double[3]);
	case KEY_METHOD:
		return sizeof(char *);
	default:
		return 0;
	}
}

static void check_default(const struct scene_key *key, const char *title)
{
	const bool ranged = key->low < key->high || key->low > key->high;
	if (key->otherwise || key->kind == KEY_LIST)
		return;
	for (int i = 0; i < 3 && ranged; i++)
		if (key->initial_vector[i] < key->low || key->initial_vector[i] > key->high)
			if (key->kind == KEY_VECTOR)
				fail_msg("%s %s: default out of range", key->name, title);
	if (key->kind != KEY_NUMBER && key->kind != KEY_WHOLE && key->kind != KEY_UNSIGNED)
		return;
	if (!ranged || key->initial < key->low || key->initial > key->high ||
	    (key->other_when != KEY_ALWAYS && (key->other < key->low || key->other > key->high)))
		fail_msg("%s %s: default out of range", key->name, title);
}

static void check_words(const struct scene_key *key, const char *title)
{
	double count = 0;
	while (key->words && key->words[(size_t)count])
		count++;
	if (key->kind == KEY_WORD && !(key->initial < count))
		fail_msg("%s %s: the default is no word", key->name, title);
	for (const char *const *text =
		     (const char *const[]){key->type, key->unit, key->otherwise, key->says, ""};
	     !*text || **text; text++)
		if (*text && strpbrk(*text, "|\n"))
			fail_msg("%s %s: text that breaks a table", key->name, title);
	if (key->kind == KEY_OWN && !key->type && !key->words)
		fail_msg("%s %s: no type for the documentation", key->name, title);
}

static void check_methods(const struct scene_key *key, const char *title)
{
	bool found = false;
	for (size_t m = 0; m < scene_method_count; m++)
		found = found || scene_key_belongs(key, scene_methods[m].name);
	if (!found)
		fail_msg("%s %s belongs to no method", key->name, title);
}

static void check_row(const struct scene_section_keys *section, const struct scene_key *key)
{
	const size_t bytes = member_size(key);
	if (key->kind == KEY_NONE)
		fail_msg("%s %s has no kind", key->name, section->title);
	if (bytes > 0 && key->offset + bytes > section->size)
		fail_msg("%s %s lies outside its struct", key->name, section->title);
	for (const struct scene_key *other = section->keys; other != key; other++)
		assert_string_not_equal(other->name, key->name);
	if (key->kind == KEY_AS_LIQUID) {
		const struct scene_key *as = scene_key_find(SECTION_LIQUID, key->name);
		assert_non_null(as);
		if (!(key->flags & KEY_ONE_VALUE))
			assert_int_equal(key->stored, as->kind);
	}
	check_default(key, section->title);
	check_words(key, section->title);
	check_methods(key, section->title);
}

static void test_rows_are_whole(void **state)
{
	(void)state;
	bool held[SECTION_COUNT] = {false};
	held[SECTION_ROOT] = true;
	for (int s = SECTION_ROOT; s < SECTION_COUNT; s++) {
		const struct scene_section_keys *section = scene_sections[s];
		assert_non_null(section->title);
		assert_non_null(section->keys);
		size_t count = 0;
		for (const struct scene_key *key = section->keys; key->name; key++, count++) {
			check_row(section, key);
			held[key->inside] = true;
		}
		assert_in_range(count, 1, SECTION_KEYS_MOST);
	}
	for (int s = SECTION_ROOT; s < SECTION_COUNT; s++)
		if (!held[s])
			fail_msg("no key holds what is %s", scene_sections[s]->title);
}

/* ---- what the reader makes of them ------------------------------------------------------- */

/* A scene with `value` as the key of that path, "output.png.every". */
static void write_scene(const char *path, const char *value, char text[512])
{
	char part[200];
	int depth = 0;
	snprintf(text, 512, HEAD_3D);
	snprintf(part, sizeof(part), "%s", path);
	for (char *word = strtok(part, "."); word; word = strtok(NULL, "."), depth++)
		snprintf(text + strlen(text), 512 - strlen(text), "%s%s: ", depth ? "{" : "", word);
	snprintf(text + strlen(text), 512 - strlen(text), "%s", value);
	while (--depth > 0)
		strcat(text, "}");
	strcat(text, "\n");
}

static void refuse(const char *path, const char *value, const char *expected)
{
	char text[512], message[512];
	write_scene(path, value, text);
	struct scene *scene = read_text(text);
	if (scene)
		fail_msg("accepted:\n%s", text);
	snprintf(message, sizeof(message), "'%s' %s", path, expected);
	assert_message(text, message);
}

static void refuse_number(const char *path, const struct scene_key *key, double value)
{
	char written[40], expected[200];
	snprintf(written, sizeof(written), "%.15g", value);
	snprintf(expected, sizeof(expected), "is %s, out of range (allowed: %.10g to %.10g)",
		 written, key->low, key->high);
	refuse(path, written, expected);
}

static void refuse_wrong(const char *path, const struct scene_key *key)
{
	switch (key->kind) {
	case KEY_NUMBER:
	case KEY_WHOLE:
	case KEY_UNSIGNED:
		refuse_number(path, key, key->low - 1);
		refuse_number(path, key, key->high + 1);
		break;
	case KEY_SWITCH:
		refuse(path, "3", "must be true or false, not '3'");
		break;
	case KEY_WORD:
	case KEY_METHOD:
		refuse(path, "nonsense", "must be one of ");
		break;
	case KEY_VECTOR:
		refuse(path, "3", "must be a list of 3 numbers, not '3'");
		break;
	case KEY_PLANNED:
		refuse(path, "3", "is not supported yet");
		break;
	default:
		break;
	}
}

/* Of a section and of the mappings in it. */
static void refuse_all(enum scene_section section, const char *prefix)
{
	char path[200];
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++) {
		snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", key->name);
		refuse_wrong(path, key);
		if (key->kind == KEY_MAPPING)
			refuse_all(key->inside, path);
	}
}

static void test_every_row_is_read(void **state)
{
	(void)state;
	refuse_all(SECTION_ROOT, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_whole),
		cmocka_unit_test(test_every_row_is_read),
	};
	return cmocka_run_group_tests_name("scene keys", tests, fixture_enter, fixture_leave);
}
