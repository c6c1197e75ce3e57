/*
 * The directory of a run: its name, its lock, what it may already hold, and its growing files.
 *
 * docs/output.md lists the files.  Nothing that is not ours is ever removed or replaced.
 */
#ifndef FRESHET_OUTPUT_H
#define FRESHET_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#define OUTPUT_NAME_BYTES 100 /* longest directory name made from a scene's name */

struct output {
	char *directory; /* owned; as given, without slashes at its end */
	char *lock_path; /* owned; directory/.lock */
	int lock;	 /* file descriptor, -1 = none */
	bool occupied;	 /* it held files of a run when it was opened */
	char **created;	 /* owned; directories made by output_open(), parents first */
	size_t created_count;
};

enum output_result {
	OUTPUT_READY,
	OUTPUT_FAILED,	 /* cannot be created or written: exit code 1 */
	OUTPUT_OCCUPIED, /* holds another run, or one is being written: exit code 2 */
};

/* A scene's name as a directory name: letters, digits, '-', '_' and '.' stay, every other character
 * becomes one '_'; at most OUTPUT_NAME_BYTES long; never empty, "." or "..". */
void output_clean_name(const char *name, char clean[OUTPUT_NAME_BYTES + 1]);

/*
 * Takes the directory for a run: creates it and its missing parents, locks it, makes sure that it
 * can be written and, unless `accept`, that no other run's files are in it.  Changes none of its
 * files.  On anything but OUTPUT_READY the reason has been reported and what was created is gone.
 */
enum output_result output_open(struct output *output, const char *directory, bool accept);

/* Removes the files of an earlier run.  --resume leaves refused checkpoints. */
bool output_clear(struct output *output, bool keep_refused);

/* Is the directory still the one that was taken?  False after somebody removed or replaced it. */
bool output_present(const struct output *output);
/* The same; reports if it is not. */
bool output_check(const struct output *output);

/* Creates the subdirectory `name` unless it exists.  Returns its path, owned by the caller; NULL
 * after reporting. */
char *output_subdirectory(const struct output *output, const char *name);

/* Gives the lock back and keeps the files.  Accepts a closed output. */
void output_close(struct output *output);

/* Undoes output_open(): removes the lock and those directories it created that are empty. */
void output_discard(struct output *output);
/* The same, but only calls what a signal handler may call and frees nothing. */
void output_abandon(const struct output *output);

#endif
