/* Simulations that are measured: their scenes, and whether they fit. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

/* Cuts the third number off every list of three. */
static void flatten_text(char *text)
{
	char *to = text, *open = NULL, *third = NULL;
	int commas = 0;
	for (const char *from = text; *from; from++) {
		if (*from == '[') {
			open = to;
			commas = 0;
		} else if (*from == ',' && open && ++commas == 2) {
			third = to;
		} else if (*from == ']') {
			if (open && commas == 2)
				to = third;
			open = NULL;
		}
		*to++ = *from;
	}
	*to = '\0';
}

static void keep_reason(enum message_level level, const char *text, void *user)
{
	char *reason = user;
	if (level == MESSAGE_PROGRESS && !message_progress_due())
		return;
	fprintf(stderr, "freshet: %s\n", text);
	if (level == MESSAGE_ERROR)
		snprintf(reason, BENCH_REASON, "%.255s", text);
}

struct scene *bench_read_scene(int dim, char reason[BENCH_REASON], const char *format, ...)
{
	char text[2048];
	va_list args;
	va_start(args, format);
	/* What does not fit is cut off, which the reader would notice. */
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (dim == 2)
		flatten_text(text);
	message_set_sink(keep_reason, reason);
	struct scene *scene = scene_read_text(text, strlen(text), "bench");
	message_set_sink(NULL, NULL);
	return scene;
}

struct sim *bench_create_sim(const struct scene *scene, const struct sim_particles *given,
			     struct clx *cl, char reason[BENCH_REASON])
{
	message_set_sink(keep_reason, reason);
	struct sim *sim =
		given ? sim_create_from_particles(scene, cl, given) : sim_create(scene, cl);
	message_set_sink(NULL, NULL);
	if (sim)
		reason[0] = '\0';
	return sim;
}
