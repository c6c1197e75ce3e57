/* What a request to the server of runs asks for.  Whatever it does not name word by word is
 * refused: no path of a request ever becomes a path of a file. */
#ifndef FRESHET_ROUTE_H
#define FRESHET_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#define ROUTE_FILE 48 /* bytes of the longest name of a file */

/* NULL: the request has no such header. */
struct route_request {
	const char *method, *path; /* the path as it came, without "?" and what follows */
	const char *host, *origin; /* headers */
	const char *fetch_site;	   /* header Sec-Fetch-Site */
};

enum route_kind {
	ROUTE_NONE,  /* refused: `status` tells why */
	ROUTE_PAGE,  /* "/" */
	ROUTE_STATE, /* "/N/state.json" */
	ROUTE_FILE_OF_RUN,
};

struct route {
	enum route_kind kind;
	unsigned status;       /* of HTTP: 200, 403 foreign, 404 not there, 405 not GET or HEAD */
	size_t run;	       /* N */
	char file[ROUTE_FILE]; /* below the run's directory */
	const char *type;      /* of its contents */
	bool grows;	       /* a table: "?from=BYTE" is allowed */
};

/* `port`: the server's own, which Host must name, with 127.0.0.1 or localhost: a page of another
 * host, also one whose name leads here, gets nothing. */
void route_find(const struct route_request *request, size_t run_count, unsigned port,
		struct route *route);

#endif
