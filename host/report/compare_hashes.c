/* State hashes of two runs, frame by frame. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "compare_parts.h"
#include "file.h"
#include "run_json_read.h"
#include "stats_csv_read.h"

struct hashes {
	struct published_frame *frames; /* owned */
	size_t count;
};

/* Those of stats.csv, which also runs that were killed have; without it those of run.json. */
static bool read_hashes(const char *directory, struct hashes *hashes)
{
	struct published_run run;
	struct stat status;
	char *stats = file_join(directory, "stats.csv"), *json = file_join(directory, "run.json");
	*hashes = (struct hashes){0};
	bool ok = stats && json;
	if (!ok) {
		errno = ENOMEM;
	} else if (stat(stats, &status) == 0) {
		ok = stats_csv_read_frames(stats, &hashes->frames, &hashes->count);
	} else if (stat(json, &status) == 0) {
		ok = run_json_read(json, &run);
		if (ok) {
			*hashes = (struct hashes){run.frames, run.frame_count};
			run.frames = NULL;
			published_run_free(&run);
		}
	}
	const int code = errno;
	free(stats);
	free(json);
	errno = code;
	return ok;
}

static void compare_them(struct comparison *self, const struct hashes *a, const struct hashes *b)
{
	size_t i = 0, j = 0, both = 0, differ = 0, alone[2] = {0, 0};
	int first = -1;
	const bool counts = self->options->tolerance_count == 0;
	while (i < a->count || j < b->count) {
		const bool in_a =
			i < a->count && (j >= b->count || a->frames[i].frame <= b->frames[j].frame);
		const bool in_b =
			j < b->count && (i >= a->count || b->frames[j].frame <= a->frames[i].frame);
		if (in_a && in_b) {
			both++;
			if (a->frames[i].hash != b->frames[j].hash && differ++ == 0)
				first = a->frames[i].frame;
		}
		alone[0] += in_a && !in_b;
		alone[1] += in_b && !in_a;
		i += in_a;
		j += in_b;
	}
	if (alone[0] || alone[1])
		compare_say(self, counts, "hashes",
			    "%zu frames in both, %zu in A alone, %zu in B alone", both, alone[0],
			    alone[1]);
	if (differ)
		compare_say(self, counts, "hashes", "%zu of %zu frames differ, from frame %d on",
			    differ, both, first);
	else
		compare_say(self, false, "hashes", "%zu frames have the same bits", both);
}

bool compare_hashes(struct comparison *self)
{
	struct hashes hashes[2] = {{0}, {0}};
	const bool ok = read_hashes(self->options->runs[0], &hashes[0]) &&
			read_hashes(self->options->runs[1], &hashes[1]);
	if (ok)
		compare_them(self, &hashes[0], &hashes[1]);
	const int code = errno;
	free(hashes[0].frames);
	free(hashes[1].frames);
	errno = code;
	return ok;
}
