/* The server of a build without libmicrohttpd. */
#include "message.h"
#include "server.h"

#ifndef FRESHET_MICROHTTPD

bool server_is_possible(enum exit_code *code)
{
	*code = CODE_REFUSED;
	return message_error(
		"this freshet was built without libmicrohttpd: it has neither 'serve' nor "
		"'run --watch' (Debian: apt-get install libmicrohttpd-dev, and build again)");
}

struct server *server_start(const struct server_options *options, enum exit_code *code)
{
	(void)options;
	(void)server_is_possible(code);
	return NULL;
}

unsigned server_port(const struct server *server)
{
	(void)server;
	return 0;
}

void server_stop(struct server *server)
{
	(void)server;
}

enum exit_code serve_runs(const struct server_options *options, bool quiet)
{
	enum exit_code code;
	(void)quiet;
	(void)server_start(options, &code);
	return code;
}

#endif
