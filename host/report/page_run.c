#define _XOPEN_SOURCE 700 /* realpath() */

#include "page_run.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "file_read.h"
#include "message.h"
#include "numbered_files.h"
#include "run_json_read.h"

#define JSON_BYTES ((size_t)1 << 30)
#define PICTURE_BYTES ((size_t)1 << 28)
#define FLOAT_WHOLE 16777216.0 /* up to here whole numbers are exact in single precision */

const char *const page_table_names[PAGE_TABLES] = {"stats", "probes", "forces"};

void page_run_free(struct page_run *run)
{
	free(run->name);
	free(run->json);
	free(run->frames);
	for (int t = 0; t < PAGE_TABLES; t++)
		table_free(&run->tables[t]);
	*run = (struct page_run){0};
}

char *page_run_name(const char *directory)
{
	char *real = realpath(directory, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	char *name = strdup(slash && slash[1] ? slash + 1 : directory);
	free(real);
	if (!name) {
		message_memory(strlen(directory), "the name of a run");
		errno = ENOMEM;
	}
	return name;
}

/* Is it a run.json of freshet?  Then its text. */
static bool read_json(struct page_run *run)
{
	char reason[FILE_READ_REASON];
	struct published_run published;
	char *path = file_join(run->directory, "run.json");
	bool ok = path && run_json_read(path, &published);
	if (ok) {
		published_run_free(&published);
		run->json = file_read(path, JSON_BYTES, &run->json_length, reason);
		ok = run->json || file_refuse(path, reason);
	}
	const int code = path ? errno : ENOMEM;
	free(path);
	errno = code;
	return ok;
}

static bool read_tables(struct page_run *run)
{
	static const char *const files[PAGE_TABLES] = {"stats.csv", "probes.csv", "forces.csv"};
	for (int t = 0; t < PAGE_TABLES; t++) {
		bool there;
		if (!table_read(run->directory, files[t], &run->tables[t], &there))
			return false;
	}
	return true;
}

static void choose_frames(struct page_run *run, int every)
{
	size_t kept = 0;
	for (size_t i = 0; i < run->frame_count; i++)
		if (i % (size_t)every == 0)
			run->frames[kept++] = run->frames[i];
	run->frame_count = kept;
}

bool page_run_read(const char *directory, int every, struct page_run *run)
{
	*run = (struct page_run){.directory = directory};
	errno = 0;
	run->name = page_run_name(directory);
	bool ok = run->name && read_json(run) && read_tables(run);
	if (ok &&
	    !numbered_files_list(directory, NUMBERED_PICTURES, &run->frames, &run->frame_count)) {
		ok = false;
		errno = errno == ENOMEM ? ENOMEM : EIO;
	}
	if (ok) {
		choose_frames(run, every);
		return true;
	}
	const int code = errno;
	page_run_free(run);
	errno = code;
	return false;
}

/* Seven digits are enough for a curve, but not for where it is. */
static bool needs_double(const char *name, const double *values, size_t count)
{
	bool needed = strcmp(name, "time") == 0;
	for (size_t i = 0; i < count && !needed; i++)
		needed = fabs(values[i]) > FLOAT_WHOLE && floor(values[i]) >= values[i];
	return needed;
}

static bool is_little_endian(void)
{
	const uint16_t one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first == 1;
}

static void turn_bytes(unsigned char *value, size_t size)
{
	for (size_t i = 0; i < size / 2; i++) {
		const unsigned char kept = value[i];
		value[i] = value[size - 1 - i];
		value[size - 1 - i] = kept;
	}
}

/* In blocks, whose number of bytes is a multiple of 3: base64 then has no padding in between. */
static void put_numbers(struct page_out *out, const double *values, size_t count, bool is_double)
{
	unsigned char block[3072];
	const size_t size = is_double ? sizeof(double) : sizeof(float);
	const size_t most = sizeof(block) / size;
	const bool turn = !is_little_endian();
	for (size_t start = 0; start < count; start += most) {
		const size_t n = count - start < most ? count - start : most;
		for (size_t i = 0; i < n; i++) {
			const float value = (float)values[start + i];
			memcpy(block + i * size,
			       is_double ? (const void *)&values[start + i] : &value, size);
			if (turn)
				turn_bytes(block + i * size, size);
		}
		page_base64(out, block, n * size);
	}
}

static void put_hashes(struct page_out *out, const struct table *table)
{
	for (size_t row = 0; row < table->row_count; row++) {
		page_escaped(out, table_hash(table, row));
		page_text(out, ",");
	}
}

static void put_table(struct page_out *out, const struct table *table, size_t index, int kind)
{
	for (size_t c = 0; c < table->column_count; c++) {
		const double *values = table_column(table, c);
		const bool is_hash = strcmp(table->names[c], "hash") == 0;
		const bool wide = needs_double(table->names[c], values, table->row_count);
		page_print(out,
			   "<script type=\"text/plain\" class=\"column\" data-run=\"%zu\" "
			   "data-table=\"%s\" data-type=\"%s\" data-name=\"",
			   index, page_table_names[kind],
			   is_hash ? "hash"
			   : wide  ? "f8"
				   : "f4");
		page_escaped(out, table->names[c]);
		page_text(out, "\">");
		if (is_hash)
			put_hashes(out, table);
		else
			put_numbers(out, values, table->row_count, wide);
		page_text(out, "</script>\n");
	}
}

void page_run_data(struct page_out *out, const struct page_run *run, size_t index)
{
	page_print(out, "<script type=\"application/json\" id=\"run-%zu\">", index);
	page_json(out, run->json, run->json_length);
	page_text(out, "</script>\n");
	for (int t = 0; t < PAGE_TABLES; t++)
		put_table(out, &run->tables[t], index, t);
}

bool page_run_pictures(struct page_out *out, const struct page_run *run, size_t index)
{
	char reason[FILE_READ_REASON];
	char *folder = file_join(run->directory, numbered_kinds[NUMBERED_PICTURES].folder);
	bool ok = folder != NULL;
	for (size_t i = 0; ok && i < run->frame_count; i++) {
		size_t length;
		char *path = numbered_file_path(folder, NUMBERED_PICTURES, run->frames[i]);
		char *data = path ? file_read(path, PICTURE_BYTES, &length, reason) : NULL;
		ok = data || (path && file_refuse(path, reason));
		if (ok) {
			page_print(out, "<script type=\"text/plain\" id=\"frame-%zu-%d\">", index,
				   run->frames[i]);
			page_base64(out, data, length);
			page_text(out, "</script>\n");
		}
		free(data);
		free(path);
	}
	free(folder);
	return ok;
}
