/* When checkpoints of a run are written, and what is in them besides the state. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "data_files.h"
#include "environment.h"
#include "message.h"
#include "number.h"
#include "numbered_files.h"
#include "resume.h"
#include "run.h"

/* Clock time after which one is due in any case. */
#define SECONDS_BETWEEN 300.0

/* All that was written before the checkpoint must be on the disk before it. */
static bool sync_files(struct run *run)
{
	return picture_files_wait(&run->pictures) && mesh_files_wait(&run->mesh) &&
	       data_files_wait(run->data) && append_file_sync(&run->stats) &&
	       append_file_sync(&run->probes) && append_file_sync(&run->forces) &&
	       append_file_sync(&run->bodies) && report_sync(&run->report);
}

static int64_t length_of(const struct append_file *file)
{
	return file->path ? file->written : -1;
}

static void remove_old(const struct run *run, const char *folder, int newest)
{
	int *frames;
	size_t count, kept = 0;
	if (!numbered_files_list(run->directory.path, NUMBERED_CHECKPOINTS, &frames, &count))
		return;
	for (size_t i = count; i-- > 0;) {
		if (frames[i] > newest || (int)kept++ < run->scene->output.checkpoint_keep)
			continue;
		char *path = numbered_file_path(folder, NUMBERED_CHECKPOINTS, frames[i]);
		if (path && unlink(path) != 0)
			message_warning("cannot remove '%s': %s", path, strerror(errno));
		free(path);
	}
	free(frames);
}

/* The run's part; the summary and the list of resumptions are only lent. */
static bool add_run(struct checkpoint *c, struct run *run)
{
	c->summary = run->summary;
	c->seconds = clock_seconds() - run->start_clock;
	c->stats_bytes = length_of(&run->stats);
	c->probes_bytes = length_of(&run->probes);
	c->forces_bytes = length_of(&run->forces);
	c->bodies_bytes = length_of(&run->bodies);
	c->log_bytes = length_of(&run->report.log);
	c->resumed_at = run->resume.from.resumed_at;
	c->resumed_count = run->resume.from.resumed_count;
	c->warnings = report_warnings_text(&run->report, &c->warnings_dropped);
	return c->warnings != NULL;
}

static bool write_checkpoint(struct run *run)
{
	struct checkpoint c = {0};
	const int frame = sim_instant(run->sim).frame;
	char name[NUMBERED_NAME];
	char *folder = run_directory_subdirectory(&run->directory,
						  numbered_kinds[NUMBERED_CHECKPOINTS].folder);
	numbered_file_name(NUMBERED_CHECKPOINTS, frame, name);
	const bool ok = folder && sync_files(run) && checkpoint_capture(&c, run->sim) &&
			add_run(&c, run) && checkpoint_write(&c, folder, name);
	c.summary = (struct summary){0};
	c.resumed_at = NULL;
	checkpoint_free(&c);
	if (ok)
		remove_old(run, folder, frame);
	free(folder);
	run->resume.written_at = clock_seconds();
	run->resume.write_failed = !ok;
	return ok;
}

bool resume_read_environment(double *seconds_between)
{
	const char *given = environment_value("FRESHET_CHECKPOINT_SECONDS");
	*seconds_between = SECONDS_BETWEEN;
	if (!given)
		return true;
	return (number_read(given, seconds_between) && *seconds_between >= 0) ||
	       message_error("FRESHET_CHECKPOINT_SECONDS='%.100s' is not a number of seconds from "
			     "0, like 60 or 0.5",
			     given);
}

bool resume_checkpoint_if_due(struct run *run)
{
	const struct scene *scene = run->scene;
	const int frame = sim_instant(run->sim).frame;
	const bool frame_due = sim_statistics(run->sim)->frame_end &&
			       scene->output.checkpoint_every > 0 &&
			       frame % scene->output.checkpoint_every == 0;
	const bool time_due =
		frame < scene->time.frames &&
		clock_seconds() - run->resume.written_at >= run->resume.seconds_between;
	return !(frame_due || time_due) || write_checkpoint(run);
}

bool resume_leave_checkpoint(struct run *run)
{
	const struct instant now = sim_instant(run->sim);
	char within[40] = "";
	if (!write_checkpoint(run))
		return false;
	if (now.substep > 0)
		snprintf(within, sizeof(within), ", substep %d of the next", now.substep);
	return report_line(&run->report, "checkpoint at frame %d%s; --resume goes on from there",
			   now.frame, within);
}
