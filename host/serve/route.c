#include "route.h"

#include <stdio.h>
#include <string.h>

static const struct served_file {
	const char *name, *type;
	bool grows;
} served_files[] = {
	{"run.json", "application/json", false},
	{"stats.csv", "text/csv; charset=utf-8", true},
	{"probes.csv", "text/csv; charset=utf-8", true},
	{"forces.csv", "text/csv; charset=utf-8", true},
};
#define SERVED_FILES (sizeof(served_files) / sizeof(served_files[0]))

/* "127.0.0.1:PORT" or "localhost:PORT"? */
static bool is_here(const char *host, unsigned port)
{
	char own[32];
	snprintf(own, sizeof(own), "127.0.0.1:%u", port);
	if (strcmp(host, own) == 0)
		return true;
	snprintf(own, sizeof(own), "localhost:%u", port);
	return strcmp(host, own) == 0;
}

static bool is_foreign(const struct route_request *request, unsigned port)
{
	static const char scheme[] = "http://";
	const char *origin = request->origin, *site = request->fetch_site;
	if (!request->host || !is_here(request->host, port))
		return true;
	if (origin && (strncmp(origin, scheme, strlen(scheme)) != 0 ||
		       !is_here(origin + strlen(scheme), port)))
		return true;
	return site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
}

/* "frames/frame_000000.png", with six to ten digits. */
static bool find_picture(const char *name, struct route *route)
{
	static const char stem[] = "frames/frame_";
	if (strncmp(name, stem, strlen(stem)) != 0)
		return false;
	const char *digits = name + strlen(stem);
	const size_t count = strspn(digits, "0123456789");
	if (count < 6 || count > 10 || strcmp(digits + count, ".png") != 0)
		return false;
	snprintf(route->file, sizeof(route->file), "%s%.*s.png", stem, (int)count, digits);
	route->type = "image/png";
	return true;
}

static bool find_file(const char *name, struct route *route)
{
	for (size_t i = 0; i < SERVED_FILES; i++)
		if (strcmp(name, served_files[i].name) == 0) {
			snprintf(route->file, sizeof(route->file), "%s", served_files[i].name);
			route->type = served_files[i].type;
			route->grows = served_files[i].grows;
			return true;
		}
	return find_picture(name, route);
}

static enum route_kind find_kind(const char *path, size_t run_count, struct route *route)
{
	if (strcmp(path, "/") == 0)
		return ROUTE_PAGE;
	/* "/N/": a digit is enough for as many runs as a page has. */
	if (path[0] != '/' || path[1] < '0' || path[1] > '9' || path[2] != '/')
		return ROUTE_NONE;
	route->run = (size_t)(path[1] - '0');
	if (route->run >= run_count)
		return ROUTE_NONE;
	if (strcmp(path + 3, "state.json") == 0) {
		route->type = "application/json";
		return ROUTE_STATE;
	}
	return find_file(path + 3, route) ? ROUTE_FILE_OF_RUN : ROUTE_NONE;
}

void route_find(const struct route_request *request, size_t run_count, unsigned port,
		struct route *route)
{
	*route = (struct route){.type = "text/html; charset=utf-8"};
	if (is_foreign(request, port)) {
		route->status = 403;
	} else if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0) {
		route->status = 405;
	} else {
		route->kind = find_kind(request->path, run_count, route);
		route->status = route->kind == ROUTE_NONE ? 404 : 200;
	}
}
