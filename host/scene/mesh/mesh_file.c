#include "mesh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "fault.h"
#include "mesh_parse.h"

/* Of the file; of the parser, besides what this process has and 64 times the file's. */
#define MOST_BYTES ((size_t)1 << 30)
#define PARSER_BYTES ((rlim_t)1 << 30)
/* Of its time on a processor, and for each megabyte more; of the clock's, so many times that. */
#define PARSER_SECONDS 4.0
#define SECONDS_EACH 1e-6
#define CLOCK_TIMES 10.0

struct job {
	const char *bytes, *kind;
	size_t length;
	double seconds; /* that it may take on a processor */
	bool crash;	/* FRESHET_FAULT=parser */
};

/* What the child tells first; vertices and triangles follow it. */
struct told {
	char reason[MESH_PARSE_REASON]; /* "" = good */
	uint64_t vertices, triangles, others;
};

static const char *kind_of(const char *path)
{
	static const char *const kinds[] = {"obj", "ply", "stl"};
	const char *ending = strrchr(path, '.');
	for (size_t k = 0; ending && k < sizeof(kinds) / sizeof(*kinds); k++)
		if (strcasecmp(ending + 1, kinds[k]) == 0)
			return kinds[k];
	return NULL;
}

/* ---- the child ---------------------------------------------------------------------------- */

static void limit(int resource, rlim_t most)
{
	struct rlimit now;
	if (getrlimit(resource, &now) == 0 &&
	    (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > most)) {
		now.rlim_cur = most;
		setrlimit(resource, &now);
	}
}

/* It says and opens nothing, leaves no core, ends; with sanitizers, whose shadow has no bounds,
 * memory has none. */
static void be_bounded(const struct job *job)
{
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
#if !defined(__SANITIZE_ADDRESS__) && !defined(FRESHET_DEBUG)
	long pages = 0;
	char text[64];
	FILE *file = fopen("/proc/self/statm", "r");
	if (file && fgets(text, sizeof(text), file))
		pages = strtol(text, NULL, 10);
	if (file)
		fclose(file);
	const long page = sysconf(_SC_PAGESIZE);
	if (pages > 0 && page > 0)
		limit(RLIMIT_AS,
		      (rlim_t)pages * (rlim_t)page + PARSER_BYTES + 64 * (rlim_t)job->length);
#endif
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, 0);
	limit(RLIMIT_CPU, (rlim_t)job->seconds);
}

static bool send_bytes(int fd, const void *data, size_t bytes)
{
	const char *from = data;
	while (bytes > 0) {
		const ssize_t n = write(fd, from, bytes);
		if (n < 0 && errno != EINTR)
			return false;
		from += n > 0 ? n : 0;
		bytes -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

static _Noreturn void be_parser(int fd, const struct job *job)
{
	struct mesh_surface surface = {0};
	struct told told = {0};
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	be_bounded(job);
	if (job->crash)
		abort();
	if (!mesh_parse(job->bytes, job->length, job->kind, &surface, told.reason) &&
	    !told.reason[0])
		snprintf(told.reason, sizeof(told.reason), "cannot be read");
	told.vertices = surface.vertex_count;
	told.triangles = surface.triangle_count;
	told.others = surface.others;
	const bool sent =
		send_bytes(fd, &told, sizeof(told)) &&
		send_bytes(fd, surface.vertices, 3 * told.vertices * sizeof(*surface.vertices)) &&
		send_bytes(fd, surface.triangles, 3 * told.triangles * sizeof(*surface.triangles));
	_exit(sent ? 0 : 1);
}

/* ---- the parent ---------------------------------------------------------------------------- */

/* False when the pipe ends before that, or the time. */
static bool receive(int fd, double until, void *data, size_t bytes)
{
	char *to = data;
	while (bytes > 0) {
		const double left = until - clock_seconds();
		struct pollfd poller = {.fd = fd, .events = POLLIN};
		if (left <= 0.0)
			return false;
		if (poll(&poller, 1, (int)(left * 1000.0) + 1) <= 0)
			continue;
		const ssize_t n = read(fd, to, bytes);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		to += n > 0 ? n : 0;
		bytes -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool no_memory(char reason[FILE_READ_REASON])
{
	errno = ENOMEM;
	return file_reason(reason, "does not fit into memory");
}

/* *answered: the child has told all that it was going to. */
static bool receive_surface(int fd, double until, struct mesh_surface *surface, bool *answered,
			    char reason[FILE_READ_REASON])
{
	struct told told;
	*answered = receive(fd, until, &told, sizeof(told));
	if (!*answered)
		return false;
	told.reason[sizeof(told.reason) - 1] = '\0';
	for (char *c = told.reason; *c; c++)
		*c = (unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e ? '?' : *c;
	if (told.reason[0])
		return file_reason(reason, "%s", told.reason);
	if (told.vertices > MESH_MOST_VERTICES || told.triangles > MESH_MOST_TRIANGLES)
		return *answered = false;
	surface->vertices = malloc((3 * told.vertices + 1) * sizeof(*surface->vertices));
	surface->triangles = malloc((3 * told.triangles + 1) * sizeof(*surface->triangles));
	if (!surface->vertices || !surface->triangles)
		return no_memory(reason);
	surface->vertex_count = told.vertices;
	surface->triangle_count = told.triangles;
	surface->others = told.others;
	*answered = receive(fd, until, surface->vertices,
			    3 * told.vertices * sizeof(*surface->vertices)) &&
		    receive(fd, until, surface->triangles,
			    3 * told.triangles * sizeof(*surface->triangles));
	for (uint64_t i = 0; *answered && i < 3 * told.triangles; i++)
		*answered = surface->triangles[i] < told.vertices;
	return *answered;
}

/* A reason for the end of a child that has not answered. */
static bool tell_end(const struct job *job, int status, bool late, char reason[FILE_READ_REASON])
{
	if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		return file_reason(reason, "takes the reader of meshes more than %.0f s",
				   job->seconds * (late ? CLOCK_TIMES : 1.0));
	if (WIFSIGNALED(status))
		return file_reason(reason, "makes the reader of meshes crash (signal %d)",
				   WTERMSIG(status));
	return file_reason(reason, "makes the reader of meshes fail (status %d)",
			   WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static bool parse_apart(const struct job *job, struct mesh_surface *surface,
			char reason[FILE_READ_REASON])
{
	int ends[2], status = 0;
	if (pipe(ends) != 0)
		return file_reason(reason, "cannot be read (no pipe: %s)", strerror(errno));
	const double until = clock_seconds() + CLOCK_TIMES * job->seconds;
	const pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		be_parser(ends[1], job);
	}
	close(ends[1]);
	bool answered = true;
	bool good = child > 0 ? receive_surface(ends[0], until, surface, &answered, reason)
			      : file_reason(reason, "cannot be read (no child process: %s)",
					    strerror(errno));
	const int code = errno;
	const bool late = !answered && clock_seconds() >= until;
	close(ends[0]);
	if (child > 0) {
		if (late)
			kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	if (!answered)
		good = tell_end(job, status, late, reason);
	errno = code;
	return good;
}

bool mesh_bytes_read(const char *bytes, size_t length, const char *kind,
		     struct mesh_surface *surface, char reason[FILE_READ_REASON])
{
	const struct job job = {.bytes = bytes,
				.kind = kind,
				.length = length,
				.seconds = PARSER_SECONDS + SECONDS_EACH * (double)length,
				.crash = fault_is_due(FAULT_PARSER)};
	errno = 0;
	/* Without an end of the header assimp looks for it for ever. */
	const bool good = length == 0 ? file_reason(reason, "is empty")
			  : strcmp(kind, "ply") == 0 && !strstr(bytes, "end_header")
				  ? file_reason(reason, "has no end of its header")
				  : parse_apart(&job, surface, reason);
	const bool short_of_memory = !good && errno == ENOMEM;
	if (!good)
		mesh_surface_free(surface);
	errno = short_of_memory ? ENOMEM : 0;
	return good;
}

bool mesh_file_read(const char *path, struct mesh_surface *surface, char reason[FILE_READ_REASON])
{
	const char *kind = kind_of(path);
	size_t length = 0;
	if (!kind) {
		errno = 0;
		return file_reason(reason, "is not of a kind that is read (.obj, .ply or .stl)");
	}
	char *bytes = file_read(path, MOST_BYTES, &length, reason);
	const bool good = bytes && mesh_bytes_read(bytes, length, kind, surface, reason);
	const int code = errno;
	free(bytes);
	errno = code;
	return good;
}
