#include "film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "file_read.h"
#include "message.h"
#include "number.h"
#include "numbered_files.h"
#include "run_json_read.h"

#define PICTURE_BYTES ((size_t)1 << 28)
#define WORDS 32 /* of the command line of ffmpeg */

extern char **environ;

struct film {
	const struct film_options *options;
	char *path, *temporary; /* owned; the film's name, and under which it grows */
	const char *container;	/* what ffmpeg calls it */
	int *frames;		/* owned; numbers of the pictures */
	size_t count;
	int spacing; /* of pictures, in frames: all their distances are multiples of it */
	double rate; /* of frames, per second */
};

static const char *container_of(const char *path)
{
	static const char *const endings[][2] = {
		{".mp4", "mp4"}, {".mov", "mov"}, {".mkv", "matroska"}};
	const size_t length = strlen(path);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (length > 4 && strcmp(path + length - 4, endings[i][0]) == 0)
			return endings[i][1];
	message_error("a film's name ends in .mp4, .mov or .mkv, not '%.200s'", path);
	return NULL;
}

static int common_divisor(int a, int b)
{
	while (b) {
		const int rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The run's rate and pictures. */
static enum exit_code read_film_run(struct film *film)
{
	struct published_run run;
	char *json = file_join(film->options->run, "run.json");
	if (!json)
		return CODE_FAILED;
	const bool ok = run_json_read(json, &run);
	const bool memory = errno == ENOMEM;
	free(json);
	if (!ok)
		return memory ? CODE_FAILED : CODE_REFUSED;
	film->rate = run.fps;
	published_run_free(&run);
	if (!numbered_files_list(film->options->run, NUMBERED_PICTURES, &film->frames,
				 &film->count))
		return CODE_FAILED;
	if (film->count == 0) {
		message_error(
			"'%s' has no pictures (frames/frame_*.png): 'freshet render' makes them "
			"from particles or checkpoints",
			film->options->run);
		return CODE_REFUSED;
	}
	for (size_t i = 1; i < film->count; i++)
		film->spacing =
			common_divisor(film->spacing, film->frames[i] - film->frames[i - 1]);
	if (film->spacing == 0)
		film->spacing = 1;
	if (film->options->rate > 0) {
		film->rate = film->options->rate;
	} else if (!(film->rate > 0)) {
		message_error("the scene in '%s/run.json' has no time.fps: give --fps",
			      film->options->run);
		return CODE_REFUSED;
	} else {
		film->rate /= film->spacing;
	}
	return CODE_DONE;
}

static enum exit_code choose_path(struct film *film)
{
	struct stat status;
	film->path = film->options->output ? strdup(film->options->output)
					   : file_join(film->options->run, "film.mp4");
	if (!film->path)
		return CODE_FAILED;
	film->container = container_of(film->path);
	if (!film->container)
		return CODE_REFUSED;
	if (lstat(film->path, &status) == 0 && !film->options->overwrite) {
		message_error("'%s' is there already: give another -o, or --overwrite", film->path);
		return CODE_REFUSED;
	}
	if (lstat(film->path, &status) == 0 && !S_ISREG(status.st_mode)) {
		message_error("cannot write '%s': what has that name is no file", film->path);
		return CODE_REFUSED;
	}
	const size_t bytes = strlen(film->path) + sizeof(".tmp");
	film->temporary = malloc(bytes);
	if (!film->temporary)
		return message_memory(bytes, "the name of a film") ? CODE_DONE : CODE_FAILED;
	snprintf(film->temporary, bytes, "%s.tmp", film->path);
	return CODE_DONE;
}

/* Starts ffmpeg, no shell in between.  *input: where it takes its pictures from. */
static bool start_ffmpeg(const struct film *film, const char *output, pid_t *child, int *input)
{
	char rate[NUMBER_TEXT];
	number_from_double(film->rate, rate);
	const char *const words[WORDS] = {
		"ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-f",
		"image2pipe", "-c:v", "png", "-framerate", rate, "-i", "pipe:0", "-vf",
		/* H.264 with 4:2:0 needs even sizes. */
		"pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-pix_fmt",
		"yuv420p", "-movflags", "+faststart", "-f", film->container, output, NULL};
	int ends[2];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	if (pipe(ends) != 0)
		return message_error("cannot start ffmpeg: %s", strerror(errno));
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGINT);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	char *arguments[WORDS];
	memcpy(arguments, words, sizeof(arguments));
	const int reason = posix_spawnp(child, "ffmpeg", &actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
	*input = ends[1];
	if (reason == 0)
		return true;
	close(ends[1]);
	return reason == ENOENT
		       ? message_error("ffmpeg, which makes films, is missing (Debian: apt-get "
				       "install ffmpeg); it is looked for in PATH")
		       : message_error("cannot start ffmpeg: %s", strerror(reason));
}

static bool write_all(int fd, const char *data, size_t length)
{
	while (length > 0) {
		const ssize_t n = write(fd, data, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		length -= (size_t)n;
	}
	return true;
}

/* *closed: ffmpeg has ended, and tells why itself. */
static bool send_pictures(const struct film *film, int input, bool *closed)
{
	char reason[FILE_READ_REASON];
	char *folder = file_join(film->options->run, numbered_kinds[NUMBERED_PICTURES].folder);
	bool ok = folder != NULL;
	for (size_t i = 0; ok && !*closed && i < film->count; i++) {
		size_t length;
		char *path = numbered_file_path(folder, NUMBERED_PICTURES, film->frames[i]);
		char *data = path ? file_read(path, PICTURE_BYTES, &length, reason) : NULL;
		ok = data || (path && file_refuse(path, reason));
		const int lasts = i + 1 < film->count
					  ? (film->frames[i + 1] - film->frames[i]) / film->spacing
					  : 1;
		for (int shown = 0; ok && !*closed && shown < lasts; shown++)
			*closed = !write_all(input, data, length);
		free(data);
		free(path);
	}
	free(folder);
	return ok;
}

static bool wait_for(pid_t child)
{
	int status;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return message_error("lost ffmpeg: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return message_error("ffmpeg was ended by signal %d", WTERMSIG(status));
	return WEXITSTATUS(status) == 0 ||
	       message_error("ffmpeg failed, with exit code %d: its own words are above",
			     WEXITSTATUS(status));
}

static bool encode(const struct film *film)
{
	pid_t child;
	int input;
	bool closed = false;
	/* A name that begins with '-' or holds ':' is a name still. */
	const size_t bytes = strlen(film->temporary) + sizeof("file:");
	char *output = malloc(bytes);
	if (!output)
		return message_memory(bytes, "the name of a film");
	snprintf(output, bytes, "file:%s", film->temporary);
	/* If ffmpeg ends early that is an error of write(); Ctrl-C ends it, and it is told. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	bool ok = start_ffmpeg(film, output, &child, &input);
	free(output);
	if (!ok)
		return false;
	ok = send_pictures(film, input, &closed);
	close(input);
	ok = wait_for(child) && ok;
	if (ok && closed)
		ok = message_error("ffmpeg ended before it had all pictures");
	if (ok && rename(film->temporary, film->path) != 0)
		ok = message_error("cannot write '%s': %s", film->path, strerror(errno));
	if (!ok)
		unlink(film->temporary);
	return ok;
}

enum exit_code film_make(const struct film_options *options)
{
	struct film film = {.options = options};
	enum exit_code code = read_film_run(&film);
	if (code == CODE_DONE)
		code = choose_path(&film);
	if (code == CODE_DONE && !encode(&film))
		code = CODE_FAILED;
	if (code == CODE_DONE && !options->quiet)
		printf("%s: %zu pictures, %.4g a second\n", film.path, film.count, film.rate);
	free(film.frames);
	free(film.temporary);
	free(film.path);
	return code;
}
