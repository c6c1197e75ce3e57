#define _GNU_SOURCE /* memfd_create() */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "message.h"

static int file = -1;
static char path[64], folder[256], folder_file[320];

void fuzz_expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "expected, but not so: %s\n", what);
	abort();
}

const char *fuzz_file(const void *data, size_t size)
{
	if (file < 0) {
		file = memfd_create("freshet_fuzz", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	}
	fuzz_expect(file >= 0 && ftruncate(file, 0) == 0 &&
			    pwrite(file, data, size, 0) == (ssize_t)size,
		    "a file in memory can be written");
	return path;
}

static void remove_folder(void)
{
	unlink(folder_file);
	rmdir(folder);
}

const char *fuzz_folder(const char *name, bool linked)
{
	const char *base = getenv("TMPDIR");
	snprintf(folder, sizeof(folder), "%.200s/freshet_fuzz_XXXXXX", base ? base : "/tmp");
	fuzz_expect(mkdtemp(folder) != NULL, "a folder can be made");
	snprintf(folder_file, sizeof(folder_file), "%s/%s", folder, name);
	atexit(remove_folder);
	fuzz_expect(!linked || symlink(fuzz_file("", 0), folder_file) == 0, "a link can be made");
	return folder;
}

static void forget(enum message_level level, const char *text, void *user)
{
	(void)level;
	(void)user;
	fuzz_expect(strlen(text) > 0, "a message has a text");
}

void fuzz_be_silent(void)
{
	fuzz_expect(freopen("/dev/null", "w", stdout) != NULL, "/dev/null is there");
	message_set_sink(forget, NULL);
}
