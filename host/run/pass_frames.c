#include "pass_frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint/checkpoint.h"
#include "file.h"
#include "message.h"
#include "numbered_files.h"

#define MISSING_TOLD 5 /* frames by number; the rest is counted */

char *pass_frame_path(const char *directory, const struct pass_frame *frame)
{
	char *folder = file_join(directory, numbered_kinds[frame->file].folder);
	char *path = folder ? numbered_file_path(folder, frame->file, frame->frame) : NULL;
	free(folder);
	return path;
}

void pass_frames_free(struct pass_frames *frames)
{
	free(frames->list);
	*frames = (struct pass_frames){0};
}

/* ---- what there is ------------------------------------------------------------------------ */

static int compare_frames(const void *a, const void *b)
{
	const struct pass_frame *one = a, *two = b;
	return (one->frame > two->frame) - (one->frame < two->frame);
}

static bool is_listed(const struct pass_frame *list, size_t count, const struct pass_frame *frame)
{
	return count > 0 && bsearch(frame, list, count, sizeof(*list), compare_frames);
}

/* Adds the files of one kind, of frames that have none so far. */
static bool add_files(struct pass_frames *frames, const char *directory, enum numbered_files file)
{
	int *numbers;
	size_t count;
	bool ok = numbered_files_list(directory, file, &numbers, &count);
	if (!ok || count == 0)
		return ok;
	const size_t before = frames->count;
	struct pass_frame *grown = realloc(frames->list, (before + count) * sizeof(*grown));
	ok = grown || message_memory((before + count) * sizeof(*grown), "the list of frames");
	if (ok) {
		frames->list = grown;
		for (size_t i = 0; i < count; i++) {
			const struct pass_frame frame = {numbers[i], file};
			if (!is_listed(grown, before, &frame))
				grown[frames->count++] = frame;
		}
		qsort(grown, frames->count, sizeof(*grown), compare_frames);
	}
	free(numbers);
	return ok;
}

/* Those of all formats, that of the scene first: a run that was resumed may have changed it. */
static bool add_formats(struct pass_frames *frames, const char *directory,
			enum numbered_files first, unsigned count, unsigned preferred)
{
	bool ok = add_files(frames, directory, first + preferred);
	for (unsigned format = 0; format < count && ok; format++)
		ok = format == preferred || add_files(frames, directory, first + format);
	return ok;
}

/* Is the checkpoint the state of a frame? */
static bool is_frame(const char *directory, const struct pass_frame *frame)
{
	struct checkpoint checkpoint = {0};
	char reason[FILE_READ_REASON];
	bool whole = false;
	char *path = pass_frame_path(directory, frame);
	if (!path)
		return false;
	if (checkpoint_read(path, false, &checkpoint, reason))
		whole = checkpoint.frame == frame->frame && checkpoint.substep == 0;
	else
		message_warning("'%s' %s: not used", path, reason);
	checkpoint_free(&checkpoint);
	free(path);
	return whole;
}

static void drop_checkpoints(struct pass_frames *frames, const char *directory)
{
	size_t kept = 0;
	for (size_t i = 0; i < frames->count; i++)
		if (frames->list[i].file != NUMBERED_CHECKPOINTS ||
		    is_frame(directory, &frames->list[i]))
			frames->list[kept++] = frames->list[i];
	frames->count = kept;
}

bool pass_frames_find(const char *directory, const struct scene *scene, enum pass_source source,
		      struct pass_frames *frames)
{
	*frames = (struct pass_frames){0};
	bool ok = true;
	if (source == PASS_FIELDS) {
		ok = add_formats(frames, directory, NUMBERED_FIELDS, FIELD_FORMAT_COUNT,
				 scene->output.fields_format);
		frames->step = scene->output.fields_every;
	}
	if (source == PASS_ANY || source == PASS_PARTICLES) {
		ok = add_formats(frames, directory, NUMBERED_PARTICLES, PARTICLE_FORMAT_COUNT,
				 scene->output.particles_format);
		frames->step = frames->count > 0 ? scene->output.particles_every : 0;
	}
	if (ok && (source == PASS_ANY || source == PASS_CHECKPOINTS)) {
		ok = add_files(frames, directory, NUMBERED_CHECKPOINTS);
		drop_checkpoints(frames, directory);
	}
	if (!ok)
		pass_frames_free(frames);
	return ok;
}

/* ---- what is asked for -------------------------------------------------------------------- */

/* "5, 7, 9 and 3 more", and why. */
struct missing {
	char text[160];
	size_t count, length;
};

static void add_missing(struct missing *missing, int frame)
{
	if (missing->count++ < MISSING_TOLD)
		missing->length += (size_t)snprintf(missing->text + missing->length,
						    sizeof(missing->text) - missing->length, "%s%d",
						    missing->count > 1 ? ", " : "", frame);
}

static bool report_missing(const struct missing *missing, const struct pass_frames *there,
			   const char *directory)
{
	char more[48] = "", step[80] = "", range[64];
	if (missing->count > MISSING_TOLD)
		snprintf(more, sizeof(more), " and %zu more", missing->count - MISSING_TOLD);
	if (there->step > 1)
		snprintf(step, sizeof(step), "; the run wrote one frame in %d (--every)",
			 there->step);
	else if (there->list[0].file == NUMBERED_CHECKPOINTS)
		snprintf(step, sizeof(step),
			 "; output.particles in its scene writes files of all frames");
	snprintf(range, sizeof(range), "%zu of frames %d to %d", there->count, there->list[0].frame,
		 there->list[there->count - 1].frame);
	return message_error("'%s' has no files of frame%s %s%s; it has %s%s", directory,
			     missing->count == 1 ? "" : "s", missing->text, more, range, step);
}

bool pass_frames_choose(struct pass_frames *frames, const char *directory,
			const struct pass_choice *choice)
{
	struct missing missing = {0};
	const int end = frames->list[frames->count - 1].frame;
	const int first = choice->given ? choice->first : frames->list[0].frame;
	const int last = choice->given && choice->last >= 0 ? choice->last : end;
	size_t at = 0, kept = 0;
	struct pass_frame *list = malloc(frames->count * sizeof(*list));
	if (!list)
		return message_memory(frames->count * sizeof(*list), "the list of frames");
	for (int f = first; f <= last; f++) {
		if (f > end && missing.count > MISSING_TOLD) { /* the rest is only counted */
			missing.count += (size_t)(last / choice->every - (f - 1) / choice->every);
			break;
		}
		while (at < frames->count && frames->list[at].frame < f)
			at++;
		if (f % choice->every != 0)
			continue;
		if (at < frames->count && frames->list[at].frame == f)
			list[kept++] = frames->list[at];
		else if (choice->given || (frames->step > 0 && f % frames->step == 0))
			add_missing(&missing, f);
	}
	bool ok = missing.count == 0 || report_missing(&missing, frames, directory);
	if (ok && kept == 0)
		ok = message_error("'%s' has no files of frames %d to %d that are multiples of %d",
				   directory, first, last, choice->every);
	if (ok)
		memcpy(frames->list, list, kept * sizeof(*list));
	frames->count = ok ? kept : frames->count;
	free(list);
	return ok;
}
