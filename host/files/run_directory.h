/*
 * The directory of a run: its name, its lock, what it may already hold, and its growing files.
 *
 * docs/output.md lists the files.  Nothing that is not ours is ever removed or replaced.
 */
#ifndef FRESHET_RUN_DIRECTORY_H
#define FRESHET_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#define RUN_DIRECTORY_NAME 100 /* longest directory name made from a scene's name */

struct run_directory {
	char *path;	 /* owned; as given, without slashes at its end */
	char *lock_path; /* owned; directory/.lock */
	int lock;	 /* file descriptor, -1 = none */
	bool occupied;	 /* it held files of a run when it was opened */
	char **created;	 /* owned; directories made since run_directory_open(), parents first */
	size_t created_count;
};

enum run_directory_result {
	RUN_DIRECTORY_READY,
	RUN_DIRECTORY_FAILED,	/* cannot be created or written: exit code 1 */
	RUN_DIRECTORY_OCCUPIED, /* holds another run, or one is being written: exit code 2 */
};

/* A scene's name as a directory name: letters, digits, '-', '_' and '.' stay, every other character
 * becomes one '_'; at most RUN_DIRECTORY_NAME long; never empty, "." or "..". */
void run_directory_clean_name(const char *name, char clean[RUN_DIRECTORY_NAME + 1]);

/*
 * Takes the directory for a run: creates it and its missing parents, locks it, makes sure that it
 * can be written and, unless `accept`, that no other run's files are in it.  Changes none of its
 * files.  On anything but RUN_DIRECTORY_READY the reason has been reported and what was created is
 * gone.
 */
enum run_directory_result run_directory_open(struct run_directory *directory, const char *path,
					     bool accept);

/* Removes the files of an earlier run.  --resume leaves refused checkpoints. */
bool run_directory_clear(struct run_directory *directory, bool keep_refused);

/* Is the directory still the one that was taken?  False after somebody removed or replaced it. */
bool run_directory_present(const struct run_directory *directory);
/* The same; reports if it is not. */
bool run_directory_check(const struct run_directory *directory);

/* Creates the subdirectory `name` unless it exists.  Returns its path, owned by the caller; NULL
 * after reporting. */
char *run_directory_subdirectory(struct run_directory *directory, const char *name);

/* Gives the lock back and keeps the files.  Accepts a closed one. */
void run_directory_close(struct run_directory *directory);

/* Undoes run_directory_open(): removes the lock and those directories made since that are empty. */
void run_directory_discard(struct run_directory *directory);
/* The same, but only calls what a signal handler may call and frees nothing. */
void run_directory_abandon(const struct run_directory *directory);

#endif
