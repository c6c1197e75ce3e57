/* With libmicrohttpd; server_none.c is for builds without. */
#include "server.h"

#ifdef FRESHET_MICROHTTPD
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "message.h"
#include "number.h"
#include "page_run.h"
#include "route.h"
#include "run_state.h"

#define CONNECTIONS 128 /* at a time */
#define IDLE_SECONDS 10 /* until one is closed */
#define FOLLOWED 3.0	/* s since the last question: a browser follows */
#define LAST_LOOK 3.0	/* s that it gets to see the end */

struct server {
	struct MHD_Daemon *daemon;
	char *directories[PAGE_RUNS], *names[PAGE_RUNS]; /* owned */
	size_t run_count;
	unsigned port;
	char *page; /* owned */
	size_t page_length;
	_Atomic bool own;
	_Atomic double asked; /* s; when the last state was asked for */
};

static void free_server(struct server *server)
{
	for (size_t r = 0; r < server->run_count; r++) {
		free(server->directories[r]);
		free(server->names[r]);
	}
	free(server->page);
	free(server);
}

/* ---- answers, in the server's thread ------------------------------------------------------ */

static struct MHD_Response *refusal(unsigned status)
{
	static char foreign[] = "this page is for this machine alone\n", missing[] = "not there\n",
		    method[] = "GET and HEAD only\n", range[] = "the file is shorter\n";
	char *text = status == 403   ? foreign
		     : status == 405 ? method
		     : status == 416 ? range
				     : missing;
	return MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *answer_state(struct server *server, const struct route *route)
{
	size_t length;
	server->asked = clock_seconds();
	char *text = run_state_text(server->directories[route->run], server->own, &length);
	struct MHD_Response *response =
		text ? MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE) : NULL;
	if (!response)
		free(text);
	return response;
}

/* A file from a byte on.  *status: what became of it. */
static struct MHD_Response *answer_file(const struct server *server, const struct route *route,
					const char *from, unsigned *status)
{
	struct stat found;
	uint64_t start = 0;
	char *path = file_join(server->directories[route->run], route->file);
	const int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	free(path);
	*status = 404;
	if (fd >= 0 && fstat(fd, &found) == 0 && S_ISREG(found.st_mode)) {
		*status = 200;
		if (route->grows && from && !number_read_count(from, INT64_MAX, &start))
			*status = 404;
		else if (start > (uint64_t)found.st_size)
			*status = 416;
	}
	struct MHD_Response *response =
		*status != 200 ? refusal(*status)
			       : MHD_create_response_from_fd_at_offset64(
					 (uint64_t)found.st_size - start, fd, start);
	if (fd >= 0 && (*status != 200 || !response))
		close(fd);
	return response;
}

static struct MHD_Response *answer(struct server *server, const struct route *route,
				   const char *from, unsigned *status)
{
	*status = route->status;
	switch (route->kind) {
	case ROUTE_NONE:
		break;
	case ROUTE_PAGE:
		return MHD_create_response_from_buffer(server->page_length, server->page,
						       MHD_RESPMEM_PERSISTENT);
	case ROUTE_STATE:
		return answer_state(server, route);
	case ROUTE_FILE_OF_RUN:
		return answer_file(server, route, from, status);
	}
	return refusal(*status);
}

static void add_headers(struct MHD_Response *response, const struct route *route, unsigned status)
{
	MHD_add_response_header(response, "Content-Type",
				status == 200 ? route->type : "text/plain; charset=utf-8");
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "X-Frame-Options", "DENY");
	MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
}

static enum MHD_Result handle_request(void *user, struct MHD_Connection *connection,
				      const char *url, const char *method, const char *version,
				      const char *upload, size_t *upload_size, void **seen)
{
	static int marker;
	(void)version;
	(void)upload;
	/* The first call is for the headers alone.  What is sent up is not read: there is an answer
	 * at once. */
	if (!*seen) {
		*seen = &marker;
		return MHD_YES;
	}
	*upload_size = 0;
	const struct route_request request = {
		.method = method,
		.path = url,
		.host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
		.origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
		.fetch_site =
			MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site"),
	};
	struct server *server = user;
	struct route route;
	unsigned status;
	route_find(&request, server->run_count, server->port, &route);
	struct MHD_Response *response = answer(
		server, &route,
		MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "from"), &status);
	if (!response)
		return MHD_NO;
	add_headers(response, &route, status);
	const enum MHD_Result result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* ---- start and end ------------------------------------------------------------------------ */

/* Bad requests are the browser's matter. */
static void drop_log(void *user, const char *format, va_list args)
{
	(void)user;
	(void)format;
	(void)args;
}

/* No path that is answered has a "%": what has one stays as it is, and is not there. */
static size_t keep_escapes(void *user, struct MHD_Connection *connection, char *text)
{
	(void)user;
	(void)connection;
	return strlen(text);
}

static struct MHD_Daemon *listen_on(struct server *server, unsigned port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | MHD_USE_ERROR_LOG, (uint16_t)port,
		NULL, NULL, handle_request, server, MHD_OPTION_EXTERNAL_LOGGER, drop_log, NULL,
		MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_SOCK_ADDR,
		(struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
}

/* The port has to be known before the first answer: Host is compared with it. */
static bool find_port(struct server *server)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
	server->port = info ? info->port : 0;
	return server->port != 0;
}

static bool listen_somewhere(struct server *server, unsigned port)
{
	server->daemon = listen_on(server, port ? port : SERVER_PORT);
	if (!server->daemon && !port)
		server->daemon = listen_on(server, 0);
	if (server->daemon && find_port(server))
		return true;
	return message_error("cannot listen on 127.0.0.1, port %u: %s", port ? port : SERVER_PORT,
			     errno ? strerror(errno) : "no reason is known");
}

bool server_is_possible(enum exit_code *code)
{
	*code = CODE_FAILED;
	return page_is_possible();
}

static bool copy_runs(struct server *server, const struct server_options *options)
{
	for (size_t r = 0; r < options->run_count; r++) {
		server->run_count = r + 1;
		server->directories[r] = strdup(options->runs[r]);
		server->names[r] = page_run_name(options->runs[r]);
		if (!server->directories[r] || !server->names[r])
			return message_memory(0, "the names of runs");
	}
	const char *names[PAGE_RUNS] = {NULL};
	memcpy(names, server->names, sizeof(names));
	server->page = page_served(names, server->run_count, &server->page_length);
	return server->page != NULL;
}

static bool holds_run(const char *directory)
{
	struct stat status;
	char *path = file_join(directory, "run.json");
	const bool found = path && stat(path, &status) == 0;
	free(path);
	return found || message_error("'%s' holds no run (no run.json)", directory);
}

struct server *server_start(const struct server_options *options, enum exit_code *code)
{
	*code = CODE_REFUSED;
	for (size_t r = 0; r < options->run_count; r++)
		if (!holds_run(options->runs[r]))
			return NULL;
	*code = CODE_FAILED;
	struct server *server = calloc(1, sizeof(*server));
	if (!server) {
		message_memory(sizeof(*server), "the server of the page");
		return NULL;
	}
	server->own = options->own;
	if (!copy_runs(server, options) || !listen_somewhere(server, options->port)) {
		if (server->daemon)
			MHD_stop_daemon(server->daemon);
		free_server(server);
		return NULL;
	}
	*code = CODE_DONE;
	return server;
}

unsigned server_port(const struct server *server)
{
	return server->port;
}

void server_stop(struct server *server)
{
	if (!server)
		return;
	const bool was_own = server->own;
	server->own = false;
	if (was_own && server->asked > 0 && clock_seconds() - server->asked < FOLLOWED) {
		const struct timespec wait = {.tv_sec = (time_t)LAST_LOOK};
		nanosleep(&wait, NULL); /* a signal ends it early */
	}
	MHD_stop_daemon(server->daemon);
	free_server(server);
}

enum exit_code serve_runs(const struct server_options *options, bool quiet)
{
	enum exit_code code;
	sigset_t ends;
	int number;
	/* Before the server's thread is made, which then has them blocked too. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	struct server *server = server_start(options, &code);
	if (!server)
		return code;
	if (!quiet) {
		printf("http://127.0.0.1:%u/  (Ctrl-C ends it)\n", server->port);
		fflush(stdout);
	}
	sigwait(&ends, &number);
	server_stop(server);
	return CODE_DONE;
}

#endif
