/* What a run has done so far: totals for run.json, the end report and the progress line. */
#ifndef FRESHET_SUMMARY_H
#define FRESHET_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "scene.h"
#include "step.h"

struct frame_record {
	int frame;
	int substeps;
	double time;	/* s, simulated */
	double seconds; /* s, on the clock, images and files included */
	u64 hash;
};

struct summary {
	struct frame_record *frames; /* owned; frames that are complete */
	size_t frame_count, frame_capacity;
	struct step_stats first, last; /* rows of frame 0 and of the latest substep */
	u64 substeps;		       /* completed */
	u64 iterations;		       /* of the pressure solver, all substeps */
	int iterations_most;
	/* Solves for pressure and for drift (several in a substep with separation), and those of
	 * them that ended above the tolerance: at the limit of iterations or the rounding floor. */
	u64 solves, limit_hits, drift_solves, drift_limit_hits;
	double volume_error_worst; /* with its sign, at the end of a frame */
	int volume_error_frame;
	/* Clock time of substeps, without the first after each start of the program, which compiles
	 * kernels; and of those. */
	u64 substeps_timed;
	double substep_seconds, first_seconds;
	bool compiled; /* that first one is over */
};

/* Accounts for a row of stats.csv.  `seconds`: clock time of the substep. */
void summary_add_substep(struct summary *summary, const struct step_stats *stats, double seconds);
/* Accounts for a complete frame, whose last row has been added.  False after reporting. */
bool summary_add_frame(struct summary *summary, double seconds);
void summary_free(struct summary *summary);

/* Mean iterations per substep; 0 before the first. */
double summary_iterations_mean(const struct summary *summary);
/* Mean clock milliseconds per substep, the first after each start left out because it compiles
 * kernels; 0 before the second. */
double summary_ms_per_substep(const struct summary *summary);

/* Of `total` s, those that were no substep's: start, pictures, files. */
double summary_outside(const struct summary *summary, double total);

/* Milliseconds with about three digits, never as a power of ten. */
#define SUMMARY_NUMBER 32
const char *summary_milliseconds(double ms, char text[SUMMARY_NUMBER]);

/* Rounded to seconds: "1:05", "2:00:03". */
#define SUMMARY_DURATION 48
const char *summary_duration(double seconds, char text[SUMMARY_DURATION]);

/* One line of parts with two blanks between, what matters most first: frame, while frames remain
 * the time they will take, simulated time, speed, particles, iterations, dt. */
#define SUMMARY_LINE 256
const char *summary_line(const struct summary *summary, const struct scene *scene,
			 char text[SUMMARY_LINE]);

#endif
