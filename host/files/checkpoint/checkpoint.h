/*
 * A checkpoint: all that the next substep and the rest of a run read, on the host and in a file.
 *
 * docs/output.md describes the file: HDF5 behind a block of text that holds its length and
 * checksum, so that damage is found before anything is parsed.
 */
#ifndef FRESHET_CHECKPOINT_H
#define FRESHET_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "checkpoint_arrays.h"
#include "file_read.h"
#include "summary.h"

#define CHECKPOINT_FORMAT 8
#define CHECKPOINT_OLDEST 2 /* that is read: of 0.1 */

/* Zeroed = empty. */
struct checkpoint {
	char *version, *git; /* owned; of the program that wrote it */
	char *scene;	     /* owned; scene_to_json(), indent 0 */
	int dim;

	/* sim_substep() goes on from these */
	int frame, substep; /* completed */
	double time;	    /* s */
	double grid_speed;  /* m/s */
	u64 steps;
	u32 pushed, escaped, removed_open, retries, seeds_in_solids;
	u32 interventions[STEP_FAILURES];
	u32 drained[DRAINS_MOST]; /* by drain */
	u32 flown[OUTFLOWS_MOST]; /* by outflow */
	/* owned; of the faces of outflows, struct outflow_face */
	double *owed;
	u32 *turn;
	size_t outflow_faces;
	u32 removed_ids[2];   /* hash sums, SCALAR_REMOVED_FIRST and _SECOND */
	struct ledger ledger; /* without created_ids, which follow from the counts, and strict */
	/* With output.forces: of each solid, since the last frame; owned.  And how long, s. */
	struct load *loads;
	size_t load_count;
	double loads_seconds;
	i32 squeeze_warned;
	struct body *bodies; /* owned; [body_count] */
	size_t body_count;
	struct contact_impulse *contacts; /* owned; [contact_count], struct contacts */
	size_t contact_count;
	double contact_dt;	       /* s */
	struct body_account *accounts; /* owned; [body_count] or none: since the last frame */
	double accounts_seconds;
	double rest_density; /* struct neighbours */
	u32 repositioned;
	u64 hash; /* of the state, as the method gives it for `frame` */
	struct checkpoint_state state;

	/* of the run, for its files: the summary's `first` holds the particles only, `last` what
	 * the table in checkpoint_format.c lists */
	struct summary summary;
	bool limit_warned, parts_warned, tiny_warned;
	double seconds; /* on the clock, since the run began */
	/* lengths of the files that grow, -1 = not written */
	int64_t stats_bytes, probes_bytes, forces_bytes, bodies_bytes, log_bytes;
	char *warnings; /* owned; one a line */
	u64 warnings_dropped;
	int *resumed_at; /* owned; frames at which the run was resumed so far */
	size_t resumed_count;
};

void checkpoint_free(struct checkpoint *checkpoint); /* leaves it empty */

/* Reads the state of the simulation, between substeps, from the device.  Fills what sim_substep()
 * goes on from.  Changes nothing.  False after reporting. */
bool checkpoint_capture(struct checkpoint *checkpoint, struct sim *sim);

/* The hash of the state that was read, computed on the host: what `hash` must be.  False after
 * reporting. */
bool checkpoint_hash(const struct checkpoint *checkpoint, u64 *hash);

/*
 * Puts such a state into a simulation of the same scene, whatever that did before.  On false either
 * `reason` tells what is wrong with the checkpoint, a sentence whose subject is the file as that of
 * checkpoint_read(), and the simulation is as it was; or `reason` is empty, the error has been
 * reported, and the simulation is of no use: the checkpoint is sound, but memory does not suffice
 * for its particles, the device failed, or it gives the state another hash than the host.
 */
bool checkpoint_restore(const struct checkpoint *checkpoint, struct sim *sim,
			char reason[FILE_READ_REASON]);

/* Puts the particles of such a state alone into a simulation, in which there is or can be room for
 * them: for pictures and meshes, not to go on from.  False after reporting. */
bool checkpoint_load_particles(const struct checkpoint *checkpoint, struct sim *sim);

/* Writes or replaces directory/name.  False after reporting; the file that was there before is then
 * as it was. */
bool checkpoint_write(const struct checkpoint *checkpoint, const char *directory, const char *name);

/*
 * Reads a file.  Only the summary's frames, the texts and the numbers are read unless `particles`.
 * On false *checkpoint is empty and `reason` tells what is wrong with the file ("is damaged (...)",
 * "is of a newer version ..."): a sentence whose subject is the file; errno is ENOMEM if, and only
 * if, memory did not suffice, ENOTSUP if the file is whole but of another version, or of a
 * method that the program does not have.  Reports nothing.
 */
bool checkpoint_read(const char *path, bool particles, struct checkpoint *checkpoint,
		     char reason[FILE_READ_REASON]);

#endif
