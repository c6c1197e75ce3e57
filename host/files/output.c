#include "output.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "message.h"

/* The files of a run: fixed names, and numbered ones (stem, digits, ending) in subdirectories. */
static const char *const run_files[] = {
	"run.json",
	"stats.csv",
	"probes.csv",
	"log.txt",
	"particles/particles.vtkhdf.series",
	"particles/particles.vtkhdf.series.tmp",
	"fields/fields.vtkhdf.series",
	"fields/fields.vtkhdf.series.tmp",
};
static const struct {
	const char *directory, *stem, *ending;
} numbered_files[] = {
	{"particles", "particles_", ".vtkhdf"},
	{"particles", "particles_", ".vtkhdf.tmp"},
	{"particles", "particles_", ".ply"},
	{"particles", "particles_", ".ply.tmp"},
	{"particles", "particles_", ".geo"},
	{"particles", "particles_", ".geo.tmp"},
	{"fields", "fields_", ".vtkhdf"},
	{"fields", "fields_", ".vtkhdf.tmp"},
	{"frames", "frame_", ".png"},
	{"frames", "frame_", ".png.tmp"}, /* left behind by a run that was killed */
	{"mesh", "mesh_", ".ply"},
	{"mesh", "mesh_", ".obj"},
	{"mesh", "mesh_", ".ply.tmp"},
	{"mesh", "mesh_", ".obj.tmp"},
	{"checkpoints", "checkpoint_", ".h5"},
	{"checkpoints", ".checkpoint_", ".h5.tmp"},
	{".", "stats_before_frame_", ".csv"},
	{".", "probes_before_frame_", ".csv"},
	{"checkpoints", "checkpoint_", ".h5.refused"}, /* the last one: output_clear() */
};
#define NUMBERED_FILES (sizeof(numbered_files) / sizeof(numbered_files[0]))

void output_clean_name(const char *name, char clean[OUTPUT_NAME_BYTES + 1])
{
	size_t length = 0;
	for (const char *c = name; *c && length < OUTPUT_NAME_BYTES; c++) {
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

static bool visit_numbered(const char *directory, const char *stem, const char *ending, bool remove,
			   bool *found)
{
	DIR *entries = opendir(directory);
	if (!entries)
		return errno == ENOENT || errno == ENOTDIR ||
		       message_error("cannot read '%s': %s", directory, strerror(errno));
	bool ok = true;
	const struct dirent *entry;
	while (ok && (entry = readdir(entries)))
		if (is_numbered(entry->d_name, stem, ending))
			ok = visit_file(directory, entry->d_name, remove, found);
	closedir(entries);
	return ok;
}

/* `kinds`: how many of numbered_files[]. */
static bool visit_run(const char *directory, size_t kinds, bool remove, bool *found)
{
	for (size_t i = 0; i < sizeof(run_files) / sizeof(run_files[0]); i++)
		if (!visit_file(directory, run_files[i], remove, found))
			return false;
	for (size_t i = 0; i < kinds; i++) {
		char *path = file_join(directory, numbered_files[i].directory);
		bool ok = path && visit_numbered(path, numbered_files[i].stem,
						 numbered_files[i].ending, remove, found);
		free(path);
		if (!ok)
			return false;
	}
	return true;
}

bool output_clear(struct output *output, bool keep_refused)
{
	bool found = false;
	return visit_run(output->directory, NUMBERED_FILES - keep_refused, true, &found);
}

/* ---- directories ------------------------------------------------------------------------ */

static bool is_directory(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* mkdir() that accepts an existing directory and remembers what it made. */
static bool create_directory(struct output *output, const char *path)
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
	char **grown = realloc(output->created, (output->created_count + 1) * sizeof(*grown));
	char *copy = grown ? strdup(path) : NULL;
	if (grown)
		output->created = grown;
	if (!copy)
		return message_memory(strlen(path) + 1, "the name of a folder");
	output->created[output->created_count++] = copy;
	return true;
}

static bool create_with_parents(struct output *output)
{
	char *path = output->directory;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		bool ok = create_directory(output, path);
		*slash = '/';
		if (!ok)
			return false;
	}
	return create_directory(output, path);
}

char *output_subdirectory(const struct output *output, const char *name)
{
	char *path = file_join(output->directory, name);
	if (path && mkdir(path, 0777) != 0 && !(errno == EEXIST && is_directory(path))) {
		message_error("cannot create the directory '%s': %s", path, strerror(errno));
		free(path);
		return NULL;
	}
	return path;
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
static enum output_result take_lock(struct output *output)
{
	for (;;) {
		int fd = open(output->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0) {
			message_error("cannot write to '%s': %s", output->directory,
				      strerror(errno));
			return OUTPUT_FAILED;
		}
		struct flock range = whole_file(F_WRLCK);
		if (fcntl(fd, F_SETLK, &range) != 0) {
			int reason = errno;
			close(fd);
			if (reason == EACCES || reason == EAGAIN) {
				message_error("'%s' is being written by another run: wait for its "
					      "end, or name another directory with -o",
					      output->directory);
				return OUTPUT_OCCUPIED;
			}
			message_error("cannot lock '%s': %s", output->lock_path, strerror(reason));
			return OUTPUT_FAILED;
		}
		/* Another run may have removed the file between our open() and our lock. */
		if (file_is_at(fd, output->lock_path)) {
			output->lock = fd;
			return OUTPUT_READY;
		}
		close(fd);
	}
}

bool output_present(const struct output *output)
{
	return file_is_at(output->lock, output->lock_path);
}

bool output_check(const struct output *output)
{
	return output_present(output) ||
	       message_error("cannot write '%s', which was removed or replaced during the run: %s",
			     output->directory, strerror(ENOENT));
}

/* ---- opening and closing ---------------------------------------------------------------- */

static void free_output(struct output *output)
{
	if (output->lock >= 0)
		close(output->lock);
	for (size_t i = 0; i < output->created_count; i++)
		free(output->created[i]);
	free(output->created);
	free(output->lock_path);
	free(output->directory);
	*output = (struct output){.lock = -1};
}

static enum output_result prepare(struct output *output, bool accept)
{
	if (!create_with_parents(output))
		return OUTPUT_FAILED;
	output->lock_path = file_join(output->directory, ".lock");
	if (!output->lock_path)
		return OUTPUT_FAILED;
	enum output_result result = take_lock(output);
	if (result != OUTPUT_READY)
		return result;
	if (!visit_run(output->directory, NUMBERED_FILES, false, &output->occupied))
		return OUTPUT_FAILED;
	if (output->occupied && !accept) {
		message_error("'%s' holds another run (--resume continues it, --overwrite replaces "
			      "it, -o chooses another directory)",
			      output->directory);
		return OUTPUT_OCCUPIED;
	}
	return OUTPUT_READY;
}

enum output_result output_open(struct output *output, const char *directory, bool accept)
{
	*output = (struct output){.lock = -1};
	output->directory = strdup(directory);
	if (!output->directory) {
		message_memory(strlen(directory) + 1, "the name of the output folder");
		return OUTPUT_FAILED;
	}
	size_t length = strlen(directory);
	while (length > 1 && output->directory[length - 1] == '/')
		output->directory[--length] = '\0';

	enum output_result result = prepare(output, accept);
	if (result != OUTPUT_READY)
		output_discard(output);
	return result;
}

void output_close(struct output *output)
{
	if (output->directory && output->lock >= 0)
		unlink(output->lock_path);
	if (output->directory)
		free_output(output);
}

void output_discard(struct output *output)
{
	output_abandon(output);
	free_output(output);
}

void output_abandon(const struct output *output)
{
	if (output->lock >= 0)
		unlink(output->lock_path);
	for (size_t i = output->created_count; i-- > 0;)
		rmdir(output->created[i]);
}
