#include "compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "compare_parts.h"
#include "file.h"

/* Does the directory hold a run? */
static bool holds_run(const char *directory)
{
	static const char *const names[] = {"run.json", "stats.csv", "probes.csv"};
	struct stat status;
	bool found = false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !found; i++) {
		char *path = file_join(directory, names[i]);
		if (!path)
			return false;
		found = stat(path, &status) == 0;
		free(path);
	}
	return found ||
	       message_error("'%s' holds no run (neither run.json nor stats.csv)", directory);
}

static bool all_found(const struct compare_options *options)
{
	for (size_t i = 0; i < options->tolerance_count; i++)
		if (!options->tolerances[i].found)
			return message_error(
				"--tolerance %.100s: no table of these runs has such a "
				"column",
				options->tolerances[i].name);
	return true;
}

enum exit_code compare_runs(const struct compare_options *options)
{
	struct comparison self = {.options = options};
	errno = 0;
	if (!holds_run(options->runs[0]) || !holds_run(options->runs[1]))
		return CODE_REFUSED;
	errno = 0;
	if (!compare_hashes(&self) || !compare_tables(&self) || !compare_pictures(&self))
		return errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	if (!all_found(options))
		return CODE_REFUSED;
	if (!options->quiet || self.differs)
		printf("%s\n", !self.differs ? options->tolerance_count ? "within the tolerances"
									: "the runs are the same"
			       : options->tolerance_count ? "not within the tolerances"
							  : "the runs differ");
	return self.differs ? CODE_FAILED : CODE_DONE;
}
