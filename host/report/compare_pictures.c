/* Pictures of two runs, pixel by pixel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare_parts.h"
#include "file.h"
#include "file_read.h"
#include "numbered_files.h"
#include "picture_read.h"

#define PICTURE_BYTES ((size_t)1 << 28)
#define CHANNELS 3

struct pictures {
	char *folder[2];
	int *frames[2];
	size_t count[2];
};

/* Over all frames. */
struct picture_sum {
	size_t both, alone[2], differ, sizes;
	int most, most_frame, first; /* levels; frames, -1 = none */
};

static int greatest_level(const unsigned char *a, const unsigned char *b, size_t count)
{
	int most = 0;
	for (size_t i = 0; i < count; i++) {
		const int off = abs(a[i] - b[i]);
		most = off > most ? off : most;
	}
	return most;
}

/* The greatest difference in levels; -1: the sizes differ, -2: one cannot be read, which has been
 * reported. */
static int compare_files(char *const paths[2])
{
	char reason[FILE_READ_REASON];
	unsigned char *pixels[2] = {NULL, NULL};
	char *data[2] = {NULL, NULL};
	size_t length[2] = {0, 0};
	int width[2], height[2], result = -2;
	for (int t = 0; t < 2; t++) {
		data[t] = file_read(paths[t], PICTURE_BYTES, &length[t], reason);
		if (!data[t]) {
			file_refuse(paths[t], reason);
			goto end;
		}
	}
	result = 0;
	if (length[0] == length[1] && memcmp(data[0], data[1], length[0]) == 0)
		goto end;
	for (int t = 0; t < 2 && result == 0; t++) {
		pixels[t] = picture_read(data[t], length[t], CHANNELS, &width[t], &height[t]);
		if (!pixels[t]) {
			message_error("'%s' is no picture (PNG)", paths[t]);
			errno = 0;
			result = -2;
		}
	}
	if (result == 0)
		result = width[0] != width[1] || height[0] != height[1]
				 ? -1
				 : greatest_level(pixels[0], pixels[1],
						  (size_t)width[0] * (size_t)height[0] * CHANNELS);
end:
	for (int t = 0; t < 2; t++) {
		const int code = errno;
		picture_free(pixels[t]);
		free(data[t]);
		errno = code;
	}
	return result;
}

static bool compare_frame(const struct pictures *pictures, int frame, struct picture_sum *sum,
			  int allowed)
{
	char *paths[2];
	for (int t = 0; t < 2; t++)
		paths[t] = pictures->folder[t] ? numbered_file_path(pictures->folder[t],
								    NUMBERED_PICTURES, frame)
					       : NULL;
	const int off = paths[0] && paths[1] ? compare_files(paths) : -2;
	free(paths[0]);
	free(paths[1]);
	sum->both++;
	sum->sizes += off == -1;
	if (off == -1 || off > allowed) {
		sum->differ++;
		if (sum->first < 0)
			sum->first = frame;
	}
	if (off > sum->most) {
		sum->most = off;
		sum->most_frame = frame;
	}
	return off != -2;
}

static bool walk(const struct pictures *pictures, struct picture_sum *sum, int allowed)
{
	size_t a = 0, b = 0;
	while (a < pictures->count[0] || b < pictures->count[1]) {
		const bool in_a = a < pictures->count[0] &&
				  (b >= pictures->count[1] ||
				   pictures->frames[0][a] <= pictures->frames[1][b]);
		const bool in_b = b < pictures->count[1] &&
				  (a >= pictures->count[0] ||
				   pictures->frames[1][b] <= pictures->frames[0][a]);
		if (in_a && in_b && !compare_frame(pictures, pictures->frames[0][a], sum, allowed))
			return false;
		sum->alone[0] += in_a && !in_b;
		sum->alone[1] += in_b && !in_a;
		a += in_a;
		b += in_b;
	}
	return true;
}

static void tell(struct comparison *self, const struct picture_sum *sum, bool counts, int allowed)
{
	if (sum->alone[0] || sum->alone[1])
		compare_say(self, counts, COMPARE_PICTURES,
			    "%zu in both, %zu in A alone, %zu in B alone", sum->both, sum->alone[0],
			    sum->alone[1]);
	if (sum->sizes)
		compare_say(self, counts, COMPARE_PICTURES, "%zu have other sizes", sum->sizes);
	if (sum->differ)
		compare_say(
			self, counts, COMPARE_PICTURES,
			"%zu of %zu differ, from frame %d on; by %d levels of 255 at most, in frame %d",
			sum->differ, sum->both, sum->first, sum->most, sum->most_frame);
	else if (sum->both)
		compare_say(self, false, COMPARE_PICTURES, "%zu are the same%s", sum->both,
			    allowed ? ", within the tolerance" : "");
}

bool compare_pictures(struct comparison *self)
{
	const struct compare_options *options = self->options;
	struct compare_tolerance *tolerance = compare_tolerance_of(options, COMPARE_PICTURES);
	const int allowed = tolerance ? (int)tolerance->value : 0;
	struct picture_sum sum = {.most_frame = -1, .first = -1};
	struct pictures pictures = {0};
	bool ok = true;
	if (tolerance)
		tolerance->found = true;
	for (int t = 0; t < 2 && ok; t++) {
		pictures.folder[t] =
			file_join(options->runs[t], numbered_kinds[NUMBERED_PICTURES].folder);
		ok = pictures.folder[t] &&
		     numbered_files_list(options->runs[t], NUMBERED_PICTURES, &pictures.frames[t],
					 &pictures.count[t]);
	}
	ok = ok && walk(&pictures, &sum, allowed);
	if (ok)
		tell(self, &sum, tolerance || options->tolerance_count == 0, allowed);
	const int code = errno;
	for (int t = 0; t < 2; t++) {
		free(pictures.folder[t]);
		free(pictures.frames[t]);
	}
	errno = code;
	return ok;
}
