#include "run_directory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "file_open.h"
#include "message.h"
#include "numbered_files.h"

/* The files of a run besides those of frames. */
static const char *const run_files[] = {
	"run.json",
	"stats.csv",
	"probes.csv",
	"forces.csv",
	"bodies.csv",
	"bodies.usda",
	"log.txt",
	"particles/particles.vtkhdf.series",
	"particles/particles.vtkhdf.series.tmp",
	"particles/particles.vtkhdf",
	"particles/particles.vtkhdf.tmp",
	"particles/particles.usda",
	"particles/particles.usda.tmp",
	"mesh/mesh.usda",
	"mesh/mesh.usda.tmp",
	"fields/fields.vtkhdf.series",
	"fields/fields.vtkhdf.series.tmp",
};
/* Those with a number that no frame's file of numbered_kinds has. */
static const struct numbered_kind other_files[] = {
	{"checkpoints", ".checkpoint_", ".h5.tmp"},
	{".", "stats_before_frame_", ".csv"},
	{".", "probes_before_frame_", ".csv"},
	{".", "forces_before_frame_", ".csv"},
	{".", "bodies_before_frame_", ".csv"},
	{"checkpoints", "checkpoint_", ".h5.refused"}, /* the last one: run_directory_clear() */
};
#define OTHER_FILES (sizeof(other_files) / sizeof(other_files[0]))

void run_directory_clean_name(const char *name, char clean[RUN_DIRECTORY_NAME + 1])
{
	size_t length = 0;
	for (const char *c = name; *c && length < RUN_DIRECTORY_NAME; c++) {
		unsigned char byte = (unsigned char)*c;
		if ((byte & 0xc0) == 0x80)
			continue; /* the rest of a UTF-8 character, which is replaced as a whole */
		bool kept = byte < 0x80 && (isalnum(byte) || strchr("-_.", byte));
		clean[length++] = kept ? *c : '_';
	}
	clean[length] = '\0';
	if (strcmp(clean, "") == 0 || strcmp(clean, ".") == 0 || strcmp(clean, "..") == 0)
		strcpy(clean, "freshet_run");
}

/* ---- files of an earlier run ------------------------------------------------------------ */

static bool is_numbered(const char *name, const char *stem, const char *ending)
{
	size_t length = strlen(stem);
	if (strncmp(name, stem, length) != 0)
		return false;
	size_t digits = strspn(name + length, "0123456789");
	return digits >= 6 && strcmp(name + length + digits, ending) == 0;
}

/* Is it a file of a run?  Then removes it or, to find out only, says so through *found. */
static bool visit_file(const char *directory, const char *name, bool remove, bool *found)
{
	struct stat status;
	char *path = file_join(directory, name);
	if (!path)
		return false;
	bool ok = true;
	if (lstat(path, &status) == 0) {
		*found = true;
		if (remove && unlink(path) != 0)
			ok = message_error("cannot remove '%s': %s", path, strerror(errno));
	}
	free(path);
	return ok;
}

/* `tmp`: what a run that was killed left of them. */
static bool visit_numbered(const char *run, const struct numbered_kind *kind, const char *tmp,
			   bool remove, bool *found)
{
	char ending[16];
	char *folder = file_join(run, kind->folder);
	/* Files behind a link are somebody else's. */
	const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
	if (fd >= 0 && !entries)
		close(fd);
	bool ok = entries ||
		  (folder && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP ||
			      message_error("cannot read '%s': %s", folder, strerror(errno))));
	const struct dirent *entry;
	snprintf(ending, sizeof(ending), "%s%s", kind->ending, tmp);
	while (ok && entries && (entry = readdir(entries)))
		if (is_numbered(entry->d_name, kind->stem, ending))
			ok = visit_file(folder, entry->d_name, remove, found);
	if (entries)
		closedir(entries);
	free(folder);
	return ok;
}

/* `others`: how many of other_files[]. */
static bool visit_run(const char *run, size_t others, bool remove, bool *found)
{
	bool ok = true;
	for (size_t i = 0; i < sizeof(run_files) / sizeof(run_files[0]) && ok; i++)
		ok = visit_file(run, run_files[i], remove, found);
	for (int kind = 0; kind < NUMBERED_KINDS && ok; kind++)
		ok = visit_numbered(run, &numbered_kinds[kind], "", remove, found) &&
		     (kind == NUMBERED_CHECKPOINTS ||
		      visit_numbered(run, &numbered_kinds[kind], ".tmp", remove, found));
	for (size_t i = 0; i < others && ok; i++)
		ok = visit_numbered(run, &other_files[i], "", remove, found);
	return ok;
}

bool run_directory_clear(struct run_directory *directory, bool keep_refused)
{
	bool found = false;
	return visit_run(directory->path, OTHER_FILES - keep_refused, true, &found);
}

/* ---- directories ------------------------------------------------------------------------ */

static bool is_directory(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* No link: what is written through one lands in another place. */
static bool is_own_directory(const char *path)
{
	struct stat status;
	const int before = errno;
	const bool own = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
	errno = before;
	return own;
}

static bool remember_created(struct run_directory *directory, const char *path)
{
	char **grown = realloc(directory->created, (directory->created_count + 1) * sizeof(*grown));
	char *copy = grown ? strdup(path) : NULL;
	if (grown)
		directory->created = grown;
	if (!copy)
		return message_memory(strlen(path) + 1, "the name of a folder");
	directory->created[directory->created_count++] = copy;
	return true;
}

/* mkdir() that accepts an existing directory and remembers what it made. */
static bool create_directory(struct run_directory *directory, const char *path)
{
	if (mkdir(path, 0777) != 0) {
		int reason = errno;
		if (is_directory(path))
			return true;
		if (reason == EEXIST)
			return message_error("cannot write to '%s': it is not a directory", path);
		return message_error("cannot create the directory '%s': %s", path,
				     strerror(reason));
	}
	return remember_created(directory, path);
}

static bool create_with_parents(struct run_directory *directory)
{
	char *path = directory->path;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		bool ok = create_directory(directory, path);
		*slash = '/';
		if (!ok)
			return false;
	}
	return create_directory(directory, path);
}

char *run_directory_subdirectory(struct run_directory *directory, const char *name)
{
	char *path = file_join(directory->path, name);
	if (!path)
		return NULL;
	bool ok = true;
	if (mkdir(path, 0777) == 0)
		ok = remember_created(directory, path);
	else if (!(errno == EEXIST && is_own_directory(path)))
		ok = message_error("cannot create the directory '%s': %s", path,
				   errno == EEXIST ? "there is a link or a file of that name"
						   : strerror(errno));
	if (ok)
		return path;
	free(path);
	return NULL;
}

/* ---- the lock --------------------------------------------------------------------------- */

static struct flock whole_file(short type)
{
	struct flock range = {0};
	range.l_type = type;
	range.l_whence = SEEK_SET;
	return range;
}

/* Creating the lock also shows that the directory can be written. */
static enum run_directory_result take_lock(struct run_directory *directory)
{
	for (;;) {
		int fd = file_open_own(directory->lock_path);
		if (fd < 0) {
			message_error("cannot write to '%s': %s", directory->path,
				      file_open_reason(errno));
			return RUN_DIRECTORY_FAILED;
		}
		struct flock range = whole_file(F_WRLCK);
		if (fcntl(fd, F_SETLK, &range) != 0) {
			int reason = errno;
			close(fd);
			if (reason == EACCES || reason == EAGAIN) {
				message_error("'%s' is being written by another run: wait for its "
					      "end, or name another directory with -o",
					      directory->path);
				return RUN_DIRECTORY_OCCUPIED;
			}
			message_error("cannot lock '%s': %s", directory->lock_path,
				      strerror(reason));
			return RUN_DIRECTORY_FAILED;
		}
		/* Another run may have removed the file between our open() and our lock. */
		if (file_is_at(fd, directory->lock_path)) {
			directory->lock = fd;
			return RUN_DIRECTORY_READY;
		}
		close(fd);
	}
}

bool run_directory_present(const struct run_directory *directory)
{
	return file_is_at(directory->lock, directory->lock_path);
}

bool run_directory_check(const struct run_directory *directory)
{
	return run_directory_present(directory) ||
	       message_error("cannot write '%s', which was removed or replaced during the run: %s",
			     directory->path, strerror(ENOENT));
}

/* ---- opening and closing ---------------------------------------------------------------- */

static void free_directory(struct run_directory *directory)
{
	if (directory->lock >= 0)
		close(directory->lock);
	for (size_t i = 0; i < directory->created_count; i++)
		free(directory->created[i]);
	free(directory->created);
	free(directory->lock_path);
	free(directory->path);
	*directory = (struct run_directory){.lock = -1};
}

static enum run_directory_result take_directory(struct run_directory *directory, bool accept)
{
	if (!create_with_parents(directory))
		return RUN_DIRECTORY_FAILED;
	directory->lock_path = file_join(directory->path, ".lock");
	if (!directory->lock_path)
		return RUN_DIRECTORY_FAILED;
	enum run_directory_result result = take_lock(directory);
	if (result != RUN_DIRECTORY_READY)
		return result;
	if (!visit_run(directory->path, OTHER_FILES, false, &directory->occupied))
		return RUN_DIRECTORY_FAILED;
	if (directory->occupied && !accept) {
		message_error("'%s' holds another run (--resume continues it, --overwrite replaces "
			      "it, -o chooses another directory)",
			      directory->path);
		return RUN_DIRECTORY_OCCUPIED;
	}
	return RUN_DIRECTORY_READY;
}

enum run_directory_result run_directory_open(struct run_directory *directory, const char *path,
					     bool accept)
{
	*directory = (struct run_directory){.lock = -1};
	directory->path = strdup(path);
	if (!directory->path) {
		message_memory(strlen(path) + 1, "the name of the output folder");
		return RUN_DIRECTORY_FAILED;
	}
	size_t length = strlen(path);
	while (length > 1 && directory->path[length - 1] == '/')
		directory->path[--length] = '\0';

	enum run_directory_result result = take_directory(directory, accept);
	if (result != RUN_DIRECTORY_READY)
		run_directory_discard(directory);
	return result;
}

void run_directory_close(struct run_directory *directory)
{
	if (directory->path && directory->lock >= 0)
		unlink(directory->lock_path);
	if (directory->path)
		free_directory(directory);
}

void run_directory_discard(struct run_directory *directory)
{
	run_directory_abandon(directory);
	free_directory(directory);
}

void run_directory_abandon(const struct run_directory *directory)
{
	if (directory->lock >= 0)
		unlink(directory->lock_path);
	for (size_t i = directory->created_count; i-- > 0;)
		rmdir(directory->created[i]);
}
