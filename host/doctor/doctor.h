/*
 * `freshet doctor`: is a device sound?  docs/doctor.md explains each check.
 *
 * A check ends in a line: ok, note (worth knowing; changes no result) or FAULT (results on this
 * device would be wrong, or it cannot run at all).
 */
#ifndef FRESHET_DOCTOR_H
#define FRESHET_DOCTOR_H

#include "clx.h"
#include "exit_code.h"
#include "json_writer.h"
#include "message.h"

struct launch_check; /* launch_check.h */

struct doctor_options {
	const char *device;	/* as for clx_open(), or NULL: every device */
	const char *output;	/* JSON file to write, or NULL */
	char *const *arguments; /* the command line, NULL-terminated */
	int dim;		/* 2, 3, or 0: both */
	bool quiet;		/* prints faults only */
	bool full;		/* every launch is checked, splashing runs are compared */
};

enum exit_code doctor_run(const struct doctor_options *options);

/* ---- for its parts ------------------------------------------------------------------------ */

enum doctor_verdict { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_FAULT };

struct doctor {
	const struct doctor_options *options;
	const struct clx_device_info *info;
	struct json_writer json;	/* an array "checks" is open */
	unsigned faults, notes, checks; /* of the device */
	unsigned all_faults;		/* of all devices */
	char error[512];		/* the last message_error() while the doctor listens */
};

/* Ends a check: prints its line and adds it to the file. */
void doctor_say(struct doctor *d, enum doctor_verdict verdict, const char *check,
		const char *format, ...) MESSAGE_PRINTF(4, 5);
/* A check that ended with a failed call: its message is the fault. */
void doctor_say_error(struct doctor *d, const char *check);

/* doctor_device.c: what it says of itself, and what is known of its driver; then, open:
 * denormals and the speed of a copy; layout, arithmetic, atomics, sums, sort. */
void doctor_examine_limits(struct doctor *d);
void doctor_examine_known(struct doctor *d);
void doctor_examine_device(struct doctor *d, struct clx *cl);
void doctor_examine_primitives(struct doctor *d, struct clx *cl);

/* doctor_kernels.c: every kernel against the host; `check` watches `cl`. */
void doctor_examine_kernels(struct doctor *d, struct clx *cl, struct launch_check *check);
/* Names kernels that were not launched in any dimension. */
void doctor_say_unreached(struct doctor *d, const struct launch_check *checks, size_t count);
/* Launches of a kernel to check in each stage of each simulation. */
unsigned doctor_most_checked(const struct doctor *d);

/* doctor_golden.c: whole runs against published hashes. */
void doctor_examine_golden(struct doctor *d, struct clx *cl);

#endif
