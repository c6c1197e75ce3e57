#include "driver_cache.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

#define TRIED_BYTES 4096 /* a block: a full disk takes none */

bool driver_cache_of(const char *platform)
{
	return strcmp(platform, "Portable Computing Language") == 0;
}

void driver_cache_prepare(void)
{
	const char *folder = getenv("POCL_CACHE_DIR");
	if (folder && !*folder)
		unsetenv("POCL_CACHE_DIR");
}

/* By PoCL's rules.  *from: the variable that says so; NULL: none does. */
static bool find_folder(char folder[PATH_MAX], const char **from)
{
	static const struct {
		const char *variable, *below;
		bool ignored_if_empty;
	} places[] = {
		{"POCL_CACHE_DIR", "", true},
		{"XDG_CACHE_HOME", "/pocl/kcache", true},
		{"HOME", "/.cache/pocl/kcache", false},
	};
	*from = NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *value = getenv(places[i].variable);
		if (!value || (!*value && places[i].ignored_if_empty))
			continue;
		*from = places[i].variable;
		return snprintf(folder, PATH_MAX, "%s%s", value, places[i].below) < PATH_MAX;
	}
	strcpy(folder, "/tmp/pocl/kcache");
	return true;
}

/* With its parents. */
static bool make_folder(char folder[PATH_MAX])
{
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0777); /* one that failed shows in the last */
		*slash = '/';
	}
	return mkdir(folder, 0777) == 0 || errno == EEXIST;
}

/* 0, or the errno of what failed. */
static int try_file(const char *folder)
{
	static const char block[TRIED_BYTES];
	static const char name[] = "/freshet_XXXXXX";
	char path[PATH_MAX + sizeof(name)];
	snprintf(path, sizeof(path), "%s%s", folder, name);
	const int fd = mkstemp(path);
	if (fd < 0)
		return errno;
	errno = ENOSPC;
	const int reason = write(fd, block, sizeof(block)) == (ssize_t)sizeof(block) ? 0 : errno;
	close(fd);
	unlink(path);
	return reason;
}

bool driver_cache_check(void)
{
	char folder[PATH_MAX];
	const char *from;
	int reason = 0;
	const bool fits = find_folder(folder, &from);
	if (!fits)
		reason = ENAMETOOLONG;
	else if (!make_folder(folder))
		reason = errno;
	else
		reason = try_file(folder);
	return reason == 0 ||
	       message_error(
		       "PoCL, the OpenCL driver of CPUs, keeps compiled kernels in the folder "
		       "'%.500s'%s%s%s, which cannot be written: %s. Let POCL_CACHE_DIR name "
		       "one that can",
		       folder, from ? " (by " : "", from ? from : "", from ? ")" : "",
		       strerror(reason));
}
