#include "page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"
#include "file.h"
#include "file_read.h"
#include "json_writer.h"
#include "message.h"
#include "page_out.h"
#include "page_run.h"
#include "page_texts.h"
#include "version.h"

#define DEBIAN_JAVASCRIPT "/usr/share/javascript"
#define LIBRARY_BYTES ((size_t)1 << 24)
/* What a report begins with: such a file may be replaced by another one. */
#define FIRST_LINES "<!DOCTYPE html>\n<!-- freshet report -->\n"

/* dygraphs, as it was found; owned. */
struct library {
	char *script, *style;
};

static void free_library(struct library *library)
{
	free(library->script);
	free(library->style);
	*library = (struct library){0};
}

static bool read_part(const char *folder, const char *name, char **text)
{
	char reason[FILE_READ_REASON];
	size_t length;
	char *path = file_join(folder, name);
	if (!path)
		return false;
	*text = file_read(path, LIBRARY_BYTES, &length, reason);
	if (!*text)
		message_error("dygraphs, which draws the curves of a page, is missing: '%s' %s.  "
			      "Debian: apt-get install libjs-dygraphs; FRESHET_JAVASCRIPT names "
			      "another folder that holds dygraphs/",
			      path, reason);
	/* Nothing of it may end the element that holds it. */
	else if (strlen(*text) != length || strstr(*text, "</script") || strstr(*text, "</style"))
		message_error("'%s' is not a file of dygraphs", path);
	else {
		free(path);
		return true;
	}
	free(path);
	return false;
}

static bool read_library(struct library *library)
{
	const char *given = environment_value("FRESHET_JAVASCRIPT");
	const char *folder = given ? given : DEBIAN_JAVASCRIPT;
	*library = (struct library){0};
	if (read_part(folder, "dygraphs/dygraph.min.js", &library->script) &&
	    read_part(folder, "dygraphs/dygraph.min.css", &library->style))
		return true;
	free_library(library);
	return false;
}

bool page_is_possible(void)
{
	struct library library;
	const bool possible = read_library(&library);
	free_library(&library);
	return possible;
}

/* A file of host/report/web. */
static void put_own(struct page_out *out, const char *name)
{
	for (const struct embedded_text *text = page_texts; text->name; text++)
		if (strcmp(text->name, name) == 0)
			page_put(out, text->text, text->length);
}

static void put_head(struct page_out *out, const struct library *library, const char *title,
		     bool served)
{
	page_text(out, FIRST_LINES);
	page_text(out, "<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width\">\n");
	/* A report can reach nothing; a served page where it came from. */
	page_print(out,
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src blob: data:%s; "
		   "base-uri 'none'; form-action 'none'\">\n<title>",
		   served ? "; connect-src 'self'" : "");
	page_escaped(out, title);
	page_text(out, "</title>\n<style>\n");
	page_text(out, library->style);
	put_own(out, "page.css");
	page_text(out, "</style></head><body>\n");
	put_own(out, "page.html");
	page_text(out, "<script>/* dygraphs, MIT licence, https://dygraphs.com */\n");
	page_text(out, library->script);
	page_text(out, "\n</script>\n");
}

static void put_scripts(struct page_out *out)
{
	static const char *const names[] = {"data.js",	"live.js",   "player.js",
					    "split.js", "curves.js", "plots.js",
					    "facts.js", "words.js",  "page.js"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		page_text(out, "<script>\n\"use strict\";\n");
		put_own(out, names[i]);
		page_text(out, "</script>\n");
	}
}

/* What the page is of.  `runs` has the numbers of pictures, or is NULL for a served page. */
static bool put_contents(struct page_out *out, const char *const *names, size_t count,
			 const struct page_run *runs)
{
	struct json_writer json = {0};
	size_t length;
	json_begin_object(&json, NULL);
	json_boolean(&json, "served", !runs);
	json_string(&json, "freshet", FRESHET_VERSION " (" FRESHET_GIT ")");
	json_begin_array(&json, "runs");
	for (size_t r = 0; r < count; r++) {
		json_begin_object(&json, NULL);
		json_string(&json, "name", names[r]);
		json_begin_array(&json, "frames");
		for (size_t i = 0; runs && i < runs[r].frame_count; i++)
			json_integer(&json, NULL, runs[r].frames[i]);
		json_end_array(&json);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	char *text = json_take(&json, &length);
	if (!text)
		return false;
	page_text(out, "<script type=\"application/json\" id=\"contents\">");
	page_json(out, text, length);
	page_text(out, "</script>\n");
	free(text);
	return true;
}

char *page_served(const char *const *names, size_t count, size_t *length)
{
	struct page_out out = {0};
	struct library library;
	if (!read_library(&library))
		return NULL;
	put_head(&out, &library, names[0], true);
	free_library(&library);
	bool ok = put_contents(&out, names, count, NULL);
	put_scripts(&out);
	page_text(&out, "</body></html>\n");
	if (ok && out.failed)
		ok = message_memory(out.length, "the page");
	if (!ok) {
		free(out.text);
		return NULL;
	}
	*length = out.length;
	return out.text;
}

/* ---- reports ------------------------------------------------------------------------------ */

static bool put_report(struct page_out *out, const struct library *library,
		       const struct page_run *runs, size_t count)
{
	const char *names[PAGE_RUNS] = {NULL};
	char title[300];
	for (size_t r = 0; r < count; r++)
		names[r] = runs[r].name;
	snprintf(title, sizeof(title), "%.200s%s", runs[0].name, count > 1 ? " and others" : "");
	put_head(out, library, title, false);
	if (!put_contents(out, names, count, runs))
		return false;
	for (size_t r = 0; r < count; r++)
		page_run_data(out, &runs[r], r);
	/* The page works before its pictures have come. */
	put_scripts(out);
	for (size_t r = 0; r < count; r++)
		if (!page_run_pictures(out, &runs[r], r))
			return false;
	page_text(out, "</body></html>\n");
	return true;
}

/* May the file be replaced?  Not what is no report. */
static bool may_write(const char *path, bool overwrite)
{
	char start[sizeof(FIRST_LINES)] = "";
	struct stat status;
	if (lstat(path, &status) != 0)
		return true;
	if (!S_ISREG(status.st_mode))
		return message_error("cannot write '%s': what has that name is no file", path);
	FILE *file = fopen(path, "rb");
	const size_t length = file ? fread(start, 1, sizeof(start) - 1, file) : 0;
	if (file)
		fclose(file);
	return overwrite || (length == strlen(FIRST_LINES) && strcmp(start, FIRST_LINES) == 0) ||
	       message_error("'%s' is there already and is no report: give another -o, or "
			     "--overwrite",
			     path);
}

static enum exit_code write_file(const char *path, const struct library *library,
				 const struct page_run *runs, const struct report_options *options)
{
	struct file_stream stream;
	struct page_out out = {.file = &stream};
	file_stream_open(&stream, path);
	const bool ok = put_report(&out, library, runs, options->run_count);
	if (!ok && stream.reason == 0)
		stream.reason = ECANCELED;
	const int reason = file_stream_finish(&stream);
	if (ok && reason != 0)
		message_error("cannot write '%s': %s", path, strerror(reason));
	if (!ok || reason != 0)
		return CODE_FAILED;
	if (!options->quiet)
		printf("%s\n", path);
	return CODE_DONE;
}

enum exit_code report_write(const struct report_options *options)
{
	struct page_run runs[PAGE_RUNS] = {0};
	struct library library;
	enum exit_code code = CODE_DONE;
	for (size_t r = 0; r < options->run_count && code == CODE_DONE; r++)
		if (!page_run_read(options->runs[r], options->every, &runs[r]))
			code = errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	char *path = options->output	      ? strdup(options->output)
		     : options->run_count > 1 ? strdup("report.html")
					      : file_join(options->runs[0], "report.html");
	if (code == CODE_DONE && !path)
		code = CODE_FAILED;
	if (code == CODE_DONE && !may_write(path, options->overwrite))
		code = CODE_REFUSED;
	if (code == CODE_DONE)
		code = read_library(&library) ? CODE_DONE : CODE_FAILED;
	if (code == CODE_DONE) {
		code = write_file(path, &library, runs, options);
		free_library(&library);
	}
	free(path);
	for (size_t r = 0; r < options->run_count; r++)
		page_run_free(&runs[r]);
	return code;
}
