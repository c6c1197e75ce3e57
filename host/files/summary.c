#include "summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "sim.h"

#define RECENT_FRAMES 8 /* how many the forecast looks back */

void summary_add_substep(struct summary *summary, const struct step_stats *stats, double seconds)
{
	summary->last = *stats;
	if (stats->substep == 0) {
		summary->first = *stats;
		return;
	}
	summary->substeps++;
	if (summary->compiled) {
		summary->substeps_timed++;
		summary->substep_seconds += seconds;
	} else {
		summary->first_seconds += seconds;
		summary->compiled = true;
	}
	summary->iterations += (u64)stats->pressure_iterations;
	if (stats->pressure_iterations > summary->iterations_most)
		summary->iterations_most = stats->pressure_iterations;
	summary->solves += (u64)stats->pressure_solves;
	summary->limit_hits += (u64)stats->pressure_limits;
	summary->drift_solves += (u64)stats->drift_solves;
	summary->drift_limit_hits += (u64)stats->drift_limits;
}

bool summary_add_frame(struct summary *summary, double seconds)
{
	if (summary->frame_count == summary->frame_capacity) {
		size_t capacity = summary->frame_capacity * 2 + 64;
		struct frame_record *grown = realloc(summary->frames, capacity * sizeof(*grown));
		if (!grown)
			return message_memory(capacity * sizeof(*grown), "the list of frames");
		summary->frames = grown;
		summary->frame_capacity = capacity;
	}
	const struct step_stats *last = &summary->last;
	summary->frames[summary->frame_count++] = (struct frame_record){
		.frame = last->frame,
		.substeps = last->substep,
		.time = last->time,
		.seconds = seconds,
		.hash = last->hash,
	};
	if (fabs(last->volume_error) > fabs(summary->volume_error_worst)) {
		summary->volume_error_worst = last->volume_error;
		summary->volume_error_frame = last->frame;
	}
	return true;
}

void summary_free(struct summary *summary)
{
	free(summary->frames);
	*summary = (struct summary){0};
}

double summary_iterations_mean(const struct summary *summary)
{
	return summary->substeps ? (double)summary->iterations / (double)summary->substeps : 0.0;
}

double summary_ms_per_substep(const struct summary *summary)
{
	return summary->substeps_timed > 0
		       ? 1e3 * summary->substep_seconds / (double)summary->substeps_timed
		       : 0.0;
}

/* Seconds the remaining frames will take, at the speed of the latest ones; < 0: unknown. */
static double remaining_seconds(const struct summary *summary, const struct scene *scene)
{
	size_t count = summary->frame_count;
	if (count < 2)
		return -1.0;
	size_t recent = count - 1 < RECENT_FRAMES ? count - 1 : RECENT_FRAMES;
	double seconds = 0.0;
	for (size_t i = count - recent; i < count; i++)
		seconds += summary->frames[i].seconds;
	/* What the compilation took will not be needed again. */
	if (recent == count - 1) {
		if (summary->substeps_timed == 0)
			return -1.0;
		const double firsts = (double)(summary->substeps - summary->substeps_timed);
		seconds += 1e-3 * summary_ms_per_substep(summary) * firsts - summary->first_seconds;
	}
	double remaining = (double)scene->time.frames - summary->last.time * scene->time.fps;
	return seconds / (double)recent * (remaining > 0.0 ? remaining : 0.0);
}

const char *summary_duration(double seconds, char text[SUMMARY_DURATION])
{
	long s = lround(seconds);
	if (s >= 3600)
		snprintf(text, SUMMARY_DURATION, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
	else
		snprintf(text, SUMMARY_DURATION, "%ld:%02ld", s / 60, s % 60);
	return text;
}

double summary_outside(const struct summary *summary, double total)
{
	const double rest = total - summary->substep_seconds - summary->first_seconds;
	return rest > 0.0 ? rest : 0.0;
}

const char *summary_milliseconds(double ms, char text[SUMMARY_NUMBER])
{
	snprintf(text, SUMMARY_NUMBER, "%.*f", ms < 9.995 ? 2 : ms < 99.95 ? 1 : 0, ms);
	return text;
}

const char *summary_line(const struct summary *summary, const struct scene *scene,
			 char text[SUMMARY_LINE])
{
	const struct step_stats *last = &summary->last;
	char remaining[64] = "", speed[64] = "", number[SUMMARY_NUMBER];
	char particles[32] = "", iterations[32] = "";
	double seconds = remaining_seconds(summary, scene);
	if (seconds >= 0.0 && last->frame < scene->time.frames) {
		char duration[SUMMARY_DURATION];
		snprintf(remaining, sizeof(remaining), "  ETA %s",
			 summary_duration(seconds, duration));
	}
	if (summary->substeps_timed > 0)
		snprintf(speed, sizeof(speed), "  %s ms/substep",
			 summary_milliseconds(summary_ms_per_substep(summary), number));
	if (sim_has(scene, PART_PARTICLES))
		snprintf(particles, sizeof(particles), "  %" PRIu32 " particles", last->particles);
	if (sim_has(scene, PART_SOLVER))
		snprintf(iterations, sizeof(iterations), "  %d iterations",
			 last->pressure_iterations);
	/* What a narrow terminal has no room for comes last. */
	snprintf(text, SUMMARY_LINE, "frame %d/%d%s  t %.4f s%s%s%s  dt %.3g ms", last->frame,
		 scene->time.frames, remaining, last->time, speed, particles, iterations,
		 1e3 * last->dt);
	return text;
}
