/*
 * The directory of a run and its files, without a device: names, locks, refusals, whole files,
 * numbers, JSON, command line options.
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "json_writer.h"
#include "number.h"
#include "options.h"
#include "output_support.h"
#include "run_directory.h"

static void test_names(void)
{
	static const struct {
		const char *name, *clean;
	} cases[] = {
		{"dam break 2d", "dam_break_2d"},
		{"a/b", "a_b"},
		{"x:y", "x_y"},
		{"..", "freshet_run"},
		{".", "freshet_run"},
		{"", "freshet_run"},
		{"../../etc", ".._.._etc"},
		{"\xe6\x97\xa5 1", "__1"},
		{"A-b_c.9", "A-b_c.9"},
		{"a\nb\\c", "a_b_c"},
	};
	char clean[RUN_DIRECTORY_NAME + 1];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_directory_clean_name(cases[i].name, clean);
		CHECK(strcmp(clean, cases[i].clean) == 0);
	}
	char name[301];
	memset(name, 'n', sizeof(name) - 1);
	name[300] = '\0';
	run_directory_clean_name(name, clean);
	CHECK(strlen(clean) == RUN_DIRECTORY_NAME);
}

static void test_directory(void)
{
	struct run_directory output;
	CHECK(run_directory_open(&output, in_scratch("a/b/c//"), false) == RUN_DIRECTORY_READY);
	CHECK(strcmp(output.path, in_scratch("a/b/c")) == 0);
	CHECK(exists(in_scratch("a/b/c/.lock")));
	run_directory_discard(&output);
	CHECK(!exists(in_scratch("a"))); /* all that was created is gone */

	/* with folders in it, but for those that were there and those that hold something */
	CHECK(mkdir(in_scratch("a"), 0777) == 0 && mkdir(in_scratch("a/frames"), 0777) == 0);
	CHECK(run_directory_open(&output, in_scratch("a"), false) == RUN_DIRECTORY_READY);
	static const char *const folders[] = {"frames", "mesh", "particles"};
	for (int i = 0; i < 3; i++) {
		char *folder = run_directory_subdirectory(&output, folders[i]);
		CHECK(folder && exists(folder));
		free(folder);
	}
	put(in_scratch("a/particles/mine"), "x");
	run_directory_discard(&output);
	CHECK(exists(in_scratch("a/frames")) && exists(in_scratch("a/particles/mine")));
	CHECK(!exists(in_scratch("a/mesh")));

	CHECK(mkdir(in_scratch("kept"), 0777) == 0);
	CHECK(run_directory_open(&output, in_scratch("kept/new"), false) == RUN_DIRECTORY_READY);
	put(in_scratch("kept/new/mine"), "x");
	run_directory_discard(&output);
	CHECK(exists(in_scratch("kept/new/mine")));
	CHECK(!exists(in_scratch("kept/new/.lock")));

	/* bad targets: path and reason are named, nothing is created */
	put(in_scratch("file"), "x");
	CHECK(run_directory_open(&output, in_scratch("file"), false) == RUN_DIRECTORY_FAILED);
	CHECK(strstr(message, in_scratch("file")) && strstr(message, "not a directory"));
	CHECK(run_directory_open(&output, in_scratch("file/x"), false) == RUN_DIRECTORY_FAILED);
	CHECK(strstr(message, in_scratch("file")) && strstr(message, "not a directory"));
	CHECK(run_directory_open(&output, "/dev/null/x", false) == RUN_DIRECTORY_FAILED);
	CHECK(strstr(message, "/dev/null"));
	char name[400];
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	CHECK(run_directory_open(&output, name, false) == RUN_DIRECTORY_FAILED);
	CHECK(strstr(message, strerror(ENAMETOOLONG)));
	CHECK(strcmp(get(in_scratch("file")), "x") == 0);
}

static void test_occupied(void)
{
	static const char *const marks[] = {"run.json",
					    "stats.csv",
					    "probes.csv",
					    "log.txt",
					    "frames/frame_000000.png",
					    "particles/particles_000000.ply",
					    "fields/fields_000010.vtkhdf",
					    "mesh/mesh_000001.ply",
					    "mesh/mesh_000001.obj",
					    "mesh/mesh_000002.ply.tmp",
					    "checkpoints/checkpoint_000024.h5",
					    "checkpoints/checkpoint_000024.h5.refused",
					    "checkpoints/.checkpoint_000024.h5.tmp",
					    "stats_before_frame_0000024.csv",
					    "probes_before_frame_000024.csv"};
	struct run_directory output;
	CHECK(mkdir(in_scratch("run"), 0777) == 0);
	CHECK(mkdir(in_scratch("run/frames"), 0777) == 0);
	CHECK(mkdir(in_scratch("run/checkpoints"), 0777) == 0);
	CHECK(mkdir(in_scratch("run/particles"), 0777) == 0);
	CHECK(mkdir(in_scratch("run/fields"), 0777) == 0);
	CHECK(mkdir(in_scratch("run/mesh"), 0777) == 0);
	put(in_scratch("run/frames/frame_1.png"), "x"); /* not a name of ours */
	put(in_scratch("run/frames/frame_000001.png.bak"), "x");
	put(in_scratch("run/notes.txt"), "x");
	CHECK(run_directory_open(&output, in_scratch("run"), false) == RUN_DIRECTORY_READY);
	run_directory_close(&output);
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		char path[600];
		snprintf(path, sizeof(path), "%s/run/%s", scratch, marks[i]);
		put(path, "old");
		CHECK(run_directory_open(&output, in_scratch("run"), false) ==
		      RUN_DIRECTORY_OCCUPIED);
		CHECK(strstr(message, "--overwrite"));
		CHECK(run_directory_open(&output, in_scratch("run"), true) == RUN_DIRECTORY_READY);
		CHECK(exists(path)); /* opening removes nothing */
		CHECK(run_directory_clear(&output, false));
		CHECK(!exists(path));
		run_directory_close(&output);
	}
	/* when --resume begins again it keeps what it refused */
	put(in_scratch("run/checkpoints/checkpoint_000003.h5"), "x");
	put(in_scratch("run/checkpoints/checkpoint_000004.h5.refused"), "x");
	CHECK(run_directory_open(&output, in_scratch("run"), true) == RUN_DIRECTORY_READY);
	CHECK(output.occupied && run_directory_clear(&output, true));
	CHECK(!exists(in_scratch("run/checkpoints/checkpoint_000003.h5")));
	CHECK(exists(in_scratch("run/checkpoints/checkpoint_000004.h5.refused")));
	CHECK(run_directory_check(&output));
	CHECK(rename(in_scratch("run"), in_scratch("moved")) == 0);
	CHECK(!run_directory_check(&output) && strstr(message, "removed or replaced"));
	CHECK(rename(in_scratch("moved"), in_scratch("run")) == 0);
	CHECK(run_directory_check(&output));
	run_directory_close(&output);
	CHECK(exists(in_scratch("run/frames/frame_1.png")));
	CHECK(exists(in_scratch("run/frames/frame_000001.png.bak")));
	CHECK(exists(in_scratch("run/notes.txt")));
	CHECK(!exists(in_scratch("run/.lock")));
}

/* Locks belong to processes, so the second run is one. */
static int open_in_child(const char *directory)
{
	pid_t child = fork();
	if (child == 0) {
		struct run_directory output;
		enum run_directory_result result = run_directory_open(&output, directory, true);
		bool told = strstr(message, "another run") != NULL;
		_exit((int)result + (told ? 10 : 0));
	}
	int status = -1;
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_lock(void)
{
	struct run_directory output;
	message[0] = '\0';
	CHECK(run_directory_open(&output, in_scratch("locked"), false) == RUN_DIRECTORY_READY);
	CHECK(open_in_child(in_scratch("locked")) == RUN_DIRECTORY_OCCUPIED + 10);
	CHECK(exists(in_scratch("locked/.lock"))); /* the refused one left it alone */
	run_directory_close(&output);
	CHECK(open_in_child(in_scratch("locked")) == RUN_DIRECTORY_READY);
	/* that child ended without a word: what it left behind is no obstacle */
	CHECK(exists(in_scratch("locked/.lock")));
	CHECK(run_directory_open(&output, in_scratch("locked"), false) == RUN_DIRECTORY_READY);
	run_directory_close(&output);
}

static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void test_whole_files(void)
{
	static char big[5000];
	memset(big, 'b', sizeof(big));
	CHECK(file_write_atomic(scratch, "whole", "first", 5));
	CHECK(strcmp(get(in_scratch("whole")), "first") == 0);

	limit_file_size(4096); /* stands for a full disk */
	CHECK(!file_write_atomic(scratch, "whole", big, sizeof(big)));
	CHECK(strstr(message, in_scratch("whole")) && strstr(message, strerror(EFBIG)));
	CHECK(!file_write_atomic(scratch, "never", big, sizeof(big)));
	limit_file_size(RLIM_INFINITY);
	CHECK(strcmp(get(in_scratch("whole")), "first") == 0);
	CHECK(!exists(in_scratch(".whole.tmp")) && !exists(in_scratch("never")));

	CHECK(!file_write_atomic(in_scratch("missing"), "file", "x", 1));
	CHECK(strstr(message, strerror(ENOENT)));
}

static void test_append(void)
{
	struct append_file file;
	CHECK(append_file_open(&file, scratch, "table"));
	append_file_print(&file, "%s\n", "one");
	CHECK(strcmp(get(in_scratch("table")), "") == 0);
	CHECK(append_file_flush(&file));
	CHECK(strcmp(get(in_scratch("table")), "one\n") == 0);
	limit_file_size(4096);
	for (int i = 0; i < 1000; i++)
		append_file_text(&file, "a line\n");
	CHECK(!append_file_flush(&file)); /* 7 kB: a part would fit */
	CHECK(strstr(message, in_scratch("table")) && strstr(message, strerror(EFBIG)));
	limit_file_size(RLIM_INFINITY);
	CHECK(strcmp(get(in_scratch("table")), "one\n") == 0);
	append_file_text(&file, "late\n");
	CHECK(!append_file_close(&file)); /* a file that failed stays failed */
	CHECK(strcmp(get(in_scratch("table")), "one\n") == 0);
}

static void test_reopen(void)
{
	struct append_file file;
	put(in_scratch("grown"), "one\ntwo\nthree\n");
	CHECK(append_file_reopen(&file, scratch, "grown", 8));
	CHECK(strcmp(get(in_scratch("grown")), "one\ntwo\n") == 0);
	append_file_text(&file, "3\n");
	CHECK(append_file_sync(&file) && file.written == 10);
	CHECK(strcmp(get(in_scratch("grown")), "one\ntwo\n3\n") == 0);
	CHECK(append_file_close(&file));
	CHECK(append_file_open(&file, scratch, "grown")); /* new: emptied */
	CHECK(append_file_close(&file));
	CHECK(strcmp(get(in_scratch("grown")), "") == 0);
}

static void test_write_fault(void)
{
	CHECK(file_write_atomic(scratch, "safe", "old", 3));
	/* create, write, sync, rename: calls are counted while the variable is set */
	for (int call = 1, counted = 0; call <= 5; counted += call++) {
		char fault[32];
		snprintf(fault, sizeof(fault), "write:%d", counted + call);
		CHECK(setenv("FRESHET_FAULT", fault, 1) == 0);
		CHECK(file_write_atomic(scratch, "safe", "new", 3) == (call > 4));
		CHECK(unsetenv("FRESHET_FAULT") == 0);
		CHECK(call > 4 || strstr(message, strerror(ENOSPC)));
		CHECK(strcmp(get(in_scratch("safe")), call > 4 ? "new" : "old") == 0);
		CHECK(!exists(in_scratch(".safe.tmp")));
	}
}

static void test_numbers(void)
{
	static const double values[] = {0.0,	    -0.0,      1.0 / 3.0, 0.1,
					1e300,	    5e-324,    4.0 / 24,  2.718281828459045,
					-123456789, 1e15 + 0.3};
	char text[NUMBER_TEXT];
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		double back = strtod(number_from_double(values[i], text), NULL);
		CHECK(memcmp(&back, &values[i], sizeof(back)) == 0);
		float single = (float)values[i];
		float single_back = strtof(number_from_float((double)single, text), NULL);
		CHECK(memcmp(&single_back, &single, sizeof(single)) == 0);
		CHECK(strlen(text) <= 15);
	}
	CHECK(strcmp(number_from_double(0.1, text), "0.1") == 0);
	CHECK(strcmp(number_from_float((double)0.1f, text), "0.1") == 0);
	static const char *const decimals[] = {"0", "-45.9", "0.0005366", "11239.0", ".5", "3."};
	static const char *const others[] = {
		"", "-", ".", "1e5", "1,5", " 1", "1 ", "+1", "1.2.3", "nan", "1234567890123456"};
	double read;
	for (size_t n = 0; n < sizeof(decimals) / sizeof(decimals[0]); n++)
		CHECK(number_read(decimals[n], &read) && !(read < strtod(decimals[n], NULL)) &&
		      !(read > strtod(decimals[n], NULL)));
	for (size_t n = 0; n < sizeof(others) / sizeof(others[0]); n++)
		CHECK(!number_read(others[n], &read));
	CHECK(strcmp(number_from_double((double)NAN, text), "nan") == 0);
	CHECK(strcmp(number_from_double(-(double)INFINITY, text), "-inf") == 0);
}

/* In a locale with a decimal comma, which is made here where the system has its sources. */
static void test_locale(void)
{
	char command[2 * TEMPORARY_PATH + 128];
	snprintf(command, sizeof(command),
		 "mkdir %s/locale && localedef -i de_DE -f UTF-8 %s/locale/de_DE.UTF-8 "
		 ">/dev/null 2>&1",
		 scratch, scratch);
	bool made = system(command) == 0 && setenv("LOCPATH", in_scratch("locale"), 1) == 0;
	if (made && setlocale(LC_ALL, "de_DE.UTF-8")) {
		char text[NUMBER_TEXT];
		CHECK(localeconv()->decimal_point[0] == ',');
		CHECK(strcmp(number_from_double(-0.0625, text), "-0.0625") == 0);
		CHECK(strcmp(number_from_float(1e-30, text), "1e-30") == 0);
		CHECK(strcmp(number_from_double(2.5e10 + 0.5, text), "25000000000.5") == 0);
	} else {
		printf("skipped: no locale with a decimal comma here\n");
	}
	setlocale(LC_ALL, "C");
}

static void test_json(void)
{
	struct json_writer json = {0};
	json_begin_object(&json, NULL);
	json_string(&json, "a\"b", "\\ \n \x01 \xc3\xbc \xff \xed\xa0\x80");
	json_begin_array(&json, "list");
	json_number(&json, NULL, 0.1);
	json_number(&json, NULL, (double)NAN);
	json_integer(&json, NULL, INT64_MIN);
	json_boolean(&json, NULL, true);
	json_string(&json, NULL, NULL);
	json_raw(&json, NULL, "{}");
	json_end_array(&json);
	json_begin_object(&json, "empty");
	json_end_object(&json);
	json_end_object(&json);
	size_t length;
	char *text = json_take(&json, &length);
	CHECK(text != NULL);
	/* RFC 8259: control characters and '"' and '\' are escaped; malformed bytes replaced */
	CHECK(text && strcmp(text, "{\n"
				   "  \"a\\\"b\": \"\\\\ \\u000a \\u0001 \xc3\xbc \\ufffd "
				   "\\ufffd\\ufffd\\ufffd\",\n"
				   "  \"list\": [\n"
				   "    0.1,\n"
				   "    null,\n"
				   "    -9223372036854775808,\n"
				   "    true,\n"
				   "    null,\n"
				   "    {}\n"
				   "  ],\n"
				   "  \"empty\": {}\n"
				   "}\n") == 0);
	CHECK(text && strlen(text) == length);
	free(text);
}

static void test_options(void)
{
	static const struct option options[] = {
		{"output", 'o', "DIR", ""},
		{"quiet", 'q', NULL, ""},
		{"verbose", 'v', NULL, ""},
		{NULL, 0, NULL, NULL},
	};
	char output[] = "--output=a=b", scene[] = "scene", cluster[] = "-qvod", letter[] = "-o",
	     value[] = "e", end[] = "--", dashed[] = "--quiet";
	char *arguments[] = {output, scene, cluster, letter, value, end, dashed, NULL};
	static const struct {
		int option;
		const char *value;
	} expected[] = {
		{0, "a=b"}, {OPTION_OPERAND, "scene"},	 {1, NULL},	    {2, NULL}, {0, "d"},
		{0, "e"},   {OPTION_OPERAND, "--quiet"}, {OPTION_END, NULL}};
	struct option_reader reader = {.options = options, .arguments = arguments};
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const char *got;
		CHECK(options_next(&reader, &got) == expected[i].option);
		CHECK(got == expected[i].value ||
		      (got && expected[i].value && strcmp(got, expected[i].value) == 0));
	}
	static const struct {
		const char *argument, *told;
	} wrong[] = {{"--quite", "'--quiet'"},
		     {"--quiet=1", "no value"},
		     {"--output", "DIR"},
		     {"-o", "DIR"},
		     {"-x", "'-x'"}};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char word[32];
		const char *got;
		snprintf(word, sizeof(word), "%s", wrong[i].argument);
		char *list[] = {word, NULL};
		reader = (struct option_reader){.options = options, .arguments = list};
		CHECK(options_next(&reader, &got) == OPTION_WRONG);
		CHECK(strstr(message, wrong[i].told) != NULL);
	}
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	if (!start_scratch())
		return 1;
	test_names();
	test_directory();
	test_occupied();
	test_lock();
	test_whole_files();
	test_append();
	test_reopen();
	test_write_fault();
	test_numbers();
	test_locale();
	test_json();
	test_options();
	return end_tests();
}
