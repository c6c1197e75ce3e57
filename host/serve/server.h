/*
 * The page of runs over HTTP, for browsers on this machine: freshet serve, freshet run --watch.
 *
 * It listens on 127.0.0.1 alone and answers in a thread of its own (GNU libmicrohttpd); what runs
 * beside it notices nothing.  Files are read, none is written.  Which requests are answered is
 * route.h's matter.  Built without libmicrohttpd all functions fail with an error that says so.
 */
#ifndef FRESHET_SERVER_H
#define FRESHET_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "exit_code.h"
#include "page.h"

#define SERVER_PORT 8613 /* if no other is asked for */

struct server;

struct server_options {
	const char *runs[PAGE_RUNS]; /* directories; copied */
	size_t run_count;
	unsigned port; /* 0: SERVER_PORT, or any free one if that is taken */
	bool own;      /* this process writes the one run: it goes on until server_stop() */
};

/* Is it built, and is dygraphs there?  False after reporting; *code then tells what to end with. */
bool server_is_possible(enum exit_code *code);
/* NULL after reporting; *code then tells what to end with. */
struct server *server_start(const struct server_options *options, enum exit_code *code);
unsigned server_port(const struct server *server);
/* Ends it; frees all.  If a browser follows, it first gets some seconds to see the end.  Accepts
 * NULL. */
void server_stop(struct server *server);

/* Serves until SIGINT, SIGTERM or SIGHUP, which are no error. */
enum exit_code serve_runs(const struct server_options *options, bool quiet);

#endif
